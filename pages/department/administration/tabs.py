"""What is due, the audit lines, the server, and the keys by their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.filing.department.acts import Act
from anonlib.filing.register import WHAT_IS_DUE
from pages.department.administration import results
from pages.department.administration.results import MOST_LINES, Server
from ui.files import department
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import guard, keep
from ui.text import plain, printable

if TYPE_CHECKING:  # which needs the department's database
    from anonlib.filing.department.audit import Line

_MOST_HIGH = 520  # pixels
_MOST_DAYS = 400
_ANY = "any act"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DIGITS = 12  # of a digest, as shown


def show_due() -> None:
    """What is due of releases, what waits longest first."""
    days = keep.slider(
        "administration-days", "Days to come", 0, _MOST_DAYS, 90, help="How far ahead is looked; what is over is shown."
    )
    due = results.due(days)
    if not due:
        st.success(f"Nothing is over, and nothing is due in {days} days.", icon=":material/check:")
        return
    rows = [
        {
            "By": deadline.day.isoformat(),
            "State": "over" if deadline.is_over else "due",
            "What": WHAT_IS_DUE[deadline.what],
            "Release": printable(deadline.entry.in_a_line),
            "Released by": printable(deadline.entry.released_by),
        }
        for deadline in due
    ]
    frame = pd.DataFrame(rows)
    page.table(frame, "What is due by day, what waits longest first.", height=page.table_height(len(frame), _MOST_HIGH))


# ---- audit lines ----


def show_audit_lines() -> None:
    """The newest lines, looked up by words and act; the chain; all of them to take home."""
    words_place, act_place = page.beside(5, 3, gap="small", align="bottom")
    text = keep.text(
        "audit-words", "Words", place=words_place, help="Words that must all occur: a name, a digest, a recipient."
    )
    chosen = keep.select("audit-act", "Act", [_ANY, *(act.value for act in Act)], place=act_place)
    lines = results.lines(text, None if chosen == _ANY else Act(chosen))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Verify the chain", key="audit-verify", on_click=guard.action(results.verify), icon=":material/link:",
            help="Whether each line is there as it was written, in the order in which it was.",
        )  # fmt: skip
        page.download(
            "All lines (JSON)", results.exported, "anonscope-audit.jsonl", "download-audit", holds=Holds.FIGURES,
            help="A line each, the oldest first: digests, numbers and names of people, and no cell of data.",
        )  # fmt: skip
    verified = results.verified()
    if verified.says:
        show = st.success if verified.holds else st.error
        show(plain(verified.says), icon=":material/check:" if verified.holds else ":material/link_off:")
    if not lines:
        st.info("No line says that.")
        return
    frame = pd.DataFrame([_row(line) for line in lines])
    page.table(frame, "Audit lines, the newest first.", height=page.table_height(len(frame), _MOST_HIGH))
    newest = f"The newest {MOST_LINES:,} are shown. " if len(lines) == MOST_LINES else ""
    page.counts(f"{newest}Times are UTC. Of a digest the first {_DIGITS} digits are shown; all are in the file.")


def _row(line: Line) -> dict[str, object]:
    facts = "; ".join(f"{name} {_short(fact)}" for name, fact in line.facts.items() if fact)
    return {
        "Line": line.number,
        "When": line.moment[:19].replace("T", " "),
        "Who": printable(line.name),
        "What": line.act,
        "About": printable(facts),
    }


def _short(fact: str) -> str:
    return f"{fact[:_DIGITS]}…" if _DIGEST.fullmatch(fact) else fact


# ---- the server ----


def show_server(server: Server) -> None:
    """Who is signed in, what sessions hold, and the work that waits."""
    people, work = page.beside(1, 1)
    with people:
        st.subheader("Signed in", anchor=False)
        listed = [f"- {plain(name, 60)}: {words.count(n_browsers, 'browsers')}" for name, n_browsers in server.people]
        st.markdown("\n".join(listed) or "Nobody.")
    with work:
        st.subheader("Memory and work", anchor=False)
        st.markdown("\n".join(f"- {sentence}" for sentence in _sentences(server)))


def _sentences(server: Server) -> list[str]:
    held = sum(server.sessions)
    largest = f", the largest {words.size(server.sessions[0])}" if server.sessions else ""
    sentences = [
        f"{words.count(len(server.sessions), 'sessions')} with data, {words.size(held)} of the "
        f"{words.size(server.allowed)} that all may take{largest}.",
        f"The server's process takes {words.size(server.memory)}.",
    ]
    if server.jobs is None:
        return [*sentences, "Pages do all work themselves: there are no processes for it."]
    jobs = server.jobs
    if not jobs.by_session:
        return [*sentences, "There are no jobs away from the pages now."]
    return [
        *sentences,
        f"Jobs away from the pages: {jobs.running:,} run, {jobs.suspended:,} gave way to others, {jobs.waiting:,} wait "
        f"for their first turn, and {jobs.idle:,} stand still until somebody lets them go on.",
        f"They take {words.size(jobs.memory)}, of {words.count(len(jobs.by_session), 'sessions')}.",
    ]


# ---- keys ----


def show_keys() -> None:
    """The keys by what names them: never the keys."""
    here = department.department()
    names = () if here is None else here.keys.names()
    st.markdown(
        "Each key is a file in the folder of the store, for the account of the server alone. Its id is the beginning "
        "of its SHA-256, and tells nothing of it. On the command line keys are made (`anonscope keys make`) and "
        "rotated (`anonscope keys rotate`)."
    )
    rows = [{"Key": key.name, "Version": key.version, "Id": key.id, "Made": key.day} for key in names]
    page.table(pd.DataFrame(rows), "The department's keys by name, version, id and day.")
