"""The lines of the file that are not among its records."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.filing.project import LoadedFile
from ui.files import data_file
from ui.kit import page
from ui.session import keep, view
from ui.session.state import session
from ui.text import printable

_LONGEST_TEXT = 200  # characters shown of a line


def show() -> None:
    """Each line with its text, and the switch that takes them back."""
    loaded = view.now().loaded
    if not isinstance(loaded, LoadedFile):
        return
    reading, options = loaded.source.reading, loaded.options
    can_be_records = [line for line in reading.left_out if line.place != "above the table"]
    if not reading.left_out and not options.keep_lines:
        return
    title = f"{words.count(len(reading.left_out), 'lines')} left out" if reading.left_out else "No lines left out"
    with st.expander(f"{title}: look whether they are records", expanded=bool(can_be_records)):
        if can_be_records or options.keep_lines:
            keep.toggle(
                "keep-lines", "Keep lines below the table and comments as records", options.keep_lines,
                take=_keep_lines, help="Reads the file again. Cells that such a line does not have are missing.",
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
