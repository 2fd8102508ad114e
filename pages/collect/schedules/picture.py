"""The Schedules page's picture: all schedules as bars, and which of them is taken."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.plots import schedules as plots
from pages.collect.schedules import results, summary
from pages.collect.schedules.results import RANDOM, Answer
from ui.kit import page
from ui.session import keep

_DRAW = "schedules-draw"


def random_draw() -> int:
    """The seed of the random invitations, which is asked for below what depends on it."""
    return keep.value(_DRAW, 1)


def show(answer: Answer, k: int) -> str:
    """All schedules as bars, and beside them the one that is taken: returns its name."""
    drawn, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        order = (results.RULED, results.OPTIMAL, results.GREEDY, results.REFERENCE, RANDOM)
        name = keep.select(
            keep.per("schedules-taken", results.RULED in answer.schedules), "Schedule to take",
            [name for name in order if name in answer.schedules], format_func=answer.title,
            help="The one the numbers, the grid and the invitations are of.",
        )  # fmt: skip
        summary.show(answer, name, k)
        keep.number(_DRAW, "Random draw", 1, 10_000, 1, help="Another number, other random invitations.")
    with drawn:
        vectors, random, taken = answer.vectors(), answer.schedules[RANDOM], answer.schedules[name]
        bound = None if taken.proven else taken.bound
        page.figure(
            partial(plots.vectors, vectors, k, bound=bound, neutral=(results.WITHOUT,)),
            f"Bars of how many people are in classes of each size, for {words.count(len(vectors), 'schedules')} below "
            f"each other. Below k = {k} are {random.vector.people_below(k):,} people with random invitations and "
            f"{taken.vector.people_below(k):,} with {answer.title(name)}.",
            "schedules-vectors",
        )  # fmt: skip
        page.counts(
            "People by the size of their class: those who share what is known about them and their slot; red is below "
            "k. The best schedule has the fewest classes of one, then of two, and so on: generalized k-anonymity, "
            "Caballero et al. 2017, Definition 3."
        )
    return name
