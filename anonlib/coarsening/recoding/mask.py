"""Codes to their first or last characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.values.cells import Values

MOST_HIDDEN = 1_000
"""Most characters that stand for hidden ones: a saved step can name any length, and memory cannot hold all."""


@dataclass(frozen=True)
class Mask:
    """Keep the first (or last) characters of each value and replace the others: ``02138`` -> ``021**``.

    What is hidden is ``length - keep`` characters of ``fill`` in every label, one at least, however long the value is
    and also where nothing is hidden: ``7``, ``70`` and ``7000`` with one character kept are all ``7****``. Otherwise
    labels would show how long the hidden part is.

    Attributes
    ----------
    keep : int
        How many characters are kept, 0 or more.
    side : Literal["start", "end"], default "start"
        Where they are kept.
    fill : str, default "*"
        What stands for a character that is hidden; where it is empty, the others are cut off.
    length : int, default 5
        Characters of a label, 0 or more. No more than :data:`MOST_HIDDEN` of them are hidden ones.

    Raises
    ------
    InputError
        For another side, a mask of several characters, and numbers that are not whole or below 0.
    """

    keep: int
    side: Literal["start", "end"] = "start"
    fill: str = "*"
    length: int = 5  # as of a ZIP code

    def __post_init__(self) -> None:
        if self.side not in ("start", "end"):
            raise InputError("Characters are kept at the start or at the end.", code="choice-unknown")
        object.__setattr__(self, "keep", checks.whole(self.keep, "The number of characters kept", 0))
        if len(checks.text(self.fill, "The mask")) > 1:
            raise InputError("The mask must be one character, or empty.", code="mask-not-one-character")
        object.__setattr__(self, "length", checks.whole(self.length, "The length of masked values", 0))

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        object array, one item a value
            The characters that are kept and the mask; None where that is an empty text.
        """
        labels = np.empty(len(values), dtype=object)
        labels[:] = [self._label(value) for value in values]
        return labels

    def _label(self, value: str) -> str | None:
        hidden = self.fill * min(max(1, self.length - self.keep), MOST_HIDDEN)
        shown = value[: self.keep] if self.side == "start" else value[max(0, len(value) - self.keep) :]
        return (shown + hidden if self.side == "start" else hidden + shown) or None

    def describe(self) -> str:
        """The way of recoding in a few words, such as ``first 3 characters kept``."""
        where = "first" if self.side == "start" else "last"
        return f"{where} {self.keep} characters kept" if self.keep != 1 else f"{where} character kept"
