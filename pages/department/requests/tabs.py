"""What a reviewer decides by: verdict, attacks, steps and columns, what is otherwise than last time, case, history."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.filing.case import ITEMS, NOT_STATED
from anonlib.filing.department.changes import FIGURE
from anonlib.filing.department.submission import COLUMN, CRITERION, STEP, called
from anonlib.filing.evidence import CriterionFacts
from anonlib.verdict.attacks.in_words import gain, rounded, title, worst_of_each
from anonlib.verdict.attacks.result import Rate
from anonlib.verdict.criteria import State
from pages.department.requests.results import RequestInView
from ui.kit import glossary, page
from ui.text import plain, printable

_ICONS = {
    State.MET: ":green[:material/check_circle:]",
    State.NOT_MET: ":red[:material/cancel:]",
    State.UNKNOWN: ":orange[:material/help:]",
}
_ACCEPTED = ":orange[:material/handshake:]"
_MOST_HIGH = 420  # pixels


def _marks(in_view: RequestInView, kind: str, name: str) -> str:
    """How many comments stand there, as Markdown; "" for none."""
    comments = in_view.comments_at(kind, name)
    n_open = sum(comment.is_open for comment in comments)
    if not comments:
        return ""
    return f" :orange-badge[{n_open} open]" if n_open else " :gray-badge[settled]"


def show_verdict(in_view: RequestInView) -> None:
    """The verdict by criterion, and the figures that it is about."""
    evidence = in_view.evidence
    st.markdown(f"**{plain(evidence.verdict)}**")
    if not evidence.may_leave:
        st.warning(f"It is to leave all the same: {plain(evidence.leaves_anyway)}", icon=":material/warning:")
    _show_figures(in_view)
    for criterion in sorted(evidence.criteria, key=_urgency):
        _show_criterion(criterion, in_view)
    if evidence.measured:
        st.markdown("**Measured without a limit**")
        for criterion in evidence.measured:
            _show_criterion(criterion, in_view)
    if evidence.undecided:
        st.caption(f"Nobody has decided on: {page.listed(evidence.undecided)}.")


def _urgency(criterion: CriterionFacts) -> int:
    """What a reviewer looks at first: what stands against it, then what was accepted, then the rest."""
    return 0 if criterion.is_against else 1 if criterion.accepted else 2


def _show_figures(in_view: RequestInView) -> None:
    evidence = in_view.evidence
    leaves = "—" if evidence.released is None else f"{evidence.released.records:,}"
    figures = [("Records that leave", leaves, f"Of {evidence.file.records:,} in the original.")]
    if evidence.after is not None and evidence.before is not None:
        k = words.change(f"{evidence.before.k:,}", f"{evidence.after.k:,}")
        figures.append(("Smallest class", k, glossary.linked(f"Asked for: {evidence.k}.", "smallest class")))
    if evidence.alone is not None:
        share = words.percent(evidence.alone.alone / max(1, evidence.alone.of))
        figures.append((f"Unique on any {evidence.alone.known}", share, "By all columns that leave."))
    figures.append(("Information kept", words.percent(evidence.information_kept), "Entropy of the columns."))
    page.metrics(*figures)


def _show_criterion(criterion: CriterionFacts, in_view: RequestInView) -> None:
    icon = _ACCEPTED if criterion.accepted else _ICONS.get(State(criterion.state), ":gray[:material/straighten:]")
    lines = [f"{icon} **{plain(called(criterion))}**{_marks(in_view, CRITERION, called(criterion))}"]
    lines.append(f":small[{plain(criterion.says)}]")
    if criterion.accepted:
        who = f", {plain(criterion.who, 60)}" if criterion.who else ""
        lines.append(f":small[:orange[Accepted{who}:] {plain(criterion.accepted)}]")
    st.markdown("  \n".join(lines), help=plain(criterion.asks))


def show_attacks(in_view: RequestInView) -> None:
    """What somebody with the file would get, by attack."""
    attacks = in_view.evidence.attacks
    if attacks is None:
        st.info("The evidence leaves the attacks out.")
        return
    for place, worst in zip(st.columns(3, gap="small"), worst_of_each(attacks, 1.0), strict=True):
        gained = None if worst.attack is None else worst.attack.gain
        share = None if worst.attack is None else worst.attack.rate.share if gained is None else max(0.0, gained.value)
        place.metric(
            worst.name, "—" if share is None else rounded(share),
            help=glossary.linked(plain(worst.says), worst.name.lower()),
        )  # fmt: skip
    st.caption("Of each kind, what the attack gains that gains most; of links, how many are right.")
    tried = [attack for attack in attacks.attacks if attack.rate.tries]
    if tried:
        frame = pd.DataFrame(
            {
                "Attack": [printable(title(attack)) for attack in tried],
                "Gain": [gain(attack) for attack in tried],
                "Succeed": [attack.rate.share for attack in tried],
                "Not in the file": [_share(attack.control) for attack in tried],
                "Without the file": [_share(attack.baseline) for attack in tried],
                "Tries": [attack.rate.tries for attack in tried],
            }
        )
        shares = ["Gain", "Succeed", "Not in the file", "Without the file"]
        page.table(
            frame, "Every attack with its tries and its gain", percent=shares,
            height=page.table_height(len(frame), _MOST_HIGH),
        )  # fmt: skip
    for sentence in attacks.not_tried:
        st.caption(plain(sentence))
    page.counts(plain(attacks.made_of))


def _share(rate: Rate | None) -> float | None:
    return None if rate is None or not rate.tries else rate.share


def show_steps(in_view: RequestInView) -> None:
    """The steps of the recipe, and what became of each column."""
    evidence = in_view.evidence
    n_steps = len(evidence.steps)
    st.markdown(f"**{words.count(n_steps, 'steps')}**" if n_steps else "**No step**: every cell leaves as it is.")
    for number, step in enumerate(evidence.steps, start=1):
        did = [
            f"{words.count(step.records_removed, 'records')} left out" if step.records_removed else "",
            f"{words.count(step.cells_changed, 'cells')} changed" if step.cells_changed else "",
            "" if step.applied else "not applied",
            plain(step.problem),
        ]
        about = " · ".join(filter(None, did))
        reason = f"  \n:small[:gray[Because:] {plain(step.reason)}]" if step.reason else ""
        st.markdown(
            f"{number}. {plain(step.says)}{_marks(in_view, STEP, f'{number}')}  \n:small[:gray[{about}]]{reason}"
        )
    st.markdown(f"**{words.count(len(evidence.columns), 'columns')}**")
    frame = pd.DataFrame(
        [
            {
                "Column": printable(column.name),
                "Role": Role(column.role).label if column.role else "undecided",
                "Leaves": "yes" if column.leaves else "no",
                "Values": column.values_before,
                "Values that leave": column.values_after,
                "Comments": len(in_view.comments_at(COLUMN, column.name)) or None,
            }
            for column in evidence.columns
        ]
    )
    page.table(frame, "What was decided on each column", height=page.table_height(len(frame), _MOST_HIGH))


def show_changes(in_view: RequestInView) -> None:
    """What is otherwise than in the last release to the same recipient."""
    if in_view.last is not None:
        last = in_view.last[0]
        st.markdown(f"Beside **No. {last.number}** of {last.since[:10]}: {plain(last.asks.in_a_line, 160)}.")
    elif in_view.entry is not None:
        entry = in_view.entry
        st.markdown(f"Beside what the register has of {entry.latest[:10]}: {plain(entry.in_a_line, 160)}.")
    else:
        recipient = plain(in_view.request.asks.case.recipient, 80)
        st.info(f"No release to {recipient} is known before this one.", icon=":material/history:")
        return
    changes = in_view.changes
    figures = [change for change in changes if change.kind == FIGURE]
    others = [change for change in changes if change.kind != FIGURE]
    page.table(
        pd.DataFrame([{"Figure": c.name, "Then": c.then, "Now": c.now} for c in figures]),
        "Figures of the last release and of this one",
    )  # fmt: skip
    if not others:
        st.success("Criteria, columns, steps and case are the same.", icon=":material/check:")
        return
    frame = pd.DataFrame(
        [
            {"What": c.kind, "Which": printable(c.name), "Then": printable(c.then), "Now": printable(c.now)}
            for c in others
        ]
    )
    page.table(frame, "What is otherwise", height=page.table_height(len(frame), _MOST_HIGH))


def show_case(in_view: RequestInView) -> None:
    """What it is asked for."""
    case = in_view.request.asks.case
    lines = [(item.label, getattr(case, item.name)) for item in ITEMS if item.group != "record"]
    st.markdown("  \n".join(f":gray[{plain(label)}:] {plain(text)}" for label, text in lines if text))
    empty = [label.lower() for label, text in lines if not text]
    if empty:
        st.caption(f"{NOT_STATED.capitalize()}: {words.listed([plain(label) for label in empty], most=len(empty))}.")


def show_history(in_view: RequestInView) -> None:
    """What was done with it, and what left by it."""
    frame = pd.DataFrame(
        [
            {
                "When (UTC)": event.moment[:16].replace("T", " "),
                "What": event.act,
                "Who": printable(event.name) or "by time",
                "Note": printable(event.note),
            }
            for event in in_view.events
        ]
    )
    page.table(frame, "What was done with the request", height=page.table_height(len(frame), _MOST_HIGH))
    for file in in_view.request.released:
        st.caption(f"{file.kind}, {file.moment[:10]}: SHA-256 {file.sha256}")
