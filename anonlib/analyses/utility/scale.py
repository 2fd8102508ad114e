"""Labels as places on a scale: numbers, intervals by their middle, dates; and which label a number lies in."""

from __future__ import annotations

import numpy as np

from anonlib.coarsening.covers import covers_as_written
from anonlib.coarsening.hierarchies import TOP
from anonlib.values.cells import Values, is_code, to_numbers
from anonlib.values.dates import to_dates
from anonlib.values.ranges import ranges_of_months, ranges_of_numbers


def on_scale(labels: Values) -> np.ndarray | None:
    """Where each of a column's labels stands, if all of them are numbers, intervals of numbers, or dates.

    Parameters
    ----------
    labels : Values
        Distinct labels. ``*`` stands nowhere. Codes of digits, such as ZIP codes, are no numbers.

    Returns
    -------
    float64 array or None
        Per label a number, or days since 1970: an interval's middle, the limit of one that is open on one side, the
        first day of a month or a quarter, NaN for ``*``. None where a label is anything else, or none is on a scale.
    """
    texts = [str(label).strip() for label in labels]
    known = np.array([text != TOP for text in texts], dtype=bool)
    named = [text for text in texts if text != TOP]
    if not named or is_code(named):
        return None
    days = to_dates(named)
    if not np.isnat(days).any():
        return _of_known(known, days.astype(np.int64).astype(float))
    low, high = limits(named)
    middle = np.where(np.isinf(low), high, np.where(np.isinf(high), low, low / 2 + high / 2))
    places = np.where(np.isnan(middle), np.nan, middle) if not np.isnan(middle).any() else _days(named)
    return None if places is None else _of_known(known, places)


def _of_known(known: np.ndarray, places: np.ndarray) -> np.ndarray:
    all_places = np.full(len(known), np.nan)
    all_places[known] = places
    return all_places


def limits(labels: Values) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest number that each label stands for.

    Parameters
    ----------
    labels : Values
        Distinct labels: ``34``, ``30-39``, ``-5 to -1``, ``[30, 40)``, ``[30, 40[``, ``<20``, ``90+``.

    Returns
    -------
    low, high : float64 array
        Infinite on an open side; both NaN for what is neither a number nor an interval.
    """
    texts = [str(label).strip() for label in labels]
    ranges = ranges_of_numbers(texts, to_numbers(texts))
    low = np.where(ranges.holds_low | np.isinf(ranges.low), ranges.low, np.nextafter(ranges.low, np.inf))
    high = np.where(ranges.holds_high | np.isinf(ranges.high), ranges.high, np.nextafter(ranges.high, -np.inf))
    return low, high


def label_holding(values: Values, labels: Values) -> np.ndarray:
    """Which label each value belongs to by what is written.

    See :func:`anonlib.coarsening.covers.covers_as_written`.

    Parameters
    ----------
    values, labels : Values
        Distinct values and labels.

    Returns
    -------
    int array
        Per value the position of its label, the narrowest of several; -1 where there is none.
    """
    return covers_as_written(values, labels).narrowest


def _days(texts: list[str]) -> np.ndarray | None:
    """Days since 1970 of dates, and of the first days of months and spans of them; None where a text is none."""
    dates = to_dates(texts)
    spans = ranges_of_months(texts)
    first = np.where(spans.fits, spans.low, 12 * 1970).astype(np.int64) - 12 * 1970
    days = np.where(np.isnat(dates) & spans.fits, first.astype("datetime64[M]").astype("datetime64[D]"), dates)
    return None if np.isnat(days).any() else days.astype(np.int64).astype(float)
