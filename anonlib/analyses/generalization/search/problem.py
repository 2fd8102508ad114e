"""What is searched: records, ways to coarsen their columns, what must hold, and what each node then costs.

First who violates what must hold at a node, counted once by each set of known columns and remembered. Then the problem:
what a node loses, and the records that must be left out there for everything to hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np

from anonlib.analyses.generalization.search.lattice import (
    DIGITS,
    CellObjective,
    DecidedRows,
    Lattice,
    Losses,
    Node,
    Objective,
    is_of_cells,
    loss_of_classes,
)
from anonlib.basics import checks
from anonlib.basics.budget import Budget, Spending
from anonlib.basics.errors import InputError
from anonlib.basics.stores import Store
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    Coded,
    CodedPersons,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    average_risk,
    columns_of,
    least_to_go,
    left_after,
)
from anonlib.counting.privacy_models.coded import Groups, harmless_labels
from anonlib.counting.privacy_models.marking import can_walk
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.counting.privacy_models.record_suppression import too_many_classes
from anonlib.counting.privacy_models.violations import violating, violating_in, violators

# ---- who violates ----

MEMORY = 400_000_000  # bytes for who violates by which set of columns
_MANY_SETS = 500  # of columns, which are gone through once for all guarantees that ask for them
MOST_KEPT = 4  # columns; larger sets are many, and each is seldom asked for again
RecordModel = KAnonymity | AttributeDisclosure | LDiversity | TCloseness
"""A guarantee that single records (persons) violate."""


def texts_of(values: np.ndarray) -> np.ndarray:
    """The texts among values, and in sets of them, each once."""
    members = (value.members if isinstance(value, ValueSet) else (value,) for value in values if value is not None)
    return np.array([*dict.fromkeys(text for texts in members for text in texts), None], dtype=object)[:-1]


def _go_on() -> None:
    """Nobody waits."""


class ViolationCounts(Lattice):
    """Records, the levels that their columns may have, what must hold, and who violates it at which levels.

    Attributes
    ----------
    guarantees : Sequence[PrivacyModel]
        What must hold, on columns of the table.
    names : the columns that guarantees name, in alphabetical order.
    check_stop : Callable[[], None]
        Called again and again where counting takes long; may raise to stop.
    """

    def __init__(
        self,
        classes: ClassTable,
        hierarchies: Mapping[str, Hierarchy],
        guarantees: Sequence[PrivacyModel],
        like: ViolationCounts | None = None,
    ) -> None:
        """What is counted is shared with those ``like`` these, of the same table and hierarchies."""
        super().__init__(classes, hierarchies, like)
        self.guarantees = tuple(guarantees)
        self.names = tuple(sorted(columns_of(self.guarantees)))
        self.check_stop: Callable[[], None] = _go_on if like is None else like.check_stop
        self._alikes: dict[RecordModel, RecordModel] = {}
        self._marks: Store[np.ndarray] = Store(MEMORY // 4, lambda marks, _: marks.nbytes)
        self._masks: Store[np.ndarray] = like._masks if like is not None else Store(MEMORY, lambda mask, _: mask.nbytes)

    # ---- records and their groups ----

    @property
    def counts(self) -> np.ndarray:
        """int64, records of each row."""
        return self.classes.counts

    def records(self, mask: np.ndarray) -> int:
        """The records of some rows (bool)."""
        return int(self.counts.compress(mask).sum())

    def groups(self, columns: Sequence[str], levels: Mapping[str, int]) -> Groups:
        """The groups of some columns at their levels; 0 where none is named."""
        return self.rows.grouped(tuple(levels.get(name, 0) for name in self.columns), columns)

    @property
    def lasts_on_average(self) -> bool:
        """Whether the fewest that must go for an average follow from the sizes of classes."""
        return True

    # ---- who violates ----

    def mask(self, guarantee: RecordModel, columns: tuple[str, ...], levels: Mapping[str, int]) -> np.ndarray:
        """bool per row: it violates the guarantee by this set of columns."""
        sensitive = sensitive_of(guarantee)
        named = columns if sensitive is None else (*columns, sensitive)
        key = (self._alike(guarantee), columns, tuple(levels.get(name, 0) for name in named))
        if (violates := self._masks.held(key)) is not None:
            return violates
        violates = np.zeros(len(self.counts), dtype=bool)
        if (on_labels := self.on_labels(guarantee, levels)) is not None:
            violates = violating_in(self.rows.coded(named, levels), on_labels, self.groups(columns, levels))
        if len(columns) <= MOST_KEPT:
            self._masks.put(key, violates)
        return violates

    def _alike(self, guarantee: RecordModel) -> RecordModel:
        """The same for guarantees whose masks by a set of columns are the same."""
        if guarantee not in self._alikes:
            alike = replace(guarantee, columns=(), share=0.0)
            self._alikes[guarantee] = (
                replace(alike, known=None) if isinstance(alike, KAnonymity | AttributeDisclosure) else alike
            )
        return self._alikes[guarantee]

    def on_labels(self, guarantee: PrivacyModel, levels: Mapping[str, int]) -> PrivacyModel | None:
        """The guarantee on the labels of its sensitive column; None where that is dropped: then nothing is learned.

        A label is harmless where all of its values are, as in :meth:`anonlib.verdict.criteria.Case.harmless_now`.
        """
        sensitive = sensitive_of(guarantee)
        level = 0 if sensitive is None else levels.get(sensitive, 0)
        if sensitive is None or not level:
            return guarantee
        if len(self.levels[sensitive].labels[level]) == 1:
            return None
        if not isinstance(guarantee, AttributeDisclosure) or not guarantee.harmless:
            return guarantee
        values = texts_of(self.levels[sensitive].labels[0])
        recoding = self.hierarchies[sensitive].recodings[level - 1]
        return replace(guarantee, harmless=harmless_labels(values, recoding.labels(values), guarantee.harmless))

    def violating(self, guarantee: PrivacyModel, node: Node) -> np.ndarray:
        """bool per row: it violates the guarantee by some set of columns at a node."""
        levels = dict(zip(self.columns, node, strict=True))
        if isinstance(guarantee, LDiversity | TCloseness):
            return self.mask(guarantee, guarantee.columns, levels)
        if guarantee in self._together:
            return self._violating_together(node)[self._together[guarantee]]
        assert isinstance(guarantee, KAnonymity | AttributeDisclosure)
        violates = np.zeros(len(self.counts), dtype=bool)
        for columns in guarantee.sets():
            violates |= self.mask(guarantee, columns, levels)
        return violates

    @cached_property
    def _together(self) -> dict[PrivacyModel, int]:
        """The guarantees that are looked at together, of many sets of columns, and the place of each."""
        can = [guarantee for guarantee in dict.fromkeys(self.guarantees) if can_walk(guarantee)]
        n_sets = sum(guarantee.n_sets for guarantee in can if isinstance(guarantee, KAnonymity | AttributeDisclosure))
        return {guarantee: i for i, guarantee in enumerate(can)} if n_sets > _MANY_SETS else {}

    def _violating_together(self, node: Node) -> np.ndarray:
        """bool, guarantees looked at together x rows: who violates each by some set of columns at a node."""
        if (violates := self._marks.held(node)) is None:
            levels = dict(zip(self.columns, node, strict=True))
            on_labels = [self.on_labels(guarantee, levels) for guarantee in self._together]
            not_dropped = [guarantee for guarantee in on_labels if guarantee is not None]
            marks = violators(self.rows.coded(self.names, levels), not_dropped, lambda *_: self.check_stop())
            of_asked = iter(marks)
            nobody = np.zeros(len(self.counts), dtype=bool)
            violates = np.array([nobody if guarantee is None else next(of_asked).marked for guarantee in on_labels])
            self._marks.put(node, violates)
        return violates

    def least_out(self, node: Node) -> tuple[int, np.ndarray, bool]:
        """The fewest records that have to go at a node, those who must in any case, and whether nobody has to."""
        must, least, holds = np.zeros(len(self.counts), dtype=bool), 0, True
        levels = dict(zip(self.columns, node, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, AverageRiskLimit):
                number = too_many_classes(self.groups(guarantee.columns, levels)[1], guarantee.limit)
                least, holds = max(least, number), holds and not number
                continue
            mask = self.violating(guarantee, node)
            records = self.records(mask)
            number = least_to_go(records, self.n_records, guarantee.share)
            holds = holds and not number
            if guarantee.stays:
                least = max(least, number)
                if guarantee.share == 0:
                    must |= mask
            elif isinstance(guarantee, AttributeDisclosure) and not levels.get(guarantee.sensitive, 0):
                least = max(least, self.least_by_nothing(guarantee))
        return max(least, self.records(must)), must, holds

    def least_by_nothing(self, guarantee: AttributeDisclosure) -> int:
        """The fewest records that have to go for a value that is likely without any knowledge, at every node.

        Of the records that have it as many as make it unlikely, or so many that no more than a share have it.
        """
        rows, n = self.rows.coded([guarantee.sensitive], {}).as_read([guarantee.sensitive]), self.n_records
        ids, sizes = rows.groups([guarantee.sensitive])
        least = 0
        harms = rows.harms(guarantee.sensitive, guarantee.harmless)[rows.codes[guarantee.sensitive]]
        for value in np.unique(ids[harms]):
            having = int(sizes[value])
            if n and (n - having) / n <= guarantee.p:
                unlikely = max(1, math.floor(n - (n - having) / guarantee.p - 1e-9) + 1) if guarantee.p else having
                least = max(least, min(having, unlikely, least_to_go(having, n, guarantee.share)))
        return least

    def in_small_classes(self, average: AverageRiskLimit, node: Node) -> int:
        """The fewest records in the smallest classes without which an average would hold at a node."""
        levels = dict(zip(self.columns, node, strict=True))
        return too_many_classes(self.groups(average.columns, levels)[1], average.limit)

    def excess(self, node: Node) -> int:
        """The records that violate above what is allowed, summed over what must hold."""
        total = 0
        levels = dict(zip(self.columns, node, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, AverageRiskLimit):
                total += too_many_classes(self.groups(guarantee.columns, levels)[1], guarantee.limit)
            else:
                violate = self.records(self.violating(guarantee, node))
                total += max(0, violate - int(guarantee.share * self.n_records))
        return total


# ---- what a node costs ----

_A_NODE = 10  # sets of columns that take as long as all else at a node
_FEW_SETS = 8  # of a guarantee, which are counted again whatever changes


@dataclass(frozen=True)
class Solution:
    """A node with the records left out that it takes for everything to hold.

    Attributes
    ----------
    node : Node
        The levels.
    information_loss : float
        What the objective loses, lower is better; of one that adds up over cells the share of their detail that is
        lost, in [0, 1]: what is left out loses all of its own.
    left_out : int
        Records (persons) that must go.
    rows_out : int, default 0
        Where persons have several rows, how many of these must go.
    """

    node: Node
    information_loss: float
    left_out: int
    rows_out: int = 0

    @property
    def rank(self) -> tuple[Any, ...]:
        """Sorts the better first: less lost, then fewer left out, then fewer levels up."""
        return (self.information_loss, self.left_out, self.rows_out, sum(self.node), self.node)


class Problem(ViolationCounts):
    """A class table, the levels that its columns may have, what must hold, and how many records may be left out.

    Attributes
    ----------
    objective : Objective, default "cell_loss"
        What is to be lost least.
    highest : Mapping[str, int], optional
        The highest level that each column that can be coarsened may have, in the table's order.
    suppression_limit : int, default 0
        How many records may be left out at most; below 0 where more than may be are left out already.
    unnamed : Collection[str], default ()
        Columns whose labels a step may not name: who is left out does not depend on what their cells are worth.
    values_refuse : bool, default False
        Whether only those are left out who violate what looks at no sensitive value; a node at which somebody then
        violates something else, beyond the share that may, does not do.
    fixed_worth : what the cells of one record are worth in columns that cannot be coarsened.
    adds_up : whether the objective adds up over cells; else it is counted of the whole table.
    spending : the budget of the search under way, of which each node that it looks at takes a part.
    """

    def __init__(
        self,
        classes: ClassTable,
        hierarchies: Mapping[str, Hierarchy],
        guarantees: Sequence[PrivacyModel],
        *,
        objective: Objective = "cell_loss",
        suppression_limit: int = 0,
        highest: Mapping[str, int] | None = None,
        weights: Mapping[str, float] | None = None,
        a_column: float = 0.0,
        divisible: bool = True,
        unnamed: Collection[str] = (),
        values_refuse: bool = False,
        like: Problem | None = None,
    ) -> None:
        """``highest`` are the most levels up by column, all of its hierarchy where it is not named; ``weights`` say how
        much a column's cells count, 1 where not named; ``a_column`` is what each column that is changed costs besides,
        as a share of all cells. A problem ``like`` this one, of the same table, lends what it has counted."""
        if objective not in get_args(Objective):
            raise InputError(f"The objective is one of: {', '.join(get_args(Objective))}.", code="choice-unknown")
        super().__init__(classes, hierarchies, guarantees, like)
        self.objective, self.suppression_limit, self.divisible, self.unnamed = (
            objective,
            suppression_limit,
            divisible,
            frozenset(unnamed),
        )
        self.values_refuse = values_refuse
        capped = highest or {}
        self.highest: Node = tuple(
            min(capped.get(name, 10**6), self.levels[name].n_levels - 1) if name in self.names else 0
            for name in self.columns  # to coarsen a column that nothing is asked of gains nothing
        )
        self.weights = {name: _weight(name, (weights or {}).get(name, 1.0)) for name in classes.attributes}
        self.fixed_worth = sum((self.weights[name] for name in classes.attributes if name not in self.columns), 0.0)
        self.adds_up = is_of_cells(objective)
        self._all = 1.0
        if self.adds_up:
            self._all = self.losses.most + self.fixed_worth * self.n_rows or 1.0
        self.a_column = a_column * self._all
        self._worths: dict[tuple[int, int], np.ndarray] = {}
        self._settled: dict[Node, Solution | None] = {}
        self.spending: Spending = Budget().begun() if like is None else like.spending
        self._paid: tuple[Spending, set[Node]] = (self.spending, set())

    # ---- what there is ----

    @property
    def n_rows(self) -> int:
        """What is left out at most: all records, or all rows of persons."""
        return self.classes.n_records

    @property
    def is_complete(self) -> bool:
        """Whether every node that may do is looked at before a search has come to its end."""
        return True

    @property
    def is_large(self) -> bool:
        """Whether a node takes so long that fewer are tried for a first answer."""
        return False

    @cached_property
    def is_exact(self) -> bool:
        """Whether the fewest are left out at every node: all that leaves somebody out is for everybody and stays, or
        nobody may be left out."""
        return self.suppression_limit <= 0 or all(
            guarantee.stays and guarantee.share == 0
            for guarantee in self.guarantees
            if not (self.values_refuse and self.looks_at_values(guarantee))
        )

    def looks_at_values(self, guarantee: PrivacyModel) -> bool:
        """Whether who violates a guarantee depends on values of columns of which something is asked."""
        return sensitive_of(guarantee) is not None or not self.sensitive.isdisjoint(guarantee.columns)

    @cached_property
    def sensitive(self) -> frozenset[str]:
        """The columns of whose values something is asked."""
        return frozenset(name for guarantee in self.guarantees if (name := sensitive_of(guarantee)) is not None)

    def lasts(self, guarantee: PrivacyModel) -> bool:
        """Whether who violates a guarantee goes on doing so on finer levels, whatever may be left out.

        Where nobody may be, it is enough that somebody does: the values of a class are a mixture of those of its parts
        on finer levels, so where a class violates it, one of its parts does.
        """
        return guarantee.stays or (
            self.suppression_limit <= 0 and not guarantee.share and not isinstance(guarantee, AverageRiskLimit)
        )

    def changed(
        self,
        *,
        guarantees: Sequence[PrivacyModel] | None = None,
        suppression_limit: int | None = None,
        highest: Mapping[str, int] | None = None,
        a_column: float | None = None,
        values_refuse: bool | None = None,
    ) -> Problem:
        """The problem with something else asked; what has been counted is shared."""
        return Problem(
            self.classes,
            self.hierarchies,
            self.guarantees if guarantees is None else guarantees,
            objective=self.objective,
            suppression_limit=self.suppression_limit if suppression_limit is None else suppression_limit,
            highest=dict(zip(self.columns, self.highest, strict=True)) if highest is None else highest,
            weights=self.weights,
            a_column=self.a_column / self._all if a_column is None else a_column,
            divisible=self.divisible,
            unnamed=self.unnamed,
            values_refuse=self.values_refuse if values_refuse is None else values_refuse,
            like=self,
        )

    @property
    def n_settled(self) -> int:
        """Nodes looked at so far."""
        return len(self._settled)

    # ---- what a node costs ----

    @cached_property
    def losses(self) -> Losses:
        """What cells lose, in their weights: of the objective, where it adds up over them."""
        return self.losses_of("entropy" if self.objective == "entropy" else "cell_loss")

    def losses_of(self, kind: CellObjective) -> Losses:
        """What cells lose of one kind, in the weights of the columns that can be coarsened."""
        return Losses(self.rows, kind, [self.weights[name] for name in self.columns])

    @cached_property
    def level_costs(self) -> list[np.ndarray]:
        """Per column, what each of its levels loses over all records, with what a changed column costs; 0 where the
        objective does not add up over cells."""
        costs = []
        for j, name in enumerate(self.columns):
            n_levels = self.levels[name].n_levels
            lost = [self.losses.of_level(j, level) if self.adds_up else 0.0 for level in range(n_levels)]
            costs.append(np.array(lost) + self.a_column * (np.arange(n_levels) > 0))
        return costs

    def worth(self, part: DecidedRows, j: int, level: int) -> np.ndarray:
        """Per row of a part, what one record's cell of column j is still worth on a level; of persons their row's that
        is worth least."""
        return self._worth(j, level)[part.codes[self.columns[j]]]

    def _worth(self, j: int, level: int) -> np.ndarray:
        """Per label of column j on a level, what one record's cell is still worth."""
        if (j, level) not in self._worths:
            levels = self.ladders.levels[j]
            of_label = np.zeros(len(levels.labels[level]))
            of_label[levels.group[level]] = self.losses.of_left_out(j) - self.losses.of_values(j, level)
            self._worths[j, level] = of_label
        return self._worths[j, level]

    def cost(self, node: Node) -> float:
        """What the levels lose when nobody is left out: in cells, or as the objective counts."""
        if not self.adds_up:
            return self.counted(node)
        return sum(float(costs[level]) for costs, level in zip(self.level_costs, node, strict=True))

    def counted(self, node: Node, left: np.ndarray | None = None) -> float:
        """What an objective that is counted of the table loses at a node, with so many records left of each row."""
        _, sizes = self.rows.grouped(node, self.counted_by, left)
        return loss_of_classes(self.objective, sizes, self.n_records)  # type: ignore[arg-type]  # it does not add up

    @cached_property
    def counted_by(self) -> tuple[str, ...]:
        """The columns of which an objective counts combinations: all for rows, else those that may be known."""
        known = {name for guarantee in self.guarantees for name in guarantee.columns}
        return tuple(name for name in self.classes.attributes if self.objective == "rows" or name in known)

    def cell_loss(self, settled: Solution) -> float:
        """The share of the cells' detail that is lost, without what changed columns cost besides."""
        return settled.information_loss - self.share(self.a_column) * sum(level > 0 for level in settled.node)

    def share(self, cells: float) -> float:
        """A loss of cells as a share of all."""
        return round(cells / self._all, DIGITS)

    @cached_property
    def least_worth(self) -> list[float]:
        """Per column, what the cell of a record that is left out is worth at least."""
        return [float(self.losses.of_left_out(j).min(initial=np.inf)) for j in range(len(self.columns))]

    def whole_part(self, sets: Sequence[tuple[str, ...]], lowest: Mapping[str, int]) -> DecidedRows:
        """All rows at the lowest levels, with the groups of sets of columns before any is decided."""
        return DecidedRows.of(self.rows, sets, lowest)

    # ---- a node with everything holding ----

    def settle(self, node: Node) -> Solution | None:
        """The node with the records left out that it takes; None where more would have to go than may."""
        self.pay(node)
        if node not in self._settled:
            self._settled[node] = self._settle(node)
        return self._settled[node]

    def pay(self, node: Node) -> None:
        """Spend the work of a node once in a search, whether or not an earlier one has counted it: so what a search
        finds does not depend on what was looked at before."""
        if self._paid[0] is not self.spending:
            self._paid = self.spending, set()
        if node not in self._paid[1]:
            self._paid[1].add(node)
            self.spending.spend(self.work_of_a_state)

    @cached_property
    def work_of_a_state(self) -> float:
        """The rows that are looked at for one node, times sets of columns."""
        return len(self.counts) * (_A_NODE + sum(map(_sets_counted, self.guarantees)))

    def _settle(self, node: Node) -> Solution | None:
        least, must, holds = self.least_out(node)
        if least > self.suppression_limit:
            return None
        cost = self.cost(node)
        if holds:
            return Solution(node, self.share(cost), 0)
        if self._leaves_out_classes:
            gone = must if not self.values_refuse else self._violating_sizes(node)
            return self._without(node, cost, gone) if not (must & ~gone).any() else None
        rows, worth, weighed, place = self.rolled_up(node)
        levels = dict(zip(self.columns, node, strict=True))
        guarantees = [
            on_labels for guarantee in self.guarantees if (on_labels := self.on_labels(guarantee, levels)) is not None
        ]
        leaving, refusing = self._by_what_they_do(guarantees)
        left = left_after(rows, leaving, weighed, most=self.suppression_limit, divisible=self.divisible)
        if left is None or not all_hold(rows.left(left), refusing):
            return None
        gone = rows.counts - left
        if self.adds_up:
            loss = self.share(cost + float((gone * worth).sum()))
        else:  # whole classes go
            loss = self.counted(node, np.where(left[place] > 0, self.counts, 0))
        return Solution(node, loss, int(gone.sum()))

    def _violating_sizes(self, node: Node) -> np.ndarray:
        """bool per row: it violates something at a node that looks at no value."""
        gone = np.zeros(len(self.counts), dtype=bool)
        for guarantee in self.guarantees:
            if not self.looks_at_values(guarantee):
                gone |= self.violating(guarantee, node)
        return gone

    def _by_what_they_do(self, guarantees: Sequence[PrivacyModel]) -> tuple[list[PrivacyModel], list[PrivacyModel]]:
        """Of guarantees on labels those by which somebody is left out, and those that refuse a node."""
        refusing = [guarantee for guarantee in guarantees if self.values_refuse and self.looks_at_values(guarantee)]
        return [guarantee for guarantee in guarantees if guarantee not in refusing], refusing

    @cached_property
    def _leaves_out_classes(self) -> bool:
        """Whether those go who violate, whole classes of the same columns, and then nobody does."""
        columns = {frozenset(guarantee.columns) for guarantee in self.guarantees}
        return len(columns) == 1 and all(
            guarantee.stays
            and not guarantee.share
            and not (
                isinstance(guarantee, KAnonymity | AttributeDisclosure)
                and guarantee.most_known < len(guarantee.columns)
            )
            for guarantee in self.guarantees
        )

    def _without(self, node: Node, cost: float, gone: np.ndarray) -> Solution:
        """A node without some rows (bool)."""
        n_gone = self.records(gone)
        if not self.adds_up:
            return Solution(node, self.counted(node, np.where(gone, 0, self.counts)), n_gone)
        for j, level in enumerate(node):
            worth = self._worth(j, level)[self.rows.codes_at(self.columns[j], level)]
            cost += float((self.counts * worth).compress(gone).sum())
        return Solution(node, self.share(cost + n_gone * self.fixed_worth), n_gone)

    def rolled_up(self, node: Node) -> tuple[CodedRows, np.ndarray, np.ndarray, np.ndarray]:
        """The rows of the columns that guarantees name at a node, in the order of their labels, what a record of each
        is worth, the same of columns that may be named, and of each row of the table its place among them."""
        levels = dict(zip(self.columns, node, strict=True))
        rows = self.rows.coded(self.names, levels)
        nothing = np.zeros(len(self.classes.counts), dtype=np.intp)  # so that there is a column where none is named
        by_text = (self.rows.in_text_order(name, levels.get(name, 0)) for name in self.names)
        codes = np.column_stack([nothing, *by_text])
        ids, first = group(codes, [1, *(len(rows.labels[name]) for name in self.names)])
        merged = CodedRows(
            {name: codes[first] for name, codes in rows.codes.items()},
            rows.labels,
            sum_by(ids, len(first), self.classes.counts),
        )
        worth, unnamed = np.full(len(first), self.fixed_worth), np.zeros(len(first))
        for j, level in enumerate(node):
            into = unnamed if self.columns[j] in self.unnamed else worth
            into += self._worth(j, level)[self.rows.codes_at(self.columns[j], level)[first]]
        return merged, worth + unnamed, worth, ids


def all_hold(rows: Coded, guarantees: Sequence[PrivacyModel]) -> bool:
    """Whether guarantees hold of some rows (persons), each but for its share."""
    for guarantee in guarantees:
        if isinstance(guarantee, AverageRiskLimit):
            if isinstance(rows, CodedPersons):
                holds = average_risk(rows, guarantee.columns, guarantee.rows) <= guarantee.limit
            else:
                holds = not too_many_classes(rows.groups(guarantee.columns)[1], guarantee.limit)
        else:
            violate = int(rows.counts[violating(rows, guarantee)].sum())
            holds = not least_to_go(violate, rows.n_records, guarantee.share)
        if not holds:
            return False
    return True


def _sets_counted(guarantee: PrivacyModel) -> float:
    """The sets of columns of a guarantee that are counted again at a usual node: few sets are remembered."""
    n_sets = guarantee.n_sets if isinstance(guarantee, KAnonymity | AttributeDisclosure) else 1
    return min(n_sets, _FEW_SETS + n_sets / 4)


def _weight(name: str, given: float) -> float:
    weight = checks.number(given, f"The weight of “{name}”")
    if weight < 0:
        raise InputError(f"The weight of “{name}” must be 0 or more.", code="number-out-of-range", column=name)
    return weight
