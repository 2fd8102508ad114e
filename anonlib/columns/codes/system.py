"""What a code system is: the groups of a code, level by level, and how a column of its codes is recognised."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonlib.values.cells import Values

Groups = tuple[str, ...]
"""The label of a code's group on each level, the finest first."""
_MERGED = 0.95  # of what the level before keeps apart, that a level may keep apart to be worth one
_RANGE = re.compile(r"(\w+)-(\w+)")


def _range_in_words(span: re.Match[str]) -> str:
    """``390 to 459``; the ends of a range are of one length, which ``5-470``, a code of OPS, is not."""
    return f"{span[1]} to {span[2]}" if len(span[1]) == len(span[2]) else span[0]


@dataclass(frozen=True)
class CodeSystem:
    """One code system.

    Attributes
    ----------
    key : str
        Its name in saved recipes, such as ``icd-9-cm``; it never changes.
    label : str
        What a sentence calls its codes, such as ``ICD-9-CM diagnosis codes``.
    levels : tuple[str, ...]
        What the groups of each level are called, the finest level first: ``categories``, ``blocks``, ``chapters``. None
        of a system whose codes are only distinguished from others.
    groups_of : Callable[[str], Groups | None]
        From a text to the label of its group on each level; None for a text that is no code of the system. A label is a
        code too, of its level and those above, so that a column that is coarser already fits, and levels are nested
        whatever else is in the column.
    names : tuple[str, ...], default ()
        Words and phrases of column names that point to the system (:mod:`anonlib.columns.identifiers.vocabulary`).
    by_content : Callable[[Sequence[str]], bool], optional
        Whether distinct values, nearly all of which are codes of the system, can hardly be anything else; None where
        the name must tell.
    by_name : Callable[[Sequence[str]], bool], optional
        Whether distinct values may be codes where the name points to the system; None where it is enough that nearly
        all fit.
    kind : str, default ""
        The kind of content that such codes are, a key of :data:`anonlib.columns.identifiers.KINDS`, or "".
    titles : Mapping[str, str], optional
        In a few words of our own, what the groups of some labels are about.
    named : tuple[str, ...], default ()
        The levels whose labels are names, such as ``states``, and not the beginnings or ranges of codes.
    of : str, default ""
        What such levels are of, such as ``countries``, where the label is too long to stand with them.
    """

    key: str
    label: str
    levels: tuple[str, ...]
    groups_of: Callable[[str], Groups | None] = field(repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)
    by_content: Callable[[Sequence[str]], bool] | None = field(default=None, repr=False)
    by_name: Callable[[Sequence[str]], bool] | None = field(default=None, repr=False)
    kind: str = field(default="", repr=False)
    titles: Mapping[str, str] = field(default_factory=dict, repr=False)
    named: tuple[str, ...] = field(default=(), repr=False)
    of: str = field(default="", repr=False)

    def fits(self, values: Values) -> np.ndarray:
        """bool per value: it is a code of the system."""
        return np.array([self.groups_of(str(value)) is not None for value in values], dtype=bool)

    def labels(self, values: Values, level: str) -> np.ndarray:
        """The label of each value's group on a level, as objects; a value that is no code of the system keeps its own.

        Parameters
        ----------
        values : Values
            Distinct values.
        level : str
            One of :attr:`levels`.
        """
        place = self.levels.index(level)
        labels = np.array(values, dtype=object)
        for i, value in enumerate(labels):
            groups = self.groups_of(str(value))
            if groups is not None:
                labels[i] = groups[place]
        return labels

    def merging(self, values: Values) -> tuple[str, ...]:
        """The levels that merge one in twenty of what the level before keeps apart, and not all of them.

        Parameters
        ----------
        values : Values
            Distinct values.

        Returns
        -------
        tuple of str
            Of :attr:`levels`, in their order.
        """
        of_each = [self.groups_of(str(value)) for value in values]
        levels: list[str] = []
        before = len(values)
        for place, level in enumerate(self.levels):
            after = len({v if g is None else g[place] for v, g in zip(values, of_each, strict=True)})
            if 1 < after <= _MERGED * before:
                levels.append(level)
                before = after
        return tuple(levels)

    def order(self, values: Values) -> list[str]:
        """The values in the order of the system: groups stand together on every level, and what is no code last."""

        def place(value: str) -> tuple[Any, ...]:
            groups = self.groups_of(value)
            return (1, value) if groups is None else (0, *reversed(groups), value)

        return sorted(map(str, values), key=place)

    def meaning(self, label: str, level: str) -> str:
        """What a label of a level says; "" where it is none.

        Examples
        --------
        >>> from anonlib.columns.codes import SYSTEMS
        >>> SYSTEMS["icd-9-cm"].meaning("390-459", "chapters"), SYSTEMS["icd-9-cm"].meaning("250", "categories")
        ('ICD-9-CM diagnosis codes 390 to 459: circulatory system', 'ICD-9-CM diagnosis codes that begin with 250')
        """
        groups = self.groups_of(label)
        if groups is None or groups[self.levels.index(level)] != label:
            return ""
        if level in self.named:
            return f"{self.of or self.label}: {label}"
        title = f": {self.titles[label]}" if label in self.titles else ""
        span = _RANGE.sub(_range_in_words, label)
        if span != label:
            return f"{self.label} {span}{title}"
        return f"{self.label} that begin with {label.rstrip('*')}{title}"

    def describe(self, level: str) -> str:
        """A level in words: ``chapters of ICD-10 diagnosis codes``, ``sub-regions of countries``, ``countries``."""
        return level if level == self.of else f"{level} of {self.of or self.label}"
