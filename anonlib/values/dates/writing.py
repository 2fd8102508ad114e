"""Dates moved by days and written as their column writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.values.dates import patterns
from anonlib.values.dates.month_names import MonthNames, names_of
from anonlib.values.dates.reading import (
    FIRST_OF_TWO_DIGITS,
    First,
    Values,
    chosen_orders,
    days_of,
    group_of,
    numbers_among,
    parts_of,
)


def shifted(
    values: Values, offsets: int | Sequence[int] | np.ndarray, *, numbers: bool = False, first: First = "day"
) -> np.ndarray:
    """Dates some days later or earlier, each in the form that it has: with its time, its marks, zeros and language.

    Parameters
    ----------
    values : Values
        Distinct values, as :func:`anonlib.values.dates.read_dates` reads them.
    offsets : int | Sequence[int] | np.ndarray
        Days, one for all or an item a value; below 0 for earlier.
    numbers : bool, default False
        Whether something else says that the values are dates, so that day numbers of a spreadsheet and seconds since
        1970 are read too.
    first : First, default "day"
        What stands first where no value tells whether the day or the month does.

    Returns
    -------
    object array of str
        What is no date stays as it is. A weekday in front is left out: it would tell the days up to a week.

    Raises
    ------
    InputError
        Where a date would leave the years 1 to 9999, or those that two digits can say.

    Examples
    --------
    >>> shifted(["28FEB2021", "1MAR2021"], 3).tolist(), shifted(["12/31/99 10:15", "01/01/98 23:59"], 1).tolist()
    (['3MAR2021', '4MAR2021'], ['01/01/00 10:15', '01/02/98 23:59'])
    """
    written = DatesAsWritten(values, numbers=numbers, first=first)
    days = np.broadcast_to(np.asarray(offsets, dtype=np.int64), len(written.days))
    return written.moved(np.arange(len(written.days)), days)


class DatesAsWritten:
    """A column's distinct values with how each is written, so that a date can be moved in several ways.

    Attributes
    ----------
    days : datetime64[D] array, an item a value; NaT for a value that is no date.
    """

    def __init__(self, values: Values, *, numbers: bool = False, first: First = "day") -> None:
        """Read them; the parameters are as of :func:`shifted`."""
        texts = [str(value).strip() for value in values]
        self._values = np.array([*values, None], dtype=object)[:-1]
        self._matches = {i: match for i, text in enumerate(texts) if (match := patterns.match_of(text)) is not None}
        self._styles: dict[int, tuple[str, _Style]] = {}
        groups: dict[str, list[int]] = {}
        for i, match in self._matches.items():
            groups.setdefault(group_of(match), []).append(i)
        alike = {group: [self._matches[i] for i in members] for group, members in groups.items()}
        chosen = chosen_orders(alike, first)
        self.days = np.full(len(texts), np.datetime64("NaT", "D"))
        for group, members in groups.items():
            order = chosen[group][0]
            if order is not None:
                group_days = days_of(parts_of(match, order) for match in alike[group])
                self.days[members] = group_days
                read = np.array(members, dtype=np.intp)[~np.isnat(group_days)].tolist()
                self._styles.update(dict.fromkeys(read, (order, _style(alike[group], order))))
        numbered = numbers_among(texts, self.days, numbers=numbers)
        self._unit = 1 if numbered is None else numbered.unit
        if numbered is not None:
            self.days = np.where(np.isnat(self.days), numbered.days, self.days)

    def moved(self, places: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Some of the values, each so many days later.

        Parameters
        ----------
        places : np.ndarray
            Positions of values, in any order and as often as wished.
        offsets : np.ndarray
            int, as many: days, below 0 for earlier.

        Returns
        -------
        object array of str
            As of :func:`shifted`, which also says what is raised.
        """
        labels = self._values[places]
        is_date, days = ~np.isnat(self.days[places]), self.days.astype(np.int64)[places] + offsets
        pieces: dict[int, _Pieces] = {}
        for i in np.flatnonzero(is_date).tolist():
            place = int(places[i])
            if place not in self._styles:
                labels[i] = self._number_moved(str(labels[i]).strip(), int(offsets[i]))
                continue
            if place not in pieces:
                pieces[place] = _Pieces.of(self._matches[place], *self._styles[place])
            labels[i] = pieces[place].with_day(int(days[i]))
        return labels

    def _number_moved(self, text: str, offset: int) -> str:
        mark = "," if "," in text else "."
        return f"{Decimal(text.replace(mark, '.')) + offset * self._unit:f}".replace(".", mark)


@dataclass(frozen=True)
class _Style:
    """How a column writes the parts: whether days and months of one digit have a zero in front, and the names."""

    padded_day: bool
    padded_month: bool
    names: MonthNames | None


def _style(matches: list[re.Match[str]], order: str) -> _Style:
    named = "name" in matches[0].re.groupindex
    in_digits = matches[0].re is patterns.IN_DIGITS
    spans = [_spans(match, order) for match in matches]
    texts = [match.string for match in matches]
    days = [text[slice(*span_of["d"])] for text, span_of in zip(texts, spans, strict=True)]
    months = [text[slice(*span_of["m"])] for text, span_of in zip(texts, spans, strict=True)]
    return _Style(
        in_digits or all(len(day) == 2 for day in days),
        in_digits or all(len(month) == 2 for month in months),
        names_of(set(months)) if named else None,
    )


def _spans(match: re.Match[str], order: str) -> dict[str, tuple[int, int]]:
    """Where year, month and day stand in the text."""
    if match.re is patterns.IN_FIGURES:
        return {part: match.span(group) for part, group in zip(order, ("a", "b", "y"), strict=True)}
    if match.re is patterns.IN_DIGITS:
        lengths = {"y": 4, "m": 2, "d": 2}
        starts = np.cumsum([0, *(lengths[part] for part in order)]).tolist()
        return {part: (start, start + lengths[part]) for part, start in zip(order, starts, strict=False)}
    return {"y": match.span("y"), "m": match.span("m" if match.re is patterns.YEAR_FIRST else "name"),
            "d": match.span("d")}  # fmt: skip


@dataclass(frozen=True)
class _Pieces:
    """A date as written, in pieces between which year, month and day stand.

    Attributes
    ----------
    style : _Style
        How its column writes the parts.
    order : str
        The parts as they follow one another, such as ``ymd``.
    texts : tuple[str, ...]
        What stands before each of them, and behind the last.
    short : bool
        Whether the year has two digits.
    ordinal : str
        What stands behind the day, ``st`` or ``er``; "" for nothing.
    """

    style: _Style
    order: str
    texts: tuple[str, ...]
    short: bool
    ordinal: str

    @classmethod
    def of(cls, match: re.Match[str], order: str, style: _Style) -> _Pieces:
        """Those of a text; a weekday in front is left out."""
        text, spans = match.string, _spans(match, order)
        names = match.re.groupindex
        at = match.end("weekday") if "weekday" in names and match["weekday"] else 0
        ordinal = (match["ordinal"] or "") if "ordinal" in names else ""
        follow, pieces = sorted(spans, key=lambda part: spans[part]), []
        for part in follow:
            start, end = spans[part]
            pieces.append(text[at:start])
            at = match.end("ordinal") if part == "d" and ordinal else end
        return cls(style, "".join(follow), (*pieces, text[at:]), spans["y"][1] - spans["y"][0] == 2, ordinal)

    def with_day(self, day: int) -> str:
        """The text with another day, counted from 1970-01-01. Raises InputError where it cannot be written."""
        year, month, number = _parts(day)
        last = FIRST_OF_TWO_DIGITS + 99
        if not (FIRST_OF_TWO_DIGITS <= year <= last if self.short else 1 <= year <= 9999):
            limits = f"{FIRST_OF_TWO_DIGITS} to {last}, which two digits can say" if self.short else "1 to 9999"
            raise InputError(
                f"A date would leave the years {limits}. Move the dates by fewer days.", code="date-out-of-range"
            )
        style, written = self.style, ""
        for text, part in zip(self.texts, self.order, strict=False):
            written += text
            if part == "y":
                written += f"{year % 100:02d}" if self.short else f"{year:04d}"
            elif part == "m":
                written += style.names.name(month) if style.names else f"{month:0{2 if style.padded_month else 1}d}"
            else:
                written += f"{number:0{2 if style.padded_day else 1}d}"
                written += _ordinal(self.ordinal, number) if self.ordinal else ""
        return written + self.texts[-1]


def _ordinal(written: str, day: int) -> str:
    """What stands behind a day in English, ``1st``, or in French, ``1er``, where one stood behind the day before."""
    if written == "er":
        return "er" if day == 1 else ""
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in (11, 12, 13) else 0, "th")


@lru_cache(maxsize=100_000)
def _parts(day: int) -> tuple[int, int, int]:
    """Year, month and day of a day that is counted from 1970-01-01."""
    date = np.datetime64(day, "D")
    month = date.astype("datetime64[M]")
    months = int(month.astype(np.int64)) + 12 * 1970
    return months // 12, months % 12 + 1, int((date - month.astype("datetime64[D]")).astype(np.int64)) + 1
