"""Controls that several pages have, and what they do."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.session import keep
from ui.session.state import session

_MOST_K = 50


def ask_k(page: str, help: str, used: bool = True, place: Any = st) -> int:
    """The k of the Risk page, which can be changed on another page too; ``page`` is its address."""
    k = session().k
    return keep.number(
        f"{page}-k", "k", 2, max(_MOST_K, k), k, take=set_k, place=place, disabled=not used, help=help
    )  # fmt: skip


def set_k(k: int) -> None:
    """Take another k."""
    session().k = int(k)
