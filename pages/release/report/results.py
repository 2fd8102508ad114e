"""The evidence of the release, and the files that show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Stages
from anonlib.filing.evidence import CONFIDENTIAL, Evidence, gather, script_of, to_json
from anonlib.filing.evidence.gather import MOST_CELLS
from anonlib.filing.evidence.report import html_of, pdf_of
from anonlib.filing.project import Opened
from pages.release.report.question import Question
from ui import cache, long_work, page, projects, view
from ui.gate import Holds
from ui.text import plain
from ui.text import stem as stem_of

AT_ONCE = 4.0  # seconds of its estimate; what takes longer waits for a button
_HEIGHT = 900  # pixels of the report on the page


def gathered(asked: Question) -> Evidence | None:
    """What is filed, gathered once for the same project and file; None while it is not."""
    opened = projects.opened()
    seconds = _seconds(opened, asked)
    if seconds <= AT_ONCE:
        with st.spinner("Gathering the evidence"):
            return replace(cache.remember(_gather, opened, **asked.looked_at), who=asked.who)

    def gathering(tell: Callable[..., None]) -> Evidence:
        return _gather(opened, **asked.looked_at, progress=lambda share, what: tell(share))

    name = f"evidence {opened.key} {asked.looked_at}"
    found = long_work.best_so_far(name, [("Gathering the evidence", gathering)], seconds)
    return None if found is None else replace(found, who=asked.who)


def _gather(
    opened: Opened,
    *,
    parts: tuple[str, ...],
    target: str,
    people: int | None,
    formats: tuple[str, ...],
    progress: Stages | None = None,
) -> Evidence:
    return gather(
        opened, parts=parts, target=target, people=people, formats=formats, suggestions=view.now().suggestions,
        progress=progress,
    )  # fmt: skip


def _seconds(opened: Opened, asked: Question) -> float:
    """About how long it takes on one core. Calibrated on the Adult data and on a million records."""
    data = opened.data
    cells = data.n_records * len(data.columns)
    task = 3 + 1.5e-5 * min(cells, 50_000 * len(data.columns)) if asked.target else 0
    in_formats = 3e-6 * cells if cells <= MOST_CELLS else 0
    return 0.2 + cells * (4e-7 + 7e-7 * len(asked.parts)) + in_formats + task


def show_downloads(evidence: Evidence, asked: Question) -> None:
    """The verdict, and what is taken home."""
    st.markdown(f"**{plain(evidence.verdict)}**")
    if evidence.is_confidential:
        st.warning(f"The report and the evidence are for inside. {CONFIDENTIAL}", icon=":material/lock:")
    stem = stem_of(evidence.file.name)
    made = partial(_set, evidence, asked)
    why_no_script = _why_no_script(evidence)
    holds = Holds.FIGURES if asked.public else Holds.INSIDE
    with st.container(horizontal=True):
        page.download(
            "Report (PDF)", partial(made, pdf_of), f"{stem}-report.pdf", "download-report-pdf",
            holds=holds, primary=True,
            help="To file and to print: tagged, with an outline and alternative texts.",
        )  # fmt: skip
        page.download(
            "Report (HTML)", partial(made, html_of), f"{stem}-report.html", "download-report-html", holds=holds,
            help="One file to read in a browser; it runs and asks for nothing.",
        )  # fmt: skip
        page.download(
            "Evidence (JSON)", to_json(evidence).encode, f"{stem}-evidence.json", "download-evidence",
            holds=Holds.INSIDE,
            help="Every number in full, small counts too, to check a file that comes back.",
        )  # fmt: skip
        page.download(
            "Script (Python)", partial(_script, projects.opened(), evidence), f"{stem}-release.py", "download-script",
            holds=Holds.INSIDE,
            why_not=why_no_script,
            help="Makes this very release and its evidence again without the app. It holds the project.",
        )  # fmt: skip
    if evidence.released is None:
        st.caption(
            "No file can be made of this recipe yet, so that the report has no digest of one"
            + (f": {plain(evidence.why_no_file)}" if evidence.why_no_file else ".")
        )
    else:
        records, size = words.count(evidence.released.records, "records"), words.size(evidence.released.bytes)
        digest = evidence.released.sha256[:12]
        st.caption(
            f"It is about the file that this recipe makes ({records}, {size}, SHA-256 {digest}…), and is evidence for "
            "a qualified review, not a certificate."
        )


def _set(evidence: Evidence, asked: Question, form) -> bytes:
    return form(evidence, asked.order, public=asked.public)


def _script(opened: Opened, evidence: Evidence) -> bytes:
    return script_of(opened, evidence).encode()


def _why_no_script(evidence: Evidence) -> str:
    try:
        _script(projects.opened(), evidence)
    except InputError as error:
        return str(error)
    return ""


def show_report(evidence: Evidence, asked: Question) -> None:
    """The report as it is filed."""
    st.iframe(_set(evidence, asked, html_of).decode(), height=_HEIGHT, alt="The report")


def show_script(evidence: Evidence) -> None:
    """The script as it is saved."""
    if why_not := _why_no_script(evidence):
        st.info(plain(why_not), icon=":material/info:")
        return
    code = script_of(projects.opened(), evidence)
    st.code(code.split("PROJECT = ")[0] + "PROJECT = …", language="python")
    page.counts(
        "It needs the library alone. The project below it is what “Save project” saves, with the seed of the rows’ "
        "order."
    )
