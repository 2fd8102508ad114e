"""What a released label means, in words: intervals, dates, masks and groups."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from anonlib.hierarchies import TOP
from anonlib.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.release.steps import Recode, Step
from anonlib.release.steps.step import Stage

AS_IT_WAS = "as in the original"
WITHHELD = "withheld"
GROUP = "a group of values of the original"

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
_HALF_OPEN = re.compile(rf"\[({_NUMBER}), ({_NUMBER})\)")
_SPAN = re.compile(r"([0-9]+)-([0-9]+)")
_SIGNED_SPAN = re.compile(r"(-?[0-9]+) to (-?[0-9]+)")
_BELOW, _FROM = re.compile(rf"<({_NUMBER})"), re.compile(rf"({_NUMBER})\+")
_QUARTER, _MONTH = re.compile(r"([0-9]{4})-Q([1-4])"), re.compile(r"([0-9]{4})-([0-9]{2})")
_FIRST, _LAST, _HIDDEN = re.compile(r"([^*]+)\*+"), re.compile(r"\*+([^*]+)"), re.compile(r"\*+")


def meaning(label: str, steps: Sequence[Step]) -> str:
    """What a label of a column means.

    Parameters
    ----------
    label
        A text that is in the release.
    steps
        The steps that recoded the column, in their order; none where it leaves as it was.

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
        found = _after(label, step)
        if found:
            return found
    return AS_IT_WAS


def _after(label: str, step: Step) -> str:
    """What a label means by the step that may have made it; "" where the step left it as it was."""
    if label == TOP:
        return WITHHELD
    way = step.recoding if isinstance(step, Recode) else None
    match way:
        case Intervals():
            return _interval(label)
        case DateUnit():
            return _date(label)
        case Mask():
            return _mask(label, way)
        case ValueMap():
            return _mapped(label, way)
        case _ if step.stage is Stage.PLACES:
            return "a region of one or several areas of the original"
        case _:
            return _interval(label) or _stars(label)


def _interval(label: str) -> str:
    for pattern, said in (
        (_HALF_OPEN, "from {0} to below {1}"), (_SPAN, "from {0} to {1}"), (_SIGNED_SPAN, "from {0} to {1}"),
        (_BELOW, "below {0}"), (_FROM, "{0} and above"),
    ):  # fmt: skip
        found = pattern.fullmatch(label)
        if found:
            return said.format(*found.groups())
    return ""


def _date(label: str) -> str:
    if found := _QUARTER.fullmatch(label):
        first = 3 * int(found[2]) - 2
        return f"{calendar.month_name[first]} to {calendar.month_name[first + 2]} {found[1]}"
    if (found := _MONTH.fullmatch(label)) and 1 <= int(found[2]) <= 12:
        return f"{calendar.month_name[int(found[2])]} {found[1]}"
    return f"the year {label}" if re.fullmatch(r"[0-9]{4}", label) else ""


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
