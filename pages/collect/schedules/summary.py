"""What a schedule does, in figures, warnings and words."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.counting.classes import AnonymityVector
from anonlib.dataset import Dataset
from anonlib.plots import schedules as plots
from pages.collect.schedules import results
from pages.collect.schedules.results import EXISTING, RANDOM, SchedulesAnswer, SchedulesQuestion
from pages.collect.schedules.tabs import another_slot, schedule
from ui.files import upload
from ui.kit import glossary, page, required
from ui.session import guard, keep, view
from ui.text import plain

SAMPLE = "screening_county"


def show_what_is_missing(data: Dataset | None) -> None:
    """Where no file is loaded, or none of its columns is known: that, and the way on."""
    if data is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Nothing is loaded:** these people and slots are made up, as in the paper’s experiments.")
            st.page_link(page.DATA, label="Load a file", icon=":material/upload_file:")
            st.button(
                "Try with a county to invite", on_click=guard.action(upload.open_sample), args=(SAMPLE,),
                icon=":material/science:",
            )  # fmt: skip
    elif not data.quasi_identifiers and view.now().suggestions:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**No quasi-identifiers are chosen.** Choose below what is known about people, or")
            st.button(
                "Accept suggested roles", on_click=guard.action(required.accept_suggestions),
                icon=":material/done_all:",
            )  # fmt: skip


def show_problem(answer: SchedulesAnswer) -> None:
    """Why no schedule keeps the rules, where none does."""
    if answer.problem:
        st.error(f"{plain(answer.problem)} Below are the schedules without rules.", icon=":material/error:")


def show_metrics(answer: SchedulesAnswer, name: str, k: int) -> None:
    """The figures that matter: the invitations that are there, or random ones → the schedule that is taken."""
    before, taken = answer.compared, answer.schedules[name]
    n, what = answer.base.n_records, _before(answer)
    page.metrics(
        (
            _flagged("k, the smallest class of invitations", taken.k < k),
            words.change(f"{before.k:,}", f"{taken.k:,}"),
            glossary.linked(
                f"The fewest people who share what is known and the slot: {what} → {answer.title(name)}. "
                f"{answer.without} it is {answer.base.k:,}, and no schedule has more. This is the k of the "
                "invitations; the k in the sidebar is that of the file’s records.",
                "smallest class",
                "slot",
            ),
        ),
        (
            _flagged(f"People below k = {k}", taken.vector.people_below(k) > 0),
            words.change(f"{before.vector.people_below(k):,}", f"{taken.vector.people_below(k):,}"),
            glossary.linked(
                f"{words.share(taken.vector.people_below(k), n, 'people')} now; {answer.without.lower()} "
                f"{answer.base.people_below(k):,}. k is chosen on the Risk page.",
                "below k",
            ),
        ),
        (
            _flagged("People alone", taken.vector.people_below(2) > 0),
            words.change(f"{before.vector.people_below(2):,}", f"{taken.vector.people_below(2):,}"),
            glossary.linked(
                f"{words.share(taken.vector.people_below(2), n, 'people')} now: nobody else shares what is known about "
                f"them and their slot. {what.capitalize()} → the schedule that is taken.",
                "alone",
                "slot",
            ),
        ),
        *_figure_of_moved(answer, name),
        (
            "The best there is?",
            "Yes, proven" if taken.proven else "Not known",
            glossary.linked(f"{schedule.status(taken).capitalize()}. Found in {taken.seconds:.2g} s.", "proven"),
        ),
    )


def _figure_of_moved(answer: SchedulesAnswer, name: str) -> list[tuple[str, str, str]]:
    """How many people get another appointment, where they have one."""
    if answer.question.existing is None:
        return []
    moved, n = answer.people_moved(name), answer.base.n_records
    meaning = f"{words.share(moved, n, 'people')}: so many get another appointment than the one in the file."
    return [("People who move", f"{moved:,}", meaning)]


def _before(answer: SchedulesAnswer) -> str:
    return "random invitations" if answer.question.existing is None else "the appointments as they are"


def _flagged(label: str, risky: bool) -> str:
    """The label of a figure, with a red sign when people are below k by it."""
    return f"{label} :red[:material/error:]" if risky else label


def show_below(answer: SchedulesAnswer, name: str, k: int) -> None:
    """That the invitations themselves leave people below k, and whose k that is."""
    taken, base = answer.schedules[name].vector, answer.base
    below, anyway, alone = taken.people_below(k), base.people_below(k), taken.people_below(2)
    if not below:
        return
    how_many = "All" if anyway == below else f"{anyway:,}" if anyway else ""
    anyway_where = answer.without.lower() if answer.question.stays else "before any appointment"
    way_out = f"{how_many} of them are so {anyway_where}. " if how_many else ""
    way_out += "" if anyway == below else "Offer fewer and larger slots, or make what is known coarser. "
    st.warning(
        f"**The invitations do not reach k = {k}:** :red[{words.share(below, base.n_records, 'people')}] below it, "
        f"{words.count(alone, 'people') if alone else 'nobody'} alone. {way_out}This k is of what is known and the "
        "slot together; the k in the sidebar is of the file’s records.",
        icon=":material/warning:",
    )
    if anyway and answer.question.data is not None:
        st.page_link(page.GENERALIZE, label="Make what is known coarser", icon=":material/account_tree:")


def show_uninvited(question: SchedulesQuestion) -> None:
    """Who of the file gets no invitation, and what can be done about it."""
    missing, released = question.people.left_out, question.not_released
    whole = question.people.n_people + missing + released
    which = "." if question.is_elsewhere else ": “Not invited” is a list of them, under Invitations."
    if released:
        st.warning(
            f"**{words.share(released, whole, 'people')} get no invitation:** the recipe leaves them out of the "
            "release. Choose *Original* under “Look at” to invite everyone, let the recipe leave out fewer, or invite "
            f"them in another way{which}",
            icon=":material/person_off:",
        )
    if missing:
        st.warning(
            f"**{words.share(missing, whole, 'people')} get no invitation:** they lack a value of what is known, of "
            "their appointment or of what a rule looks at. Choose other columns, keep missing values as a value of "
            f"their own on the Data page, or invite them in another way{which}",
            icon=":material/person_off:",
        )


def show(answer: SchedulesAnswer, name: str, k: int) -> None:
    """What the invitations do that are there, or random ones, and what this schedule does."""
    base, before, taken = answer.base, answer.compared.vector, answer.schedules[name].vector
    compared = answer.question.compared
    if answer.question.rules and not answer.keeps_rules(name):
        st.markdown(f"**Careful:** {schedule.against_rules(answer, name)}.")
    n, alone, alone_anyway = base.n_records, taken.people_below(2), base.people_below(2)
    who = "anybody who knows them and their appointment finds their test."
    if compared == RANDOM:
        st.markdown(f"**At random**, {words.share(before.people_below(2), n, 'people')} would be alone: {who}")
    else:
        st.markdown(f"**As it is**, {words.share(before.people_below(2), n, 'people')} are alone: {who}")
    without = answer.without.lower()
    if name != EXISTING:
        does = f"{words.share(alone, n, 'people')} are alone" if alone else f"nobody is alone; k is {taken.k:,}"
        if taken == base:
            beside = ", and the appointment takes nothing away: the classes are those without it."
            beside = beside if not answer.question.stays else f": the classes are those {without}."
        elif alone:
            beside = f"; {without} {words.count(alone_anyway, 'people') if alone_anyway else 'nobody'} would be."
        else:
            beside = f", of {base.k:,} {without}."
        st.markdown(f"**{answer.title(name)}**: {does}{beside}")
    if name != compared:
        than = "random invitations" if compared == RANDOM else "now"
        st.markdown(f"**Compared with {than}:** {_gain(before, taken, k)}.")
        gain = results.improved(taken, before, base)
        if gain is not None:
            st.caption(
                f"The paper’s improvement is {results.signed(gain)}: of all anonymity vectors worse than the one "
                f"{without}, so many lie between the two. It ranks schedules and is no share of people."
            )
    if answer.schedules[name].proven:
        which = " that keeps the rules" if name == results.RULED else ""
        st.markdown(f"**Proven:** no schedule of these people and slots{which} has a smaller anonymity vector.")
    elif name in (results.OPTIMAL, results.RULED):
        st.markdown(f"**Not proven:** {schedule.status(answer.schedules[name])}.")
    st.caption(
        f"Anonymity vectors, how many classes have 1, 2, 3 … people: {without} {base.printed()}, {_name_of(compared)} "
        f"{before.printed()}" + ("." if name == compared else f", {answer.title(name)} {taken.printed()}.")
    )


def _name_of(compared: str) -> str:
    return compared[0].lower() + compared[1:]


def _gain(before: AnonymityVector, taken: AnonymityVector, k: int) -> str:
    """How many people fewer are alone, and below k, than before."""
    gains = (
        (before.people_below(2) - taken.people_below(2), "alone"),
        (before.people_below(k) - taken.people_below(k), f"below {k}"),
    )
    return ", ".join(
        f"{words.count(abs(gain), 'people')} {'fewer' if gain >= 0 else 'more'} {where}" for gain, where in gains
    )


# ---- the picture ----


_DRAW = "schedules-draw"


def random_draw() -> int:
    """The seed of the random invitations, which is asked for below what depends on it."""
    return keep.value(_DRAW, 1)


def show_picture(answer: SchedulesAnswer, k: int) -> tuple[SchedulesAnswer, str]:
    """All schedules as bars, and beside them the one that is taken.

    Returns the answer with what was changed by hand in that one, and its name.
    """
    drawn, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        order = (results.RULED, results.OPTIMAL, results.FEW, results.GREEDY, results.REFERENCE, RANDOM, EXISTING)
        options = [name for name in order if name in answer.schedules]
        name = keep.select(
            keep.per("schedules-taken", results.RULED in answer.schedules), "Schedule to take", options,
            format_func=answer.title, help="The one the numbers, the grid and the invitations are of.",
        )  # fmt: skip
        answer = another_slot.with_changes(answer, name)
        show(answer, name, k)
        keep.number(_DRAW, "Random draw", 1, 10_000, 1, help="Another number, other random invitations.")
    with drawn:
        vectors, before, taken = answer.vectors(), answer.compared, answer.schedules[name]
        bound = None if taken.proven else taken.bound
        page.figure(
            partial(plots.vectors, vectors, k, bound=bound, neutral=(answer.without,)),
            f"Bars of how many people are in classes of each size, for {words.count(len(vectors), 'schedules')} below "
            f"each other. Below k = {k} are {before.vector.people_below(k):,} people with {_before(answer)} and "
            f"{taken.vector.people_below(k):,} with {answer.title(name)}.",
            "schedules-vectors",
        )  # fmt: skip
        page.counts(
            "People by the size of their class: those who share what is known about them and their slot; red is below "
            "k. The best schedule has the fewest classes of one, then of two, and so on: generalized k-anonymity, "
            "Caballero et al. 2017, Definition 3."
        )
    return answer, name
