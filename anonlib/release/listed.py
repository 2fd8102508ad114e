"""What HIPAA's Safe Harbor lists in a data set: which columns may hold it, and whether places are large enough.

First comes what single cells are to Safe Harbor: ages, years, dates, places, or unread; each distinct value by itself.
Then come the columns, and how a release stands to the rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Literal, TypeVar

import numpy as np

from anonlib.analyses.frontier import SPARSE_ZIP3
from anonlib.columns.codes.states import US_STATES, strangers_among_states
from anonlib.columns.free_text import is_text
from anonlib.columns.identifiers import KINDS, evidence_of_values, hipaa_class, kind_of_name, name_tokens
from anonlib.columns.roles import Role, Suggestion, ages_in, suggest_roles
from anonlib.dataset import Dataset
from anonlib.reading.records.profile import MOST_LOOKED_AT, Profile
from anonlib.reading.sources import Described
from anonlib.release.recipe import Recipe
from anonlib.values.ages import Ages, unit_of_name, unit_of_word
from anonlib.values.cells import Values
from anonlib.values.dates import hold_days, hold_parts, may_be_parts_of_dates, month_of, to_dates, years_in_digits
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


def is_of_dates(suggestion: Suggestion) -> bool:
    """Whether a column is of dates by its name, dictionary or values."""
    return _is_kind_of_dates(suggestion.kind) and suggestion.hipaa_class is not None


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


SMALL_AREA = 20_000
"""People: a place of so many or fewer is not released, 45 CFR 164.514(b)(2)(i)(B)."""
_MOST_OF_A_STUDY = 0.6  # share of the days of a month or weeks of a year

What = Literal["identifier", "place", "date", "birth", "age", "holds dates", "state"]


@dataclass(frozen=True)
class Listed:
    """A column that may hold what the rule lists.

    Attributes
    ----------
    column : str
        Its name.
    which : str
        The rule's class, such as ``(C) dates except the year, and ages over 89``.
    what : What
        The same in kinds that are recoded alike; an "identifier" can only be left out, and of a column that "holds
        dates" most values may be something else.
    in_doubt : bool, default False
        Whether only the officer can tell if it holds it: numbers that may be dates by their range alone, texts that may
        be parts of dates by their form alone.
    """

    column: str
    which: str
    what: What
    in_doubt: bool = False


@dataclass(frozen=True)
class Standing:
    """How a release stands to the rule.

    Attributes
    ----------
    at_fault : tuple[Listed, ...]
        Columns that hold more than it allows.
    open_places : tuple[str, ...]
        Columns of places of which no population table tells how many people live there.
    open_dates : tuple[str, ...], default ()
        Columns that may hold dates by the range of their numbers or the form of their texts, where neither name nor
        other columns tell.
    unread : tuple[Unread, ...], default ()
        Columns with cells that cannot be read.
    """

    at_fault: tuple[Listed, ...]
    open_places: tuple[str, ...]
    open_dates: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()


def standing(released: Dataset, recipe: Recipe, population: Dataset | None, year: int | None = None) -> Standing:
    """How a release stands to Safe Harbor.

    Parameters
    ----------
    released : Dataset
        What would leave.
    recipe : Recipe
        Of what it was made; the population table is recoded by it.
    population : Dataset, optional
        The people around, under the file's names of columns.
    year : int, optional
        Of the case, as for :func:`reference_year`.

    References
    ----------
    45 CFR 164.514(b)(2)(i).
    """

    @cache
    def people_by_place(column: str) -> dict[str | None, int] | None:
        if population is None or column not in population.columns:
            return None
        return people_by_value(recipe.apply_to_population(population), column)

    postcodes = {suggestion.column for suggestion in suggested(released) if suggestion.kind == "postcode"}
    at_fault, open_places, open_dates = [], [], []
    for listed_column in listed(released, year):
        if listed_column.in_doubt:
            open_dates.append(listed_column.column)
            continue
        values = values_if_few(released, listed_column.column)
        if (
            values is None
            or listed_column.what == "age"
            or not is_coarse_place(values)
            or not (listed_column.what == "place" or any("*" in value for value in values))
        ):
            at_fault.append(listed_column)
        elif named := [value for value in values if not names_no_small_place(value)]:
            people = people_by_place(listed_column.column)
            if (
                people is None
                and listed_column.column in postcodes
                and any(value[:3] in SPARSE_ZIP3 for value in named)
            ):
                at_fault.append(listed_column)
            elif people is None:
                open_places.append(listed_column.column)
            elif min(people.get(value, 0) for value in named) <= SMALL_AREA:
                at_fault.append(listed_column)
    return Standing(tuple(at_fault), tuple(open_places), tuple(open_dates), unread(released))


def listed(dataset: Dataset, year: int | None = None) -> tuple[Listed, ...]:
    """Columns whose name or values are of a kind that the rule lists and that are not yet as it wants them.

    Parameters
    ----------
    dataset : Dataset
        Its person id is left aside: persons are counted by it and it does not leave.
    year : int, optional
        Of the case, as for :func:`reference_year`.

    Returns
    -------
    tuple of Listed
        In the file's order. Places of three digits are among them: whether these may stay is for the people who live
        there (:func:`standing`).
    """
    old = showing_old_age(dataset, year)
    entries = []
    for suggestion in suggested(dataset):
        if suggestion.kind == "age" and not profile_of_column(dataset, suggestion.column).exact:
            entries.append(Listed(suggestion.column, str(hipaa_class("C")), "identifier"))  # not all of it was read
        elif suggestion.kind == "age":
            if not ages_of_column(dataset, suggestion.column).in_one_group(TOP_AGE):
                entries.append(Listed(suggestion.column, str(hipaa_class("C")), "age"))
        elif suggestion.column in old:
            entries.append(Listed(suggestion.column, str(hipaa_class("C")), "birth"))
        elif suggestion.hipaa_in_doubt is not None:
            entries.append(Listed(suggestion.column, suggestion.hipaa_in_doubt, "date", in_doubt=True))
        elif suggestion.distinct == 1 and (what := _what_one_value_tells(dataset, suggestion.column)) is not None:
            entries.append(Listed(suggestion.column, str(hipaa_class("B" if what == "place" else "C")), what))
        elif suggestion.hipaa_class is None or suggestion.distinct <= 1:
            if (what := _holds_dates(dataset, suggestion.column)) is not None:
                entries.append(Listed(suggestion.column, str(hipaa_class("C")), what))
            elif kind_of_name(suggestion.column) is None and _may_be_parts_of_dates(dataset, suggestion.column):
                entries.append(Listed(suggestion.column, str(hipaa_class("C")), "date", in_doubt=True))
        elif (values := values_if_few(dataset, suggestion.column)) is None:
            entries.append(Listed(suggestion.column, suggestion.hipaa_class, "identifier"))
        elif is_of_dates(suggestion):
            if finer_than_years(dataset, suggestion.column).any():
                entries.append(Listed(suggestion.column, suggestion.hipaa_class, _what(suggestion, dataset)))
        elif not are_years(values):
            entries.append(Listed(suggestion.column, suggestion.hipaa_class, _what(suggestion, dataset)))
    return tuple(entries)


def _what(suggestion: Suggestion, dataset: Dataset) -> What:
    """By the letter of its class."""
    letter, kind = str(suggestion.hipaa_class)[1], kind_of_name(suggestion.column)
    if letter == "B" and suggestion.role in (Role.QUASI_IDENTIFIER, Role.PLACE):
        return "place"
    if letter != "C":
        return "identifier"
    return "birth" if kind is None or kind.key == "birth_date" else "date"


def _holds_dates(dataset: Dataset, column: str) -> What | None:
    """What a column is whose name and values say nothing, if some hold days or parts of years; of many those drawn."""
    profile = profile_of_column(dataset, column)
    if profile.exact:
        return "holds dates" if hold_dates(dataset, column).any() else None
    hold = hold_days(profile.texts) | hold_parts(profile.texts)
    return "identifier" if not is_text(dataset.held, column) and hold.any() else None


def _may_be_parts_of_dates(dataset: Dataset, column: str) -> bool:
    profile = profile_of_column(dataset, column)
    if _are_days_or_weeks(column, profile):
        return True
    return profile.distinct <= MOST_LOOKED_AT and may_be_parts_of_dates(profile.texts)


def _are_days_or_weeks(column: str, profile: Profile) -> bool:
    """Whether a column is called day or week, and its numbers are hardly interrupted as those of a month or year are:
    studies count from their own first day."""
    most = {"day": 31, "week": 53, "tag": 31, "woche": 53}.get("".join(name_tokens(column)), 0)
    numbers = [int(text) for text in profile.texts if re.fullmatch(r"0*\d{1,2}", text)]
    all_are = len(numbers) == len(profile.texts) and bool(numbers) and 1 <= min(numbers) <= max(numbers) <= most
    return all_are and profile.distinct > _MOST_OF_A_STUDY * most


def _what_one_value_tells(dataset: Dataset, column: str) -> What | None:
    """What a column of one value is, by its name or else the value: it tells nobody apart, and the rule lists it all
    the same. None where it may stay."""
    values = dataset.held.values(column)
    kind = kind_of_name(column) or evidence_of_values(values.tolist()).kind
    if kind is None:
        return None
    if kind.hipaa == "B" and kind.group in ("place", "demographic"):
        return None if names_no_small_place(values[0]) else "place"
    if are_years(values):
        return None
    if kind.group == "date" and years_of(values) != [None]:
        return "birth" if kind.key == "birth_date" else "date"
    return None


def people_by_value(population: Dataset, column: str) -> dict[str | None, int]:
    """How many people have each value of a column."""
    people = population.classes([column])
    return dict(zip(people.column(column), people.counts.tolist(), strict=True))
