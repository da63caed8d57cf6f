"""The scheduler: wrong answers come back soon, right ones later and later, and everything follows from the seed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holecard import rules
from holecard.drills.progress import KNOWN, WAITS, DrillProgress, with_answer
from holecard.drills.schedule import next_question, next_spot
from holecard.drills.spots import DrillSpot, DrillSpots
from holecard.drills.summary import by_kind
from holecard.table.notation.spot import spot

SHEET = "0" * 64
EMPTY = DrillProgress(sheet=SHEET)


def made_spots(number: int) -> DrillSpots:
    """Return spots of two kinds; the later ones are rarer."""
    return DrillSpots(
        [
            DrillSpot(f"spot {index}", ("hard",) if index % 2 else ("hard", "close"), 1 / (index + 1), spot("T,6 v T"))
            for index in range(number)
        ]
    )


def drill(spots: DrillSpots, answers: list[bool], seed: str, kind: str | None = None) -> list[str]:
    """Return the keys that are asked while somebody answers right or wrong."""
    progress, asked = EMPTY, []
    for is_right in answers:
        key = next_spot(spots, progress, seed, kind).key
        asked.append(key)
        progress = with_answer(progress, key, 0.0 if is_right else 0.1)
    return asked


answers = st.lists(st.booleans(), min_size=1, max_size=120)


@given(answers, st.integers(20, 200), st.sampled_from([None, "hard", "close"]))
def test_a_wrong_answer_comes_back_after_three_questions(given: list[bool], number: int, kind: str | None) -> None:
    """Whatever else is due, a spot that was answered wrong is the third question after it."""
    asked = drill(made_spots(number), given, "seed", kind)
    for place, is_right in enumerate(given[: -WAITS[0]]):
        if not is_right:
            assert asked[place + WAITS[0]] == asked[place]


@given(answers, st.integers(20, 200))
def test_right_answers_wait_longer(given: list[bool], number: int) -> None:
    """A spot that was answered right does not come back before as many questions as its box says."""
    asked = drill(made_spots(number), given, "seed")
    new = number
    for place, is_right in enumerate(given):
        new -= asked[place] not in asked[:place]
        again = next((later for later in range(place + 1, len(asked)) if asked[later] == asked[place]), None)
        if is_right and again is not None and new:
            in_a_row = next(
                (count for count, earlier in enumerate(_earlier(asked, given, place)) if not earlier),
                len(_earlier(asked, given, place)),
            )
            assert again - place >= WAITS[min(in_a_row, len(WAITS) - 1)]


def _earlier(asked: list[str], given: list[bool], place: int) -> list[bool]:
    """Return how a spot was answered up to this place, the last answer first."""
    return [given[index] for index in range(place, -1, -1) if asked[index] == asked[place]]


@given(answers, st.text(max_size=8))
def test_the_same_progress_and_seed_ask_the_same(given: list[bool], seed: str) -> None:
    spots = made_spots(60)
    assert drill(spots, given, seed) == drill(made_spots(60), given, seed)


@given(answers)
def test_the_numbers_of_a_progress_add_up(given: list[bool]) -> None:
    """Answers, right answers and the streak are those that were given."""
    spots, progress = made_spots(60), EMPTY
    for is_right in given:
        progress = with_answer(progress, next_spot(spots, progress, "seed").key, 0.0 if is_right else 0.25)
    kinds = {one.kind: one for one in by_kind(spots, progress)}
    assert progress.answered == kinds["hard"].asked == len(given)
    assert kinds["hard"].right == sum(given)
    assert kinds["hard"].cents == 25 * (len(given) - sum(given)) / len(given)
    assert progress.streak == next((n for n, right in enumerate(reversed(given)) if not right), len(given))
    assert 0 <= kinds["close"].mastery <= 1


def test_spots_are_known_after_enough_right_answers() -> None:
    """A kind with one spot is mastered when that spot is known, and forgotten with one wrong answer."""
    spots, progress = made_spots(1), EMPTY
    for number in range(1, KNOWN + 1):
        progress = with_answer(progress, "spot 0", 0.0)
        assert by_kind(spots, progress)[0].mastery == (number >= KNOWN)
    assert by_kind(spots, with_answer(progress, "spot 0", 0.5))[0].mastery == 0


def test_frequent_spots_come_first() -> None:
    """Over many seeds, the most frequent spot of a kind is drawn as often as its share says."""
    spots = made_spots(3)
    drawn = [next_spot(spots, EMPTY, str(seed), "hard").key for seed in range(2000)]
    share = 1 / (1 + 1 / 2 + 1 / 3)
    assert abs(drawn.count("spot 0") / 2000 - share) < 5 * (share * (1 - share) / 2000) ** 0.5


def test_a_question_repeats_with_its_cards() -> None:
    """A page that is loaded again shows the same cards."""
    sheet = rules("classic")
    progress = DrillProgress(sheet=sheet.sha256)
    assert next_question(sheet, progress, "ann") == next_question(sheet, progress, "ann")
    assert "pairs" in next_question(sheet, progress, "ann", "pairs").kinds
