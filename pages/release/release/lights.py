"""The verdict beside the file that is taken home: its criteria at a glance, and a reason where it leaves anyway."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import streamlit as st

from anonlib.filing.evidence import released_file
from anonlib.verdict.criteria import State, Then
from ui.files import projects
from ui.kit import glossary, page
from ui.session import guard, keep, view
from ui.session.state import session
from ui.text import plain

_ICONS = {
    State.MET: ":green[:material/check_circle:]",
    State.NOT_MET: ":red[:material/cancel:]",
    State.UNKNOWN: ":orange[:material/help:]",
}
ACCEPTED = ":orange[:material/handshake:]"


def show_lights() -> None:
    """The verdict on what leaves, and where it is against it the place for a reason (:mod:`ui.kit.release_gate`)."""
    verdict = view.now().verdict
    if verdict is None:
        return
    with st.container(border=True):
        st.markdown(f"**{plain(verdict.says)}**")
        st.markdown(
            " · ".join(
                f"{ACCEPTED if not each.is_met and verdict.acceptance(each) else _ICONS[each.state]} "
                f"{plain(each.criterion.title)}"
                for each in verdict.findings
            )
        )
        st.page_link(page.VERDICT, label="To the verdict, and what would meet its criteria", icon=":material/gavel:")
        if not verdict.may_leave:
            keep.text(
                "release-anyway", "It leaves all the same, because", session().aim.leaves_anyway, take=_take_reason,
                help=glossary.linked(
                    "A file that does not meet its criteria leaves with a written reason only, which the project "
                    "keeps.",
                    "criterion", "accepted",
                ),
            )  # fmt: skip


def offer_to_note() -> None:
    """Note the recipe as one that was released, so that later ones are checked beside it."""
    aim, recipe, data = session().aim, view.now().recipe, view.now().data
    assert data is not None
    thens = aim.decided_then(recipe.digest, data.digest)
    noted = recipe in aim.of_file(data.digest) and (not thens or Then.of_data(data) in thens)
    st.button(
        "Noted as released" if noted else "Note as released", key="release-note", icon=":material/history:",
        on_click=guard.action(_note), disabled=noted or not len(recipe),
        help="A later release of these data is then checked together with this one: what somebody who holds both can "
        "tell." if len(recipe) else "The recipe has no steps.",
    )  # fmt: skip


def _note() -> None:
    now, opened = session(), projects.opened()
    if opened.applied.why_not or opened.why_no_key:
        now.aim = now.aim.having_released(now.recipe, opened.data.digest, Then.of_data(opened.data))
    else:
        digest = sha256(released_file(opened)).hexdigest()
        now.project = now.project.having_released(digest, opened.data)
    now.notice = "Noted. From now on the verdict looks at this release and the next one together."


def _take_reason(reason: str) -> None:
    session().aim = replace(session().aim, leaves_anyway=reason.strip())
