"""What was read: how large it is, its first records, and the lines that are not among its records."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.figures import ROWS
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile, LoadedTables
from anonlib.reading.joining import records_without
from ui.files import data_file
from ui.kit import glossary, page
from ui.session import cache, keep, view
from ui.session.state import session
from ui.text import printable

_LONGEST_TEXT = 200  # characters shown of a line
PREVIEW_ROWS = 200


def show_size(data: Dataset) -> None:
    empty = cells_of_other_tables(data)
    missing = sum(suggestion.missing for suggestion in view.now().suggestions) - sum(empty.values())
    named = "SHA-256 of the file’s bytes" if data.frame is not None else "Names the table as it was opened"
    cells = data.n_records * len(data.columns) - sum(empty.values())
    page.metrics(
        (ROWS.name, words.count(data.n_rows), glossary.linked(ROWS.definition, "row")),
        ("Columns", words.count(len(data.columns)), "Columns of the file, as read."),
        (
            "Missing cells",
            words.percent(missing / cells if cells else 0),
            glossary.linked(f"{missing:,} of {cells:,} cells.", "missing"),
        ),
        ("Digest", f"{data.digest[:8]}…", glossary.linked(f"{named}: {data.digest}", "digest")),
    )


def cells_of_other_tables(data: Dataset) -> dict[str, int]:
    """Of several tables, by column, how many records are of tables that do not have it; empty of one."""
    return {} if data.tables is None else _cells_of_other_tables(data.with_roles({}))


@cache.remembered
def _cells_of_other_tables(data: Dataset) -> dict[str, int]:
    assert data.tables is not None
    return records_without(data.held, data.tables)


def show_preview(data: Dataset) -> None:
    loaded = view.now().loaded
    if isinstance(loaded, LoadedTables):
        _preview_tables(loaded, data)
        return
    which = "the first" if data.frame is not None else "some"  # a table has no order
    part = f"{which} {PREVIEW_ROWS:,} of " if data.n_rows > PREVIEW_ROWS else ""
    label = f"Preview: {part}{words.count(data.n_rows, 'rows')}"
    # With a key it stays as it is when the first role is set: the table of roles below does not jump.
    with st.expander(label, expanded=not data.roles, key=keep.key("preview")):
        head = _head(data.with_roles({})).astype(object)
        head.columns = pd.Index([printable(name) for name in head.columns])
        head.index = pd.RangeIndex(1, len(head) + 1, name="row")
        height = page.table_height(len(head), 280)
        page.table(head, "The first rows as read; an empty cell is missing.", height=height, hide_index=False)


def _preview_tables(loaded: LoadedTables, data: Dataset) -> None:
    """The first rows of one table of several, as they were read."""
    names = [table.name for table in loaded.tables]
    with st.expander("Preview of a table", expanded=not data.roles, key=keep.key("preview")):
        name = keep.select("preview-table", "Table", names, format_func=printable, width=320)
        records = next(table.records for table in loaded.tables if table.name == name)
        head = records.head(PREVIEW_ROWS).astype(object)
        head.columns = pd.Index([printable(column) for column in head.columns])
        head.index = pd.RangeIndex(1, len(head) + 1, name="row")
        height = page.table_height(len(head), 280)
        page.table(
            head, f"The first rows of {printable(name)}; an empty cell is missing.", height=height, hide_index=False
        )


@cache.remembered
def _head(data: Dataset) -> pd.DataFrame:
    return data.visible.head(PREVIEW_ROWS)


def show_left_out() -> None:
    """Each line with its text, and the switch that takes them back."""
    loaded = view.now().loaded
    if not isinstance(loaded, LoadedFile):
        return
    reading, options = loaded.source.reading, loaded.options
    can_be_records = [line for line in reading.left_out if line.place != "above the table"]
    if not reading.left_out and not options.keep_lines:
        return
    title = "No lines are left out: those below the names or the table are kept as records"
    if reading.left_out:
        title = f"{words.count(len(reading.left_out), 'lines')} left out: look whether they are records"
    with st.expander(title, expanded=bool(can_be_records)):
        if can_be_records or options.keep_lines:
            keep.toggle(
                "keep-lines", "Keep these lines as records", options.keep_lines, take=_keep_lines,
                help="All but those above the table. Reads the file again; cells that they lack are missing.",
            )  # fmt: skip
        if len(can_be_records) < len(reading.left_out):
            st.markdown(
                "Lines above the table are taken back by fewer “Lines to skip above”, below in “Not read right?”."
            )
        if reading.left_out:
            page.table(
                pd.DataFrame(
                    {
                        "Line": [line.line for line in reading.left_out],
                        "Where": [line.place for line in reading.left_out],
                        "Text": [printable(line.text)[:_LONGEST_TEXT] for line in reading.left_out],
                    }
                ),
                "Lines of the file that are not among the records",
            )


def _keep_lines(as_records: bool) -> None:
    loaded = session().loaded
    assert loaded is not None
    data_file.reread(replace(loaded.options, keep_lines=as_records))
