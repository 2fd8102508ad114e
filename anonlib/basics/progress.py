"""How far long work is, and how it is stopped: what it calls raises an error of the caller's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Best = TypeVar("Best")

Progress = Callable[[float], None]
"""Called with the share that is done, in [0, 1]; what it raises stops the work."""
BestSoFar = Callable[[float, Best], None]
"""Called with the share that is done, in [0, 1], and the best answer so far; what it raises stops the work."""
Stages = Callable[[float, str], None]
"""Called with the share that is done, in [0, 1], and what is being done; what it raises stops the work."""


def nobody(_share: float) -> None:
    """Progress that nobody looks at."""


def share_of(progress: Progress, begin: float, end: float) -> Progress:
    """Progress of a part of the work, which goes from one share of the whole to another."""
    return lambda share: progress(begin + (end - begin) * share)


class Steps:
    """Progress through steps of which each is a known amount of the work."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total, self._progress, self._done = max(1, total), progress, 0

    def next(self, work: int) -> Progress | None:
        """Progress of the next step, which is so much of the whole; None where nobody looks at it."""
        before, progress = self._done, self._progress
        self._done += work
        return progress and (lambda part: progress(min(1.0, (before + part * work) / self._total)))
