"""The project in the sidebar: save it, open another."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.filing.project import MOST_BYTES, MOST_NAMED
from ui.files import projects
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import guard, keep
from ui.session.state import session
from ui.text import plain


def show() -> None:
    """One control on every page: what a project is, a download and an upload."""
    waiting = session().waiting
    if waiting is not None:
        _show_waiting()
    with st.popover("Project", icon=":material/folder_open:", width="stretch"):
        st.markdown(
            "A project is all you decided about the file: how it is read, roles, hierarchies, orders of values, what "
            "the release must meet, the recipe. **It names values of quasi-identifiers, and is as confidential as the "
            "file.** It has no cell of an identifier or sensitive column, but for harmless values that you named. Open "
            "it on the same file, or on next year’s. Slots and rules of Schedules are not in it: slots are saved on "
            "that page."
        )
        if session().loaded is not None:
            _show_save()
        key = keep.key("project-file")
        st.file_uploader(
            "A project saved here (JSON)", type="json", key=key, on_change=guard.action(projects.open_upload),
            args=(key,), max_upload_size=MOST_BYTES // 1_000_000,
            help="Opening it replaces what is decided now; Undo takes that back.",
        )  # fmt: skip


def _show_save() -> None:
    project = projects.current()
    too_many = f"The project names more than {MOST_NAMED:,} values. Make its hierarchies and mappings of fewer."
    page.download(
        "Save project", partial(projects.text, project), projects.file_name(), "download-project", holds=Holds.INSIDE,
        why_not=too_many if project.n_named > MOST_NAMED else "",
    )  # fmt: skip
    if project.unsaved_columns:
        st.caption(
            f"Steps, hierarchies and orders made of values of {page.listed(project.unsaved_columns, 6)} are saved "
            "without these. A recipe saved on the Release page has its steps with them."
        )


def _show_waiting() -> None:
    waiting = session().waiting
    assert waiting is not None
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"The project **{plain(waiting.name, 40)}** waits for its file.")
        with st.container(horizontal=True):
            if session().loaded is not None:
                st.button("Use it on this file", on_click=guard.action(projects.use_waiting), key="project-use")
            st.button("Let it go", on_click=guard.action(projects.stop_waiting), key="project-stop")
