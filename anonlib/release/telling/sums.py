"""Sums and differences of two columns of numbers or dates that leave, and what they tell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from anonlib.basics.progress import Progress
from anonlib.columns.roles import numbers_are_dates
from anonlib.counting.classes import ClassTable
from anonlib.release.readings import MOST_VALUES, Amounts, amounts, sums_and_differences
from anonlib.release.telling.found import Telling
from anonlib.release.telling.hidden import Hidden
from anonlib.release.telling.leaving import Leaving


class Sums:
    """What the sums and differences of two columns tell, of which k counts at most one.

    Attributes
    ----------
    work : int
        Rows times sums and differences that are looked at, about.
    """

    def __init__(self, release: Leaving, rows: Hidden) -> None:
        """``rows`` are of what is hidden and of all columns that leave, by records or persons."""
        self._release, self._of_rows = release, release.wide.has_several_rows
        self._named = dict(zip(release.before, release.hidden, strict=True))
        leaving = {*release.left, *release.counted}
        numbers = [name for name in release.original.columns if name in leaving and self._numbers(rows, name)]
        self._pairs = [pair for pair in combinations(numbers, 2) if not set(release.left).isdisjoint(pair)]
        if self._of_rows and self._pairs:
            labels = [name for name in release.labels if name is not None]
            names = dict.fromkeys([*release.before, *labels, *(name for pair in self._pairs for name in pair)])
            rows = Hidden(ClassTable.from_records(release.wide.held, list(names)), release.labels)
        self._rows, self._by_class = rows, dict[str, Amounts | None]()
        self.work = 2 * len(self._pairs) * rows.table.n_classes

    def _numbers(self, rows: Hidden, name: str) -> Amounts | None:
        """A column as numbers, one a value; None where it is none of numbers."""
        cells = rows.cells(name)
        if len(cells.texts) > MOST_VALUES:
            return None
        return amounts(cells, numbers_are_dates(self._release.original.held, self._named.get(name, name)))

    def _of_classes(self, name: str) -> Amounts | None:
        """A column as numbers, one a class; found once."""
        if name not in self._by_class:
            amounts, codes = self._numbers(self._rows, name), self._rows.codes(name)
            years = None if amounts is None or amounts.years is None else amounts.years[codes]
            self._by_class[name] = None if amounts is None else Amounts(amounts.numbers[codes], years)
        return self._by_class[name]

    def found(self, by_equal_values: Sequence[Telling], progress: Progress) -> list[Telling]:
        """What sums and differences tell that neither column tells alone, nor both by equal values."""
        rows, tellings = self._rows, list[Telling]()
        for done, (one, other) in enumerate(self._pairs):
            progress(done / len(self._pairs))
            known = {
                telling.tells
                for telling in by_equal_values
                if {telling.column, telling.beside or telling.column} <= {one, other}
            }
            open_to = [i for i, name in enumerate(self._release.hidden) if name not in known and rows.wrong[i]]
            is_recoded = not self._release.recoded.isdisjoint((one, other))
            first, second = self._of_classes(one), self._of_classes(other)
            best: dict[int, tuple[int, str]] = {}
            for by, numbers in sums_and_differences(first, second) if first and second and open_to else ():
                known_by_it = self._known_of(numbers, open_to, is_recoded)
                best |= {i: (n, by) for i, n in known_by_it.items() if n > best.get(i, (0, ""))[0]}
            for i, (n, by) in best.items():
                tells = self._release.hidden[i]
                column, beside = (other, one) if one == tells else (one, other)
                tellings.append(Telling(column, tells, n, rows.n, beside, by, self._of_rows))
        return tellings

    def _known_of(self, numbers: np.ndarray, hidden: Sequence[int], is_recoded: bool) -> dict[int, int]:
        codes, distinct = pd.factorize(numbers, use_na_sentinel=False)
        known = self._rows.known_of(codes.astype(np.intp), len(distinct), hidden, is_recoded) or {}
        for i in hidden:
            if i in known or self._rows.is_shared[i]:
                continue
            of_hidden = self._of_classes(self._release.before[i])
            n = 0 if of_hidden is None else self._rows.equal(numbers, of_hidden.numbers)
            known |= {i: n} if self._rows.tells(n, i, is_recoded) else {}
        return known
