"""Which labels of a file that was made elsewhere are true of which values of the original, by what is written.

Nobody knows the steps that made such a file. A label is true of a value, or covers it, where a record with that value
can have got it: the same text, a range that the value lies in, the characters that a mask left, a span of months, the
label of a known hierarchy, a list of values, ``*``, or an empty cell. The rules stand in
docs/decisions/labels-elsewhere.md.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP, Hierarchy
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.values.cells import Values, is_code, to_numbers
from anonlib.values.dates import dates_or_none, to_dates
from anonlib.values.ranges import BRACKETS, SPAN, ranges_of_months, ranges_of_numbers

_MASKED = re.compile(r"(?P<start>[^*]*)\*+(?P<end>[^*]*)")
_YEAR_MONTH_OR_DAY = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-\d\d)?)?")
_DAY_LENGTH = len("2024-03-18")
_A_SET = "\0"  # in the place of the values of a person's rows, which no rule but that of the same text reads
_BETWEEN = re.compile(r"\s*[,;|/]\s*|\s+or\s+")
_AT_ONCE = 4_000_000  # values x labels that are compared at a time
_MOST_PAIRS = 5_000_000  # of a value and a range that it lies in; ranges beyond are not read

Pairs = tuple[np.ndarray, np.ndarray]  # places of values, and of the labels that are true of them


@dataclass(frozen=True, eq=False)
class LabelCovers:
    """What labels cover.

    Attributes
    ----------
    start : np.ndarray
        int64, values + 1: where in ``label`` the labels of each value begin.
    label : np.ndarray
        int64, one value after the other: places of the labels that are true of it, narrowest first. That is the same
        text, then what covers fewest values, then of ranges the shortest. Those that are true of everything are not
        among them.
    is_read : np.ndarray
        bool, a label each: some rule reads it, whether or not it covers a value. Of another one it is not known what it
        covers, and it covers none here.
    of_all : np.ndarray
        bool, a label each: it is true of everything, as ``*`` is.
    """

    start: np.ndarray
    label: np.ndarray
    is_read: np.ndarray
    of_all: np.ndarray

    @property
    def narrowest(self) -> np.ndarray:
        """int64, per value the narrowest label that is true of it; -1 where none but those of everything is."""
        has_label = self.start[1:] > self.start[:-1]
        narrowest = np.full(len(has_label), -1, dtype=np.int64)
        narrowest[has_label] = self.label[self.start[:-1][has_label]]
        return narrowest

    @cached_property
    def with_all(self) -> tuple[np.ndarray, np.ndarray]:
        """``start`` and ``label`` with the labels that are true of everything, ascending in each value."""
        n_values, of_all = len(self.start) - 1, np.flatnonzero(self.of_all)
        value = np.concatenate(
            [np.repeat(np.arange(n_values), np.diff(self.start)), np.repeat(np.arange(n_values), len(of_all))]
        )
        label = np.concatenate([self.label, np.tile(of_all, n_values)])
        order = np.lexsort((label, value))
        return _starts(value, n_values), label[order]


def covers_as_written(values: Values, labels: Values, hierarchies: Iterable[Hierarchy] = ()) -> LabelCovers:
    """Which labels are true of each of a column's values.

    Parameters
    ----------
    values : Values
        Distinct values of the original; None is a missing one.
    labels : Values
        Distinct labels of the other file; None is an empty cell. It is true of a missing value; where the original has
        none, the cell was hidden, and it is true of everything.
    hierarchies : Iterable[Hierarchy], default ()
        Ways in which the column may have been recoded: the labels of their levels are known. One that does not fit the
        values is passed over.

    Returns
    -------
    LabelCovers
        Read exactly: a label with the text of a value is true of that value, and of others only by a hierarchy.

    Examples
    --------
    >>> covers = covers_as_written(["31", "34", "52"], ["30-39", "34", "50+", "*", "old"])
    >>> [covers.label[covers.start[i] : covers.start[i + 1]].tolist() for i in range(3)]
    [[0], [1, 0], [2]]
    >>> covers.is_read.tolist(), covers.of_all.tolist()
    ([True, True, True, True, False], [False, False, False, True, False])
    """
    has_value, has_label = (np.array([text is not None for text in texts], dtype=bool) for texts in (values, labels))
    of_texts, of_labels = np.flatnonzero(has_value), np.flatnonzero(has_label)
    reading = _Reading(*([text for text in texts if text is not None] for texts in (values, labels)))
    reading.read(hierarchies)
    value, label, order = reading.ordered()
    missing, empty = np.flatnonzero(~has_value), np.flatnonzero(~has_label)
    is_read, of_all = np.ones(len(has_label), dtype=bool), np.zeros(len(has_label), dtype=bool)
    is_read[of_labels], of_all[of_labels] = reading.is_read, reading.of_all
    of_all[empty] = empty_cells_are_hidden(values)
    beside = np.repeat(missing, len(empty)), np.tile(empty, len(missing))
    value, label = (np.concatenate(both) for both in zip((of_texts[value], of_labels[label]), beside, strict=True))
    order = np.lexsort((np.append(order, np.zeros(len(beside[0]), dtype=np.int64)), value))
    return LabelCovers(_starts(value, len(has_value)), label[order], is_read, of_all)


def empty_cells_are_hidden(values: Values) -> bool:
    """Whether an empty cell of another file is true of everything, as ``*`` is.

    That is where none of the original's values is missing. Else it is true of missing values alone. Where some of these
    cells were hidden as well, fewer records than there are count as like somebody, so that nobody looks safer than they
    are.

    Parameters
    ----------
    values : Values
        Distinct values of the original; None is a missing one.
    """
    return all(value is not None for value in values)


def _starts(value: np.ndarray, n_values: int) -> np.ndarray:
    return np.append(0, np.bincount(value, minlength=n_values).cumsum()).astype(np.int64)


class _Reading:
    """Texts and labels, and what is true of what as far as it is read."""

    def __init__(self, texts: list[str], labels: list[str]) -> None:
        self._raw = texts, labels
        self.texts, self.labels = (
            [_A_SET if isinstance(text, ValueSet) else str(text).strip() for text in column] for column in self._raw
        )
        self.is_read, self.of_all = np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=bool)
        self._width = np.zeros(len(labels))
        self._pairs: list[Pairs] = []
        self._n_same = self._n_pairs = 0

    def read(self, hierarchies: Iterable[Hierarchy]) -> None:
        self._same_texts()
        for hierarchy in hierarchies:
            self._of_hierarchy(hierarchy)
        self._of_masks()
        for rule in (self._of_dates, self._of_numbers, self._of_lists):
            left = np.flatnonzero(~self.is_read)
            if len(left) and self.texts:
                rule(left)

    def ordered(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places of values and of labels, each pair once, and a number by which those of a value are in order."""
        n = len(self.labels)
        empty = np.zeros(0, dtype=np.int64)
        value = np.concatenate([empty, *(pairs[0] for pairs in self._pairs)])
        label = np.concatenate([empty, *(pairs[1] for pairs in self._pairs)])
        keys, first = np.unique(value * n + label, return_index=True)
        first = first[~self.of_all[keys % n]] if len(keys) else first
        value, label = value[first], label[first]
        is_same = first < self._n_same
        n_covered = np.bincount(label, minlength=n)
        of_label = np.empty(n, dtype=np.int64)
        of_label[np.lexsort((self._width, n_covered))] = np.arange(n)
        return value, label, np.where(is_same, -1, of_label[label]) + 1

    def _add(self, value: Iterable[int] | np.ndarray, label: Iterable[int] | np.ndarray) -> None:
        pairs = tuple(np.asarray(places, dtype=np.int64) for places in (value, label))
        self._pairs.append((pairs[0], pairs[1]))
        self.is_read[pairs[1]] = True

    def _same_texts(self) -> None:
        """The same text; and blanks around it apart, where either has no other."""
        (texts, labels), place = self._raw, dict[str, int]()
        for i, label in enumerate(labels):
            place[label] = i
        pairs = [(i, place[text]) for i, text in enumerate(texts) if text in place]
        self._add(*_two(pairs))
        self._n_same = len(pairs)
        seen = {i for i, _ in pairs}
        self.is_read[[isinstance(label, ValueSet) for label in labels]] = True
        by_text = _by(self.labels)
        self._add(
            *_two(
                (i, j) for i, text in enumerate(self.texts) if text in by_text and text != _A_SET
                for j in by_text[text] if i not in seen or not self.is_read[j]
            )
        )  # fmt: skip

    def _of_hierarchy(self, hierarchy: Hierarchy) -> None:
        try:
            levels = hierarchy.on(self._raw[0])
        except InputError:
            return
        by_text = _by(self.labels)
        for level in range(1, levels.n_levels):
            its_labels = enumerate(levels.label(level))
            self._add(*_two((i, j) for i, label in its_labels if label is not None for j in by_text.get(label, ())))

    def _of_masks(self) -> None:
        """The characters that a mask left, and the beginning of a date: ``021**``, ``*89``; ``2024``, ``2024-03``."""
        by_lengths = defaultdict[tuple[int, int], list[tuple[str, str, int]]](list)
        for j, label in enumerate(self.labels):
            masked = _MASKED.fullmatch(label)
            if label == TOP or (masked and not masked["start"] and not masked["end"]):
                self.is_read[j] = self.of_all[j] = True
            elif self.is_read[j]:
                continue
            elif masked:
                start, end = masked["start"], masked["end"]
                by_lengths[len(start), len(end)].append((start, end, j))
            elif _YEAR_MONTH_OR_DAY.fullmatch(label):
                start = label if len(label) == _DAY_LENGTH else f"{label}-"  # behind a day a time follows
                by_lengths[len(start), 0].append((start, "", j))
        for (n_start, n_end), left in by_lengths.items():
            kept = defaultdict[tuple[str, str], list[int]](list)
            for i, text in enumerate(self.texts):
                if len(text) >= n_start + n_end:
                    kept[text[:n_start], text[len(text) - n_end :]].append(i)
            pairs = _two((i, j) for start, end, j in left for i in kept.get((start, end), ()))
            self._pairs.append((pairs[0], pairs[1]))
            self.is_read[[j for *_, j in left if "*" in self.labels[j]]] = True

    def _of_dates(self, left: np.ndarray) -> None:
        """Of a column of dates, or of spans of months: those in a span, and the same day written otherwise."""
        of_values, of_labels = ranges_of_months(self.texts), ranges_of_months(self.labels)
        are_dates = dates_or_none(self.texts) is not None
        if not are_dates and not of_values.fits.any():
            self._of_beginnings(left)
            return
        low, high = of_values.low.copy(), of_values.high.copy()
        if are_dates:
            days, of_label = to_dates(self.texts), to_dates(self.labels)
            is_day = ~np.isnat(days)
            month = days[is_day].astype("datetime64[M]").astype(np.int64) + 12 * 1970
            low[is_day], high[is_day] = month, month + 1
            left_days = left[~np.isnat(of_label[left])]
            self._join(days, of_label, left_days)
            left = np.setdiff1d(left, left_days)
        spans = left[of_labels.fits[left]]
        self._width[spans] = of_labels.high[spans] - of_labels.low[spans]
        rows = np.flatnonzero(~np.isnan(low))
        low, high = low[rows, None], high[rows, None]
        self._compare(rows, spans, lambda some: (of_labels.low[some] <= low) & (high <= of_labels.high[some]))
        self._of_beginnings(left)

    def _of_beginnings(self, left: np.ndarray) -> None:
        """A year, a month or a day with which values begin is read, whatever the column is."""
        begun = {*np.concatenate([np.zeros(0, dtype=np.int64), *(label for _, label in self._pairs)]).tolist()}
        self.is_read[[j for j in left.tolist() if j in begun]] = True

    def _of_numbers(self, left: np.ndarray) -> None:
        """Numbers and ranges within a range, and the same number written otherwise."""
        if is_code(self.texts) and any(text.startswith("0") for text in self.texts):
            left = np.array([j for j in left if _is_range_of_codes(self.labels[j], len(self.texts[0]))], dtype=np.int64)
        of_values, of_labels = (
            ranges_of_numbers(column, to_numbers(column)) for column in (self.texts, self.labels)
        )  # fmt: skip
        numbers = np.where(of_values.is_range, np.nan, of_values.low)
        self._join(numbers, of_labels.low, left[of_labels.fits[left] & ~of_labels.is_range[left]])
        spans = left[of_labels.is_range[left]]
        self._width[spans] = of_labels.high[spans] - of_labels.low[spans]
        holds_low, holds_high = of_labels.holds_low[spans], of_labels.holds_high[spans]
        goes_on = holds_high & (of_labels.end[spans] > of_labels.high[spans])  # 79.5 in 70-79
        above = np.where(goes_on, of_labels.end[spans], of_labels.high[spans])
        self._between(numbers, spans, (of_labels.low[spans], ~holds_low), (above, holds_high & ~goes_on))
        rows = np.flatnonzero(of_values.is_range)
        begin, end = of_values.begin[rows, None], of_values.end[rows, None]
        self._compare(rows, spans, lambda some: (of_labels.begin[some] <= begin) & (end <= of_labels.end[some]))

    def _of_lists(self, left: np.ndarray) -> None:
        """Labels that list values, such as ``Asian, Black``."""
        by_text = _by(self.texts)
        for j in left.tolist():
            parts = _BETWEEN.split(self.labels[j].strip("{}[]() "))
            if len(parts) > 1 and all(part in by_text for part in parts):
                value = [i for part in dict.fromkeys(parts) for i in by_text[part]]
                self._add(value, [j] * len(value))

    def _join(self, of_values: np.ndarray, of_labels: np.ndarray, left: np.ndarray) -> None:
        """Labels of the same number or day as a value."""
        nowhere = np.zeros(len(left), dtype=bool)
        self._between(of_values, left, (of_labels[left], nowhere), (of_labels[left], ~nowhere))

    def _between(
        self, of_values: np.ndarray, left: np.ndarray, low: tuple[np.ndarray, np.ndarray],
        high: tuple[np.ndarray, np.ndarray],
    ) -> None:  # fmt: skip
        """Labels of the values from a limit to another, each with whether what is equal to it is before it."""
        order = np.argsort(of_values, kind="stable")
        in_order = of_values[order][: len(order) - int((of_values != of_values).sum())]  # what is none comes last
        first, last = (
            np.where(*(is_before, *(np.searchsorted(in_order, limit, side=side) for side in ("right", "left"))))
            for limit, is_before in (low, high)
        )
        n = np.maximum(last - first, 0)
        kept = self._n_pairs + n.cumsum() <= _MOST_PAIRS
        left, first, n = left[kept], first[kept], n[kept]
        before = np.repeat(n.cumsum() - n, n)
        self._add(order[np.repeat(first, n) + np.arange(len(before)) - before], np.repeat(left, n))
        self._n_pairs += int(n.sum())
        self.is_read[left] = True

    def _compare(self, rows: np.ndarray, left: np.ndarray, covers: Callable[[np.ndarray], np.ndarray]) -> None:
        """Labels that are compared with some values, some at a time."""
        if not len(rows):
            return
        for some in _slices(left, max(1, _AT_ONCE // len(rows))):
            value, place = np.nonzero(covers(some))
            self._n_pairs += len(value)
            if self._n_pairs > _MOST_PAIRS:
                self.is_read[left[np.searchsorted(left, some[0]) :]] = False
                return
            self._add(rows[value], some[place])
            self.is_read[some] = True


def _is_range_of_codes(label: str, length: int) -> bool:
    """Whether a range has ends of so many digits: 02000-02999 holds 02138, and 2000-3000 is something else."""
    if match := SPAN.fullmatch(label):
        ends: Sequence[str] = (match[1], match[3])
    elif match := BRACKETS.fullmatch(label):
        ends = (match[2], match[4])
    else:
        return False
    return all(len(end) == length for end in ends)


def _by(texts: Sequence[str]) -> dict[str, list[int]]:
    """By text its places."""
    places = defaultdict[str, list[int]](list)
    for i, text in enumerate(texts):
        places[text].append(i)
    return dict(places)


def _two(pairs: Iterable[tuple[int, int]]) -> Pairs:
    table = np.array([*pairs], dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _slices(places: np.ndarray, size: int) -> Iterator[np.ndarray]:
    return (places[i : i + size] for i in range(0, len(places), size))
