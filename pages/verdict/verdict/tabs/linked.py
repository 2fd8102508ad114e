"""With and without the column that tells whose rows are whose: both verdicts side by side."""

from __future__ import annotations

import streamlit as st

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope, Unlink
from pages.verdict.verdict.results import lights
from ui.kit import page
from ui.session import decide, guard, view
from ui.session.state import session
from ui.text import plain

TAB = "Linked and unlinked"


def show(data: Dataset) -> None:
    """The verdict on what the recipe makes with the person id, and without it."""
    person = data.person_id
    assert person is not None
    name, recipe = plain(person, 30), view.now().recipe
    places = [i for i, entry in enumerate(recipe.entries) if entry.enabled and entry.step.drops == (person,)]
    stays = person in session().aim.fixed and not places
    linked = recipe.switch(places[0], False) if places else recipe
    unlinked = recipe if places else recipe.take([Unlink(person)], data)
    for place, i in zip(page.beside(1, 1, gap="small"), (0, 1), strict=True):
        with place, st.container(border=True, height="stretch"):
            st.markdown(
                f"**{'Without' if i else 'With'} {name}**" + (" (the recipe)" if bool(places) == bool(i) else "")
            )
            if i and stays:
                st.caption(f"{name} must stay, as you see under “Must stay as they are”.")
                continue
            _show_verdict(unlinked if i else linked)
            if i:
                st.caption(
                    "What takes several rows of a person can then not be analysed: whether somebody came again, or "
                    "what changed."
                )
                st.button(
                    "In the recipe" if places else f"Leave without {name}", key="verdict-unlink", disabled=bool(places),
                    icon=":material/link_off:", on_click=guard.action(_unlink), args=(person,),
                    help="It is what the recipe does." if places else "Adds a step to the recipe. You can undo it.",
                )  # fmt: skip
            else:
                st.caption("Somebody may know that rows are of one person, and put all that they hold together.")
    page.counts(
        "Without the person id, rows count as linked all the same where columns that do not change for a person, or "
        "for few, such as a birth date, are shared by fewer than k persons. No proposal leaves it out: that would cost "
        "no cell, and always be taken."
    )


def _show_verdict(recipe: Recipe) -> None:
    verdict = view.now().verdict_of(recipe)
    if verdict is None:
        return
    st.metric("Criteria met", f"{len(verdict.findings) - len(verdict.against):,} of {len(verdict.findings):,}")
    st.markdown(plain(verdict.says))
    st.markdown(lights(verdict))


def _unlink(person: str) -> None:
    decide.take([Unlink(person)], (), Scope.COLUMN, view.now().data)
