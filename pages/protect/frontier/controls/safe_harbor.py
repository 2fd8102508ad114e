"""Safe Harbor as a policy to take: what it recodes, what else it demands, and the way into the recipe."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.columns.identifiers import kind_of_name
from anonlib.dataset import Dataset
from pages.protect.frontier.policy import add_to_recipe, risk_in_words
from pages.protect.frontier.question import Question
from pages.protect.frontier.results import point
from ui.kit import page
from ui.session import guard
from ui.text import plain

RULE = "Safe Harbor, 45 CFR 164.514(b)(2)"


def offer(question: Question, data: Dataset) -> None:
    """Take Safe Harbor as any policy is taken; what no recoding of these columns does stands beside it."""
    policy = question.safe_harbor
    if policy is not None:
        risk, loss = point(question, policy)
        recoded = page.listed(list(question.space.recode(policy)))
        st.markdown(
            f"**Safe Harbor** has risk {risk_in_words(question, risk)}, loss {words.percent(loss)}. "
            f"It recodes {recoded}."
        )
    st.button(
        "Take Safe Harbor into the recipe", icon=":material/playlist_add:", on_click=guard.action(add_to_recipe),
        args=(question, policy, RULE), disabled=policy is None,
        help=plain(question.no_safe_harbor)
        or "A recoding of each of these columns. Earlier steps on the same give way.",
    )  # fmt: skip
    st.caption(also_demanded(question, data))


def also_demanded(question: Question, data: Dataset) -> str:
    """What Safe Harbor demands besides, with the columns that it is about."""
    identifiers = [*data.identifiers, *([data.person_id] if data.person_id is not None else [])]
    kinds = {name: kind_of_name(name) for name in data.columns if name not in question.space.attributes}
    dates = [name for name, kind in kinds.items() if kind is not None and kind.group == "date"]
    dates = [name for name in dates if name not in identifiers]
    named = f" (here {page.listed(identifiers)})" if identifiers else ""
    dated = f" ({page.listed(dates)} not in this picture)" if dates else ""
    return (
        f"It also asks that names, numbers and all other identifiers of a person{named} are left out, that no date "
        f"is finer than its year{dated}, and that you know of no way to tell who somebody is."
    )
