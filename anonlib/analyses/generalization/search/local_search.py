"""Good nodes without a proof.

First greedy answers: from the coarsest node down and from the original up; each then takes back what is not needed.
Then better nodes near one: with one column at another level, with two, and further away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations

import numpy as np

from anonlib.analyses.generalization.search.branch_and_bound import BranchAndBound
from anonlib.analyses.generalization.search.lattice import Node
from anonlib.analyses.generalization.search.node_weights import NodeWeights
from anonlib.analyses.generalization.search.problem import Problem, Solution

# ---- first answers ----

BestAtHand = Callable[[Solution | None], None]
"""Shown what does so far, None before anything does; may raise to stop."""


def top_down(problem: Problem, progress: BestAtHand) -> Solution | None:
    """From the highest levels allowed, one level down at a time where it holds and loses least.

    None where even the highest levels do not do.
    """
    best = problem.settle(problem.highest)
    while best is not None:
        progress(best)
        lower = sorted(with_level(best.node, j, level - 1) for j, level in enumerate(best.node) if level)
        passing = _passing(problem, sorted(lower, key=problem.cost), best, progress)
        if not passing:
            break
        best = min(passing, key=lambda solution: solution.rank)
    return None if best is None else take_back(problem, best, progress)


def _passing(problem: Problem, nodes: list[Node], best: Solution, progress: BestAtHand) -> list[Solution]:
    """The nodes that do; of a large problem the first that does."""
    passing = []
    for node in nodes:
        progress(best)
        solution = problem.settle(node)
        if solution is not None:
            passing.append(solution)
            if problem.is_large:
                break
    return passing


def bottom_up(problem: Problem, progress: BestAtHand) -> Solution | None:
    """From the original, up in the column that removes most violations for what it loses, until it holds."""
    node, excess = problem.bottom, problem.excess(problem.bottom)
    while (solution := problem.settle(node)) is None:
        progress(None)
        raised = []
        for j, level in enumerate(node):
            if level < problem.highest[j]:
                higher = with_level(node, j, level + 1)
                problem.pay(higher)
                left = problem.excess(higher)
                costs = max(problem.cost(higher) - problem.cost(node), 1e-9)
                raised.append(((left - excess) / costs, costs, higher, left))
        if not raised:
            return None
        _, _, node, excess = min(raised)
    return take_back(problem, solution, progress)


def take_back(problem: Problem, best: Solution, progress: BestAtHand) -> Solution:
    """Lower any one column by any number of levels where it holds and loses less, until no single one can be."""
    while True:
        progress(best)
        lower = (
            (problem.cost(node), node)
            for j, level in enumerate(best.node)
            for node in (with_level(best.node, j, down) for down in range(level))
        )
        for _, node in sorted(lower):
            progress(best)
            solution = problem.settle(node)
            if solution is not None and solution.rank < best.rank:
                best = solution
                break
        else:
            return best


def with_level(node: Node, j: int, level: int) -> Node:
    """A node with another level of column ``j``."""
    return (*node[:j], level, *node[j + 1 :])


# ---- near a solution ----

_LEAST_GAIN = 1e-12
_DRAWN = 4  # columns that are at levels drawn, or free
_DRAWS = 40  # without gain, before a search gives up
_WEIGHED = 16  # nodes from one look to the next


def downhill(counts: NodeWeights, node: Node, on_step: Callable[[Node], None]) -> Node:
    """Again and again the one column at the one level that weighs least, until none weighs less.

    Where too many would have to be left out, first what brings these down. ``on_step`` is shown the
    node that is taken, again and again.
    """
    counts.move(node)
    weight = counts.weigh(node)
    while True:
        least, best = weight, node
        for i, nearby in enumerate(one_column(counts.problem, node)):
            if i % _WEIGHED == 0:
                on_step(node)
            if weight[0] or counts.least_cost(nearby) < least[1]:
                least, best = min((least, best), (counts.weigh(nearby), nearby))
        if least[0] == weight[0] and least[1] > weight[1] - _LEAST_GAIN:
            return node
        node, weight = best, least
        counts.move(node)


def one_column(problem: Problem, node: Node) -> Iterator[Node]:
    """The nodes with one column at another level."""
    for j, highest in enumerate(problem.highest):
        for level in range(highest + 1):
            if level != node[j]:
                yield with_level(node, j, level)


def one_level(problem: Problem, node: Node) -> Iterator[Node]:
    """The nodes with one column a level up and another one a level down."""
    for up, down in permutations(range(len(node)), 2):
        if node[up] < problem.highest[up] and node[down]:
            yield with_level(with_level(node, up, node[up] + 1), down, node[down] - 1)


def two_columns(problem: Problem, node: Node) -> Iterator[Node]:
    """The nodes with one column any number of levels up and another one down."""
    for up, down in permutations(range(len(node)), 2):
        for higher in range(node[up] + 1, problem.highest[up] + 1):
            for lower in range(node[down]):
                yield with_level(with_level(node, up, higher), down, lower)


_WAYS = (one_column, one_level, two_columns)


class Nearby:
    """The best node so far, and the search for better ones about it.

    Attributes
    ----------
    best : Solution
        The best so far, also where ``progress`` raised to stop.
    """

    def __init__(self, problem: Problem, counts: NodeWeights, best: Solution, progress: BestAtHand) -> None:
        self.problem, self.counts, self.best, self.progress = problem, counts, best, progress
        self._way = self._draws = 0

    def go_on_from(self, best: Solution) -> None:
        """Another node is the best so far: what is next to it is looked at first."""
        if best != self.best:
            self.best, self._way, self._draws = best, 0, 0

    def step(self, rng: np.random.Generator) -> bool:
        """Look at all next to the best so far in one way, or further away once; whether there is more to look at."""
        if self._way < len(_WAYS):
            self._way = 0 if self._gains(_WAYS[self._way](self.problem, self.best.node)) else self._way + 1
            return True
        if self._draws >= _DRAWS or sum(level > 0 for level in self.problem.highest) <= _DRAWN:
            return False
        self._draws = 0 if self._draw(rng) else self._draws + 1
        return True

    def exchange(self) -> None:
        """Until no other level of one column gains, nor one column up and another one down."""
        way = 0
        while way < len(_WAYS):
            way = 0 if self._gains(_WAYS[way](self.problem, self.best.node)) else way + 1

    def _gains(self, nodes: Iterable[Node]) -> bool:
        """Whether one of the nodes is better; the first that is in the order of what they lose at least is taken."""
        self.counts.move(self.best.node)
        promising = []
        for i, node in enumerate(nodes):
            if i % _WEIGHED == 0:
                self.progress(self.best)
            if self._may_gain(self.counts.least_cost(node)):
                too_many, loss = self.counts.weigh(node)
                if not too_many and self._may_gain(loss):
                    promising.append((loss, node))
        for _, node in sorted(promising):
            self.progress(self.best)
            if self._take(node):
                return True
        return False

    def _may_gain(self, loss: float) -> bool:
        return loss < self.best.information_loss - _LEAST_GAIN

    def _take(self, node: Node) -> bool:
        solution = self.problem.settle(node)
        if solution is None or not self._may_gain(solution.information_loss):
            return False
        self.best = solution
        return True

    def further(self, rng: np.random.Generator) -> None:
        """Until nothing further away gains any more, however often it is drawn."""
        draws = 0
        while draws < _DRAWS and sum(level > 0 for level in self.problem.highest) > _DRAWN:
            draws = 0 if self._draw(rng) else draws + 1

    def _draw(self, rng: np.random.Generator) -> bool:
        """Some columns drawn and changed, and all about it looked at; whether it gains.

        Where a node is soon weighed their levels are drawn, and it goes downhill from there. Else they are free and
        the others as in the best: branch and bound over these.
        """
        several = [j for j, level in enumerate(self.problem.highest) if level]
        drawn = rng.choice(several, _DRAWN, replace=False).tolist()
        return self._from_levels_drawn(drawn, rng) if self.counts.is_exact else self._with_free(set(drawn))

    def _from_levels_drawn(self, columns: list[int], rng: np.random.Generator) -> bool:
        node = self.best.node
        for j in columns:
            node = with_level(node, j, int(rng.integers(self.problem.highest[j] + 1)))
        node = downhill(self.counts, node, lambda _: self.progress(self.best))
        too_many, loss = self.counts.weigh(node)
        if too_many or not self._may_gain(loss) or not self._take(node):
            return False
        self.exchange()
        return True

    def _with_free(self, columns: set[int]) -> bool:
        allowed = [
            range(highest + 1) if j in columns else range(level, level + 1)
            for j, (highest, level) in enumerate(zip(self.problem.highest, self.best.node, strict=True))
        ]
        search, before = BranchAndBound(self.problem, self.best, allowed), self.best
        try:
            search.run(lambda _, solution=None: self.progress(solution))
        finally:
            assert search.best is not None
            self.best = min(self.best, search.best, key=lambda solution: solution.rank)
        return self.best.rank < before.rank
