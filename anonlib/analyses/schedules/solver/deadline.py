"""The work that a search for a schedule may do, and the clock that may end it early."""

from __future__ import annotations

from anonlib.basics.budget import A_SECOND, Budget, Over
from anonlib.basics.progress import Progress

A_LOOK = A_SECOND / 1_000
"""Work that is taken for granted between two looks at what is left, where nobody says how much it was."""


class Deadline:
    """A budget of bounded work as it is spent by a search and its parts, and where the share that is spent is reported.

    Attributes
    ----------
    work : float
        What there is in all, as in a budget.
    """

    def __init__(self, budget: Budget, progress: Progress | None = None) -> None:
        assert budget.work is not None  # a search without end would be one
        self.work = budget.work
        self._spending = budget.begun()
        self._begun, self._end = 0.0, budget.work
        self._progress = progress
        self._furthest = [0.0]  # the largest share that was reported, by the search or any part of it

    @property
    def spent(self) -> float:
        """Work since it began."""
        return self._spending.work - self._begun

    @property
    def left(self) -> float:
        """Work; none where the clock has ended the search before."""
        left = max(0.0, self._end - self._spending.work)
        if left:
            try:
                self._spending.raise_if_late()
            except Over:
                return 0.0
        return left

    @property
    def seconds(self) -> float:
        """Since the search began, to be shown."""
        return self._spending.seconds

    @property
    def seconds_left(self) -> float | None:
        """Of the clock that ends the search early; None without one."""
        return self._spending.seconds_left

    @property
    def ended_early(self) -> bool:
        """Whether a clock ended the search before its work was done."""
        return self._spending.ended_early

    def spend(self, work: float) -> None:
        """So much is done."""
        self._spending.spend(work)

    def report(self, under_way: float = 0.0) -> None:
        """Say what share is spent, about as much being under way; what that raises stops the search."""
        if self._progress is None:
            return
        whole = self._spending.budget.work
        share = (self._spending.work + under_way) / whole if whole else 1.0
        self._furthest[0] = min(1.0, max(self._furthest[0], share, self._spending.share))
        self._progress(self._furthest[0])

    def may_go_on(self, work: float = A_LOOK) -> bool:
        """So much is done: spend and report it, and say whether there is work left."""
        self.spend(work)
        self.report()
        return self.left > 0

    def part(self, work: float) -> Deadline:
        """For a part of the search, of at most so much work; it is spent of the whole, and reported as the whole is."""
        part = Deadline(Budget(max(0.0, min(work, self.left))))
        part._spending, part._progress, part._furthest = self._spending, self._progress, self._furthest
        part._begun = self._spending.work
        part._end = part._begun + part.work
        return part
