"""Every node that could still be better, column by column: ends with a proof that none is (branch and bound)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import prod

import numpy as np

from anonlib.analyses.generalization.search.lattice import DecidedRows, Node, loss_of_classes
from anonlib.analyses.generalization.search.problem import Problem, RecordModel, Solution
from anonlib.basics.progress import Progress
from anonlib.counting.privacy_models import AttributeDisclosure, AverageRiskLimit, KAnonymity, PrivacyModel, least_to_go
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.counting.privacy_models.record_suppression import too_many_classes

_EQUAL = 1e-12  # losses that differ by less are equal: sums of floats in another order
_MOST_LOOKS = 200_000_000  # at a row for a pair of levels, about a second
_A_BRANCH = 6  # sets of columns that take as long as all else at a branch
_MERGED_FROM, _MERGED_ABOVE = 4096, 4  # rows and open columns from which on it pays to make equal rows one


@dataclass(frozen=True, eq=False)
class _Branch:
    """Some columns decided: what they cost, and who must be left out in any case.

    Attributes
    ----------
    cost : float
        What these levels lose over all records, in cells; 0 where the objective does not add up.
    part : DecidedRows
        The rows that are looked at.
    must : np.ndarray
        bool per row of it: violates what is for everybody.
    lenient : tuple[np.ndarray, ...]
        Per guarantee that allows a share, bool per row: violates it.
    worth : np.ndarray
        Per row, what one record's cells are worth in the columns decided.
    free : tuple[Sequence[int], ...]
        Per column, in the order they are decided, its levels that clash with none decided, cheapest first.
    """

    cost: float
    part: DecidedRows
    must: np.ndarray
    lenient: tuple[np.ndarray, ...]
    worth: np.ndarray
    free: tuple[Sequence[int], ...]

    def merged(self) -> _Branch:
        """The branch with equal rows as one: who violates and what is worth depends on labels alone."""
        part, first = self.part.merged()
        lenient = tuple(mask[first] for mask in self.lenient)
        return replace(self, part=part, must=self.must[first], lenient=lenient, worth=self.worth[first])


class BranchAndBound:
    """The search for a node better than one at hand, or for any: by :attr:`Solution.rank`, ties and all.

    Columns with one level allowed are decided first, then those of most values. Who violates by the columns decided
    goes on doing so whatever the others become (for what :meth:`Problem.lasts`), and has to be left out with all their
    cells: that, and the lowest levels of the other columns, bound the loss from below. Rows that the columns decided
    make equal are counted as one.
    """

    def __init__(self, problem: Problem, best: Solution | None, allowed: Sequence[range] | None = None) -> None:
        self.problem, self.best = problem, best
        allowed = [range(level + 1) for level in problem.highest] if allowed is None else allowed
        places = range(len(problem.columns))
        self.order = sorted(places, key=lambda j: (len(allowed[j]) > 1, -problem.levels[problem.columns[j]].n_values))
        self.allowed = [sorted(allowed[j], key=problem.level_costs[j].__getitem__) for j in self.order]
        self.names = [problem.columns[j] for j in self.order]
        self.costs = [problem.level_costs[j] for j in self.order]
        lasting: list[RecordModel] = [
            guarantee
            for guarantee in problem.guarantees
            if not isinstance(guarantee, AverageRiskLimit) and problem.lasts(guarantee)
        ]
        self.strict = [guarantee for guarantee in lasting if guarantee.share == 0]
        self.shares = [guarantee for guarantee in lasting if guarantee.share > 0]
        self.averages = [
            guarantee
            for guarantee in problem.guarantees
            if isinstance(guarantee, AverageRiskLimit) and problem.lasts_on_average
        ]
        self._sets = {id(guarantee): self._sets_by_depth(guarantee) for guarantee in lasting}
        self._clashing: dict[tuple[int, int, int, int], bool] = {}
        self._paired = [guarantee for guarantee in lasting if _most_known(guarantee) >= 2]

    def run(self, progress: Progress) -> Solution | None:
        """The best node of all, once none better is left; None where none does. ``progress`` may raise to stop."""
        for share in self.steps():
            progress(share, self.best)
        return self.best

    def steps(self) -> Iterator[float]:
        """The search step by step: the share of the nodes that is decided, before each level that is looked at.

        Between two steps ``best`` may be replaced by a better one.
        """
        if not all(self.free):
            return
        whole = [guarantee for guarantee in (*self.strict, *self.shares, *self.averages) if _is_of_all(guarantee)]
        part = self.problem.whole_part(
            [guarantee.columns for guarantee in whole], dict(zip(self.names, map(min, self.free), strict=True))
        )
        nobody = np.zeros(len(part.counts), dtype=bool)
        branch = _Branch(0.0, part, nobody, tuple(nobody for _ in self.shares), np.zeros(len(nobody)), self.free)
        root = self._refined(branch, 0)
        if not self._is_beaten(root, 0):
            yield from self._visit(root, 0, 0.0, 1.0)

    @cached_property
    def free(self) -> tuple[Sequence[int], ...]:
        """Per column, in the order they are decided, the levels that may do.

        Where nobody may be left out two columns rule out much: then those that clash with all of another's are gone,
        if all pairs are soon looked at.
        """
        n_levels = [len(levels) for levels in self.allowed]
        n_pairs = (sum(n_levels) ** 2 - sum(n**2 for n in n_levels)) // 2
        looks = n_pairs * len(self.problem.counts)
        if self.problem.suppression_limit > 0 or self.problem.is_large or looks > _MOST_LOOKS:
            return tuple(self.allowed)
        free: list[list[int]] = self.allowed
        before: list[list[int]] = []
        while free != before:
            before = free
            free = [
                [
                    level
                    for level in levels
                    if all(self._meets(i, level, j, free[j]) for j in range(len(free)) if j != i)
                ]
                for i, levels in enumerate(before)
            ]
        return tuple(free)

    @property
    def n_open(self) -> int:
        """How many nodes are not ruled out before any is looked at."""
        return prod(map(len, self.free))

    def _meets(self, i: int, level: int, j: int, others: Sequence[int]) -> bool:
        """Whether a level of one column clashes not with all of another's."""
        return any(not self._clash(*((i, level, j, other) if i < j else (j, other, i, level))) for other in others)

    # ---- the tree ----

    def _visit(self, branch: _Branch, depth: int, done: float, share: float) -> Iterator[float]:
        if depth == len(self.names):
            solution = self.problem.settle(self._lowest(branch))
            if solution is not None and (self.best is None or solution.rank < self.best.rank):
                self.best = solution
            return
        if self._gains_by_merging(branch.part, depth):
            branch = branch.merged()
        share /= max(1, len(branch.free[depth]))
        for i, level in enumerate(branch.free[depth]):
            yield done + share * i
            cost = branch.cost + float(self.costs[depth][level])
            if self.problem.adds_up and self._loses_more(self.problem.share(cost)):
                return
            free = self._free(branch, depth, level)
            if free is None or (
                self.problem.adds_up and self._loses_more(self.problem.share(cost + self._rest(free, depth + 1)))
            ):
                continue
            child = self._child(replace(branch, cost=cost, free=free), depth, level)
            if not self._is_beaten(child, depth + 1):
                yield from self._visit(child, depth + 1, done + share * i, share)

    def _child(self, branch: _Branch, depth: int, level: int) -> _Branch:
        """The branch with one column more decided; rows that it makes equal are one where a search gains by it."""
        n_sets = sum(len(by_depth[depth + 1]) for by_depth in self._sets.values())
        self.problem.spending.spend(len(branch.part.counts) * (_A_BRANCH + n_sets))
        part, worth = branch.part.with_level(self.names[depth], level), branch.worth
        if self.problem.adds_up:
            worth = worth + self.problem.worth(part, self.order[depth], level)
        child = self._refined(replace(branch, worth=worth, part=part), depth + 1)
        is_raised = part.codes is not branch.part.codes
        return child.merged() if is_raised and not self.problem.adds_up else child

    def _gains_by_merging(self, part: DecidedRows, depth: int) -> bool:
        is_large = len(part.counts) >= _MERGED_FROM and len(self.names) - depth > _MERGED_ABOVE
        return self.problem.adds_up and part.can_be_merged and is_large

    def _lowest(self, branch: _Branch) -> Node:
        """The lowest node that a branch leaves open."""
        lowest = {name: min(levels) for name, levels in zip(self.names, branch.free, strict=True)}
        return tuple(lowest[name] for name in self.problem.columns)

    # ---- what is no better than the best so far ----

    def _loses_more(self, loss: float) -> bool:
        return self.best is not None and loss > self.best.information_loss + _EQUAL

    def _is_beaten(self, branch: _Branch, depth: int) -> bool:
        """Whether no node below can be better: too many would have to go, or too much would be lost."""
        problem = self.problem
        must = int(branch.part.counts.compress(branch.must).sum())
        least = must
        for guarantee, mask in zip(self.shares, branch.lenient, strict=True):
            violating = int(branch.part.counts.compress(mask).sum())
            least = max(least, least_to_go(violating, problem.n_records, guarantee.share))
        if least > problem.suppression_limit:
            return True
        for average in self.averages:
            least = max(least, too_many_classes(branch.part.groups[average.columns][1], average.limit))
        if least > problem.suppression_limit:
            return True
        if self.best is None:
            return False
        loss = self._least_loss(branch, depth, must, least)
        if abs(loss - self.best.information_loss) > _EQUAL * max(1.0, abs(loss)):
            return loss > self.best.information_loss
        node = self._lowest(branch)
        out = least if branch.part.can_be_merged else 0  # of persons it is rows that have to go
        return (out, 0, sum(node), node) >= self.best.rank[1:]

    def _least_loss(self, branch: _Branch, depth: int, must: int, least: int) -> float:
        """What is lost at least at every node below."""
        problem, part = self.problem, branch.part
        if not problem.adds_up:
            sizes = np.where(branch.must, 0, part.counts)
            if problem.objective != "rows":  # rows are distinct as they are
                sizes = part.sizes(problem.counted_by, sizes)
            return loss_of_classes(problem.objective, sizes, problem.n_records)  # type: ignore[arg-type]
        lost = float((part.counts * branch.worth).compress(branch.must).sum()) + least * problem.fixed_worth
        open_columns = 0.0
        for later in range(depth, len(self.names)):
            cheapest = float(self.costs[later][branch.free[later][0]])
            open_columns += max(cheapest, problem.least_worth[self.order[later]] * must)
        return problem.share(branch.cost + lost + open_columns)

    # ---- who violates by the columns decided ----

    def _sets_by_depth(self, guarantee: RecordModel) -> list[list[tuple[str, ...]]]:
        """By how many columns are decided, the sets that are decided with the last of them.

        Of a guarantee against all columns, those decided so far: who violates by some violates by all.
        """
        depth_of = {name: depth for depth, name in enumerate(self.names, start=1)}
        by_depth: list[list[tuple[str, ...]]] = [[] for _ in range(len(self.names) + 1)]
        least = depth_of.get(sensitive_of(guarantee) or "", 0)
        if _is_of_all(guarantee):
            for depth in range(least, len(by_depth)):
                decided = tuple(name for name in guarantee.columns if depth_of.get(name, 0) <= depth)
                added = any(depth_of.get(name, 0) == depth for name in decided)
                if decided and (added or depth == least):
                    by_depth[depth].append(decided)
            if not guarantee.columns:
                by_depth[least].append(())
            return by_depth
        for columns in combinations(guarantee.columns, _most_known(guarantee)):
            by_depth[max([least, *(depth_of.get(name, 0) for name in columns)])].append(columns)
        return by_depth

    def _refined(self, branch: _Branch, depth: int) -> _Branch:
        """The branch with who violates by the sets that are decided with its last column."""
        must = self._or(self.strict, branch.must, branch, depth)
        lenient = tuple(
            self._or([guarantee], mask, branch, depth)
            for guarantee, mask in zip(self.shares, branch.lenient, strict=True)
        )
        return replace(branch, must=must, lenient=lenient)

    def _or(self, guarantees: Sequence[RecordModel], mask: np.ndarray, branch: _Branch, depth: int) -> np.ndarray:
        for guarantee in guarantees:
            for columns in self._sets[id(guarantee)][depth]:
                if _is_of_all(guarantee) and branch.part.can_be_merged:
                    on_labels = self.problem.on_labels(guarantee, branch.part.levels)
                    new = None if on_labels is None else branch.part.violating(on_labels, guarantee.columns)
                else:
                    new = self.problem.mask(guarantee, columns, branch.part.levels)[branch.part.first]
                mask = mask if new is None else mask | new
        return mask

    # ---- what two levels already rule out ----

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
                if least_to_go(violate, problem.n_records, guarantee.share) > problem.suppression_limit:
                    self._clashing[key] = True
                    break
        return self._clashing[key]

    def _free(self, branch: _Branch, depth: int, level: int) -> tuple[Sequence[int], ...] | None:
        """The levels of each column that clash with none decided, this one too; None where one has none left."""
        free = list(branch.free)
        free[depth] = [level]
        for later in range(depth + 1, len(free)):
            free[later] = [other for other in free[later] if not self._clash(depth, level, later, other)]
            if not free[later]:
                return None
        return tuple(free)

    def _rest(self, free: Sequence[Sequence[int]], depth: int) -> float:
        """What the open columns cost at their cheapest levels."""
        return sum(float(self.costs[later][free[later][0]]) for later in range(depth, len(free)))


def _most_known(guarantee: PrivacyModel) -> int:
    return guarantee.most_known if isinstance(guarantee, KAnonymity | AttributeDisclosure) else len(guarantee.columns)


def _is_of_all(guarantee: PrivacyModel) -> bool:
    """Whether it is against somebody who knows all of its columns."""
    return _most_known(guarantee) == len(guarantee.columns)
