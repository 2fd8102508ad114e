"""What a released label means, in words: intervals, dates, masks, codes and groups."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

import numpy as np

from anonlib.coarsening.hierarchies import TOP
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Redaction, Rounding, ValueMap
from anonlib.columns.free_text import MARK
from anonlib.release.steps import GeneralizeLocally, MergeRare, Recode, ShiftDates, Step
from anonlib.release.steps.rare import OR
from anonlib.release.steps.step import Stage
from anonlib.values.cells import to_numbers
from anonlib.values.dates import to_dates
from anonlib.values.ranges import ranges_of_months, ranges_of_numbers

AS_IT_WAS = "as in the original"
WITHHELD = "withheld"
GROUP = "a group of values of the original"

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
_HALF_OPEN = re.compile(rf"\[({_NUMBER}), ({_NUMBER})\)")
_SPAN = re.compile(r"([0-9]+)-([0-9]+)")
_SIGNED_SPAN = re.compile(r"(-?[0-9]+) to (-?[0-9]+)")
_BELOW, _FROM = re.compile(rf"<({_NUMBER})"), re.compile(rf"({_NUMBER})\+")
_FIRST, _LAST, _HIDDEN = re.compile(r"([^*]+)\*+"), re.compile(r"\*+([^*]+)"), re.compile(r"\*+")


def meaning(label: str, steps: Sequence[Step], column: str = "") -> str:
    """What a label of a column means.

    Parameters
    ----------
    label : str
        A text that is in the release.
    steps : Sequence[Step]
        The steps that recoded the column, in their order; none where it leaves as it was.
    column : str, default ""
        Its name, by which a step for several columns tells what it does to this one.

    Returns
    -------
    str
        In lower case, without a full stop. No value of the original is named that is not in the label.

    Examples
    --------
    >>> meaning("30-39", [Recode("age", Intervals(10))]), meaning("90+", [Recode("age", Intervals(10, top=90))])
    ('from 30 to 39', '90 and above')
    >>> meaning("021**", [Recode("zip", Mask(3))]), meaning("flu", [])
    ('begins with 021', 'as in the original')
    """
    for step in reversed(steps):
        found = _after(label, step, column)
        if found:
            return found
    return AS_IT_WAS


def _after(label: str, step: Step, column: str) -> str:
    """What a label means by the step that may have made it; "" where the step left it as it was."""
    if label == TOP:
        return WITHHELD
    if isinstance(step, MergeRare) and step.level is not None:
        on_level = Recode(column, step.level)
        return OR.join(_after(part, on_level, column) or part for part in label.split(OR))
    if isinstance(step, MergeRare) and step.hierarchy is None:
        return "values of the original that few have, together" if label == step.other else ""
    if isinstance(step, ShiftDates):
        return "days since the first date of the person" if step.as_ == "since_first" else "a date that was moved"
    way = step.recoding if isinstance(step, Recode) else None
    match way:
        case Intervals():
            return _interval(label)
        case DateUnit():
            return _day(label) if way.unit == "day" else _date(label)
        case Rounding():
            return "" if np.isnan(to_numbers([label])[0]) else way.describe()
        case Mask():
            return _mask(label, way)
        case ValueMap():
            return _mapped(label, way)
        case CodeGroup():
            return way.meaning(label)
        case Redaction():
            return "a text in which marks such as [name] stand for what was found" if MARK.search(label) else ""
        case _ if step.stage is Stage.PLACES:
            return "a region of one or several areas of the original"
        case _:
            return _group_of_codes(label, step, column) or _interval(label) or _stars(label)


def _group_of_codes(label: str, step: Step, column: str) -> str:
    """What a label says of codes, where a step goes along a hierarchy of them."""
    hierarchy = None
    if isinstance(step, MergeRare):
        hierarchy = step.hierarchy
    elif isinstance(step, GeneralizeLocally):
        hierarchy = dict(step.hierarchies).get(column)
    groups = [level for level in hierarchy.recodings if isinstance(level, CodeGroup)] if hierarchy else []
    return next((group_meaning for group in groups if (group_meaning := group.meaning(label))), "")


def _interval(label: str) -> str:
    for pattern, wording in (
        (_HALF_OPEN, "from {0} to below {1}"), (_SPAN, "from {0} to {1}"), (_SIGNED_SPAN, "from {0} to {1}"),
        (_BELOW, "below {0}"), (_FROM, "{0} and above"),
    ):  # fmt: skip
        found = pattern.fullmatch(label)
        if found:
            return wording.format(*found.groups())
    return _range(label)


def _range(label: str) -> str:
    """A label as some column wrote its ranges: ``[70-80)``, ``(60, 80]``, ``20-39 years``."""
    found = ranges_of_numbers([label], np.array([np.nan]))
    if not found.fits[0]:
        return ""
    low, high = f"{found.low[0]:.15g}", f"{found.high[0]:.15g}"
    holds_low, holds_high = bool(found.holds_low[0]), bool(found.holds_high[0])
    if np.isinf(found.low[0]):
        return f"{'up to' if holds_high else 'below'} {high}"
    if np.isinf(found.high[0]):
        return f"{low} and above" if holds_low else f"above {low}"
    return f"{'from' if holds_low else 'above'} {low} {'to' if holds_high else 'to below'} {high}"


def _date(label: str) -> str:
    found = ranges_of_months([label])
    if not found.fits[0]:
        return ""
    (year, first), length = divmod(int(found.low[0]), 12), int(found.high[0] - found.low[0])
    last_year, last = divmod(int(found.high[0]) - 1, 12)
    if first == 0 and last == 11:
        return f"the year {year}" if year == last_year else f"the years {year} to {last_year}"
    if length == 1:
        return f"{calendar.month_name[first + 1]} {year}"
    began = calendar.month_name[first + 1] + (f" {year}" if year != last_year else "")
    return f"{began} to {calendar.month_name[last + 1]} {last_year}"


def _day(label: str) -> str:
    days = to_dates([label])
    if np.isnat(days[0]):
        return ""
    year, month, day = map(int, str(days[0]).split("-"))
    return f"{day} {calendar.month_name[month]} {year}"


def _mask(label: str, way: Mask) -> str:
    kept = label[: way.keep] if way.side == "start" else label[max(0, len(label) - way.keep) :]
    if not kept.strip(way.fill or None):
        return WITHHELD
    return f"{'begins' if way.side == 'start' else 'ends'} with {kept}"


def _mapped(label: str, way: ValueMap) -> str:
    if label == way.missing:
        return "missing in the original"
    if label == way.otherwise:
        return "all other values of the original"
    values = [value for value, given in way.labels_of if given == label]
    if not values or values == [label]:
        return ""
    return _interval(label) or _stars(label) or (GROUP if len(values) > 1 else "another name of one value")


def _stars(label: str) -> str:
    if _HIDDEN.fullmatch(label):
        return WITHHELD
    if found := _FIRST.fullmatch(label):
        return f"begins with {found[1]}"
    found = _LAST.fullmatch(label)
    return f"ends with {found[1]}" if found else ""
