"""The Regions page's map: the regions or the areas as they are, and the region that is selected on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import geopandas as gpd
import streamlit as st

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.geometry import Ground, for_map, ground, outlines
from anonlib.basics import words
from anonlib.plots import maps as plots
from anonlib.plots.maps import Colour, map_legend
from pages.protect.regions.question import RegionsQuestion
from ui.kit import page
from ui.session import cache, guard, keep

_ground = cache.remembered(ground)

REGIONS, AREAS = "Regions", "Areas as they are"
WHOLE = "the whole"
HEIGHT = 390  # pixels: the whole map, with its legend, is seen on a screen of 900
COLOURS: dict[Colour, str] = {
    "left out": "Left out", "smallest class": "Smallest class", "region": "Region",
}  # fmt: skip
DOTS: dict[plots.Dots, str] = {"": "No dots", "areas": "Areas", "sites": "Sites"}
COUNTS: dict[Colour, str] = {
    "left out": "The share of each {one}’s {unit} in classes below k = {k}, which would be left out.",
    "smallest class": "The fewest {unit} of one {one} that share all that is known; red is below k = {k}.",
    "region": "Neighbours have different colours, which mean nothing else.",
}
SITES: dict[bool, str] = {
    True: "Dots are sites: an area belongs to the site it is nearest to. Distances are measured from the middle of a "
    "region, the median of its areas. ",
    False: "Dots are the middles of the regions, the medians of their areas: exchanged regions have no other site. ",
}


def show(question: RegionsQuestion, by_area: Aggregation, by_region: Aggregation, selected: int | None) -> None:
    """The map with its legend: the regions, or the areas as they are; ``selected`` is the position of a region."""
    map_of, colour, dots = _ask_look()
    shown, what = (by_area, "areas") if map_of == AREAS else (by_region, "regions")
    areas, unit = question.classes.areas, question.unit
    outlined = shown is by_region or (areas.have_outlines and len(areas) <= plots.MOST_SHAPES)
    if not outlined and colour == "region":
        colour = "left out"  # dots have no neighbours to be distinguished from
    if shown is by_region:
        draw = partial(plots.region_map, shapes(shown), shown, selected=selected, dots=dots)
    else:
        draw = partial(plots.area_map, shapes(shown) if outlined else None, shown)
    left = words.share(shown.measures.left_out, shown.measures.n_records, unit)
    if colour != "region":
        page.figure(partial(map_legend, shown, colour), f"How many {what} have which colour", "regions-legend")
    key = keep.key("regions-map")
    page.show_map(
        partial(draw, colour=colour, height=HEIGHT),
        f"A map of {words.count(shown.n_regions, what)}. {left} in all are in classes below k = {question.k}; the "
        "table of regions lists how many in each.",
        key, partial(_pick, key, by_region if shown is by_region else None), HEIGHT,
    )  # fmt: skip
    gestures = "Drag to move, scroll to zoom" + ("." if shown is by_area else ", click a region to read about it.")
    sites = SITES[not by_region.improves_all] if shown is by_region and dots == "sites" else ""
    page.counts(COUNTS[colour].format(one=words.singular(what), unit=unit, k=question.k) + f" {sites}{gestures}")


def _ask_look() -> tuple[str, Colour, plots.Dots]:
    """What the map shows, in which colours and with which dots."""
    with st.container(horizontal=True, vertical_alignment="center"):
        map_of = keep.segments("regions-look", "Map", [REGIONS, AREAS], label_visibility="collapsed")
        colour = keep.select(
            "regions-colour", "Colour", list(COLOURS), width=138, format_func=COLOURS.__getitem__,
            label_visibility="collapsed",
        )  # fmt: skip
        dots = keep.select(
            "regions-dots", "Dots", list(DOTS), width=96, format_func=DOTS.__getitem__, label_visibility="collapsed"
        )  # fmt: skip
        st.button(
            "Fit", on_click=guard.action(keep.renew), args=("regions-map",), icon=":material/fit_screen:",
            help="Show the whole map.",
        )  # fmt: skip
    return map_of, colour, dots


# ---- the region that is selected ------------------------------------------------------------------------------------


def ask_region(by_region: Aggregation) -> int | None:
    """The region that is selected, here or by a click on the map: its position, or None for the whole."""
    names = by_region.names.tolist()
    chosen = keep.select(
        _picked(by_region), "Look at", [WHOLE, *sorted(names)],
        help="A region; a click on the map chooses it as well.",
    )  # fmt: skip
    return None if chosen == WHOLE else names.index(chosen)


def _picked(by_region: Aggregation) -> str:
    return keep.per("regions-picked", by_region.key)


def _pick(key: str, by_region: Aggregation | None) -> None:
    """A click on a region chooses it, one beside them the whole."""
    if by_region is not None:
        region = plots.chosen(keep.reported(key))
        keep.put(_picked(by_region), WHOLE if region is None else by_region.names[region])


# ---- outlines -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Shape:
    """Which area is in which region: the same outlines whatever k is."""

    aggregation: Aggregation

    @property
    def key(self) -> str:
        return self.aggregation.shape_key


def shapes(aggregation: Aggregation) -> gpd.GeoDataFrame:
    """The outlines for the map, simplified."""
    return _shapes(_Shape(aggregation))


@cache.remembered
def _shapes(shape: _Shape) -> gpd.GeoDataFrame:
    return for_map(outlines(shape.aggregation, on=land(shape.aggregation)))


def land(aggregation: Aggregation) -> Ground:
    """The ground that the areas cover."""
    return _ground(aggregation.area_classes.areas)
