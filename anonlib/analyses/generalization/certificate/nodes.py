"""The nodes that lose less than a release of whole columns and that the known columns allow: refused by a value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.generalization.certificate.swap import (
    ALWAYS,
    MOST_WORK,
    RefusedState,
    ReleasedPersons,
    SetsOfOneValue,
    States,
    TooMuchWork,
    ValueModel,
    Witnesses,
    by_knowledge,
    certain_by_itself,
    is_of_all,
    is_of_one_value,
    sets_of,
)
from anonlib.analyses.generalization.search.lattice import Node
from anonlib.analyses.generalization.search.problem import Problem, Solution
from anonlib.counting.classes.coding import tally
from anonlib.counting.privacy_models import (
    VALUES,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    least_to_go,
    left_after,
)
from anonlib.counting.privacy_models.coded import Groups
from anonlib.counting.privacy_models.models import is_finer_stricter, sensitive_of
from anonlib.counting.privacy_models.record_suppression import too_many_classes
from anonlib.counting.privacy_models.violations import violating_in

_MOST_SETS = 500
_A_COUNT = 30_000  # rows that take as long as a set of columns does of a small table


@dataclass(frozen=True)
class Released:
    """The release beside which nodes are looked at.

    Attributes
    ----------
    loss : float
        The share of the cells' detail that it loses, as :attr:`Solution.information_loss`.
    left_out : int
        Records (persons) that it leaves out.
    node : Node, optional
        The node that it is at; None where its labels are on no levels of the hierarchies.
    for_values : bool, default False
        Whether records may be left out for their values, so that a state was refused only where too many had to go.
    """

    loss: float
    left_out: int
    node: Node | None = None
    for_values: bool = False

    def loses_more_than(self, solution: Solution) -> bool:
        """Whether a search would have taken a node rather than this release."""
        if self.node is None:
            return (solution.information_loss, solution.left_out) < (self.loss, self.left_out)
        return solution.rank < Solution(self.node, self.loss, self.left_out).rank


def states_of_nodes(
    problem: Problem, persons: ReleasedPersons, release: Released, most_work: float = MOST_WORK
) -> States:
    """The nodes that lose less than a release and that the known columns allow: refused by a value.

    They are walked from coarse to fine, column by column. Nothing finer is looked at where the sizes of classes leave
    out more than may be, nor where so many disjoint sets violate that no swap ends that whatever records are left out
    for their sizes.

    Parameters
    ----------
    problem : Problem
        What was searched, of persons of one row each, whose rows are those of ``persons``,
        with its weights and the most that may be left out.
    persons : ReleasedPersons
        Those of the file with what is released of them.
    release : Released
        What the release loses.
    most_work : float, default MOST_WORK
        Rows times sets of columns that may be looked at.

    Returns
    -------
    States

    Raises
    ------
    TooMuchWork
        Where it takes more.
    """
    return _Nodes(problem, persons, release, most_work).states()


class _Nodes:
    """The nodes below a release, walked once."""

    def __init__(self, problem: Problem, persons: ReleasedPersons, release: Released, most_work: float) -> None:
        self.problem, self.persons, self.release, self.most_work = problem, persons, release, most_work
        self.limit = max(0, problem.suppression_limit, release.left_out)
        sizes, self.values = by_knowledge(problem.guarantees, persons.known)
        self.sizes = list[KAnonymity | AverageRiskLimit]()
        for g in sorted(sizes, key=is_of_all, reverse=True):  # of two that imply each other the first stays
            self.sizes = [g, *self.sizes] if not any(_is_implied(g, other) for other in self.sizes) else self.sizes
        self.sizes = [g for g in self.sizes if not any(_is_implied(g, o) for o in self.sizes if o is not g)]
        self.work = 0.0
        self.strict = [g for g in self.values if g.share == 0]
        self.lenient = [g for g in self.values if g.share > 0]
        self.of_values = {sensitive_of(g) for g in self.values}
        dropped = {
            name for j, name in enumerate(problem.columns) if len(problem.levels[name].labels[problem.highest[j]]) == 1
        }
        self.shrinking_sizes = [g for g in self.sizes if isinstance(g, KAnonymity) and g.share == 0 and is_of_all(g)]
        self.lasting_values = [
            g
            for g in self.strict
            if is_of_all(g)
            and set(g.columns) <= persons.known
            and (g.stays or self.limit == 0)
            and sensitive_of(g) not in dropped
            and (g.stays or sensitive_of(g) not in problem.columns)
        ]  # fmt: skip
        # Few columns that settle by themselves, at some levels, that nothing finer has to be looked at.
        known = persons.known
        self.by_few = [
            (g, columns)
            for g in (*self.values, *self.sizes)
            if g.stays and isinstance(g, KAnonymity | AttributeDisclosure) and not is_of_all(g)
            and g.n_sets <= _MOST_SETS and sensitive_of(g) not in dropped
            for columns in g.sets()
            if not set(columns) - known or isinstance(g, KAnonymity)
        ]  # fmt: skip
        self.hopeless: dict[tuple[ValueModel, tuple[str, ...], tuple[int, ...]], bool] = {}
        self.refused, self.n_refused, self.n_silent = list[RefusedState](), 0, 0

    def spend(self, sets: float) -> None:
        self.work += (_A_COUNT + len(self.problem.counts)) * sets
        if self.work > self.most_work:
            raise TooMuchWork

    # ---- the walk ----

    def states(self) -> States:
        problem = self.problem
        self.order = sorted(
            range(len(problem.columns)),
            key=lambda j: (problem.columns[j] in self.of_values, -problem.highest[j]),
        )
        self.order = [j for j in self.order if problem.highest[j]]
        asked = {tuple(sorted(g.columns)) for g in (*self.shrinking_sizes, *self.lasting_values)}
        top = dict(zip(problem.columns, problem.highest, strict=True))
        groups = {names: problem.groups(names, top) for names in asked}
        cheapest = [float(costs[0]) for costs in problem.level_costs]
        self.walk(0, list(problem.highest), groups, sum(cheapest), cheapest, self.is_over(groups))
        return States(tuple(self.refused), self.n_refused, self.n_silent)

    def walk(
        self,
        depth: int,
        node: list[int],
        groups: Mapping[tuple[str, ...], Groups],
        least: float,
        cheapest: Sequence[float],
        is_over: bool,
    ) -> None:
        """Nodes with the columns decided so far at these levels; ``least`` is what they lose at least."""
        if is_over:
            return
        if depth == len(self.order):
            self.look(tuple(node))
            return
        problem, j = self.problem, self.order[depth]
        name, top = problem.columns[j], problem.highest[j]
        for level in range(top, -1, -1):
            lost = least - cheapest[j] + float(problem.level_costs[j][level])
            if problem.share(lost) > self.release.loss:
                continue
            node[j] = level
            finer = groups if level == top else self.refined(groups, name, level)
            if level < top and (self.is_over(finer) or self.is_over_by_few(name, node)):
                break
            self.walk(depth + 1, node, finer, lost, cheapest, False)
        node[j] = top

    def refined(self, groups: Mapping[tuple[str, ...], Groups], name: str, level: int) -> dict[tuple[str, ...], Groups]:
        problem, finer = self.problem, dict[tuple[str, ...], Groups]()
        for names, (ids, sizes) in groups.items():
            if name not in names:
                finer[names] = ids, sizes
                continue
            self.spend(1)
            codes, span = problem.rows.codes_at(name, level), len(problem.levels[name].labels[level])
            finer[names] = tally([ids, codes], [len(sizes), span], problem.counts)
        return finer

    def is_over(self, groups: Mapping[tuple[str, ...], Groups]) -> bool:
        """Whether no node at these levels or finer ones has to be looked at."""
        for g in self.shrinking_sizes:
            _, sizes = groups[tuple(sorted(g.columns))]
            if int(sizes[sizes < g.least].sum()) > self.limit:
                return True
        return any(self.is_hopeless(g, groups[tuple(sorted(g.columns))]) for g in self.lasting_values)

    def is_hopeless(self, guarantee: ValueModel, groups: Groups) -> bool:
        """Whether so many sets violate it that no swap ends that, here and below, whatever sizes leave out.

        It is so of coarser values too, which are decided last: they are more alike.
        """
        self.spend(1)
        sensitive, ids = sensitive_of(guarantee), groups[0]
        assert sensitive is not None
        coded = self.problem.rows.coded([sensitive], {})
        violates = violating_in(coded, guarantee, groups)
        of_set = np.bincount(ids[violates], weights=self.problem.counts[violates])
        of_set = np.sort(of_set[of_set > 0])
        return len(of_set) >= 3 and of_set[:-2].sum() > self.limit

    def is_over_by_few(self, name: str, node: Sequence[int]) -> bool:
        """The same by few columns, this one among them, whatever level the others have."""
        problem = self.problem
        levels = dict(zip(problem.columns, node, strict=True))
        for g, columns in self.by_few:
            if name not in columns:
                continue
            key = (g, columns, tuple(levels.get(column, 0) for column in columns))
            if key not in self.hopeless:
                self.spend(1)
                at = levels if sensitive_of(g) is None else {**levels, str(sensitive_of(g)): 0}
                mask = problem.mask(g, columns, at)
                may = self.limit + math.floor(g.share * problem.n_records)
                known = [column for column in columns if column in self.persons.known]
                if sensitive_of(g) is None and len(known) == len(columns):
                    is_hopeless = problem.records(mask) > may
                else:
                    ids, _ = problem.rows.coded(known, at).groups(known)
                    of_set = np.sort(np.bincount(ids[mask], weights=problem.counts[mask]))
                    is_hopeless = of_set[:-2].sum() > may
                self.hopeless[key] = bool(is_hopeless)
            if self.hopeless[key]:
                return True
        return False

    # ---- a node ----

    def look(self, node: Node) -> None:
        """Count a node that loses less than the release by its levels alone."""
        problem = self.problem
        levels = dict(zip(problem.columns, node, strict=True))
        if node == self.release.node:
            return
        left = self.left(node, levels)
        if left is None:
            return
        solution = self.solution(node, left)
        if not self.release.loses_more_than(solution):
            return
        n_out = solution.left_out
        witnesses, is_refused = list[Witnesses](), False
        for asked, is_strict in ((self.strict, True), *(([g], False) for g in self.lenient)):
            if not asked:
                continue
            if any(sets.never_end for sets in witnesses):
                break
            slack = self.slack(asked, is_strict, n_out, left)
            if not is_strict and problem.records(problem.violating(asked[0], node)) <= slack:
                self.spend(1)
                continue
            violating = self.violating_sets(asked, levels, left, slack)
            if violating is not None:
                is_refused = True
                witnesses.append(violating)
        if not is_refused:
            self.n_silent += 1
            return
        self.n_refused += 1
        if not any(sets.never_end for sets in witnesses):
            self.refused.append(RefusedState(tuple(witnesses), self.shown(levels, left), node))

    def left(self, node: Node, levels: Mapping[str, int]) -> np.ndarray | None:
        """int64 per row, who is left at a node when all that is asked of sizes holds; None where more than may go."""
        problem, counts = self.problem, self.problem.counts
        gone, holds = np.zeros(len(counts), dtype=bool), True
        for g in self.sizes:
            if isinstance(g, AverageRiskLimit):
                holds &= not too_many_classes(problem.groups(g.columns, levels)[1], g.limit)
                continue
            self.spend(g.n_sets)
            violates = problem.violating(g, node)
            number = least_to_go(problem.records(violates), problem.n_records, g.share)
            holds &= not number
            if g.share == 0:
                gone |= violates
            if number > self.limit:
                return None
        if holds:
            return counts
        if problem.records(gone) > self.limit:
            return None
        if len(self.sizes) == 1 and len(self.shrinking_sizes) == 1:
            return np.where(gone, 0, counts)
        self.spend(4 * sum(g.n_sets if isinstance(g, KAnonymity) else 1 for g in self.sizes))
        rows, _, weighed, place = problem.rolled_up(node)
        after = left_after(rows, self.sizes, weighed, most=self.limit, divisible=problem.divisible)
        if after is None:
            return None
        # Rows that are alike by known columns go alike, whichever of them are counted here.
        share_left = np.where(rows.counts > 0, after / np.maximum(1, rows.counts), 1.0)
        return np.where(share_left[place] >= 1, counts, np.floor(counts * share_left[place]).astype(np.int64))

    def solution(self, node: Node, left: np.ndarray) -> Solution:
        """A node with what it loses when these are left."""
        problem, gone = self.problem, self.problem.counts - left
        n_gone = int(gone.sum())
        cost = problem.cost(node)
        if n_gone:
            rows = np.flatnonzero(gone)
            cost += n_gone * problem.fixed_worth
            for j, level in enumerate(node):
                worth = problem._worth(j, level)[problem.rows.codes_at(problem.columns[j], level)[rows]]
                cost += float((gone[rows] * worth).sum())
        return Solution(node, problem.share(cost), n_gone)

    def slack(self, asked: Sequence[ValueModel], is_strict: bool, n_out: int, left: np.ndarray) -> int:
        """So many may violate with the node still taken."""
        may_go = max(0, self.limit - n_out) if self.release.for_values else 0
        if is_strict:
            return may_go
        n_left = int(left.sum())
        return math.floor(may_go + asked[0].share * (n_left - may_go) + 1e-9)

    def violating_sets(
        self, asked: Sequence[ValueModel], levels: Mapping[str, int], left: np.ndarray, slack: int
    ) -> Witnesses | None:
        """The sets of those left who violate some of this; None where no more than may do."""
        problem, n_rows = self.problem, len(left)
        families, weights = list[np.ndarray](), list[np.ndarray]()
        violating, lasting, touched = np.zeros(n_rows, bool), np.zeros(n_rows, bool), np.zeros(n_rows, np.int64)
        for g in asked:
            for columns in sets_of(g):
                self.spend(1)
                mask = self.mask(g, columns, levels, left)
                if not mask.any():
                    continue
                violating |= mask
                known = [name for name in columns if name in self.persons.known]
                if sensitive_of(g) is None and len(known) == len(columns):
                    lasting |= mask  # of known columns alone, which no swap changes
                    continue
                ids, _ = _read(problem.rows.coded(known, levels), g, known).groups(known)
                weight = np.bincount(ids[mask], weights=left[mask], minlength=int(ids.max(initial=-1)) + 1)
                if slack == 0:
                    weight = np.minimum(weight, 1)
                weight = weight.astype(np.int64)
                inside = (weight[ids] > 0) & (left > 0)  # who is left out at the node is in none of its sets
                touched += np.where(inside, weight[ids], 0)
                families.append(np.where(inside, ids, -1))
                weights.append(weight)
        total = int(left[violating].sum())
        if total <= slack:
            return None
        if slack == 0:
            total = sum(int(weight.sum()) for weight in weights) + int(lasting.any())
        if left is not problem.counts and any(isinstance(g, TCloseness) for g in asked):
            # What all who are left have stays as it is where both are left, or neither.
            families.append(np.where(left > 0, 0, 1))
            weights.append(np.full(2, ALWAYS))
            touched = touched + ALWAYS
        return Witnesses(np.full(n_rows, total - slack - 1, dtype=np.int64), touched, tuple(families), tuple(weights))

    def mask(
        self, guarantee: ValueModel, columns: tuple[str, ...], levels: Mapping[str, int], left: np.ndarray
    ) -> np.ndarray:
        """bool per row: somebody left violates it by these columns."""
        problem = self.problem
        nobody_out = left is problem.counts
        whole_classes = len(self.sizes) == 1 and set(self.sizes[0].columns) <= set(columns)
        if nobody_out or (whole_classes and not isinstance(guarantee, TCloseness)):
            return problem.mask(guarantee, columns, levels) & (left > 0)
        on_labels = problem.on_labels(guarantee, levels)
        mask = np.zeros(len(left), dtype=bool)
        if on_labels is None:
            return mask
        sensitive = sensitive_of(guarantee)
        named = columns if sensitive is None else (*columns, sensitive)
        rows = np.flatnonzero(left > 0)
        coded = problem.rows.coded(named, levels)
        coded = CodedRows({name: codes[rows] for name, codes in coded.codes.items()}, coded.labels, left[rows])
        mask[rows] = violating_in(coded, on_labels, coded.groups(columns))
        return mask

    def shown(self, levels: Mapping[str, int], left: np.ndarray) -> dict[str, np.ndarray]:
        """What the node shows by itself, where what refused it can only be sets of one value, some of them at least."""
        families = []
        for g in self.values:
            sensitive = sensitive_of(g)
            if not is_of_one_value(g) or sensitive is None or not set(g.columns) <= self.persons.known:
                return {}
            if levels.get(sensitive, 0) or sensitive not in self.persons.columns:
                return {}
            for columns in sets_of(g):
                self.spend(2)
                ids, sizes = tally(*self._codes(columns, levels), left)
                ids = np.where(left > 0, ids, -1)
                families.append(SetsOfOneValue(sensitive, ids, sizes, isinstance(g, LDiversity)))
        return certain_by_itself(self.persons, left, families, np.zeros(len(left), dtype=np.intp))

    def _codes(self, columns: Sequence[str], levels: Mapping[str, int]) -> tuple[list[np.ndarray], list[int]]:
        rows = self.problem.rows
        return (
            [rows.codes_at(name, levels.get(name, 0)) for name in columns],
            [max(1, len(rows.labels_at(name, levels.get(name, 0)))) for name in columns],
        )


def _is_implied(guarantee: KAnonymity | AverageRiskLimit, other: KAnonymity | AverageRiskLimit) -> bool:
    """Whether it holds wherever the other one does, which asks of everybody how many share all of more columns."""
    if not isinstance(other, KAnonymity) or other.share or not is_of_all(other):
        return False
    if not set(guarantee.columns) <= set(other.columns) or (guarantee.rows, other.rows) != (VALUES, VALUES):
        return False
    return 1 / other.least <= (1 / guarantee.least if isinstance(guarantee, KAnonymity) else guarantee.limit)


def _read(rows: CodedRows, guarantee: PrivacyModel, columns: Sequence[str]) -> CodedRows:
    """The rows by whose groups sets are held: those that a person reads as one are in one, where that matters."""
    return rows if is_finer_stricter(guarantee, True) else rows.as_read(columns)
