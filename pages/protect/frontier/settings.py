"""What the officer asks on the Frontier page, and the controls that ask it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from anonlib.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.frontier import (
    LOSSES,
    RISKS,
    Match,
    Plane,
    PolicySpace,
    match,
    matched_only,
    one_value_a_person,
    with_records,
)
from anonlib.identifiers import kind_of_name
from pages.protect.frontier import orders
from ui import cache, page, state
from ui.asking import ask_k
from ui.text import printable

MOST_BITS = 5_000
TABLE, FILE = "table", "file"
PEOPLE = {TABLE: "Population table", FILE: "The file itself"}
PEOPLE_HELP = (
    "Whom a record could be: the people of the **population table** with the same released values, or the records of "
    "**the file itself**. Load a table under **Population** below."
)
COUNT, LEAVE = "count", "leave"
UNMATCHED = {COUNT: "Count them as people of the population", LEAVE: "Leave them out of the search"}
NONE = "(none)"


@dataclass(frozen=True)
class Asked:
    """One question: whose policies, on which plane, and against which Safe Harbor.

    Attributes
    ----------
    plane : the policies and the two measures.
    unit : what is counted, "records" or "persons".
    several : persons whose rows differ in a column, who are not counted.
    incomplete : records that lack a value where the Data page leaves these out.
    matched : how the records fit the population table, where there is one.
    unmatched : what becomes of those who match nobody.
    safe_harbor : Safe Harbor's policy, or None with the reason why there is none.
    """

    plane: Plane
    unit: str
    several: int
    incomplete: int
    matched: Match | None
    unmatched: str
    safe_harbor: np.ndarray | None
    no_safe_harbor: str = ""

    @property
    def space(self) -> PolicySpace:
        return self.plane.space


def ask(data: Dataset, population: Dataset | None) -> Asked:
    """The controls. Raises InputError where what is chosen cannot be."""
    known, risky, lossy, more = page.beside(4, 3, 3, 2, gap="small", align="bottom")
    with more:
        popover = st.popover("More", width="stretch")
    with popover:
        people = _ask_people(population)
        unmatched = _ask_unmatched(people is not None)
        observed = st.toggle(
            "Only values that occur", state.setting("frontier-observed", True), key=state.kept("frontier-observed"),
            help="Intervals are cut between values that records have. Otherwise also between all others of the "
            "population table: then a policy is rewarded for keeping apart what nobody has.",
        )  # fmt: skip
    with known:
        names = _ask_known(data, people)
    with risky:
        risks = [key for key, each in RISKS.items() if people is not None or not each.needs_population]
        name = f"frontier-risk-{people is not None}"
        risk = st.selectbox(
            "Risk", risks, risks.index(state.setting(name, risks[0])), format_func=lambda key: RISKS[key].name,
            key=state.kept(name), help=_meanings(RISKS.values()),
        )  # fmt: skip
    with lossy:
        losses = [key for key in LOSSES if not _says_the_same(risk, key, people)]
        name = f"frontier-loss-{len(losses)}"
        loss = st.selectbox(
            "Information loss", losses, losses.index(state.setting(name, losses[0])),
            format_func=lambda key: LOSSES[key].name, key=state.kept(name),
            help=_meanings(LOSSES[key] for key in losses),
        )  # fmt: skip
    if not names:
        raise InputError(_nothing_chosen(data, people))
    given = orders.chosen(data, people, names)
    counted = cache.remember(
        _space, data, people, names=tuple(names), orders=given, observed=observed, unmatched=unmatched
    )
    with popover:
        used = risk == "below_k"
        why_not = "" if used else f" Used when the risk is “{RISKS['below_k'].name}”."
        k = ask_k("frontier", f"The smallest group you accept, as on the Risk page.{why_not}", used)
        safe_harbor, why = _ask_safe_harbor(counted.space, data, people)
    plane = cache.remember(_plane, counted.space, risk=risk, loss=loss, k=k if risk == "below_k" else 5)
    return Asked(
        plane, data.unit, counted.several, counted.incomplete, counted.matched, unmatched, safe_harbor, why
    )  # fmt: skip


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
    return "\n\n".join(f"**{each.name}**: {each.meaning} ({each.source})" for each in measures)


# ---- what is counted ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Counted:
    """The policies' space, and who is not in it."""

    space: PolicySpace
    several: int
    incomplete: int
    matched: Match | None


def _space(
    data: Dataset, people: Dataset | None, *, names: tuple[str, ...], orders: tuple, observed: bool, unmatched: str
) -> _Counted:
    everyone = data.with_missing("category").classes([]).n_records
    data = data.with_counted()
    classes = data.classes(list(names))
    incomplete = everyone - classes.n_records
    whole = one_value_a_person(_without_partly_missing(data, names).classes(list(names)))
    several = classes.n_records - whole.n_records
    if not whole.n_records:
        raise InputError("Nobody has one value in each of these columns. Choose other columns.")
    matched, population = None, None
    if people is not None:
        population = people.with_missing(data.missing).classes(list(names))
        matched = match(whole, population)
        whole, population = _reconciled(whole, population, matched, unmatched)
    space = PolicySpace(whole, population, dict(orders), observed, {name: _values(data, name) for name in names})
    if space.n_bits > MOST_BITS:
        longest = max(space.domains, key=len)
        raise InputError(
            f"These columns have {space.n_bits:,} boundaries between values, {longest.n_bits:,} of them in "
            f"“{longest.attribute}”: more than {MOST_BITS:,}. Recode it first, or leave it out."
        )
    return _Counted(space, several, incomplete, matched)


def _values(data: Dataset, name: str) -> list[str | None]:
    """What a column holds, also where a record is not counted: it is released all the same."""
    column = data.records[name].cat
    there = np.bincount(column.codes.to_numpy() + 1, minlength=len(column.categories) + 1) > 0
    return [value for value, occurs in zip([None, *column.categories], there.tolist(), strict=True) if occurs]


def _without_partly_missing(data: Dataset, names: tuple[str, ...]) -> Dataset:
    """Without the persons who have a value in some rows and none in others: a policy may part the two."""
    if data.person_id is None or data.missing == "drop":
        return data
    persons = data.records[data.person_id].cat.codes.to_numpy()
    partly = np.zeros(data.n_records, dtype=bool)
    for name in names:
        absent = data.records[name].cat.codes.to_numpy() < 0
        partly |= np.isin(persons, np.intersect1d(persons[absent], persons[~absent])) & (persons >= 0)
    return data.with_records(~partly, "not partly missing") if partly.any() else data


def _reconciled(
    classes: ClassTable, population: ClassTable, matched: Match, unmatched: str
) -> tuple[ClassTable, ClassTable]:
    """Records and people so that everybody matches somebody. Raises InputError where nobody does."""
    if matched.unmatched == matched.n_records:
        raise InputError(
            "No record matches anybody in the population table: its values are written differently, or it is of other "
            "people. Load another (Population, below), or take the file itself as population (More)."
        )
    if unmatched == COUNT:
        return classes, with_records(population, classes) if matched.exceeding else population
    return matched_only(classes, population), population


def _plane(space: PolicySpace, *, risk: str, loss: str, k: int) -> Plane:
    return Plane(space, risk, loss, k)


# ---- the controls -------------------------------------------------------------------------------------------------


def take_file() -> None:
    """Take the file itself as population."""
    st.session_state[state.kept("frontier-people-True")] = FILE


def _ask_people(population: Dataset | None) -> Dataset | None:
    name = f"frontier-people-{population is not None}"
    chosen = st.segmented_control(
        "Population", [TABLE, FILE] if population is not None else [FILE], format_func=PEOPLE.__getitem__,
        default=state.setting(name, FILE if population is None else TABLE), required=True, key=state.kept(name),
        help=PEOPLE_HELP,
    )  # fmt: skip
    return population if chosen == TABLE else None


def _ask_unmatched(shown: bool) -> str:
    if not shown:
        return COUNT
    chosen = st.radio(
        "Records that nobody in the table matches", list(UNMATCHED),
        list(UNMATCHED).index(state.setting("frontier-unmatched", COUNT)), format_func=UNMATCHED.__getitem__,
        key=state.kept("frontier-unmatched"),
        help="How many there are is told under **Population** below. Counted as people, each combination of values has "
        "at least as many people as records: the file is part of the population.",
    )  # fmt: skip
    return chosen or COUNT


def _ask_known(data: Dataset, people: Dataset | None) -> list[str]:
    offered = data.quasi_identifiers
    there = offered if people is None else [name for name in offered if name in people.columns]
    name = f"frontier-known-{hash((*offered, '', *there))}"
    return st.multiselect(
        "Quasi-identifiers to recode", offered, state.setting(name, there), format_func=printable, key=state.kept(name),
        help="What an attacker knows. Columns that the population table lacks can only be chosen with the file itself "
        "as population (More).",
    )  # fmt: skip


def _ask_safe_harbor(space: PolicySpace, data: Dataset, people: Dataset | None) -> tuple[np.ndarray | None, str]:
    """Safe Harbor's policy on these columns; or None, and why."""
    offered = [NONE, *space.attributes]
    found = {name: kind_of_name(name) for name in space.attributes}
    columns = {}
    for label, kind in (("Ages", "age"), ("ZIP codes", "postcode")):
        by_kind = [name for name, each in found.items() if each is not None and each.key == kind]
        if kind == "postcode":
            by_kind = [name for name in by_kind if orders.is_zip(name, data.records[name].cat.categories.tolist())]
        name = f"frontier-{kind}-{hash(space.attributes)}"
        now = state.setting(name, by_kind[0] if by_kind else NONE)
        columns[kind] = st.selectbox(
            f"{label}, for Safe Harbor", offered, offered.index(now), format_func=printable, key=state.kept(name),
            help="Ages of 90 and more become one group." if kind == "age" else "The first three digits stay; areas "
            "of 20,000 people or fewer become 000.",
        )  # fmt: skip
    dates = [name for name, each in found.items() if each is not None and each.group == "date"]
    age, zip_code = (None if chosen == NONE else chosen for chosen in columns.values())
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
