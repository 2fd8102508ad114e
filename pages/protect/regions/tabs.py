"""The tabs under the map: configurations side by side, how many regions, the regions' table, what to take home."""

from __future__ import annotations

from functools import partial

import geopandas as gpd
import numpy as np
import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.classes.coding import unused_name
from anonlib.dataset import Dataset
from anonlib.plots import regions as plots
from anonlib.regions.aggregation import Aggregation
from anonlib.regions.geometry import Ground, outlines, to_geojson, to_geopackage
from anonlib.regions.measures import Measures
from anonlib.release.export import draws_for, released_csv, table_csv
from anonlib.release.recipe import Recipe
from anonlib.release.regions import protected
from pages.protect.regions import maps, results, settings
from pages.protect.regions.settings import Asked
from ui import cache, guard, long_work, outcome, page, state
from ui.text import plain, printable

MOST_BARS = 8
MOST_LISTED = 5  # regions beside the map
LEFT_OUT = "left out, %"
MEASURES_HELP = {
    LEFT_OUT: "The share in classes below k of their region.",
    "compactness, km": "Sum over areas of the distance to the middle of their region, the median of its areas "
    "(Equation 20).",
    "discernibility": "Sum of the squared sizes of the classes of k or more (Equation 21).",
    "entropy, bits": "What it takes to tell from the region which area somebody is from, over all that are counted "
    "(Equations 22 and 23).",
}


# ---- side by side -------------------------------------------------------------------------------------------------


def show_comparison(asked: Asked, before: Aggregation, found: Aggregation) -> None:
    """Every configuration run so far, with the four measures."""
    seen = results.all_seen(asked)
    shown = seen[-MOST_BARS:]
    said = "; ".join(f"{plain(name)}: {words.percent(measures.suppression)} left out" for name, measures in shown)
    page.figure(
        plots.measures_bars(shown, unit=asked.counted.unit, dark=page.dark()),
        f"Bars of suppression, compactness, discernibility and entropy of {words.count(len(shown), 'configurations')}. "
        f"{said}.",
        "regions-bars",
    )  # fmt: skip
    page.counts(
        "The four measures of every configuration run so far on these data; less is better for each (Croft et al. "
        "2015, section 3.4, Figures 3 to 5). Compare like numbers of regions, and all four: one giant region and many "
        "tiny ones leave out less and blur more."
    )
    page.table(
        comparison([("areas as they are", before.measures), *seen], asked.counted.unit),
        "The four measures of each configuration",
        help=MEASURES_HELP, height=page.table_height(len(seen) + 1, 420),
    )  # fmt: skip
    with st.container(horizontal=True):
        _ask_all(asked)
        st.button(
            "Forget these", on_click=guard.action(results.forget_seen), icon=":material/delete_sweep:",
            help="The table begins anew with the one on the map.",
        )  # fmt: skip


def comparison(configurations: list[tuple[str, Measures]], unit: str) -> pd.DataFrame:
    """One row a configuration, one column a measure."""
    return pd.DataFrame(
        {
            "configuration": [printable(name) for name, _ in configurations],
            "regions": [m.regions for _, m in configurations],
            LEFT_OUT: [_percent(m.suppression) for _, m in configurations],
            f"{unit} left out": [m.suppressed for _, m in configurations],
            "smallest class": [m.anonymity for _, m in configurations],
            "compactness, km": [round(m.compactness / 1000) for _, m in configurations],
            "discernibility": [m.discernibility for _, m in configurations],
            "entropy, bits": [round(m.entropy) for _, m in configurations],
            "seconds": [round(m.seconds, 3) for _, m in configurations],
        }
    )


def _percent(share: float) -> float:
    """A share in [0, 1] as a percentage of three digits: a number, which a table that is downloaded keeps."""
    return float(f"{100 * share:.3g}")


def _ask_all(asked: Asked) -> None:
    """The button that runs this number and those of both cutoffs with every placement, one after the other."""
    wanted = settings.to_compare(asked)
    stages = [(one.name, partial(_run, one)) for one in wanted]
    seconds = sum(results.estimated_seconds(asked.counted, one.placement) for one in wanted)
    name = results.ALL + asked.counted.key + "".join(one.name for one in wanted)
    long_work.best_so_far(name, stages, seconds, "This number and both cutoffs, in all placements,")


def _run(asked: Asked, tell) -> str:
    results.see(asked, results.searched_now(asked, tell))
    return asked.name


# ---- how many regions ---------------------------------------------------------------------------------------------


def show_curve(asked: Asked, found: Aggregation) -> None:
    """What each number of regions leaves out; a click takes the number."""
    points = cache.remember(settings.curve, asked.counted, k=asked.k)
    if asked.target is not None:
        points = tuple(sorted({**dict(points), **dict(asked.target.points)}.items(), key=lambda point: point[0]))
    key = f"regions-curve-{asked.counted.key[:12]}-{asked.k}"
    page.figure(
        plots.suppression_curve(
            points, current=asked.number, target=asked.share, unit=asked.counted.unit, dark=page.dark()
        ),
        f"A line of the share of {asked.counted.unit} left out against the number of regions. "
        + "; ".join(f"{n:,} regions: {words.percent(measures.suppression)}" for n, measures in points[::4])
        + ".",
        key, "points", partial(_take_number, key, asked),
    )  # fmt: skip
    page.counts(
        f"{asked.counted.unit.capitalize()} in classes below k = {asked.k} of their region, for numbers of balanced "
        "regions from 1 to all areas (Croft et al. 2015, section 5.1). More regions mostly leave out more, but not "
        "strictly. A click on a point takes that number by hand."
    )


def _take_number(key: str, asked: Asked) -> None:
    chosen = st.session_state[key].selection.points
    if chosen:
        settings.take_number(asked, round(float(chosen[0]["x"])))


# ---- the regions --------------------------------------------------------------------------------------------------


def show_regions(asked: Asked, found: Aggregation) -> None:
    """One row a region, the one that loses most first."""
    frame = found.to_frame().rename(columns={"records": asked.counted.unit})
    if asked.counted.areas.population is None:
        frame = frame.drop(columns="people")
    frame = frame.sort_values(["left out", asked.counted.unit], ascending=False, kind="stable")
    page.table(
        frame, f"{words.count(len(frame), 'regions')} with their areas, {asked.counted.unit} and what is left out",
        help={
            "smallest class": "The fewest that share the chosen columns in the region.",
            "left out": f"In classes below k = {asked.k}.",
        },
        height=page.table_height(len(frame), 560),
    )  # fmt: skip
    page.counts("Regions are numbered from north to south.")


def most_left_out(asked: Asked, found: Aggregation) -> pd.DataFrame:
    """The regions that lose the largest share of their records."""
    share = found.suppressed / np.maximum(found.records, 1)
    worst = np.argsort(-share, kind="stable")[: min(MOST_LISTED, int((share > 0).sum()))]
    return pd.DataFrame(
        {
            "region": found.names[worst],
            asked.counted.unit: found.records[worst],
            LEFT_OUT: [_percent(part) for part in share[worst].tolist()],
        }
    )


def small_classes(asked: Asked, found: Aggregation, region: int) -> pd.DataFrame:
    """The classes of a region below k, the smallest first."""
    counts = found.counts
    row = slice(counts.indptr[region], counts.indptr[region + 1])
    sizes, of = counts.data[row], counts.indices[row]
    small = np.flatnonzero((sizes < asked.k) & (sizes > 0))
    small = small[np.lexsort((of[small], sizes[small]))]
    frame = asked.counted.classes.labels().iloc[of[small]]
    frame.insert(0, unused_name(asked.counted.unit, frame), sizes[small])
    return frame


# ---- to take home -------------------------------------------------------------------------------------------------


def show_downloads(asked: Asked, found: Aggregation) -> None:
    """The regions and the records in them, as files.

    A file is made outside the session, when its button is pressed: what it is made of is fetched here.
    """
    areas, land = found.area_classes.areas, maps.land(found)
    data, recipe = state.dataset(), state.session().recipe
    assert data is not None
    lot = state.lot("regions")
    applied = outcome.applied()
    why_not = ""
    if applied is not None and applied.why_not:
        reason = "A step of the recipe does not fit" if applied.problems else plain(applied.why_not.removesuffix("."))
        why_not = f"{reason}: see the Release page."
    with st.container(horizontal=True):
        page.download(
            "Area to region", lambda: table_csv(found.area_table()), "area_to_region.csv", "regions-areas",
            help="One row an area: its id and its region.",
        )  # fmt: skip
        page.download(
            "Regions (GeoJSON)", lambda: to_geojson(_to_publish(found, land)), "regions.geojson", "regions-geojson",
            help="The outlines of the regions, with their areas and people and no count of records, in longitude and "
            "latitude.",
            why_not="" if areas.crs is not None else "The areas’ file names no coordinate system.",
        )  # fmt: skip
        page.download(
            "Regions (GeoPackage)", lambda: to_geopackage(_to_publish(found, land), areas.places.crs),
            "regions.gpkg", "regions-gpkg",
            help="The same, in the areas’ coordinate system.",
        )  # fmt: skip
        page.download(
            "Protected records", partial(_protected, data, recipe, found, lot),
            "protected_records.csv", "regions-records",
            help=f"The records with the region instead of the area, without those in classes below k = {asked.k}, "
            "after the recipe’s other steps, in random order. Publish one such file only: two with other regions "
            "tell more than each.",
            why_not=why_not,
        )  # fmt: skip


def _to_publish(found: Aggregation, land: Ground) -> gpd.GeoDataFrame:
    """The outlines without what is counted of records: how many are left out where tells about rare ones."""
    people = ["people"] if found.area_classes.areas.population is not None else []
    return outlines(found, on=land)[["region", "areas", *people, "geometry"]]


def _protected(data: Dataset, recipe: Recipe, found: Aggregation, lot: list[int]) -> bytes:
    released = protected(data, recipe, found)
    return released_csv(released, draws_for(released, lot))
