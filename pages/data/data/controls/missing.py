"""Which cells are missing, what a missing value counts as, and which spellings are one value."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import get_args

import streamlit as st

from anonlib.counting.classes import Missing
from anonlib.filing.project import Loaded, LoadedTables
from anonlib.reading.sources import DEFAULT_MARKS, lookalikes, missing_mark_candidates
from anonlib.reading.sources.doubts import Lookalike
from anonlib.reading.sources.marks import MarkCandidate
from anonlib.verdict.criteria import Spelled, spelled_in_words
from ui.files import data_file
from ui.kit import glossary, page
from ui.session import cache, decide, keep, view
from ui.session.names import titled
from ui.text import plain, printable

POLICIES: dict[Missing, str] = {
    "category": "counts, as a value of its own",
    "drop": "is left out of counts and release",
}


def show() -> None:
    """Marks of missing values on the left, what they count as on the right, spellings below."""
    loaded = view.now().loaded
    assert loaded is not None
    marks, policy = page.beside(3, 2)
    several = isinstance(loaded, LoadedTables)
    with marks:
        declared = tuple(
            (name, description.missing) for name, description in loaded.known.items() if description.missing
        )
        _ask_marks(loaded, _candidates(loaded.unprepared, declared=declared))
    keep.radio(
        "missing", "A record with a missing quasi-identifier", get_args(Missing),
        "category" if several else view.now().missing,
        take=decide.set_missing, place=policy, format_func=POLICIES.__getitem__, disabled=several,
        help=glossary.linked(
            "Of several tables it always counts: a row has no cells of tables that it is not of." if several else "",
            "missing", "quasi-identifier",
        ),
    )  # fmt: skip
    alike = _lookalikes(loaded.unprepared)
    if alike:
        if apart := _spelled(group for group in alike if group.column not in loaded.merged):
            st.caption(plain(spelled_in_words(apart)))
        keep.several(
            "merged", "Columns in which to merge spellings of one value",
            list(dict.fromkeys(group.column for group in alike)), loaded.merged, take=partial(_prepare, "merged"),
            format_func=titled, placeholder="Choose columns to merge, or leave the spellings apart",
            help="Spellings that differ only by case, blanks, invisible characters or kinds of dashes and quotation "
            "marks, and ways to write one number, as 1 and 1.0. Merged values have their most frequent spelling.",
        )  # fmt: skip


def _ask_marks(loaded: Loaded, candidates: tuple[MarkCandidate, ...]) -> None:
    counts: dict[str, int] = {}
    for candidate in candidates:
        counts[candidate.mark] = counts.get(candidate.mark, 0) + candidate.count
    chosen = [mark for mark in loaded.marks if mark]
    keep.several(
        "marks", "Marks that mean “missing” (an empty cell always does)",
        list(dict.fromkeys([*chosen, *(mark for mark in DEFAULT_MARKS if mark), *counts])), chosen, take=_set_marks,
        format_func=lambda mark: f"{printable(mark)} ({counts[mark]:,} cells)" if mark in counts else printable(mark),
        accept_new_options=True,
        help="Found in this file with the number of cells; type your own mark and press Enter.",
    )  # fmt: skip
    elsewhere = {
        (candidate.column, candidate.mark): candidate.count
        for candidate in candidates
        if candidate.mark not in loaded.marks or candidate.may_be_a_code
    }
    if elsewhere:
        marks_found = ", ".join(plain(mark, 20) for mark in list(dict.fromkeys(mark for _, mark in elsewhere))[:6])
        keep.several(
            "column-marks", f"Also in the file: {marks_found}. Where does it mean “missing”?", list(elsewhere),
            loaded.column_marks, take=partial(_prepare, "column_marks"),
            format_func=lambda pair: f"{printable(pair[1])} in {printable(pair[0])} ({elsewhere[pair]:,} cells)",
            placeholder="Choose where; what is not chosen stays a value",
        )  # fmt: skip


@cache.remembered
def _candidates(loaded: Loaded, *, declared: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[MarkCandidate, ...]:
    """Values that may mean missing by what they are, and those that the file or its dictionary declares."""
    return missing_mark_candidates(loaded.counts(), dict(declared))


@cache.remembered
def _lookalikes(loaded: Loaded) -> tuple[Lookalike, ...]:
    return lookalikes(loaded.counts())


def _spelled(alike: Iterable[Lookalike]) -> list[Spelled]:
    """By column, how many spellings are read as how many values."""
    of_column = dict[str, list[Lookalike]]()
    for group in alike:
        of_column.setdefault(group.column, []).append(group)
    return [Spelled(name, sum(len(lookalike.values) for lookalike in of), len(of)) for name, of in of_column.items()]


def _set_marks(marks: list[str]) -> None:
    data_file.prepare(marks=tuple(dict.fromkeys(("", *marks))))


def _prepare(what: str, chosen: list) -> None:
    data_file.prepare(**{what: tuple(chosen)})
