"""Which rows are of one person, and what becomes of a person of several rows, on one of the file as an example."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.columns.roles import Role, Suggestion
from anonlib.counting.classes.rows_of_persons import FEW_ROWS, SeveralRows, several_rows
from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords
from anonlib.reading.tables import households
from ui.kit import glossary, page
from ui.session import cache, decide, keep
from ui.session.names import titled
from ui.text import plain, printable

_KNOWN = (Role.QUASI_IDENTIFIER, Role.PLACE)
_MOST_COLUMNS = 10  # of the example
_LONGEST = 40  # characters shown of a cell


def show(data: Dataset, suggestions: Sequence[Suggestion]) -> None:
    """The rule and the example, where a person id is accepted or suggested; nothing where everybody has one row."""
    roles = {s.column: s.role for s in suggestions} | dict(data.roles)  # what is undecided counts here as suggested
    suggested = next((name for name in data.columns if roles.get(name) == Role.PERSON_ID), None)
    person = data.person_id or (suggested if data.weight is None else None)
    if person is None:
        return
    if isinstance(data.held, TableRecords):
        _show_of_table(data, person)
        return
    known = tuple(name for name in data.columns if roles.get(name) in _KNOWN)
    several = _several_rows(data.with_roles({}), person=person, counted=known)
    if several is None:
        return
    counted = [*known, *(name for name in data.columns if roles.get(name) == Role.SENSITIVE)]
    counted.sort(key=lambda name: several.n_values[name] < 2)  # those that differ first
    with st.container(border=True):
        st.markdown(_rule(data, person, several.n_several, several.n_persons) + _ON_ONE)
        page.table(
            _example(data, person, counted[:_MOST_COLUMNS], known, several),
            "The rows of one person side by side, and what the person counts with in each column.",
        )
        page.counts(_in_words(data, counted, known, several))


def _show_of_table(data: Dataset, person: str) -> None:
    """The rule alone: which rows are of one person is known where the table is, and not here."""
    several, persons = _persons_of_several_rows(data.with_roles({}), person=person)
    if several:
        with st.container(border=True):
            st.markdown(
                f"{_rule(data, person, several, persons)} with the set of values that the rows have in each column."
            )


@cache.remembered
def _persons_of_several_rows(data: Dataset, *, person: str) -> tuple[int, int]:
    assert isinstance(data.held, TableRecords)
    return data.held.persons_of_several_rows(person)


@cache.remembered
def _several_rows(data: Dataset, *, person: str, counted: tuple[str, ...]) -> SeveralRows | None:
    return several_rows(data.records, person, counted)


_ON_ONE = " as follows, on one of them as an example:"


def _rule(data: Dataset, person: str, n_several: int, n_persons: int) -> str:
    several = words.share(n_several, n_persons, "persons")
    says = f"says which rows are of one person: {several} {'has' if n_several == 1 else 'have'} several rows."
    of_households = "Each is a household, and its members are its rows. " * households.are_numbered_by(person)
    if data.person_id is None:
        return (
            f"**{plain(person, 40)}** is suggested as the person id, which {says} Once it is accepted, persons are "
            "counted and not rows. Such a person then counts"
        )
    return (
        f"**{plain(person, 40)}** {says} {of_households}Persons are counted and not rows; the verdict counts "
        "with one visit and all visits known as well. On other pages such a person counts"
    )


def _example(
    data: Dataset, person: str, counted: Sequence[str], known: Sequence[str], several: SeveralRows
) -> pd.DataFrame:
    """A line a column; of a column that is not taken to be known, only whether its cells differ."""
    shown = several.example[:FEW_ROWS]
    records = [f"record {position + 1:,}" for position in shown]
    lines = [[printable(person), *["one person"] * len(shown), "says whose rows these are"]]
    for name in counted:
        if name in known:
            cells = data.records[name].iloc[list(shown)].astype(object)
            shown_cells = ["" if pd.isna(cell) else _cut(cell) for cell in cells]
        else:
            shown_cells = ["differs" if several.n_values[name] > 1 else "the same"] * len(shown)
        lines.append([printable(name), *shown_cells, _counts_as(several.n_values[name])])
    return pd.DataFrame(lines, columns=["In the file", *records, "Counts as"])


def _counts_as(n_values: int) -> str:
    if n_values > 1:
        return f"the set of {n_values:,} values"
    return "this one value" if n_values else "a missing value"


def _in_words(data: Dataset, counted: Sequence[str], known: Sequence[str], several: SeveralRows) -> str:
    """The rule in words for this person, and what the table leaves out."""
    n_rows, sentences = len(several.example), []
    alike = next((name for name in known if several.n_values[name] == 1), None)
    differing = next((name for name in (*known, *counted) if several.n_values[name] > 1), None)
    if n_rows > FEW_ROWS:
        sentences.append(f"Shown are the first {FEW_ROWS} of the person’s {n_rows:,} rows; all of them count.")
    if alike is not None:
        sentences.append(f"**{plain(alike, 40)}** has one value here, and counts as in a single row.")
    if differing is not None:
        n_values = several.n_values[differing]
        sentences.append(
            f"**{plain(differing, 40)}** has {n_values:,} different values and counts as the set of them, which few "
            "others share: one who knows this person is taken to know all of these rows. Who knows of one row knows "
            "one of the values, and not the set."
        )
    if data.records[list(known)].iloc[list(several.example)].isna().to_numpy().any():
        sentences.append("A cell without a value adds none to what counts.")
    if len(counted) > _MOST_COLUMNS:
        sentences.append(f"{words.count(len(counted) - _MOST_COLUMNS, 'more columns')} count in the same way.")
    if any(name not in data.roles for name in counted):
        sentences.append("Columns that are undecided are shown here as suggested.")
    return " ".join(sentences)


def _cut(cell: object) -> str:
    shown = printable(cell)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


# ---- whose row it is ----


_EACH_ROW = ""
_REPEAT = 0.02  # different values to a record, from which a column may say whose row it is


def ask_person(data: Dataset, suggestions: Sequence[Suggestion]) -> None:
    """The column that says whose row it is, those first that look so."""
    likely = [s.column for s in suggestions if _likely(s, data.n_records)]
    offered = [_EACH_ROW, *likely, *(s.column for s in suggestions if s.column not in likely and s.distinct > 1)]
    keep.select(
        "person-id", "Whose row it is (person id)", offered, data.person_id or _EACH_ROW, take=_take,
        format_func=lambda name: titled(name) if name else "Each row is one person",
        help=glossary.linked(
            "A column with one value a person, such as a patient number: then persons are counted and not rows, and "
            "it leaves as a number drawn at random. By the number of a household, households are counted, with their "
            "members as rows."
            if data.tables is None
            else "The keys between the tables say it: change these above.",
            "person id",
        ),
        disabled=data.tables is not None,
    )  # fmt: skip


def _likely(suggested: Suggestion, n_records: int) -> bool:
    if suggested.role in (Role.PERSON_ID, Role.IDENTIFIER):
        return suggested.distinct > 1
    return suggested.role is Role.OTHER and suggested.distinct > _REPEAT * n_records


def _take(column: str) -> None:
    decide.set_person_id(column or None)
