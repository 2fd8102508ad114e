"""The best k-anonymous policies of full-domain generalization: one level of its hierarchy for each attribute.

Xia et al. 2015 compare the frontier of policies with k-anonymous solutions. Here such a solution is, of all
combinations of levels at which every class has k records or more, nobody left out, the one that loses least by the
measure of the plane; of those that lose as much, one of least risk. Losses never fall from level to level, so
combinations are looked at in the order of their loss, and the first at which k holds is the best there is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from anonlib.analyses.frontier.domains import Domain
from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.measures import interval_terms, terms
from anonlib.analyses.frontier.placement import LabelledRecords, Placement, place
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, Budget, Over, Spending
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes.coding import tally

Node = tuple[int, ...]
"""A level for each attribute."""
WORK = 5 * A_SECOND
"""What a search may do by default."""
_A_PLACE, _A_NODE = 4.0, 50_000  # work of a value of a combination, and of a node besides


@dataclass(frozen=True, eq=False)
class FullDomain:
    """The best policy of full-domain generalization with a k.

    Attributes
    ----------
    k : int
        The fewest records that each class was to have.
    levels : dict[str, int] | None
        Attribute -> the level of its hierarchy, 0 for its values as they are; None where no combination does.
    placement : Placement | None
        Its place on the plane.
    proven : bool
        No other combination of levels with this k loses less, or none has it.
    """

    k: int
    levels: dict[str, int] | None
    placement: Placement | None
    proven: bool


def full_domain(
    plane: Plane,
    hierarchies: Mapping[str, Hierarchy],
    ks: Sequence[int],
    *,
    work: float | None = WORK,
    progress: Progress = nobody,
) -> tuple[FullDomain, ...]:
    """For each k the combination of levels that loses least, with every class of k records or more.

    Parameters
    ----------
    plane : Plane
        The records, and the measures of risk and of loss.
    hierarchies : Mapping[str, Hierarchy]
        By attribute; one without a hierarchy stays as it is.
    ks : Sequence[int]
        Each 1 or more.
    work : float, optional
        Where it is spent before the best is known, one that was found by a climb is the answer, not ``proven``. Without
        end where it is None.
    progress : Progress, default nobody
        Called with the share done, in [0, 1]; may raise to stop.

    Returns
    -------
    tuple of FullDomain
        One a k, in their order.

    Raises
    ------
    InputError
        For a k below 1, and as :meth:`Hierarchy.on`.

    References
    ----------
    Samarati and Sweeney 1998, full-domain generalization; Xia et al. 2015, which compares with such solutions.

    Examples
    --------
    Ages of two people each, and a hierarchy of 2 and 4 years: with 2 years together classes have four.

    >>> import pandas as pd
    >>> from anonlib.analyses.frontier import PolicySpace
    >>> from anonlib.coarsening.hierarchies import intervals
    >>> from anonlib.counting.classes import ClassTable
    >>> ages = ClassTable.from_frame(pd.DataFrame({"age": ["30", "31", "32", "33"] * 2}))
    >>> plane = Plane(PolicySpace(ages), loss_key="ncp")
    >>> for solution in full_domain(plane, {"age": intervals([2, 4])}, (2, 3, 5)):
    ...     print(solution.k, solution.levels, solution.placement.k)
    2 {'age': 0} 2
    3 {'age': 1} 4
    5 {'age': 3} 8
    """
    for k in ks:
        checks.whole(k, "k", 1)
    best = _Search(_Levels(plane, hierarchies), Budget(work).begun(), progress).solutions(sorted({*ks}))
    return tuple(best[k] for k in ks)


class _Levels:
    """What each level makes of the plane's values, and how much is lost at a combination of levels."""

    def __init__(self, plane: Plane, hierarchies: Mapping[str, Hierarchy]) -> None:
        self.plane, space = plane, plane.space
        occupied = space.cells.occupied
        self.values = space.cells.places[occupied] // 2
        self.records = space.cells.records[occupied]
        self.covers = [list(_covers(domain, hierarchies.get(domain.attribute))) for domain in space.domains]
        self.highest: Node = tuple(len(levels) - 1 for levels in self.covers)
        self._label = [[covers[::2].argmax(axis=1) for covers in levels] for levels in self.covers]
        self._of_cells = [
            [label[self.values[:, j]].astype(np.intp) for label in levels] for j, levels in enumerate(self._label)
        ]
        self._lost = [[self._lost_by_cells(j, level) for level in range(n + 1)] for j, n in enumerate(self.highest)]
        self.work = _A_PLACE * self.values.size + _A_NODE

    def _lost_by_cells(self, j: int, level: int) -> float:
        """The loss terms of one attribute's labels at a level."""
        if not self.plane.loss.per_interval:
            return 0.0
        m, label = np.diff(self.plane.prefixes[j][0]), self._label[j][level]
        n, width = np.bincount(label, weights=m), np.bincount(label)
        spread = np.bincount(label, weights=xlogy(m, m))
        return float(interval_terms(self.plane.loss.per_interval, n, np.maximum(width, 1), spread, len(m)).sum())

    def evaluate(self, node: Node) -> tuple[float, np.ndarray]:
        """The loss, and the records of each class."""
        columns = [levels[level] for levels, level in zip(self._of_cells, node, strict=True)]
        spans = [levels[level].shape[1] for levels, level in zip(self.covers, node, strict=True)]
        ids, n = tally(columns, spans, self.records)
        some = n > 0
        cells = np.bincount(ids, minlength=len(n))[some]
        n = n[some]
        loss = terms(self.plane.loss.term, n, np.maximum(n, 1), cells, self.plane.k).sum()
        loss += sum(lost[level] for lost, level in zip(self._lost, node, strict=True))
        return float(self.plane.finish(0.0, float(loss))[1]), n

    def placement(self, node: Node) -> Placement:
        labels = np.column_stack([levels[level] for levels, level in zip(self._of_cells, node, strict=True)])
        covers = tuple(levels[level] for levels, level in zip(self.covers, node, strict=True))
        return place(self.plane, LabelledRecords(self.values, labels, self.records, covers))


def _covers(domain: Domain, hierarchy: Hierarchy | None) -> Iterator[np.ndarray]:
    """Per level bool, places x labels: what each label covers, as :class:`LabelledRecords` has it."""
    n, between = len(domain), [value for values in domain.between for value in values]
    hierarchy = hierarchy or Hierarchy()
    try:
        levels = hierarchy.on([*domain.values, *between], domain.attribute)
    except InputError:  # it may not know what only the population has: that is in no label then
        levels, between = hierarchy.on(domain.values, domain.attribute), []
    place_of = {value: n + i for i, value in enumerate(between)}
    for group in levels.group:
        n_labels = int(group[:n].max(initial=-1)) + 1
        of_value = np.arange(n_labels) == group[:, None]
        covers = np.zeros((2 * n - 1, n_labels), dtype=bool)
        covers[::2] = of_value[:n]
        for i, within in enumerate(domain.between):
            covers[2 * i + 1] = covers[2 * i] & covers[2 * i + 2]
            for value in within:
                covers[2 * i + 1] &= of_value[place_of[value]] if value in place_of else False
        yield covers


class _Search:
    """Looks at combinations of levels in the order of their loss."""

    def __init__(self, levels: _Levels, spending: Spending, progress: Progress) -> None:
        self.spending = spending
        self._levels, self._progress = levels, progress
        self._known: dict[Node, tuple[float, int]] = {}

    def solutions(self, ks: Sequence[int]) -> dict[int, FullDomain]:
        """By k; ``ks`` ascend."""
        top = self._levels.highest
        _, most = self._look(top)
        possible = [k for k in ks if k <= most]
        best = {k: FullDomain(k, None, None, proven=True) for k in ks if k > most}
        climbed = {k: self._climb(k) for k in possible}
        try:
            for k, ties in self._in_order(possible, climbed):
                best[k] = self._best_of(k, ties)
        except Over:
            for k in possible:
                best.setdefault(k, self._of(k, climbed[k], proven=False))
        return best

    def _in_order(self, ks: Sequence[int], climbed: Mapping[int, Node]) -> Iterator[tuple[int, list[Node]]]:
        """Each k with the nodes of least loss that have it."""
        bottom: Node = (0,) * len(self._levels.highest)
        waiting = [(self._look(bottom)[0], 0, bottom)]
        seen, open_ones = {bottom}, list(ks)
        ties: dict[int, list[Node]] = {}
        last = self._look(climbed[ks[-1]])[0] if ks else 0.0
        while open_ones:
            self.spending.raise_if_over()
            loss = waiting[0][0] if waiting else np.inf
            self._progress(min(1.0, max(self.spending.share, loss / last if last else 1.0)))
            while open_ones and open_ones[0] in ties and self._look(ties[open_ones[0]][0])[0] < loss:
                k = open_ones.pop(0)
                yield k, ties[k]
            if not waiting:
                continue
            _, _, node = heapq.heappop(waiting)
            smallest = self._look(node)[1]
            for k in open_ones:
                if smallest >= k and (k not in ties or self._look(ties[k][0])[0] == loss):
                    ties.setdefault(k, []).append(node)
            for above in self._next(node, 1):
                if above not in seen:
                    seen.add(above)
                    heapq.heappush(waiting, (self._look(above)[0], sum(above), above))

    def _look(self, node: Node) -> tuple[float, int]:
        """The loss of a node, and the records of its smallest class."""
        if node not in self._known:
            self.spending.spend(self._levels.work)
            loss, sizes = self._levels.evaluate(node)
            self._known[node] = loss, int(sizes.min())
        return self._known[node]

    def _next(self, node: Node, by: int) -> list[Node]:
        levels = ((j, level + by) for j, level in enumerate(node))
        return [
            (*node[:j], level, *node[j + 1 :]) for j, level in levels if 0 <= level <= self._levels.highest[j]
        ]  # fmt: skip

    def _climb(self, k: int) -> Node:
        """A node with this k from which no single level can be lowered, by going down from the top."""
        node = self._levels.highest
        while True:
            self._progress(self.spending.share)
            below = [lower for lower in self._next(node, -1) if self._look(lower)[1] >= k]
            if not below:
                return node
            node = min(below, key=lambda lower: (self._look(lower)[0], lower))

    def _best_of(self, k: int, ties: list[Node]) -> FullDomain:
        """Of nodes that lose as much, the one of least risk; then the fewest steps, and lower levels first."""
        placed = [(self._levels.placement(node).risk, sum(node), node) for node in ties]
        return self._of(k, min(placed)[2], proven=True)

    def _of(self, k: int, node: Node, *, proven: bool) -> FullDomain:
        names = self._levels.plane.space.attributes
        return FullDomain(k, dict(zip(names, node, strict=True)), self._levels.placement(node), proven)
