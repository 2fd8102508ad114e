"""The ways to make a hierarchy, in the order in which they are offered."""

from __future__ import annotations

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Rounding
from pages.protect.generalize.hierarchies import of_codes, of_numbers, of_texts
from pages.protect.generalize.hierarchies.column import Way, between

WAYS: dict[str, Way] = {
    "widths": of_numbers.WIDTHS,
    "counts": of_numbers.COUNTS,
    "cuts": of_numbers.CUTS,
    "rounding": of_numbers.ROUNDING,
    "dates": of_texts.DATES,
    "codes": of_codes.CODES,
    "masks": of_texts.MASKS,
    "rare": of_texts.RARE,
}
HAND = "hand"
HAND_LABEL = "By hand"


def way_of(hierarchy: Hierarchy) -> str:
    """The way whose settings a hierarchy has; by hand where it has none of them."""
    levels = between(hierarchy)
    kinds = {type(recoding) for recoding in levels}
    if kinds == {Intervals}:
        return "cuts" if isinstance(levels[0], Intervals) and levels[0].cuts else "widths"
    names = {
        frozenset({Mask}): "masks",
        frozenset({DateUnit}): "dates",
        frozenset({Rounding}): "rounding",
        frozenset({CodeGroup}): "codes",
    }
    return names.get(frozenset(kinds), HAND)
