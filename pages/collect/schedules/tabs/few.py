"""What moving few people gains over the appointments that are there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from anonlib.analyses.schedules import FewMoves
from anonlib.basics import words
from anonlib.plots import schedules as plots
from anonlib.release.export import table_csv
from pages.collect.schedules import results
from pages.collect.schedules.results import EXISTING, FEW, OPTIMAL, SchedulesAnswer, SchedulesQuestion
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import keep, long_work

_EACH_SECOND = 1_000  # people alone that are looked at
_LONGEST = 120.0  # seconds of work that begins by itself when the tab is opened


def _setting(question: SchedulesQuestion, k: int) -> str:
    return keep.per("schedules-most-moved", question.key, k)


def most_moved(question: SchedulesQuestion, k: int) -> int | None:
    """How many people may move, as the officer set it below; None where they have not."""
    return keep.value(_setting(question, k), None)


def show(answer: SchedulesAnswer, k: int) -> None:
    """How few people have to move for how much: a curve, and a point of it that can be taken."""
    question = answer.question
    if question.existing is None:
        st.markdown(
            "There are no appointments to begin with: say under **Appointments** above which columns of the file hold "
            "them, and take slots that they are in."
        )
        return
    if question.rules:
        st.markdown("Moving few people is looked for without rules: switch them off above to see it.")
        return
    moves = results.fewest_moves(question, k)
    if question.people.n_people > results.MANY:
        alone = answer.schedules[EXISTING].vector.people_below(k)
        search = partial(results.search_few_moves, replace(question, data=None), k)
        what = "Looking how few people would have to move"
        moves = long_work.best_so_far(
            results.few_moves_name(question, k), [(what, search)], alone / _EACH_SECOND, by_itself=_LONGEST
        )
    if moves is None or FEW not in answer.schedules:
        if moves is not None:
            st.markdown(f"Moving people gains nothing here: no class below {k} can be made larger that way.")
        return
    most = int(moves.moved[-1])
    people = keep.slider(
        _setting(question, k), "People who may move", 0, most, results.fewest(moves),
        help="The schedule “… moved” above has the best vector found with so many; take it under “Schedule to take”.",
    )  # fmt: skip
    st.markdown(_in_words(answer, moves, people, k))
    page.figure(
        partial(plots.few_moves, moves, people),
        f"Steps of how many people are alone and below k = {k} against how many people move, from "
        f"{moves.alone[0]:,} and {moves.below[0]:,} to {moves.alone[-1]:,} and {moves.below[-1]:,} when {most:,} move.",
        "schedules-few-moves",
    )  # fmt: skip
    page.counts(
        "People who share what is known about them and their slot with nobody, and with fewer than k, by how many "
        "people get another appointment than they have. "
        + (
            "Proven: with as few moves no schedule has a smaller vector below k, and more moves gain nothing there."
            if moves.proven
            else "The best found, one change after another; a better schedule with as few moves may exist."
            + ("" if moves.ended else " The search was stopped.")
        )
    )
    page.download(
        "Table as CSV", partial(table_csv, moves.to_frame()), "schedules-few-moves.csv", "download-schedules-few",
        holds=Holds.FIGURES,
    )  # fmt: skip


def _in_words(answer: SchedulesAnswer, moves: FewMoves, people: int, k: int) -> str:
    existing, few, best = (answer.schedules[name] for name in (EXISTING, FEW, OPTIMAL))
    n, alone = answer.base.n_records, few.vector.people_below(2)
    return (
        f"**Moving {words.share(answer.people_moved(FEW), n, 'people')}** leaves "
        f"{words.count(alone, 'people') if alone else 'nobody'} alone, of {existing.vector.people_below(2):,}, and "
        f"{few.vector.people_below(k):,} below {k}, of {existing.vector.people_below(k):,}. The anonymity vector goes "
        f"from {existing.vector.printed()} to {few.vector.printed()}. **{answer.title(OPTIMAL)}**, "
        f"{best.vector.printed()}, would move {answer.people_moved(OPTIMAL):,} and leave "
        f"{best.vector.people_below(2):,} alone and {best.vector.people_below(k):,} below {k}."
    )
