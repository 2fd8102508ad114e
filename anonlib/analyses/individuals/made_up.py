"""Made-up values in the place of a person's own, for a page that others may see: what is counted stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.history import VisitTimes
from anonlib.basics import checks
from anonlib.dataset import Dataset
from anonlib.reading.records.persons import person_of_codes

LEAST = 10
"""So many persons have each value that is shown in the place of another."""


@dataclass(frozen=True)
class MadeUp:
    """What is shown in the place of a person's values.

    Attributes
    ----------
    shown : Mapping[str, Mapping[str | None, str | None]]
        By column, by the person's own value (None: missing), the made-up one; a column that has too few values which
        enough persons have is not among them, and nothing can be shown of it.
    day_of : Mapping[float, float]
        By the person's own time, the made-up one; empty where none could be made up.
    """

    shown: Mapping[str, Mapping[str | None, str | None]]
    day_of: Mapping[float, float]


def made_up(
    data: Dataset,
    records: Sequence[int] | np.ndarray,
    columns: Sequence[str],
    times: VisitTimes | None,
    rng: np.random.Generator,
    least: int = LEAST,
) -> MadeUp:
    """Draw values of the same columns that enough persons have, without regard to the person's own.

    Equal values stay equal and different ones different, what comes first in time still does, and a row without a time
    has none. But for that nothing that is shown says anything of the person: each value is as likely as any other to
    be drawn in the place of theirs, their own one among them.

    Parameters
    ----------
    data : Dataset
        Records in memory, with a person id.
    records : Sequence[int] | np.ndarray
        The person's rows, from 0.
    columns : Sequence[str]
        The columns that are shown.
    times : VisitTimes | None
        When rows are, where that is known. Days are drawn between those before and after which enough persons have
        one; other times like the values of any column, in their order.
    rng : np.random.Generator
        What is drawn from.
    least : int, default LEAST
        How many persons have each value that is shown, 2 or more.
    """
    least = checks.whole(least, "How many have each value", 2)
    frame, places = data.records, np.asarray(records, dtype=np.intp)
    assert data.person_id is not None
    ids = frame[data.person_id].cat
    persons = person_of_codes(ids.codes.to_numpy(), len(ids.categories))
    shown = {}
    for name in columns:
        if times is not None and name == times.column:
            continue
        common = _common(frame[name], persons, least)
        own = list(dict.fromkeys(_text(value) for value in frame[name].iloc[places]))
        if len(common) >= len(own):
            drawn = rng.choice(len(common), size=len(own), replace=False)
            shown[name] = {value: common[i] for value, i in zip(own, drawn.tolist(), strict=True)}
    if times is None:
        return MadeUp(shown, {})
    of_time, day_of = _of_times(frame[times.column], places, times, persons, rng, least)
    return MadeUp(shown | ({times.column: of_time} if of_time else {}), day_of)


def _text(value: Any) -> str | None:
    return None if pd.isna(value) else str(value)


def _common(column: pd.Series, persons: np.ndarray, least: int) -> list[str | None]:
    """The values of a column, missing among them, that so many persons have in a row of theirs."""
    codes, values = column.cat.codes.to_numpy().astype(np.int64) + 1, [None, *column.cat.categories]
    pairs = np.unique(persons * len(values) + codes)
    counts = np.bincount(pairs % len(values), minlength=len(values))
    return [value for value, number in zip(values, counts.tolist(), strict=True) if number >= least]


def _of_times(
    column: pd.Series, places: np.ndarray, times: VisitTimes, persons: np.ndarray, rng: np.random.Generator, least: int
) -> tuple[dict[str | None, str | None], dict[float, float]]:
    """By the person's own values of the column the made-up ones, and the same of times; none where there are few."""
    own = {_text(column.iloc[place]): times.of_record[place] for place in places.tolist()}
    distinct = sorted({time for time in own.values() if not np.isnan(time)})
    if times.kind == "dates":
        offered = _days_between(times, persons, least)
        written = {day: str(np.datetime64(int(day), "D")) for day in offered}
    else:
        time_of = dict(zip(times.values.tolist(), times.of_value.tolist(), strict=True))
        common = [value for value in _common(column, persons, least) if value is not None]
        written = {time_of[value]: value for value in common if not np.isnan(time_of[value])}
        offered = sorted(written)
    if not distinct or len(offered) < len(distinct):
        return {}, {}
    drawn = np.sort(rng.choice(len(offered), size=len(distinct), replace=False)).tolist()
    day_of = {time: float(offered[i]) for time, i in zip(distinct, drawn, strict=True)}
    shown = {value: written[day_of[time]] if time in day_of else None for value, time in own.items()}
    return shown, day_of


def _days_between(times: VisitTimes, persons: np.ndarray, least: int) -> list[float]:
    """The days between the first by which so many persons were there and the last after which as many were."""
    known = ~np.isnan(times.of_record)
    days = pd.Series(times.of_record[known])
    number = pd.factorize(persons[known])[0]
    n_persons = int(number.max(initial=-1)) + 1
    if n_persons < least:
        return []
    first, last = np.full(n_persons, np.inf), np.full(n_persons, -np.inf)
    np.minimum.at(first, number, days.to_numpy())
    np.maximum.at(last, number, days.to_numpy())
    low, high = np.sort(first)[least - 1], np.sort(last)[-least]
    return np.arange(low, high + 1).tolist() if low <= high else []
