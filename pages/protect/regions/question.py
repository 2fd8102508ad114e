"""What the officer asks on the Regions page, and what is counted for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anonlib.analyses.regions import (
    GAPS,
    AreaClasses,
    Areas,
    Gaps,
    curve_numbers,
    left_out_curve,
    number_by_gaps,
    regions_for_target,
)
from anonlib.analyses.regions.exchange import BALANCE, COMPACTNESS
from anonlib.analyses.regions.target import Points, Target
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.release.from_analyses import prepared_for_places
from ui.kit import page
from ui.session import cache, view

PLACEMENTS = {"balanced": "Balanced", "clustering": "Clustered", "exchange": "Exchanged"}
USUAL = GAPS["Western Canada"]
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
    target, share : what is left out by the most regions that keep to a share of 0 to 1, where that is asked for.
    gaps : the model of the cutoff that was chosen last, whether or not the number comes from it.
    """

    sites: int
    why: str
    target: Target | None = None
    share: float | None = None
    gaps: Gaps = USUAL


@dataclass(frozen=True)
class RegionsQuestion:
    """One aggregation: of what, for which k, how many regions and how they are placed.

    ``compactness`` and ``balance`` are the two promises of the exchange, 0 to 1.
    """

    counted: CountedAreas
    k: int
    number: Number
    placement: str
    compactness: float = COMPACTNESS
    balance: float = BALANCE

    @property
    def classes(self) -> AreaClasses:
        return self.counted.classes

    @property
    def unit(self) -> str:
        return self.classes.unit

    @property
    def name(self) -> str:
        """What this configuration is called beside others."""
        name = f"{PLACEMENTS[self.placement]}, {words.count(self.number.sites, 'regions')}"
        if self.placement == "exchange" and (self.compactness, self.balance) != (COMPACTNESS, BALANCE):
            name += f", compact {self.compactness:.0%}, even {self.balance:.0%}"
        return name + f", k = {self.k}"

    def with_regions(self, sites: int, placement: str) -> RegionsQuestion:
        """The same question of another number of regions, placed in another way."""
        return replace(self, number=replace(self.number, sites=sites), placement=placement)


def to_compare(question: RegionsQuestion) -> list[RegionsQuestion]:
    """The number asked for, and those of both models of the cutoff, which the paper compares, with every placement."""
    numbers = [question.number.sites]
    for model in ("entropy", "max_combinations"):
        try:
            numbers.append(number_by_gaps(question.classes, model, question.number.gaps))
        except InputError:
            continue
    return [question.with_regions(n, placement) for n in dict.fromkeys(numbers) for placement in PLACEMENTS]


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


def curve(classes: AreaClasses, *, k: int) -> Points:
    """What numbers of regions over the whole range leave out, placed balanced."""
    return left_out_curve(classes, k, curve_numbers(classes.n_areas))


def target_of(classes: AreaClasses, k: int, percent: float) -> Target:
    """The most regions found that leave out at most so many percent."""
    return _target(classes, k=k, percent=percent)


@cache.remembered
def _target(classes: AreaClasses, *, k: int, percent: float) -> Target:
    """Looked for among what was tried for the usual share, so that another one is found at once."""
    tried = () if percent == USUAL_SHARE else target_of(classes, k, USUAL_SHARE).points
    return regions_for_target(classes, k, percent / 100, curve=tried)
