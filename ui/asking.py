"""Controls that several pages have."""

from __future__ import annotations

import streamlit as st

from ui import guard, state

_MOST_K = 50


def ask_k(page: str, help: str, used: bool = True) -> int:
    """The k of the Risk page, which can be changed on another page too; ``page`` is its address."""
    session = state.session()
    key = f"{page}-k"
    k = st.number_input(
        "k", 2, max(_MOST_K, session.k), session.k, key=key, on_change=guard.action(_take_k), args=(key,),
        disabled=not used, help=help,
    )  # fmt: skip
    return int(k)


def _take_k(key: str) -> None:
    state.session().k = int(st.session_state[key])
