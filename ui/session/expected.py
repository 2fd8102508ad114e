"""How long work takes: measured on this machine when it is promised, and from how far it is while it runs.

No figure is made of how fast some other machine is. The work itself is begun and ended again in a moment, and the share
of it that was done by then says how long the whole takes. Where that says nothing yet, nothing is promised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from anonlib.basics.progress import Progress

_TRIAL = 0.4  # seconds that the work is tried for
_LEAST = 0.002  # the least share of it that says something
_LEAST_DONE = 0.01  # and while it runs: a search is slowest at first, and was to take minutes that were seconds
_RUNS = 2.0  # seconds that work runs before the page tells how long the rest takes


class _Enough(Exception):
    """The work was tried for long enough."""


def measured(compute: Callable[[Progress], object]) -> float | None:
    """Begin work, end it in a moment, and say how long all of it takes here and now.

    What it comes to is not kept, also where a moment is enough: what a page shows depends on no clock.

    Parameters
    ----------
    compute : Callable
        Given the progress to call; what that raises stops it.

    Returns
    -------
    float | None
        Seconds; None where too little was done to say.
    """
    begun = time.monotonic()
    ready: tuple[float, float] | None = None  # when it first showed how far it was, and how far
    furthest = took = 0.0

    def progress(share: float, _so_far: Any = None, /) -> None:
        nonlocal ready, furthest, took
        now = time.monotonic()
        if ready is None:  # up to here it got ready, which says nothing of how fast it is then
            ready = now, share
        furthest, took = max(furthest, share), now - ready[0]
        if took >= _TRIAL:
            raise _Enough

    try:
        compute(progress)
    except _Enough:
        assert ready is not None
        since, share = ready
        done = furthest - share
        return since - begun + took * (1 - share) / done if done >= _LEAST else None
    return time.monotonic() - begun


def of_all(first: float | None, shares: Sequence[float]) -> float | None:
    """How long all stages take, of how long the first one does.

    Parameters
    ----------
    first : float | None
        Seconds that the first one takes; None where that is not known.
    shares : Sequence[float]
        By stage, how much work it is against the others, above 0.
    """
    whole = first * sum(shares) / shares[0] if first is not None and shares[0] else None
    return whole if whole is not None and isfinite(whole) else None


def left(seconds: float, share: float) -> str:
    """How long the rest takes, in words; empty where too little is done to say.

    Parameters
    ----------
    seconds : float
        How long it has run.
    share : float
        What is done of it, in [0, 1].

    Returns
    -------
    str
        Such as ``about 2 minutes left``.
    """
    if seconds < _RUNS or not _LEAST_DONE <= share < 1:
        return ""
    return f"{about(seconds * (1 - share) / share)} left"


def about(seconds: float) -> str:
    """A duration in plain words: ``about 20 s``, ``about 2 minutes``, ``more than an hour``.

    Parameters
    ----------
    seconds : float
        0 or more.
    """
    if seconds < 90:
        return f"about {_rounded(seconds)} s"
    return f"about {_rounded(seconds / 60)} minutes" if seconds < 5_400 else "more than an hour"


def _rounded(number: float) -> int:
    """At least 1, and no more exact than it can be known."""
    whole = max(1, round(number))
    return whole if whole < 20 else 5 * round(whole / 5)
