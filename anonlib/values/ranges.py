"""Texts that are ranges of numbers or of months: ``[70-80)``, ``70-79``, ``<5``, ``90 and over``, ``2019-Q3``.

The module begins with what ranges a column's values are. Then texts are read as ranges of numbers: each by its form,
and in doubt by what stands beside it in its column, since ``123-456`` may be an id. Next come ranges of months, which
are years, halves, quarters, months, and spans of them. At the end is how the ranges of a column are written, so that
others can be written like them.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonlib.values.dates import month_of


@dataclass(frozen=True, eq=False)
class Ranges:
    """The ranges that values are, one item a value.

    Attributes
    ----------
    of : Literal["numbers", "months"]
        What the ends are. Months are counted from the year 0: of March 2020, ``12 * 2020 + 2``.
    low, high : float64 array
        The ends; infinite where the range is open, both NaN where a value is no range. Of a number both are itself.
        Of months, the first one and the one that follows the last.
    holds_low, holds_high : bool array
        Whether the end as it is written belongs to the range.
    begin, end : float64 array
        The same range from its first number up to where the next range can begin: ``70-79`` and ``[70-80)`` are both
        70 to 80, ``>89`` begins at 90 where values are whole. Of a number both are itself.
    """

    of: Literal["numbers", "months"]
    low: np.ndarray
    high: np.ndarray
    holds_low: np.ndarray
    holds_high: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @property
    def fits(self) -> np.ndarray:
        """bool per value: it is a range or a number."""
        return ~np.isnan(self.low)

    @property
    def is_range(self) -> np.ndarray:
        """bool per value: it is more than a number."""
        return self.fits & (self.low != self.high)

    @property
    def overlap(self) -> bool:
        """Whether two different ranges have numbers in common; numbers among the values do not count."""
        spans = sorted({*zip(self.begin[self.is_range].tolist(), self.end[self.is_range].tolist(), strict=True)})
        return any(after[0] < before[1] for before, after in itertools.pairwise(spans))

    def order(self) -> np.ndarray:
        """Positions that sort the values by lower, then upper end; what is no range comes last, as it came."""
        return np.lexsort((self.holds_high, self.high, ~self.holds_low, self.low, ~self.fits))


def reaching_over(ranges: Ranges, top: float) -> np.ndarray:
    """Which values are a number of ``top`` or more, or a range that reaches there.

    Parameters
    ----------
    ranges : Ranges
        Ranges of numbers.
    top : float
        As 90 for ages over 89.

    Returns
    -------
    bool array, one item a value
    """
    return np.where(ranges.is_range, ranges.end > top, ranges.low >= top)


_PLAIN = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_NUMBER = rf"(?:[+-]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|{_PLAIN})"
_DASH = r"[-–—‒−]"
_FROM_TO = rf"(?:{_DASH}|to|bis|à|tot|hasta|(?<=\s)(?:a|at[eé]|do|till)(?=\s))"
SPAN = re.compile(rf"({_NUMBER})(\s*{_FROM_TO}\s*)({_NUMBER})")
BRACKETS = re.compile(rf"([\[\](])\s*({_PLAIN})(\s*(?:[,;]|\.\.|{_FROM_TO})\s*)({_PLAIN})\s*([\[\])])")
# A word stands apart from its number: AB0123 is a code, and no range from 123.
_WORDS_BELOW = (
    "under|below|less than|younger than|unter|weniger als|j[uü]nger als|moins de|menos de|menor(?:es)? de|onder|"
    "jonger dan|meno di|sotto i|sotto|abaixo de|poni[zż]ej|mniej ni[zż]|yngre [aä]n"
)
_WORDS_UP_TO = "up to|at most|no more than|bis|h[oö]chstens|jusqu'[aà]|hasta|tot|fino a|at[eé]|do|h[oö]gst"
_WORDS_OVER = (
    "over|above|more than|older than|[uü]ber|mehr als|[aä]lter als|plus de|m[aá]s de|mayor(?:es)? de|boven|ouder dan|"
    "oltre i|oltre|pi[uù] di|acima de|mais de|powy[zż]ej|ponad|wi[eę]cej ni[zż]|[oö]ver|[aä]ldre [aä]n"
)
_WORDS_FROM = (
    "at least|no less than|from|ab|mindestens|[aà] partir de|desde|vanaf|minstens|almeno|dai?|a partire da|pelo menos|"
    "od|co najmniej|fr[aå]n|minst"
)
_BELOW = re.compile(rf"(?:<\s*|(?:{_WORDS_BELOW})\s+)({_NUMBER})")
_UP_TO = re.compile(
    rf"(?:(?:<=|=<|≤)\s*|(?:{_WORDS_UP_TO})\s+)({_NUMBER})|"
    rf"({_NUMBER})\s*(?:(?:and|or) (?:under|below|younger|less|fewer)|oder weniger|und j[uü]nger|et moins|y menos|"
    "o menos|e meno|en jonger|ou menos|i mniej|och yngre)"
)
_OVER = re.compile(rf"(?:>\s*|(?:{_WORDS_OVER})\s+)({_NUMBER})")
_FROM = re.compile(
    rf"(?:(?:>=|=>|≥)\s*|(?:{_WORDS_FROM})\s+)({_NUMBER})|"
    rf"({_NUMBER})\s*(?:\+|plus|(?:and|or) (?:over|above|older|up|more|greater)|(?:und|oder) (?:[aä]lter|mehr)|"
    "et plus|ou plus|et \\+|[yo] m[aá]s|e oltre|[eo] pi[uù]|en ouder|of ouder|[eo]u? mais|i wi[eę]cej|i starsi|"
    "och [aä]ldre|eller [aä]ldre)"
)
_BEFORE = re.compile(r"^(?:ages?|aged|alter|âge|edad)\b\s*:?\s*")
_MAY_BE = re.compile(  # how a range can begin, which spares most texts a closer look
    rf"[-+\d\[\](<>≤≥=$€£]|(?:{_WORDS_BELOW}|{_WORDS_UP_TO}|{_WORDS_OVER}|{_WORDS_FROM}|ages?|aged|alter|âge|edad)\b"
)
_CURRENCY = re.compile(r"[$€£]\s*(?=\d)")
_UNITS = {
    "years": r"years?(?: old| of age)?|yrs?|y/?o|y|jahren?|ans|años|jaar",
    "months": r"months?|mo|mths?",
    "weeks": r"weeks?|wks?",
    "days": r"days?|d",
    "hours": r"hours?|hrs?|h",
    "minutes": r"minutes?|min",
    "kg": "kg",
    "lb": "lbs?",
    "g": "g",
    "cm": "cm",
    "m": "m",
    "kg/m2": "kg/m[2²]",
    "mmHg": "mmhg",
    "percent": "%|percent",
}
_UNIT = re.compile(
    r"(?<=\d)\s*(?:" + "|".join(f"(?P<u{i}>{unit})" for i, unit in enumerate(_UNITS.values())) + r")(?![\w/])"
)
_UNIT_NAMES = list(_UNITS)

_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_NARROW = 1.5  # a span of large numbers that are not round is believed up to this ratio of its ends


@dataclass(frozen=True)
class _Read:
    """One text as a range. ``edges``: its ends are where others begin, as brackets say; ``doubt``: it may be an id."""

    low: float
    high: float
    holds_low: bool
    holds_high: bool
    unit: str = ""
    edges: bool = False
    places: int = 0
    doubt: bool = False


def ranges_of_numbers(texts: Sequence[str], numbers: np.ndarray) -> Ranges:
    """Texts as ranges of numbers.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values, without blanks around them.
    numbers : np.ndarray
        Those that are numbers, NaN for the others.

    Returns
    -------
    Ranges
    """
    read = [None if known else _number_range(text) for text, known in zip(texts, ~np.isnan(numbers), strict=True)]
    ranges = _without_doubtful(_of_one_unit(read), numbers)
    low, high = numbers.copy(), numbers.copy()
    holds_low, holds_high = ~np.isnan(numbers), ~np.isnan(numbers)
    begin, end = numbers.copy(), numbers.copy()
    shared, places = _convention([span for span in ranges if span is not None])
    step = 10.0**-places
    ends = {span.high for span in ranges if span is not None and (shared or span.edges or not span.holds_high)}
    for i, read_range in enumerate(ranges):
        if read_range is not None:
            low[i], high[i], holds_low[i], holds_high[i] = (
                read_range.low,
                read_range.high,
                read_range.holds_low,
                read_range.holds_high,
            )
            closed = read_range.holds_high and not read_range.edges and not shared
            end[i] = (
                round(read_range.high + step, places) if closed and np.isfinite(read_range.high) else read_range.high
            )
            after = not read_range.holds_low and not read_range.edges and read_range.low not in ends
            begin[i] = round(read_range.low + step, places) if after and np.isfinite(read_range.low) else read_range.low
    return Ranges("numbers", low, high, holds_low, holds_high, begin, end)


def _convention(ranges: list[_Read]) -> tuple[bool, int]:
    """Whether spans share their ends (``70-80``, ``80-90``), and the decimals in which they count (``7.0-7.9``)."""
    spans = [span for span in ranges if not span.edges and np.isfinite(span.low) and np.isfinite(span.high)]
    lows = {span.low for span in ranges if span.holds_low}
    return any(span.high in lows for span in spans), max((span.places for span in ranges), default=0)


def _of_one_unit(read: list[_Read | None]) -> list[_Read | None]:
    """Without those of another unit than most have: 0-11 months do not stand beside 1-4 years."""
    units = Counter(span.unit for span in read if span is not None and span.unit)
    if len(units) < 2:
        return read
    first = units.most_common(1)[0][0]
    return [span if span is not None and span.unit in ("", first) else None for span in read]


def _without_doubtful(read: list[_Read | None], numbers: np.ndarray) -> list[_Read | None]:
    """Without what may be ids: a doubtful span must be apart from all others, and narrow or next to one of them."""
    if not any(span is not None and span.doubt for span in read):
        return read
    known = [span for span in read if span is not None]
    spans = sorted({(span.low, span.high) for span in known})
    apart = all(after[0] >= before[1] for before, after in itertools.pairwise(spans))
    lows, highs = {low for low, _ in spans}, {high for _, high in spans}

    def believed(span: _Read) -> bool:
        beside = {span.high, span.high + 1} & lows or {span.low, span.low - 1} & highs
        return apart and bool(span.high <= _NARROW * span.low or beside)

    return [None if span is None or (span.doubt and not believed(span)) else span for span in read]


def _number_range(text: str) -> _Read | None:
    plain = text.casefold()
    if text.isdigit() or not _MAY_BE.match(plain):
        return None
    plain = _CURRENCY.sub("", _BEFORE.sub("", plain))
    matches = list(_UNIT.finditer(plain))
    units = {_UNIT_NAMES[int(str(match.lastgroup)[1:])] for match in matches}
    if len(units) > 1:
        return None
    read = _bare_range(_UNIT.sub("", plain).strip())
    if read is None or not units:
        return read
    return _Read(read.low, read.high, read.holds_low, read.holds_high, units.pop(), read.edges, read.places)


def range_of_text(text: str) -> tuple[float, float, bool, bool] | None:
    """The ends of one range of numbers, and whether each belongs to it; infinite where it is open, None for no range.

    Parameters
    ----------
    text : str
        Without units and blanks around it.

    Returns
    -------
    tuple of float, float, bool, bool, or None

    Examples
    --------
    >>> range_of_text("70-79"), range_of_text("90+"), range_of_text("abc")
    ((70.0, 79.0, True, True), (90.0, inf, True, False), None)
    """
    read = _bare_range(text)
    return None if read is None else (read.low, read.high, read.holds_low, read.holds_high)


def _bare_range(text: str) -> _Read | None:
    if match := BRACKETS.fullmatch(text):
        low, high = float(match[2]), float(match[4])
        holds_low, holds_high = match[1] == "[", match[5] == "]"
        if low > high or (low == high and not (holds_low and holds_high)):
            return None
        # [70, 79] may go on at 80 or at 79.
        return _Read(
            low, high, holds_low, holds_high, edges=not (holds_low and holds_high), places=_places(match[2], match[4])
        )
    if match := SPAN.fullmatch(text):
        return _span(match[1], match[2], match[3])
    if match := _BELOW.fullmatch(text):
        return _Read(-np.inf, _value(match[1]), False, False, places=_places(match[1]))
    if match := _UP_TO.fullmatch(text):
        limit = match[1] or match[2]
        return _Read(-np.inf, _value(limit), False, True, places=_places(limit))
    if match := _OVER.fullmatch(text):
        return _Read(_value(match[1]), np.inf, False, False, places=_places(match[1]))
    if match := _FROM.fullmatch(text):
        limit = match[1] or match[2]
        return _Read(_value(limit), np.inf, True, False, places=_places(limit))
    return None


def _span(first: str, between: str, last: str) -> _Read | None:
    low, high = _value(first), _value(last)
    padded = any(len(end) > 1 and end[0] == "0" and end[1] != "." for end in (first, last))
    if not low < high or (padded and len(first) != len(last)):
        return None
    doubt = bool(re.search(_DASH, between)) and not (_is_round_span(first, last) or _are_years(first, last))
    return _Read(low, high, True, True, places=_places(first, last), doubt=doubt)


def _is_round_span(first: str, last: str) -> bool:
    """Small or broken numbers, or large ones as people cut them: 100-199, 101-200, 250-499; not as 555-1234 is."""
    low, high = _value(first), _value(last)
    if low != int(low) or high != int(high):
        return True
    if (len(first), len(last)) == (3, 4):
        return False
    by = 5 if high < 1000 else 50
    return (abs(low) < 100 or int(low) % by in (0, 1)) and (abs(high) < 100 or int(high) % by in (0, by - 1))


def _are_years(first: str, last: str) -> bool:
    return len(first) == len(last) == 4 and _value(first) >= _FIRST_YEAR and _value(last) <= _LAST_YEAR


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _places(*texts: str) -> int:
    """Digits behind the decimal point, the most of these numbers."""
    return max(len(text.partition(".")[2]) if "e" not in text else 0 for text in texts)


_DASH_BETWEEN_MONTHS = r"[-–—]"
_YEAR = r"((?:18|19|20)\d\d)"
_NAME = r"([^\W\d_]{3,10})\.?"
_YEAR_INSIDE = re.compile(r"(?:18|19|20)\d\d")
_YEAR_ALONE = re.compile(_YEAR)
_YEARS = re.compile(rf"{_YEAR}\s*(?:{_DASH_BETWEEN_MONTHS}|to|/)\s*{_YEAR}")
_QUARTER = re.compile(rf"{_YEAR}[-/ ]?q([1-4])|q([1-4])[-/ ]?{_YEAR}")
_HALF = re.compile(rf"{_YEAR}[-/ ]?h([12])|h([12])[-/ ]?{_YEAR}")
_MONTH = re.compile(rf"{_YEAR}[-/](0[1-9]|1[0-2])|(0?[1-9]|1[0-2])/{_YEAR}")
_MONTH_NAMED = re.compile(rf"{_NAME}[-/ ]?\s*{_YEAR}|{_YEAR}[-/ ]?\s*{_NAME}")
_MONTHS_NAMED = re.compile(rf"{_NAME}\s*(?:{_YEAR})?\s*(?:{_DASH_BETWEEN_MONTHS}|to)\s*{_NAME}\s*{_YEAR}")
_MONTHS_TO = re.compile(rf"{_YEAR}-(0[1-9]|1[0-2])\s*(?:[–—]|\s-\s|to|/)\s*{_YEAR}-(0[1-9]|1[0-2])")


def ranges_of_months(texts: Sequence[str]) -> Ranges:
    """Texts as ranges of months: years, halves, quarters, months and spans of them.

    Parameters
    ----------
    texts : Sequence[str]
        Distinct values, without blanks around them.

    Returns
    -------
    Ranges
        Its lower ends belong to the ranges, its upper ones do not.
    """
    low, high = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    for i, text in enumerate(texts):
        span = _months(text.casefold())
        if span is not None:
            low[i], high[i] = span
    known = ~np.isnan(low)
    return Ranges("months", low, high, known, np.zeros(len(texts), dtype=bool), low, high)


def _months(text: str) -> tuple[int, int] | None:
    if not _YEAR_INSIDE.search(text):
        return None
    if match := _YEAR_ALONE.fullmatch(text):
        return _from(int(match[1]) * 12, 12)
    for pattern, length in ((_QUARTER, 3), (_HALF, 6), (_MONTH, 1)):
        if match := pattern.fullmatch(text):
            year, part = (match[1], match[2]) if match[1] else (match[4], match[3])
            return _from(int(year) * 12 + length * (int(part) - 1), length)
    if match := _MONTH_NAMED.fullmatch(text):
        name, year = (match[1], match[2]) if match[1] else (match[4], match[3])
        month = month_of(name)
        return _from(int(year) * 12 + month - 1, 1) if month else None
    if match := _YEARS.fullmatch(text):
        return _until(int(match[1]) * 12, int(match[2]) * 12 + 11)
    if match := _MONTHS_TO.fullmatch(text):
        return _until(int(match[1]) * 12 + int(match[2]) - 1, int(match[3]) * 12 + int(match[4]) - 1)
    if match := _MONTHS_NAMED.fullmatch(text):
        first, last = month_of(match[1]), month_of(match[3])
        if first and last:
            return _until(int(match[2] or match[4]) * 12 + first - 1, int(match[4]) * 12 + last - 1)
    return None


def _from(month: int, length: int) -> tuple[int, int]:
    return month, month + length


def _until(first: int, last: int) -> tuple[int, int] | None:
    return (first, last + 1) if first <= last else None


@dataclass(frozen=True)
class Notation:
    """How the ranges of a column are written, so that others can be written like them.

    Attributes
    ----------
    before, between, after : str
        What stands before the lower end, between the ends, and behind the upper one.
    less : float
        How much the upper end that is written is below where the next range begins: 1 for ``70-79``, 0 for ``[70-80)``.
    places : int
        Decimals of its ends, where they have any.
    right : bool
        Whether ranges hold their upper end and not their lower one: ``(70, 80]``.
    """

    before: str
    between: str
    after: str
    less: float
    places: int = 0
    right: bool = False

    def written(self, low: float, high: float) -> str:
        """The range from one number up to where the next range begins; either may be infinite."""
        unit = self.after if self.before not in ("[", "(", "]") else ""
        if np.isinf(low):
            return f"{'≤' if self.right else '<'}{self._number(high)}{unit}"
        if np.isinf(high):
            return f">{self._number(low)}{unit}" if self.right else f"{self._number(low)}+{unit}"
        last = round(high - self.less, max(self.places, 9)) if self.less else high
        if last == low:
            return f"{self._number(low)}{unit}"
        between = " to " if "-" in self.between and (low < 0 or last < 0) else self.between
        return f"{self.before}{self._number(low)}{between}{self._number(last)}{self.after}"

    def _number(self, number: float) -> str:
        if self.places:
            return f"{number:.{self.places}f}"
        return str(int(number)) if number == int(number) else repr(float(number))


def notation_of(texts: Sequence[str], ranges: Ranges) -> Notation | None:
    """How most ranges with two ends among some texts are written; None where there is none.

    Parameters
    ----------
    texts : Sequence[str]
        The values of a column as they are written.
    ranges : Ranges
        The ranges that they are.

    Returns
    -------
    Notation or None
    """
    forms: Counter[tuple[str, str, str]] = Counter()
    least: dict[tuple[str, str, str], float] = {}
    for i in np.flatnonzero(ranges.is_range & np.isfinite(ranges.low) & np.isfinite(ranges.high)).tolist():
        text = str(texts[i]).strip()
        match = BRACKETS.search(text) or SPAN.search(text)
        if match is None:
            continue
        first, last = (2, 4) if match.re is BRACKETS else (1, 3)
        between = text[match.end(first) : match.start(last)]
        form = (text[: match.start(first)], between, text[match.end(last) :])
        forms[form] += 1
        least.setdefault(form, float(ranges.end[i] - ranges.high[i]))
    if not forms:
        return None
    before, between, after = form = forms.most_common(1)[0][0]
    places = _decimals(ranges)
    right = before.endswith(("(", "]")) and after.startswith("]")
    return Notation(before, between, after, round(least[form], 9), places, right)


def _decimals(ranges: Ranges) -> int:
    ends = np.concatenate([ranges.low, ranges.high])
    ends = ends[np.isfinite(ends)]
    return next((places for places in range(9) if (np.round(ends, places) == ends).all()), 9)
