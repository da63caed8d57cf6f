"""A plain check of a shoe's cards, written from docs/fairness.md alone: it uses nothing of Holecard."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from typing import Any

RANKS, SUITS = "A23456789TJQK", "shdc"


def plain_problem(document: dict[str, Any]) -> str | None:
    """Return what is wrong with the promises, the cards or the end of a shoe; None where nothing is."""
    context = f"holecard-shoe-1\n{document['shoe']}\n{document['sheet']}\n".encode()
    if hashlib.sha256(context + document["seed"].encode()).hexdigest() != document["commitment"]:
        return "commitment"
    if hashlib.sha256(document["rules"].encode()).hexdigest() != document["sheet"]:
        return "rules"
    seeds = [text.encode() for text in document["player_seeds"]]
    message = context + b"".join(str(len(seed)).encode() + b":" + seed + b"," for seed in seeds)
    key = hmac.new(bytes.fromhex(document["seed"]), message, hashlib.sha256).digest()
    size = 52 * document["decks"]
    stock = [rank + suit for rank in RANKS for suit in SUITS for _ in range(document["decks"])]
    out: Counter[str] = Counter()
    draw = 0
    for card in document["burned"].split():
        if _drawn(key, draw, stock) != card:
            return "burned"
        out[card] += 1
        draw += 1
    is_over = False
    for one in document["rounds"]:
        if is_over:
            return "after the end"
        earlier = Counter(out)
        put_back = {restock["after"]: restock["cards"].split() for restock in one["restocked"]}
        for number, card in enumerate(one["cards"].split()):
            if number in put_back:
                back = Counter(put_back[number])
                if stock or back - out or earlier - back:
                    return "put back"
                earlier.clear()
                stock = sorted(back.elements(), key=lambda card: (RANKS.index(card[0]), SUITS.index(card[1])))
                out -= back
            if not stock or _drawn(key, draw, stock) != card:
                return "cards"
            out[card] += 1
            draw += 1
        is_over = not one["voided"] and size - len(stock) >= document["cut_card"]
    return None if document["cut_short"] != is_over else "end"


def _drawn(key: bytes, draw: int, stock: list[str]) -> str:
    """Take a card out of the stock."""
    for attempt in range(100):
        block = hmac.new(key, f"draw {draw} attempt {attempt}".encode(), hashlib.sha256).digest()
        number = int.from_bytes(block[:8], "big")
        if number < 2**64 // len(stock) * len(stock):
            return stock.pop(number % len(stock))
    raise AssertionError("a hundred numbers in a row were too large")
