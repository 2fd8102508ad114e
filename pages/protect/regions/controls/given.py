"""The controls of regions that are given: by which codes or column, and what becomes of those of few people."""

from __future__ import annotations

from typing import Any

from anonlib.analyses.regions import CUTOFFS, AreaClasses
from anonlib.dataset import Dataset
from anonlib.release.listed import SMALL_AREA
from pages.protect.regions.question import Given, GroupingColumn, sources
from ui.kit import glossary, page
from ui.session import keep
from ui.text import printable

OWN = -1
OFFERED: dict[int, str] = {
    0: "None",
    SMALL_AREA: f"{SMALL_AREA:,} people (HIPAA Safe Harbor)",
    **{people: f"{people:,} people ({whose})" for people, whose in CUTOFFS.items()},
    OWN: "Another number",
}
CUTOFF_HELP = (
    "Regions whose population does not exceed it are at risk, and all of their records are left out; or they are "
    "joined to regions beside them until each exceeds it (Croft et al. 2015, section 2.2). k is asked for in what "
    "remains."
)


def ask_given(data: Dataset, classes: AreaClasses, first: Any, second: Any) -> Given:
    """Regions that are there before; raises InputError where the column that is chosen groups no areas."""
    offered = {source.name: source for source in sources(classes.areas, data, classes.column)}
    usual = next((name for name, source in list(offered.items())[1:] if _groups(source, classes)), next(iter(offered)))
    source = offered[
        keep.select(
            keep.per("regions-given-by", list(offered)), "Grouped by", list(offered), usual, place=first,
            format_func=printable,
            help=glossary.linked(
                "The codes of the areas, another column of their file, or one of the records on which all records of "
                "an area agree. Areas of the same value are one region.",
                "area", "region",
            ),
        )
    ]  # fmt: skip
    grouping = source.grouping(classes.areas, _ask_characters(source, classes, second))
    cutoff, join = _ask_cutoff(classes)
    return Given(grouping, cutoff, join)


def _groups(source: GroupingColumn, classes: AreaClasses) -> bool:
    return 2 * len(set(source.values.tolist())) <= classes.n_areas


def _ask_characters(source: GroupingColumn, classes: AreaClasses, place: Any) -> int | None:
    longest = source.longest
    if longest < 2:
        return None
    usual = longest if _groups(source, classes) else source.cropping(classes.areas) or longest
    return keep.slider(
        keep.per("regions-characters", source.name, longest), "First characters of it", 1, longest, usual, place=place,
        help="How many characters of each value stay. Cropping the last three of a Canadian postal code leaves three; "
        "at the right end nothing is cropped.",
    )  # fmt: skip


def _ask_cutoff(classes: AreaClasses) -> tuple[int, bool]:
    known = classes.areas.population is not None
    why_not = "" if known else " The areas’ file names no number of people."
    cutoff_place, second, third = page.beside(3, 3, 4, align="bottom")
    cutoff = keep.select(
        "regions-cutoff", "Population cutoff", list(OFFERED), place=cutoff_place, format_func=OFFERED.__getitem__,
        disabled=not known, help=glossary.linked(CUTOFF_HELP + why_not, "area", "k", "left out"),
    )  # fmt: skip
    if not known or not cutoff:
        return 0, False
    if cutoff == OWN:
        cutoff = keep.number(
            "regions-cutoff-own", "People that a region must exceed", 1, 1_000_000_000, 50_000, 1_000,
            place=second, help="The cutoff: a region of exactly so many people does not exceed it.",
        )  # fmt: skip
        second = third
    join = keep.segments(
        "regions-cutoff-join", "Regions up to it", [False, True], place=second,
        format_func={False: "Left out", True: "Joined to others"}.__getitem__,
        help=glossary.linked(
            "**Left out**: all of their records are. **Joined to others**: the region of the fewest people goes to one "
            "beside it that is near and small, until each exceeds the cutoff. Where people live decides.",
            "left out",
        ),
    )  # fmt: skip
    return cutoff, join
