"""Regions: how coarse places must be, by aggregating areas on a map."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.protect.regions import picture, results, summary, tabs
from pages.protect.regions.controls import area_file, settings
from ui.kit import explain, page, persons, required

DOES = "This page merges small areas into regions that are large enough for k, and shows on a map what that costs."
SAMPLE = "province"


def show_page() -> None:
    page.header("Regions", "How coarse must places be, so that where someone lives gives nobody away?")
    data = required.quasi_identifiers(DOES, SAMPLE)
    areas = area_file.require_areas(DOES, SAMPLE)
    persons.say_how_counted(data)
    metrics = st.container()
    question = settings.ask(data, areas)
    views: dict[str, Callable[[], object]] = {}
    work_on: Callable[[], None] | None = None
    if question is not None:
        drawn, side = page.beside(7, 3)
        with side, st.container():  # also where nothing is in it: what is below stays in its place
            shown = results.regions(question)
        question, by_region, work_on = shown.question, shown.aggregation, shown.work_on
        by_area = results.areas_alone(question)
        with side, st.container(border=True, height="stretch"):
            selected = summary.show_side(question, by_area, by_region, data)
        with drawn:
            picture.show(question, by_area, by_region, selected)
            page.counts(area_file.counted_in_words(question.counted))
            area_file.warn_of_role(data, question.classes.column)
            tabs.show_downloads(question, by_region)
        with metrics:
            summary.show_metrics(question, by_area, by_region)
        views["Regions"] = partial(tabs.show_regions, question, by_region)
        views["Compare"] = partial(tabs.show_comparison, question, by_area, data)
        views["Number of regions"] = partial(tabs.show_curve, question)
    views["Areas"] = partial(area_file.show, areas)
    views["How it works"] = partial(explain.show, "regions")
    page.tabs(f"regions-tabs-{len(views)}", views)
    if work_on is not None:
        work_on()


show_page()
