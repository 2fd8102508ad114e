"""The picture of class sizes on the pages Risk and Release: its axis, in a control and in words."""

from __future__ import annotations

from typing import get_args

from anonlib.counting.classes import AnonymityVector
from anonlib.plots.risk import Scale, is_logarithmic
from ui.session import keep


def ask_scale() -> Scale:
    """The axis of the bars: even, logarithmic, or whichever lets the red ones be seen. One choice for both pages."""
    return keep.segments(
        "class-sizes-scale", "Axis of the bars", get_args(Scale), format_func=str.capitalize,
        help="Automatic: logarithmic where a bar below k would otherwise be too low to be seen.",
    )  # fmt: skip


def axis_in_words(vector: AnonymityVector, k: int, before: AnonymityVector | None, scale: Scale) -> str:
    """A sentence on the axis where it is not the usual one, with a space after it; empty where it is."""
    if not is_logarithmic(vector, k, before, scale):
        return ""
    why = ", because the bars below k would be too low to be seen" if scale == "automatic" else ""
    return f"The axis is logarithmic{why}. "
