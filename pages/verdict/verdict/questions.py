"""What only the officer can decide, as a list of questions: three at once, each with its answers as buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import ColumnsNotCounted, Finding, NoIdentifiers, State, TellingColumns, Verdict
from anonlib.verdict.proposals import Remedy
from pages.verdict.verdict import cheapest_change, results
from pages.verdict.verdict.offers import Offers
from ui.kit import columns, page
from ui.session import guard
from ui.session.state import session
from ui.text import plain

_MOST_AT_ONCE = 3
_FREE = " It costs no detail."


@dataclass(frozen=True)
class Answer:
    """A button: its label, what it does in a sentence, the function, and whether it costs least."""

    label: str
    help: str
    give: Callable[[], None]
    least: bool = False


@dataclass(frozen=True)
class Question:
    """A question with the key of its buttons and its answers."""

    key: str
    text: str
    answers: tuple[Answer, ...]


def show(verdict: Verdict, offers: Offers | None, data: Dataset) -> None:
    """The questions; nothing where there are none."""
    columns.show_undecided(data.unit)
    asked = [*_of_findings(verdict), *_of_values(offers)]
    if not asked:
        return
    st.markdown("**What only you can decide**")
    with st.container(border=True, gap="small"):
        for question in asked[:_MOST_AT_ONCE]:
            _ask(question)
        if len(asked) > _MOST_AT_ONCE:
            st.caption(f"{words.count(len(asked) - _MOST_AT_ONCE, 'more questions')} when these are answered.")


def _ask(question: Question) -> None:
    what, answers = page.beside(11, 9, gap="small")
    what.markdown(question.text)
    with answers, st.container(horizontal=True, gap="small", horizontal_alignment="right"):
        for i, answer in enumerate(question.answers):
            st.button(
                answer.label, key=f"{question.key}-{i}", type="primary" if answer.least else "secondary",
                on_click=guard.action(answer.give), help=answer.help + (_FREE if answer.least else ""),
            )  # fmt: skip


def _of_findings(verdict: Verdict) -> list[Question]:
    """Of what stands against the release, what no search can decide."""
    questions = []
    for i, finding in enumerate(verdict.against):
        if finding.state is State.NOT_MET and finding.columns:
            question = _of(finding, f"verdict-question-{i}")
            questions += [] if question is None else [question]
    return questions


def _of(finding: Finding, key: str) -> Question | None:
    named = page.listed(finding.columns, 6)
    drop = Answer("Drop", "The columns do not leave.", partial(cheapest_change.drop, finding.columns))
    match finding.criterion:
        case ColumnsNotCounted():
            known = Answer(
                "Yes: count as known", "They become quasi-identifiers, and proposals protect them too.",
                partial(cheapest_change.count_as_known, finding.columns),
            )  # fmt: skip
            unknowable = Answer(
                "Nobody can", "No register, social network, neighbour or colleague could know them of anybody.",
                partial(_nobody_can_know, finding.columns), least=True,
            )  # fmt: skip
            return Question(key, f"Could somebody outside know {named} of a person?", (unknowable, known, drop))
        case TellingColumns():
            return Question(key, f"What was recoded can be read off {named}. May it be dropped?", (drop,))
        case NoIdentifiers():
            return Question(key, f"There are identifiers in {named}. May it be dropped?", (drop,))
    return None


def _nobody_can_know(names: tuple[str, ...]) -> None:
    now = session()
    now.unknowable = tuple(dict.fromkeys((*now.unknowable, *names)))


def _of_values(offers: Offers | None) -> list[Question]:
    """Whether values harm anybody, where the answer would save much."""
    whole = [] if offers is None else [each for each in offers.offers if each.title == offers.reliefs_beside]
    if offers is None or not whole:
        return []
    loss = whole[0].proposal.loss
    return [
        Question(
            f"verdict-relief-{i}",
            f"Does it harm anybody if it is certain that their {_in_columns(each.columns)} is "
            f"“{plain(each.value, 40)}”? If not, a change in whole columns was found that loses "
            f"{words.percent(each.loss)} of the detail in place of {words.percent(loss)}.",
            (
                Answer(
                    "It harms nobody",
                    "Inference then leaves this value out. You can take it back under “Harmless values”.",
                    partial(results.allow, Remedy("", harmless=(each.columns, each.value))),
                    least=True,
                ),
            ),
        )
        for i, each in enumerate(offers.reliefs)
        if each.loss < loss
    ]


def _in_columns(names: tuple[str, ...]) -> str:
    """One column, or that it is of several at once."""
    others = f" (or one of {words.count(len(names) - 1, 'other columns')} with this value)" if len(names) > 1 else ""
    return f"**{plain(names[0], 30)}**{others}"
