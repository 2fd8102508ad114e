"""What an adviser searches: records, ways to coarsen their columns, what must hold, and what each state then costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np

from anonlib import checks
from anonlib.adviser.counting import Codes, Kept
from anonlib.classes import ClassTable
from anonlib.classes.coding import group, sum_by
from anonlib.errors import InputError
from anonlib.guarantees import Average, CodedRows, Guarantee, Shared, Uncertain, columns_of, least_to_go, left_after
from anonlib.guarantees.exposed import Groups, too_alike, too_few, violating
from anonlib.guarantees.kinds import sensitive_of
from anonlib.guarantees.leaving_out import too_many_classes
from anonlib.hierarchies import Hierarchy, Levels, levels_of

State = tuple[int, ...]
"""The level of each column that can be coarsened, in the problem's order; 0 is as it is."""
MEMORY = 400_000_000  # bytes for who violates by which set of columns
MOST_KEPT = 4  # columns; larger sets are many, and each is seldom asked for again


@dataclass(frozen=True)
class Settled:
    """A state with the records left out that it takes for everything to hold.

    Attributes
    ----------
    state : the levels.
    loss : in [0, 1], the share of the cells' detail that is lost; what is left out loses all of its own.
    left_out : records that must go.
    """

    state: State
    loss: float
    left_out: int

    @property
    def rank(self) -> tuple:
        """Sorts the better first: less lost, then fewer left out, then fewer levels up."""
        return (round(self.loss, 12), self.left_out, sum(self.state), self.state)


class Problem:
    """A class table, the levels that its columns may have, what must hold, and how many records may be left out.

    Attributes
    ----------
    columns : those that can be coarsened, in the table's order.
    highest : the highest level that each may have.
    guarantees : what must hold, on columns of the table.
    most : how many records may be left out at most.
    n_records : all of them.
    fixed_worth : what the cells of one record are worth in columns that cannot be coarsened.
    """

    def __init__(
        self,
        classes: ClassTable,
        hierarchies: Mapping[str, Hierarchy],
        guarantees: Sequence[Guarantee],
        *,
        most: int = 0,
        highest: Mapping[str, int] | None = None,
        weights: Mapping[str, float] | None = None,
        a_column: float = 0.0,
        divisible: bool = True,
        like: Problem | None = None,
    ) -> None:
        """``highest`` are the most levels up by column, all of its hierarchy where it is not named; ``weights`` say how
        much a column's cells count, 1 where not named; ``a_column`` is what each column that is changed costs besides,
        as a share of all cells. A problem ``like`` this one, of the same table, lends what it has counted."""
        self.classes, self.guarantees, self.most = classes, tuple(guarantees), most
        self.names = tuple(sorted(columns_of(self.guarantees)))
        self.hierarchies = {name: hierarchies[name] for name in classes.attributes if name in hierarchies}
        self.levels: dict[str, Levels] = like.levels if like is not None else levels_of(classes, self.hierarchies)
        self.columns = tuple(self.hierarchies)
        capped = highest or {}
        self.highest: State = tuple(
            min(capped.get(name, 10**6), self.levels[name].n_levels - 1) if name in self.names else 0
            for name in self.columns  # to coarsen a column that nothing is asked of gains nothing
        )
        self.n_records, self.divisible = classes.n_records, divisible
        self.weights = {name: _weight(name, (weights or {}).get(name, 1.0)) for name in classes.attributes}
        self._all = self.n_records * sum(self.weights.values()) or 1.0
        self.a_column = a_column * self._all
        self._codes: Codes = like._codes if like is not None else Codes(classes, self.levels)
        self._masks: Kept = like._masks if like is not None else Kept(MEMORY)
        self._settled: dict[State, Settled | None] = {}
        self.fixed_worth = sum((self.weights[name] for name in classes.attributes if name not in self.columns), 0.0)

    # ---- what there is ----

    @property
    def n_states(self) -> int:
        """Combinations of levels."""
        return prod(level + 1 for level in self.highest)

    @property
    def bottom(self) -> State:
        """Every column as it is."""
        return tuple(0 for _ in self.columns)

    @cached_property
    def is_exact(self) -> bool:
        """Whether the fewest are left out at every state: all is for everybody and stays, or nobody may be left out."""
        return not self.most or all(each.stays and each.share == 0 for each in self.guarantees)

    @cached_property
    def is_monotone(self) -> bool:
        """Whether a state above one that does, does: true of all that stays, and of averages.

        Not where a sensitive column can be coarsened without being dropped: that makes its values more alike.
        """
        coarsened = {
            name
            for name, highest in zip(self.columns, self.highest, strict=True)
            if any(len(labels) > 1 for labels in self.levels[name].labels[1 : highest + 1])
        }
        return all(
            (each.stays or isinstance(each, Average)) and sensitive_of(each) not in coarsened
            for each in self.guarantees
        )

    def changed(
        self,
        *,
        guarantees: Sequence[Guarantee] | None = None,
        most: int | None = None,
        highest: Mapping[str, int] | None = None,
        a_column: float | None = None,
    ) -> Problem:
        """The problem with something else asked; what has been counted is shared."""
        return Problem(
            self.classes,
            self.hierarchies,
            self.guarantees if guarantees is None else guarantees,
            most=self.most if most is None else most,
            highest=dict(zip(self.columns, self.highest, strict=True)) if highest is None else highest,
            weights=self.weights,
            a_column=self.a_column / self._all if a_column is None else a_column,
            divisible=self.divisible,
            like=self,
        )

    # ---- what a state costs ----

    @cached_property
    def level_costs(self) -> list[np.ndarray]:
        """Per column, what each of its levels loses over all records, in cells, with what a changed column costs."""
        costs = []
        for name in self.columns:
            levels, records = self.levels[name], self._codes.records(name)
            lost = [float((records * levels.loss(level)).sum()) for level in range(levels.n_levels)]
            changed = np.arange(levels.n_levels) > 0
            costs.append(self.weights[name] * np.array(lost) + self.a_column * changed)
        return costs

    def worth(self, j: int, level: int) -> np.ndarray:
        """Per row, what one record's cell of column j is still worth on a level."""
        name = self.columns[j]
        return (self.weights[name] * (1 - self.levels[name].loss(level)))[self._codes.values(name)]

    def cost(self, state: State) -> float:
        """What the levels lose when nobody is left out, in cells."""
        return sum(float(costs[level]) for costs, level in zip(self.level_costs, state, strict=True))

    def cell_loss(self, settled: Settled) -> float:
        """The share of the cells' detail that is lost, without what changed columns cost besides."""
        return settled.loss - self.share(self.a_column) * sum(level > 0 for level in settled.state)

    def share(self, cells: float) -> float:
        """A loss of cells as a share of all."""
        return cells / self._all

    # ---- who violates ----

    @property
    def counts(self) -> np.ndarray:
        """int64, records of each row."""
        return self.classes.counts

    def records(self, mask: np.ndarray) -> int:
        """The records of some rows (bool)."""
        return int(self.counts.compress(mask).sum())

    def rows_at(self, columns: Sequence[str], levels: Mapping[str, int]) -> CodedRows:
        """All rows with some columns at their levels; 0 where none is named."""
        return self._codes.rows(columns, levels)

    def groups(self, columns: Sequence[str], levels: Mapping[str, int]) -> Groups:
        """The groups of some columns at their levels; 0 where none is named."""
        return self._codes.groups(columns, levels)

    def mask(self, guarantee: Shared | Uncertain, columns: tuple[str, ...], levels: Mapping[str, int]) -> np.ndarray:
        """bool per row: it violates the guarantee by this set of columns."""
        sensitive = guarantee.sensitive if isinstance(guarantee, Uncertain) else None
        named = columns if sensitive is None else (*columns, sensitive)
        what = guarantee.least if isinstance(guarantee, Shared) else (guarantee.p, guarantee.harmless)
        key = (what, sensitive, columns, tuple(levels.get(name, 0) for name in named))
        if (found := self._masks.get(key)) is not None:
            return found
        groups, asked = self.groups(columns, levels), self.on_labels(guarantee, levels)
        found = np.zeros(len(self.counts), dtype=bool)
        if isinstance(asked, Uncertain):
            harmless = self.rows_at([asked.sensitive], levels).harmless(asked.sensitive, asked.harmless)
            found = too_alike(groups, self.groups(named, levels), asked.p) & ~harmless
        elif isinstance(asked, Shared):
            found = too_few(groups, asked.least)
        if len(columns) <= MOST_KEPT:
            self._masks.keep(key, found)
        return found

    def on_labels(self, guarantee: Guarantee, levels: Mapping[str, int]) -> Guarantee | None:
        """The guarantee on the labels of its sensitive column; None where that is dropped: then nothing is learned.

        A label is harmless where one of its values is, as in :meth:`anonlib.criteria.Case.harmless_now`.
        """
        sensitive = sensitive_of(guarantee)
        level = 0 if sensitive is None else levels.get(sensitive, 0)
        if sensitive is None or not level:
            return guarantee
        if len(self.levels[sensitive].labels[level]) == 1:
            return None
        if not isinstance(guarantee, Uncertain) or not guarantee.harmless:
            return guarantee
        labels = self.hierarchies[sensitive].recodings[level - 1].labels(np.array(guarantee.harmless, dtype=object))
        return replace(guarantee, harmless=tuple(label for label in labels if label is not None and label.strip()))

    def violating(self, guarantee: Guarantee, state: State) -> np.ndarray:
        """bool per row: it violates the guarantee by some set of columns at a state."""
        levels = dict(zip(self.columns, state, strict=True))
        found = np.zeros(len(self.counts), dtype=bool)
        if not isinstance(guarantee, Shared | Uncertain):
            asked = self.on_labels(guarantee, levels)
            return found if asked is None else violating(self._codes.rows(self.names, levels), asked)
        for columns in guarantee.sets():
            found |= self.mask(guarantee, columns, levels)
        return found

    def least_out(self, state: State) -> tuple[int, np.ndarray, bool]:
        """The fewest records that have to go at a state, those who must in any case, and whether nobody has to."""
        must, least, holds = np.zeros(len(self.counts), dtype=bool), 0, True
        levels = dict(zip(self.columns, state, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, Average):
                number = too_many_classes(self.groups(guarantee.columns, levels)[1], guarantee.limit)
                least, holds = max(least, number), holds and not number
                continue
            mask = self.violating(guarantee, state)
            records = self.records(mask)
            number = least_to_go(records, self.n_records, guarantee.share)
            holds = holds and not number
            if guarantee.stays:
                least = max(least, number)
                if guarantee.share == 0:
                    must |= mask
            elif isinstance(guarantee, Uncertain) and not levels.get(guarantee.sensitive, 0):
                least = max(least, self.least_by_nothing(guarantee))
        return max(least, self.records(must)), must, holds

    def least_by_nothing(self, guarantee: Uncertain) -> int:
        """The fewest records that have to go for a value that is likely without any knowledge, at every state.

        Of the records that have it as many as make it unlikely, or so many that no more than a share have it.
        """
        rows, n = self.rows_at([guarantee.sensitive], {}), self.n_records
        ids, sizes = rows.groups([guarantee.sensitive])
        least = 0
        for value in np.unique(ids[~rows.harmless(guarantee.sensitive, guarantee.harmless)]):
            having = int(sizes[value])
            if n and (n - having) / n <= guarantee.p:
                unlikely = max(1, math.floor(n - (n - having) / guarantee.p - 1e-9) + 1) if guarantee.p else having
                least = max(least, min(having, unlikely, least_to_go(having, n, guarantee.share)))
        return least

    @cached_property
    def is_hopeless(self) -> bool:
        """Whether nothing can do, since too many have a value that is likely without any knowledge."""
        fixed = {name for name, highest in zip(self.columns, self.highest, strict=True) if not highest}
        return any(
            self.least_by_nothing(each) > self.most
            for each in self.guarantees
            if isinstance(each, Uncertain) and (each.sensitive not in self.columns or each.sensitive in fixed)
        )

    def excess(self, state: State) -> int:
        """The records that violate above what is allowed, summed over what must hold."""
        total = 0
        levels = dict(zip(self.columns, state, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, Average):
                total += too_many_classes(self.groups(guarantee.columns, levels)[1], guarantee.limit)
            else:
                violate = self.records(self.violating(guarantee, state))
                total += max(0, violate - int(guarantee.share * self.n_records))
        return total

    # ---- a state with everything holding ----

    def settle(self, state: State) -> Settled | None:
        """The state with the records left out that it takes; None where more would have to go than may."""
        if state not in self._settled:
            self._settled[state] = self._settle(state)
        return self._settled[state]

    def _settle(self, state: State) -> Settled | None:
        least, _, holds = self.least_out(state)
        if least > self.most:
            return None
        cost = self.cost(state)
        if holds:
            return Settled(state, self.share(cost), 0)
        rows, worth = self.rolled_up(state)
        levels = dict(zip(self.columns, state, strict=True))
        asked = [there for each in self.guarantees if (there := self.on_labels(each, levels)) is not None]
        left = left_after(rows, asked, worth, most=self.most, divisible=self.divisible)
        if left is None:
            return None
        gone = rows.counts - left
        return Settled(state, self.share(cost + float((gone * worth).sum())), int(gone.sum()))

    def rolled_up(self, state: State) -> tuple[CodedRows, np.ndarray]:
        """The rows of the columns that guarantees name at a state, in the order of their labels, and what a record of
        each is worth."""
        levels = dict(zip(self.columns, state, strict=True))
        rows = self._codes.rows(self.names, levels)
        nothing = np.zeros(len(self.counts), dtype=np.intp)  # so that there is a column where none is named
        by_text = (self._codes.in_text_order(name, levels.get(name, 0)) for name in self.names)
        codes = np.column_stack([nothing, *by_text])
        ids, first = group(codes, [1, *(len(rows.labels[name]) for name in self.names)])
        merged = CodedRows(
            {name: codes[first] for name, codes in rows.codes.items()},
            rows.labels,
            sum_by(ids, len(first), self.counts),
        )
        worth = np.full(len(first), self.fixed_worth)
        for j, level in enumerate(state):
            worth += self.worth(j, level)[first]
        return merged, worth


def _weight(name: str, given: float) -> float:
    weight = checks.number(given, f"The weight of “{name}”")
    if weight < 0:
        raise InputError(f"The weight of “{name}” must be 0 or more.")
    return weight
