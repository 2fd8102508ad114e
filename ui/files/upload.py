"""The control that opens an officer's file, on every page that needs one."""

from __future__ import annotations

import streamlit as st

from anonlib.basics.errors import InputError
from ui.files import data_file, projects
from ui.session import guard, keep
from ui.session.state import session


def ask_file() -> None:
    """Choose a file, or drop it here; one that is loaded already gives way to it."""
    key = keep.key("upload")
    st.file_uploader(
        "Load a file (CSV, Excel, OpenDocument, Parquet, SAS, SPSS or Stata; 500 MB at most)",
        key=key,
        help="It is held in memory for this session only, and what is loaded now stays if the file cannot be read. "
        "A larger file: keep the columns you need, or start Anonscope with its folder, `make run DATA=folder`, and "
        "open it where it is, as connected data.",
        on_change=guard.action(_load),
        args=(key,),
    )


def _load(key: str) -> None:
    upload = keep.uploaded(key)
    if keep.is_dropped(key):
        raise InputError("The page was changing while a file was given to it, and it was not taken. Give it again.")
    if upload is not None:
        with st.spinner("Reading the file…", show_time=True):
            data_file.load_upload(upload.getvalue(), upload.name)
            if session().arriving is None:
                projects.use_waiting()
