"""How to analyse a column whose cells leave at several levels, or empty, in plain words with a line of code."""

from __future__ import annotations

from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.basics import words
from anonlib.coarsening.hierarchies import TOP

EMPTY_MAY_BE_BLANK = "missing in the original or blank, which of the two is not known"
"""What an empty cell means in a column where a step may have blanked cells."""
NOT_AT_RANDOM = (
    "Empty cells are no random sample: rare combinations are blanked first. Treat them as missing not at random: keep "
    "them as a category, or show how results change when they are left out or imputed."
)
"""How to treat empty cells, some of which may be blank."""


def side_by_side(levels: ColumnLevels) -> str:
    """The levels whose labels stand beside one another in a column, the finest first; "" where there is one.

    Empty cells are none of them.
    """
    if not levels.is_mixed:
        return ""
    return ", ".join(part.name for part in levels.parts if part.kind in ("as it was", "coarser", "all together"))


def advice(levels: ColumnLevels, may_be_blank: bool) -> str:
    """How to analyse a column, in sentences; "" where nothing is to be minded.

    Parameters
    ----------
    levels : ColumnLevels
        At which levels its cells leave. No share is named.
    may_be_blank : bool
        Whether a step may have blanked some of its cells.

    Returns
    -------
    str
        The same whether empty cells are blank, were missing already, or both.
    """
    sentences = [_of_mixed(levels)] if levels.is_mixed else []
    if may_be_blank and any(part.kind in ("blank", "missing already", "empty") for part in levels.parts):
        sentences.append(NOT_AT_RANDOM)
    return " ".join(sentences)


def _of_mixed(levels: ColumnLevels) -> str:
    """What to do with labels of several levels. ``*`` is no level that others could be brought to."""
    name = words.quoted([levels.column])
    telling = [part.name for part in levels.parts if part.kind in ("as it was", "coarser")]
    with_top = any(part.kind == "all together" for part in levels.parts)
    sentences = []
    if len(telling) > 1:
        sentences.append(
            f"Labels of {words.listed(telling)} stand side by side in {name}: bring all to the coarsest of them, "
            f"{telling[-1]}, before you count or compare, or treat numbers and dates as interval-censored, each "
            "somewhere between the ends of its label (R: survival::Surv(low, high, type = “interval2”); Stata: intreg "
            "low high; Python: lifelines, fit_interval_censoring)."
        )
    if with_top:
        sentences.append(
            f"“{TOP}” in {name} stands for any value and not for a category of its own; which cells have it depends on "
            f"the values, so treat it as missing not at random (R: x[x == “{TOP}”] <- NA; Python: x.mask(x == "
            f"“{TOP}”); Stata: replace x = “” if x == “{TOP}”)."
        )
    return " ".join(sentences)
