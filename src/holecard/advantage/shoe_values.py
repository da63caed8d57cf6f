"""EVs of the rounds of sampled shoes, kept on disk: a run that is stopped continues where it was.

The values of one wager in one sample are a list in the order of the sample. They are stored next to the compiled
kernels, in a folder named after a hash of all sources, in a file named after a hash of the sheet, the sample and the
wager. A wager that is placed when the upcard is seen has EVs and shares by upcard. A longer sample of the same shoes
begins with the same rounds, so it continues the same list. The list is saved every few seconds, in one step; a file
that is not whole is ignored.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.advantage.targets import Target
from holecard.atomic_file import write_atomically
from holecard.kernels.arrays import Floats
from holecard.kernels.cache import folder, hash_of_sources
from holecard.sheets.schema import RuleSheet
from holecard.simulation.plays.shoe_sample import ShoeSample, sample_shoes

#: Called with the number of values that have been computed since the last call.
OnValues: TypeAlias = Callable[[int], None]
_PROGRAM = hash_of_sources(Path(__file__).parents[1])
#: Values computed in one go: half a second or less, so that progress is seen and little is lost. A GPU needs more.
_CHUNKS = {"main": 48, "chart": 48, "side": 2048}
_GPU_CHUNK = 8192
_SAVE_SECONDS = 2.0
#: Values that take less time are computed again rather than kept.
_WORTH_KEEPING = 1.0
#: Rounds listed of each shoe, on average: more of them would tell little, because they are alike.
_ROUNDS_PER_SHOE = 2


@dataclass(frozen=True)
class SamplePlan:
    """Which rounds are sampled: those of the first shoes of a seed, dealt to the deepest cut card."""

    sheet: RuleSheet
    cut: int
    """percent"""
    seats: int = 1
    seed: int = 1

    @property
    def every(self) -> int:
        """Rounds from one that is listed to the next."""
        rounds = 52 * self.sheet.shoe.decks * self.cut / 100 / (2.7 * (1 + self.seats))
        return max(1, round(rounds / _ROUNDS_PER_SHOE))

    def sample(self, shoes: int) -> ShoeSample:
        """Deal the shoes."""
        return sample_shoes(self.sheet, shoes=shoes, cut=self.cut, seats=self.seats, seed=self.seed, every=self.every)

    def file(self, target: Target) -> Path:
        """Return where the values of a wager are kept."""
        words = [self.sheet.hash, self.sheet.shoe.decks, self.cut, self.seats, self.seed, self.every]
        words += [target.kind, target.name]  # a side wager may be called "main by the chart"
        words += ["by upcard"] if target.sees_upcard else []
        words += list(target.needed)
        key = hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()
        return folder().parent / f"shoe-values-{_PROGRAM}" / f"{key[:32]}.json"


def shoe_values(
    plan: SamplePlan,
    target: Target,
    sample: ShoeSample,
    rounds: int,
    *,
    threads: int | None = None,
    device: str = "cpu",
    on_values: OnValues | None = None,
) -> Floats:
    """Return [round] the exact EV of a wager before the first rounds of the sample, from disk as far as it is there.

    [round, 2, v] where the upcard is seen first: see `Target.values_by_upcard`.
    """
    on_values = on_values or _unwatched
    file = plan.file(target)
    known = _read(file).reshape(-1, *((2, 10) if target.sees_upcard else ()))[:rounds]
    on_values(len(known))
    if len(known) == rounds:
        return known
    done, begun = [known], monotonic()
    save_at = begun + _SAVE_SECONDS
    begin, chunk = len(known), _GPU_CHUNK if device == "cuda" and target.kind == "main" else _CHUNKS[target.kind]
    try:
        while begin < rounds:
            end = min(begin + chunk, rounds)
            done.append(_computed(plan, target, sample.cards[begin:end], threads, device))
            on_values(end - begin)
            begin = end
            if (now := monotonic()) >= save_at:
                _save(file, np.concatenate(done))
                # Long lists take long to save: at most a twentieth of the time.
                save_at = monotonic() + max(_SAVE_SECONDS, 20 * (monotonic() - now))
    except BaseException:  # Ctrl-C: whole chunks are kept
        if len(done) > 1:
            _save(file, np.concatenate(done))
        raise
    found = np.concatenate(done)
    if monotonic() - begun >= _WORTH_KEEPING:
        _save(file, found)
    return found


def _computed(plan: SamplePlan, target: Target, shoes: NDArray[Any], threads: int | None, device: str) -> Floats:
    if target.sees_upcard:
        return target.values_by_upcard(plan.sheet, shoes, threads=threads)
    return target.round_values(plan.sheet, shoes, threads=threads, device=device)


def _unwatched(_values: int) -> None:
    """Tell nobody."""


def _read(file: Path) -> Floats:
    """Return the values of a whole file; none of any other."""
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
        values = np.array([math.nan if value is None else float(value) for value in written["values"]])
        if written["checksum"] == _checksum(values):
            return values
    except (OSError, ValueError, TypeError, KeyError):
        pass
    return np.zeros(0)


def _save(file: Path, values: Floats) -> None:
    """Write the file; where nothing can be written, the values are computed again next time."""
    plain = [None if math.isnan(value) else value for value in values.ravel().tolist()]
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps({"values": plain, "checksum": _checksum(values)}))


def _checksum(values: Floats) -> str:
    return hashlib.sha256(np.ascontiguousarray(values, np.float64).tobytes()).hexdigest()[:16]
