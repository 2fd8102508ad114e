"""The map: regions or the areas as they are, the region that is selected on it, and distances in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import geopandas as gpd
import streamlit as st

from anonlib import words
from anonlib.plots import maps as plots
from anonlib.plots.map_levels import Colour, map_legend
from anonlib.regions.aggregation import Aggregation
from anonlib.regions.geometry import Ground, for_map, ground, outlines
from pages.protect.regions.settings import Asked
from ui import cache, guard, page, state

REGIONS, AREAS = "Regions", "Areas as they are"
WHOLE = "the whole"
HEIGHT = 460  # pixels
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


def _key(found: Aggregation) -> str:
    return f"regions-picked-{found.key[:12]}"


def ask_region(found: Aggregation) -> int | None:
    """The region that is selected, here or by a click on the map: its position, or None for the whole."""
    names = sorted(found.names.tolist())
    chosen = st.selectbox(
        "Look at", [WHOLE, *names], key=_key(found), help="A region; a click on the map chooses it as well."
    )
    return None if chosen == WHOLE else found.names.tolist().index(chosen)


def show(asked: Asked, before: Aggregation, found: Aggregation, region: int | None) -> None:
    """The map with its legend: the regions, or the areas as they are."""
    look, colour, dots, fit = _ask_look()
    shown, what = (before, "areas") if look == AREAS else (found, "regions")
    areas = asked.counted.areas
    outlined = shown is found or (areas.have_outlines and len(areas) <= plots.MOST_SHAPES)
    if not outlined and colour == "region":
        colour = "left out"  # dots have no neighbours to be told from
    options: dict[str, Any] = {"colour": colour, "dark": page.dark(), "height": HEIGHT}
    if shown is found:
        chart = plots.region_map(shapes(shown), shown, selected=region, dots=dots, **options)
    else:
        chart = plots.area_map(shapes(shown) if outlined else None, shown, **options)
    left = words.share(shown.measures.suppressed, shown.measures.n_records, asked.counted.unit)
    key = f"regions-map-{fit}"
    page.map(
        chart,
        f"A map of {words.count(shown.n_regions, what)}. {left} in all are in classes below k = {asked.k}; the table "
        "of regions lists how many in each.",
        key, partial(_pick, key, found if shown is found else None), HEIGHT,
    )  # fmt: skip
    if colour != "region":
        legend = map_legend(shown, colour, dark=page.dark())
        page.figure(legend, f"How many {what} have which colour", "regions-legend")
    gestures = "Drag to move, scroll to zoom" + ("." if shown is before else ", click a region to read about it.")
    sites = SITES[not found.improves_all] if shown is found and dots == "sites" else ""
    page.counts(COUNTS[colour].format(one=what[:-1], unit=asked.counted.unit, k=asked.k) + f" {sites}{gestures}")


def _ask_look() -> tuple[str, Colour, plots.Dots, int]:
    """What the map shows, its colours and dots, and how often it was fitted anew."""
    key, colours, kinds = state.kept("regions-fit"), list(COLOURS), list(DOTS)
    with st.container(horizontal=True, vertical_alignment="center"):
        look = st.segmented_control(
            "Map", [REGIONS, AREAS], default=state.setting("regions-look", REGIONS), required=True,
            key=state.kept("regions-look"), label_visibility="collapsed",
        )  # fmt: skip
        colour = st.selectbox(
            "Colour", colours, colours.index(state.setting("regions-colour", colours[0])), width=138,
            format_func=COLOURS.__getitem__, key=state.kept("regions-colour"), label_visibility="collapsed",
        )  # fmt: skip
        dots = st.selectbox(
            "Dots", kinds, kinds.index(state.setting("regions-dots", kinds[0])), width=96,
            format_func=DOTS.__getitem__, key=state.kept("regions-dots"), label_visibility="collapsed",
        )  # fmt: skip
        st.button(
            "Fit", on_click=guard.action(_fit), args=(key,), icon=":material/fit_screen:", help="Show the whole map."
        )
    return look or REGIONS, colour, dots, st.session_state.setdefault(key, 0)


def _fit(key: str) -> None:
    st.session_state[key] += 1


def _pick(key: str, found: Aggregation | None) -> None:
    """A click on a region chooses it, one beside them the whole."""
    if found is not None:
        region = plots.chosen(st.session_state[key])
        st.session_state[_key(found)] = WHOLE if region is None else found.names[region]


@dataclass(frozen=True)
class _Shape:
    """Which area is in which region: the same outlines whatever k is."""

    found: Aggregation

    @property
    def key(self) -> str:
        return self.found.shape_key


def shapes(found: Aggregation) -> gpd.GeoDataFrame:
    """The outlines for the map, simplified."""
    return cache.remember(_shapes, _Shape(found))


def _shapes(shape: _Shape) -> gpd.GeoDataFrame:
    return for_map(outlines(shape.found, on=land(shape.found)))


def land(found: Aggregation) -> Ground:
    """The ground that the areas cover."""
    return cache.remember(ground, found.area_classes.areas)


def distance(metres: float) -> str:
    """``850 m``, ``3.4 km``."""
    kilometres = metres / 1000
    if kilometres < 1:
        return f"{metres:,.0f} m"
    return f"{kilometres:,.0f} km" if kilometres >= 100 else f"{kilometres:.3g} km"
