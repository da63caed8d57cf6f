"""The README's pictures of the tables: one for each of the five games, small, from cards that their games can deal."""

from __future__ import annotations

import pytest

from docs.make_pictures import PICTURES, SCENES
from holecard import rules
from tests.browser.recorded_rounds import GAMES
from tests.scripted_rounds import play_cards


def test_every_game_has_a_picture() -> None:
    assert set(SCENES) == set(GAMES) == {path.stem for path in PICTURES.glob("*.webp")}


@pytest.mark.parametrize("game", SCENES)
def test_a_picture_is_small_and_shows_its_moment(game: str) -> None:
    content = (PICTURES / f"{game}.webp").read_bytes()
    assert content[:4] == b"RIFF"
    assert content[8:12] == b"WEBP"
    assert len(content) < 60_000
    scene = SCENES[game]
    known = {wager.name for wager in rules(game).tables.wagers}
    assert {*scene.get("wagers", {}), *scene.get("late", {})} <= known
    late = ", ".join(f"{name} ${cents // 100}" for name, cents in scene.get("late", {}).items())
    moves = [*([f"place {late}"] if late else []), *scene.get("moves", ())]
    used = " ".join(scene["cards"].split()[: 4 + len(scene.get("moves", ()))])
    assert play_cards(game, used, moves).phase == ("done" if scene.get("ends") else "acting")
