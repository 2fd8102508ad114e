"""The person whose history is looked at: their rows in the order of time, who shares them, and what is shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.history import (
    History,
    VisitTimes,
    history,
    in_time_order,
    rows_of_person,
    time_columns,
    visit_times,
)
from anonlib.analyses.individuals.made_up import LEAST, MadeUp, made_up
from anonlib.counting.classes import PersonTable
from anonlib.dataset import Dataset
from anonlib.values.cells import MISSING_LABEL
from pages.measure.individuals import results
from pages.measure.individuals.question import Question
from pages.measure.individuals.results import Answer
from ui.session import cache, view
from ui.text import printable

_time_columns = cache.remembered(time_columns)
_visit_times = cache.remembered(visit_times)

HIDDEN = "•••"


@dataclass(frozen=True, eq=False)
class Person:
    """The person looked at: their history, the rows in it, and when these are.

    Attributes
    ----------
    data : the records that are counted.
    rows : their rows in ``data``, in the order of time.
    numbers : the numbers that these rows have on the page, from 1.
    times : None where they stand in the order of the file.
    invented : what is shown in the place of their values; None where these are.
    """

    data: Dataset
    found: History
    rows: np.ndarray
    numbers: np.ndarray
    times: VisitTimes | None
    invented: MadeUp | None

    @property
    def time_of(self) -> list[float | None] | None:
        """When each visit is, as it is shown; None where that is not known, or may not be shown."""
        if self.times is None or (self.invented is not None and not self.invented.day_of):
            return None
        own = self.times.of_record[self.rows].tolist()
        shown = own if self.invented is None else [self.invented.day_of.get(time, np.nan) for time in own]
        return None if all(np.isnan(time) for time in shown) else [None if np.isnan(time) else time for time in shown]

    def shown(self, column: str) -> list[str]:
        """The column's values as they are shown."""
        values = [None if pd.isna(each) else str(each) for each in self.data.records[column].iloc[self.rows]]
        if self.invented is not None:
            if column not in self.invented.shown:
                return [HIDDEN] * len(values)
            values = [self.invented.shown[column][value] for value in values]
        return [MISSING_LABEL if value is None else printable(value) for value in values]


def columns_of_time(data: Dataset) -> tuple[str, ...]:
    """The columns that may say when a visit is."""
    return _time_columns(data)


@cache.remembered
def _table(data: Dataset, *, columns: tuple[str, ...]) -> PersonTable:
    return data.persons(list(columns))


@cache.remembered
def _history(
    data: Dataset, *, rows: tuple[int, ...], known: tuple[str, ...], sensitive: tuple[str, ...], p: float
) -> History:
    table = _table(data, columns=(*known, *sensitive))
    return history(table, rows, known, sensitive, p)


def person_of(
    data: Dataset, question: Question, record: int, known: tuple[str, ...], column: str | None, invent: bool
) -> Person | None:
    """The person of a row (from 0), of whom made-up values are shown or their own; None where the row is left out."""
    counted = data.with_counted().with_missing("category")
    numbers = data.rows_of(counted)
    place = int(np.searchsorted(numbers, record))
    if place == len(numbers) or numbers[place] != record:
        return None
    times = None if column is None else _visit_times(counted, column=column)
    rows = in_time_order(rows_of_person(counted, place), times)
    sensitive = tuple(name for name in data.sensitive if name in question.variables and name not in known)
    found = _history(counted, rows=tuple(rows.tolist()), known=known, sensitive=sensitive, p=share_of_others(question))
    invented = None
    if invent:
        columns = [*dict.fromkeys((*known, *sensitive, *(() if column is None else (column,))))]
        invented = made_up(counted, rows, columns, times, np.random.default_rng(record), least_shown())
    return Person(counted, found, rows, numbers[rows] + 1, times, invented)


def share_of_others(question: Question) -> float:
    """The share of peers that may have another value: the threshold, where it is one of PPP."""
    return question.threshold if question.measure == "ppp" else 0.0


def least_shown() -> int:
    """How many persons have each made-up value."""
    return max(LEAST, view.now().k)


def begin_with(data: Dataset, question: Question, found: Answer) -> int:
    """The record of the page's first individual, or the first of a person of several rows where they have one."""
    first = results.record_at(results.classes_of(data, question), found, 0)
    if len(rows_of_person(data, first)) > 1:
        return first + 1
    return next_of_several(data, -1) + 1


def next_of_several(data: Dataset, after: int) -> int:
    """The next row after one that is the first of a person of several rows, from the top again behind the last."""
    assert data.person_id is not None
    persons = data.records[data.person_id].cat.codes.to_numpy()
    codes, first, times = np.unique(persons, return_index=True, return_counts=True)
    begins = np.sort(first[(times > 1) & (codes >= 0)])
    later = begins[begins > after]
    return int(later[0] if len(later) else begins[0])
