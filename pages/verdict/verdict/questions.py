"""What only the officer can decide, as a list of questions: three at once, each with its answers as buttons."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from datetime import date
from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import Accepted, Finding, State, Verdict
from anonlib.verdict.proposals import Relaxation, WhatIf
from anonlib.verdict.proposals.offers import Offers
from pages.verdict.verdict import cheapest_change, results
from ui.kit import columns, page
from ui.session import cache, guard, state
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_MOST_AT_ONCE = 3
_MOST_NAMED = 6
_NOBODY = "No register, social network, neighbour or colleague could know it of anybody."
_ACCEPTED = "The criterion is accepted with this as its reason. You can take it back below."
_NOTHING_HARMS = "No column of this file would harm a person if somebody outside learned it."


@dataclass(frozen=True)
class OfferedAnswer:
    """A button: its label, what it does in a sentence, the function, and what it saves in a sentence, if anything."""

    label: str
    help: str
    give: Callable[[], None]
    saves: str = ""


@dataclass(frozen=True)
class OpenQuestion:
    """A question with the key of its buttons, its answers, and columns to choose of, to which the first answer is."""

    key: str
    text: str
    answers: tuple[OfferedAnswer, ...]
    choose_of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answered:
    """What was answered so that everything stays as it is: columns that can be known, values that harm."""

    stays: frozenset[tuple[tuple[str, ...], str]] = frozenset()


def show(verdict: Verdict, offers: Offers | None, data: Dataset) -> None:
    """The questions; nothing where there are none."""
    with st.container():
        columns.show_undecided(data.unit)
    title, place = st.empty(), st.empty()  # both always there: what was answered goes at once, however long a run takes
    open_questions = [*_of_findings(verdict, offers, data), *_of_relaxations(offers)]
    if not open_questions:
        return
    title.markdown("**What only you can decide**")
    with place.container(border=True, gap="small"):
        for question in open_questions[:_MOST_AT_ONCE]:
            _ask(question)
        if len(open_questions) > _MOST_AT_ONCE:
            st.caption(f"{words.count(len(open_questions) - _MOST_AT_ONCE, 'more questions')} when these are answered.")


def _ask(question: OpenQuestion) -> None:
    what, answers = page.beside(11, 9, gap="small")
    saves = next((answer.saves for answer in question.answers if answer.saves), "")
    what.markdown(question.text + (f" :gray[{saves}]" if saves else ""))
    with answers:
        if question.choose_of:
            st.multiselect(
                "Columns that nobody outside can know", question.choose_of, key=f"{question.key}-chosen",
                format_func=titled, placeholder="Choose columns", label_visibility="collapsed",
                select_all=False,  # each is an answer of its own
            )  # fmt: skip
        waits = bool(question.choose_of) and not _chosen(question.key)
        with st.container(horizontal=True, gap="small", horizontal_alignment="right"):
            for i, answer in enumerate(question.answers):
                why = "Choose columns first. " if waits and not i else ""
                st.button(
                    answer.label, key=f"{question.key}-{i}", on_click=guard.action(answer.give),
                    help=why + answer.help, disabled=bool(why),
                )  # fmt: skip


def _chosen(key: str) -> tuple[str, ...]:
    """The columns that are chosen of a question."""
    return tuple(st.session_state.get(f"{key}-chosen", ()))


def _of_findings(verdict: Verdict, offers: Offers | None, data: Dataset) -> list[OpenQuestion]:
    """Of what stands against the release, what no proposal decides."""
    is_protected = offers is not None and bool(offers.offers)  # by proposals, as if somebody could know them
    questions = []
    for i, finding in enumerate(verdict.against):
        if not (is_protected and finding.criterion.mending.how == "count_as_known"):
            question = _of(finding, f"verdict-question-{i}", data)
            questions += [] if question is None else [question]
    return questions


def _of(finding: Finding, key: str, data: Dataset) -> OpenQuestion | None:
    if finding.columns:
        return _of_columns(finding, key)
    if finding.criterion.limit_on("class_size") is not None:
        if data.quasi_identifiers or finding.state is not State.UNKNOWN:
            return None
        nobody = OfferedAnswer("Nobody can", f"{_NOBODY} {_ACCEPTED}", partial(_accept, finding, _NOBODY))
        return OpenQuestion(
            key,
            "No column is known outside, so nobody could be found by any. Could somebody outside know something in "
            "this file of a person? If so, say what on the Data page.",
            (nobody,),
        )
    if finding.criterion.certain_from is not None and not data.sensitive:
        nothing = OfferedAnswer("Nothing would", _ACCEPTED, partial(_accept, finding, _NOTHING_HARMS))
        return OpenQuestion(
            key,
            "No column is sensitive. Would it harm a person if somebody outside learned something in this file? "
            "If so, say of what on the Data page.",
            (nothing,),
        )
    return None


def _of_columns(finding: Finding, key: str) -> OpenQuestion | None:
    """What could be done about the columns at fault."""
    mending, named = finding.criterion.mending, page.listed(finding.columns, len(finding.columns))
    drop = OfferedAnswer("Drop", "The columns do not leave.", partial(cheapest_change.drop, finding.columns))
    if finding.criterion.of_revealing_columns and finding.state is State.UNKNOWN:
        nothing = OfferedAnswer(
            "Nothing does", f"{_ACCEPTED} It counts for these columns alone.",
            partial(_accept, finding, _nothing_tells(finding.columns)),
        )  # fmt: skip
        return OpenQuestion(
            key,
            f"Does anything in {named} reveal what was recoded or dropped? So few share a value there that it "
            "cannot be counted.",
            (nothing, drop),
        )
    if not mending.asks:
        return None
    answers: tuple[OfferedAnswer, ...] = (drop,)
    if mending.how == "count_as_known":
        known = OfferedAnswer(
            "Yes: count as known", "They become quasi-identifiers, and proposals protect them too.",
            partial(cheapest_change.count_as_known, finding.columns),
        )  # fmt: skip
        answers = (OfferedAnswer("Nobody can", _NOBODY, partial(_nobody_can_know, finding.columns)), known, drop)
    return OpenQuestion(key, mending.asks.format(columns=named), answers)


def _nobody_can_know(names: tuple[str, ...]) -> None:
    now = session()
    now.unknowable = tuple(dict.fromkeys((*now.unknowable, *names)))


def _accept(finding: Finding, reason: str) -> None:
    session().aim = session().aim.accepting(Accepted.of(finding, reason, when=date.today().isoformat()))


def _nothing_tells(names: tuple[str, ...]) -> str:
    return f"As is known of how the values of {words.listed(names)} came about, nothing in them reveals another column."


def _of_relaxations(offers: Offers | None) -> list[OpenQuestion]:
    """What an officer may know that would let much less be lost."""
    least = None if offers is None else offers.least
    if offers is None or least is None:
        return []
    loss = least.proposal.loss
    answered = state.part(Answered).stays
    saving = [relief for relief in offers.relaxations if relief.loss < loss and not _is_answered(relief, answered)]
    several = next((relief for relief in saving if not relief.value and len(relief.columns) > 1), None)
    if several is None:
        return [_of_relaxation(relaxation, f"verdict-relief-{i}", loss) for i, relaxation in enumerate(saving)]
    values = [relief for relief in saving if relief.value]
    of_values = [_of_relaxation(relaxation, f"verdict-relief-{i}", loss) for i, relaxation in enumerate(values)]
    singles = [relief for relief in saving if not relief.value and len(relief.columns) == 1]
    return [_of_several(several, singles[0] if singles else None, loss), *of_values]


def _is_answered(relaxation: Relaxation, answered: Set[tuple[tuple[str, ...], str]]) -> bool:
    """Whether it was answered so that all stays as it is, for a column for each of them."""
    if relaxation.value:
        return (relaxation.columns, relaxation.value) in answered
    return any(((name,), "") in answered for name in relaxation.columns)


def _of_several(relaxation: Relaxation, best: Relaxation | None, loss: float) -> OpenQuestion:
    """Whether columns can be known that are changed only because somebody might: those chosen cannot."""

    def saved(by: Relaxation) -> str:
        return words.percent(1 - by.loss / loss)

    key = f"verdict-reliefs-{cache.digest(*relaxation.columns)[:12]}"  # what was chosen of others is none of these
    alone = "" if best is None else f"; if {plain(titled(best.columns[0]), 60)} alone, {saved(best)}"
    saves = f"If all of them, about {saved(relaxation)} less detail is lost{alone}."
    return OpenQuestion(
        key,
        f"Which of {_named(relaxation.columns)} could nobody outside know of a person? They are protected as if "
        "somebody could.",
        (
            OfferedAnswer(
                "Nobody can know these", _NOBODY, partial(_chosen_are_unknowable, relaxation.columns, key), saves
            ),
            OfferedAnswer(
                "Somebody can know each", "All go on being protected, and this is not asked again.",
                partial(_can_be_known, relaxation.columns),
            ),
        ),
        relaxation.columns,
    )  # fmt: skip


def _named(names: tuple[str, ...]) -> str:
    """Columns in a sentence; only how many they are where they are too many to read twice."""
    few = len(names) <= _MOST_NAMED
    return page.listed(names, len(names)) if few else f"these {words.count(len(names), 'columns')}"


def _chosen_are_unknowable(names: tuple[str, ...], key: str) -> None:
    """Those chosen cannot be known; the others can, and are not asked about again."""
    chosen = _chosen(key)
    _can_be_known(tuple(name for name in names if name not in chosen))
    _nobody_can_know(chosen)


def _can_be_known(names: tuple[str, ...]) -> None:
    state.change_part(Answered, stays=state.part(Answered).stays | {((name,), "") for name in names})


def _of_relaxation(relaxation: Relaxation, key: str, loss: float) -> OpenQuestion:
    saves = f"about {words.percent(1 - relaxation.loss / loss)} less detail is lost."
    if not relaxation.value:
        name = plain(titled(relaxation.columns[0]), 60)
        text = f"Could somebody outside know **{name}** of a person? It is protected as if so."
        then = f"If nobody can, {saves}"
        nobody = OfferedAnswer("Nobody can", f"{_NOBODY} {then}", partial(_nobody_can_know, relaxation.columns), then)
        return OpenQuestion(key, text, (nobody, _stays("Somebody can", relaxation)))
    then = f"If it harms nobody, {saves}"
    columns, value = _in_columns(relaxation.columns), plain(relaxation.value, 40)
    text = f"Does it harm anybody if it is certain that their {columns} is “{value}”?"
    harmless = OfferedAnswer(
        "It harms nobody",
        f"Inference then leaves this value out. You can take it back under “Harmless values”. {then}",
        partial(results.allow, WhatIf("", harmless=(relaxation.columns, relaxation.value))),
        then,
    )
    return OpenQuestion(key, text, (harmless, _stays("It harms", relaxation)))


def _stays(label: str, relaxation: Relaxation) -> OfferedAnswer:
    """The answer that changes nothing, after which the question is not asked again."""
    return OfferedAnswer(
        label,
        "It goes on being protected, and this is not asked again.",
        partial(_answered, (relaxation.columns, relaxation.value)),
    )


def _answered(question: tuple[tuple[str, ...], str]) -> None:
    state.change_part(Answered, stays=state.part(Answered).stays | {question})


def _in_columns(names: tuple[str, ...]) -> str:
    """One column, or that it is of several at once."""
    others = f" (or one of {words.count(len(names) - 1, 'other columns')} with this value)" if len(names) > 1 else ""
    return f"**{plain(titled(names[0]), 60)}**{others}"
