"""What was read: how large it is, and its first records."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.figures import ROWS
from anonlib.dataset import Dataset
from ui.kit import page
from ui.session import cache, keep, view
from ui.text import printable

PREVIEW_ROWS = 200


def show_size(data: Dataset) -> None:
    missing = sum(suggestion.missing for suggestion in view.now().suggestions)
    named = "SHA-256 of the file’s bytes" if data.frame is not None else "Names the table as it was opened"
    cells = data.n_records * len(data.columns)
    page.metrics(
        (ROWS.name, words.count(data.n_records), ROWS.definition),
        ("Columns", words.count(len(data.columns)), "Columns of the file, as read."),
        ("Missing cells", words.percent(missing / cells if cells else 0), f"{missing:,} of {cells:,} cells"),
        ("Digest", f"{data.digest[:8]}…", f"{named}: {data.digest}"),
    )


def show_preview(data: Dataset) -> None:
    which = "the first" if data.frame is not None else "some"  # a table has no order
    part = f"{which} {PREVIEW_ROWS:,} of " if data.n_records > PREVIEW_ROWS else ""
    label = f"Preview: {part}{words.count(data.n_records, 'records')}"
    # With a key it stays as it is when the first role is set: the table of roles below does not jump.
    with st.expander(label, expanded=not data.roles, key=keep.key("preview")):
        head = cache.remember(_head, data.with_roles({})).astype(object)
        head.columns = pd.Index([printable(name) for name in head.columns])
        head.index = pd.RangeIndex(1, len(head) + 1, name="record")
        height = page.table_height(len(head), 280)
        page.table(head, "The first records as read; an empty cell is missing.", height=height, hide_index=False)


def _head(data: Dataset) -> pd.DataFrame:
    return data.held.head(PREVIEW_ROWS)
