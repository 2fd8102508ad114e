"""How the ranges of a column are written, so that others can be written like them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.values.ranges.numbers import BRACKETS, SPAN
from anonlib.values.ranges.ranges import Ranges


@dataclass(frozen=True)
class Notation:
    """How the ranges of a column are written, so that others can be written like them.

    Attributes
    ----------
    before, between, after : str
        What stands before the lower end, between the ends, and behind the upper one.
    less : float
        How much the upper end that is written is below where the next range begins: 1 for ``70-79``, 0 for ``[70-80)``.
    places : int
        Decimals of its ends, where they have any.
    right : bool
        Whether ranges hold their upper end and not their lower one: ``(70, 80]``.
    """

    before: str
    between: str
    after: str
    less: float
    places: int = 0
    right: bool = False

    def written(self, low: float, high: float) -> str:
        """The range from one number up to where the next range begins; either may be infinite."""
        unit = self.after if self.before not in ("[", "(", "]") else ""
        if np.isinf(low):
            return f"{'≤' if self.right else '<'}{self._number(high)}{unit}"
        if np.isinf(high):
            return f">{self._number(low)}{unit}" if self.right else f"{self._number(low)}+{unit}"
        last = round(high - self.less, max(self.places, 9)) if self.less else high
        if last == low:
            return f"{self._number(low)}{unit}"
        between = " to " if "-" in self.between and (low < 0 or last < 0) else self.between
        return f"{self.before}{self._number(low)}{between}{self._number(last)}{self.after}"

    def _number(self, number: float) -> str:
        if self.places:
            return f"{number:.{self.places}f}"
        return str(int(number)) if number == int(number) else repr(float(number))


def notation_of(texts: Sequence[str], found: Ranges) -> Notation | None:
    """How most ranges with two ends among some texts are written; None where there is none.

    Parameters
    ----------
    texts : Sequence[str]
        The values of a column as they are written.
    found : Ranges
        The ranges that they are.

    Returns
    -------
    Notation or None
    """
    forms: Counter[tuple[str, str, str]] = Counter()
    least: dict[tuple[str, str, str], float] = {}
    for i in np.flatnonzero(found.is_range & np.isfinite(found.low) & np.isfinite(found.high)).tolist():
        text = str(texts[i]).strip()
        match = BRACKETS.search(text) or SPAN.search(text)
        if match is None:
            continue
        first, last = (2, 4) if match.re is BRACKETS else (1, 3)
        between = text[match.end(first) : match.start(last)]
        form = (text[: match.start(first)], between, text[match.end(last) :])
        forms[form] += 1
        least.setdefault(form, float(found.end[i] - found.high[i]))
    if not forms:
        return None
    before, between, after = form = forms.most_common(1)[0][0]
    places = _decimals(found)
    right = before.endswith(("(", "]")) and after.startswith("]")
    return Notation(before, between, after, round(least[form], 9), places, right)


def _decimals(found: Ranges) -> int:
    ends = np.concatenate([found.low, found.high])
    ends = ends[np.isfinite(ends)]
    return next((places for places in range(9) if (np.round(ends, places) == ends).all()), 9)
