"""The Regions page's figures, and in words the whole or the region that is selected."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.measures import Measures
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from pages.protect.regions import picture, results
from pages.protect.regions.question import Given, RegionsQuestion
from ui.kit import glossary, page
from ui.session import guard
from ui.text import plain

MOST_LISTED = 5  # regions beside the map
LEFT_OUT = "left out, %"


def show_metrics(question: RegionsQuestion, by_area: Aggregation, by_region: Aggregation) -> None:
    """The figures that matter: the areas as they are → the regions."""
    unit, n = question.unit, question.classes.n_records
    was, now = by_area.measures, by_region.measures
    people = unit if question.classes.areas.population is None else "people"
    page.metrics(
        (
            "Regions",
            words.change(f"{was.regions:,}", _released(now)),
            glossary.linked("Areas → regions. " + _why_so_many(question, by_region), "area"),
        ),
        (
            f"{unit.capitalize()} left out" if now.withheld else f"{unit.capitalize()} below k",
            words.change(words.percent(was.share_left_out), words.percent(now.share_left_out)),
            glossary.linked(
                f"In classes below k = {question.k} of their region"
                f"{', or in one that is left out whole' * bool(now.withheld)}: "
                f"{words.share(now.left_out, n, unit)} now, {was.left_out:,} by area. They would be left out.",
                "below k",
                "left out",
            ),
        ),
        (
            f"{people.capitalize()} a region",
            words.change(f"{_mean(by_area):,.0f}", f"{_mean(by_region):,.0f}"),
            f"On average: all {people} / regions. For the same number, uneven regions leave out less and blur the "
            "large ones more.",
        ),
        (
            "Distance to the middle",
            _distance(now.compactness / question.classes.n_areas),
            glossary.linked(
                "Of an area from the middle of its region, the median of the region’s areas, on average: how far off a "
                "place is in the release (compactness, Croft et al. 2015, Equation 20, divided by the areas).",
                "area",
            ),
        ),
        *_hidden(question, by_area, by_region),
    )


def _released(measures: Measures) -> str:
    """How many regions leave."""
    if not measures.withheld:
        return f"{measures.regions:,}"
    return f"{measures.regions - measures.withheld:,} of {measures.regions:,}"


def _hidden(question: RegionsQuestion, by_area: Aggregation, by_region: Aggregation) -> list[tuple[str, str, str]]:
    """What the released places hide: among how many people somebody is, and in which area."""
    was, now, figures = by_area.spatial, by_region.spatial, []
    if question.classes.areas.population is not None:
        fewest = ["—" if people is None else f"{people:,}" for people in (was.fewest_people, now.fewest_people)]
        figures.append(
            (
                "Fewest people",
                words.change(*fewest),
                glossary.linked(
                    "Who live in the region of the fewest, of those that a released record names: among so many "
                    "somebody is of whom the place alone is known (k-moved, method related, Cremer et al. 2025).",
                    "fewest people",
                    "k",
                ),
            )
        )
    guessed = ["—" if share is None else words.percent(share) for share in (was.area_guessed, now.area_guessed)]
    figures.append(
        (
            "Area guessed",
            words.change(*guessed),
            glossary.linked(
                f"The share of the released {question.unit} that live in the area of their region where most people "
                "live: how often naming that area is right. A region of one large area and some empty ones hides "
                "no place.",
                "area guessed",
                "area",
            ),
        )
    )
    return figures


def _why_so_many(question: RegionsQuestion, by_region: Aggregation) -> str:
    if question.placement == "given" and question.given is not None:
        return _why_given(question.given, by_region)
    if by_region.n_regions == question.number.sites:
        return question.number.why
    nowhere = question.number.sites - by_region.n_regions
    return (
        f"{question.number.why} {question.number.sites:,} sites were placed, and to {nowhere:,} of them no area is the "
        "nearest."
    )


def _why_given(given: Given, by_region: Aggregation) -> str:
    name, guessed = page.listed([given.grouping.name]), given.grouping.guessed
    why = f"Joined from {name}." if given.join else f"A region for each value of {name}."
    if guessed:
        why += (
            f" {words.count(guessed, 'areas')} of which no record says anything are in the region of the nearest one."
        )
    if not given.cutoff:
        return why
    withheld = by_region.measures.withheld
    if not withheld:
        return f"{why} Each has more than {given.cutoff:,} people."
    return f"{why} **{withheld:,}** of them, with no more than {given.cutoff:,} people, would be left out whole."


def _mean(aggregation: Aggregation) -> float:
    return float(aggregation.population.sum()) / aggregation.n_regions


def _distance(metres: float) -> str:
    """``850 m``, ``3.4 km``."""
    kilometres = metres / 1000
    if kilometres < 1:
        return f"{metres:,.0f} m"
    return f"{kilometres:,.0f} km" if kilometres >= 100 else f"{kilometres:.3g} km"


def show_side(question: RegionsQuestion, by_area: Aggregation, by_region: Aggregation, data: Dataset) -> int | None:
    """What is selected in words, and the next step; returns the selected region."""
    region = picture.ask_region(by_region)
    st.button(
        "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(results.add_to_recipe),
        args=(question, by_region, data), disabled=by_region.releases_nothing,
        help="No region exceeds the cutoff: nothing would be released. Choose a lower one."
        if by_region.releases_nothing
        else "Places become these regions; what is below k is left out. Earlier steps on the same column give way.",
    )  # fmt: skip
    if region is None:
        _the_whole(question, by_area, by_region)
    else:
        _the_region(question, by_region, region)
    return region


def _the_whole(question: RegionsQuestion, by_area: Aggregation, by_region: Aggregation) -> None:
    """The whole, in words, with the next step."""
    unit, n = question.unit, question.classes.n_records
    was, now = by_area.measures, by_region.measures
    why = f"**{words.count(by_region.n_regions, 'regions')}.** {_why_so_many(question, by_region)}"
    if question.number.target is None or question.number.target.is_kept:
        st.markdown(why)
    else:
        st.warning(why, icon=":material/warning:")
    if by_region.method != question.placement:
        st.markdown("Shown are the balanced regions, until the search above is done.")
    st.markdown(
        f"**By area**, {words.share(was.left_out, n, unit)} are in classes below {question.k}: with "
        f"{page.listed(list(question.classes.classes.attributes))} and the area, they stand out."
    )
    if not now.left_out:
        st.markdown(f"**By region** nobody does: the smallest class has {now.anonymity:,}.")
    else:
        st.markdown(
            f"**By region**, {words.share(now.left_out, n, unit)} are, and would be left out; the largest part here:"
            if not now.withheld
            else f"**By region**, {words.share(now.left_out, n, unit)} are or live in a region that is left out whole, "
            "and would be left out; the largest part here:"
        )
        page.table(
            _most_left_out(question, by_region),
            "The regions that lose most",
            height=page.table_height(MOST_LISTED, 240),
        )
        st.caption("Fewer regions or coarser columns leave out less: see **Number of regions** below.")
    if by_region.method == "clustering" and by_region.shape_key == results.balanced(question).shape_key:
        st.markdown("No site could move: these are the balanced regions.")
    if by_region.improves_all is not None:
        st.markdown(
            "No exchange was found that is better on all four measures: these are the balanced regions."
            if not by_region.improves_all
            else "Better than as many balanced regions on all four measures."
            if now.left_out
            else "More compact and finer than as many balanced regions, and nobody is left out."
        )
    st.caption(_what_borders_tell(question, by_region))


def _what_borders_tell(question: RegionsQuestion, by_region: Aggregation) -> str:
    are_balanced = by_region.method == "balanced" or by_region.improves_all is False
    if not are_balanced and by_region.method != "given":
        return "These borders depend on the records: who sees them learns a little about where rare records are."
    if question.placement == "given" and question.given is not None and not question.given.join:
        return "These borders were there before the records."
    classes = by_region.area_classes
    if classes.areas.population is None:
        return f"These borders depend on how many {classes.unit} are in each area, and on nothing in them."
    return "These borders depend on where people live, and on no record."


def _the_region(question: RegionsQuestion, by_region: Aggregation, region: int) -> None:
    """One region, in words."""
    unit = question.unit
    records, left = int(by_region.records[region]), int(by_region.left_out[region])
    people = f"{words.count(int(by_region.population[region]), 'people')} and "
    if question.classes.areas.population is None:
        people = ""
    areas = words.count(int(by_region.areas_of_region[region]), "areas")
    st.markdown(f"**{areas}** with {people}{words.count(records, unit)}.")
    if not records:
        st.markdown(f"No {unit} are in it.")
    elif by_region.withheld is not None and by_region.withheld[region]:
        st.markdown(f"Its people do not exceed the cutoff: all of its {unit} would be left out.")
    elif left:
        st.markdown(
            f"Its smallest class has {by_region.smallest_class[region]:,}: "
            f"**{words.share(left, records, unit)}** are in classes below {question.k} and would be left out."
        )
    else:
        st.markdown(f"Its smallest class has {by_region.smallest_class[region]:,}: nobody is left out.")
    small = _small_classes(question, by_region, region)
    if len(small):
        page.table(
            small, f"The classes of the region below k = {question.k}", height=page.table_height(len(small), 270)
        )
    ids = question.classes.areas.ids[by_region.region_of_area == region].tolist()
    st.caption("Areas: " + ", ".join(plain(name, 40) for name in ids[:12]) + (" …" if len(ids) > 12 else "."))


def _most_left_out(question: RegionsQuestion, by_region: Aggregation) -> pd.DataFrame:
    """The regions that lose the largest share of their records."""
    share = by_region.left_out / np.maximum(by_region.records, 1)
    worst = np.argsort(-share, kind="stable")[: min(MOST_LISTED, int((share > 0).sum()))]
    return pd.DataFrame(
        {
            "region": by_region.names[worst],
            question.unit: by_region.records[worst],
            LEFT_OUT: [as_percent(part) for part in share[worst].tolist()],
        }
    )


def _small_classes(question: RegionsQuestion, by_region: Aggregation, region: int) -> pd.DataFrame:
    """The classes of a region below k, the smallest first."""
    counts = by_region.counts
    row = slice(counts.indptr[region], counts.indptr[region + 1])
    sizes, of = counts.data[row], counts.indices[row]
    small = np.flatnonzero((sizes < question.k) & (sizes > 0))
    small = small[np.lexsort((of[small], sizes[small]))]
    frame = question.classes.classes.labels().iloc[of[small]]
    frame.insert(0, unused_name(question.unit, frame), sizes[small])
    return frame


def as_percent(share: float) -> float:
    """A share in [0, 1] as a percentage of three digits: a number, which a table that is downloaded keeps."""
    return float(f"{100 * share:.3g}")
