"""The verdict in one sentence, and who is alone in what leaves."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.filing.project import no_longer_met
from anonlib.release.uniqueness_of_release import FACTS
from anonlib.verdict.attacks.knows_method import left_out_in_words
from anonlib.verdict.criteria import NOBODY_LEARNED, Finding, Verdict
from anonlib.verdict.criteria.verdict import NOT_COUNTED_YET
from ui.kit import criterion_pages, glossary, page, uniqueness
from ui.session import cache, knows_method, long_work, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_SECONDS = 60.0  # about how much work it is to count what takes longer than the criteria do
_MOST_COLUMNS = 8
_MISSING = (
    "Who knows everybody in the file, as an insurer or a neighbour may, sees whose label is missing from the release. "
    "The size of their class did not take them out, so a value did: a class that vanishes mostly has just one."
)
_NO_LIMIT = (
    "Counted of what leaves and reported; it does not stand against the release. The switch at the recipient makes it "
    "a criterion."
)


def show_sentence(verdict: Verdict, unit: str) -> None:
    """The verdict, large, and who is left out for a value."""
    icon = ":green[:material/check_circle:]" if verdict.may_leave else ":red[:material/block:]"
    with st.container(border=True):
        st.subheader(f"{icon} {plain(verdict.decision)}", anchor=False)
        learned, leads = st.empty(), st.empty()  # both always there: what stood here before goes at once
        if verdict.learned:
            learned.markdown(f":material/visibility: {plain(verdict.learned)}")
        if left := left_out_in_words(knows_method.left_out(), unit):
            st.markdown(
                f":red[:material/person_off: **{plain(left)}**]", help=glossary.linked(_MISSING, "left out for a value")
            )
        if verdict.may_leave:
            leads.page_link(
                page.RELEASE, label="Release: the file and what goes with it", icon=":material/upload_file:"
            )
        against = [finding.criterion.title for finding in verdict.against]
        if stricter := no_longer_met(session().project.stricter, against):
            st.markdown(f":material/history: {plain(stricter)}")
        if verdict.undecided:
            with st.container(horizontal=True, vertical_alignment="center"):
                names = words.listed([f"**{plain(titled(name), 60)}**" for name in verdict.undecided], 8)
                st.markdown(f"Nobody has decided what {names} {'is' if len(verdict.undecided) == 1 else 'are'}.")
                st.page_link(page.DATA, label="Say it on the Data page", icon=":material/table_chart:")


def show_measured(verdict: Verdict, data: Dataset) -> None:
    """What was measured without a limit, of which column for how many; nothing where nothing was.

    Earlier releases have a place of their own (``controls/earlier.py``).
    """
    measured = [finding for finding in verdict.measured if not finding.criterion.of_earlier]
    if not measured:
        return
    with st.container(border=True, gap="xsmall"):
        st.markdown(
            f":gray[:material/visibility:] **Measured, no limit · {NOBODY_LEARNED}**",
            help=glossary.linked(_NO_LIMIT, "nobody's value is learned", "measured"),
        )
        for place, finding in enumerate(measured):
            shown = _counted_now(finding, data) if finding.says == NOT_COUNTED_YET else finding
            st.markdown(f"**{plain(finding.criterion.title_measured)}**: {plain(_by_column(shown, data))}")
            if place == len(measured) - 1:
                criterion_pages.button(finding.criterion, "verdict-look-measured")


def _counted_now(finding: Finding, data: Dataset) -> Finding:
    """The finding once it was counted by its button, which shows how far that is; else as it is."""
    now, criterion = view.now(), finding.criterion
    name = f"measured-{data.key}-{cache.digest(now.recipe, now.aim.judged, now.unknowable, criterion)}"
    what = f"{criterion.title_measured}: counting it"
    counted = long_work.best_so_far(name, [(what, view.measuring(criterion))], _SECONDS)
    return finding if counted is None else counted


def _by_column(finding: Finding, data: Dataset) -> str:
    """Of which sensitive columns a value is certain, and for how many; else what was found, or why not."""
    concerned = [(name, persons) for name, persons in finding.by_column if persons]
    if len(concerned) < 2:
        return finding.says
    shares = [
        f"{titled(name)} {words.percent(persons / finding.n_persons)} ({persons:,})"
        for name, persons in concerned[:_MOST_COLUMNS]
    ]
    more = len(concerned) - len(shares)
    others = f", and {words.count(more, 'more columns')}, those that hardly vary last" if more else ""
    return f"of {words.count(finding.n_persons, data.unit)}: {words.listed(shares, most=len(shares))}{others}."


def show_alone(data: Dataset) -> None:
    """Who is unique on released columns, which is counted for every recipient, with a limit or without."""
    with st.container(border=True, gap="xsmall"):
        limit = "limited by a criterion" if uniqueness.is_limited() else "no limit"
        st.markdown(f":gray[:material/visibility:] **Counted, {limit} · Unique on any {FACTS} released columns**")
        uniqueness.show(data)
        st.page_link(page.ATTACK, label="Attack the release: what somebody with it gets", icon=":material/target:")
