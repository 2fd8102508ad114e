"""What an adviser searches: records, ways to coarsen their columns, what must hold, and what each state then costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonlib.analyses.generalization.search.rows import State
from anonlib.analyses.generalization.search.violations import Violations
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.guarantees import CodedRows, Guarantee, left_after


@dataclass(frozen=True)
class Settled:
    """A state with the records left out that it takes for everything to hold.

    Attributes
    ----------
    state : the levels.
    loss : in [0, 1], the share of the cells' detail that is lost; what is left out loses all of its own.
    left_out : records (persons) that must go.
    rows_out : where persons have several rows, how many of these must go.
    """

    state: State
    loss: float
    left_out: int
    rows_out: int = 0

    @property
    def rank(self) -> tuple:
        """Sorts the better first: less lost, then fewer left out, then fewer levels up."""
        return (round(self.loss, 12), self.left_out, self.rows_out, sum(self.state), self.state)


class Problem(Violations):
    """A class table, the levels that its columns may have, what must hold, and how many records may be left out.

    Attributes
    ----------
    highest : the highest level that each column that can be coarsened may have, in the table's order.
    most : how many records may be left out at most; below 0 where more than may be are left out already.
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
        super().__init__(classes, hierarchies, guarantees, like)
        self.most, self.divisible = most, divisible
        capped = highest or {}
        self.highest: State = tuple(
            min(capped.get(name, 10**6), self.levels[name].n_levels - 1) if name in self.names else 0
            for name in self.columns  # to coarsen a column that nothing is asked of gains nothing
        )
        self.weights = {name: _weight(name, (weights or {}).get(name, 1.0)) for name in classes.attributes}
        self._all = self.n_records * sum(self.weights.values()) or 1.0
        self.a_column = a_column * self._all
        self._settled: dict[State, Settled | None] = {}
        self.fixed_worth = sum((self.weights[name] for name in classes.attributes if name not in self.columns), 0.0)

    # ---- what there is ----

    @property
    def n_rows(self) -> int:
        """What is left out at most: all records, or all rows of persons."""
        return self.n_records

    @property
    def is_complete(self) -> bool:
        """Whether every state that may do is looked at before a search has come to its end."""
        return True

    @property
    def is_large(self) -> bool:
        """Whether a state takes so long that fewer are tried for a first answer."""
        return False

    @cached_property
    def is_exact(self) -> bool:
        """Whether the fewest are left out at every state: all is for everybody and stays, or nobody may be left out."""
        return self.most <= 0 or all(each.stays and each.share == 0 for each in self.guarantees)

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
            levels, records = self.levels[name], self._records(name)
            lost = [float((records * levels.loss(level)).sum()) for level in range(levels.n_levels)]
            changed = np.arange(levels.n_levels) > 0
            costs.append(self.weights[name] * np.array(lost) + self.a_column * changed)
        return costs

    def _records(self, name: str) -> np.ndarray:
        """int64, records (rows of persons) of each value of a column."""
        return sum_by(self.rows.codes_at(name, 0), self.levels[name].n_values, self.classes.counts)

    def worth(self, j: int, level: int) -> np.ndarray:
        """Per row, what one record's cell of column j is still worth on a level; of persons the row worth least."""
        return self._worth(j, level)

    def _worth(self, j: int, level: int) -> np.ndarray:
        name = self.columns[j]
        return (self.weights[name] * (1 - self.levels[name].loss(level)))[self.rows.codes_at(name, 0)]

    def cost(self, state: State) -> float:
        """What the levels lose when nobody is left out, in cells."""
        return sum(float(costs[level]) for costs, level in zip(self.level_costs, state, strict=True))

    def cell_loss(self, settled: Settled) -> float:
        """The share of the cells' detail that is lost, without what changed columns cost besides."""
        return settled.loss - self.share(self.a_column) * sum(level > 0 for level in settled.state)

    def share(self, cells: float) -> float:
        """A loss of cells as a share of all."""
        return cells / self._all

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
        rows, worth, _ = self.rolled_up(state)
        levels = dict(zip(self.columns, state, strict=True))
        asked = [on_labels for each in self.guarantees if (on_labels := self.on_labels(each, levels)) is not None]
        left = left_after(rows, asked, worth, most=self.most, divisible=self.divisible)
        if left is None:
            return None
        gone = rows.counts - left
        return Settled(state, self.share(cost + float((gone * worth).sum())), int(gone.sum()))

    def rolled_up(self, state: State) -> tuple[CodedRows, np.ndarray, np.ndarray]:
        """The rows of the columns that guarantees name at a state, in the order of their labels, what a record of each
        is worth, and of each row of the table its place among them."""
        levels = dict(zip(self.columns, state, strict=True))
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
        worth = np.full(len(first), self.fixed_worth)
        for j, level in enumerate(state):
            worth += self._worth(j, level)[first]
        return merged, worth, ids


def _weight(name: str, given: float) -> float:
    weight = checks.number(given, f"The weight of “{name}”")
    if weight < 0:
        raise InputError(f"The weight of “{name}” must be 0 or more.")
    return weight
