"""The second reading of a sheet agrees with its tables, and finds every mistake of the compiler."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

import holecard
from holecard.sheets.catalog import sheet_text
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import Companion
from holecard.sheets.tables import Tables
from holecard.sheets.wager_schema import Wager
from holecard.simulation.witness import plain_sheet, plain_tables, plain_wagers
from holecard.simulation.witness.plain_tables import read_again
from holecard.wagers.pay_table import Line, SideWager
from tests.readback.sheets_to_read import NAMES, sheet_named
from tests.selection import one_in
from tests.simulation.compiler_mutations import COMPILER, SHEETS
from tests.simulation.mutations import Mutation, broken, source_to_edit


@pytest.mark.parametrize("name", one_in(20, NAMES))
def test_the_tables_are_what_the_sheet_says(name: str) -> None:
    """Every shipped sheet, every switch of every ruling, and settings drawn at random."""
    found = read_again(sheet_named(name))
    assert found.differences == ()
    assert found.cells > 1000


@pytest.mark.parametrize(("mutation", "sheet"), one_in(10, COMPILER), ids=str)
def test_a_mistake_of_the_compiler_is_found(mutation: Mutation, sheet: str) -> None:
    """Between the words of a sheet and its tables: exact numbers, rounds, table and referee all share it."""
    text = SHEETS[sheet] if sheet in SHEETS else sheet_text(sheet)
    assert read_again(read_sheet(text)).agrees
    with broken(mutation):
        assert not read_again(read_sheet(text)).agrees


def test_every_edit_finds_its_text() -> None:
    """Renaming a function or rewording a line does not make a test pass unnoticed."""
    for mutation, _ in COMPILER:
        for edit in mutation.edits:
            assert source_to_edit(edit)


def test_a_difference_is_a_sentence() -> None:
    """It says which cell, what the sheet says and what the tables say."""
    sheet = rules("classic")
    (mutation,) = [mutation for mutation, _ in COMPILER if mutation.name == "ties win"]
    with broken(mutation):
        found = read_again(read_sheet(sheet_text("classic")))
    assert str(found.differences[0]) == (
        "Bet, 12 against 12: the sheet says a net win of 0, the tables say a net win of 1"
    )
    assert read_again(sheet).verdict == (
        f"The sheet was read a second time and compared with {read_again(sheet).cells:,} cells of its tables: "
        "no difference."
    )


@pytest.mark.slow
def test_verify_fails_where_the_tables_are_not_what_the_sheet_says() -> None:
    """Nothing else can show it: everything reads the tables. Even money is offered for what two naturals pay."""
    (mutation,) = [mutation for mutation, _ in COMPILER if mutation.name == "two naturals pay 3 to 2"]
    with broken(mutation):
        found = holecard.verify(read_sheet(sheet_text("classic")), "never bust", 20_000, replay=40)
    assert found.agreement.agrees
    assert found.replay.agrees
    assert not found.agrees
    assert str(found).startswith("Read a second time, the sheet differs from its tables in 2 places:")


def test_every_setting_is_known_with_its_default() -> None:
    """A new setting has to be read a second time before `verify` can agree."""
    for name, known in plain_sheet.SECTION_DEFAULTS.items():
        if name == "wager":
            continue
        defaults = RuleSheet.model_fields[name].default.model_dump(mode="json", by_alias=True)
        assert known == defaults, name
    for model, words in ((Companion, plain_sheet.COMPANION_DEFAULTS), (Wager, plain_sheet.WAGER_DEFAULTS)):
        assert words.keys() == model.model_fields.keys()
        for key, field in model.model_fields.items():
            if not field.is_required():
                assert words[key] == (list(field.default) if isinstance(field.default, tuple) else field.default), key
    sections = {name for name in RuleSheet.model_fields if name not in plain_sheet._ABOUT}
    assert sections == plain_sheet.SECTION_DEFAULTS.keys()


def test_every_table_is_compared() -> None:
    """A new field of the compiled tables has to be read a second time, too."""
    sources = {module: Path(module.__file__).read_text(encoding="utf-8") for module in (plain_tables, plain_wagers)}
    for kind, module, name, apart in (
        (Tables, plain_tables, "tables", {"sheet"}),
        (SideWager, plain_wagers, "compiled", {"needs_upcards"}),
        (Line, plain_wagers, "found", set()),
    ):
        unread = {one.name for one in fields(kind) if f"{name}.{one.name}" not in sources[module]} - apart
        assert unread == set(), kind


def test_what_is_not_known_is_a_difference() -> None:
    """Such as a word that only the first reading knows."""
    sheet = rules("quick-pay")
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(plain_sheet.WAGER_DEFAULTS, "placed")
        (found,) = read_again(sheet).differences
    assert "does not know the setting wager.Hedge 18.placed" in str(found)
    assert read_again(sheet).agrees


SPELLED: dict[str, dict[str, object]] = {
    "odds": {"settle.natural": " 6TO5 ", "insurance.pays": "5 : 2", "settle.surrender": "Lose  Half"},
    "money": {"main.min": "10.0", "main.max": "$ 1,000", "main.step": 5, "insurance.min": "2"},
    "totals": {"player.double": "Hard  9 -11,soft 13- 18", "player.double_up": " NONE "},
    "every total": {"player.double": "ANY", "player.double_up": " Any "},
    "a wager": {
        "wager": [
            {
                "name": "Pairs",
                "upcard": " 2 -7,t ",
                "lines": [
                    {"hand": " Suited  PAIR", "dealer": "Busts in  5+ cards", "pays": {" 2 ": "7to2", "a": "3:1"}},
                    {"hand": "hard  9 - 11", "pays": " $40"},
                ],
            }
        ]
    },
}


@pytest.mark.parametrize("settings", SPELLED.values(), ids=SPELLED)
def test_words_are_known_in_every_spelling_that_a_sheet_can_have(settings: dict[str, object]) -> None:
    """Capitals and blanks do not make another rule."""
    assert read_again(rules("classic", settings)).differences == ()


PAIRS = {"name": "Pairs", "lines": [{"hand": "pair", "pays": "5 to 1"}]}
IN_TURN: dict[str, tuple[dict[str, object], ...]] = {
    "lines, tables, lines": (
        {"wager": [PAIRS]},
        {"wager.Pairs.lines": [{"hand": "pair", "pays": "6 to 1"}]},
        {"wager.Pairs.tables": {"A": [{"hand": "pair", "pays": "7 to 1"}]}, "wager.Pairs.table": "A"},
        {"wager.Pairs.lines": [{"hand": "pair", "pays": "9 to 1"}]},
    ),
    "a wager, its limit, the wager": ({"wager": [PAIRS]}, {"wager.Pairs.max": "$7"}, {"wager": [PAIRS]}),
    "a name by number, another": ({"wager": [PAIRS]}, {"wager.0.name": "One"}, {"wager.One.max": "$7"}),
    "a table, one of its keys, the table": (
        {"settle.when_dealer_has": {"17": "push"}},
        {"settle.when_dealer_has.18": "push"},
        {"settle.when_dealer_has": {"22": "push"}},
    ),
}


@pytest.mark.parametrize("changes", IN_TURN.values(), ids=IN_TURN)
def test_changes_of_a_sheet_are_read_in_their_order(changes: tuple[dict[str, object], ...]) -> None:
    """A sheet can be changed again and again."""
    sheet = rules("classic")
    for settings in changes:
        sheet = rules(sheet, settings)
    assert read_again(sheet).differences == ()


def test_a_sheet_is_found_as_the_first_reading_finds_it(tmp_path: Path) -> None:
    """From the folder of the sheet that extends it, by title, and with a byte order mark."""
    (tmp_path / "inner").mkdir()
    for name, extends, mark in (("inner/first", "Quick Pay Blackjack", "\ufeff"), ("inner/second", "first.toml", "")):
        text = f'name = "One"\nextends = "{extends}"\n[shoe]\ndecks = 2\n'
        (tmp_path / f"{name}.toml").write_text(mark + text, encoding="utf-8")
    (tmp_path / "third.toml").write_text('name = "Third"\nextends = "inner/second.toml"\n', encoding="utf-8")
    sheet = rules(tmp_path / "third.toml")
    assert read_again(sheet).differences == ()
    (tmp_path / "inner/second.toml").unlink()
    (found,) = read_again(sheet).differences
    assert "finds no sheet 'inner/second.toml'" in str(found)


def test_a_sheet_without_a_text_is_read_from_its_fields() -> None:
    sheet = rules("quick-pay")
    copied = sheet.model_copy(update={"shoe": sheet.shoe.model_copy(update={"decks": 2})})
    assert copied.written.text == ""
    assert read_again(copied).agrees
    assert copied.tables.decks == 2
