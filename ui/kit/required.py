"""What a page needs before it can begin: data, roles, quasi-identifiers; where they are missing, the way there."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role, undecided
from anonlib.dataset import Dataset
from ui.files import read_as, upload
from ui.kit import page
from ui.session import decide, guard, view
from ui.session.state import session

FIRST_SAMPLE = "admissions"


def accept_suggestions() -> None:
    """Accept the suggested roles that need no question, and say which columns are left to decide."""
    decide.accept_suggestions()
    now = view.now()
    assert now.data is not None
    left = undecided(now.data.columns, now.data.roles)
    if left:
        session().notice = (
            f"Suggested roles are accepted. {words.count(len(left), 'columns')} only you can judge: say on the Data "
            "page whether somebody outside could know them. Until then two values of k are shown: one as if all of "
            "them were known outside, one as if none were."
        )


def data(does: str, first: str = FIRST_SAMPLE, loader: bool = True) -> Dataset:
    """The loaded data set, or this page's empty state (and the script ends there).

    That asks for a file, unless the page has its own ``loader``, and offers the ``first`` sample.
    """
    loaded = view.now().data
    if loaded is None:
        with st.container(border=True):
            st.markdown(f"**Nothing is loaded yet.** {does}")
            if loader:
                upload.ask_file()
                read_as.show_refused()
            st.button(
                f"Try with the {first} sample", on_click=guard.action(upload.open_sample), args=(first,),
                icon=":material/science:",
            )  # fmt: skip
        st.stop()
    return loaded


def quasi_identifiers(does: str, first: str = FIRST_SAMPLE) -> Dataset:
    """The loaded data set with quasi-identifiers accepted, or the way there."""
    loaded = _records(does, first)
    if loaded.quasi_identifiers:
        return loaded
    known = [s for s in view.now().suggestions if s.role in (Role.QUASI_IDENTIFIER, Role.PLACE)]
    suggested, asked = [s.column for s in known if not s.asked], [s.column for s in known if s.asked]
    with st.container(border=True):
        st.markdown(f"**No quasi-identifiers are chosen.** {does}")
        if suggested:
            st.markdown("Suggested from names and content: " + page.listed(suggested) + ".")
            _offer_suggestions()
        else:
            which = f": {page.listed(asked)} perhaps" if asked else ""
            st.markdown(f"Say on the Data page which columns someone outside may know{which}.")
            st.page_link(page.DATA, label="Choose roles", icon=":material/table_chart:")
    st.stop()


def roles(does: str, first: str = FIRST_SAMPLE) -> Dataset:
    """The loaded data set with at least one role accepted, or the way there."""
    loaded = _records(does, first)
    if session().roles:
        return loaded
    with st.container(border=True):
        st.markdown(f"**The columns have no roles yet.** {does}")
        _offer_suggestions()
    st.stop()


def _records(does: str, first: str) -> Dataset:
    """The loaded data set, which has records; raises InputError where it has none."""
    loaded = data(does, first)
    if not loaded.n_records:
        raise InputError("This file has no records. Load another on the Data page.", code="no-records")
    return loaded


def _offer_suggestions() -> None:
    """Accept the suggested roles, or look at them."""
    with st.container(horizontal=True):
        st.button(
            "Accept suggested roles", on_click=guard.action(accept_suggestions), type="primary",
            icon=":material/done_all:",
        )  # fmt: skip
        st.page_link(page.DATA, label="Look at the roles first", icon=":material/table_chart:")
