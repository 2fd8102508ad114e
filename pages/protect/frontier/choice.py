"""Which policy of the frontier is looked at: by a click, along the slider, or as Safe Harbor is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from anonlib import words
from anonlib.frontier import Frontier
from pages.protect.frontier import results
from pages.protect.frontier.settings import Asked
from ui import guard, state

RISK, LOSS = "risk", "loss"


def ask(asked: Asked, found: Frontier) -> int:
    """The position of the policy that is chosen; the slider and the buttons that choose another."""
    position = chosen(asked, found)
    if len(found) > 1:
        st.slider(
            "Policy: from the least risk to the most detail", 1, len(found), position + 1,
            key=(key := _slider(found)), on_change=guard.action(_slide), args=(asked, found, key),
            help="Every policy on the frontier, in order. A click on a point of the picture chooses it too.",
        )  # fmt: skip
    _presets(asked, found)
    return position


def chosen(asked: Asked, found: Frontier) -> int:
    """The position of the policy that is chosen; at first as safe as Safe Harbor, or nearest to no risk and no loss."""
    kind, value, bits = state.session().policies.get(asked.plane.key, ("", 0.0, b""))
    if not kind and asked.safe_harbor is not None:
        kind, value = RISK, results.point(asked, asked.safe_harbor.tobytes())[0]
    for tied in np.flatnonzero(found.risk == value) if bits else ():
        if found.policies[tied].tobytes() == bits:
            return int(tied)
    if kind == RISK:
        position = found.least_loss(value)
    elif kind == LOSS:
        position = found.least_risk(value)
    else:
        position = found.nearest(risk=0.0, loss=0.0)
    return 0 if position is None else position


def choose(asked: Asked, found: Frontier, kind: str, value: float) -> None:
    """Choose the policy that loses least at a risk, or risks least at a loss, also of a better frontier to come."""
    _take(asked, kind, value, b"")


def take_point(key: str, asked: Asked, found: Frontier) -> None:
    """Choose the point that was clicked in a picture."""
    points = st.session_state[key].selection.points
    if points and points[0].get("customdata") is not None:
        position = int(np.ravel(points[0]["customdata"])[0])
        _take(asked, RISK, float(found.risk[position]), found.policies[position].tobytes())


def _presets(asked: Asked, found: Frontier) -> None:
    middle = found.nearest(risk=0.0, loss=0.0)
    with st.container(horizontal=True):
        if asked.safe_harbor is not None:
            risk, loss = results.point(asked, asked.safe_harbor.tobytes())
            safe = partial(choose, asked, found, RISK, risk)
            _preset("As safe", safe, f"As Safe Harbor: the least loss at a risk of at most {words.percent(risk)}.")
            detailed = partial(choose, asked, found, LOSS, loss)
            _preset(
                "As detailed", detailed, f"As Safe Harbor: the least risk at a loss of at most {words.percent(loss)}."
            )
        if asked.plane.risk.key == "below_k":
            holds = partial(choose, asked, found, RISK, 0.0)
            none = "" if found.least_loss(0.0) is not None else "No policy found so far holds this k."
            _preset(f"k = {asked.plane.k} holds", holds, "The least loss with nobody in a group below k.", none)
        balanced = partial(choose, asked, found, RISK, float(found.risk[middle]))
        _preset("Middle", balanced, "The policy nearest to no risk and no loss.")


def _preset(label: str, action: Callable[[], None], help: str, why_not: str = "") -> None:
    st.button(
        label, key=f"frontier-preset-{label}", on_click=guard.action(action), help=why_not or help,
        disabled=bool(why_not),
    )  # fmt: skip


def _take(asked: Asked, kind: str, value: float, bits: bytes) -> None:
    """Choose otherwise than by the slider: it is made anew, and what the one of before still says is no choice."""
    session = state.session()
    session.policies[asked.plane.key] = (kind, value, bits)
    session.taken += 1


def _slide(asked: Asked, found: Frontier, key: str) -> None:
    if key != _slider(found):
        return
    position = int(st.session_state[key]) - 1
    state.session().policies[asked.plane.key] = (RISK, float(found.risk[position]), found.policies[position].tobytes())


def _slider(found: Frontier) -> str:
    """The slider of these very policies: positions mean others once more are found."""
    digest = hashlib.sha256(found.risk.tobytes() + found.loss.tobytes()).hexdigest()
    return f"frontier-position-{digest[:16]}-{state.session().taken}"
