"""Doubts about what the cells and rows of a file are, pointed out for the officer to decide.

First come notes on what cells may have been before another program changed them, and on what rows may be; these change
nothing. Then come values that a person reads as one although they are not the same text: they are pointed out, and
merged only when asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed
from anonlib.reading.sources.marks import DEFAULT_MARKS, CountedValues, marks_of_column, with_categories
from anonlib.values.dates import month_of
from anonlib.values.naming import name_tokens
from anonlib.values.spellings import groups_read_as_one

_ROUNDED = re.compile(r"[1-9](?:[.,]\d+)?E\+?(\d{1,2})", re.IGNORECASE)
_LEAST_DIGITS = 10  # of a number that a spreadsheet writes with an exponent: 12 in a narrow column, or fewer
_LONG_NUMBER = re.compile(r"\d{16,20}")  # more digits than a spreadsheet keeps
_DIGITS_KEPT = 15
_DAY_AND_MONTH = re.compile(r"(\d\d?)(?:[-/ ]|\.\s?)([^\W\d_]{3,9})\.?|([^\W\d_]{3,9})[-/ .]{1,2}(\d\d?)")
_RANGE = re.compile(r"\d{1,3}\s?(?:-|–|to|bis|à)\s?\d{1,3}|\d{1,3}\s?\+|[<>≥≤]\s?\d{1,3}|\d{1,3}")
_BELOW = re.compile(r"[<≤]\s?\d{1,3}")
_TOTALS = (
    r"(?:(?:sub-?|sous-)?(?:totale?|totaal|totalt)|zwischensumme|summe|somme|som|suma|soma|summa|razem|ergebnis|résultat"
    r"|resultado|risultato|gesamt|mean|average|mittelwert|moyenne|media|gemiddelde|średnia)"
)
_TOTAL_OF = re.compile(rf"{_TOTALS}[\s:-]+(?P<behind>.+)|(?P<before>.+?)[\s:-]+{_TOTALS}:?")
_PAGE = re.compile(
    r"(?:page|seite|pagina|página|strona|sida)\s+\d+\s*(?:/|of|von|van|de|di|z|av|sur)\s*\d+", re.IGNORECASE
)
_RULE = re.compile(r"[-=_~–—]{3,}")
_FEWEST_TOTALS, _SHARE_OF_TOTALS = 2, 0.5
_HIDDEN = frozenset("* ** s c x .. … - : (s) (c) (x) supp suppressed".split())
_COUNT = re.compile(r"\d{1,9}|\d{1,3}(?:[,. ]\d{3})+")
_NAMES_OF_COUNTS = frozenset(
    "n count counts number patients cases persons people population deaths total frequency freq records residents "
    "births anzahl faelle falle patienten personen einwohner nombre effectif cas patientes casos numero recuento casi "
    "pazienti conteggio aantal patienten liczba przypadki pacjenci antal fall patienter pacientes total".split()
)


def doubts_about(
    columns: Mapping[str, CountedValues], n_records: int, marks: Iterable[str] = DEFAULT_MARKS
) -> tuple[str, ...]:
    """Sentences on cells that may not be what they look like, for the officer to decide.

    Parameters
    ----------
    columns : Mapping[str, CountedValues]
        By column, its values as they are read, with their numbers of records.
    n_records : int
        Rows of the file.
    marks : Iterable[str], default DEFAULT_MARKS
        What means missing in all columns.

    Returns
    -------
    tuple of str
    """
    held = {name: [str(value).strip() for value in column.values] for name, column in columns.items()}
    doubts = []
    for mark in marks:
        codes = [
            name for name, values in held.items() if mark in values and mark not in marks_of_column(values, [mark])
        ]
        if codes:
            doubts.append(
                f"“{mark}” may be a code of a list in {listed(codes)}, and counts as a value there. If it means that "
                "there is none, mark it as missing in that column."
            )
    if rounded := [name for name, values in held.items() if _are_rounded(values)]:
        doubts.append(
            f"Long numbers in {listed(rounded)} were rounded by a spreadsheet, as 1.23E+15: different ones may have "
            "become one, and they are no longer the codes or ids that they were. Export the column again as text."
        )
    if dates := [name for name, values in held.items() if _are_ranges_as_dates(values)]:
        doubts.append(
            f"Ranges in {listed(dates)} were made dates by a spreadsheet: 05. Sep or 09-May is 5-9. Export the "
            "column again as text, or put the ranges in their place on the Release page."
        )
    if counts := _columns_of_counts(columns, held, n_records):
        doubts.append(
            f"The rows may be groups and not persons, by the counts in {listed(counts)}, of which small ones are "
            "hidden. Is each row a person? If not, ask for the persons' records: here a row is counted as a person."
        )
    if strange := _between_records(columns, held):
        doubts.append(
            f"Rows between the records may be totals, page numbers or rules, by what stands in {listed(strange)}. They "
            "count as records: if they are none, delete them from the file and load it again."
        )
    return tuple(doubts)


def _between_records(columns: Mapping[str, CountedValues], held: Mapping[str, Sequence[str]]) -> list[str]:
    """Columns with totals of groups or page numbers among their values; all, where each has a rule of dashes."""
    if len(held) > 1 and all(any(map(_RULE.fullmatch, values)) for values in held.values()):
        return list(held)
    return [
        name
        for name, values in held.items()
        if _has_totals(values, columns[name].records.tolist()) or any(map(_PAGE.fullmatch, values))
    ]


def _has_totals(values: Sequence[str], records: Sequence[int]) -> bool:
    """Whether of half the groups and more one row has the group's value with a word for a total before or behind it."""
    plain = {value.casefold() for value in values}
    once = [value.casefold() for value, n in zip(values, records, strict=True) if n == 1]
    matches = [match for value in once if (match := _TOTAL_OF.fullmatch(value))]
    totals = sum((match["behind"] or match["before"]).strip() in plain for match in matches)
    return totals >= max(_FEWEST_TOTALS, _SHARE_OF_TOTALS * (len(plain) - len(matches)))


def _are_rounded(values: Sequence[str]) -> bool:
    """Whether a number of ten digits or more has an exponent, or all long ones end in zeros as rounding leaves."""
    exponents = [match for value in values if (match := _ROUNDED.fullmatch(value))]
    if any(int(exponent[1]) >= _LEAST_DIGITS for exponent in exponents):
        return all("." not in value or "E" in value.upper() for value in values if value[:1].isdigit())
    long = [value for value in values if _LONG_NUMBER.fullmatch(value)]
    return len(long) >= 3 and all(set(value[_DIGITS_KEPT:]) == {"0"} for value in long)


def _are_ranges_as_dates(values: Sequence[str]) -> bool:
    """Whether some cells are a day and a month without a year, and others ranges or numbers."""
    dates = [value for value in values if _is_a_day_and_a_month(value)]
    ranges = [value for value in values if _RANGE.fullmatch(value)]
    has_ranges = any(not value.isdigit() for value in ranges)
    return bool(dates) and has_ranges and len(dates) + len(ranges) >= 0.8 * len(values)


def _is_a_day_and_a_month(value: str) -> bool:
    match = _DAY_AND_MONTH.fullmatch(value)
    return match is not None and month_of(match[2] or match[3]) > 0


def _columns_of_counts(
    columns: Mapping[str, CountedValues], held: Mapping[str, Sequence[str]], n_records: int
) -> list[str]:
    """Columns of counts with small ones hidden, or so named beside others of which each combination is one row."""
    count_columns = []
    for name, values in held.items():
        numbers = [value for value in values if _COUNT.fullmatch(value)]
        hidden = [value for value in values if _BELOW.fullmatch(value) or value.casefold() in _HIDDEN]
        if len(numbers) < 3 or len(numbers) + len(hidden) < len(values) or not hidden:
            continue
        is_named = _NAMES_OF_COUNTS.issuperset(name_tokens(name))
        least = min((int(re.sub(r"\D", "", value)) for value in hidden if _BELOW.fullmatch(value)), default=0)
        is_below = least and all(int(re.sub(r"\D", "", number)) >= least for number in numbers)
        if is_named or (is_below and _are_one_row_each(columns, name, n_records)):
            count_columns.append(name)
    return count_columns


def _are_one_row_each(columns: Mapping[str, CountedValues], name: str, n_records: int) -> bool:
    """Whether the other columns have as many combinations as there are rows: a table of all groups."""
    sizes = [len(column.values) for other, column in columns.items() if other != name]
    several = [size for size in sizes if size > 1]
    return len(several) > 1 and max(several) < n_records and int(np.prod(np.array(sizes, dtype=float))) == n_records


@dataclass(frozen=True)
class Lookalike:
    """Values of a column that a person reads as one (:func:`anonlib.values.spellings.read_as_one`).

    Attributes
    ----------
    column : str
        Its name.
    values : tuple[str, ...]
        The spellings, most frequent first (natural order among equals).
    counts : tuple[int, ...]
        Records with each.
    """

    column: str
    values: tuple[str, ...]
    counts: tuple[int, ...]


def lookalikes(columns: Mapping[str, CountedValues]) -> tuple[Lookalike, ...]:
    """Groups of values that a person reads as one (:func:`anonlib.values.spellings.read_as_one`).

    Parameters
    ----------
    columns : Mapping[str, CountedValues]
        By column, its values with their numbers of records.

    Returns
    -------
    The groups of two and more values, by column.
    """
    groups = []
    for name, column in columns.items():
        for group in groups_read_as_one(column.values):
            order = sorted(group, key=lambda i: (-column.records[i], i))
            values = tuple(column.values[i] for i in order)
            counts = tuple(int(column.records[i]) for i in order)
            groups.append(Lookalike(name, values, counts))
    return tuple(groups)


def merge_lookalikes(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """A frame in which look-alike values of one column all have their most frequent spelling (the first on a tie).

    Parameters
    ----------
    frame : pd.DataFrame
        Categoricals of text.
    column : str
        Its name.

    Returns
    -------
    pd.DataFrame

    Raises
    ------
    InputError
        When there is no such column.
    """
    if column not in frame.columns:
        raise InputError(f"There is no column {column}. Choose one of the columns.", code="column-unknown")
    values = frame[column].array
    counts = np.bincount(values.codes[values.codes >= 0], minlength=len(values.categories))
    targets, place = np.unique(_targets(values.categories.to_numpy(dtype=object), counts), return_inverse=True)
    return frame.assign(**{column: with_categories(values, place, values.categories[targets])})


def one_spelling(values: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Per value of a column, with its number of records, the spelling that :func:`merge_lookalikes` gives it.

    Parameters
    ----------
    values : np.ndarray
        Its distinct values, none missing.
    records : np.ndarray
        int64, the number of records with each.

    Returns
    -------
    np.ndarray
    """
    return values[_targets(values, records)]


def _targets(values: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Per value the position of the most frequent one that is read as the same."""
    target = np.arange(len(values))
    for group in groups_read_as_one(values):
        target[group] = max(group, key=lambda i: (records[i], -i))
    return target
