"""One individual: their row, what gives them away, and what would protect them."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.individuals import Remedy
from anonlib.release.steps import DropColumns
from anonlib.roles import Role
from anonlib.values import MISSING_LABEL
from pages.measure.individuals import results
from pages.measure.individuals.account import Account, account, left_out
from pages.measure.individuals.picture import RECORD
from pages.measure.individuals.results import Answer
from pages.measure.individuals.settings import Settings
from pages.measure.individuals.tabs import add_recoding
from ui import guard, page, state
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
    if left_out(data, settings, int(record) - 1):
        lacks = data.records[list(settings.variables)].iloc[int(record) - 1].isna().any()
        st.markdown(
            "This record is left out: a value is missing, and the Data page says to leave such records out."
            if lacks
            else "This record is left out: its weight is 0, so it stands for nobody."
        )
        return
    told = account(data, settings, sensitive, int(record) - 1)
    if told is None:
        return
    listing, side = st.columns([2.4, 1], gap="medium")
    with listing:
        _show_columns(data, settings, told, reveal)
    with side, st.container(border=True, height="stretch"):
        st.subheader(f"Record {int(record):,}: {plain(printable(sensitive), 40)}", anchor=False)
        _in_words(settings, told, sensitive, data.unit)


def _show_columns(data: Dataset, settings: Settings, told: Account, reveal: bool) -> None:
    rows = []
    for given in told.columns:
        value = MISSING_LABEL if given.value is None else printable(given.value)
        smallest = named(given.sets[0]) or "nothing" if given.sets else ""
        rows.append(
            {
                "Column": printable(given.column),
                "Value": "•••" if data.roles.get(given.column) == Role.SENSITIVE and not reveal else value,
                f"Least {settings.name}": _written(given.least),
                "Takes": words.count(len(given.sets[0]), "columns") if given.sets else "never",
                "Smallest set that is enough": smallest + (f" (1 of {len(given.sets)})" if len(given.sets) > 1 else ""),
            }
        )
    if told.differing:
        rows = [
            row | {"Rows": "differ" if g.column in told.differing else ""}
            for row, g in zip(rows, told.columns, strict=True)
        ]
    page.table(
        pd.DataFrame(rows), "Each column of this record, and the smallest sets of columns that give it away",
        help={"Takes": "How few known columns are enough."},
    )  # fmt: skip
    if told.differing:
        page.counts(
            f"The person has {words.count(told.n_rows, 'rows')}, which differ in {page.listed(told.differing)}: shown "
            "there, and counted, is the set of their values."
        )
    fewer = "" if told.n_columns == len(settings.variables) else f"Looked at here: {told.n_columns} columns. "
    known = "" if _knows_any(settings, told) else f"of up to {settings.max_known} "
    page.counts(
        f"{fewer}Every set {known}of the other columns is looked at; enough means {settings.limit}. Identifiers are "
        "not shown. Kroes et al. 2021, Definition 3: the least over what may be known."
    )


def _knows_any(settings: Settings, told: Account) -> bool:
    """Whether every set of the columns looked at may be known."""
    return settings.max_known is None or settings.max_known >= told.n_columns - 1


def _written(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.3g}"


def _in_words(settings: Settings, told: Account, sensitive: str, unit: str) -> None:
    _alike_in_words(settings, told, sensitive, unit)
    if told.lacks and not settings.missing_is_harm:
        st.markdown("Its value is **missing**: there is nothing to infer, and it is not counted as exposed.")
        return
    if not told.sets:
        known = "known columns"
        if not _knows_any(settings, told):
            known = f"up to {words.count(settings.max_known or 0, 'known columns')}"
        st.markdown(f"No set of {known} brings it to {settings.limit}: it is **protected**.")
        return
    enough = told.sets[0]
    others = f"; {words.count(len(told.sets) - 1, 'other sets')} would do as well" if len(told.sets) > 1 else ""
    st.markdown(
        f"To know {page.listed(list(enough)) if enough else 'nothing at all'} is enough{others}."
        + (" To know them is to know the values of all the person’s rows." if {*enough} & {*told.differing} else "")
    )
    if not told.fixes:
        st.markdown("No change of a single column would protect it: suppress the record, or change several.")
        st.page_link(page.RELEASE, label="To the recipe", icon=":material/receipt_long:")
        return
    several = len(told.fixes) > 1
    st.markdown("**One of these is enough to protect it:**" if several else "**This is enough to protect it:**")
    for i, remedy in enumerate(told.fixes):
        st.button(
            _label(remedy), key=f"individuals-remedy-{i}", on_click=guard.action(apply), args=(remedy, sensitive),
            icon=":material/add:", help="Adds it to the recipe.",
        )  # fmt: skip


def _alike_in_words(settings: Settings, told: Account, sensitive: str, unit: str) -> None:
    """How many are like it when everything else is known, whether or not the attacker may know so much."""
    known = "With everything else known"
    if not _knows_any(settings, told):
        asked = words.count(settings.max_known or 0, "columns")
        known = f"With everything else known, which is more than the {asked} asked about"
    differing = [name for name in told.differing if name != sensitive]
    if told.alike > 1:
        st.markdown(
            f"{known}, **{words.count(told.alike, unit)}** look like this one, itself included; "
            f"**{told.alike - told.same:,}** of them have another value of {page.listed([sensitive])}."
        )
    elif differing:
        st.markdown(
            f"{known}, it is **alone** because the person has {words.count(told.n_rows, 'rows')} with differing values "
            f"of {page.listed(differing)}: nobody else has the same sets of values. Others may well share the values "
            "of each row, and who knows one row does not know this person by it."
        )
    else:
        st.markdown(f"{known}, it is **alone**: nobody else has these values.")


def _label(remedy: Remedy) -> str:
    name = plain(printable(remedy.attribute), 40)
    return f"Drop {name}" if remedy.recoding is None else f"Recode {name}: {remedy.recoding.describe()}"


def apply(remedy: Remedy, sensitive: str) -> None:
    """Put a remedy into the recipe."""
    if remedy.recoding is not None:
        add_recoding(remedy.attribute, remedy.recoding, sensitive)
        return
    step = DropColumns((remedy.attribute,), f"protects {sensitive}")
    if remedy.attribute not in state.session().recipe.dropped:
        state.add_step(step)
    state.session().notice = f"In the recipe: {step.describe()}. Look at the release to see what it does."
