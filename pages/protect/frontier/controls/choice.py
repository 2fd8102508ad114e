"""Which policy of the frontier is looked at: by a click, along the slider, or as Safe Harbor is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import streamlit as st

from anonlib.analyses.frontier import Frontier, PolicySummary
from anonlib.basics import words
from anonlib.columns.identifiers import kind_of_name
from anonlib.dataset import Dataset
from pages.protect.frontier import releases
from pages.protect.frontier.policy import (
    EARLY,
    OF_FRONTIER,
    add_to_recipe,
    in_words,
    risk_in_words,
    say_columns,
    summary_of,
)
from pages.protect.frontier.releases import ReleaseOnMap
from pages.protect.frontier.results import FrontierQuestion, point, point_of_safe_harbor
from ui.kit import glossary, page
from ui.session import guard, keep, state
from ui.text import plain

RISK, LOSS = "risk", "loss"


@dataclass(frozen=True)
class Choice:
    """A policy by its risk or its loss, so that it is found on a better frontier too; ``policy`` where it was that one.

    Attributes
    ----------
    kind : RISK, the policy that loses least at a risk; or LOSS, the one that risks least at a loss.
    value : that risk or loss, in [0, 1].
    policy : the bytes of the very policy, taken while the frontier has it.
    """

    kind: str
    value: float
    policy: bytes = b""


@dataclass(frozen=True)
class Policies:
    """The policies that the officer chose, by the key of their plane, or set aside, by that of their space."""

    chosen: Mapping[str, Choice] = field(default_factory=dict)
    aside: Mapping[str, np.ndarray] = field(default_factory=dict)


def show(question: FrontierQuestion, frontier: Frontier, others: Sequence[ReleaseOnMap]) -> tuple[int, PolicySummary]:
    """The policy that is chosen, in words, and the next step; returns its position and figures.

    Where one of the other releases is looked at, that is shown in its place, and the figures are its.
    """
    position = _ask(question, frontier)
    policy = frontier.policies[position]
    if (release := releases.chosen(question, others)) is not None:
        releases.show_chosen(question, release)
        return position, release.figures
    in_words(question, policy)
    st.button(
        "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(add_to_recipe),
        args=(question, policy, EARLY if frontier.ended_early else OF_FRONTIER),
        help="One recoding a column. Earlier steps on the same columns give way.",
    )  # fmt: skip
    say_columns(question, policy)
    return position, summary_of(question, policy)


def _ask(question: FrontierQuestion, frontier: Frontier) -> int:
    """The position of the policy that is chosen; the slider and the buttons that choose another."""
    position = chosen(question, frontier)
    if len(frontier) > 1:
        keep.slider(
            "frontier-position", "Policy: from the least risk to the most detail", 1, len(frontier), position + 1,
            take=partial(_slide, question, frontier),
            help=glossary.linked(
                "Every policy on the frontier, in order. A click on a point of the picture chooses it too.",
                "policy", "frontier",
            ),
        )  # fmt: skip
    _presets(question, frontier)
    return position


def chosen(question: FrontierQuestion, frontier: Frontier) -> int:
    """The position of the policy that is chosen; at first as safe as Safe Harbor, or nearest to no risk and no loss."""
    choice = state.part(Policies).chosen.get(question.plane.key)
    safe_harbor = point_of_safe_harbor(question)
    if choice is None and safe_harbor is not None:
        choice = Choice(RISK, safe_harbor[0])
    if choice is None:
        return frontier.nearest(risk=0.0, loss=0.0)
    for tied in np.flatnonzero(frontier.risk == choice.value) if choice.policy else ():
        if frontier.policies[tied].tobytes() == choice.policy:
            return int(tied)
    position = frontier.least_loss(choice.value) if choice.kind == RISK else frontier.least_risk(choice.value)
    return 0 if position is None else position


def take_point(key: str, question: FrontierQuestion, frontier: Frontier, others: Sequence[ReleaseOnMap]) -> None:
    """Choose the point that was clicked in a picture: a policy, or one of the other releases."""
    points = keep.reported(key).selection.points
    if not points or points[0].get("customdata") is None:
        return
    number = int(np.ravel(points[0]["customdata"])[0])
    if number < 0:
        releases.choose(question, releases.at(others, -1 - number))
        return
    point = float(frontier.risk[number]), float(frontier.loss[number])
    on_top = next((mark for mark, at in enumerate(releases.marks(others)) if at.point == point), None)
    _take_position(question, frontier, number)
    if on_top is not None:  # its mark hides the point of the policy, which the slider shows
        releases.choose(question, releases.at(others, on_top))


def set_aside(question: FrontierQuestion, policy: np.ndarray) -> None:
    """Set a policy aside, to be compared with others."""
    aside = state.part(Policies).aside
    state.change_part(Policies, aside={**aside, question.space.key: policy})


def aside(question: FrontierQuestion) -> np.ndarray | None:
    """The policy that was set aside, where there is one."""
    return state.part(Policies).aside.get(question.space.key)


def _slide(question: FrontierQuestion, frontier: Frontier, number: int) -> None:
    _take_position(question, frontier, number - 1)


def _take_position(question: FrontierQuestion, frontier: Frontier, position: int) -> None:
    _take(question, Choice(RISK, float(frontier.risk[position]), frontier.policies[position].tobytes()))


def _take(question: FrontierQuestion, choice: Choice) -> None:
    releases.choose(question, None)
    state.change_part(Policies, chosen={**state.part(Policies).chosen, question.plane.key: choice})


def _presets(question: FrontierQuestion, frontier: Frontier) -> None:
    middle = frontier.nearest(risk=0.0, loss=0.0)
    with st.container(horizontal=True):
        if (safe_harbor := point_of_safe_harbor(question)) is not None:
            risk, loss = safe_harbor
            safe, detailed = (partial(_take, question, Choice(*at)) for at in ((RISK, risk), (LOSS, loss)))
            _preset(
                "As safe",
                safe,
                glossary.linked(
                    f"As Safe Harbor: the least loss at a risk of at most {words.percent(risk)}.", "Safe Harbor"
                ),
            )
            _preset(
                "As detailed",
                detailed,
                glossary.linked(
                    f"As Safe Harbor: the least risk at a loss of at most {words.percent(loss)}.", "Safe Harbor"
                ),
            )
        if question.plane.risk.key == "below_k":
            holds = partial(_take, question, Choice(RISK, 0.0))
            none = "" if frontier.least_loss(0.0) is not None else "No policy found so far holds this k."
            _preset(
                f"k = {question.plane.k} holds",
                holds,
                glossary.linked("The least loss with nobody in a class below k.", "below k"),
                none,
            )
        balanced = partial(_take, question, Choice(RISK, float(frontier.risk[middle])))
        _preset("Middle", balanced, glossary.linked("The policy nearest to no risk and no loss.", "policy"))


def _preset(label: str, action: Callable[[], None], help: str, why_not: str = "") -> None:
    st.button(
        label, key=f"frontier-preset-{label}", on_click=guard.action(action), help=why_not or help,
        disabled=bool(why_not),
    )  # fmt: skip


# ---- Safe Harbor as a policy to take ----


RULE = "Safe Harbor, 45 CFR 164.514(b)(2)"


def offer_safe_harbor(question: FrontierQuestion, data: Dataset) -> None:
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


def also_demanded(question: FrontierQuestion, data: Dataset) -> str:
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
