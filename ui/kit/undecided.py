"""What figures of what is known leave open while columns are undecided: said before any of them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from ui.kit import page
from ui.session import view

_CELLS_AT_ONCE = 10_000_000  # rows times columns that are counted in a second where they are in memory


def counting(data: Dataset) -> AbstractContextManager:
    """Says that both ends are counted, where that may take more than a second."""
    if data.frame is not None and data.n_records * len(data.columns) <= _CELLS_AT_ONCE:
        return nullcontext()
    return st.spinner("Counting with and without what is undecided")


def show(unit: str) -> None:
    """Above figures of what is decided: what they come to if every undecided column is known too."""
    ends = view.now().ends
    if ends is None:
        return
    found = ends[1]
    all_known = found.all_known
    undecided = words.count(len(found.undecided), "columns")
    st.warning(
        f"**{undecided} undecided:** {page.listed(found.undecided, 6)}. If all of them are known too, the smallest "
        f"class has **{all_known.k:,}**, and **{words.share(all_known.alone, all_known.n_records, unit)}** are alone. "
        "The figures below count only what is decided as known: say on the Data page what the others are.",
        icon=":material/help:",
    )
