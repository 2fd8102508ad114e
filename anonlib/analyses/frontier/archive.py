"""What a search has found so far: the non-dominated policies, and some of the points it came by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.result import Frontier, non_dominated, stair_area
from anonlib.basics.budget import UNLIMITED, Budget, Spending, Stopwatch

_MOST_VISITED = 6_000  # points kept for the picture
_MOST_HISTORY = 600  # areas that are remembered
_CHECKPOINT, _FIRST = 100, 5_000  # policies: so often an area is noted at first, as in Xia et al. 2013, and up to here


class Archive:
    """Non-dominated policies, in the order of risk; grows as a search goes on.

    Attributes
    ----------
    policies : uint8, policies x bytes, each policy's bits packed by ``np.packbits``.
    risk, loss : float64, sorted: risk ascends, loss descends; rounded as ``plane.finish`` does.
    evaluations : policies looked at, to be counted by the search.
    given : policies looked at before the search began.
    """

    def __init__(self, plane: Plane, method: str, budget: Budget = UNLIMITED) -> None:
        self.plane, self.method = plane, method
        self._budget = budget
        self.policies = np.zeros((0, (plane.space.n_bits + 7) // 8), dtype=np.uint8)
        self.risk = np.zeros(0)
        self.loss = np.zeros(0)
        self.evaluations = self.given = 0
        self._spending: Spending | None = None
        self._history: list[tuple[int, float, float]] = []
        self._held: set[bytes] = set()
        self._visited: list[np.ndarray] = []
        self._n_visited, self._every, self._seen = 0, 1, 0

    @property
    def spending(self) -> Spending:
        """What is spent since it was first asked, when the search began, without the time that it stood still."""
        if self._spending is None:
            self._spending = self._budget.begun()
        return self._spending

    def add(self, policies: np.ndarray, risk: np.ndarray, loss: np.ndarray) -> np.ndarray:
        """Take what is not dominated out of a batch of policies (bool, policies x bits) with their risk and loss.

        bool, per policy whether it entered and was not there before.
        """
        self._visit(risk, loss)
        if self._history and self.evaluations - len(risk) < _FIRST:
            self._note_first(risk, loss)
        entered = np.zeros(len(risk), dtype=bool)
        candidates = np.flatnonzero(self._not_dominated(risk, loss))
        if not len(candidates):
            return entered
        packed = np.packbits(policies[candidates], axis=1)
        names: dict[bytes, int] = {}  # each policy once, at its first row of the batch
        for row, name in enumerate(map(bytes, packed)):
            if name not in self._held:
                names.setdefault(name, row)
        fresh = list(names.values())
        if not fresh:
            return entered
        taken = candidates[fresh]
        n = len(self.risk)
        all_risk, all_loss = np.concatenate([self.risk, risk[taken]]), np.concatenate([self.loss, loss[taken]])
        kept, order = non_dominated(all_risk, all_loss)
        picked = order[kept[order]]
        self._held.difference_update(map(bytes, self.policies[~kept[:n]]))
        self._held.update(name for name, enters in zip(names, kept[n:].tolist(), strict=True) if enters)
        self.policies = np.vstack([self.policies, packed[fresh]])[picked]
        self.risk, self.loss = all_risk[picked], all_loss[picked]
        entered[taken] = kept[n:]
        return entered

    def begin(self) -> None:
        """What is there now is where the search begins."""
        self._history = [(self.given, 0.0, self.area())]

    def _note_first(self, risk: np.ndarray, loss: np.ndarray) -> None:
        """Note the area at each checkpoint within a batch, whose policies are counted already and come at once."""
        before = self.given + self.evaluations - len(risk)
        for looked_at in range((before // _CHECKPOINT + 1) * _CHECKPOINT, before + len(risk) + 1, _CHECKPOINT):
            n = looked_at - before
            some = np.concatenate([self.risk, risk[:n]]), np.concatenate([self.loss, loss[:n]])
            kept, order = non_dominated(*some)
            picked = order[kept[order]]
            area = stair_area(some[0][picked], some[1][picked])
            self._history.append((looked_at, self.spending.seconds, area))

    def _not_dominated(self, risk: np.ndarray, loss: np.ndarray) -> np.ndarray:
        """bool, per point whether nothing in the archive strictly dominates it."""
        if not len(self.risk):
            return np.ones(len(risk), dtype=bool)
        # The least loss at a smaller risk, and at no greater risk.
        losses = np.concatenate([[np.inf], self.loss])
        smaller = losses[np.searchsorted(self.risk, risk, side="left")]
        no_greater = losses[np.searchsorted(self.risk, risk, side="right")]
        return (loss < smaller) & (loss <= no_greater)

    def _visit(self, risk: np.ndarray, loss: np.ndarray) -> None:
        """Keep every so-manieth point, and half of them whenever they become many."""
        skip = -self._seen % self._every
        self._seen += len(risk)
        points = np.column_stack([risk, loss])[skip :: self._every]
        self._visited.append(points)
        self._n_visited += len(points)
        if self._n_visited > _MOST_VISITED:
            self._visited = [np.vstack(self._visited)[::2]]
            self._n_visited = len(self._visited[0])
            self._every *= 2

    def area(self) -> float:
        """The area under the stair."""
        return stair_area(self.risk, self.loss)

    def bits(self, positions: np.ndarray | slice = slice(None)) -> np.ndarray:
        """bool, policies x bits."""
        n = self.plane.space.n_bits
        return np.unpackbits(self.policies[positions], axis=1, count=n).astype(bool)

    def show(self, *, finished: bool = False, exact: bool = False) -> Iterator[Frontier]:
        """Yield what is there now; the time until the search is let go on does not count."""
        frontier = self.frontier(finished=finished, exact=exact)
        shown = Stopwatch()
        yield frontier
        self.spending.stood_still(shown.seconds)

    def frontier(self, *, finished: bool = False, exact: bool = False) -> Frontier:
        """What is there now."""
        visited = np.vstack(self._visited) if self._visited else np.zeros((0, 2))
        looked_at, spending = self.given + self.evaluations, self.spending
        self._history.append((looked_at, spending.seconds, self.area()))
        if len(self._history) > _MOST_HISTORY:
            self._history = self._history[-1::-2][::-1]  # the last one stays
        return Frontier(
            self.plane, self.bits(), self.risk.copy(), self.loss.copy(), self.method, visited, tuple(self._history),
            looked_at, spending.seconds, finished, exact, spending.work, spending.ended_early,
        )  # fmt: skip
