"""A recipe saved and loaded, with the roles and thresholds that it was made with."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.release.saved import SavedRecipe
from ui.session import decide, guard, keep, view
from ui.session.state import session
from ui.text import plain, printable

_MISSING = {"category": "a missing value is a value of its own", "drop": "records with a missing value are left out"}


def saved(data: Dataset) -> SavedRecipe:
    """The session's recipe with what is decided now."""
    now = view.now()
    return SavedRecipe.of(
        now.recipe, data, k=now.k, threshold=now.threshold, seed=session().seed, population=now.people,
    )  # fmt: skip


def show_upload() -> None:
    with st.popover("Load recipe", icon=":material/upload:"):
        key = keep.key("recipe-file")
        st.file_uploader(
            "A recipe saved here (JSON)", type="json", key=key, on_change=guard.action(load), args=(key,),
            help="Its steps take the place of these. A project is opened in the sidebar.",
        )  # fmt: skip


def load(key: str) -> None:
    """Make a saved recipe the session's; its roles and thresholds are only offered."""
    upload, data = keep.uploaded(key), view.now().data
    if upload is None or data is None:
        return
    loaded = SavedRecipe.from_json(upload.getvalue())
    decide.set_recipe(loaded.recipe)
    session().offered = loaded if differences(loaded, data) else None
    sentences = [f"The recipe {upload.name} is loaded."]
    if loaded.digest == data.digest and loaded.seed is not None:
        session().seed = loaded.seed
        sentences.append(
            "It was saved for this very file: with the same steps and roles its rows leave in the same order."
        )
    if absent := loaded.absent(data):
        names = ", ".join(printable(name) for name in absent)
        lacks = words.count(len(absent), "columns")
        sentences.append(f"This file lacks {lacks} of the one it was made for: {names}.")
    session().notice = " ".join([*sentences, *loaded.upgraded])


def differences(loaded: SavedRecipe, data: Dataset) -> list[str]:
    """What was decided otherwise when the recipe was saved, as Markdown."""
    now, decisions = view.now(), []
    if roles := loaded.other_roles(data):
        shown = [f"**{plain(name, 40)}** {role.label.lower()}" for name, role in list(roles.items())[:8]]
        more = f" and {len(roles) - 8} more" if len(roles) > 8 else ""
        decisions.append(f"roles: {', '.join(shown)}{more}")
    if loaded.missing is not None and loaded.missing != data.missing:
        decisions.append(_MISSING[loaded.missing])
    if loaded.k is not None and loaded.k != now.k:
        decisions.append(f"k = {loaded.k}")
    if loaded.threshold is not None and loaded.threshold != now.threshold:
        decisions.append(f"threshold {words.percent(loaded.threshold)}")
    return decisions


def show_offer(data: Dataset) -> None:
    """Ask whether what a loaded recipe was decided with is to be taken too."""
    offered = session().offered
    decisions = [] if offered is None else differences(offered, data)
    if offered is None or not decisions:
        return
    saved_on = f" on {plain(offered.saved_on)}" if offered.saved_on else ""
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**This recipe was saved{saved_on} with other decisions**: {'; '.join(decisions)}. Take them too?")
        with st.container(horizontal=True):
            st.button("Take them", type="primary", on_click=guard.action(take), args=(offered,), key="offer-take")
            st.button("Leave mine", on_click=guard.action(refuse), key="offer-refuse")


def take(offered: SavedRecipe) -> None:
    """Take over roles and thresholds; columns that the recipe's file did not have keep theirs."""
    now, data = session(), view.now().data
    assert data is not None
    decide.set_roles({**data.roles, **offered.other_roles(data)})
    now.missing = offered.missing or now.missing
    now.k = offered.k or now.k
    if offered.threshold is not None:
        now.own_threshold = None if offered.threshold == 1 / now.k else offered.threshold
    now.offered = None
    now.notice = "Roles, k and threshold are those that the recipe was saved with."


def refuse() -> None:
    """Leave what is decided as it is."""
    session().offered = None
