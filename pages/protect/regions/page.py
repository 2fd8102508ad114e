"""Regions: how coarse places must be, by aggregating areas on a map."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.regions import Areas
from anonlib.regions.aggregation import Aggregation
from pages.protect.regions import maps, places, results, settings, tabs
from pages.protect.regions.settings import Asked
from pages.protect.regions.to_recipe import add_to_recipe
from ui import explain, guard, page, state, tables
from ui.text import plain

DOES = "This page merges small areas into regions that are large enough for k, and shows on a map what that costs."
SAMPLE = "province"


# ---- in words -----------------------------------------------------------------------------------------------------


def show_metrics(asked: Asked, before: Aggregation, found: Aggregation) -> None:
    """The figures that matter: the areas as they are → the regions."""
    unit, n = asked.counted.unit, asked.counted.n_records
    was, now = before.measures, found.measures
    people = unit if asked.counted.areas.population is None else "people"
    page.metrics(
        (
            "Regions",
            words.change(f"{was.regions:,}", f"{now.regions:,}"),
            "Areas → regions. " + _why_so_many(asked, found),
        ),
        (
            f"{unit.capitalize()} left out",
            words.change(words.percent(was.suppression), words.percent(now.suppression)),
            f"In classes below k = {asked.k} of their region: {words.share(now.suppressed, n, unit)} now, "
            f"{was.suppressed:,} by area.",
        ),
        (
            f"{people.capitalize()} a region",
            words.change(f"{_mean(before):,.0f}", f"{_mean(found):,.0f}"),
            f"On average: all {people} / regions. For the same number, uneven regions leave out less and blur the "
            "large ones more.",
        ),
        (
            "Distance to the middle",
            maps.distance(now.compactness / asked.counted.n_areas),
            "Of an area from the middle of its region, the median of the region’s areas, on average: how far off a "
            "place is in the release (compactness, Croft et al. 2015, Equation 20, divided by the areas).",
        ),
    )


def _why_so_many(asked: Asked, found: Aggregation) -> str:
    if found.n_regions == asked.number:
        return asked.why
    nowhere = asked.number - found.n_regions
    return f"{asked.why} {asked.number:,} sites were placed, and to {nowhere:,} of them no area is the nearest."


def _mean(found: Aggregation) -> float:
    return float(found.population.sum()) / found.n_regions


def in_words(asked: Asked, before: Aggregation, found: Aggregation) -> None:
    """The whole, in words, with the next step."""
    unit, n = asked.counted.unit, asked.counted.n_records
    was, now = before.measures, found.measures
    why = f"**{words.count(found.n_regions, 'regions')}.** {_why_so_many(asked, found)}"
    if asked.target is None or asked.target.is_kept:
        st.markdown(why)
    else:
        st.warning(why, icon=":material/warning:")
    if found.method != asked.placement:
        st.markdown("Shown are the balanced regions, until the search above is done.")
    st.markdown(
        f"**By area**, {words.share(was.suppressed, n, unit)} are in classes below {asked.k}: with "
        f"{page.listed(list(asked.counted.classes.attributes))} and the area, they stand out."
    )
    if not now.suppressed:
        st.markdown(f"**By region** nobody does: the smallest class has {now.anonymity:,}.")
    else:
        st.markdown(
            f"**By region**, {words.share(now.suppressed, n, unit)} are, and would be left out; the largest part here:"
        )
        page.table(
            tabs.most_left_out(asked, found),
            "The regions that lose most",
            height=page.table_height(tabs.MOST_LISTED, 240),
        )
        st.caption("Fewer regions or coarser columns leave out less: see **Number of regions** below.")
    if found.method == "clustering" and found.shape_key == results.balanced(asked).shape_key:
        st.markdown("No site could move: these are the balanced regions.")
    if found.improves_all is not None:
        st.markdown(
            "No exchange was found that is better on all four measures: these are the balanced regions."
            if not found.improves_all
            else "Better than the balanced regions on all four measures."
            if now.suppressed
            else "More compact and finer than the balanced regions, and nobody is left out."
        )
    st.caption(_what_borders_tell(found))


def _what_borders_tell(found: Aggregation) -> str:
    if found.method != "balanced" and found.improves_all is not False:  # else they are the balanced ones
        return "These borders depend on the records: who sees them learns a little about where rare records are."
    if found.area_classes.areas.population is None:
        return f"These borders depend on how many {found.area_classes.unit} are in each area, and on nothing in them."
    return "These borders depend on where people live, and on no record."


def in_words_of_region(asked: Asked, found: Aggregation, region: int) -> None:
    """One region, in words."""
    unit = asked.counted.unit
    records, left = int(found.records[region]), int(found.suppressed[region])
    people = f"{words.count(int(found.population[region]), 'people')} and "
    if asked.counted.areas.population is None:
        people = ""
    areas = words.count(int(found.areas_of_region[region]), "areas")
    st.markdown(f"**{areas}** with {people}{words.count(records, unit)}.")
    if not records:
        st.markdown(f"No {unit} are in it.")
    elif left:
        st.markdown(
            f"Its smallest class has {found.smallest_class[region]:,}: "
            f"**{words.share(left, records, unit)}** are in classes below {asked.k} and would be left out."
        )
    else:
        st.markdown(f"Its smallest class has {found.smallest_class[region]:,}: nobody is left out.")
    small = tabs.small_classes(asked, found, region)
    if len(small):
        page.table(small, f"The classes of the region below k = {asked.k}", height=page.table_height(len(small), 270))
    ids = asked.counted.areas.ids[found.region_of_area == region].tolist()
    st.caption("Areas: " + ", ".join(plain(name, 40) for name in ids[:12]) + (" …" if len(ids) > 12 else "."))


def show_side(asked: Asked, before: Aggregation, found: Aggregation) -> int | None:
    """What is selected in words, and the next step; returns the selected region."""
    region = maps.ask_region(found)
    st.button(
        "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(add_to_recipe),
        args=(asked, found), help="Places become these regions; what is below k is left out. Earlier steps on the "
        "same column give way.",
    )  # fmt: skip
    if region is None:
        in_words(asked, before, found)
    else:
        in_words_of_region(asked, found, region)
    return region


# ---- without areas ------------------------------------------------------------------------------------------------


def require_areas(data: Dataset) -> Areas:
    """The areas of the session, or the way there (and the script ends there)."""
    file = state.session().areas_file
    if file is None:
        with st.container(border=True):
            st.markdown(f"**No areas are loaded.** {DOES}")
            st.markdown(
                "It needs a second file: one row an area, with the id that your records name, and where it is: "
                f"{places.FORMATS}."
            )
            places.ask_file()
            st.button(
                "Try with the province sample", on_click=guard.action(page.open_sample), args=(SAMPLE,),
                icon=":material/science:", help="Opens the sample in the place of the file that is loaded.",
            )  # fmt: skip
        st.stop()
    try:
        areas = tables.areas()
        assert areas is not None
        return areas
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        places.show(file, None)
        st.stop()


def asked_for(data: Dataset, areas: Areas) -> Asked | None:
    """What is asked for, or the sentence why it cannot be counted: the settings can be mended."""
    try:
        return settings.ask(data, areas)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header("Regions", "How coarse must places be, so that where someone lives gives nobody away?")
    data = page.require_quasi_identifiers(DOES, SAMPLE)
    areas = require_areas(data)
    metrics = st.container()
    asked = asked_for(data, areas)
    views: dict[str, Callable[[], object]] = {}
    if asked is not None:
        before = results.before(asked)
        found = results.result(asked)
        picture, side = page.beside(7, 3)
        with side, st.container(border=True, height="stretch"):
            region = show_side(asked, before, found)
        with picture:
            maps.show(asked, before, found, region)
            page.counts(places.said_of(asked.counted, asked.left_out, asked.prepared))
            places.say_role(data, asked.counted.column)
            tabs.show_downloads(asked, found)
        with metrics:
            show_metrics(asked, before, found)
        views["Regions"] = partial(tabs.show_regions, asked, found)
        views["Compare"] = partial(tabs.show_comparison, asked, before, found)
        views["Number of regions"] = partial(tabs.show_curve, asked, found)
    file = state.session().areas_file
    assert file is not None
    views["Areas"] = partial(places.show, file, areas)
    views["How it works"] = partial(explain.show, "regions")
    page.tabs(f"regions-tabs-{len(views)}", views)


show_page()
