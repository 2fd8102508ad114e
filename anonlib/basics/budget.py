"""How much a search may do: so much work, which is the same on every machine, and perhaps a clock that ends it early.

Work is counted where it is done: rows that are looked at for a set of columns. What a search does next depends on the
work so far and never on the time, so the same question with as much work has the same answer on a slow machine, on a
busy one and with any number of threads. Where a clock ends it before, the answer says so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from anonlib.basics import checks
from anonlib.basics.errors import InputError

A_SECOND = 100_000_000
"""Work that takes about a second on a machine of 2024: it says how large a budget is, and no answer depends on it."""


class Stopwatch:
    """How long something has taken, to be shown."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return time.monotonic() - self._started

    def stood_still(self, seconds: float) -> None:
        """So many seconds do not count."""
        self._started += seconds


class Over(Exception):
    """The budget is spent, or the clock has ended the search: the best so far is the answer."""


@dataclass(frozen=True)
class Budget:
    """How much a search may do.

    Attributes
    ----------
    work : float, optional
        Rows that are looked at, times sets of columns (:data:`A_SECOND`), 0 or more; without end where it is None. A
        first answer is always completed.
    seconds : float, optional
        After so many the search is ended early, and its answer marked so; no clock where it is None.

    Raises
    ------
    InputError
        When one of them is no number, or below 0.
    """

    work: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for given, what in ((self.work, "The work of a search"), (self.seconds, "The time for the search")):
            if given is not None and not checks.number(given, what) >= 0:
                raise InputError(f"{what} must be 0 or more.", code="number-out-of-range")

    def part(self, share: float) -> Budget:
        """A share of it, in [0, 1], of the work and of the time."""
        work, seconds = (None if limit is None else limit * share for limit in (self.work, self.seconds))
        return Budget(work, seconds)

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing ends a search but its own end."""
        return self.work is None and self.seconds is None

    def begun(self) -> Spending:
        """Begin to spend it."""
        return Spending(self)


UNLIMITED = Budget()


def about_seconds(seconds: float) -> Budget:
    """The work that takes about so many seconds on a machine of 2024, and no clock.

    Parameters
    ----------
    seconds : float
        0 or more.
    """
    return Budget(work=seconds * A_SECOND)


class Spending:
    """A budget while it is spent.

    Attributes
    ----------
    budget : Budget
        What there is.
    work : float
        What is spent of its work.
    ended_early : bool
        Whether the clock was over before the work.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.work = 0.0
        self.ended_early = False
        self._watch = Stopwatch()

    @property
    def is_unlimited(self) -> bool:
        """As :attr:`Budget.is_unlimited`."""
        return self.budget.is_unlimited

    def spend(self, work: float) -> None:
        """So much work is done."""
        self.work += work

    @property
    def seconds(self) -> float:
        """Since it began, to be shown."""
        return self._watch.seconds

    def stood_still(self, seconds: float) -> None:
        """So many seconds do not count."""
        self._watch.stood_still(seconds)

    @property
    def seconds_left(self) -> float | None:
        """Until the clock ends it early; None without one."""
        return None if self.budget.seconds is None else self.budget.seconds - self.seconds

    @property
    def share(self) -> float:
        """How much is spent, in [0, 1], to be shown: of the work, or of the time where that is further on."""
        shares = [0.0]
        if self.budget.work:
            shares.append(self.work / self.budget.work)
        if self.budget.seconds:
            shares.append(self.seconds / self.budget.seconds)
        return min(1.0, max(shares))

    def raise_if_over(self) -> None:
        """Raises :class:`Over` where the work is spent or the time is over."""
        if self.budget.work is not None and self.work >= self.budget.work:
            raise Over
        self.raise_if_late()

    def raise_if_late(self) -> None:
        """Raises :class:`Over` where the time is over."""
        seconds_left = self.seconds_left
        if seconds_left is not None and seconds_left <= 0:
            self.ended_early = True
            raise Over
