"""Which columns a page looks at before the officer chooses, and what it says while some are undecided."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import of_rows
from ui.kit import page
from ui.session import cache, view

MOST_AT_FIRST = 12  # columns looked at before the officer chooses
LEAST_KNOWN = 4  # quasi-identifiers among them, however many columns are sensitive
_CELLS_AT_ONCE = 10_000_000  # rows times columns that are counted in a second where they are in memory


def default_columns(data: Dataset) -> list[str]:
    """Sensitive columns and quasi-identifiers, in the file's order.

    Where all would be too many to read the sensitive ones come first, then the quasi-identifiers that tell records
    apart most. Some quasi-identifiers are always among them: what is inferred is inferred from something.
    """
    known, sensitive = data.quasi_identifiers, data.sensitive
    if len(known) + len(sensitive) > MOST_AT_FIRST:
        sensitive = sensitive[: MOST_AT_FIRST - min(LEAST_KNOWN, len(known))]
        known = sorted(known, key=lambda name: -tells_apart(data, name))[: MOST_AT_FIRST - len(sensitive)]
    chosen = {*known, *sensitive}
    return [column for column in data.columns if column in chosen]


def tells_apart(data: Dataset, name: str) -> float:
    """The entropy of a column's cells in bits, 0 up: how much it tells records apart on average."""
    return _entropy(data, name=name)


@cache.remembered
def _entropy(data: Dataset, *, name: str) -> float:
    return data.held.sizes_of(name).entropy


def say_how_many(looked_at: int, offered: int) -> None:
    """That not all columns are looked at, where that is so, and where others are chosen."""
    if looked_at < offered:
        st.caption(
            f"**{looked_at} of {words.count(offered, 'columns')}** are looked at. At first these are the sensitive "
            "ones and the quasi-identifiers that tell records apart most; choose others under **More**."
        )


def counting_undecided(data: Dataset) -> AbstractContextManager:
    """Says that both ends are counted, where that may take more than a second."""
    if data.frame is not None and data.n_records * len(data.columns) <= _CELLS_AT_ONCE:
        return nullcontext()
    return st.spinner("Counting with and without what is undecided")


def show_undecided(unit: str) -> None:
    """Above figures of what is decided: what they come to if every undecided column is known too."""
    ends = view.now().ends
    if ends is None:
        return
    after = ends[1]
    all_known = after.all_known
    undecided = words.count(len(after.undecided), "columns")
    by = f", with {of_rows(after.rows)}" if after.rows else ""
    st.warning(
        f"**{undecided} undecided:** {page.listed(after.undecided, 6)}. If all of them are known too{by}, the smallest "
        f"class has **{all_known.k:,}**, and **{words.share(all_known.alone, all_known.n_records, unit)}** are alone. "
        "The figures below count only what is decided as known: say on the Data page what the others are.",
        icon=":material/help:",
    )
