"""What a table records reads back unchanged, and replays; an inconsistent record is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holecard.deck import cards
from holecard.errors import RecordError, Refusal
from holecard.sheets.read import read_sheet, rules
from holecard.table.dealing.shoe import Shoe, ShoePosition
from holecard.table.records.record import Record, read_record, replay
from holecard.table.table import Table
from tests.stacked_shoe import Stacked, stacked


def _played(game: str, fallen: str, *play: str, sides: dict[str, str] | None = None) -> Table:
    table = stacked(game, fallen)
    table.bet("$10", sides)
    table.deal()
    for action in play:
        table.act(action)
    return table


def test_a_record_reads_as_text() -> None:
    """Game, bets, cards, play and payments."""
    text = str(_played("double-up", "9h 6d 9s Th", "double up", sides={"Bonus 16": "$5"}).record("End 16"))
    assert 'about = "End 16"' in text
    assert 'game  = "double-up"' in text
    assert 'bets  = ["seat 1: $10, Bonus 16 $5"]' in text
    assert 'cards = "9h 6d 9s Th"' in text
    assert 'play  = ["seat 1: double up"]' in text


def test_a_record_contains_a_custom_sheet() -> None:
    """It replays without the file."""
    sheet = read_sheet('name = "Mine"\nextends = "classic"\n[settle]\nnatural = "2 to 1"')
    table = Table(sheet, seed=1)
    table.shoe = Stacked(sheet.shoe, 1).stack("As 6d Kh Th")
    table.bet("$10")
    table.deal()
    record = read_record(str(table.record()))
    assert record.game is None
    assert replay(record)[-1].results[0].net == 2_000


def test_a_record_contains_the_settings() -> None:
    """A changed setting is replayed."""
    table = stacked("classic", "As 6d Kh Th", settings={"settle.natural": "6 to 5", "decks": 8})
    table.bet("$10")
    table.deal()
    record = read_record(str(table.record()))
    assert record.rules.shoe.decks == 8
    assert replay(record)[-1].results[0].net == 1_200


def test_a_side_wagers_name_may_hold_a_comma() -> None:
    """The record separates it from the next wager."""
    sheet = read_sheet('name = "T"\n[[wager]]\nname = "Pairs, any"\nlines = [{ hand = "pair", pays = "5 to 1" }]')
    table = Table(sheet, seed=1)
    table.shoe = Stacked(sheet.shoe, 1).stack("As 6d Kh Th")
    table.bet("$10", {"Pairs, any": "$5"})
    table.deal()
    assert replay(read_record(str(table.record())))[-1].results == table.results


GOOD = """\
game  = "classic"
bets  = ["seat 1: $10"]
cards = "9h 6d 9s Th 5c"
play  = ["seat 1: stand"]
"""


def test_a_record_without_results_is_replayed() -> None:
    """The rules decide the payments."""
    assert replay(read_record(GOOD))[-1].results[0].net == -1_000


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("5c", "", "one more is needed"),
        ("5c", "5c 2d", "cards are left: 2d"),
        ('"seat 1: stand"', "", "the play is incomplete"),
        ("stand", "split it", "is not an action"),
        ("seat 1: stand", "stand", "is not a move"),
        ("stand", "insurance $5", "play 1"),
        ("$10", "$1", "outside the limits"),
        ("classic", "clasic", "did you mean 'classic'"),
        ("game ", "gmae ", "unknown key 'gmae'; did you mean 'game'?"),
        ("9h 6d 9s", "9h 6d Zs", "is not a card"),
        ('cards = "9h 6d 9s Th 5c"', "", "'cards' is missing"),
        ('bets  = ["seat 1: $10"]', "bets = ", "this is not TOML"),
    ],
)
def test_a_record_that_does_not_add_up_is_refused(old: str, new: str, says: str) -> None:
    """The message says what is wrong and where."""
    with pytest.raises(Refusal, match=None) as refused:
        replay(read_record(GOOD.replace(old, new)))
    assert says in str(refused.value)


def test_a_record_that_claims_another_result_is_refused() -> None:
    """The message shows what the rules pay."""
    text = str(_played("classic", "9h 6d 9s Th 5c", "stand").record())
    with pytest.raises(RecordError, match="the record says"):
        replay(read_record(text.replace("-$10", "+$10")))
    with pytest.raises(RecordError, match="settles"):
        replay(
            read_record(
                str(_played("double-up", "9h 6d 9s Th", "double up").record()).replace(
                    '  { seat = 1, hand = 1, wager = "Double-Up"', "#"
                )
            )
        )


def test_a_card_too_many_is_refused() -> None:
    """Seven aces of spades are not in six decks."""
    text = 'game = "classic"\nbets = ["seat 1: $10"]\ncards = "As As As As As As As"\nplay = []'
    with pytest.raises(RecordError, match="As is dealt 7 times"):
        replay(read_record(text))


def test_a_seat_that_changes_its_bet_is_recorded_with_the_last() -> None:
    """And only once."""
    table = stacked("classic", "As 6d Kh Th")
    table.bet("$10")
    table.bet("$20")
    table.deal()
    assert table.record().bets == ("seat 1: $20",)


# Reading back


def assert_same(table: Table) -> Record:
    record = table.record()
    again = read_record(str(record))
    assert again == record
    assert str(again) == str(record)
    assert replay(again)[-1].results == table.results
    return again


def stood(table: Table, **sides: str) -> Table:
    table.bet("$10", sides)
    table.deal()
    while table.phase != "done":
        table.act(next(choice.action for choice in table.legal() if choice.action in ("stand", "no insurance")))
    return table


@pytest.mark.parametrize("name", ["Pairs, any", 'The "pair"', "two\nlines", "tab\tand \x7f", "Paar ♥"])
def test_a_wagers_name_may_be_anything(name: str) -> None:
    """It is read back from the middle of a bet."""
    sheet = read_sheet('name = "T"\n[[wager]]\nname = "X"\nlines = [{ hand = "pair", pays = "5 to 1" }]')
    named = rules(sheet, {"wager.X.name": name})
    again = assert_same(stood(Table(named, seed=1), **{name: "$5"}))
    assert again.game is None


@pytest.mark.parametrize(
    ("game", "setting", "value"), [("classic", "player.charlie", None), ("quick-pay", "main.companion", None)]
)
def test_a_setting_toml_has_no_word_for_brings_the_whole_sheet(game: str, setting: str, value: object) -> None:
    """Then the record does not name a game."""
    sheet = rules(game, {setting: value, "settle.natural": "2 to 1"})
    table = Table(sheet, seed=1)
    table.bet("$10")
    table.deal()
    while table.phase != "done":
        if table.phase == "last call":
            table.place()
        else:
            table.act("stand")
    again = assert_same(table)
    assert (again.game, dict(again.settings)) == (None, {})
    assert again.rules.settle.natural == "2 to 1"


@pytest.mark.parametrize(
    "settings", [{"decks_offered": (1, 2, 6)}, {"when_dealer_has": {"22": "push"}}, {"name": 'A "name"\n'}]
)
def test_a_setting_is_recorded_as_toml_writes_it(settings: dict[str, object]) -> None:
    """A tuple becomes a list."""
    assert assert_same(stood(Table("classic", seed=2, settings=settings))).game == "classic"


def test_a_copied_and_changed_sheet_is_not_taken_for_the_one_it_was() -> None:
    """Its origin no longer describes it, so it is recorded completely."""
    sheet = rules("classic")
    changed = sheet.model_copy(update={"settle": sheet.settle.model_copy(update={"ties": "lose"})})
    record = Record.of(changed, [], cards("As"), ())
    assert record.game is None
    assert record.rules.settle.ties == "lose"


def test_a_seed_is_written_after_the_settings() -> None:
    """And read back."""
    record = Record.of(rules("classic", decks=8), [], cards("As"), (), seed=2**130)
    assert str(record).splitlines()[1:3] == ['settings = { "shoe.decks" = 8 }', f"seed  = {2**130}"]
    assert read_record(str(record)).seed == 2**130
    assert "seed" not in str(Record.of(rules("classic"), [], cards("As"), ()))


# The seed of a practice table


def _rounds(rounds: int, **settings: object) -> Table:
    """A seeded table after a number of rounds in which the player always stands."""
    table = Table("classic", seed=5, settings={"decks": 1, "cut_card": 40, **settings})
    for _ in range(rounds):
        stood(table)
    return table


@pytest.mark.parametrize("procedure", ["cut card", "fresh each round", "continuous shuffler"])
@pytest.mark.parametrize("rounds", [1, 2, 9])
def test_the_cards_of_a_seeded_table_are_checked_against_its_seed(procedure: str, rounds: int) -> None:
    """For every round; only later rounds must state how far the shoe had been dealt."""
    table = _rounds(rounds, procedure=procedure)
    record = assert_same(table)
    assert record.seed == 5
    assert (record.position is None) == (rounds == 1)
    with pytest.raises(RecordError, match="seed 6 deals"):
        replay(replace(record, seed=6))


def test_a_seed_that_did_not_deal_these_cards_is_refused() -> None:
    """Nor may a round claim another position in the shoe, one beyond it, or one without a seed."""
    record = read_record(str(_rounds(2).record()))
    assert record.position is not None
    for position in (None, record.position._replace(drawn=1), record.position._replace(shoe=2)):
        with pytest.raises(RecordError, match="seed 5 deals"):
            replay(replace(record, position=position))
    with pytest.raises(RecordError, match="60 cards of 52"):
        replay(replace(record, position=record.position._replace(drawn=60)))
    with pytest.raises(RecordError, match="the record has no seed"):
        replay(replace(record, seed=None))
    replay(replace(record, seed=None, position=None))


def test_a_seed_deals_each_full_shoe_differently() -> None:
    """The second is not a repetition of the first."""
    words = rules("classic").shoe
    first = Shoe(words, 5)
    second = Shoe.at(words, 5, ShoePosition(2, 1))
    assert first.draw(50) != second.draw(50)
    first.shuffle()
    assert first.position == second.position._replace(drawn=1)  # type: ignore[union-attr]
    assert first.draw(20) == Shoe.at(words, 5, ShoePosition(2, 1)).draw(20)
