"""The page of a file made elsewhere, in which everybody of the original is looked up: its figures, words and tabs."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from pages.measure.individuals import controls, picture, results
from pages.measure.individuals.question import IndividualsQuestion
from pages.measure.individuals.results import AnswerElsewhere
from pages.measure.individuals.summary import range_in_words
from pages.measure.individuals.tabs import looked_up as tabs
from ui.kit import another_file, explain, glossary, page
from ui.server.private import DeltaGenerator
from ui.session import keep
from ui.text import plain, printable


def show(data: Dataset, asked: IndividualsQuestion, metrics: DeltaGenerator) -> None:
    """Everything under the controls; the figures go where the page has them."""
    other = _ask_file()
    if other is None:
        return
    beyond = keep.value(_BEYOND, False)
    try:
        of_file = results.look_elsewhere(data, other, asked, beyond)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    if of_file is None:
        return
    _say_how(of_file, asked)
    drawn, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        focus = controls.ask_focus(of_file.data, of_file.answer)
        _in_words(of_file, focus)
        range_place = st.container()
        keep.toggle(
            _BEYOND, "Red only beyond what others give away",
            help=glossary.linked(
                "Red is then who is certain from this file, and not from the other people of the original without "
                "their own record.",
                "certain",
            ),
        )  # fmt: skip
    with drawn:
        shown = picture.show(of_file.data, of_file.question, of_file.answer, of_file.looked_up, beyond)
    if shown[:2] != (1, of_file.answer.people.n_sampled):
        with range_place:
            range_in_words(of_file.data, of_file.answer, focus, shown)
    with metrics:
        _show_metrics(of_file, focus)
    page.tabs(
        picture.TABS,
        {
            "Columns": partial(tabs.show_columns, of_file),
            picture.STORY: partial(tabs.show_person, of_file),
            "How it works": partial(explain.show, "individuals"),
        },
    )


_BEYOND = "individuals-beyond"


def _ask_file() -> Dataset | None:
    """The file that everybody is looked up in, in one line; and where to load one before there is any."""
    other = another_file.loaded()
    if other is None:
        st.markdown(
            "A file that was made of the original elsewhere, synthetic or protected by another program: each person of "
            "the original is looked up in it. It stays in this session."
        )
        return another_file.ask("individuals")
    says, change = page.beside(5, 1, gap="small", align="center")
    says.caption(f"Everybody is looked up in **{plain(other.name, 60)}**: {another_file.in_words(other)}.")
    with change, st.popover("Other file"):
        another_file.ask("individuals")
    return other


def _say_how(of_file: AnswerElsewhere, asked: IndividualsQuestion) -> None:
    """What is not as on the other versions of the page."""
    looked_up = of_file.looked_up
    if without := [name for name in asked.variables if name not in looked_up.columns]:
        st.caption(f"The other file lacks {page.listed(without)}: nothing is looked up by {_them(without)}.")
    if looked_up.is_by_rows:
        st.caption("The other file has no person id, so the rows of persons are looked up one by one.")
    if of_file.is_covered and asked.within:
        st.caption("Labels of several levels stand side by side there, so numbers that are near do not count as equal.")
    if looked_up.as_narrowest:
        st.caption(
            f"Persons have several rows, so that of the labels of {page.listed(looked_up.as_narrowest)} the narrowest "
            "that is true of a value counts."
        )
    if looked_up.blank:
        st.caption(
            f"More cells of {page.listed(looked_up.blank)} are empty there than in the original, and nobody knows "
            "which were hidden: an empty one is like a missing value alone, and says nothing where it is inferred."
        )
    if looked_up.not_read:
        columns = ", ".join(f"{plain(printable(name), 24)}: {n:,}" for name, n in looked_up.not_read)
        st.caption(
            f"Of some labels there it is not known which values they are true of (records by column: {columns}). They "
            "count as values that nobody in the original has."
        )


def _them(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _show_metrics(of_file: AnswerElsewhere, focus: str) -> None:
    """The figures that matter; of the first also what the original itself gives away."""
    people, n, unit = of_file.answer.people, of_file.answer.people.n_records, of_file.data.unit
    column = plain(printable(focus), 24)
    certain, anyway = of_file.certain(focus), of_file.anyway(focus)
    agreement = of_file.lookup.agreement[of_file.place(focus)]
    right, wrong = (int(people.number(some)) for some in (agreement.right, agreement.wrong))
    share = words.percent(float(people.share(certain)))
    own = "" if of_file.own is None else words.percent(float(of_file.own.share[of_file.own.place(focus)]))
    commonest = of_file.lookup.commonest[of_file.place(focus)]
    alone = of_file.lookup.profile.without_peers[:, of_file.place(focus)]
    page.metrics(
        (
            f"Certain in {column}", words.change(own, share) if own else share,
            glossary.linked(
                f"{unit.capitalize()} for whom {picture.meaning(of_file.question)} in the other file, of "
                f"{words.count(n, unit)}. Before the arrow: in the original itself.",
                "certain",
            ),
        ),
        (
            "Beyond what others give away", words.percent(float(people.share(certain & ~anyway))),
            glossary.linked(
                f"{unit.capitalize()} for whom it is certain in the other file, and not from the other people of the "
                "original without their own record. What others give away as well holds of everybody alike.",
                "certain",
            ),
        ),
        (
            "Right, where all agree", words.percent(right / (right + wrong)) if right + wrong else "nobody",
            f"All other columns are known. Of the {right + wrong:,} {unit} of whom all records like them in the other "
            f"file have one value, so many have it. Who guesses the commonest value is right of "
            f"{words.percent(commonest)}.",
        ),
        (
            "Nobody like them", words.percent(float(people.share(alone))),
            glossary.linked(
                f"{unit.capitalize()} who have no peers in the other file by any set that may be known: nothing is "
                "inferred of them.",
                "peers",
            ),
        ),
    )  # fmt: skip


def _in_words(of_file: AnswerElsewhere, focus: str) -> None:
    question, people, unit = of_file.question, of_file.answer.people, of_file.data.unit
    n, column = people.n_records, page.listed([focus])
    certain, anyway = of_file.certain(focus), of_file.anyway(focus)
    verb = "counts as" if question.threshold else "is"
    st.markdown(
        f"For **{words.share(int(people.number(certain)), n, unit)}** {column} {verb} certain from this file "
        f"{question.to_whom}: {question.certain_where()}."
    )
    if certain.any():
        st.markdown(
            f"Of these, **{int(people.number(certain & anyway)):,}** are so too from the other people of the original, "
            "without their own record: that holds of everybody alike and is not this file’s doing."
        )
    agreement = of_file.lookup.agreement[of_file.place(focus)]
    right, wrong = (int(people.number(some)) for some in (agreement.right, agreement.wrong))
    alone = int(people.number(agreement.peers == 0))
    n_others = len(question.variables) - 1
    st.markdown(
        f"With all {words.count(n_others, 'other columns')} known, nobody in the file is like **{alone:,}**; of "
        f"**{right + wrong:,}** all who are like them have one value, which is theirs of **{right:,}** and another of "
        f"**{wrong:,}**. Who has the file cannot tell these apart."
        if right + wrong
        else f"With all {words.count(n_others, 'other columns')} known, nobody in the file is like **{alone:,}**, and "
        "of nobody do all who are like them have one value."
    )
    commonest = of_file.lookup.commonest[of_file.place(focus)]
    if not np.isnan(commonest):
        st.markdown(f"The commonest value of the file is right of **{words.percent(commonest)}** anyway.")
    if missing := picture.of_missing(of_file.answer, focus, unit, question):
        st.markdown(missing)
    if people.is_sampled:
        st.markdown(f"Looked up: {people.n_sampled:,} of them at random, each among all records of the file.")
