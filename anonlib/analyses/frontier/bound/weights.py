"""Which weights of the risk a bound is made of: those whose lines under the frontier leave the least open."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.interval_programs.run import lower_hull
from anonlib.analyses.frontier.result import Frontier

_ENOUGH = 1e-6  # of area: less than that no line is added for
_MOST_TRIED = 400


class Lines:
    """The tangents of a frontier, each with a weight: the next one is the one that adds most area below it."""

    def __init__(self, frontier: Frontier) -> None:
        self._risk, self._loss = frontier.risk, frontier.loss
        corners = lower_hull(frontier.risk, frontier.loss)
        run, fall = np.diff(frontier.risk[corners]), -np.diff(frontier.loss[corners])
        steep = np.unique((fall / run)[fall > 0]) if len(run) else np.zeros(0)
        self._tried = steep[np.unique(np.linspace(0, len(steep) - 1, _MOST_TRIED).astype(int))] if len(steep) else steep
        self._left = float(frontier.risk.min())
        self._grid = np.unique(np.concatenate([frontier.risk[corners], np.linspace(self._left, 1.0, 2_001)]))
        self._under = np.zeros(len(self._grid))
        self.weights: list[float] = []

    def target(self, weight: float) -> float:
        """The least weight x risk + loss of the frontier."""
        return float((weight * self._risk + self._loss).min())

    def add(self) -> float | None:
        """The next weight; None where none is worth it."""
        if not len(self._tried):
            return None
        gains = [self._area(np.maximum(self._under, self._line(w))) for w in self._tried.tolist()]
        best = int(np.argmax(gains))
        if gains[best] <= self._area(self._under) + _ENOUGH:
            return None
        weight = float(self._tried[best])
        self.weights.append(weight)
        self._under = np.maximum(self._under, self._line(weight))
        return weight

    def width(self, weight: float) -> float:
        """How much of the plane's width this weight's line is the highest of all on."""
        return float(np.dot(np.diff(self._grid, append=1.0), self._under <= self._line(weight) + 1e-12))

    def _line(self, weight: float) -> np.ndarray:
        return np.clip(self.target(weight) - weight * self._grid, 0.0, 1.0)

    def _area(self, under: np.ndarray) -> float:
        return float(np.dot(np.diff(self._grid), (under[:-1] + under[1:]) / 2))
