"""How to analyse a column whose cells leave at several levels, or empty, in plain words with a line of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.basics import words
from anonlib.coarsening.hierarchies import TOP
from anonlib.release.meanings import ReadLabels

_SPAN = re.compile(r"interval|decade|year|quarter|month|week")  # in what levels of numbers and dates are called
EMPTY_MAY_BE_BLANK = "missing in the original or blank, which of the two is not known"
"""What an empty cell means in what leaves: that no cell of a column was blanked would tell of the original, too."""
NOT_AT_RANDOM = (
    "Empty cells are no random sample: rare combinations are blanked first. Treat them as missing not at random: keep "
    "them as a category, or show how results change when they are left out or imputed."
)
"""How to treat empty cells, some of which may be blank."""
_SEVERAL_WIDTHS = (
    "Labels of several widths stand side by side: bring all to the widest of them before you count or compare."
)


def side_by_side(labels: ReadLabels) -> str:
    """What stands beside one another in a column, as its labels show; "" where they show nothing of the kind.

    Parameters
    ----------
    labels : ReadLabels
        Those that leave. Empty cells are none of them.
    """
    stand = (
        [] if labels.held is None else [f"labels of several widths, such as “{labels.held[0]}” and “{labels.held[1]}”"]
    )
    if labels.has_any_beside_others:
        stand.append(f"“{TOP}” beside other labels")
    return "; ".join(stand)


def advice(labels: ReadLabels, has_empty: bool) -> str:
    """How to analyse a column, in sentences with lines of code; "" where nothing is to be minded.

    Parameters
    ----------
    labels : ReadLabels
        Those that leave.
    has_empty : bool
        Whether cells leave empty, which may be blank or were missing.
    """
    several = [_SEVERAL_WIDTHS] if labels.held is not None else []
    are_spans = labels.held is not None and labels.is_range(labels.held[0])
    return " ".join([*several, *_notes(are_spans, labels.has_any_beside_others, has_empty)])


def advice_on(levels: Sequence[ColumnLevels], may_be_blank: Sequence[bool]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How to analyse several columns: a sentence for each with mixed labels, and what holds of any, once."""
    own = tuple(f"{column.column}: {text}" for column in levels if (text := _of_mixed(column)))
    mixed = [column for column in levels if column.is_mixed]
    parts = [part for column in mixed for part in column.parts]
    are_spans = any(part.kind == "coarser" and _SPAN.search(part.name) for part in parts)
    have_any = any(part.kind == "all together" for part in parts)
    are_empty = any(
        may and any(part.kind in ("blank", "missing already", "empty") for part in column.parts)
        for column, may in zip(levels, may_be_blank, strict=True)
    )
    return own, tuple(_notes(are_spans, have_any, are_empty))


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


def _notes(are_spans: bool, have_any: bool, may_be_blank: bool) -> Iterator[str]:
    """What is to be minded of labels of several widths, of ``*`` beside others and of empty cells, with code for it."""
    if are_spans:
        yield (
            "Numbers and dates in labels of several widths can also be treated as interval-censored, each somewhere "
            'between the ends of its label. R: survival::Surv(low, high, type = "interval2"); Stata: intreg low high; '
            "Python: lifelines, fit_interval_censoring."
        )
    if have_any:
        yield (
            f"“{TOP}” stands for any value and is not a category of its own; which cells have it depends on the "
            f'values, so treat it as missing not at random. R: is.na(x) = x == "{TOP}"; Python: x.mask(x == "{TOP}"); '
            f'Stata: replace x = "" if x == "{TOP}".'
        )
    if may_be_blank:
        yield NOT_AT_RANDOM
