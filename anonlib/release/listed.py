"""What HIPAA's Safe Harbor lists in a data set: which columns may hold it, and whether places are large enough."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from anonlib.analyses.frontier import SPARSE_ZIP3
from anonlib.columns.free_text import is_text
from anonlib.columns.identifiers import evidence_of_values, hipaa_class, kind_of_name, name_tokens
from anonlib.columns.roles import Role, Suggestion
from anonlib.dataset import Dataset
from anonlib.reading.records.profile import MOST_LOOKED_AT, Profile
from anonlib.release.listed_cells import (
    TOP_AGE,
    Unread,
    ages_of_column,
    are_years,
    finer_than_years,
    hold_dates,
    is_coarse_place,
    is_of_dates,
    names_no_small_place,
    profile_of_column,
    showing_old_age,
    suggested,
    unread,
    values_if_few,
    years_of,
)
from anonlib.release.recipe import Recipe
from anonlib.values.dates import hold_days, hold_parts, may_be_parts_of_dates

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
