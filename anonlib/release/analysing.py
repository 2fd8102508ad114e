"""How to analyse a column whose cells leave at several levels, or empty, in plain words with a line of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.basics import words
from anonlib.coarsening.hierarchies import TOP

_SPAN = re.compile(r"interval|decade|year|quarter|month|week")  # in what levels of numbers and dates are called
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
    """How to analyse a column, in sentences with lines of code; "" where nothing is to be minded.

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
    return " ".join([_of_mixed(levels), *_notes([levels], [may_be_blank])]).strip()


def advice_on(levels: Sequence[ColumnLevels], may_be_blank: Sequence[bool]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How to analyse several columns: a sentence for each with mixed labels, and what holds of any, once."""
    own = tuple(f"{column.column}: {text}" for column in levels if (text := _of_mixed(column)))
    return own, tuple(_notes(levels, may_be_blank))


def _of_mixed(levels: ColumnLevels) -> str:
    """What to do with labels of several levels that overlap; "" without. ``*`` is none that others could be brought
    to."""
    telling = [part for part in levels.parts if part.kind in ("as it was", "coarser")]
    if not levels.is_mixed or levels.is_one_rule or len(telling) < 2:
        return ""
    stand = words.listed(["values as they were" if part.kind == "as it was" else part.name for part in telling])
    return (
        f"{stand[0].upper()}{stand[1:]} stand side by side: bring all to the coarsest of them, {telling[-1].name}, "
        "before you count or compare."
    )


def _notes(levels: Sequence[ColumnLevels], may_be_blank: Sequence[bool]) -> Iterator[str]:
    """What is to be minded of any of these columns, with the lines of code for it."""
    mixed = [column for column in levels if column.is_mixed]
    if any(part.kind == "coarser" and _SPAN.search(part.name) for column in mixed for part in column.parts):
        yield (
            "Numbers and dates in labels of several widths can also be treated as interval-censored, each somewhere "
            'between the ends of its label. R: survival::Surv(low, high, type = "interval2"); Stata: intreg low high; '
            "Python: lifelines, fit_interval_censoring."
        )
    if any(part.kind == "all together" for column in mixed for part in column.parts):
        yield (
            f"“{TOP}” stands for any value and is not a category of its own; which cells have it depends on the "
            f'values, so treat it as missing not at random. R: is.na(x) = x == "{TOP}"; Python: x.mask(x == "{TOP}"); '
            f'Stata: replace x = "" if x == "{TOP}".'
        )
    empty = ("blank", "missing already", "empty")
    pairs = zip(levels, may_be_blank, strict=True)
    if any(may and any(part.kind in empty for part in column.parts) for column, may in pairs):
        yield NOT_AT_RANDOM
