"""The Attack page's lines: the worst of what finds people, links them and guesses values, and what is concluded."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.verdict.attacks.attacking import AttackSettings
from anonlib.verdict.attacks.in_words import Worst, worst_of_each
from anonlib.verdict.attacks.knows_method import NAME, TERM, concluded
from anonlib.verdict.attacks.linkage import register_in_words
from pages.measure.attack.results import AttackQuestion, ByMethod, TriedAttacks
from ui.kit import glossary, uniqueness
from ui.session import view
from ui.text import plain

FOLD = "Who knows the method"


def show_lines(tried: TriedAttacks | None, by_method: ByMethod, question: AttackQuestion, unit: str) -> None:
    """Found, linked, guessed and concluded, the worst of each; before attacks were tried, who is alone."""
    if tried is None:
        if (data := view.now().data) is not None:
            uniqueness.show(data)
        with st.container(border=True):
            _show_concluded(by_method, unit)
        return
    if not tried.is_as_set:
        st.caption(
            f"Shown is what was tried last, with {_settings_in_words(tried.attacks.attacker)}. What is set now was not "
            "tried yet."
        )
    if tried.attacks.to_come:
        st.caption(f"So far: {words.count(tried.attacks.to_come, 'attacks')} were not tried yet.")
    with st.container(border=True, gap="small"):
        for worst in worst_of_each(tried.attacks, question.limit):
            st.markdown(_line(worst, question.limit), help=glossary.link(worst.name.lower()))
        _show_concluded(by_method, unit)
        verdict = view.now().counted_verdict_of(view.now().recipe)
        if verdict is not None and verdict.learned:
            st.markdown(f":material/visibility: **Learned** (attribute disclosure): {plain(verdict.learned)}")


def _line(worst: Worst, limit: float) -> str:
    """A kind with its colour and its sentence, as Markdown."""
    name, says = f"**{worst.name}** ({worst.term}): ", plain(worst.says)
    if worst.is_red is None:
        return f":material/help: {name}{says}"
    share = words.percent(limit)
    if worst.is_red:
        return f":red[:material/cancel:] {name}{says} **That is red: above {plain(share)}.**"
    return f":green[:material/check_circle:] {name}{says} Not red: {plain(share)} or less."


def _show_concluded(by_method: ByMethod, unit: str) -> None:
    st.markdown(_concluded(by_method, unit), help=glossary.link(NAME.lower()))


def _concluded(by_method: ByMethod, unit: str) -> str:
    """What somebody who knows the method concludes, as Markdown: red above nobody."""
    name = f"**{NAME}** ({TERM}): "
    if by_method.attack is None:
        says = by_method.why_not or f"Not known: it was not counted yet. “{FOLD}” below counts it."
        icon = ":green[:material/check_circle:]" if not by_method.is_open else ":material/help:"
        return f"{icon} {name}{plain(says)}"
    worst = concluded(by_method.attack, unit)
    if worst.is_red is None:
        return f":material/help: {name}{plain(worst.says)}"
    if worst.is_red:
        return f":red[:material/cancel:] {name}{plain(worst.says)} **That is red: above 0.**"
    return f":green[:material/check_circle:] {name}{plain(worst.says)}"


def _settings_in_words(attacker: AttackSettings) -> str:
    """What is set of attacks, for figures that are of other settings than those on screen."""
    columns = words.count(attacker.n_columns, "columns")
    return plain(
        f"{columns} of a condition, {register_in_words(attacker.register)} and {attacker.tries:,} tries of each attack"
    )
