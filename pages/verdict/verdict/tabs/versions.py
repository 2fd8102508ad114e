"""Versions of the recipe that are kept by a name, to be compared and taken back."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.filing.project import MOST_VARIANTS, Variant
from ui.session import decide, guard, keep, view
from ui.session.state import session
from ui.text import plain

_NAME = "verdict-version-name"


def show(taken: Collection[str]) -> None:
    """Keep the recipe as it is now, and what becomes of the versions kept; ``taken`` are names that are in use."""
    _ask_to_keep(taken)
    for place, variant in enumerate(session().variants):
        _show_kept(place, variant)


def _ask_to_keep(taken: Collection[str]) -> None:
    why_not = _why_not()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        keep.text(_NAME, "Name of this version", _next_name(), width=300)
        st.button(
            "Keep this version", key="verdict-version-keep", icon=":material/bookmark_add:",
            on_click=guard.action(_keep), args=(tuple(taken),), disabled=bool(why_not),
            help=plain(why_not) or "The recipe as it is now stays as a row and a point, whatever you change. It is "
            "saved with the project.",
        )  # fmt: skip


def _next_name() -> str:
    """“Version 1”, or the first number that is not in use."""
    names = {variant.name.casefold() for variant in session().variants}
    return next(name for i in range(1, MOST_VARIANTS + 2) if (name := f"Version {i}").casefold() not in names)


def _why_not() -> str:
    """Why the recipe cannot be kept now; "" where it can."""
    variants, recipe = session().variants, view.now().recipe
    if not recipe.enabled:
        return "The recipe has no steps yet: it releases the original."
    same = next((variant.name for variant in variants if variant.recipe.digest == recipe.digest), "")
    if same:
        return f"The recipe as it is now is kept as “{same}”."
    if len(variants) >= MOST_VARIANTS:
        return f"{MOST_VARIANTS} versions can be kept. Remove one first."
    return ""


def _keep(taken: tuple[str, ...]) -> None:
    variant = Variant(keep.value(_NAME, _next_name()), view.now().recipe)
    if variant.name.casefold() in {other.casefold() for other in taken}:
        raise InputError(f"The name “{variant.name}” is in use. Choose another.", code="name-taken")
    session().variants = (*session().variants, variant)
    session().notice = f"Kept: {variant.name}."
    keep.forget(_NAME)


def _show_kept(place: int, variant: Variant) -> None:
    in_use = variant.recipe.digest == view.now().recipe.digest
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Take back", key=f"verdict-version-take-{place}", icon=":material/history:", disabled=in_use,
            on_click=guard.action(_take_back), args=(variant,),
            help="It is what the recipe does." if in_use else "Makes it the recipe. You can undo it.",
        )  # fmt: skip
        st.button(
            "Remove", key=f"verdict-version-remove-{place}", icon=":material/delete:",
            on_click=guard.action(_remove), args=(variant,), help="Keeps it no longer. You can undo it.",
        )  # fmt: skip
        st.markdown(f"**{plain(variant.name)}**, {words.count(len(variant.recipe), 'steps')}")


def _take_back(variant: Variant) -> None:
    decide.set_recipe(variant.recipe)
    session().notice = f"{variant.name} is the recipe again."


def _remove(variant: Variant) -> None:
    session().variants = tuple(other for other in session().variants if other != variant)
