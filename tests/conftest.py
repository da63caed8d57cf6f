"""Hypothesis for all tests: no deadline, and a failing seed is shown as it is, since a smaller seed is no simpler."""

from hypothesis import Phase, settings

settings.register_profile(
    "holecard", deadline=None, max_examples=25, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)
settings.load_profile("holecard")
