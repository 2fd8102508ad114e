"""Texts with marks in the place of the identifiers inside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.columns.free_text import KINDS, redacted
from anonlib.values.cells import Values

CANNOT_PROMISE = "Names that are in no list, places, rare facts and what a story tells stay."
"""What redaction cannot do, in a sentence."""


@dataclass(frozen=True)
class Redaction:
    """Each identifier inside a text to a mark: ``Seen by Dr. Garcia on May 5`` -> ``Seen by Dr. [name] on [date]``.

    Attributes
    ----------
    kinds : tuple[str, ...], default tuple(KINDS)
        What is replaced: keys of :data:`anonlib.columns.free_text.KINDS`, at least one. They are kept in that order.

    Raises
    ------
    InputError
        Without a kind, and for one that is not known.
    """

    kinds: tuple[str, ...] = tuple(KINDS)

    def __post_init__(self) -> None:
        if isinstance(self.kinds, str) or not self.kinds:
            raise InputError("Choose at least one kind of identifier to redact.", code="choice-missing")
        given = [checks.text(kind, "A kind of identifier to redact") for kind in self.kinds]
        unknown = [kind for kind in given if kind not in KINDS]
        if unknown:
            raise InputError(
                f"What can be redacted is {words.listed(list(KINDS), most=len(KINDS))}, not “{unknown[0]}”.",
                code="choice-unknown",
            )
        object.__setattr__(self, "kinds", tuple(kind for kind in KINDS if kind in given))

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        object array, one item a value
            The text with a mark in the place of each identifier inside it.
        """
        labels = np.empty(len(values), dtype=object)
        labels[:] = [redacted(str(value), self.kinds) for value in values]
        return labels

    def describe(self) -> str:
        """The way of recoding in a few words, such as ``names and dates inside texts replaced by marks``."""
        kinds = words.listed([KINDS[kind].label for kind in self.kinds], most=len(KINDS))
        return f"{kinds} inside texts replaced by marks"
