"""What the searches share: they begin with top and bottom, end with their budget or time, and report meanwhile."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.archive import Archive
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.basics import checks
from anonlib.basics.errors import InputError

BETWEEN = 0.25
"""Seconds from one frontier that a search yields to the next."""
BUDGET = 14_780
"""Policies that a search looks at by default: 20 maximal chains of 739, as in Xia et al. 2013, section 4.2.1."""


class Pace:
    """An archive with top and bottom in it, and how long the search goes on.

    ``budget`` is in policies, the two not counted; ``seconds`` is a limit besides, which may be infinite. Raises
    InputError for numbers that are not above 0.
    """

    def __init__(self, plane: Plane, method: str, budget: int, seconds: float | None) -> None:
        self.budget = checks.whole(budget, "The number of policies", 1)
        if seconds not in (None, np.inf) and checks.number(seconds, "The time") <= 0:
            raise InputError("The time must be more than 0 seconds.", code="time-limit-too-short")
        self._limit = np.inf if seconds is None else float(seconds)
        self.archive = Archive(plane, method)
        self.archive.given = min(2, plane.space.n_policies)
        self._last_yield = 0.0
        sums = np.array(plane.ends)
        self.archive.add(np.array([plane.space.bottom, plane.space.top]), *plane.finish(sums[:, 0], sums[:, 1]))

    @property
    def left(self) -> int:
        """Policies of the budget that are left; 0 when the time is up, or where top and bottom are all there is."""
        if self.archive.seconds >= self._limit or not self.archive.plane.space.n_bits:
            return 0
        return max(0, self.budget - self.archive.evaluations)

    def due(self) -> bool:
        """Whether it is time to yield what there is."""
        now = self.archive.seconds
        if now - self._last_yield < BETWEEN:
            return False
        self._last_yield = now
        return True
