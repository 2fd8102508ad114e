"""What may stand in the values of a column, and in two numbers: a closed list of readings, each a value of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.counting.classes.subsets import Subsets
from anonlib.values.cells import MOSTLY, to_numbers
from anonlib.values.dates import dates_or_none

LISTED = (
    "equal values, up to 6 characters or digits in a row, parts between marks, whole parts or decimals, sums or "
    "differences of two numbers or dates"
)
"""The list in words, as findings name it."""
MOST_VALUES = 1_000_000
"""Distinct values of a column at most that are read."""
LONGEST = 6  # characters in a row
FARTHEST = 24  # characters from either end that are looked at
MOST_PARTS = 8
_OF_TWO = ("sum", "difference")
_PLURAL = ("characters", "digits", "decimals")
Names = Callable[[int, int, int], str]
"""What characters in a row are called, by the first place, the last, and the length of all values if they have one."""
_PART = re.compile(r"[^\W_]+")
_NO_DIGIT = re.compile(r"[^0-9]+")
_DAYS_A_YEAR = 365.2425
_SAME = 6  # decimals to which sums and differences are the same, whatever floats make of them


@dataclass(frozen=True, eq=False)
class WayToRead:
    """One way to read values.

    Attributes
    ----------
    by : str
        What is read, as it stands behind “the”: ``last 2 characters``.
    codes : np.ndarray
        Intp, per value the number of what is read in it: equal where it is equal. A missing value has one of its own.
    n : int
        How many numbers there are.
    """

    by: str
    codes: np.ndarray
    n: int


def is_plural(by: str) -> bool:
    """Whether what is read in a column is several characters or digits, or decimals, for the verb."""
    return by.split()[0] in _PLURAL or by.endswith(_PLURAL)


def is_of_two(by: str) -> bool:
    """Whether it is what two numbers come to."""
    return by.split()[0] in _OF_TWO


class CellsOfValues:
    """The cells that the values of a column consist of: one each, or several of a person whose rows differ.

    Attributes
    ----------
    texts : list[str]
        The cells, each once, without blanks around them.
    """

    def __init__(self, values: Sequence[str | None] | np.ndarray) -> None:
        """``values`` are distinct; a missing one is None, sets of a person have ``members``."""
        place: dict[str, int] = {}
        self._of_value = [
            None if value is None else [place.setdefault(str(member), len(place)) for member in _members(value)]
            for value in values
        ]
        self.texts = [text.strip() for text in place]
        self._single = np.array([-1 if places is None else places[0] for places in self._of_value], dtype=np.intp)
        self._several = [i for i, places in enumerate(self._of_value) if places is not None and len(places) > 1]

    def reading(self, by: str, codes: np.ndarray, n: int) -> WayToRead:
        """A reading of the values by what is read in the cells: of a set of cells the set."""
        value_codes = np.append(codes, n)[self._single]
        sets: dict[frozenset[int], int] = {}
        for i in self._several:
            read = frozenset(codes[self._of_value[i]].tolist())
            value_codes[i] = next(iter(read)) if len(read) == 1 else n + 1 + sets.setdefault(read, len(sets))
        return WayToRead(by, value_codes, n + 1 + len(sets))

    def numbers(self, numbers: np.ndarray) -> np.ndarray:
        """Per value the number of its cell; NaN where it is missing or has several cells."""
        value_numbers = np.append(numbers, np.nan)[self._single]
        value_numbers[self._several] = np.nan
        return value_numbers


def _members(value: str) -> Sequence[str]:
    return getattr(value, "members", (value,))


def readings(cells: CellsOfValues) -> Iterator[Iterator[WayToRead]]:
    """The readings of one column, in chains: each of a chain tells at least as many values apart as those before it.

    Characters and digits in a row are at most :data:`LONGEST`, from each of the first :data:`FARTHEST` places, and
    where values are not equally long from each of the last ones too. Parts are what stands between marks, the first
    eight and the last; of a column of numbers with decimals, its whole part and its decimals.

    Parameters
    ----------
    cells : CellsOfValues
        The column's cells.

    Yields
    ------
    Iterator[Reading]
    """
    texts = cells.texts
    numbers = to_numbers(texts) if texts else np.zeros(0)
    if len(texts) and np.isfinite(numbers).mean() >= MOSTLY:
        yield from _around_the_mark(cells, numbers)
    else:
        yield from _parts(cells, [_PART.findall(text) for text in texts])
    yield from _in_a_row(cells, texts, _characters, _characters_from_the_end)
    digits = [digits_of(text) for text in texts]
    if digits != texts and 2 * sum(map(bool, digits)) >= len(digits):
        yield from _in_a_row(cells, digits, _digits, _digits_from_the_end)


def _in_a_row(
    cells: CellsOfValues, texts: Sequence[str], named: Names, from_the_end: Names
) -> Iterator[Iterator[WayToRead]]:
    """Characters in a row from each place, from the left and, where lengths differ, from the right."""
    lengths = {len(text) for text in texts}
    equally_long = max(lengths, default=0) if len(lengths) == 1 else 0
    yield from (_from(cells, chain, named, equally_long) for chain in _places(texts))
    if not equally_long:
        backwards = [text[::-1] for text in texts]
        yield from (_from(cells, chain, from_the_end, 0) for chain in _places(backwards))


def _places(texts: Sequence[str]) -> Iterator[tuple[int, Subsets]]:
    """Each place within the texts, with the characters from it on as columns of codes."""
    width = min(FARTHEST, max(map(len, texts), default=0))
    if not width:
        return
    points = np.array(texts, dtype=f"U{width}").view(np.uint32).reshape(len(texts), width)
    occurs = np.zeros(int(points.max()) + 1, dtype=np.intp)
    occurs[points] = 1
    codes, span = (np.cumsum(occurs) - 1)[points], int(occurs.sum())
    characters = Subsets.of_codes(codes.T, [span] * width, np.ones(len(texts), dtype=np.int64))
    for place in range(width):
        yield place, characters


def _from(cells: CellsOfValues, chain: tuple[int, Subsets], named: Names, equally_long: int) -> Iterator[WayToRead]:
    """One character, two and so on from a place on; of those that tell no more than the one before, only that."""
    place, characters = chain
    alike = characters.everyone()
    for j in range(place, min(place + LONGEST, len(characters.columns))):
        longer = characters.refine(alike, j)
        if len(longer.sizes) > len(alike.sizes):
            yield cells.reading(named(place, j + 1, equally_long), longer.group, len(longer.sizes))
        alike = longer


def _characters(start: int, end: int, equally_long: int) -> str:
    if end - start == 1:
        return "first character" if not start else "last character" if end == equally_long else f"character {end}"
    if not start:
        return f"first {end} characters"
    return f"last {end - start} characters" if end == equally_long else f"characters {start + 1} to {end}"


def _characters_from_the_end(start: int, end: int, _equally_long: int) -> str:
    if end - start == 1:
        return f"character {end} from the end" if start else "last character"
    return f"characters {start + 1} to {end} from the end" if start else f"last {end} characters"


def _digits(start: int, end: int, equally_long: int) -> str:
    if end - start == 1:
        return "first digit" if not start else "last digit" if end == equally_long else f"digit {end}"
    if not start:
        return f"first {end} digits"
    return f"last {end - start} digits" if end == equally_long else f"digits {start + 1} to {end}"


def _digits_from_the_end(start: int, end: int, _equally_long: int) -> str:
    if end - start == 1:
        return f"digit {end} from the end" if start else "last digit"
    return f"digits {start + 1} to {end} from the end" if start else f"last {end} digits"


def _around_the_mark(cells: CellsOfValues, numbers: np.ndarray) -> Iterator[Iterator[WayToRead]]:
    """Whole part and decimals, where numbers have any."""
    if not (numbers[np.isfinite(numbers)] % 1).any():
        return
    decimals = [re.split(r"[.,]", text)[-1].rstrip("0") if re.search(r"[.,]", text) else "" for text in cells.texts]
    for by, read in (("whole part", np.trunc(numbers)), ("decimals", np.array(decimals, dtype=object))):
        codes, distinct = pd.factorize(read, use_na_sentinel=False)
        yield iter([cells.reading(by, codes.astype(np.intp), len(distinct))])


def _parts(cells: CellsOfValues, parts: Sequence[Sequence[str]]) -> Iterator[Iterator[WayToRead]]:
    most = max(map(len, parts), default=0)
    if most < 2:
        return
    chosen = [(f"part {i + 1}", i) for i in range(min(most, MOST_PARTS))] + [("last part", -1)]
    for by, i in chosen:
        read = [value_parts[i] if -len(value_parts) <= i < len(value_parts) else "" for value_parts in parts]
        codes, distinct = pd.factorize(np.array(read, dtype=object))
        yield iter([cells.reading(by, codes.astype(np.intp), len(distinct))])


# ---- a value that stands in another ----


def digits_of(text: str) -> str:
    """The digits of a text, without what stands between them."""
    return _NO_DIGIT.sub("", text)


def places_of(column: str, hidden: str) -> frozenset[str]:
    """Where a value, or the digits that it consists of but for marks, stands in another, from the left and the right.

    Parameters
    ----------
    column, hidden : str
        A value that leaves, and one that does not.

    Returns
    -------
    frozenset[str]
        Places as :attr:`WayToRead.by` has them.

    Examples
    --------
    >>> sorted(places_of("A-F17B", "F17"))
    ['characters from place 3', 'characters up to place 2 from the end']
    """
    places = set[str]()
    for left, right in _places_in(column, hidden):
        places |= {f"characters from place {left}"} if left <= FARTHEST else set()
        places |= {f"characters up to place {right} from the end"} if right <= FARTHEST else set()
    digits = digits_of(hidden)
    if digits and not any(map(str.isalpha, hidden)) and (digits != hidden or not column.isdigit()):
        for left, right in _places_in(digits_of(column), digits):
            places |= {f"digits from place {left}"} if left <= FARTHEST else set()
            places |= {f"digits up to place {right} from the end"} if right <= FARTHEST else set()
    return frozenset(places)


def _places_in(text: str, part: str) -> Iterator[tuple[int, int]]:
    """Where a part stands: its first place from the left and its last from the right, from 1."""
    at = text.find(part)
    while part and at >= 0:
        yield at + 1, len(text) - at - len(part) + 1
        at = text.find(part, at + 1)


# ---- two numbers ----


@dataclass(frozen=True, eq=False)
class Amounts:
    """A column as numbers.

    Attributes
    ----------
    numbers : np.ndarray
        float64, per value; days since 1970 of a date; NaN where it is none.
    years : np.ndarray | None
        The same of the years that dates are of; None of other numbers.
    """

    numbers: np.ndarray
    years: np.ndarray | None = None


def amounts(cells: CellsOfValues, are_dates: bool = False) -> Amounts | None:
    """A column as numbers, where nearly all of its values are some, or as days, where it is one of dates.

    Parameters
    ----------
    cells : CellsOfValues
        The column's cells.
    are_dates : bool, default False
        Whether something says that its numbers are dates.
    """
    dates = dates_or_none(cells.texts, numbers=are_dates) if cells.texts else None
    if dates is not None:
        no_date = np.isnat(dates.days)
        days = dates.days.astype(np.float64)
        years = dates.days.astype("datetime64[Y]").astype(np.float64)
        days[no_date] = years[no_date] = np.nan
        return Amounts(cells.numbers(days), cells.numbers(years + 1970))
    numbers = to_numbers(cells.texts) if cells.texts else np.zeros(0)
    if not len(numbers) or np.isfinite(numbers).mean() < MOSTLY:
        return None
    return Amounts(cells.numbers(numbers))


def sums_and_differences(one: Amounts, other: Amounts) -> Iterator[tuple[str, np.ndarray]]:
    """What two columns of numbers come to, record by record.

    Parameters
    ----------
    one, other : Amounts
        The columns, with a number a record.

    Yields
    ------
    tuple[str, np.ndarray]
        What it is, as :attr:`WayToRead.by` has it, and float64, a number a record.
    """
    if one.years is not None and other.years is not None:
        between = one.numbers - other.numbers
        yield "difference in days", between
        yield "difference in whole years", np.trunc(between / _DAYS_A_YEAR)
        yield "difference of the years", one.years - other.years
        return
    yield "sum", np.round(one.numbers + other.numbers, _SAME)
    yield "difference", np.round(one.numbers - other.numbers, _SAME)
    if one.years is not None or other.years is not None:
        first, second = (amounts.numbers if amounts.years is None else amounts.years for amounts in (one, other))
        yield "sum of the years", np.round(first + second, _SAME)
        yield "difference of the years", np.round(first - second, _SAME)
