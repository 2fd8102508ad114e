"""The Individuals page's numbers, and what the picture says in words, with the next step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from anonlib.analyses.individuals.heatmap import heatmap_columns
from anonlib.basics import words
from anonlib.dataset import Dataset
from pages.measure.individuals import column_results, picture, results
from pages.measure.individuals.question import IndividualsQuestion, is_numeric
from pages.measure.individuals.results import IndividualsAnswer
from ui.kit import glossary, page
from ui.session import guard, view
from ui.text import plain, printable


def show_metrics(
    answers: list[IndividualsAnswer], focus: str, data: Dataset, question: IndividualsQuestion, released: Dataset | None
) -> None:
    """The figures that matter, original → now; ``data`` is the original."""
    n, column = answers[-1].people.n_records, plain(printable(focus), 40)
    sensitive = [name for name in data.sensitive if name in question.variables]
    state = "Not private" if question.is_definition_4 else "Certain"
    without = "one value" if released is not None and focus in released.columns else "dropped"
    certain = [words.percent(float(a.share[a.place(focus)])) if focus in a.variables else without for a in answers]
    anywhere = [_anywhere(a, sensitive or a.variables) for a in answers]
    shares = [words.percent(float(a.people.share(some))) for a, some in zip(answers, anywhere, strict=True)]
    figures = [
        (
            f"{state} in {plain(printable(focus), 24)}",
            words.change(certain[0], certain[-1]),
            glossary.linked(
                f"{data.unit.capitalize()} for whom {picture.meaning(question)}, of {words.count(n, data.unit)}."
                + picture.of_missing(answers[-1], focus, data.unit, question),
                "certain",
            ),
        ),
        (
            f"{state} in any {'sensitive ' if sensitive else ''}column",
            words.change(shares[0], shares[-1]),
            glossary.linked(
                f"{words.share(int(answers[-1].people.number(anywhere[-1])), n, data.unit)} now.",
                "sensitive",
                "certain",
            ),
        ),
    ]
    if question.attacker == "chance":
        mean = [1 - float(a.people.share(a.values)[a.place(focus)]) if focus in a.variables else 0.0 for a in answers]
        expected = [round(x * a.people.n_records) for x, a in zip(mean, answers, strict=True)]
        figures += [
            (
                "Average probability",
                words.change(words.percent(mean[0]), words.percent(mean[-1])),
                f"That {column} is inferred, for one drawn at random.",
            ),
            (
                f"{data.unit.capitalize()} expected",
                words.change(f"{expected[0]:,}", f"{expected[-1]:,}"),
                f"So many have their {column} inferred on average, if each is attacked once.",
            ),
        ]
    elif all(a.profile is not None and focus in a.variables for a in answers) and question.attacker != "all":
        alone, half = zip(*(_depth(a, focus, question) for a in answers), strict=True)
        figures += [
            (
                "From one other column",
                words.change(words.percent(alone[0]), words.percent(alone[-1])),
                glossary.linked(
                    f"{data.unit.capitalize()} for whom {column} is certain to someone who knows a single other "
                    "column.",
                    "certain",
                ),
            ),
            (
                "Other columns it takes",
                words.change(half[0], half[-1]),
                glossary.linked("So many are enough for half of those whose value is certain.", "certain"),
            ),
        ]
    page.metrics(*figures)


def _anywhere(answer: IndividualsAnswer, columns: Sequence[str]) -> np.ndarray:
    """bool, per row: the value in one of the columns that are still there is certain."""
    return np.any(answer.certain[:, [answer.place(name) for name in columns if name in answer.variables]], axis=1)


def _depth(answer: IndividualsAnswer, focus: str, question: IndividualsQuestion) -> tuple[float, str]:
    assert answer.profile is not None
    depth = answer.profile.breach_depth(question.threshold)[:, answer.profile.sensitive.index(focus)]
    half = results.median_depth(depth, answer.people.counts)
    return float(answer.people.share((depth >= 0) & (depth <= 1))), "none" if half is None else str(half)


def in_words(
    data: Dataset, question: IndividualsQuestion, answer: IndividualsAnswer, focus: str, shown: tuple[int, int, bool]
) -> None:
    people, n = answer.people, answer.people.n_records
    certain = words.share(int(people.number(answer.certain[:, answer.place(focus)])), n, data.unit)
    column = page.listed([focus])
    if question.attacker == "chance":
        st.markdown(
            f"For **{certain}** {column} is inferred with a probability above "
            f"{words.percent(view.now().threshold)}, by someone who knows each other column with a probability of "
            f"{words.percent(question.chance)}."
        )
    elif question.is_definition_4:
        st.markdown(
            f"For **{certain}** some value of {column} that is not theirs can be ruled out by "
            f"{question.to_whom.removeprefix('to ')}: no downward privacy, Kroes et al. 2021, Definition 4."
        )
    else:
        verb = "counts as" if question.threshold else "is"
        st.markdown(f"For **{certain}** {column} {verb} certain {question.to_whom}: {question.certain_where()}.")
    missing = picture.of_missing(answer, focus, data.unit, question)
    if missing:
        st.markdown(missing)
    if says := column_results.beside_the_sidebar(data, question, focus):
        st.caption(says)
    if people.is_sampled:
        st.markdown(
            f"Looked at: {people.n_sampled:,} of them at random, each against all {data.unit}; see the interval below."
        )
    if shown[:2] != (1, people.n_sampled):
        range_in_words(data, answer, focus, shown)
    _gives_most_away(data, question, focus)


def _gives_most_away(data: Dataset, question: IndividualsQuestion, focus: str) -> None:
    """The column that gives most away to the attacker in force, and the way to make it coarser."""
    additions, attacker = column_results.given_away(data, question, focus)
    gain = additions.to_frame(question.threshold).iloc[0]
    if gain["freed"]:
        n = len(additions.auxiliary) - 1
        left = f"{n} columns that are left"
        st.markdown(
            f"{page.listed([gain['variable']])} gives most away: were it unknown, **{gain['freed']:,}** more "
            f"{data.unit} would be safe from {attacker.someone_who_knows(n, f'the {left}', f'all {left}')}."
        )
        numeric = is_numeric(data, gain["variable"])
        st.button(
            f"Make {plain(printable(gain['variable']), 24)} coarser" if numeric else "See what each column adds",
            on_click=guard.action(picture.open_tab), icon=":material/tune:",
            args=("Make a column coarser", gain["variable"]) if numeric else ("What each column adds",),
        )  # fmt: skip


def range_in_words(data: Dataset, answer: IndividualsAnswer, focus: str, shown: tuple[int, int, bool]) -> None:
    """How many of those shown are certain, and the way back to everybody."""
    first, last, clickable = shown
    part = heatmap_columns(
        answer.certain.astype(float), answer.certain, answer.people.counts, answer.order, first - 1, last, columns=1
    )
    count = round(float(part.mean[answer.place(focus), 0]) * (last - first + 1))
    st.markdown(
        f"**Shown: {first:,} to {last:,}**; for {count:,} of them {page.listed([focus])} is certain. "
        + ("Click a cell to read that record’s story." if clickable else "Draw a range to look closer.")
    )
    st.button(
        "Show all",
        on_click=guard.action(picture.show_all),
        args=(answer.people.n_sampled,),
        icon=":material/zoom_out_map:",
    )
