"""Which connected data are offered: those of the folder named at the start, and those of the secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.filing.project import Loaded
from anonlib.reading.connected import FolderListing, Offered, tables_defined, tables_in
from anonlib.reading.records import TableRecords
from ui.session.state import session

FOLDER, TEMPORARY, RELEASES = "ANONSCOPE_DATA", "ANONSCOPE_TEMPORARY", "ANONSCOPE_RELEASES"
"""Environment variables: the folders of connected data, of what does not fit into memory, and of releases."""

_MANY = 1_000_000  # records, from which on a first count may take more than a second


def is_offered() -> bool:
    """Whether Anonscope was started with any."""
    return bool(os.environ.get(FOLDER) or _defined())


@contextmanager
def waited_for() -> Iterator[None]:
    """Says in the sidebar how long a run has taken, while it is run, where it may count very many records."""
    loaded = session().loaded
    n_records = 0 if loaded is None else _n_records(loaded)
    with ExitStack() as run:
        if n_records >= _MANY:
            with st.sidebar:
                run.enter_context(st.spinner(f"Counting {n_records:,} records", show_time=True))
        yield


def _n_records(loaded: Loaded) -> int:
    """Records that are counted where they are; 0 of those in memory."""
    try:
        return loaded.raw.n_records if isinstance(loaded.raw, TableRecords) else 0
    except InputError:  # the table is gone, as the page says
        return 0


def offered() -> FolderListing:
    """The tables that are there now. Raises InputError where the folder is gone, or a definition is wrong."""
    folder, temporary = os.environ.get(FOLDER), os.environ.get(TEMPORARY)
    defined = tables_defined(_defined())
    if not folder:
        return FolderListing(defined)
    listing = tables_in(Path(folder), Path(temporary) if temporary else None)
    return FolderListing((*defined, *listing.tables), listing.passed_over)


def releases() -> Path | None:
    """The folder that releases can be written into; None where there is none."""
    named = os.environ.get(RELEASES)
    return Path(named) if named else None


def table(name: str) -> Offered:
    """The table of a name. Raises InputError where it is offered no more."""
    match = next((offered_table for offered_table in offered().tables if offered_table.name == name), None)
    if match is None:
        raise InputError(f"“{name}” is not there any more. Choose another table.", code="table-unknown")
    return match


def _defined() -> Mapping[str, Any]:
    """What the secrets say of sources; nothing where there are no secrets."""
    if not st.secrets.load_if_toml_exists():
        return {}
    sources = st.secrets.get("sources", {})
    if not isinstance(sources, Mapping):
        raise InputError(
            "“sources” in the secrets must be a table of connections. Ask the administrator.", code="not-a-table"
        )
    return sources
