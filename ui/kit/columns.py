"""Which columns a page looks at before the officer chooses."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from ui.session import cache

MOST_AT_FIRST = 12  # columns looked at before the officer chooses
LEAST_KNOWN = 4  # quasi-identifiers among them, however many columns are sensitive


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
    return cache.remember(_entropy, data, name=name)


def _entropy(data: Dataset, *, name: str) -> float:
    return data.held.sizes_of(name).entropy


def say_how_many(looked_at: int, offered: int) -> None:
    """That not all columns are looked at, where that is so, and where others are chosen."""
    if looked_at < offered:
        st.caption(
            f"**{looked_at} of {words.count(offered, 'columns')}** are looked at. At first these are the sensitive "
            "ones and the quasi-identifiers that tell records apart most; choose others under **More**."
        )
