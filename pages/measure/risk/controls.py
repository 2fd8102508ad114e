"""The Risk page's controls: the thresholds, and whether to look at the original or the release."""

from __future__ import annotations

from typing import Any

import streamlit as st

from anonlib.basics import words
from anonlib.basics.thresholds import PRESETS
from ui.kit import glossary, page, population, shared_controls
from ui.session import keep
from ui.session.state import session

CUSTOM = "own choice"


def ask(has_recipe: bool) -> shared_controls.Version:
    """The controls in one row; returns which data set the page looks at."""
    preset, k, threshold, version_place, more = page.beside(3, 3, 3, 3, 2, gap="small", align="bottom")
    _ask_preset(preset)
    keep.slider(
        "risk-k", "k: smallest class you accept", 2, 50, session().k, take=shared_controls.set_k, place=k,
        help=glossary.linked(
            "Every record should share all its quasi-identifiers with at least k − 1 others. Verdict, Release and "
            f"Report compare with the k that the recipient is asked for, {session().aim.k:,}.",
            "smallest class", "quasi-identifier",
        ),
    )  # fmt: skip
    _ask_threshold(threshold)
    looked = shared_controls.look_at("risk", has_recipe, place=version_place)
    with more, st.popover("More"):
        keep.toggle(
            "risk-apart", "Set the risk threshold apart from k", session().own_threshold is not None, take=_set_apart,
            help=glossary.linked(
                "To read a printed threshold strictly: 9% is missed by classes of 11, whose risk is 9.09%.",
                "k", "threshold",
            ),
        )  # fmt: skip
        population.show()
    return looked


def _ask_preset(place: Any) -> None:
    apart = session().own_threshold is not None
    matching = next((preset.title for preset in PRESETS if preset.k == session().k and not apart), CUSTOM)
    offered = [preset.title for preset in PRESETS] + ([CUSTOM] if matching == CUSTOM else [])
    keep.select(
        "risk-preset", "Threshold", offered, matching, take=_apply_preset, place=place,
        help="\n".join(f"- **{preset.title}**: {preset.source} {preset.note}" for preset in PRESETS)
        + f"\n\n{glossary.link('threshold')}",
    )  # fmt: skip


def _ask_threshold(place: Any) -> None:
    if session().own_threshold is not None:
        keep.slider(
            "risk-threshold", "Risk threshold, in %", 0.5, 50.0, round(100 * session().threshold, 2), 0.01, "%.3g%%",
            take=_set_threshold, place=place,
            help=glossary.linked(
                "A record is at risk when its probability of being re-identified is above this.",
                "threshold",
            ),
        )  # fmt: skip
    else:
        place.markdown(
            f"Risk threshold: 1 / k = **{words.percent(session().threshold)}**",
            help=glossary.linked(
                "The same in other words: a record in a class below k is at risk, and no other. It can be set apart "
                "from k under More.",
                "k",
                "threshold",
            ),
        )


def _apply_preset(title: str) -> None:
    chosen = next((preset for preset in PRESETS if preset.title == title), None)
    if chosen is not None:
        session().k, session().own_threshold = chosen.k, None


def _set_threshold(percent: float) -> None:
    session().own_threshold = round(percent / 100, 4)


def _set_apart(apart: bool) -> None:
    """Set the threshold apart from k, or tie it to k again."""
    session().own_threshold = session().threshold if apart else None
