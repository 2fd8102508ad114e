"""When the rows of a person are: the columns that say it, and the rows in that order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.values.cells import is_code, ranges_or_none, to_numbers
from anonlib.values.dates import ENOUGH, dates_or_none

Kind = Literal["dates", "months", "numbers"]
_MAY_BE_SHOWN = (Role.QUASI_IDENTIFIER, Role.PLACE, Role.OTHER)
_EPOCH_MONTH = 12 * 1970  # months are counted from the year 0


@dataclass(frozen=True, eq=False)
class VisitTimes:
    """A column's values as times.

    Attributes
    ----------
    column : str
        Its name.
    kind : Kind
        "dates" and "months" have days since 1970 as times, "numbers" are themselves, such as the days since a first
        visit.
    values : np.ndarray
        Object array, the values, in the column's order.
    of_value : np.ndarray
        float64, a time each, NaN for a value that is none.
    of_record : np.ndarray
        float64, that of each row of the data set, NaN where it has none.
    rank_of_record : np.ndarray
        float64, the place of each row's time in the order of all; moments of one day are apart.
    """

    column: str
    kind: Kind
    values: np.ndarray
    of_value: np.ndarray
    of_record: np.ndarray
    rank_of_record: np.ndarray

    @property
    def are_days(self) -> bool:
        """Whether the times are days since 1970."""
        return self.kind != "numbers"


def visit_times(data: Dataset, column: str) -> VisitTimes | None:
    """The times in a column of records in memory; None where its values are none."""
    held = data.records[column].cat
    values = held.categories.to_numpy(dtype=object)
    parsed = _times_of(values)
    if parsed is None:
        return None
    kind, times, ranks = parsed
    codes = held.codes.to_numpy()
    return VisitTimes(column, kind, values, times, np.append(times, np.nan)[codes], np.append(ranks, np.nan)[codes])


def _times_of(values: np.ndarray) -> tuple[Kind, np.ndarray, np.ndarray] | None:
    """What the values are, their times, and ranks by which they are in order."""
    texts = values.tolist()
    dates = dates_or_none(texts)
    if dates is not None:
        days = np.where(np.isnat(dates.days), np.nan, dates.days.astype("datetime64[D]").astype(np.float64))
        if not dates.has_times:
            return "dates", days, days
        ranks = np.empty(len(days))
        ranks[np.argsort(days, kind="stable")] = np.arange(len(days))  # of one day, the values are in natural order
        return "dates", days, np.where(np.isnan(days), np.nan, ranks)
    ranges = ranges_or_none(texts)
    if ranges is not None and ranges.of == "months":
        whole = np.isfinite(ranges.begin)
        months = np.where(whole, ranges.begin, _EPOCH_MONTH).astype(np.int64) - _EPOCH_MONTH
        days = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.float64)
        days = np.where(whole, days, np.nan)
        return ("months", days, days) if whole.any() else None
    numbers = to_numbers(texts)
    if not is_code(texts) and len(texts) and float(np.mean(np.isfinite(numbers))) >= ENOUGH:
        return "numbers", numbers, numbers
    return None


def time_columns(data: Dataset) -> tuple[str, ...]:
    """The columns that may say when a row is, those of dates and months first, and then those that change for most.

    They change for some person, and may be shown: their role is neither sensitive nor that of an identifier.
    """
    if data.person_id is None:
        return ()
    offered = data.columns_with(*_MAY_BE_SHOWN)
    changing = data.held.changing_within(data.person_id, offered)
    by_column = {name: times for name in offered if changing[name] and (times := visit_times(data, name)) is not None}
    return tuple(sorted(by_column, key=lambda name: (not by_column[name].are_days, -changing[name])))


def rows_of_person(data: Dataset, record: int) -> np.ndarray:
    """intp, ascending: the rows of the person whom a row (from 0) is of; just this one where it has no person id.

    Raises
    ------
    InputError
        For a row that is not there, and where no persons are counted.
    """
    if data.person_id is None:
        raise InputError(
            "No column says which rows are of one person. Give one the role “Person id”.", code="no-person-id"
        )
    persons = data.records[data.person_id].cat.codes.to_numpy()
    if not 0 <= record < len(persons):
        raise InputError(f"The data set has {len(persons):,} rows: choose one of them.", code="row-unknown")
    return np.flatnonzero(persons == persons[record]) if persons[record] >= 0 else np.array([record])


def in_time_order(records: Sequence[int] | np.ndarray, times: VisitTimes | None) -> np.ndarray:
    """intp: some rows of the data set in the order of time; equal times in the order of the file, none last."""
    places = np.sort(np.asarray(records, dtype=np.intp))
    if times is None:
        return places
    return places[np.argsort(times.rank_of_record[places], kind="stable")]  # NaN is sorted last
