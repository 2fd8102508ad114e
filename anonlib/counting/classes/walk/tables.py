"""The tables that a walk over all sets looks at: attributes of few values have fewer distinct rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anonlib.counting.classes.coding import sum_by
from anonlib.counting.classes.table import ClassTable
from anonlib.counting.classes.walk.numbering import numbers_for, part

_SMALLER = 0.7  # a table of its own for fewer attributes is worth its making from this share of the rows down


@dataclass(frozen=True, eq=False)
class Rows:
    """The distinct rows of the first attributes.

    Attributes
    ----------
    codes : np.ndarray
        int32, attributes x rows.
    counts : np.ndarray
        int32 (int64 where there are 2^31 records), records a row.
    row_of : np.ndarray | None
        int32, per class of the class table its row here; None where they are the classes themselves.
    """

    codes: np.ndarray
    counts: np.ndarray
    row_of: np.ndarray | None

    def seen_by(self, chosen: np.ndarray) -> View:
        """Those of some classes, by their positions, ascending."""
        if self.row_of is None:
            return View(self, chosen.astype(np.int32), *[np.arange(len(chosen), dtype=np.int32)] * 2)
        of_chosen = self.row_of[chosen]
        seen = np.zeros(len(self.counts), dtype=bool)
        seen[of_chosen] = True
        place = (np.cumsum(seen, dtype=np.int32) - 1)[of_chosen]
        one = np.empty(int(seen.sum()), dtype=np.int32)
        one[place] = np.arange(len(chosen), dtype=np.int32)
        return View(self, np.flatnonzero(seen).astype(np.int32), place, one)


@dataclass(frozen=True, eq=False)
class View:
    """The rows of some chosen classes.

    Attributes
    ----------
    rows : Rows
        Of which table.
    chosen : np.ndarray
        int32, the rows, ascending.
    place : np.ndarray
        int32, per chosen class the place of its row in ``chosen``.
    one : np.ndarray
        int32, per row of ``chosen`` a chosen class that has it.
    """

    rows: Rows
    chosen: np.ndarray
    place: np.ndarray
    one: np.ndarray

    def same_rows(self, other: View) -> bool:
        """Whether fewer attributes have the same distinct rows, or nearly: they share a table."""
        return self.rows.row_of is other.rows.row_of

    def raised_to(self, other: View) -> np.ndarray:
        """int32, per row of ``chosen`` the place of the row that fewer attributes make of it."""
        return np.arange(len(self.chosen)) if self.same_rows(other) else other.place[self.one]


class Raised(NamedTuple):
    """For each row of a view its place in the views of fewer attributes that have another table."""

    which: np.ndarray  # int32, per attribute the place in ``place`` of the view it is the last of; -1: the same table
    place: np.ndarray  # int32, views x rows


def raised_from(views: list[View]) -> list[Raised]:
    """Per view, of as many first attributes: its rows in those of fewer."""
    found: list[Raised] = []
    smaller: list[View] = []  # one of each table
    which = np.full(len(views), -1, np.int32)
    for last, view in enumerate(views):
        if last and view.same_rows(views[last - 1]):
            found.append(found[-1])
            continue
        if last:
            which[[j for j in range(last) if views[j].same_rows(views[last - 1])]] = len(smaller)
            smaller.append(views[last - 1])
        places = np.empty((len(smaller), len(view.chosen)), np.int32)
        for i, other in enumerate(smaller):
            places[i] = view.raised_to(other)
        found.append(Raised(which.copy(), places))
    return found


@dataclass(frozen=True, eq=False)
class Tables:
    """A class table with its attributes by ascending number of values, and the rows of the first of them.

    Attributes
    ----------
    order : np.ndarray
        Positions in the class table, attributes of fewest values first.
    domains : np.ndarray
        int64, values an attribute (1 at least), in this order.
    rows : tuple[Rows, ...]
        Per attribute the rows of it and all before it.
    n_records : int
        Records in all.
    """

    order: np.ndarray
    domains: np.ndarray
    rows: tuple[Rows, ...]
    n_records: int

    @property
    def counts(self) -> np.ndarray:
        """Of the classes themselves."""
        return self.rows[-1].counts

    @classmethod
    def of(cls, classes: ClassTable) -> Tables:
        domains = np.array([max(1, len(values)) for values in classes.categories], dtype=np.int64)
        order = np.argsort(domains, kind="stable")
        codes = np.ascontiguousarray(classes.codes.T[order], dtype=np.int32)
        n_records = int(classes.counts.sum())
        counts = np.ascontiguousarray(classes.counts, dtype=np.int32 if n_records < 2**31 else np.int64)
        rows = [Rows(codes, counts, None)]
        for first, row_of in reversed(_projected(codes, counts, domains[order])):
            n_rows = int(row_of.max(initial=-1)) + 1
            if n_rows <= _SMALLER * len(rows[0].counts):
                one = np.empty(n_rows, dtype=np.intp)
                one[row_of[::-1]] = np.arange(len(row_of))[::-1]
                records = sum_by(row_of, n_rows, classes.counts).astype(counts.dtype)
                rows.insert(0, Rows(np.ascontiguousarray(codes[:first, one]), records, row_of))
            else:
                rows.insert(0, Rows(rows[0].codes[:first], rows[0].counts, rows[0].row_of))
        return cls(order, domains[order], tuple(rows), n_records)


def _projected(codes: np.ndarray, counts: np.ndarray, domains: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """How many attributes, and per class its row of these: for all of the first attributes but the whole table."""
    found: list[tuple[int, np.ndarray]] = []
    group, n_groups = np.zeros(len(counts), np.int32), 1
    numbers, sizes = numbers_for(len(counts)), np.empty_like(counts)
    for j in range(len(codes) - 1):
        parts = np.empty(len(counts), np.int32)
        n_groups = part(group, n_groups, codes[j], domains[j], counts, numbers, parts, sizes)
        group = parts
        found.append((j + 1, parts))
    return found
