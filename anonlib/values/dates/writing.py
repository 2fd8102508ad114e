"""Dates moved by days and written as their column writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

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
    values
        Distinct values, as :func:`anonlib.values.dates.read_dates` reads them.
    offsets
        Days, one for all or an item a value; below 0 for earlier.
    numbers, first
        As of :func:`anonlib.values.dates.read_dates`.

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
    texts = [str(value).strip() for value in values]
    labels = np.array(values, dtype=object)
    days = np.broadcast_to(np.asarray(offsets, dtype=np.int64), len(texts))
    matches = {i: match for i, text in enumerate(texts) if (match := patterns.match_of(text)) is not None}
    groups: dict[str, list[int]] = {}
    for i, match in matches.items():
        groups.setdefault(group_of(match), []).append(i)
    chosen = chosen_orders({group: [matches[i] for i in members] for group, members in groups.items()}, first)
    read = np.full(len(texts), np.datetime64("NaT", "D"))
    for group, members in groups.items():
        order = chosen[group][0]
        if order is None:
            continue
        style = _style([matches[i] for i in members], order)
        found = days_of(parts_of(matches[i], order) for i in members)
        read[members] = found
        for i, day in zip(members, found, strict=True):
            if not np.isnat(day):
                labels[i] = _written(matches[i], order, style, day + days[i])
    if (numbered := numbers_among(texts, read, numbers=numbers)) is not None:
        for i in np.flatnonzero(np.isnat(read) & ~np.isnat(numbered.days)).tolist():
            mark = "," if "," in texts[i] else "."
            moved = Decimal(texts[i].replace(mark, ".")) + int(days[i]) * numbered.unit
            labels[i] = f"{moved:f}".replace(".", mark)
    return labels


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
    days = [text[slice(*each["d"])] for text, each in zip(texts, spans, strict=True)]
    months = [text[slice(*each["m"])] for text, each in zip(texts, spans, strict=True)]
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


def _written(match: re.Match[str], order: str, style: _Style, day: np.datetime64) -> str:
    text, spans = match.string, _spans(match, order)
    year, month, number = _parts(day)
    short = spans["y"][1] - spans["y"][0] == 2
    last = FIRST_OF_TWO_DIGITS + 99
    if not (FIRST_OF_TWO_DIGITS <= year <= last if short else 1 <= year <= 9999):
        limits = f"{FIRST_OF_TWO_DIGITS} to {last}, which two digits can say" if short else "1 to 9999"
        raise InputError(f"A date would leave the years {limits}. Move the dates by fewer days.")
    parts = {
        "y": f"{year % 100:02d}" if short else f"{year:04d}",
        "m": style.names.name(month) if style.names else f"{month:0{2 if style.padded_month else 1}d}",
        "d": f"{number:0{2 if style.padded_day else 1}d}",
    }
    begins = match.end("weekday") if "weekday" in match.re.groupindex and match["weekday"] else 0
    pieces, at = [], begins
    for part in sorted(spans, key=lambda each: spans[each]):
        start, end = spans[part]
        pieces += [text[at:start], parts[part]]
        at = end
        if part == "d" and "ordinal" in match.re.groupindex and match["ordinal"]:
            pieces.append(_ordinal(match["ordinal"], number))
            at = match.end("ordinal")
    return "".join(pieces) + text[at:]


def _ordinal(written: str, day: int) -> str:
    """What stands behind a day in English, ``1st``, or in French, ``1er``, where one stood behind the day before."""
    if written == "er":
        return "er" if day == 1 else ""
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in (11, 12, 13) else 0, "th")


def _parts(day: np.datetime64) -> tuple[int, int, int]:
    month = day.astype("datetime64[M]")
    months = int(month.astype(np.int64)) + 12 * 1970
    return months // 12, months % 12 + 1, int((day - month.astype("datetime64[D]")).astype(np.int64)) + 1
