"""How many examples Hypothesis tries: a share of those that a test names, by the profile that is chosen."""

from __future__ import annotations

import os

import hypothesis

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "everyday")
SHARE = {"quick": 0.05, "everyday": 0.12, "ci": 0.12, "thorough": 20.0}[PROFILE]
FEWEST = 1 if PROFILE == "quick" else 12  # where a test names as many


def share_of(examples: int) -> int:
    """How many are tried of so many."""
    return max(round(examples * SHARE), min(examples, FEWEST))


def settings(max_examples: int = 100, **others: object) -> hypothesis.settings:
    """Hypothesis's settings of a test that names a number of examples."""
    return hypothesis.settings(max_examples=share_of(max_examples), **others)  # type: ignore[arg-type]
