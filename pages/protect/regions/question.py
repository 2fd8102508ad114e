"""What the officer asks on the Regions page, and what is counted for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from anonlib.analyses.regions import (
    CUTOFFS,
    GAPS,
    Aggregation,
    AreaClasses,
    Areas,
    Gaps,
    Grouping,
    aggregate,
    as_they_are,
    curve_numbers,
    given_regions,
    grouped_by,
    grouped_by_records,
    joined_above,
    left_out_curve,
    number_by_gaps,
    regions_for_target,
)
from anonlib.analyses.regions.exchange import BALANCE, COMPACTNESS
from anonlib.analyses.regions.reading import AreaFile
from anonlib.analyses.regions.target import Points, Target
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.from_analyses import prepared_for_places
from anonlib.values.cells import to_numbers
from ui.kit import page
from ui.session import away, cache, long_work, state, view
from ui.session.companions import AreaTable
from ui.text import printable

T = TypeVar("T")
SEARCHED = {"balanced": "Balanced", "clustering": "Clustered", "exchange": "Exchanged"}
PLACEMENTS = {**SEARCHED, "given": "Given"}
USUAL = GAPS["Western Canada"]
MOST_GROUPINGS = 4  # that are compared before the officer chooses
STAYS = 20_000  # areas, and classes in them: what is quickly counted of no more is counted by the page itself
USUAL_SHARE = 5.0  # % of the records that may be left out, until the officer says another


@dataclass(frozen=True)
class CountedAreas:
    """What is aggregated.

    Attributes
    ----------
    classes : the records by area and class, as the recipe's other steps leave them.
    left_out : records that lack a quasi-identifier, where the Data page says to leave these out.
    prepared : what the recipe's other steps do to the columns, as Markdown.
    """

    classes: AreaClasses
    left_out: int = 0
    prepared: str = ""


@dataclass(frozen=True)
class Number:
    """How many regions are asked for.

    Attributes
    ----------
    sites : the number.
    why : where it comes from, in words.
    target, share : what is left out by the most regions that keep to a share of 0 to 1, placed balanced, where that is
        asked for.
    gaps : the model of the cutoff that was chosen last, whether or not the number comes from it.
    searched : the same, placed as asked for where that is another way; the number is its own.
    """

    sites: int
    why: str
    target: Target | None = None
    share: float | None = None
    gaps: Gaps = USUAL
    searched: Target | None = None


@dataclass(frozen=True)
class Given:
    """Regions that are there before: a grouping, and what becomes of its regions that do not exceed a cutoff.

    Attributes
    ----------
    grouping : which group each area is in.
    cutoff : in people; 0 for none.
    join : whether regions up to the cutoff are joined to others, and not left out.
    """

    grouping: Grouping
    cutoff: int = 0
    join: bool = False

    @property
    def name(self) -> str:
        """What it is called beside others."""
        name = printable(self.grouping.name)
        return name + (f", {'joined ' * self.join}above {self.cutoff:,} people" if self.cutoff else "")

    def regions(self, classes: AreaClasses, k: int) -> Aggregation:
        """The regions, and what is left out of them for k."""
        grouping = _joined(classes.areas, self.grouping, cutoff=self.cutoff) if self.join else self.grouping
        return _given_regions(classes, grouping, k=k, cutoff=self.cutoff)


_given_regions = cache.remembered(given_regions)
_joined = cache.waited_for("Joining areas")(joined_above)
_aggregate = cache.remembered(aggregate)


@dataclass(frozen=True)
class RegionsQuestion:
    """One aggregation: of what, for which k, how many regions and how they are placed.

    ``compactness`` and ``balance`` are the two promises of the exchange, 0 to 1; ``given`` are the regions that are
    there before, where these are placed so.
    """

    counted: CountedAreas
    k: int
    number: Number
    placement: str
    compactness: float = COMPACTNESS
    balance: float = BALANCE
    given: Given | None = None

    @property
    def classes(self) -> AreaClasses:
        return self.counted.classes

    @property
    def unit(self) -> str:
        return self.classes.unit

    @property
    def way(self) -> str:
        """How its regions come about, beside other ways to as many regions."""
        if self.placement == "given" and self.given is not None:
            return self.given.name
        if self.placement == "exchange" and (self.compactness, self.balance) != (COMPACTNESS, BALANCE):
            return f"Exchanged, compact {self.compactness:.0%}, even {self.balance:.0%}"
        return PLACEMENTS[self.placement]

    @property
    def name(self) -> str:
        """What this configuration is called beside others."""
        return f"{self.way}, {words.count(self.number.sites, 'regions')}, k = {self.k}"

    @property
    def searched_by(self) -> dict[str, Any]:
        """The placement and, where these have a say in it, the two promises."""
        promises = {"compactness": self.compactness, "balance": self.balance}
        return {"placement": self.placement, **(promises if self.placement == "exchange" else {})}

    def with_target(self, searched: Target, *, is_done: bool) -> RegionsQuestion:
        """The same question of as many regions as were found, placed in its way."""
        assert self.number.target is not None
        why = why_target(searched, self.placement, self.number.target, is_done=is_done)
        return replace(self, number=replace(self.number, sites=searched.asked, why=why, searched=searched))

    def with_regions(self, sites: int, placement: str) -> RegionsQuestion:
        """The same question of another number of regions, placed in another way."""
        return replace(self, number=replace(self.number, sites=sites, searched=None), placement=placement)

    def with_given(self, given: Given) -> RegionsQuestion:
        """The same question of regions that are there before."""
        sites = given.regions(self.classes, self.k).n_regions
        return replace(self.with_regions(sites, "given"), given=given)


def to_compare(question: RegionsQuestion, numbers: Iterable[int] = ()) -> list[RegionsQuestion]:
    """The number asked for, those of both models of the cutoff, which the paper compares, and others: every search.

    With a number of sites each that leads to as many regions, where there is one: a site may have none.
    """
    asked = [question.number.sites]
    for model in ("entropy", "max_combinations"):
        try:
            asked.append(number_by_gaps(question.classes, model, question.number.gaps))
        except InputError:
            continue
    asked += [sites_for(question, number) for number in numbers]
    return [question.with_regions(n, placement) for n in dict.fromkeys(asked) for placement in SEARCHED]


def sites_for(question: RegionsQuestion, regions: int) -> int:
    """How many sites, placed balanced, lead to so many regions; so many where a few more do not."""
    for sites in range(regions, min(regions + max(3, regions // 20), question.classes.n_areas) + 1):
        if _aggregate(question.classes, k=question.k, number=sites).n_regions == regions:
            return sites
    return regions


# ---- what is counted ------------------------------------------------------------------------------------------------


def count(data: Dataset, areas: Areas, column: str, names: list[str]) -> CountedAreas:
    """The records by area and by the columns ``names``, as the recipe's other steps leave them.

    Raises InputError where the recipe drops them all.
    """
    recipe = prepared_for_places(view.now().recipe, column)
    applied = view.apply(recipe, data)
    # Who lacks a quasi-identifier is left out by now, where that is the policy; what else is missing is a value.
    released = applied.released.with_missing("category")
    gone = [name for name in names if name not in released.columns]
    if gone and len(gone) == len(names):
        raise InputError(
            "The recipe drops every column that is chosen beside the place. Choose another.", code="column-not-released"
        )
    left = tuple(name for name in names if name not in gone)
    classes = _classes(areas, released, column=column, names=left)
    return CountedAreas(
        classes, applied.left_out, _as_released([name for name in left if name in recipe.recoded], gone)
    )


def _as_released(recoded: list[str], gone: list[str]) -> str:
    dropped = page.listed(gone, len(gone))
    parts = [f"{page.listed(recoded)} recoded"] * bool(recoded) + [f"{dropped} dropped"] * bool(gone)
    return f"Counted as the recipe releases the columns: {', '.join(parts)}." if parts else ""


@cache.remembered
def _classes(areas: Areas, data: Dataset, *, column: str, names: tuple[str, ...]) -> AreaClasses:
    return AreaClasses.from_records(areas, data, column, list(names))


# ---- what numbers of regions leave out ------------------------------------------------------------------------------


def _of_balanced(work: Callable[[Progress], T], classes: AreaClasses) -> T:
    """What takes a second of many areas, computed in another process; of few it is computed here."""
    is_large = classes.n_areas + classes.counts.nnz > STAYS
    return away.compute(work, long_work.let_go) if is_large else work(nobody)


def curve(classes: AreaClasses, *, k: int) -> Points:
    """What numbers of regions over the whole range leave out, placed balanced."""
    return _of_balanced(partial(_curve, classes, k), classes)


def _curve(classes: AreaClasses, k: int, progress: Progress) -> Points:
    return left_out_curve(classes, k, curve_numbers(classes.n_areas), progress=progress)


def target_of(classes: AreaClasses, k: int, share: float) -> Target:
    """The most regions found that leave out at most a share, placed balanced."""
    return _target(classes, k=k, share=share)


@cache.remembered
def _target(classes: AreaClasses, *, k: int, share: float) -> Target:
    """Looked for among what was tried for the usual share, so that another one is found at once."""
    usual = USUAL_SHARE / 100
    known = () if share == usual else target_of(classes, k, usual).points
    return _of_balanced(partial(_most_regions, classes, k, share, known), classes)


def _most_regions(classes: AreaClasses, k: int, share: float, known: Points, _progress: Progress) -> Target:
    return regions_for_target(classes, k, share, curve=known)


def why_target(target: Target, placement: str, balanced: Target | None = None, *, is_done: bool = True) -> str:
    """What is known of the number, in words: which larger ones were tried, and how many it would be placed balanced."""
    allowed = f"{100 * target.share:.3g}%"
    if not target.is_kept:
        return (
            f"At most {allowed} cannot be kept to: even one region for all areas leaves out "
            f"{words.percent(target.measures.share_left_out)}, which is the least. Allow more, lower k or coarsen "
            "columns."
        )
    number = "The" if target.asked == target.measures.regions else f"{target.asked:,} is the"
    tried = "tried" if is_done else "tried so far"
    why = f"{number} largest number {tried} that leaves out at most {allowed}, {PLACEMENTS[placement].lower()}. "
    why += _tried_beyond(target) if is_done else "The search for more is not done."
    return why if balanced is None else f"{why} Placed balanced, it would be {balanced.asked:,}."


def _tried_beyond(target: Target) -> str:
    """Which larger numbers were tried."""
    beyond, first = target.beyond, target.asked + 1
    if not beyond:
        return "It is the number of areas."
    in_a_row = next((i for i, number in enumerate(beyond) if number != first + i), len(beyond))
    if not in_a_row:
        return f"The next one tried, {beyond[0]:,}, leaves out more; those between were not tried."
    last = beyond[in_a_row - 1]
    tried = f"{first:,} leaves" if in_a_row == 1 else f"{first:,} to {last:,} leave"
    if in_a_row < len(beyond):
        farther = len(beyond) - in_a_row
        return f"{tried} out more, as did {words.count(farther, 'larger numbers')} tried; others were not."
    others = "" if last == target.aggregation.area_classes.n_areas else "; larger ones were not tried"
    return f"{tried} out more{others}."


# ---- what is there before -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class GroupingColumn:
    """A column that groups areas: of their file, or of the records.

    Attributes
    ----------
    name : what it is called on screen.
    values : its text, one item an area.
    guessed : areas whose value is that of the nearest, since no record of theirs has one.
    """

    name: str
    values: np.ndarray
    guessed: int = 0

    @property
    def longest(self) -> int:
        """The most characters of a value."""
        return max(len(str(value or "").strip()) for value in self.values)

    def grouping(self, areas: Areas, characters: int | None = None) -> Grouping:
        """The groups of its values, or of their first characters; raises InputError where a value is blank."""
        grouping = grouped_by(self.name, self.values, characters)
        return as_they_are(areas) if grouping.n_groups == len(areas) else replace(grouping, guessed=self.guessed)

    def cropping(self, areas: Areas) -> int | None:
        """The most characters by which two areas or more share a group on average, and not all; None where none do."""
        for characters in range(self.longest - 1, 0, -1):
            n_groups = self.grouping(areas, characters).n_groups
            if 2 * n_groups <= len(areas):
                return characters if n_groups > 1 else None
        return None

    def of_the_records(self) -> GroupingColumn:
        """The same, where a column of the areas' file has its name."""
        return replace(self, name=f"{self.name} (of the records)")


def sources(areas: Areas, data: Dataset, column: str) -> list[GroupingColumn]:
    """What areas can be grouped by: their codes, then the other columns of their file, then those of the records."""
    of_file = _of_file(*_file(), **_columns())
    names = {source.name for source in of_file}
    of_records = _of_records(areas, data, column=column)
    return [*of_file, *(column.of_the_records() if column.name in names else column for column in of_records)]


def usual_givens(question: RegionsQuestion, data: Dataset) -> list[Given]:
    """What is usually released: codes cropped, columns that group areas, and the paper's fixed cutoffs."""
    areas = question.classes.areas
    groupings = _usual_groupings(areas, data, *_file(), column=question.classes.column, **_columns())
    givens = [Given(grouping) for grouping in groupings]
    if areas.population is not None:
        largest = min(groupings, key=lambda grouping: grouping.n_groups, default=None)
        givens += [Given(largest, cutoff) for cutoff in CUTOFFS if largest is not None]
        givens += [Given(as_they_are(areas), cutoff, join=True) for cutoff in CUTOFFS]
    return givens


def _file() -> tuple[AreaFile]:
    file = state.part(AreaTable).file
    assert file is not None
    return (file,)


def _columns() -> dict[str, Any]:
    """Which column of the areas' file names the area, and which are no groups of areas."""
    columns = state.part(AreaTable).columns
    assert columns is not None
    return {"id": columns.id, "but": (columns.x, columns.y, columns.population)}


@cache.remembered
def _of_file(file: AreaFile, *, id: str, but: tuple[str | None, ...]) -> list[GroupingColumn]:
    others = [name for name in file.table.columns if name not in (id, *but)]
    columns = [(name, file.table[name].to_numpy(dtype=object)) for name in (id, *others)]
    return [GroupingColumn(name, values) for name, values in columns if name == id or len(set(values)) > 1]


@cache.remembered
def _of_records(areas: Areas, data: Dataset, *, column: str) -> list[GroupingColumn]:
    """The columns on which all records of an area agree; nothing that is sensitive names a region."""
    aside = {column, data.person_id, data.weight, *data.identifiers, *data.columns_with(Role.SENSITIVE)}
    of_records = (grouped_by_records(areas, data, column, name) for name in data.columns if name not in aside)
    return [GroupingColumn(group.name, group.labels, group.guessed) for group in of_records if group is not None]


@cache.remembered
def _usual_groupings(
    areas: Areas, data: Dataset, file: AreaFile, *, column: str, id: str, but: tuple[str | None, ...]
) -> list[Grouping]:
    """The codes of areas, cropped until two share a group on average; and columns of words that group so many."""
    codes, *others = [*_of_file(file, id=id, but=but), *_of_records(areas, data, column=column)]
    groupings = []
    for source in others:
        with suppress(InputError):  # blank cells: it is no grouping of all areas
            if np.isnan(to_numbers([value for value in source.values if value is not None])).any():
                groupings.append(source.grouping(areas))
    groupings = [grouping for grouping in groupings if 2 * grouping.n_groups <= len(areas)][:MOST_GROUPINGS]
    characters = codes.cropping(areas)
    return [*([codes.grouping(areas, characters)] if characters else []), *groupings]
