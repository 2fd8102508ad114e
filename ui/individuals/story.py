"""One individual: their row, what gives them away, and what would protect them."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.individuals import Individual, Remedy, remedies
from anonlib.release.steps import DropColumns
from anonlib.roles import Role
from anonlib.values import MISSING_LABEL
from ui import guard, page, state
from ui.individuals import results
from ui.individuals.picture import RECORD
from ui.individuals.results import Answer
from ui.individuals.settings import Settings
from ui.individuals.tabs import add_recoding
from ui.text import named, plain, printable


def show(data: Dataset, settings: Settings, sensitive: str, found: Answer) -> None:
    classes = results.classes_of(data, settings)
    most_exposed = results.record_at(classes, found, 0) + 1
    choose, reveal_place, _ = st.columns([1, 1.4, 3], vertical_alignment="bottom", gap="medium")
    record = choose.number_input(
        "Record", 1, data.n_records, state.setting(RECORD, most_exposed, range(1, data.n_records + 1)),
        key=state.kept(RECORD),
        help="The row of the file (or of the release, when that is looked at), the first being 1. Or show few enough "
        "in the picture above and click one.",
    )  # fmt: skip
    reveal = reveal_place.toggle("Show sensitive values", key="individuals-reveal")
    individual = results.individual_of(data, settings, sensitive, int(record) - 1)
    if individual is None:
        lacks = data.records[list(settings.variables)].iloc[int(record) - 1].isna().any()
        st.markdown(
            "This record is left out: a value is missing, and the Data page says to leave such records out."
            if lacks
            else "This record is left out: its weight is 0, so it stands for nobody."
        )
        return
    listing, side = st.columns([2.4, 1], gap="medium")
    with listing:
        _show_columns(data, settings, individual, reveal)
    with side, st.container(border=True, height="stretch"):
        _in_words(settings, individual, sensitive, int(record), data.unit)


def _options(settings: Settings, individual: Individual, sensitive: str) -> dict:
    """The attacker's parameters for one sensitive column; who knows all columns at once is taken with every set."""
    q = results.q_of(individual.classes, settings)[sensitive]
    return {
        "measure": settings.measure,
        "q": q,
        "max_known": settings.max_known,
        "include_empty": settings.include_empty,
    }


def _show_columns(data: Dataset, settings: Settings, individual: Individual, reveal: bool) -> None:
    classes, rows, inferred = individual.classes, [], results.inferred(data, settings)
    for name, code, values in zip(classes.attributes, classes.codes[individual.row], classes.categories, strict=True):
        if name not in inferred:
            continue
        options = _options(settings, individual, name)
        sets = individual.smallest_breaching_sets(name, settings.threshold, **options)
        value = MISSING_LABEL if values[code] is None else printable(values[code])
        smallest = named(sets[0]) or "nothing" if sets else ""
        rows.append(
            {
                "Column": printable(name),
                "Value": "•••" if data.roles.get(name) == Role.SENSITIVE and not reveal else value,
                f"Least {settings.name}": _written(individual.least(name, **options)),
                "Takes": words.count(len(sets[0]), "columns") if sets else "never",
                "Smallest set that is enough": smallest + (f" (1 of {len(sets)})" if len(sets) > 1 else ""),
            }
        )
    page.table(
        pd.DataFrame(rows), "Each column of this record, and the smallest sets of columns that give it away",
        help={"Takes": "How few known columns are enough."},
    )  # fmt: skip
    looked_at = len(classes.attributes)
    known = f"of up to {settings.max_known} " if settings.max_known and settings.max_known < looked_at - 1 else ""
    fewer = "" if looked_at == len(settings.variables) else f"Looked at here: {looked_at} columns. "
    page.counts(
        f"{fewer}Every set {known}of the other columns is looked at; enough means {settings.limit}. Identifiers are "
        "not shown. Kroes et al. 2021, Definition 3: the least over what may be known."
    )


def _written(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.3g}"


def _in_words(settings: Settings, individual: Individual, sensitive: str, record: int, unit: str) -> None:
    options = _options(settings, individual, sensitive)
    sets = individual.smallest_breaching_sets(sensitive, settings.threshold, **options)
    peers = individual.peers()
    s = individual.classes.attributes.index(sensitive)
    everything = len(peers) - 1
    alike, same = int(peers[everything ^ 1 << s]), int(peers[everything])
    st.subheader(f"Record {record:,}: {plain(printable(sensitive), 40)}", anchor=False)
    if alike == 1:
        st.markdown("With everything else known, it is **alone**: nobody else has these values.")
    else:
        st.markdown(
            f"With everything else known, **{words.count(alike, unit)}** look like this one, itself included; "
            f"**{alike - same:,}** of them have another value of {page.listed([sensitive])}."
        )
    if not sets:
        st.markdown(f"No set of known columns brings it to {settings.limit}: it is **protected**.")
        return
    others = f"; {words.count(len(sets) - 1, 'other sets')} would do as well" if len(sets) > 1 else ""
    st.markdown(f"To know {page.listed(list(sets[0])) if sets[0] else 'nothing at all'} is enough{others}.")
    fixes = remedies(individual, sensitive, settings.threshold, **options)
    if not fixes:
        st.markdown("No change of a single column would protect it: suppress the record, or change several.")
        st.page_link(page.RELEASE, label="To the recipe", icon=":material/receipt_long:")
        return
    st.markdown("**One of these is enough to protect it:**" if len(fixes) > 1 else "**This is enough to protect it:**")
    for i, remedy in enumerate(fixes):
        st.button(
            _label(remedy), key=f"individuals-remedy-{i}", on_click=guard.action(apply), args=(remedy, sensitive),
            icon=":material/add:", help="Adds it to the recipe.",
        )  # fmt: skip


def _label(remedy: Remedy) -> str:
    name = plain(printable(remedy.attribute), 40)
    return f"Drop {name}" if remedy.recoding is None else f"Recode {name}: {remedy.recoding.describe()}"


def apply(remedy: Remedy, sensitive: str) -> None:
    """Put a remedy into the recipe."""
    if remedy.recoding is not None:
        add_recoding(remedy.attribute, remedy.recoding, sensitive)
        return
    step = DropColumns((remedy.attribute,), f"protects {sensitive}")
    if not any(
        isinstance(there, DropColumns) and remedy.attribute in there.columns for there in state.session().recipe.enabled
    ):
        state.add_step(step)
    state.session().notice = f"In the recipe: {step.describe()}. Look at the release to see what it does."
