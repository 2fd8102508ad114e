"""What the labels of a release mean by themselves, in words, and which of them hold others."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anonlib.coarsening.hierarchies import TOP
from anonlib.columns.codes import CodeSystem, recognised
from anonlib.reading.sources import Described, known_labels
from anonlib.release.steps.collapse_rare import OR
from anonlib.values.cells import to_ranges
from anonlib.values.dates import to_dates
from anonlib.values.ranges import Ranges, ranges_of_months

AS_IT_STANDS = "as it stands"
"""Of a label that says nothing else by itself, such as a value or a name that an officer typed for a group."""
ANY_VALUE = "any value"

_FIRST, _LAST, _HIDDEN = re.compile(r"([^*]+)\*+"), re.compile(r"\*+([^*]+)"), re.compile(r"\*+")
_MOSTLY_CODES = 0.5  # more of the labels must be codes that have one, or they are a scale with exceptions
_MONTHS_TO_1970 = 12 * 1970
_A_MONTH = 32  # days, more than one has


@dataclass(frozen=True, eq=False)
class ReadLabels:
    """The labels of a column as they read beside one another, whatever they were made of.

    Two releases with the same labels in a column of the same name say the same, however each was made: what a step
    knows of the values behind a label is not asked.

    Attributes
    ----------
    labels : tuple[str, ...]
        The different texts that occur.
    parts : tuple[str, ...]
        The same, with those apart of which one label is made: ``10-19 or 20-29``.
    ranges : Ranges
        One item a part.
    system : CodeSystem or None
        Whose codes, or groups of codes, nearly all of them are.
    """

    labels: tuple[str, ...]
    parts: tuple[str, ...]
    ranges: Ranges
    system: CodeSystem | None

    @classmethod
    def of(cls, labels: Sequence[str], column: str = "") -> ReadLabels:
        """Read the labels of a column.

        Parameters
        ----------
        labels : Sequence[str]
            Different texts.
        column : str, default ""
            Its name, which tells codes apart.
        """
        texts = tuple(map(str, labels))
        parts = tuple(dict.fromkeys(part for label in texts for part in label.split(OR)))
        codes = [part for part in parts if part != TOP]
        return cls(texts, parts, _ranges(parts), recognised(codes, column) if codes else None)

    def meaning(self, label: str) -> str:
        """What one of the labels says by itself, in lower case and without a full stop.

        It is :data:`AS_IT_STANDS` where the label is all that there is to say.

        Examples
        --------
        >>> ages, places = ReadLabels.of(["30-39", "90+", "*"]), ReadLabels.of(["021**"])
        >>> [ages.meaning(label) for label in ages.labels], places.meaning("021**")
        (['from 30 to 39', '90 and above', 'any value'], 'begins with 021')
        """
        parts = label.split(OR)
        if not any(self._of_part[part] for part in parts):
            return AS_IT_STANDS
        return OR.join(self._of_part[part] or part for part in parts)

    @cached_property
    def _of_part(self) -> dict[str, str]:
        return {part: self._part(i, part) for i, part in enumerate(self.parts)}

    def _part(self, place: int, part: str) -> str:
        if _HIDDEN.fullmatch(part):
            return ANY_VALUE
        if self.system is not None and (group := _group(part, self.system)):
            return group
        if self.ranges.is_range[place]:
            return _date(part) if self.ranges.of == "months" else _range(self.ranges, place)
        return _stars(part)

    def is_range(self, label: str) -> bool:
        """Whether one of the labels is a range of numbers or dates, and no single one."""
        return label in self.parts and bool(self.ranges.is_range[self.parts.index(label)])

    @property
    def has_any_beside_others(self) -> bool:
        """Whether ``*`` is one of several labels."""
        return TOP in self.labels and len(self.labels) > 1

    @cached_property
    def held(self) -> tuple[str, str] | None:
        """A label and another one that it holds, as ``20-39`` does ``20-29``; None where that of no two can be seen."""
        return next(self._pairs(), None)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        known = {*self.labels}
        begin, end = self.ranges.begin, self.ranges.end
        widest = -1
        for i in np.lexsort((-end, begin)).tolist():
            if np.isnan(begin[i]) or self.parts[i] not in known:
                continue
            if widest >= 0 and begin[i] < end[widest] and (begin[i], end[i]) != (begin[widest], end[widest]):
                yield self.parts[widest], self.parts[i]
            if widest < 0 or end[i] > end[widest]:
                widest = i
        starred = {label.rstrip("*"): label for label in self.labels if _FIRST.fullmatch(label)}
        for label in self.labels if starred else ():
            stem = label.rstrip("*")
            yield from ((starred[stem[:i]], label) for i in range(1, len(stem)) if stem[:i] in starred)
        for label in self.labels if self.system is not None else ():
            groups = self.system.groups_of(label) if self.system is not None else None
            yield from ((group, label) for group in groups or () if group != label and group in known)


def _ranges(parts: Sequence[str]) -> Ranges:
    """Ranges of numbers or of months, in which days have their place; a single day is no range."""
    ranges, days = to_ranges(parts), to_dates(parts)
    dated = ~np.isnat(days)
    if not dated.any():
        return ranges
    ranges = ranges_of_months([part.strip() for part in parts])
    months = days[dated].astype("datetime64[M]")
    place = months.astype(np.int64) + _MONTHS_TO_1970 + (days[dated] - months).astype(np.int64) / _A_MONTH
    ends = {name: getattr(ranges, name).copy() for name in ("low", "high", "begin", "end")}
    for end in ends.values():
        end[dated] = place
    return replace(ranges, **ends)


def _group(part: str, system: CodeSystem) -> str:
    """What a label says of codes, where it is a group's and no name; "" else."""
    levels = (level for level in system.levels if level not in system.named)
    return next((means for level in levels if (means := system.meaning(part, level))), "")


def _range(ranges: Ranges, place: int) -> str:
    low, high = f"{ranges.low[place]:.15g}", f"{ranges.high[place]:.15g}"
    holds_low, holds_high = bool(ranges.holds_low[place]), bool(ranges.holds_high[place])
    if np.isinf(ranges.low[place]):
        return f"up to {high}" if holds_high else f"below {high}"
    if np.isinf(ranges.high[place]):
        return f"{low} and above" if holds_low else f"above {low}"
    if holds_low:
        return f"from {low} to {high}" if holds_high else f"from {low} to below {high}"
    return f"above {low} to {high}" if holds_high else f"above {low} to below {high}"


def _date(label: str) -> str:
    span = ranges_of_months([label.strip()])
    (year, first), length = divmod(int(span.low[0]), 12), int(span.high[0] - span.low[0])
    last_year, last = divmod(int(span.high[0]) - 1, 12)
    if first == 0 and last == 11:
        return f"the year {year}" if year == last_year else f"the years {year} to {last_year}"
    if length == 1:
        return f"{calendar.month_name[first + 1]} {year}"
    began = calendar.month_name[first + 1] + (f" {year}" if year != last_year else "")
    return f"{began} to {calendar.month_name[last + 1]} {last_year}"


def _stars(label: str) -> str:
    if match := _FIRST.fullmatch(label):
        return f"begins with {match[1]}"
    match = _LAST.fullmatch(label)
    return f"ends with {match[1]}" if match else ""


def stand_for(described: Described, labels: Sequence[str]) -> dict[str, str]:
    """What labels stand for by what a file or a dictionary says of the column, whatever they were made of.

    Parameters
    ----------
    described : Described
        What is known of the column.
    labels : Sequence[str]
        Those that leave.

    Returns
    -------
    dict[str, str]
        By label that has one, its text. Where most have none, they are a scale with exceptions, such as ages up to “90
        or older”: 90 may be a number that was rounded, and its text says what it was in the original.
    """
    known = known_labels(described, labels)
    are_codes = len(known) > _MOSTLY_CODES * len(labels)
    return {label: text if are_codes else f"in the original, {text}" for label, text in known.items()}
