"""What the officer asks on the Regions page, and what is counted for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

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


def target_of(classes: AreaClasses, k: int, share: float) -> Target:
    """The most regions found that leave out at most a share, placed balanced."""
    return _target(classes, k=k, share=share)


@cache.remembered
def _target(classes: AreaClasses, *, k: int, share: float) -> Target:
    """Looked for among what was tried for the usual share, so that another one is found at once."""
    usual = USUAL_SHARE / 100
    return regions_for_target(classes, k, share, curve=() if share == usual else target_of(classes, k, usual).points)


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
