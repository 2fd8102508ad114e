"""What the searches share: they begin with top and bottom, end with what they may spend, and report meanwhile."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.archive import Archive
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, Budget, Over
from anonlib.basics.errors import InputError

BETWEEN = A_SECOND / 8
"""Work from one frontier that a search yields to the next: what it yields depends on no clock either."""
BUDGET = 14_780
"""Policies that a search looks at by default: 20 maximal chains of 739, as in Xia et al. 2013, section 4.2.1."""
WORK = 10 * A_SECOND
"""What a search that counts no policies may do by default (:class:`anonlib.basics.budget.Budget`)."""


def checked_budget(work: float | None, seconds: float | None) -> Budget:
    """What a search may spend: work, without end where it is None, and seconds, without a clock where they are None.

    Raises InputError for numbers that are not above 0.
    """
    if work is not None and checks.number(work, "The work of a search") <= 0:
        raise InputError("The work of a search must be more than 0.", code="number-out-of-range")
    if seconds == np.inf:
        seconds = None
    if seconds is not None and checks.number(seconds, "The time") <= 0:
        raise InputError("The time must be more than 0 seconds.", code="time-limit-too-short")
    return Budget(work, seconds)


class Marks:
    """Work at which a search yields what it has, every so much of it."""

    def __init__(self) -> None:
        self._next = BETWEEN

    def passed(self, work: float) -> bool:
        """Whether the work done has come by one since it was asked last."""
        if work < self._next:
            return False
        self._next = work + BETWEEN
        return True


class Pace:
    """An archive with top and bottom in it, and how long the search goes on.

    ``policies`` that may be looked at, the two not counted; without end where it is None. Raises InputError where that
    is no whole number above 0.
    """

    def __init__(self, plane: Plane, method: str, policies: int | None, budget: Budget) -> None:
        self._policies = np.inf if policies is None else checks.whole(policies, "The number of policies", 1)
        self._marks = Marks()
        self.archive = Archive(plane, method, budget)
        self.archive.given = min(2, plane.space.n_policies)
        sums = np.array(plane.ends)
        self.archive.add(np.array([plane.space.bottom, plane.space.top]), *plane.finish(sums[:, 0], sums[:, 1]))

    @property
    def left(self) -> int | float:
        """Policies that may still be looked at; 0 when all else is spent, or where top and bottom are all there is."""
        left = self._policies - self.archive.evaluations
        if left <= 0 or not self.archive.plane.space.n_bits:
            return 0
        try:
            self.archive.spending.raise_if_over()
        except Over:
            return 0
        return left

    def due(self, work: float) -> bool:
        """So much was done since: spend it, and say whether it is time to yield what there is."""
        self.archive.spending.spend(work)
        return self._marks.passed(self.archive.spending.work)
