"""The recipe that HIPAA's Safe Harbor makes of a file: its own steps, and how they go into a recipe that is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from anonlib.analyses.frontier import SPARSE_ZIP3
from anonlib.coarsening.hierarchies import EVERYTHING, TOP
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Recoding, ValueMap
from anonlib.columns.codes.postcodes import zip_with_zeros
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.reading.records.labels import ValueCounts
from anonlib.release.from_analyses import of_counted
from anonlib.release.listed import (
    SMALL_AREA,
    TOP_AGE,
    Listed,
    Standing,
    ages_of_column,
    hold_dates,
    is_coarse_place,
    names_no_small_place,
    no_states,
    people_by_value,
    reference_year,
    standing,
    unit_of_ages,
    years_of,
)
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode, Scope, Step
from anonlib.values.ages import Ages
from anonlib.values.cells import Values, to_numbers, to_ranges
from anonlib.values.ranges import reaching_over

RULE = "Safe Harbor, 45 CFR 164.514(b)(2)"
_ROUNDS = 2  # what one column tells depends on others: births on the dates beside them, once these are years
_SMALL = "000**"  # what the rule puts in the place of the three digits of a small area
_ZIP = re.compile(r"\d{5}([- ]?\d{4}|-)?|\d{3}[\d*]*\*|\d{3}")
_ZIP_BEHIND = re.compile(r"(?<=[A-Za-z.,] )\d{5}(?=-\d{4}$|$)")
_MOST_ODD = 0.05  # share of the records whose code in digits has another length than a ZIP code
_ONE_YEAR = re.compile(r"\d{4}|\*")
_YEARS: tuple[Recoding, ...] = (DateUnit("year"), Mask(4, fill="", length=4), Mask(4, "end", "", 4))


def safe_harbor_steps(data: Dataset, people: Dataset | None = None, year: int | None = None) -> tuple[Step, ...]:
    """What Safe Harbor itself makes of a file.

    Ages over 89 are put together, ranges of ages that reach over 89 too, and so are years of birth that show such an
    age; dates become years; ZIP codes their first three digits where more than 20,000 people live there; other places
    are all together; what can only be an identifier is dropped. Columns of the role identifier have no step, since they
    never leave.

    Parameters
    ----------
    data : Dataset
        The file.
    people : Dataset, optional
        The people around, under the file's names of columns. Without a column of the same ZIP codes the small areas
        are those of the Census of 2000.
    year : int, optional
        Of the case, up to which ages are counted where the file has no date; this one where it is left out.

    Returns
    -------
    tuple of Step
        One or two recodings a column, then what is dropped; none where nothing has to change. None of them asks about
        values of next year's file: what it does not cover becomes ``*``.

    References
    ----------
    45 CFR 164.514(b)(2)(i); the areas of 2000 are listed in docs/thresholds.md.
    """
    return with_safe_harbor(Recipe(), data, people, year).enabled


def with_safe_harbor(recipe: Recipe, data: Dataset, people: Dataset | None = None, year: int | None = None) -> Recipe:
    """A recipe that meets Safe Harbor, as far as a recipe can.

    Only columns that are at fault in the release are decided on. Where the rule's own step is at least as coarse as
    what the recipe does to a column, it takes its place; else it follows and works on the labels, so that nothing
    becomes finer than it is.

    Parameters
    ----------
    recipe : Recipe
        The recipe so far; an empty one gives the rule's own.
    data, people, year
        As in :func:`safe_harbor_steps`.

    Returns
    -------
    Recipe
        What it releases holds nothing that the rule lists. Only whether more than 20,000 people live in each place
        that it tells may remain open, where no population table says so.
    """
    for _ in range(_ROUNDS):
        released = recipe.apply(data).released
        at_fault = _to_be_recoded(standing(released, recipe, people, year))
        for listed_column in at_fault:
            if not _only_dropped(listed_column, data):
                latest = max(reference_year(file, listed_column.column, year) for file in (data, released))
                recipe = _recoded(recipe, listed_column, data, people, latest)
        recipe = _without(recipe, [fault.column for fault in at_fault if _only_dropped(fault, data)])
    while left := _to_be_recoded(standing(recipe.apply(data).released, recipe, people, year)):
        recipe = _without(recipe, [fault.column for fault in left])  # each time at least one column fewer
    return recipe


def _to_be_recoded(now: Standing) -> list[Listed]:
    """The columns at fault, and those of which some cells cannot be read."""
    at_fault = {fault.column for fault in now.at_fault}
    return [
        *now.at_fault,
        *(
            Listed(unread_column.column, "", unread_column.what)
            for unread_column in now.unread
            if unread_column.column not in at_fault
        ),
    ]


def rows_at_fault(fault: Listed, data: Dataset, people: Dataset | None = None, year: int | None = None) -> int:
    """Rows whose cell the rule's own step changes; of a column that can only be left out, those with a value.

    Parameters
    ----------
    fault : Listed
        A column at fault in the data.
    data, people, year
        As in :func:`safe_harbor_steps`.
    """
    if _only_dropped(fault, data):
        return data.n_records - data.held.sizes_of(fault.column).missing
    counts = data.held.counts_of(fault.column)
    steps = _recodings(fault, data, people, reference_year(data, fault.column, year))
    labels = _labels(steps, list(counts.values), fault.column)
    changed = [now != before for before, now in zip(counts.values, labels, strict=True)]
    return int(counts.records[changed].sum())


def _only_dropped(fault: Listed, data: Dataset) -> bool:
    return fault.what == "identifier" or fault.column == data.weight


def _without(recipe: Recipe, columns: Sequence[str]) -> Recipe:
    return recipe.take([DropColumns(tuple(columns), RULE)], replacing=columns) if columns else recipe


def _recoded(recipe: Recipe, fault: Listed, data: Dataset, people: Dataset | None, latest: int) -> Recipe:
    """The recipe with the rule's steps on one column."""
    name = fault.column
    own = _recodings(fault, data, people, latest)
    earlier = [step for step in recipe.enabled if name in step.recodes]
    if all(step.gives_way_to is Scope.COLUMN and _is_by_value(step, name) for step in earlier):
        values = [*data.held.values(name), None]
        now, then = _labels(earlier, values, name), _labels(own, values, name)
        if own and len(set(zip(now, then, strict=True))) == len(set(now)):  # each label of now is within one of then
            return recipe.take(own, replacing=(name,), scope=Scope.COLUMN)
    positions = [i for i, entry in enumerate(recipe.entries) if name in entry.step.recodes]
    behind = recipe.before(max(positions, default=-1) + 1)
    coarser_people = None if people is None else behind.apply_to_population(people)
    return recipe.take(_recodings(fault, behind.apply(data).released, coarser_people, latest))


def _is_by_value(step: Step, column: str) -> bool:
    """Whether it says of each value of a column what this becomes, whatever else is in the data."""
    return step.labels_of(column, np.array([None], dtype=object)) is not None


def _labels(steps: Iterable[Step], values: Sequence[str | None], column: str) -> list[str | None]:
    """What steps by value, one after another, make of the values of a column; None is a missing one."""
    labels = list(values)
    for step in steps:
        known = np.array([*sorted({label for label in labels if label is not None}), None], dtype=object)
        new_labels = step.labels_of(column, known)
        assert new_labels is not None
        becomes = dict(zip(known.tolist(), new_labels, strict=True))
        labels = [becomes[label] for label in labels]
    return labels


# ---- one column ----


def _recodings(fault: Listed, data: Dataset, people: Dataset | None, latest: int) -> tuple[Recode, ...]:
    """The rule's recodings of a column; none where it is a place that may stay.

    A sensitive column whose values only a list of them can recode is all together: saved projects hold no such list.
    """
    steps = _recodings_of_kind(fault, data, people, latest)
    if data.roles.get(fault.column) is Role.SENSITIVE and any(step.n_named for step in steps):
        return (Recode(fault.column, of_counted(EVERYTHING, data, fault.column), RULE),)
    return steps


def _recodings_of_kind(fault: Listed, data: Dataset, people: Dataset | None, latest: int) -> tuple[Recode, ...]:
    if fault.what == "age":
        return (Recode(fault.column, _of_ages(fault.column, data), RULE, "star"),)
    if fault.what == "place":
        return _of_places(fault.column, data, people)
    if fault.what == "state":
        return (_without_strangers(fault.column, data),)
    if fault.what == "holds dates":
        return _of_some_dates(fault.column, data)
    return _of_dates(fault.column, data.held.values(fault.column), latest if fault.what == "birth" else None)


def _of_ages(name: str, data: Dataset) -> Recoding:
    """Ages over 89 together; where a range reaches over 89 from below, all from where it begins.

    Where ages have units, those over 89 are one label, and what cannot be read is ``*``.
    """
    values, ages = data.held.values(name), ages_of_column(data, name)
    is_no_age = ages.unread & ~np.isnan(to_numbers(values))  # a number of too many years
    if is_no_age.any() or not ages.is_plain[ages.is_read].all():
        unit = "" if unit_of_ages(data, name) == "years" else " years"
        return ValueMap(tuple(zip(values.tolist(), _labels_of_ages(values, ages, unit), strict=True)))
    ranges = to_ranges(values)
    if not ranges.is_range.any() or ranges.of != "numbers":
        return Intervals(1, top=TOP_AGE)
    return Intervals(
        top=min([TOP_AGE, *ranges.begin[reaching_over(ranges, TOP_AGE) & np.isfinite(ranges.begin)].tolist()])
    )


def _labels_of_ages(values: Values, ages: Ages, unit: str) -> list[str]:
    """The values as they are; those that reach over 89, and all from where these begin, together; unread ones ``*``."""
    over = ages.reaching(TOP_AGE)
    lowest = min([float(TOP_AGE), *np.floor(ages.low[over]).tolist()])
    together = over | (ages.is_read & (ages.low >= lowest))
    return [
        TOP if unread else f"{lowest:g}+{unit}" if joined else str(value)
        for value, unread, joined in zip(values, ages.unread.tolist(), together.tolist(), strict=True)
    ]


def _of_dates(name: str, values: Values, latest: int | None) -> tuple[Recode, ...]:
    """Dates to years; of births those together that show an age over 89 in the year ``latest``; others to ``*``."""
    spans, oldest = years_of(values, latest), None if latest is None else latest - TOP_AGE
    years = [TOP if span is None else _year(*span) for span in spans]
    first = () if years == list(values) else (_to_years(name, values, years),)
    if oldest is None or all(span is None or span[0] > oldest for span in spans):
        return first
    last = _end_of_the_oldest([span for span in spans if span is not None], oldest)
    if all(_ONE_YEAR.fullmatch(year) for year in years):
        return (*first, Recode(name, Intervals(1, bottom=last + 1), RULE, "star"))
    old = [span is not None and span[1] <= last for span in spans]
    return (
        _mapped(name, values, [f"<{last + 1}" if is_old else year for is_old, year in zip(old, years, strict=True)]),
    )


def _of_some_dates(name: str, data: Dataset) -> tuple[Recode, ...]:
    """Of the values that are or hold a day the years that they name; the others stay as they are."""
    values, with_day = data.held.values(name), hold_dates(data, name)
    years = [TOP if span is None else _year(*span) for span in years_of(values)]
    labels = [year if held else str(value) for value, year, held in zip(values, years, with_day.tolist(), strict=True)]
    return (_mapped(name, values, labels),)


def _to_years(name: str, values: Values, years: Sequence[str]) -> Recode:
    """A recoding that makes these years of the values; where none of the general ones does, value by value."""
    steps = [Recode(name, way, RULE, "star") for way in _YEARS]
    return next((step for step in steps if step.labels(values).tolist() == years), _mapped(name, values, years))


def _end_of_the_oldest(spans: Sequence[tuple[int, int]], oldest: int) -> int:
    """The first year, ``oldest`` or later, that no span reaches over: none is partly among the oldest."""
    last = oldest
    while (reached := max([last, *(end for start, end in spans if start <= last)])) > last:
        last = reached
    return last


def _year(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _mapped(name: str, values: Values, labels: Sequence[str]) -> Recode:
    return Recode(name, ValueMap(tuple(zip(values, labels, strict=True))), RULE, "star")


def _of_places(name: str, data: Dataset, people: Dataset | None) -> tuple[Recode, ...]:
    """ZIP codes to three digits, those of small areas together; other places all together."""
    values = data.held.values(name)
    if is_coarse_place(values):
        first: tuple[Recode, ...] = ()
        labels = list(values)
    elif _are_zips(data.held.counts_of(name)):
        three = [_three_digits(value) for value in values]
        masked = [str(label) if is_coarse_place([str(label)]) else TOP for label in Mask(3).labels(values)]
        by_mask = masked == three
        first = (Recode(name, Mask(3), RULE),) if by_mask else (_mapped(name, values, three),)
        labels = list(dict.fromkeys(Mask(3).labels(values).tolist() if by_mask else three))
    elif _are_coarse_among_others(values):
        first, labels = (), list(values)
    else:
        return (Recode(name, of_counted(EVERYTHING, data, name), RULE),)
    kept_labels = _kept_places(labels, first, people, name)
    return first if len(kept_labels) == len(labels) else (*first, _mapped(name, labels, [
        label if label in kept_labels else _SMALL if label[0].isdigit() else TOP for label in labels
    ]))  # fmt: skip


def _without_strangers(name: str, data: Dataset) -> Recode:
    """States as they are, and ``*`` for what is none."""
    values = data.held.values(name)
    labels = [TOP if none else str(value) for value, none in zip(values, no_states(data, name).tolist(), strict=True)]
    return _mapped(name, values, labels)


def _are_zips(counts: ValueCounts) -> bool:
    """Whether some are ZIP codes. Codes of other lengths beside them lost zeros in front, nobody knows which, unless
    hardly any record has one: these are then read as nothing."""
    values = [_without_decimals(value) for value in counts.values]
    has_digits = np.array([any(map(str.isdigit, value)) for value in values], bool)
    is_odd = np.array([value.isdigit() and len(value) not in (5, 9) for value in values], bool)
    hardly_any = counts.records[is_odd].sum() <= _MOST_ODD * counts.records[has_digits].sum()
    return bool(hardly_any) and any(
        _ZIP.fullmatch(zip_with_zeros(value)) or _ZIP_BEHIND.search(value) for value in values
    )


def _three_digits(value: str) -> str:
    """The first three digits of a ZIP code, also of one behind a State or town; ``*`` for what names none."""
    whole = _whole_zip(value)
    if names_no_small_place(value):
        return str(value)
    code = whole if _ZIP.fullmatch(whole) else next(iter(_ZIP_BEHIND.findall(whole)), None)
    return TOP if code is None else f"{code[:3]}**"


def _whole_zip(value: str) -> str:
    return zip_with_zeros(_without_decimals(value))


def _without_decimals(value: str) -> str:
    """Codes that were read as numbers: ``10027.0``."""
    return value.removesuffix(".0").strip()


def _are_coarse_among_others(values: Values) -> bool:
    """Whether some are the first three digits of a postcode, and no digit is in the others."""
    digits = [value for value in values if any(map(str.isdigit, value))]
    return bool(digits) and is_coarse_place(digits)


def _kept_places(labels: Sequence[str], first: Sequence[Recode], people: Dataset | None, name: str) -> set[str]:
    """The labels of places that may stay: of more than 20,000 people, or that name no place."""
    coarse = [label for label in labels if is_coarse_place([label])]
    if people is None or name not in people.columns:
        return {label for label in coarse if label[:3] not in SPARSE_ZIP3}
    coarser_people: dict[str | None, int] = {}
    by_value = people_by_value(people, name)
    for value in by_value:
        label = _three_digits(value) if first and value is not None else value
        coarser_people[label] = coarser_people.get(label, 0) + by_value[value]
    return {label for label in coarse if coarser_people.get(label, 0) > SMALL_AREA or names_no_small_place(label)}
