"""What a code system is: the groups of a code, level by level, and how a column of its codes is recognised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from anonlib.values import Values

Groups = tuple[str, ...]


@dataclass(frozen=True)
class CodeSystem:
    """One code system.

    Attributes
    ----------
    key : its name in saved recipes, such as ``icd-9-cm``; it never changes.
    label : what a sentence calls its codes, such as ``ICD-9-CM diagnosis codes``.
    levels : what the groups of each level are called, the finest level first: ``categories``, ``blocks``, ``chapters``.
    groups_of : from a text to the label of its group on each level; None for a text that is no code of the system.
    names : words and phrases of column names that point to the system, as in :mod:`anonlib.identifiers.vocabulary`.
    by_content : whether distinct values, nearly all of which are codes of the system, can hardly be anything else;
        None where the name must tell.
    """

    key: str
    label: str
    levels: tuple[str, ...]
    groups_of: Callable[[str], Groups | None] = field(repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)
    by_content: Callable[[Sequence[str]], bool] | None = field(default=None, repr=False)

    def fits(self, values: Values) -> np.ndarray:
        """bool per value: it is a code of the system."""
        return np.array([self.groups_of(str(value)) is not None for value in values], dtype=bool)

    def labels(self, values: Values, level: str) -> np.ndarray:
        """The label of each value's group on a level, as objects; a value that is no code of the system keeps its own.

        Parameters
        ----------
        values
            Distinct values.
        level
            One of :attr:`levels`.
        """
        place = self.levels.index(level)
        labels = np.array(values, dtype=object)
        for i, value in enumerate(labels):
            groups = self.groups_of(str(value))
            if groups is not None:
                labels[i] = groups[place]
        return labels
