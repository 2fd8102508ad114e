"""What was read: how large it is, and its first records."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from ui import keep, page
from ui.text import printable

PREVIEW_ROWS = 200


def show_size(data: Dataset) -> None:
    missing = int(sum((column.cat.codes < 0).sum() for _, column in data.records.items()))
    cells = data.n_records * len(data.columns)
    page.metrics(
        ("Records", words.count(data.n_records), "Rows below the header, as read."),
        ("Columns", words.count(len(data.columns)), "Columns of the file, as read."),
        ("Missing cells", words.percent(missing / cells if cells else 0), f"{missing:,} of {cells:,} cells"),
        ("Digest", f"{data.digest[:8]}…", f"SHA-256 of the file’s bytes: {data.digest}"),
    )


def show_preview(data: Dataset) -> None:
    part = f"the first {PREVIEW_ROWS:,} of " if data.n_records > PREVIEW_ROWS else ""
    label = f"Preview: {part}{words.count(data.n_records, 'records')}"
    # With a key it stays as it is when the first role is set: the table of roles below does not jump.
    with st.expander(label, expanded=not data.roles, key=keep.key("preview")):
        head = data.records.head(PREVIEW_ROWS).astype(object)
        head.columns = pd.Index([printable(name) for name in head.columns])
        head.index = pd.RangeIndex(1, len(head) + 1, name="record")
        height = page.table_height(len(head), 280)
        page.table(head, "The first records as read; an empty cell is missing.", height=height, hide_index=False)
