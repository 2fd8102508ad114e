"""The report, the evidence and the script as files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.filing.case import Order, ReleaseCase
from anonlib.filing.department.acts import Act
from anonlib.filing.evidence import CONFIDENTIAL, Evidence, to_json
from anonlib.filing.evidence.report import html_of, pdf_of
from anonlib.filing.record import record_zip, what_lacks, why_no_record
from pages.release.report.results import ReportQuestion, document, script, why_no_script
from ui.files import department, projects
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.kit.shared_controls import in_a_file_name
from ui.session import cache
from ui.text import file_stem, plain
from ui.text import stem as stem_of

_what_lacks = cache.remembered(what_lacks)


def _show_case(about: ReleaseCase, order: Order) -> None:
    """What is decided about, and what this order asks for and the case does not say."""
    lacking = [plain(item.label.lower()) for item in about.lacks(order)]
    with st.container(horizontal=True, vertical_alignment="center"):
        line = plain(about.in_a_line, 120) if about.in_a_line else "nothing is stated yet"
        st.page_link(page.CASE, label=f"Case: {line}", icon=":material/assignment:")
        if lacking:
            st.markdown(f":gray[“Not stated” stands in this order for: {words.listed(lacking, most=6)}.]")


def _show_lacking(evidence: Evidence) -> None:
    """What the guides of the record ask for and it lacks, each with what would give it."""
    if why_no_record(projects.opened()):
        return
    lacking = _what_lacks(projects.opened(), evidence=evidence)
    if lacking:
        with st.expander(f"The record lacks {words.count(len(lacking), 'properties')} that its guides ask for"):
            st.markdown("\n".join(f"- {plain(sentence)}" for sentence in lacking))


def show_downloads(evidence: Evidence, question: ReportQuestion) -> None:
    """The verdict, and what is taken home."""
    st.markdown(f"**{plain(evidence.verdict)}**")
    if evidence.is_confidential:
        st.warning(f"The report and the evidence are for inside. {CONFIDENTIAL}", icon=":material/lock:")
    about = evidence.case
    case, day = about.reference or about.title or stem_of(evidence.file.name), evidence.made_on
    filed = f"{file_stem(case, question.order, day)}{in_a_file_name(question.language)}"
    evidence_file, script_file = f"{file_stem(case, 'evidence', day)}.json", f"{file_stem(case, 'release', day)}.py"
    _show_case(about, question.order)
    report_in = partial(document, evidence, question)
    obstacle = why_no_script(evidence)
    holds = Holds.FIGURES if question.public else Holds.INSIDE
    noted = partial(
        department.noting, Act.REPORTED, file=evidence.file.sha256, recipe=projects.opened().project.recipe.digest,
        form=question.order, title=about.title,
    )  # fmt: skip
    with st.container(horizontal=True):
        if question.order == "record":
            page.download(
                "Record (zip)", noted(partial(record_zip, projects.opened(), evidence)), f"{filed}.zip",
                "download-record",
                holds=Holds.FIGURES, primary=True,
                why_not=why_no_record(projects.opened())
                or ("" if evidence.released else "No file can be made of this recipe yet."),
                help="For the catalogue: metadata as DCAT in JSON-LD with the properties of HealthDCAT-AP, a data "
                "dictionary, and a mock-up sample in which no row is of a person.",
            )  # fmt: skip
        page.download(
            "Report (PDF)", noted(partial(report_in, pdf_of)), f"{filed}.pdf", "download-report-pdf",
            holds=holds, primary=question.order != "record",
            help="To file and to print: tagged, with an outline and alternative texts.",
        )  # fmt: skip
        page.download(
            "Report (HTML)", noted(partial(report_in, html_of)), f"{filed}.html", "download-report-html", holds=holds,
            help="One file to read in a browser; it runs and asks for nothing.",
        )  # fmt: skip
        page.download(
            "Evidence (JSON)", noted(to_json(evidence).encode), evidence_file, "download-evidence",
            holds=Holds.INSIDE,
            help="Every number in full, small counts too, to check a file that comes back.",
        )  # fmt: skip
        page.download(
            "Script (Python)", partial(script, projects.opened(), evidence), script_file, "download-script",
            holds=Holds.INSIDE,
            why_not=obstacle,
            help="Makes this very release and its evidence again without the app. It holds the project.",
        )  # fmt: skip
    if question.order == "record":
        _show_lacking(evidence)
    if evidence.released is None:
        st.caption(
            "No file can be made of this recipe yet, so that the report has no digest of one"
            + (f": {plain(evidence.why_no_file)}" if evidence.why_no_file else ".")
        )
    else:
        rows, size = words.count(evidence.released.records, "rows"), words.size(evidence.released.bytes)
        digest = evidence.released.sha256[:12]
        st.caption(
            f"It is about the file that this recipe makes ({rows}, {size}, SHA-256 {digest}…), and is evidence for "
            "a qualified review, not a certificate."
        )
