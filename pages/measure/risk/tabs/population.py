"""The Risk page's tab "Population": how many of those alone in the file are alone among all people."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.population_uniqueness import (
    CountedUniques,
    PopulationUniqueness,
    counted_uniques,
    population_uniqueness,
)
from anonlib.basics import words
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from ui.kit import glossary, page
from ui.kit.population import PEOPLE
from ui.kit.release_gate import Holds
from ui.session import cache, keep, view

TAB = "Population"
MOST_PEOPLE = 10_000_000_000


def people_of(n_records: int) -> int | None:
    """The population's size as it was typed, else as the population table has it; None where neither is of use."""
    return keep.value(PEOPLE, _of_table(n_records), partial(_fits, n_records))


def show(data: Dataset) -> None:
    """The tab, for the original or a release."""
    classes = view.classes(data)
    n = classes.n_records
    st.subheader("Unique in the population", anchor=False)
    ask_place, answer = page.beside(1, 2)
    people = keep.number(
        PEOPLE, "People in the population", n, MOST_PEOPLE, _of_table(n), 1, place=ask_place, placeholder="how many?",
        help="Everybody whom the file could have been drawn from, the people in the file included: the patients of all "
        "hospitals of the area, say, not only of yours.",
    )  # fmt: skip
    counted = _counted_for(data)
    with answer:
        if people is None:
            st.markdown(
                "How many people is the file a sample of? With that number this tab estimates how many of those who "
                "are alone in the file are alone in the population too."
            )
        else:
            uniqueness = population_uniqueness(classes.anonymity_vector, int(people))
            st.markdown(uniqueness.says(data.unit))
            if uniqueness.says_how_wrong:
                st.warning(uniqueness.says_how_wrong, icon=":material/warning:")
        if counted is not None:
            st.markdown(f"{_in_words(counted, data.unit)} {_beside(classes, counted, people)}")
    if people is not None and not uniqueness.exact:
        _show_estimates(uniqueness, data.unit)
    page.counts(
        "Who is alone in the file and in the population too is found for certain by these values. The estimates take "
        "the file for a simple random sample, which few files are. How far each was from the truth where that is known "
        "is measured: see “How it works”."
    )


def _show_estimates(uniqueness: PopulationUniqueness, unit: str) -> None:
    table = uniqueness.to_frame()
    expected, share, people = f"{unit.capitalize()} alone in both", "Share of those alone", "People alone"
    times = "Was, times the truth"
    shown = pd.DataFrame(
        {
            "Estimate": table["source"],
            expected: table["expected"].round(1),
            share: table["share"],
            people: table["uniques"].round(1),
            times: table["times"],
            "": [
                "Dankar’s rule" if estimate is uniqueness.used else estimate.why_none for estimate in uniqueness.ranked
            ],
        }
    )
    page.table(
        shown,
        "What each estimate says of those alone in the population, the highest first",
        percent=[share],
        help={
            expected: glossary.linked(
                "Of those alone in the file, how many are expected to be alone in the population.", "alone"
            ),
            people: glossary.linked("People expected to be alone in the population, in the file or not.", "alone"),
            times: "At such a fraction, on populations of which the truth is known: least to most.",
        },
    )
    page.download(
        "Table as CSV",
        partial(table_csv, shown),
        "population-uniqueness.csv",
        "download-population-unique",
        holds=Holds.FIGURES,
    )


def _in_words(counted: CountedUniques, unit: str) -> str:
    """What the population table says."""
    by = page.listed(counted.attributes)
    if not counted.alone:
        return f"By what the population table has ({by}), nobody is alone in the file."
    return (
        f"Counted in the population table by {by}: of the {words.count(counted.alone, unit)} alone in the file, "
        f"**{counted.alone_in_population:,}** have exactly one person like them in the table"
        + (f", and {counted.unmatched:,} nobody." if counted.unmatched else ".")
    )


def _beside(classes: ClassTable, counted: CountedUniques, people: int | None) -> str:
    """What would be estimated for the columns of the table, where the file has more."""
    if people is None or len(counted.attributes) == len(classes.attributes):
        return ""
    uniqueness = population_uniqueness(classes.project(counted.attributes).anonymity_vector, int(people))
    if uniqueness.exact:
        return ""
    ends = dict.fromkeys((uniqueness.highest, uniqueness.lowest))
    return f"Estimated for these columns alone: {' to '.join(uniqueness.in_words(estimate) for estimate in ends)}."


def _counted_for(data: Dataset) -> CountedUniques | None:
    now = view.now()
    if now.people is None or now.data is None:
        return None
    recipe = now.recipe if data is now.released else Recipe()
    return _counted(data, now.data, now.people, recipe=recipe)


@cache.remembered
def _counted(data: Dataset, original: Dataset, population: Dataset, *, recipe: Recipe) -> CountedUniques | None:
    people = recipe.apply_to_population(population, original)
    common = [name for name in data.quasi_identifiers if name in people.columns]
    return counted_uniques(view.classes(data), people.classes(common)) if common else None


def _of_table(n_records: int) -> int | None:
    table = view.now().population
    people = None if table is None else table.classes([]).n_records
    return people if people is not None and people >= n_records else None


def _fits(n_records: int, people: int | None) -> bool:
    return people is None or n_records <= people <= MOST_PEOPLE
