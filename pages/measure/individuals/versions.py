"""Which version of the data the Individuals page looks at, and what is found in it and in the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from anonlib.dataset import Dataset
from pages.measure.individuals import results
from pages.measure.individuals.question import Question
from pages.measure.individuals.results import Answer
from ui.kit import shared_controls


@dataclass(frozen=True, eq=False)
class LookedAt:
    """The version that is looked at.

    Attributes
    ----------
    data : the original or the release.
    question : what is asked of it, as far as it is answered: longer work may not have been done.
    found : the answer.
    answers : of the original and of the release, where both can be compared; else just the one.
    """

    data: Dataset
    question: Question
    found: Answer
    answers: list[Answer]


def look_at(original: Dataset, released: Dataset | None, asked: Question, looked: shared_controls.Version) -> LookedAt:
    """Answer the question; the page ends with a sentence where there is nothing to look at."""
    if len(asked.variables) < 2:
        _end("Choose at least two columns under **More**: one to infer, and one to know.")
    versions = [(original, asked.on(original))]
    if released is not None and released.n_records:
        left = asked.on(released)
        if len(left.variables) > 1 and results.inferred(released, left):
            versions.append((released, left))
    data, question = versions[-1] if looked == "Release" else versions[0]
    if looked == "Release" and len(versions) == 1:
        _end(
            "The release has fewer than two of these columns, one value in each of them, or no record: nothing is left "
            "to infer."
        )
    if not results.classes_of(data, question).n_records:
        _end("Nobody is left to look at: every record lacks one of these values, or stands for nobody.")
    if not results.inferred(data, question):
        _end("Each of these columns has one value, the same for everybody: there is nothing to infer.")
    found = results.answer(data, question)
    if found is None:
        st.stop()
    answers = results.compared(versions, data, found)
    if found.known is not None:
        question = replace(question, attacker=found.known)
    return LookedAt(data, question, found, answers)


def _end(sentence: str) -> None:
    st.info(sentence)
    st.stop()
