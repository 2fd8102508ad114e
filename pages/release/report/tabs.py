"""The tabs of the Report page: the report, the script, and a released file that came back."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from anonlib.filing.evidence import Evidence, Verification, script_of, verify_returned
from anonlib.filing.evidence.report import html_of
from pages.release.report.results import ReportQuestion, document, why_no_script
from ui.files import projects
from ui.kit import page
from ui.server.keeping import forget_uploads
from ui.session import guard, keep, state
from ui.text import plain

_ICONS = {True: ":green[:material/check_circle:]", False: ":red[:material/cancel:]", None: ":orange[:material/help:]"}
_HEIGHT = 900  # pixels of the report on the page


def show_report(evidence: Evidence, question: ReportQuestion) -> None:
    """The report as it is filed."""
    st.iframe(document(evidence, question, html_of).decode(), height=_HEIGHT, alt="The report")


def show_script(evidence: Evidence) -> None:
    """The script as it is saved."""
    if why_not := why_no_script(evidence):
        st.info(plain(why_not), icon=":material/info:")
        return
    code = script_of(projects.opened(), evidence)
    st.code(code.split("PROJECT = ")[0] + "PROJECT = …", language="python")
    page.counts(
        "It needs the library alone. The project below it is what “Save project” saves, with the seed of the rows’ "
        "order."
    )


@dataclass(frozen=True)
class Returned:
    """The latest file that was compared: its name, what was found, and the key of what it was compared with."""

    name: str = ""
    verification: Verification | None = None
    beside: str = ""


def show_returned(evidence: Evidence) -> None:
    """Compare a file with the release that the recipe makes."""
    st.markdown(
        "Load a file that was released: it is compared with what this recipe makes of the original, record by record "
        "and in any order, and with the releases that were noted. It does not become the data of this session."
    )
    if evidence.released is None:
        st.info("No file can be made of this recipe, so that there is nothing to compare with.")
        return
    key = keep.key("returned-file")
    st.file_uploader(
        "A released file", key=key, on_change=guard.action(_compare), args=(key,),
        help="CSV, Excel, Parquet, SPSS or Stata.",
    )  # fmt: skip
    latest = state.part(Returned)
    if latest.verification is None or latest.beside != projects.opened().key:
        return
    st.markdown(f"{plain(latest.name, 60)}: **{plain(latest.verification.says)}**")
    for check in latest.verification.checks:
        st.markdown(f"{_ICONS[check.holds]} {plain(check.what[:1].upper() + check.what[1:])}: {plain(check.says)}")
    page.counts(
        "Compared by SHA-256, then record by record. Numbers in the place of person ids are drawn by lot: they are "
        "compared by which records share one."
    )


def _compare(key: str) -> None:
    upload = keep.uploaded(key)
    if upload is None:
        return
    opened = projects.opened()
    verification = verify_returned(upload.getvalue(), upload.name, project=opened.project, original=opened)
    state.change_part(Returned, name=upload.name, verification=verification, beside=opened.key)
    forget_uploads()
