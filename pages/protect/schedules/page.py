"""Schedules: invite people so that centre, date and hour give nobody away."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.plots import schedules as plots
from pages.protect.schedules import in_words, results, slots, tabs
from pages.protect.schedules.experiments import show_experiments
from pages.protect.schedules.results import RANDOM, Result
from pages.protect.schedules.settings import Asked, ask
from ui import explain, guard, page, state
from ui.text import plain

SAMPLE = "screening_county"


# ---- the picture ------------------------------------------------------------------------------------------------


def show_picture(result: Result, k: int) -> str:
    """All schedules as bars, and which of them is taken: its name."""
    picture, side = page.beside(2, 1)
    with side, st.container(border=True, height="stretch"):
        names = [name for name in (results.RULED, results.OPTIMAL, results.GREEDY, results.REFERENCE, RANDOM)
                 if name in result.schedules]  # fmt: skip
        setting, titles = f"schedules-taken-{len(names)}", tuple(map(result.title, names))
        # A selectbox for each set of titles: the browser goes on showing the title that was chosen, though what was
        # the best found is proven to be the optimum by now.
        name = st.selectbox(
            "Schedule to take", names, names.index(state.setting(setting, names[0], names)), format_func=result.title,
            key=f"schedules-taken-{hash(titles)}", help="The one the numbers, the grid and the invitations are of.",
        )  # fmt: skip
        st.session_state[state.kept(setting)] = name
        in_words.in_words(result, name, k)
        st.number_input(
            "Random draw", 1, 10_000, state.setting("schedules-draw", 1), key=state.kept("schedules-draw"),
            help="Another number, other random invitations.",
        )  # fmt: skip
    with picture:
        random, taken = result.schedules[RANDOM], result.schedules[name]
        page.figure(
            plots.vectors(
                result.vectors(), k, bound=None if taken.proven else taken.bound,
                neutral=(results.WITHOUT,), dark=page.dark(),
            ),
            f"Bars of how many people are in classes of each size, for "
            f"{words.count(len(result.vectors()), 'schedules')} below each other. Below k = {k} are "
            f"{random.vector.people_below(k):,} people with random invitations and "
            f"{taken.vector.people_below(k):,} with {result.title(name)}.",
            "schedules-vectors",
        )  # fmt: skip
        page.counts(
            "People by the size of their class: those who share what is known about them and their slot; red is below "
            "k. The best schedule has the fewest classes of one, then of two, and so on: generalized k-anonymity, "
            "Caballero et al. 2017, Definition 3."
        )
    return name


def asked_for(data: Dataset | None) -> Asked | None:
    """What is asked for; None after the sentence why it cannot be scheduled: the slots can be mended below."""
    try:
        return ask(data)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def waits() -> None:
    """A view that has nothing to show yet."""
    st.markdown("Nothing to show yet: the sentence above says what is missing.")


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header("Schedules", "How can people be invited so that centre, date and hour give nobody away?")
    data = state.dataset()
    if data is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Nothing is loaded:** these people and slots are made up, as in the paper’s experiments.")
            st.page_link(page.DATA, label="Load a file", icon=":material/upload_file:")
            st.button(
                "Try with a county to invite", on_click=guard.action(page.open_sample), args=(SAMPLE,),
                icon=":material/science:",
            )  # fmt: skip
    elif not data.quasi_identifiers and state.suggestions():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**No quasi-identifiers are chosen.** Choose below what is known about people, or")
            st.button(
                "Accept all suggested roles",
                on_click=guard.action(state.accept_suggestions),
                icon=":material/done_all:",
            )
    controls, shown = st.container(), st.container()  # always there, or the table of slots below would be made anew
    k = state.session().k
    views: dict[str, Callable[[], object]] = dict.fromkeys(("Compare", "Grid", "Invitations", "Slots"), waits)
    views["Change slots"] = partial(slots.show_change, None)
    with controls:
        asked = asked_for(data)
    if asked is not None:
        with shown:
            warned, metrics = st.container(), st.container()
            with warned:
                in_words.show_uninvited(asked)
            draw = state.setting("schedules-draw", 1)
            result = results.results(asked, int(draw))
            if result.problem:
                warned.error(f"{plain(result.problem)} Below are the schedules without rules.", icon=":material/error:")
            name = show_picture(result, k)
            with metrics:
                in_words.show_metrics(result, name, k)
                in_words.show_below(result, name, k)
        views["Compare"] = partial(tabs.show_comparison, result, k)
        views["Grid"] = partial(tabs.show_grid, result, name, k)
        views["Invitations"] = partial(tabs.show_invitations, result, name)
        views["Slots"] = partial(tabs.show_slots, result, name)
        views["Change slots"] = partial(slots.show_change, None if asked.from_table else asked.slots)
    views["The paper’s experiments"] = show_experiments
    views["How it works"] = partial(explain.show, "schedules")
    page.tabs("schedules-tabs", views)


show_page()
