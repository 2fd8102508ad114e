"""The tabs under the map: configurations side by side, how many regions, the regions' table, what to take home."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import geopandas as gpd
import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.geometry import Ground, outlines, to_geojson, to_geopackage
from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.plots import regions as plots
from anonlib.release.export import draws_for, released_csv, table_csv
from anonlib.release.from_analyses import protected
from anonlib.release.recipe import Recipe
from pages.protect.regions import picture, results
from pages.protect.regions.controls.settings import take_number
from pages.protect.regions.question import PLACEMENTS, Given, RegionsQuestion, curve, usual_givens
from pages.protect.regions.summary import LEFT_OUT, as_percent
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, guard, keep, state, view
from ui.text import plain, printable

_curve = cache.remembered(curve)

MOST_GROUPINGS = 2  # that ours are compared with until the officer chooses
LARGEST_AREA = "largest area, %"
AREA_GUESSED = "area guessed, %"
MEASURES_HELP = {
    LEFT_OUT: glossary.linked(
        "The share in classes below k of their region, or in a region that is left out whole.", "left out", "below k"
    ),
    "compactness, km": glossary.linked(
        "Sum over areas of the distance to the middle of their region, the median of its areas (Equation 20).", "area"
    ),
    "discernibility": glossary.linked("Sum of the squared sizes of the classes of k or more (Equation 21).", "class"),
    "entropy, bits": glossary.linked(
        "What it takes to tell from the region which area somebody is from, over all that are counted (Equations 22 "
        "and 23).",
        "area",
    ),
    "fewest people": glossary.linked(
        "Who live in the region of the fewest, of those that a released record names: among so many somebody is of "
        "whom the place alone is known. By the areas’ file.",
        "fewest people",
        "area",
    ),
    AREA_GUESSED: glossary.linked(
        "The share of the released that live in the area of their region where most people live: how often naming that "
        "area is right. Less hides better.",
        "area guessed",
        "area",
    ),
}


# ---- side by side ---------------------------------------------------------------------------------------------------


def show_comparison(question: RegionsQuestion, by_area: Aggregation, data: Dataset) -> None:
    """Every configuration run so far beside what is usually released, with what each loses and hides."""
    givens = _ask_givens(question, data)
    numbers = [given.regions(question.classes, question.k).n_regions for given in givens]
    results.see_all(question, numbers)
    runs = results.beside(question, givens) | results.all_seen(question)
    shown = plots.in_groups(list(runs.values()))
    in_order = [(name, run) for run in shown for name, of_name in runs.items() if of_name is run]
    in_words = "; ".join(
        f"{plain(run.way)}, {run.heading}: {words.percent(run.measures.share_left_out)} left out" for run in shown
    )
    page.figure(
        partial(plots.measures_bars, shown, unit=question.unit),
        "Bars of records left out, compactness, discernibility and entropy of "
        f"{words.count(len(shown), 'configurations')}. {in_words}.",
        "regions-bars",
    )  # fmt: skip
    page.counts(
        "Every configuration run so far on these data, beside regions that are given and as many that are placed "
        "balanced. The four measures are losses, and less is better (Croft et al. 2015, section 3.4, Figures 3 to 5); "
        "bold is the least of those of as many regions. Compare these only, and all four: one giant region and many "
        "tiny ones leave out less and blur more. Regions that are left out whole count as regions. The last two say "
        "what is hidden: the fewest people in a released region, and how often the area is guessed from it."
    )
    as_is = plots.ComparedRun("areas as they are", "balanced", question.k, by_area.measures, by_area.spatial)
    page.table(
        comparison([("areas as they are", as_is), *in_order], question.unit),
        "The measures of each configuration",
        help=MEASURES_HELP, height=page.table_height(len(runs) + 1, 420),
    )  # fmt: skip
    with st.container(horizontal=True):
        results.ask_all(question, numbers)
        st.button(
            "Forget these", on_click=guard.action(results.forget_seen), icon=":material/delete_sweep:",
            help="The table begins again with the one on the map.",
        )  # fmt: skip


def _ask_givens(question: RegionsQuestion, data: Dataset) -> list[Given]:
    """Which of the usual regions stand beside ours."""
    usual = {given.name: given for given in usual_givens(question, data)}
    first = [name for name, given in usual.items() if not given.cutoff][:MOST_GROUPINGS]
    for join in (False, True):
        of_kind = (name for name, given in usual.items() if given.cutoff and given.join is join)
        releasing = (name for name in of_kind if not usual[name].regions(question.classes, question.k).releases_nothing)
        first += [name for name in (next(releasing, None),) if name is not None]
    chosen = keep.several(
        keep.per("regions-beside", list(usual)), "Compare with", list(usual), first,
        help=glossary.linked(
            "What is usually released (Croft et al. 2015, section 2.2): the areas’ codes cropped, columns that group "
            "areas, and fixed population cutoffs, by which regions of few people are left out whole or areas are "
            "joined. Any other is run under **Placement**, **Given**.",
            "region",
        ),
    )  # fmt: skip
    return [usual[name] for name in chosen]


def comparison(runs: Sequence[tuple[str, plots.ComparedRun]], unit: str) -> pd.DataFrame:
    """One row a configuration, one column a measure."""
    measured, hidden = [run.measures for _, run in runs], [run.spatial for _, run in runs]
    guessed = [None if run.area_guessed is None else as_percent(run.area_guessed) for run in hidden]
    return pd.DataFrame(
        {
            "configuration": [printable(name) for name, _ in runs],
            "regions": [m.regions for m in measured],
            LEFT_OUT: [as_percent(m.share_left_out) for m in measured],
            f"{unit} left out": [m.left_out for m in measured],
            "smallest class": [m.anonymity for m in measured],
            "compactness, km": [round(m.compactness / 1000) for m in measured],
            "discernibility": [m.discernibility for m in measured],
            "entropy, bits": [round(m.entropy) for m in measured],
            "fewest people": pd.array([run.fewest_people for run in hidden], dtype="Int64"),
            AREA_GUESSED: np.array(guessed, dtype=float),
            "left out whole": [m.withheld for m in measured],
            "seconds": [round(m.seconds, 3) for m in measured],
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
    frame[LARGEST_AREA] = [as_percent(share) for share in by_region.largest_area.tolist()]
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
            LARGEST_AREA: glossary.linked(
                "The share of the region’s people who live in its area of the most: 100% says where somebody lives as "
                "exactly as the area does.",
                "area",
            ),
        },
        height=page.table_height(len(frame), 560),
    )  # fmt: skip
    is_named = question.placement == "given" and question.given is not None and not question.given.join
    page.counts(
        "A region goes by the value that its areas share." if is_named else "Regions are numbered from north to south."
    )


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
    elif not results.are_in_recipe(by_region, now.recipe):
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
    published = outlines(by_region, on=land)[["region", "areas", *people, "geometry"]]
    return published if by_region.withheld is None else published[~by_region.withheld]


def _protected(data: Dataset, recipe: Recipe, by_region: Aggregation, lot: list[int]) -> bytes:
    released = protected(data, recipe, by_region)
    return released_csv(released, draws_for(released, lot))
