"""One individual: their row, what gives them away, and what would protect them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.individuals import Individual, ProtectingChange, remedies
from anonlib.basics import words
from anonlib.basics.progress import Progress, share_of
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.steps import DropColumns
from anonlib.values.cells import MISSING_LABEL
from pages.measure.individuals import results
from pages.measure.individuals.picture import RECORD
from pages.measure.individuals.question import IN_WORDS, MEANS, IndividualsQuestion
from pages.measure.individuals.results import ClassesToInfer, IndividualsAnswer
from pages.measure.individuals.tabs.coarser import add_recoding
from ui.kit import glossary, page
from ui.kit.persons import differing
from ui.session import cache, decide, guard, keep, long_work, view
from ui.session.state import session
from ui.text import named, plain, printable


def show(data: Dataset, question: IndividualsQuestion, sensitive: str, answer: IndividualsAnswer) -> None:
    classes = results.classes_of(data, question)
    most_certain = results.record_at(classes, answer, 0) + 1
    choose, reveal_place, _ = st.columns([1, 1.4, 3], vertical_alignment="bottom", gap="medium")
    what, of_file = noun(data).capitalize(), "The row of the file (or of the release, when that is looked at)"
    if data.frame is None:
        of_file = "The rows stay in the database, so those with the same values are looked at together: their class"
    record = keep.number(
        RECORD, what, 1, data.n_records if data.frame is not None else classes.n_classes, most_certain, place=choose,
        help=glossary.linked(
            f"{of_file}, the first being 1. Or show few enough in the picture above and click one.",
            "record" if data.frame is not None else "class",
        ),
    )  # fmt: skip
    reveal = reveal_place.toggle("Show sensitive values", key="individuals-reveal")
    if left_out(data, question, int(record) - 1):
        lacks = data.records[list(question.variables)].iloc[int(record) - 1].isna().any()
        st.markdown(
            "This record is left out: a value is missing, and the Data page says to leave such records out."
            if lacks
            else "This record is left out: its weight is 0, so it stands for nobody."
        )
        return
    about = account(data, question, sensitive, int(record) - 1)
    if about is None:
        return
    listing, side = st.columns([2.4, 1], gap="medium")
    with listing:
        _show_columns(data, question, about, reveal)
    with side, st.container(border=True, height="stretch"):
        st.subheader(f"{what} {int(record):,}: {plain(printable(sensitive), 40)}", anchor=False)
        _in_words(question, about, sensitive, data.unit)


def _show_columns(data: Dataset, question: IndividualsQuestion, about: Account, reveal: bool) -> None:
    rows = []
    for given in about.columns:
        value = MISSING_LABEL if given.value is None else printable(given.value)
        smallest = named(given.sets[0]) or "nothing" if given.sets else ""
        rows.append(
            {
                "Column": printable(given.column),
                "Value": "•••" if data.roles.get(given.column) == Role.SENSITIVE and not reveal else value,
                f"{IN_WORDS[question.name].capitalize()}, least": _written(given.least, question),
                "Takes": words.count(len(given.sets[0]), "columns") if given.sets else "never",
                "Smallest set that is enough": smallest + (f" (1 of {len(given.sets)})" if len(given.sets) > 1 else ""),
            }
        )
    if about.differing:
        rows = [
            row | {"Rows": "differ" if g.column in about.differing else ""}
            for row, g in zip(rows, about.columns, strict=True)
        ]
    page.table(
        pd.DataFrame(rows), "Each column of this record, and the smallest sets of columns that give it away",
        help={
            "Takes": "How few known columns are enough.",
            f"{IN_WORDS[question.name].capitalize()}, least": glossary.linked(
                f"{question.name}: {MEANS[question.measure]}", "PPP"
            ),
        },
    )  # fmt: skip
    if about.differing:
        page.counts(
            f"The person has {_rows(about)}, which differ in {page.listed(about.differing)}: "
            "shown there, and counted, is the set of their values."
        )
    fewer = "" if about.n_columns == len(question.variables) else f"Looked at here: {about.n_columns} columns. "
    known = "" if _knows_any(question, about) else f"of up to {question.max_known} "
    page.counts(
        f"{fewer}Every set {known}of the other columns is looked at; enough means {question.certain}. Identifiers are "
        "not shown. Kroes et al. 2021, Definition 3: the least over what may be known."
    )


def _knows_any(question: IndividualsQuestion, about: Account) -> bool:
    """Whether every set of the columns looked at may be known."""
    return question.max_known is None or question.max_known >= about.n_columns - 1


def _written(value: float, question: IndividualsQuestion) -> str:
    if math.isnan(value):
        return "n/a"
    return f"{value:.3g}" if question.measure == "npp" else words.percent(value)


def _in_words(question: IndividualsQuestion, about: Account, sensitive: str, unit: str) -> None:
    _alike_in_words(question, about, sensitive, unit)
    if about.lacks and not question.missing_is_harm:
        st.markdown("Its value is **missing**: there is nothing to infer, and it is not counted as certain.")
        return
    if about.covers_all:
        st.markdown("Its label covers **every value** of the column: there is nothing to infer.")
        return
    if not about.sets:
        known = "known columns"
        if not _knows_any(question, about):
            known = f"up to {words.count(question.max_known or 0, 'known columns')}"
        st.markdown(f"No set of {known} makes it {question.certain}: it is **protected**.")
        return
    enough = about.sets[0]
    others = f"; {words.count(len(about.sets) - 1, 'other sets')} would do as well" if len(about.sets) > 1 else ""
    st.markdown(
        f"To know {page.listed(list(enough)) if enough else 'nothing at all'} is enough{others}."
        + (" To know them is to know the values of all the person’s rows." if {*enough} & {*about.differing} else "")
    )
    if not about.fixes:
        st.markdown("No change of a single column would protect it: leave the record out, or change several.")
        st.page_link(page.RELEASE, label="To the recipe", icon=":material/receipt_long:")
        return
    several = len(about.fixes) > 1
    st.markdown("**One of these is enough to protect it:**" if several else "**This is enough to protect it:**")
    for i, remedy in enumerate(about.fixes):
        st.button(
            _label(remedy), key=f"individuals-remedy-{i}", on_click=guard.action(apply), args=(remedy, sensitive),
            icon=":material/add:", help="Adds it to the recipe.",
        )  # fmt: skip


def _alike_in_words(question: IndividualsQuestion, about: Account, sensitive: str, unit: str) -> None:
    """How many are like it when everything else is known, whether or not the attacker may know so much."""
    known = "With everything else known"
    if not _knows_any(question, about):
        columns = words.count(question.max_known or 0, "columns")
        known = f"With everything else known, which is more than the {columns} asked about"
    differing = [name for name in about.differing if name != sensitive]
    if about.alike > 1:
        st.markdown(
            f"{known}, **{words.count(about.alike, unit)}** look like this one, itself included; "
            f"**{about.alike - about.same:,}** of them have another value of {page.listed([sensitive])}."
        )
    elif differing:
        st.markdown(
            f"{known}, it is **alone** because the person has {_rows(about)} with differing "
            f"values of {page.listed(differing)}: nobody else has the same sets of values. Others may well share the "
            "values of each visit, and who knows one visit does not know this person by it."
        )
    else:
        st.markdown(f"{known}, it is **alone**: nobody else has these values.")


def _rows(about: Account) -> str:
    return "several rows" if about.n_rows is None else words.count(about.n_rows, "rows")


def _label(remedy: ProtectingChange) -> str:
    name = plain(printable(remedy.attribute), 40)
    return f"Drop {name}" if remedy.recoding is None else f"Recode {name}: {remedy.recoding.describe()}"


def apply(remedy: ProtectingChange, sensitive: str) -> None:
    """Put a remedy into the recipe."""
    if remedy.recoding is not None:
        add_recoding(remedy.attribute, remedy.recoding, sensitive)
        return
    step = DropColumns((remedy.attribute,), f"protects {sensitive}")
    if remedy.attribute not in view.now().recipe.dropped:
        decide.add_step(step)
    session().notice = f"In the recipe: {step.describe()}. Look at the release to see what it does."


# ---- what there is to tell of one individual ----


MOST_COLUMNS = 16
AT_ONCE = 1.5  # seconds; what takes longer waits for a button


@dataclass(frozen=True)
class ColumnGivenAway:
    """One column of the individual: its value, the measure's least value, and the sets that make it certain."""

    column: str
    value: str | None
    least: float
    sets: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Account:
    """Of one individual: each column, and of the sensitive one how many are alike and what would protect it.

    Attributes
    ----------
    columns : those that are inferred.
    n_columns : those that were looked at.
    lacks : the sensitive value is missing.
    covers_all : the label of the sensitive value is one that covers every value.
    sets : the smallest sets that make the sensitive value certain.
    alike, same : individuals like this one when everything else is known, and among them those with its value.
    differing : columns in which the person's rows differ, so that they count with a set of values.
    n_rows : the person's rows; None where they stay in a database.
    fixes : single changes that would protect the sensitive column.
    """

    columns: tuple[ColumnGivenAway, ...]
    n_columns: int
    lacks: bool
    covers_all: bool
    sets: tuple[tuple[str, ...], ...]
    alike: int
    same: int
    differing: tuple[str, ...]
    n_rows: int | None
    fixes: tuple[ProtectingChange, ...]


def account(data: Dataset, question: IndividualsQuestion, sensitive: str, record: int) -> Account | None:
    """The account of a row of the file (counted from 0); None where it is left out, or longer work is not done yet.

    Where the rows stay in a database, ``record`` is a class of the variables looked at.
    """
    of = _to_look_at(data, question, sensitive)
    arguments: dict[str, Any] = {"question": question, "sensitive": sensitive, "record": record}
    seconds = estimated_seconds(data, question)
    if seconds <= AT_ONCE:
        return _account(of, data, **arguments)
    stage = (f"Looking at {noun(data)} {record + 1:,} among all others", _account.work(of, data, **arguments))
    return long_work.best_so_far(f"account {data.key} {arguments}", [stage], seconds)


def noun(data: Dataset) -> str:
    """What an individual is found by: its record, or its class where the rows stay in a database."""
    return "class" if data.frame is None else "record"


def estimated_seconds(data: Dataset, question: IndividualsQuestion) -> float:
    """About how long an account takes on one core."""
    classes = results.classes_of(data, question)
    values = sum(len(values) for values in classes.categories)
    slow = 3 if question.measure == "poac" else 1
    return classes.n_classes * len(classes.attributes) * slow * 1e-7 + values * 1.5e-6


def left_out(data: Dataset, question: IndividualsQuestion, record: int) -> bool:
    """Whether a row of the file takes no part: a value is missing, or its weight is 0."""
    classes = results.classes_of(data, question)
    return classes.class_of_record is not None and bool(classes.class_of_record[record] < 0)


@dataclass(frozen=True, eq=False)
class LookedAtColumns:
    """The columns by which an individual is looked at, at most 16 of those that are asked about.

    Attributes
    ----------
    key : names the data that they are of.
    question : what is asked, of these alone.
    classes : by them.
    of_all : by all columns that are asked about.
    """

    key: str
    question: IndividualsQuestion
    classes: ClassTable
    of_all: ClassesToInfer


def _to_look_at(data: Dataset, question: IndividualsQuestion, sensitive: str) -> LookedAtColumns:
    names = question.variables
    if len(names) > MOST_COLUMNS:
        first = [sensitive, *(name for name in data.quasi_identifiers if name in names and name != sensitive)]
        chosen = list(dict.fromkeys([*first, *names]))[:MOST_COLUMNS]
        names = tuple(name for name in names if name in chosen)
    within = tuple((name, distance) for name, distance in question.within if name in names)
    of_these = replace(question, variables=names, within=within)
    return LookedAtColumns(data.key, of_these, results.classes_of(data, of_these), ClassesToInfer.of(data, question))


@cache.remembered
def _account(
    of: LookedAtColumns,
    data: Dataset,
    *,
    question: IndividualsQuestion,
    sensitive: str,
    record: int,
    progress: Progress = long_work.let_go,
) -> Account:
    individual = _individual(of, record)
    classes, inferred = individual.classes, of.of_all.inferred
    columns, sets = [], {}
    for j, name in enumerate(classes.attributes):
        progress(0.5 * j / len(classes.attributes))
        if name in inferred or name == sensitive:
            sets[name] = individual.smallest_breaching_sets(name, question.threshold)
        if name in inferred:
            value = classes.categories[j][classes.codes[individual.row, j]]
            columns.append(ColumnGivenAway(name, value, individual.least(name), sets[name]))
    peers = individual.peers
    everything = len(peers) - 1
    fixes = remedies(individual, sensitive, question.threshold, progress=share_of(progress, 0.5, 1.0))
    return Account(
        columns=tuple(columns),
        n_columns=len(classes.attributes),
        lacks=individual.lacks(sensitive),
        covers_all=individual.has_nothing_to_infer(sensitive) and not individual.lacks(sensitive),
        sets=sets[sensitive],
        alike=int(peers[everything ^ 1 << classes.attributes.index(sensitive)]),
        same=int(peers[everything]),
        differing=differing(classes, individual.row),
        n_rows=_rows_of_person(data, record),
        fixes=fixes,
    )


def _rows_of_person(data: Dataset, record: int) -> int | None:
    if data.person_id is None:
        return 1
    if data.frame is None:
        return None
    persons = data.frame[data.person_id].cat.codes.to_numpy()
    return int(np.count_nonzero(persons == persons[record])) if persons[record] >= 0 else 1


def _individual(of: LookedAtColumns, record: int) -> Individual:
    """The individual in a row of the file. Who knows all at once is taken with every set."""
    classes, of_all = of.classes, of.of_all.classes
    attacker = results.attacker_of(classes, of.question, of.question.max_known or "any")
    if classes.class_of_record is not None:
        return Individual.of(classes, int(classes.class_of_record[record]), attacker)
    if classes.attributes == of_all.attributes:
        return Individual.of(classes, record, attacker)
    same = [classes.column(name) == of_all.column(name)[record] for name in classes.attributes]
    return Individual.of(classes, int(np.flatnonzero(np.logical_and.reduce(same))[0]), attacker)
