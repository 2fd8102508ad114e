"""The tables that a walk over all sets looks at: attributes of few values have fewer distinct rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.classes.coding import sum_by
from anonlib.classes.table import ClassTable
from anonlib.classes.walk.numbering import numbers_for, part

_CELLS = 1.0  # combinations a row, up to which a value is quicker computed once a combination
_SMALLER = 0.7  # a table of its own for fewer attributes is worth its making from this share of the rows down


@dataclass(frozen=True, eq=False)
class Rows:
    """The distinct rows of the first attributes.

    Attributes
    ----------
    codes : int32, attributes x rows.
    counts : int64, records a row.
    row_of : int32, per class of the class table its row here; None where they are the classes themselves.
    """

    codes: np.ndarray
    counts: np.ndarray
    row_of: np.ndarray | None

    @property
    def most_cells(self) -> int:
        """A set of attributes of more combinations is quicker counted row by row."""
        return int(len(self.counts) * _CELLS)

    def seen_by(self, chosen: np.ndarray) -> View:
        """Those of some classes, by their positions, ascending."""
        if self.row_of is None:
            return View(self, chosen.astype(np.int32), np.arange(len(chosen)), np.arange(len(chosen)))
        rows, one, place = np.unique(self.row_of[chosen], return_index=True, return_inverse=True)
        return View(self, rows.astype(np.int32), place, one)


@dataclass(frozen=True, eq=False)
class View:
    """The rows of some chosen classes.

    Attributes
    ----------
    rows : of which table.
    chosen : int32, the rows, ascending.
    place : intp, per chosen class the place of its row in ``chosen``.
    one : intp, per row of ``chosen`` a chosen class that has it.
    """

    rows: Rows
    chosen: np.ndarray
    place: np.ndarray
    one: np.ndarray

    def same_rows(self, other: View) -> bool:
        """Whether fewer attributes have the same distinct rows, or nearly: they share a table."""
        return self.rows.row_of is other.rows.row_of

    def raised_to(self, other: View) -> np.ndarray:
        """intp, per row of ``chosen`` the place of the row that fewer attributes make of it."""
        return np.arange(len(self.chosen)) if self.same_rows(other) else other.place[self.one]


@dataclass(frozen=True, eq=False)
class Tables:
    """A class table with its attributes by ascending number of values, and the rows of the first of them.

    Attributes
    ----------
    order : positions in the class table, attributes of fewest values first.
    domains : int64, values an attribute (1 at least), in this order.
    rows : per attribute the rows of it and all before it.
    n_records : records in all.
    """

    order: np.ndarray
    domains: np.ndarray
    rows: tuple[Rows, ...]
    n_records: int

    @classmethod
    def of(cls, classes: ClassTable) -> Tables:
        domains = np.array([max(1, len(values)) for values in classes.categories], dtype=np.int64)
        order = np.argsort(domains, kind="stable")
        codes = np.ascontiguousarray(classes.codes.T[order], dtype=np.int32)
        counts = np.ascontiguousarray(classes.counts, dtype=np.int64)
        rows = [Rows(codes, counts, None)]
        for first, row_of in reversed(_projected(codes, counts, domains[order])):
            n_rows = int(row_of.max(initial=-1)) + 1
            if n_rows <= _SMALLER * len(rows[0].counts):
                one = np.empty(n_rows, dtype=np.intp)
                one[row_of[::-1]] = np.arange(len(row_of))[::-1]
                rows.insert(0, Rows(np.ascontiguousarray(codes[:first, one]), sum_by(row_of, n_rows, counts), row_of))
            else:
                rows.insert(0, Rows(rows[0].codes[:first], rows[0].counts, rows[0].row_of))
        return cls(order, domains[order], tuple(rows), int(counts.sum()))


def _projected(codes: np.ndarray, counts: np.ndarray, domains: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """How many attributes, and per class its row of these: for all of the first attributes but the whole table."""
    found: list[tuple[int, np.ndarray]] = []
    group, n_groups = np.zeros(len(counts), np.int32), 1
    numbers, sizes = numbers_for(len(counts)), np.empty(len(counts), np.int64)
    for j in range(len(codes) - 1):
        parts = np.empty(len(counts), np.int32)
        n_groups = part(group, n_groups, codes[j], domains[j], counts, numbers, parts, sizes)
        group = parts
        found.append((j + 1, parts))
    return found
