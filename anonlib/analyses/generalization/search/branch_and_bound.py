"""Every state that could still be better, column by column: ends with a proof that none is (branch and bound)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf

import numpy as np

from anonlib.analyses.generalization.search.problem import Problem, Settled
from anonlib.counting.guarantees import Average, Diverse, Guarantee, Shared, Uncertain, least_to_go
from anonlib.counting.guarantees.exposed import violating
from anonlib.counting.guarantees.kinds import sensitive_of
from anonlib.counting.guarantees.leaving_out import too_many_classes

Watch = Callable[[float, Settled | None], None]
"""Called with the share of the states that is decided and the best so far, None before the first; may raise to stop."""


@dataclass(frozen=True, eq=False)
class _Node:
    """Some columns decided: what they cost, and who must be left out in any case.

    Attributes
    ----------
    levels : of the columns decided, by name.
    cost : what these levels lose over all records, in cells.
    must : bool per row: violates what is for everybody.
    lenient : per guarantee that allows a share, bool per row: violates it.
    worth : per row, what one record's cells are worth in the columns decided.
    """

    levels: dict[str, int]
    cost: float
    must: np.ndarray
    lenient: tuple[np.ndarray, ...]
    worth: np.ndarray


class BranchAndBound:
    """The search for a state better than one at hand, or for any.

    Columns with one level allowed are decided first, then those of most values. Who violates by the columns decided
    goes on doing so whatever the others become (for what :attr:`Guarantee.stays`), and has to be left out with all
    their cells: that, and the cheapest levels of the other columns, bound the loss from below.
    """

    def __init__(self, problem: Problem, best: Settled | None, allowed: Sequence[range] | None = None) -> None:
        self.problem, self.best = problem, best
        allowed = [range(level + 1) for level in problem.highest] if allowed is None else allowed
        places = range(len(problem.columns))
        self.order = sorted(places, key=lambda j: (len(allowed[j]) > 1, -problem.levels[problem.columns[j]].n_values))
        self.allowed = [sorted(allowed[j], key=problem.level_costs[j].__getitem__) for j in self.order]
        self.names = [problem.columns[j] for j in self.order]
        self.costs = [problem.level_costs[j] for j in self.order]
        stays = [each for each in problem.guarantees if problem.lasts(each)]
        self.strict = [each for each in stays if each.share == 0]
        self.shares = [each for each in stays if each.share > 0]
        self.averages = [each for each in problem.guarantees if isinstance(each, Average) and problem.lasts_on_average]
        self._sets = {id(each): self._sets_by_depth(each) for each in stays}
        self._clashing: dict[tuple[int, int, int, int], bool] = {}
        self._paired = [e for e in stays if isinstance(e, Shared | Uncertain) and e.most_known >= 2]

    def run(self, watch: Watch) -> Settled | None:
        """The best state of all, once none better is left; None where none does. ``watch`` may raise to stop."""
        nobody = np.zeros(len(self.problem.counts), dtype=bool)
        node = _Node({}, 0.0, nobody, tuple(nobody for _ in self.shares), np.zeros(len(nobody)))
        root = self._refined(node, 0)
        if not self._is_beaten(root, 0):
            self._visit(root, 0, 0.0, 1.0, watch)
        return self.best

    # ---- the tree ----

    def _visit(self, node: _Node, depth: int, done: float, part: float, watch: Watch) -> None:
        if depth == len(self.names):
            found = self.problem.settle(tuple(node.levels[name] for name in self.problem.columns))
            if found is not None and (self.best is None or found.rank < self.best.rank):
                self.best = found
            return
        for i, level in enumerate(self.allowed[depth]):
            done_here = done + part * i / len(self.allowed[depth])
            watch(done_here, self.best)
            cost = node.cost + float(self.costs[depth][level])
            if cost >= self._target:
                return
            levels = {**node.levels, self.names[depth]: level}
            if self._clashes_with_decided(depth, level, node.levels):
                continue
            rest = self._cheapest_rest(depth + 1, levels)
            if rest is None or cost + sum(rest) >= self._target:
                continue
            worth = node.worth + self.problem.worth(self.order[depth], level)
            child = self._refined(replace(node, levels=levels, cost=cost, worth=worth), depth + 1)
            if not self._is_beaten(child, depth + 1, rest):
                self._visit(child, depth + 1, done_here, part / len(self.allowed[depth]), watch)

    @property
    def _target(self) -> float:
        """The loss in cells from which a state is no better than the best so far."""
        return inf if self.best is None else (self.best.loss - 1e-12) / self.problem.share(1.0)

    def _is_beaten(self, node: _Node, depth: int, rest: Sequence[float] | None = None) -> bool:
        """Whether no state below can be better: too many would have to go, or too much would be lost."""
        problem = self.problem
        must = problem.records(node.must)
        least = must
        for guarantee, mask in zip(self.shares, node.lenient, strict=True):
            least = max(least, least_to_go(problem.records(mask), problem.n_records, guarantee.share))
        if least > problem.most:
            return True
        for average in self.averages:
            named = [name for name in average.columns if name in node.levels or name not in self.names]
            least = max(least, too_many_classes(problem.groups(named, node.levels)[1], average.limit))
        if least > problem.most:
            return True
        if rest is None:
            rest = self._cheapest_rest(depth, node.levels)
            if rest is None:
                return True
        lost = float((problem.counts * node.worth).compress(node.must).sum()) + least * problem.fixed_worth
        weights = [problem.weights[name] for name in self.names[depth:]]
        open_columns = sum(max(cheapest, weight * must) for cheapest, weight in zip(rest, weights, strict=True))
        return node.cost + lost + open_columns >= self._target

    # ---- who violates by the columns decided ----

    def _sets_by_depth(self, guarantee: Guarantee) -> list[list[tuple[str, ...]]]:
        """By how many columns are decided, the sets that are decided with the last of them.

        Of a guarantee against all columns, those decided so far: who violates by some violates by all.
        """
        depth_of = {name: depth for depth, name in enumerate(self.names, start=1)}
        by_depth: list[list[tuple[str, ...]]] = [[] for _ in range(len(self.names) + 1)]
        least = depth_of.get(sensitive_of(guarantee) or "", 0)
        if not isinstance(guarantee, Shared | Uncertain) or guarantee.most_known == len(guarantee.columns):
            for depth in range(least, len(by_depth)):
                decided = tuple(name for name in guarantee.columns if depth_of.get(name, 0) <= depth)
                added = any(depth_of.get(name, 0) == depth for name in decided)
                if decided and (added or depth == least):
                    by_depth[depth].append(decided)
            if not guarantee.columns:
                by_depth[least].append(())
            return by_depth
        for columns in combinations(guarantee.columns, guarantee.most_known):
            by_depth[max([least, *(depth_of.get(name, 0) for name in columns)])].append(columns)
        return by_depth

    def _refined(self, node: _Node, depth: int) -> _Node:
        """The node with who violates by the sets that are decided with its last column."""
        must = self._or(self.strict, node.must, node.levels, depth)
        lenient = tuple(
            self._or([guarantee], mask, node.levels, depth)
            for guarantee, mask in zip(self.shares, node.lenient, strict=True)
        )
        return replace(node, must=must, lenient=lenient)

    def _or(self, guarantees: Sequence[Guarantee], mask: np.ndarray, levels: dict[str, int], depth: int) -> np.ndarray:
        found = mask
        for guarantee in guarantees:
            for columns in self._sets[id(guarantee)][depth]:
                if isinstance(guarantee, Shared | Uncertain):
                    new = self.problem.mask(guarantee, columns, levels)
                elif isinstance(guarantee, Diverse):
                    if self.problem.on_labels(guarantee, levels) is None:
                        continue
                    coded = self.problem.coded_at(levels, [*columns, guarantee.sensitive])
                    new = violating(coded, replace(guarantee, columns=columns))
                else:
                    continue
                found = found | new
        return found

    # ---- what two levels already rule out ----

    def _clashes_with_decided(self, depth: int, level: int, levels: dict[str, int]) -> bool:
        return any(self._clash(i, levels[self.names[i]], depth, level) for i in range(len(levels)))

    def _clash(self, i: int, level_i: int, j: int, level_j: int) -> bool:
        """Whether too many violate by two columns at these levels, whatever the others are."""
        key = (i, level_i, j, level_j)
        if key not in self._clashing:
            problem, pair = self.problem, (self.names[i], self.names[j])
            levels = {pair[0]: level_i, pair[1]: level_j}
            self._clashing[key] = False
            for guarantee in self._paired:
                columns = tuple(name for name in guarantee.columns if name in pair)
                if len(columns) < 2 or sensitive_of(guarantee) in self.names:
                    continue
                violate = problem.records(problem.mask(guarantee, columns, levels))
                if least_to_go(violate, problem.n_records, guarantee.share) > problem.most:
                    self._clashing[key] = True
                    break
        return self._clashing[key]

    def _cheapest_rest(self, depth: int, levels: dict[str, int]) -> list[float] | None:
        """Of each open column the cost of its cheapest level that clashes with none decided; None: it has none."""
        rest = []
        for later in range(depth, len(self.names)):
            free = (level for level in self.allowed[later] if not self._clashes_with_decided(later, level, levels))
            if (cheapest := next(free, None)) is None:
                return None
            rest.append(float(self.costs[later][cheapest]))
        return rest
