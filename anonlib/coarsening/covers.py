"""Which values a label covers, by what is written: of a file that was made elsewhere, whose steps nobody knows.

A label covers a value where a record with that value can have got it: the same text, a range that the value lies in,
the characters that a mask left, a span of months, the label of a known hierarchy, a list of values, or ``*``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP, Hierarchy
from anonlib.values.cells import Values, is_code, to_numbers
from anonlib.values.dates import dates_or_none, to_dates
from anonlib.values.ranges import ranges_of_months, ranges_of_numbers

_MASKED = re.compile(r"(?P<start>[^*]*)\*+(?P<end>[^*]*)")
_BETWEEN = re.compile(r"\s*[,;|/]\s*|\s+or\s+")


@dataclass(frozen=True, eq=False)
class LabelCovers:
    """What labels cover.

    Attributes
    ----------
    covers : np.ndarray
        bool, values x labels.
    is_read : np.ndarray
        bool, a label each: some rule reads it, whether or not it covers a value. Of another one it is not known what it
        covers, and it covers none here.
    """

    covers: np.ndarray
    is_read: np.ndarray


def covers_as_written(values: Values, labels: Values, hierarchies: Iterable[Hierarchy] = ()) -> LabelCovers:
    """Which of a column's values each label covers.

    Parameters
    ----------
    values : Values
        Distinct values of the original, none missing.
    labels : Values
        Distinct labels of the other file, none missing.
    hierarchies : Iterable[Hierarchy], default ()
        Ways in which the column may have been recoded: the labels of their levels are known. One that does not fit the
        values is passed over.

    Returns
    -------
    LabelCovers

    Examples
    --------
    >>> found = covers_as_written(["31", "34", "52"], ["34", "30-39", "50+", "*", "old"])
    >>> found.covers.astype(int).tolist()
    [[0, 1, 0, 1, 0], [1, 1, 0, 1, 0], [0, 0, 1, 1, 0]]
    >>> found.is_read.tolist()
    [True, True, True, True, False]
    """
    texts, shown = [str(value).strip() for value in values], [str(label).strip() for label in labels]
    covers = np.zeros((len(texts), len(shown)), dtype=bool)
    place = {label: i for i, label in enumerate(shown)}
    for i, text in enumerate(texts):
        if text in place:
            covers[i, place[text]] = True
    is_read = np.array(covers.any(axis=0))
    for hierarchy in hierarchies:
        try:
            levels = hierarchy.on(values)
        except InputError:
            continue
        for level in range(1, levels.n_levels):
            for value, label in enumerate(levels.label(level)):
                if label is not None and label in place:
                    covers[value, place[label]] = is_read[place[label]] = True
    for i, label in enumerate(shown):
        masked = _MASKED.fullmatch(label)
        if label == TOP or (masked and not masked["start"] and not masked["end"]):
            covers[:, i] = is_read[i] = True
        elif masked and not is_read[i]:
            start, end = masked["start"], masked["end"]
            covers[:, i] = [text.startswith(start) and text.endswith(end) for text in texts]
            is_read[i] = True
    left = np.flatnonzero(~is_read)
    for rule in (_by_dates, _by_numbers, _by_lists):
        if len(left):
            by_rule, reads = rule(texts, [shown[i] for i in left])
            covers[:, left] |= by_rule
            is_read[left] |= reads
            left = np.flatnonzero(~is_read)
    return LabelCovers(covers, is_read)


def _by_dates(texts: list[str], labels: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Of a column of dates, or of spans of months: those in a span of months, and the same day written otherwise."""
    covers, reads = np.zeros((len(texts), len(labels)), dtype=bool), np.zeros(len(labels), dtype=bool)
    of_values, of_labels = ranges_of_months(texts), ranges_of_months(labels)
    are_dates = dates_or_none(texts) is not None
    if not are_dates and not of_values.fits.any():
        return covers, reads
    low, high = of_values.low.copy(), of_values.high.copy()
    if are_dates:
        days, of_label = to_dates(texts), to_dates(labels)
        is_day = ~np.isnat(days)
        month = days[is_day].astype("datetime64[M]").astype(np.int64) + 12 * 1970
        low[is_day], high[is_day] = month, month + 1
        covers |= (days[:, None] == of_label) & ~np.isnat(of_label)
        reads |= ~np.isnat(of_label)
    spans = of_labels.fits & ~reads
    covers |= spans & (of_labels.low <= low[:, None]) & (high[:, None] <= of_labels.high)
    return covers, reads | spans


def _by_numbers(texts: list[str], labels: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and ranges within a range, and the same number written otherwise."""
    if is_code(texts):
        return np.zeros((len(texts), len(labels)), dtype=bool), np.zeros(len(labels), dtype=bool)
    of_values, of_labels = (ranges_of_numbers(column, to_numbers(column)) for column in (texts, labels))
    low, high = of_values.low[:, None], of_values.high[:, None]
    begin, end = of_values.begin[:, None], of_values.end[:, None]
    above = (low > of_labels.low) | ((low == of_labels.low) & of_labels.holds_low)
    below = (high < of_labels.high) | ((high == of_labels.high) & of_labels.holds_high)
    below |= of_labels.holds_high & (high < of_labels.end)  # 79.5 in 70-79
    within = (of_labels.begin <= begin) & (end <= of_labels.end)
    is_range = of_values.is_range[:, None]
    return np.where(is_range, within & of_labels.is_range, above & below), of_labels.fits


def _by_lists(texts: list[str], labels: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Labels that list values, such as ``Asian, Black``."""
    place = {text: i for i, text in enumerate(texts)}
    covers, reads = np.zeros((len(texts), len(labels)), dtype=bool), np.zeros(len(labels), dtype=bool)
    for i, label in enumerate(labels):
        parts = _BETWEEN.split(label.strip("{}[]() "))
        if len(parts) > 1 and all(part in place for part in parts):
            covers[[place[part] for part in parts], i] = reads[i] = True
    return covers, reads
