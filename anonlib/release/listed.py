"""What HIPAA's Safe Harbor lists in a data set: which columns may hold it, and whether places are large enough."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from anonlib.columns.codes.states import US_STATES
from anonlib.columns.free_text import is_text
from anonlib.columns.identifiers import KINDS, evidence_of_values, hipaa_class, kind_of_name
from anonlib.columns.roles import Role, Suggestion, suggest_roles
from anonlib.dataset import Dataset
from anonlib.reading.records.profile import MOST_LOOKED_AT, Profile
from anonlib.release.recipe import Recipe
from anonlib.values.cells import Values, to_ranges
from anonlib.values.dates import hold_days, may_be_parts_of_dates, to_dates
from anonlib.values.ranges import are_one_group

SMALL_AREA = 20_000
"""People: a place of so many or fewer is not released, 45 CFR 164.514(b)(2)(i)(B)."""
TOP_AGE = 90
"""Ages from here on are one group, and so are years of birth so long ago, 45 CFR 164.514(b)(2)(i)(C)."""

_YEAR = re.compile(r"<?\s*(18|19|20)\d\d(\s*[-–]\s*(18|19|20)\d\d)?|\*")
_A_YEAR = re.compile(r"(?<![\d<])((?:18|19|20)\d\d)(?!\d)")
_DAY_IN_DIGITS = re.compile(r"((?:18|19|20)\d\d)(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")
_TOP_OF_AGES = re.compile(r"(?:90\s*(?:\+|and (?:above|over|older))|≥\s*90|>\s*89)")
_COARSE_PLACE = re.compile(r"\d{3}|\d{1,3}\*+|\*+")
_NO_PLACE = re.compile(r"0{3}\**|\*+")  # what the rule puts in the place of small areas

What = Literal["identifier", "place", "date", "birth", "age", "holds dates"]


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
    """

    at_fault: tuple[Listed, ...]
    open_places: tuple[str, ...]
    open_dates: tuple[str, ...] = ()


def standing(released: Dataset, recipe: Recipe, population: Dataset | None) -> Standing:
    """How a release stands to Safe Harbor.

    Parameters
    ----------
    released : Dataset
        What would leave.
    recipe : Recipe
        Of what it was made; the population table is recoded by it.
    population : Dataset, optional
        The people around, under the file's names of columns.

    Returns
    -------
    Standing

    References
    ----------
    45 CFR 164.514(b)(2)(i).
    """

    @cache
    def people_by_place(column: str) -> dict[str | None, int] | None:
        if population is None or column not in population.columns:
            return None
        return people_by_value(recipe.apply_to_population(population), column)

    at_fault, open_places, open_dates = [], [], []
    for each in listed(released):
        if each.in_doubt:
            open_dates.append(each.column)
            continue
        values = _values_if_few(released, each.column)
        if (
            values is None
            or not is_coarse_place(values)
            or not (each.what == "place" or any("*" in value for value in values))
        ):
            at_fault.append(each)
        elif named := [value for value in values if not _names_no_small_place(value)]:
            people = people_by_place(each.column)
            if people is None:
                open_places.append(each.column)
            elif min(people.get(value, 0) for value in named) <= SMALL_AREA:
                at_fault.append(each)
    return Standing(tuple(at_fault), tuple(open_places), tuple(open_dates))


def listed(dataset: Dataset) -> tuple[Listed, ...]:
    """Columns whose name or values are of a kind that the rule lists and that are not yet as it wants them.

    Parameters
    ----------
    dataset : Dataset
        Its person id is left aside: persons are counted by it and it does not leave.

    Returns
    -------
    tuple of Listed
        In the file's order. Places of three digits are among them: whether these may stay is for the people who live
        there (:func:`standing`).
    """
    leaving = [name for name in dataset.columns if dataset.roles.get(name) != Role.PERSON_ID]
    births = _births_of_the_oldest(dataset, leaving)
    found = []
    others = [name for name in dataset.held.columns if name not in leaving]
    for each in suggest_roles(dataset.held.drop(others), dataset.described):
        if each.column in births:
            found.append(Listed(each.column, str(hipaa_class("C")), "birth"))
        elif each.hipaa_in_doubt is not None:
            found.append(Listed(each.column, each.hipaa_in_doubt, "date", in_doubt=True))
        elif each.distinct == 1 and (what := _what_one_value_tells(dataset, each.column)) is not None:
            found.append(Listed(each.column, str(hipaa_class("B" if what == "place" else "C")), what))
        elif each.hipaa_class is None or each.distinct <= 1:
            if (what := _holds_dates(dataset, each.column)) is not None:
                found.append(Listed(each.column, str(hipaa_class("C")), what))
            elif kind_of_name(each.column) is None and _may_be_parts_of_dates(dataset, each.column):
                found.append(Listed(each.column, str(hipaa_class("C")), "date", in_doubt=True))
        elif (values := _values_if_few(dataset, each.column)) is None:
            found.append(Listed(each.column, each.hipaa_class, "identifier"))
        elif not _is_grouped(values):
            found.append(Listed(each.column, each.hipaa_class, _what(each, dataset)))
    return tuple(found)


def _what(each: Suggestion, dataset: Dataset) -> What:
    """By the letter of its class."""
    letter, kind = str(each.hipaa_class)[1], kind_of_name(each.column)
    if letter == "B" and each.role in (Role.QUASI_IDENTIFIER, Role.PLACE):
        return "place"
    if letter != "C":
        return "identifier"
    seen = None if kind is not None else evidence_of_values(dataset.held.values(each.column).tolist()).kind
    if (kind or seen) == KINDS["age"]:
        return "age"
    return "birth" if kind is None or kind.key == "birth_date" else "date"


def _profile(dataset: Dataset, column: str) -> Profile:
    key = ("profile", column)
    remembered = dataset.held.remembered
    if key not in remembered:
        remembered[key] = dataset.held.profile(column)
    return remembered[key]


def _values_if_few(dataset: Dataset, column: str) -> np.ndarray | None:
    """The distinct values; None where an engine holds too many to look at each, so that it can only be left out."""
    return dataset.held.values(column) if _profile(dataset, column).exact else None


def _holds_dates(dataset: Dataset, column: str) -> What | None:
    """What a column is whose name and values say nothing, if some values hold days; of too many those drawn tell it."""
    profile = _profile(dataset, column)
    if profile.exact:
        return "holds dates" if hold_dates(dataset, column).any() else None
    return "identifier" if not is_text(dataset.held, column) and hold_days(profile.texts).any() else None


def _may_be_parts_of_dates(dataset: Dataset, column: str) -> bool:
    profile = _profile(dataset, column)
    return profile.distinct <= MOST_LOOKED_AT and may_be_parts_of_dates(profile.texts)


def hold_dates(dataset: Dataset, column: str) -> np.ndarray:
    """Which distinct values of a column are or hold a day; none of a column of texts, where dates are looked for as
    other identifiers are (:mod:`anonlib.columns.free_text`)."""
    key = ("hold dates", column)
    remembered = dataset.held.remembered
    if key not in remembered:
        values = dataset.held.values(column)
        remembered[key] = np.zeros(len(values), bool) if is_text(dataset.held, column) else hold_days(values)
    return remembered[key]


def _what_one_value_tells(dataset: Dataset, column: str) -> What | None:
    """What a column of one value is, by its name or else the value: it tells nobody apart, and the rule lists it all
    the same. None where it may stay."""
    values = dataset.held.values(column)
    kind = kind_of_name(column) or evidence_of_values(values.tolist()).kind
    if kind is None:
        return None
    if kind.hipaa == "B" and kind.group in ("place", "demographic"):
        return None if _names_no_small_place(values[0]) else "place"
    if _is_grouped(values):
        return None
    if kind.group == "date" and years_of(values) != [None]:
        return "birth" if kind.key == "birth_date" else "date"
    if kind.key == "age" and any(int(number) >= TOP_AGE for number in re.findall(r"\d+", values[0])):
        return "age"
    return None


def is_coarse_place(values: Values) -> bool:
    """Whether every value is a State, or shows at most the first three digits of a postcode."""
    return all(value in US_STATES or _COARSE_PLACE.fullmatch(value) for value in values)


def _names_no_small_place(value: str) -> bool:
    """Whether a value may stay however few people live there: a State, or what stands for small areas."""
    return value in US_STATES or _NO_PLACE.fullmatch(value) is not None


def _is_grouped(values: np.ndarray) -> bool:
    """Whether the values are years, or ages of which those from 90 on are together."""
    if len(values) and all(_YEAR.fullmatch(value) for value in values):
        return True
    ranges = to_ranges(values)
    with_ranges = ranges.of == "numbers" and bool(ranges.is_range.any())
    others = values[~ranges.fits] if with_ranges else values
    older = any(int(number) > TOP_AGE for value in others for number in re.findall(r"\d+", value))
    if with_ranges and are_one_group(ranges, TOP_AGE):
        return not older
    return not with_ranges and not older and any(_TOP_OF_AGES.search(value) for value in values)


def people_by_value(population: Dataset, column: str) -> dict[str | None, int]:
    """How many people have each value of a column."""
    people = population.classes([column])
    return dict(zip(people.column(column), people.counts.tolist(), strict=True))


# ---- years ----


def years_of(values: Values) -> list[tuple[int, int] | None]:
    """First and last year that each value names, from 1800 on; None for one that names none.

    Parameters
    ----------
    values : Values
        Distinct values: dates however they are written, months, quarters, years, spans of years.

    Returns
    -------
    list of (int, int) or None

    Examples
    --------
    >>> years_of(["2024-03-17", "March 2024", "20240317", "1990-1999", "unknown"])
    [(2024, 2024), (2024, 2024), (2024, 2024), (1990, 1999), None]
    """
    days = to_dates(values, numbers=True)
    dated = ~np.isnat(days)
    years = days.astype("datetime64[Y]").astype(np.int64) + 1970
    found: list[tuple[int, int] | None] = []
    for value, is_date, year in zip(values, dated.tolist(), years.tolist(), strict=True):
        inside = [year] if is_date else _years_inside(value)
        fits = inside and min(inside) >= 1800 and max(inside) < 2100
        found.append((min(inside), max(inside)) if fits else None)
    return found


def _years_inside(text: str) -> list[int]:
    day = _DAY_IN_DIGITS.fullmatch(text)
    return [int(day[1])] if day else [int(year) for year in _A_YEAR.findall(text)]


def latest_year(dataset: Dataset) -> int | None:
    """The last year in the columns that are dates by their names; None where there is none.

    The rule's guidance counts ages from the years that the file itself gives: of somebody born in 1910 who was treated
    in 2010, it says "on or before 1920" (U.S. Department of Health and Human Services 2012).
    """
    kinds = {name: kind_of_name(name) for name in dataset.columns}
    dates = [name for name, kind in kinds.items() if kind is not None and kind.group == "date"]
    spans = [span for name in dates for span in years_of(dataset.held.values(name)) if span is not None]
    return max((last for _, last in spans), default=None)


def _births_of_the_oldest(dataset: Dataset, leaving: list[str]) -> set[str]:
    """Columns of births, by their names, that tell years of so long ago that they show an age over 89."""
    kinds = {name: kind_of_name(name) for name in leaving}
    births = [name for name, kind in kinds.items() if kind is not None and kind.key == "birth_date"]
    latest = latest_year(dataset) if births else None
    if latest is None:
        return set()
    spans = {name: years_of(dataset.held.values(name)) for name in births}
    return {name for name, found in spans.items() if any(span and span[0] <= latest - TOP_AGE for span in found)}
