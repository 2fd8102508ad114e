"""What single cells are to Safe Harbor: ages, years, dates, places, or unread; each distinct value by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeVar

import numpy as np

from anonlib.columns.codes.states import US_STATES, strangers_among_states
from anonlib.columns.free_text import is_text
from anonlib.columns.identifiers import KINDS, name_tokens
from anonlib.columns.roles import Role, Suggestion, ages_in, suggest_roles
from anonlib.dataset import Dataset
from anonlib.reading.records.profile import Profile
from anonlib.reading.sources import Described
from anonlib.values.ages import Ages, unit_of_name, unit_of_word
from anonlib.values.cells import Values
from anonlib.values.dates import hold_days, hold_parts, month_of, to_dates, years_in_digits
from anonlib.values.missing_words import is_missing_word

T = TypeVar("T")
TOP_AGE = 90
"""Ages from here on are one group, and so are years of birth so long ago, 45 CFR 164.514(b)(2)(i)(C)."""

_YEAR = re.compile(r"<?\s*(18|19|20)\d\d(\s*[-–]\s*(18|19|20)\d\d)?|\*")
_ONE_YEAR = re.compile(r"(?:19|20)\d\d")
_ABOUT_A_YEAR = re.compile(
    r"\W{0,3}(?:ca|circa|about|before|after|since|vor|nach|seit)?\W{0,3}(?:19|20)\d\d(?:[.,]0+)?\W{0,3}", re.I
)
_DIGITS_BEHIND_A_YEAR = re.compile(r"(?:19|20)\d\d(?:\d{2,4}|[.](?:0[1-9]|1[0-2])(?:[.]\d\d)?)")
_FEWEST_YEARS, _NEARLY_ALL = 3, 0.9  # different years, and share of records, so that a column is one of years
_A_YEAR = re.compile(r"(?<![\d<])((?:18|19|20)\d\d)(?!\d)")
_DAY_IN_DIGITS = re.compile(r"((?:18|19|20)\d\d)(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")
_COARSE_PLACE = re.compile(r"\d{3}|\d{1,3}\*+|\*+")
_NO_PLACE = re.compile(r"0{3}\**|\*+")  # what the rule puts in the place of small areas


def _once(dataset: Dataset, key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """What is computed of the records of a data set, the first time that it is asked for."""
    remembered = dataset.held.remembered
    if key not in remembered:
        remembered[key] = compute()
    return remembered[key]


def suggested(dataset: Dataset) -> tuple[Suggestion, ...]:
    """What each column that may leave is by its name, dictionary and values."""
    leaving = [name for name in dataset.columns if dataset.roles.get(name) != Role.PERSON_ID]
    others = [name for name in dataset.held.columns if name not in leaving]
    return _once(
        dataset, ("suggested", tuple(leaving), tuple(sorted(dataset.described.items()))),
        lambda: suggest_roles(dataset.held.drop(others), dataset.described),
    )  # fmt: skip


def profile_of_column(dataset: Dataset, column: str) -> Profile:
    """What there is to know of a column."""
    return _once(dataset, ("profile", column), lambda: dataset.held.profile(column))


def values_if_few(dataset: Dataset, column: str) -> np.ndarray | None:
    """The distinct values; None where an engine holds too many to look at each, so that it can only be left out."""
    return dataset.held.values(column) if profile_of_column(dataset, column).exact else None


@dataclass(frozen=True)
class Unread:
    """Cells of a column that the rule is about, of which nobody here can say what they are.

    Attributes
    ----------
    column : str
        Its name.
    what : "age", "date" or "state"
        What cells of the column are.
    values : tuple[str, ...]
        The different ones.
    records : int
        Records that have one.
    """

    column: str
    what: Literal["age", "date", "state"]
    values: tuple[str, ...]
    records: int


def unread(dataset: Dataset) -> tuple[Unread, ...]:
    """What stands in columns of ages, dates or States and cannot be read as one, nor as a word that tells none.

    Parameters
    ----------
    dataset : Dataset
        The file, or what is released of it.

    Returns
    -------
    tuple of Unread
        In the file's order.
    """
    unread_columns = []
    for suggestion in suggested(dataset):
        if not profile_of_column(dataset, suggestion.column).exact:
            continue
        which, what = _unread_in(dataset, suggestion)
        if what is not None and which.any():
            counts = dataset.held.counts_of(suggestion.column)
            unread_columns.append(
                Unread(suggestion.column, what, tuple(counts.values[which]), int(counts.records[which].sum()))
            )
    return tuple(unread_columns)


def _unread_in(dataset: Dataset, suggestion: Suggestion) -> tuple[np.ndarray, Literal["age", "date", "state"] | None]:
    """Which values of a column cannot be read as what it holds, and what that is; None where it is none of these."""
    if suggestion.kind == "age":
        return ages_of_column(dataset, suggestion.column).unread, "age"
    if suggestion.kind == "region" or "state" in name_tokens(suggestion.column):
        return no_states(dataset, suggestion.column), "state"
    values = dataset.held.values(suggestion.column)
    names_dates = is_of_dates(suggestion) or (
        suggestion.distinct == 1 and _is_kind_of_dates(suggestion.kind)
    )  # one value tells a date too
    if not names_dates or suggestion.hipaa_in_doubt is not None:
        return np.zeros(len(values), bool), None
    tells_no_more = np.array([_tells_at_most_a_year(value) for value in values], bool)
    return ~tells_no_more & ~finer_than_years(dataset, suggestion.column), "date"


def ages_of_column(dataset: Dataset, column: str) -> Ages:
    """What the distinct values of a column of ages are as ages, in the unit that :func:`unit_of_ages` says."""
    described = replace(dataset.described.get(column) or Described(column), unit=unit_of_ages(dataset, column))
    return _once(dataset, ("ages", column), lambda: ages_in(dataset.held.values(column), column, described))


def unit_of_ages(dataset: Dataset, column: str) -> str:
    """The unit of the numbers in a column of ages: "years", "months", "weeks", "days" or "hours".

    By a column beside it that has one unit for all (CDISC's ``AGEU``, ``age_unit``, ``onsetAge.unit``), or else by its
    dictionary or name. The data set is the file, or what is released of it.
    """
    described = dataset.described.get(column)
    own = unit_of_name(f"{'' if described is None else described.unit} {column}")
    stem = re.sub(r"[._ ]?values?$", "", column, flags=re.I).casefold()
    for name in dataset.held.columns if own == "years" else ():
        beside = re.sub(r"[._ ]?(?:units?|einheit|unite|unidad|u)$", "", name, flags=re.I).casefold()
        if beside == stem and name.casefold() != column.casefold() and profile_of_column(dataset, name).distinct == 1:
            return unit_of_word(profile_of_column(dataset, name).texts[0]) or own
    return own


def no_states(dataset: Dataset, column: str) -> np.ndarray:
    """Which distinct values of a column of regions are no States, where hardly any record has anything else."""
    counts = dataset.held.counts_of(column)
    says_nothing = np.array([_says_nothing(value) for value in counts.values], bool)
    return strangers_among_states(counts.values.tolist(), counts.records) & ~says_nothing


def is_of_dates(each: Suggestion) -> bool:
    """Whether a column is of dates by its name, dictionary or values."""
    return _is_kind_of_dates(each.kind) and each.hipaa_class is not None


def _is_kind_of_dates(kind: str) -> bool:
    return kind in KINDS and KINDS[kind].group == "date"


def finer_than_years(dataset: Dataset, column: str) -> np.ndarray:
    """Which distinct values of a column of dates are or hold a day, week, month or quarter."""
    return _once(dataset, ("finer than years", column), lambda: _finer_than_years(dataset.held.values(column)))


def _finer_than_years(values: np.ndarray) -> np.ndarray:
    in_digits = years_in_digits(values)
    tells_more = np.array([not _tells_at_most_a_year(value) for value in values], bool)
    finer = tells_more & (~np.isnat(to_dates(values, numbers=True)) | [str(value) in in_digits for value in values])
    others = np.flatnonzero(tells_more & ~finer)
    finer[others] = hold_days(values[others]) | hold_parts(values[others])
    return finer


def hold_dates(dataset: Dataset, column: str) -> np.ndarray:
    """Which distinct values of a column are or hold a day, week, month or quarter; none of a column of texts, where
    dates are looked for as other identifiers are (:mod:`anonlib.columns.free_text`)."""
    values = dataset.held.values(column)
    if is_text(dataset.held, column):
        return np.zeros(len(values), bool)
    return _once(
        dataset, ("hold dates", column),
        lambda: hold_days(values) | hold_parts(values) | _more_among_years(dataset, column),
    )  # fmt: skip


def _more_among_years(dataset: Dataset, column: str) -> np.ndarray:
    """Of a column of which hardly any record has anything but a year, the values that say more: “Easter 2014”."""
    counts = dataset.held.counts_of(column)
    are_years = np.array([_ONE_YEAR.fullmatch(value) is not None for value in counts.values], bool)
    if are_years.sum() < _FEWEST_YEARS or counts.records[are_years].sum() < _NEARLY_ALL * counts.records.sum():
        return np.zeros(len(are_years), bool)
    return np.array([_says_more_than_a_year(value) for value in counts.values], bool)


def _says_more_than_a_year(value: str) -> bool:
    """Whether a value beside years has figures that are no year, or names a month."""
    if _ABOUT_A_YEAR.fullmatch(value) or _tells_at_most_a_year(value):
        return False
    if re.fullmatch(r"\d+([.,]\d+)?", value):  # amounts lie beside years too
        return _DIGITS_BEHIND_A_YEAR.fullmatch(value) is not None
    return any(map(str.isdigit, value)) or any(month_of(word) for word in re.findall(r"[^\W\d_]{3,}", value))


def are_years(values: np.ndarray) -> bool:
    """Whether the values are years, or spans of them."""
    return len(values) > 0 and all(_YEAR.fullmatch(value) for value in values)


def _tells_at_most_a_year(value: str) -> bool:
    return _YEAR.fullmatch(value) is not None or _says_nothing(value)


def _says_nothing(value: str) -> bool:
    """Whether a value is a word or signs that stand for "no value"."""
    return is_missing_word(value) or not any(map(str.isalnum, value))


def is_coarse_place(values: Values) -> bool:
    """Whether every value is a State, or shows at most the first three digits of a postcode, or names no place."""
    return all(_COARSE_PLACE.fullmatch(value) or names_no_small_place(value) for value in values)


def names_no_small_place(value: str) -> bool:
    """Whether a value may stay however few people live there: a State, what stands for small areas, or a word that says
    that no place is known. A word of two letters may be a province."""
    return value in US_STATES or _NO_PLACE.fullmatch(value) is not None or (len(value) != 2 and _says_nothing(value))


def years_of(values: Values, latest: int | None = None) -> list[tuple[int, int] | None]:
    """First and last year that each value names, from 1800 on; None for one that names none.

    Parameters
    ----------
    values : Values
        Distinct values: dates however they are written, months, quarters, years, spans of years.
    latest : int, optional
        Of births the last year that they can be of: a year of two digits that comes after it is a century earlier.

    Examples
    --------
    >>> years_of(["2024-03-17", "March 2024", "20240317", "1990-1999", "unknown"])
    [(2024, 2024), (2024, 2024), (2024, 2024), (1990, 1999), None]
    >>> years_of(["26-07-28", "65-04-14"], latest=2025)
    [(1926, 1926), (1965, 1965)]
    """
    days = to_dates(values, numbers=True)
    dated = ~np.isnat(days)
    years = days.astype("datetime64[Y]").astype(np.int64) + 1970
    in_digits = years_in_digits(values)
    spans: list[tuple[int, int] | None] = []
    for value, is_date, year in zip(values, dated.tolist(), years.tolist(), strict=True):
        if is_date and latest is not None and year > latest and str(year) not in str(value):
            year -= 100
        digits = in_digits.get(str(value))
        inside = [digits] if digits else [year] if is_date else _years_inside(value)
        fits = inside and min(inside) >= 1800 and max(inside) < 2100
        spans.append((min(inside), max(inside)) if fits else None)
    return spans


def _years_inside(text: str) -> list[int]:
    day = _DAY_IN_DIGITS.fullmatch(text)
    return [int(day[1])] if day else [int(year) for year in _A_YEAR.findall(text)]


def reference_year(dataset: Dataset, column: str, year: int | None = None) -> int:
    """The year up to which the ages are counted that years in a column show: the last in the other columns of dates.

    The rule's guidance counts ages from the years that the file itself gives: of somebody born in 1910 who was treated
    in 2010, it says "on or before 1920" (U.S. Department of Health and Human Services 2012). Where no other column has
    a year, it is the year of the case; years after the next one, such as 2099, stand for an end that is open.

    Parameters
    ----------
    dataset : Dataset
        The file, or what is released of it.
    column : str
        The column of years, which does not count itself.
    year : int, optional
        Of the case; this one where it is left out.
    """
    today = date.today().year if year is None else year
    others = [name for name, kind in _columns_of_dates(dataset).items() if name != column and kind != "birth_date"]
    lasts = [span[1] for name in others for span in _years_in(dataset, name) if span is not None]
    return max((last for last in lasts if last <= today + 1), default=max(lasts, default=today))


def _columns_of_dates(dataset: Dataset) -> dict[str, str]:
    """Columns of dates or years, by name, dictionary or values, with the key of their kind."""
    kinds = {suggestion.column: suggestion.kind for suggestion in suggested(dataset) if suggestion.kind in KINDS}
    for name in [name for name, key in kinds.items() if key == "birth_place"]:
        values = values_if_few(dataset, name)
        if values is not None and are_years(values):  # “born in” tells when as well as where
            kinds[name] = "birth_date"
    return {name: key for name, key in kinds.items() if KINDS[key].group == "date"}


def _years_in(dataset: Dataset, column: str, latest: int | None = None) -> list[tuple[int, int] | None]:
    """The years of each distinct value; none where there are too many values to look at each."""
    if not profile_of_column(dataset, column).exact:
        return []
    return _once(dataset, ("years", column, latest), lambda: years_of(dataset.held.values(column), latest))


def showing_old_age(dataset: Dataset, year: int | None) -> set[str]:
    """Columns of dates or years of so long ago that they show an age over 89: of births, or of what somebody lived
    through who was born before."""
    showing = set()
    for name in _columns_of_dates(dataset):
        latest = reference_year(dataset, name, year)
        if any(span and span[0] <= latest - TOP_AGE for span in _years_in(dataset, name, latest)):
            showing.add(name)
    return showing
