"""Controls that several pages have: original or release, k, the axis of class sizes, a column's code system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.columns.codes import SYSTEMS, CodeSystem, fit
from anonlib.counting.classes import AnonymityVector
from anonlib.filing.languages import ENGLISH, languages
from anonlib.plots.risk import Scale, is_logarithmic
from anonlib.values.cells import Values
from ui.kit import glossary, page
from ui.server.private import DeltaGenerator
from ui.session import keep
from ui.session.state import session
from ui.text import printable

Version = Literal["Original", "Release", "Another file"]
ELSEWHERE: Version = "Another file"
_MOST_K = 50


def look_at(
    page: str, has_release: bool, *, why_not: str = "There is no recipe yet: add steps on the Release page.",
    place: Any = st, help: str = "The original file, or what the recipe makes of it.", elsewhere: bool = False,
) -> Version:  # fmt: skip
    """Whether a page looks at the original or at the release, which is what it begins with where there is one.

    With ``elsewhere`` it may look at a file made elsewhere too.
    """
    begin: Version = "Release" if has_release else "Original"
    offered: tuple[Version, ...] = ("Original", "Release")
    if elsewhere:
        offered = ("Original", "Release", ELSEWHERE) if has_release else ("Original", ELSEWHERE)
        help = f"{help} Or a file made of the original elsewhere, in which everybody is looked up."
        why_not = f"{help} {why_not}"
    return keep.segments(
        keep.per(f"{page}-look", has_release), "Look at", offered, begin, place=place,
        disabled=not has_release and not elsewhere, help=help if has_release else why_not,
    )  # fmt: skip


def look_elsewhere(page: str) -> None:
    """Let a page look at the file made elsewhere."""
    for has_release in (True, False):
        keep.put(keep.per(f"{page}-look", has_release), ELSEWHERE)


def ask_k(page: str, help: str, used: bool = True, place: Any = st) -> int:
    """The k of the Risk page, which can be changed on another page too; ``page`` is its address."""
    k = session().k
    return keep.number(
        f"{page}-k", "k", 2, max(_MOST_K, k), k, take=set_k, place=place, disabled=not used, help=help
    )  # fmt: skip


def set_k(k: int) -> None:
    """Take another k."""
    session().k = int(k)


def ask_scale() -> Scale:
    """The axis of the bars: even, logarithmic, or whichever lets the red ones be seen. One choice for both pages."""
    return keep.segments(
        "class-sizes-scale", "Axis of the bars", get_args(Scale), format_func=str.capitalize,
        help=glossary.linked(
            "Automatic: logarithmic where a bar below k would otherwise be too low to be seen.",
            "below k",
        ),
    )  # fmt: skip


def axis_in_words(vector: AnonymityVector, k: int, before: AnonymityVector | None, scale: Scale) -> str:
    """A sentence on the axis where it is not the usual one, with a space after it; empty where it is."""
    if not is_logarithmic(vector, k, before, scale):
        return ""
    why = ", because the bars below k would be too low to be seen" if scale == "automatic" else ""
    return f"The axis is logarithmic{why}. "


def ask_system(name: str, offered: Sequence[str], begin: str, *, place: Any = st, **options: Any) -> CodeSystem:
    """The control for the code system of a column; ``offered`` and ``begin`` are keys."""
    key = keep.select(
        name, "Codes of", offered, begin, place=place, format_func=lambda key: SYSTEMS[key].label,
        help="The systems that at least half of the values are codes of.", **options,
    )  # fmt: skip
    return SYSTEMS[key]


def show_strangers(system: CodeSystem, values: Values, records: np.ndarray) -> None:
    """How many values are no codes of the system and stay as they are, and which."""
    code_fit = fit(system, values, records)
    st.caption(code_fit.sentence())
    if code_fit.strangers:
        with st.expander("Which these are"):
            shown = pd.DataFrame({"Value": list(map(printable, code_fit.strangers)), "Records": code_fit.records})
            page.table(
                shown.head(1_000), f"Values that are no {system.label}", height=page.table_height(len(shown), 220)
            )


# ---- the language of what is filed and handed over ----


_NAME = "report-language"


def ask_language(place: DeltaGenerator) -> str:
    """The choice of a language, as its code."""
    return keep.select(
        _NAME, "Language", list(languages()), ENGLISH, place=place, format_func=languages().__getitem__,
        help="Of the report, and of the codebook on the Release page. What the file, its columns and the case are "
        "called is not translated.",
    )  # fmt: skip


def chosen_language() -> str:
    """The code of the language that was chosen, English until one was."""
    return keep.value(_NAME, ENGLISH, languages().__contains__)


def beside_a_name(language: str) -> str:
    """What a download in a language has beside its name, such as `` (Deutsch)``; nothing in English."""
    return "" if language == ENGLISH else f" ({languages()[language]})"


def in_a_file_name(language: str) -> str:
    """What the name of a file in a language ends with, such as ``-de``; nothing in English."""
    return "" if language == ENGLISH else f"-{language}"
