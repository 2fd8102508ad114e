"""The Frontier page's controls: what policies recode, who the population is, the two measures, and the search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import streamlit as st

from anonlib.analyses.frontier import LOSSES, RISKS, PolicySpace
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.columns.identifiers import kind_of_name
from anonlib.dataset import Dataset
from pages.protect.frontier import results
from pages.protect.frontier.controls import orders
from pages.protect.frontier.results import COUNT, LEAVE, FrontierQuestion, count, plane_of
from ui.kit import glossary, page
from ui.kit.shared_controls import ask_k
from ui.session import cache, keep
from ui.session.names import titled
from ui.text import plain

_count = cache.waited_for("Counting who shares which values")(count)
_plane_of = cache.remembered(plane_of)

TABLE, FILE = "table", "file"
PEOPLE = {TABLE: "Population table", FILE: "The file itself"}
PEOPLE_HELP = (
    "Whom a record could be: the people of the **population table** with the same released values, or the records of "
    "**the file itself**. Load a table under **Population** below."
)
UNMATCHED = {COUNT: "Count them as people of the population", LEAVE: "Leave them out of the search"}
NONE = "(none)"
EFFORTS = [5, 10, 30, 60, 300]  # work that takes about so many seconds on a machine of 2024
_ANY_K = 5  # of a plane whose risk goes by no k


def ask(data: Dataset, population: Dataset | None) -> FrontierQuestion | None:
    """What is asked, or the sentence why it cannot be: the settings can be mended."""
    try:
        return _ask(data, population)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def ask_search(question: FrontierQuestion) -> tuple[str, float]:
    """Which search, and how much work it does at a press."""
    place = st.container(horizontal=True, vertical_alignment="bottom")  # which wraps
    method = keep.select(
        "frontier-method", "Search", results.methods(question), format_func=results.METHODS.__getitem__, place=place,
        help=glossary.linked(results.METHODS_HELP, "frontier", "policy", "Safe Harbor"),
    )  # fmt: skip
    effort = keep.select(
        "frontier-effort", "Effort", EFFORTS, 10, place=place,
        help="How much further the search goes at a press of the button, which says how long that takes here. As much "
        "effort finds the same on every machine. It can be stopped, and gone on with.",
    )  # fmt: skip
    return method, effort * A_SECOND


def take_file() -> None:
    """Take the file itself as population."""
    keep.put("frontier-people", FILE)


def _ask(data: Dataset, population: Dataset | None) -> FrontierQuestion:
    known, risky, lossy, more = page.beside(4, 3, 3, 2, gap="small", align="bottom")
    with more:
        popover = st.popover("More", width="stretch")
    people = _ask_people(population, popover)
    unmatched = COUNT if people is None else _ask_unmatched(popover)
    observed = keep.toggle(
        "frontier-observed", "Only values that occur", True, place=popover,
        help=glossary.linked(
            "Intervals are cut between values that records have. Otherwise also between all others of the population "
            "table: then a policy is rewarded for keeping apart what nobody has.",
            "policy", "population table",
        ),
    )  # fmt: skip
    names = _ask_known(data, people, known)
    risks = [key for key, measure in RISKS.items() if people is not None or not measure.needs_population]
    risk = keep.select(
        "frontier-risk", "Risk", risks, format_func=lambda key: RISKS[key].name, place=risky,
        help=_meanings(RISKS.values()),
    )  # fmt: skip
    losses = [key for key in LOSSES if not _says_the_same(risk, key, people)]
    loss = keep.select(
        "frontier-loss", "Information loss", losses, format_func=lambda key: LOSSES[key].name, place=lossy,
        help=_meanings(LOSSES[key] for key in losses),
    )  # fmt: skip
    if not names:
        raise InputError(_nothing_chosen(data, people), code="choice-missing")
    counted = _count(data, people, names=tuple(names), orders=orders.chosen(data, people, names), observed=observed,
        unmatched=unmatched,
    )  # fmt: skip
    used = risk == "below_k"
    with popover:
        why_not = "" if used else f" Used when the risk is “{RISKS['below_k'].name}”."
        k = ask_k(
            "frontier",
            glossary.linked(f"The smallest class you accept, as on the Risk page.{why_not}", "smallest class"),
            used,
        )
        safe_harbor, why = _ask_safe_harbor(counted.space, data, people)
    plane = _plane_of(counted.space, risk=risk, loss=loss, k=k if used else _ANY_K)
    return FrontierQuestion(plane, counted, data.unit, unmatched, safe_harbor, why)


def _nothing_chosen(data: Dataset, people: Dataset | None) -> str:
    if people is not None and not {*data.quasi_identifiers} & {*people.columns}:
        return (
            "None of the population table’s columns is known to be a quasi-identifier. Say which are, or load another "
            "table (Population, below), or choose the file itself as population (More)."
        )
    return "Choose at least one quasi-identifier that policies recode."


def _says_the_same(risk: str, loss: str, people: Dataset | None) -> bool:
    """Both go by the number of groups alone: every policy would be on the frontier."""
    return loss == "class_size" and (risk == "average" or (risk == "population" and people is None))


def _meanings(measures: Iterable) -> str:
    return "\n\n".join(f"**{measure.name}**: {measure.meaning} ({measure.source})" for measure in measures)


def _ask_people(population: Dataset | None, place: Any) -> Dataset | None:
    offered = [FILE] if population is None else [TABLE, FILE]
    chosen = keep.segments(
        "frontier-people", "Population", offered, format_func=PEOPLE.__getitem__, place=place,
        help=glossary.linked(PEOPLE_HELP, "population table"),
    )  # fmt: skip
    return population if chosen == TABLE else None


def _ask_unmatched(place: Any) -> str:
    return keep.radio(
        "frontier-unmatched", "Records that nobody in the table matches", list(UNMATCHED), COUNT,
        format_func=UNMATCHED.__getitem__, place=place,
        help="How many there are stands under **Population** below. Counted as people, each combination of values has "
        "at least as many people as records: the file is part of the population.",
    )  # fmt: skip


def _ask_known(data: Dataset, people: Dataset | None, place: Any) -> list[str]:
    offered = data.quasi_identifiers
    in_both = offered if people is None else [name for name in offered if name in people.columns]
    return keep.several(
        keep.per("frontier-known", offered, in_both), "Quasi-identifiers to recode", offered, in_both,
        format_func=titled, place=place,
        help=glossary.linked(
            "What an attacker knows. Columns that the population table lacks can only be chosen with the file itself "
            "as population (More).",
            "quasi-identifier", "recode", "population table",
        ),
    )  # fmt: skip


def _ask_safe_harbor(space: PolicySpace, data: Dataset, people: Dataset | None) -> tuple[np.ndarray | None, str]:
    """Safe Harbor's policy on these columns; or None, and why."""
    kinds = {name: kind for name in space.attributes if (kind := kind_of_name(name)) is not None}
    age = _ask_column(
        "age", "Ages", space, [name for name, kind in kinds.items() if kind.key == "age"],
        "Ages of 90 and more become one group.",
    )  # fmt: skip
    zip_code = _ask_column(
        "postcode", "ZIP codes", space,
        [name for name in kinds if orders.is_zip(name, data.held.values(name).tolist())],
        "The first three digits stay; areas of 20,000 people or fewer become 000.",
    )  # fmt: skip
    dates = [name for name, kind in kinds.items() if kind.group == "date"]
    if age is None and zip_code is None and not dates:
        return None, "No column is an age, a ZIP code or a date: Safe Harbor changes nothing here."
    try:
        few = None if zip_code is None else orders.sparse(data, people, zip_code)
        policy = space.safe_harbor(age, zip_code, dates, few)
    except InputError as error:
        return None, str(error)
    if policy.all():
        return None, "Safe Harbor leaves these columns as they are."
    return policy, ""


def _ask_column(kind: str, label: str, space: PolicySpace, usual: list[str], help: str) -> str | None:
    """Which column Safe Harbor takes for one of a kind; at first the first of the usual ones."""
    chosen = keep.select(
        f"frontier-{kind}", f"{label}, for Safe Harbor", [NONE, *space.attributes], (usual or [NONE])[0],
        format_func=titled, help=glossary.linked(help, "Safe Harbor"),
    )  # fmt: skip
    return None if chosen == NONE else chosen
