"""A class table and the levels that its columns may have: the states among which every search looks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import prod

from anonlib.analyses.generalization.search.rows import Ladders, LeveledRows, Node
from anonlib.coarsening.hierarchies import Hierarchy, Levels, levels_of
from anonlib.counting.classes import ClassTable


class Lattice:
    """What every problem of generalization is made of: a state is a level for each column that has a hierarchy.

    Attributes
    ----------
    classes : ClassTable
        The table of the records.
    hierarchies : Mapping[str, Hierarchy]
        By column that can be coarsened, in the table's order.
    rows : LeveledRows
        The table's rows, as codes on every level.
    highest : Node
        The highest level that each of these columns may have.
    n_records : records of the table.
    """

    def __init__(self, classes: ClassTable, hierarchies: Mapping[str, Hierarchy], like: Lattice | None = None) -> None:
        """A lattice ``like`` this one, of the same table and hierarchies, lends its rows: so many problems of a large
        table take the memory of one."""
        self.classes, self.n_records = classes, classes.n_records
        self.hierarchies = {name: hierarchies[name] for name in classes.attributes if name in hierarchies}
        if like is not None and like.classes is classes and like.hierarchies == self.hierarchies:
            self.rows: LeveledRows = like.rows
        else:
            self.rows = LeveledRows.of(classes, Ladders(levels_of(classes, self.hierarchies)))
        self.highest: Node = tuple(levels.n_levels - 1 for levels in self.ladders.levels)

    @property
    def ladders(self) -> Ladders:
        """The columns that can be coarsened, and the way from one level of theirs to another."""
        return self.rows.ladders

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that can be coarsened, in the table's order."""
        return self.ladders.names

    @cached_property
    def levels(self) -> dict[str, Levels]:
        """By such a column, its labels on each level."""
        return dict(zip(self.columns, self.ladders.levels, strict=True))

    @property
    def n_states(self) -> int:
        """Combinations of levels there are."""
        return prod(level + 1 for level in self.highest)

    @property
    def bottom(self) -> Node:
        """The state in which every value is as it is."""
        return tuple(0 for _ in self.highest)
