"""Earlier releases of the persons or the file that is loaded."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from ui.files import projects, registers
from ui.kit import page, register
from ui.session import view
from ui.text import plain


def show_earlier() -> None:
    """What was released before of these persons or this file, to somebody who may hold both."""
    now = view.now()
    if now.data is None or now.applied is None:
        st.caption("No file is loaded: nothing to look for in the register.")
        return
    register.show_entered()
    with st.spinner("Looking for these persons in earlier releases"):
        earlier_releases = registers.earlier(projects.opened())
    if not earlier_releases:
        st.success(
            f"No other release in the register is of this file or shares a person with {plain(now.data.name, 60)}, "
            "and could be held beside what the recipe releases now.",
            icon=":material/check:",
        )
        return
    with st.container(border=True):
        open_ones = [earlier_release for earlier_release in earlier_releases if not earlier_release.counted]
        st.markdown(
            f"**{words.count(len(earlier_releases), 'earlier releases')}** could be held beside this one. "
            + (
                f"Of {len(open_ones):,} the verdict does not count both together: one of this file counts once its "
                "recipe is noted as released, one of another file once its project and file are opened on the Verdict "
                "page."
                if open_ones
                else "The verdict looks at each together with this one."
            )
        )
        for release in earlier_releases:
            icon = ":green[:material/check_circle:]" if release.counted else ":orange[:material/warning:]"
            st.markdown(f"{icon} {plain(release.entry.in_a_line, 160)}. {plain(release.why)}")
        st.page_link(page.VERDICT, label="To the verdict", icon=":material/gavel:")
