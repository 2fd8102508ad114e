"""The tabs under the map: configurations side by side, how many regions, the regions' table, what to take home."""

from __future__ import annotations

from functools import partial

import geopandas as gpd
import pandas as pd
import streamlit as st

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.geometry import Ground, outlines, to_geojson, to_geopackage
from anonlib.analyses.regions.measures import Measures
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import regions as plots
from anonlib.release.export import draws_for, released_csv, table_csv
from anonlib.release.from_analyses import protected
from anonlib.release.recipe import Recipe
from pages.protect.regions import picture, results
from pages.protect.regions.controls.settings import take_number
from pages.protect.regions.question import PLACEMENTS, RegionsQuestion, curve
from pages.protect.regions.summary import LEFT_OUT, as_percent
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, guard, keep, state, view
from ui.text import plain, printable

_curve = cache.remembered(curve)

MOST_BARS = 8
MEASURES_HELP = {
    LEFT_OUT: glossary.linked("The share in classes below k of their region.", "left out", "below k"),
    "compactness, km": glossary.linked(
        "Sum over areas of the distance to the middle of their region, the median of its areas (Equation 20).", "area"
    ),
    "discernibility": glossary.linked("Sum of the squared sizes of the classes of k or more (Equation 21).", "class"),
    "entropy, bits": glossary.linked(
        "What it takes to tell from the region which area somebody is from, over all that are counted (Equations 22 "
        "and 23).",
        "area",
    ),
}


# ---- side by side ---------------------------------------------------------------------------------------------------


def show_comparison(question: RegionsQuestion, by_area: Aggregation) -> None:
    """Every configuration run so far, with the four measures."""
    seen = results.all_seen(question)
    shown = seen[-MOST_BARS:]
    in_words = "; ".join(
        f"{plain(name)}: {words.percent(measures.share_left_out)} left out" for name, measures in shown
    )
    page.figure(
        partial(plots.measures_bars, shown, unit=question.unit),
        "Bars of records left out, compactness, discernibility and entropy of "
        f"{words.count(len(shown), 'configurations')}. {in_words}.",
        "regions-bars",
    )  # fmt: skip
    page.counts(
        "The four measures of every configuration run so far on these data; less is better for each (Croft et al. "
        "2015, section 3.4, Figures 3 to 5). Compare like numbers of regions, and all four: one giant region and many "
        "tiny ones leave out less and blur more."
    )
    page.table(
        comparison([("areas as they are", by_area.measures), *seen], question.unit),
        "The four measures of each configuration",
        help=MEASURES_HELP, height=page.table_height(len(seen) + 1, 420),
    )  # fmt: skip
    with st.container(horizontal=True):
        results.ask_all(question)
        st.button(
            "Forget these", on_click=guard.action(results.forget_seen), icon=":material/delete_sweep:",
            help="The table begins again with the one on the map.",
        )  # fmt: skip


def comparison(configurations: list[tuple[str, Measures]], unit: str) -> pd.DataFrame:
    """One row a configuration, one column a measure."""
    return pd.DataFrame(
        {
            "configuration": [printable(name) for name, _ in configurations],
            "regions": [m.regions for _, m in configurations],
            LEFT_OUT: [as_percent(m.share_left_out) for _, m in configurations],
            f"{unit} left out": [m.left_out for _, m in configurations],
            "smallest class": [m.anonymity for _, m in configurations],
            "compactness, km": [round(m.compactness / 1000) for _, m in configurations],
            "discernibility": [m.discernibility for _, m in configurations],
            "entropy, bits": [round(m.entropy) for _, m in configurations],
            "seconds": [round(m.seconds, 3) for _, m in configurations],
        }
    )


# ---- how many regions -----------------------------------------------------------------------------------------------


def show_curve(question: RegionsQuestion) -> None:
    """What each number of regions leaves out; a click takes the number."""
    unit, number = question.unit, question.number
    points = dict(_curve(question.classes, k=question.k))
    if number.target is not None:
        points |= dict(number.target.points)
    ordered = tuple(sorted(points.items(), key=lambda point: point[0]))
    searched = () if number.searched is None else number.searched.points
    placed = PLACEMENTS[question.placement].lower()
    key = keep.per("regions-curve", question.classes.key, question.k)
    page.figure(
        partial(
            plots.left_out_curve, ordered, current=number.sites, target=number.share, unit=unit,
            searched=searched, names=("balanced", placed),
        ),
        f"A line of the share of {unit} left out against the number of regions. "
        + "; ".join(f"{n:,} regions: {words.percent(measures.share_left_out)}" for n, measures in ordered[::4])
        + "".join(f"; {n:,} {placed}: {words.percent(measures.share_left_out)}" for n, measures in searched)
        + ".",
        key, "points", partial(_take_number, key, question),
    )  # fmt: skip
    page.counts(
        f"{unit.capitalize()} in classes below k = {question.k} of their region, for numbers of balanced "
        "regions from 1 to all areas (Croft et al. 2015, section 5.1). More regions mostly leave out more, but not "
        "strictly. A click on a point takes that number by hand."
        + (f" The dotted line is of the numbers of {placed} regions tried for the target." if searched else "")
    )  # fmt: skip


def _take_number(key: str, question: RegionsQuestion) -> None:
    chosen = keep.reported(key).selection.points
    if chosen:
        take_number(question, round(float(chosen[0]["x"])))


# ---- the regions ----------------------------------------------------------------------------------------------------


def show_regions(question: RegionsQuestion, by_region: Aggregation) -> None:
    """One row a region, the one that loses most first."""
    frame = by_region.to_frame().rename(columns={"records": question.unit})
    if question.classes.areas.population is None:
        frame = frame.drop(columns="people")
    frame = frame.sort_values(["left out", question.unit], ascending=False, kind="stable")
    page.table(
        frame, f"{words.count(len(frame), 'regions')} with their areas, {question.unit} and what is left out",
        help={
            "smallest class": glossary.linked(
                "The fewest that share the chosen columns in the region.",
                "smallest class",
            ),
            "left out": glossary.linked(f"In classes below k = {question.k}.", "left out", "below k"),
        },
        height=page.table_height(len(frame), 560),
    )  # fmt: skip
    page.counts("Regions are numbered from north to south.")


# ---- to take home ---------------------------------------------------------------------------------------------------


def show_downloads(question: RegionsQuestion, by_region: Aggregation) -> None:
    """The regions and the records in them, as files.

    A file is made outside the session, when its button is pressed: what it is made of is fetched here.
    """
    areas, land = by_region.area_classes.areas, picture.land(by_region)
    now, lot = view.now(), state.lot("regions")
    assert now.data is not None
    applied = now.applied
    why_not = ""
    if now.data.tables is not None:
        why_not = "Several tables, or lists in cells, leave together: take them home on the Release page."
    elif applied is not None and applied.why_not:
        reason = "A step of the recipe does not fit" if applied.problems else plain(applied.why_not.removesuffix("."))
        why_not = f"{reason}: see the Release page."
    elif not results.are_in_recipe(question, by_region, now.recipe):
        why_not = "Add these regions to the recipe first: the verdict is on what the recipe releases."
    with st.container(horizontal=True):
        page.download(
            "Area to region", lambda: table_csv(by_region.area_table()), "area_to_region.csv", "regions-areas",
            holds=Holds.FIGURES,
            help="One row an area: its id and its region.",
        )  # fmt: skip
        page.download(
            "Regions (GeoJSON)", lambda: to_geojson(_to_publish(by_region, land)), "regions.geojson", "regions-geojson",
            holds=Holds.FIGURES,
            help="The outlines of the regions, with their areas and people and no count of records, in longitude and "
            "latitude.",
            why_not="" if areas.crs is not None else "The areas’ file names no coordinate system.",
        )  # fmt: skip
        page.download(
            "Regions (GeoPackage)", lambda: to_geopackage(_to_publish(by_region, land), areas.places.crs),
            "regions.gpkg", "regions-gpkg", holds=Holds.FIGURES,
            help="The same, in the areas’ coordinate system.",
        )  # fmt: skip
        page.download(
            "Protected records", partial(_protected, now.data, now.recipe, by_region, lot),
            "protected_records.csv", "regions-records", holds=Holds.RELEASE,
            enters="CSV of regions",
            help=f"The records with the region instead of the area, without those in classes below k = {question.k}, "
            "after the recipe’s other steps, in random order. Publish one such file only: two with other regions "
            "tell more than each.",
            why_not=why_not,
        )  # fmt: skip


def _to_publish(by_region: Aggregation, land: Ground) -> gpd.GeoDataFrame:
    """The outlines without what is counted of records: how many are left out where tells about rare ones."""
    people = ["people"] if by_region.area_classes.areas.population is not None else []
    return outlines(by_region, on=land)[["region", "areas", *people, "geometry"]]


def _protected(data: Dataset, recipe: Recipe, by_region: Aggregation, lot: list[int]) -> bytes:
    released = protected(data, recipe, by_region)
    return released_csv(released, draws_for(released, lot))
