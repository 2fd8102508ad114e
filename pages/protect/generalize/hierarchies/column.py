"""A column of the file, and what a way to make its hierarchy is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonlib.coarsening.hierarchies import Hierarchy, suggested_hierarchy
from anonlib.coarsening.recoding import Recoding
from anonlib.columns.codes import CodeSystem, offered
from anonlib.columns.roles import numbers_are_dates
from anonlib.dataset import Dataset

Settings = dict[str, Any]
"""The settings of a way, by what they are called here."""
Named = Callable[[str], str]
"""From what a setting is called here to its name in the session."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of the file: its values (None = missing, last), the records of each, and whose codes they may be."""

    name: str
    values: tuple[str | None, ...]
    records: np.ndarray
    suggested: Hierarchy
    systems: tuple[CodeSystem, ...] = ()

    @classmethod
    def of(cls, data: Dataset, name: str) -> Column:
        counts = data.held.counts_of(name)
        values, records = counts.values.tolist(), counts.records
        if counts.missing and data.missing == "category":
            values, records = [*values, None], np.append(records, counts.missing)
        suggested = suggested_hierarchy(counts.values, counts.records, name, dated=numbers_are_dates(data.held, name))
        return cls(name, tuple(values), records, suggested, tuple(offered(counts.values, name)))

    @property
    def texts(self) -> list[str]:
        return [value for value in self.values if value is not None]

    @property
    def longest(self) -> int:
        return max((len(value) for value in self.texts), default=1)


@dataclass(frozen=True)
class Way:
    """One way: what it is called, whether it fits a column, and its settings on screen.

    Attributes
    ----------
    start : the hierarchy to begin from when the way is chosen.
    settings : its settings as they are in a hierarchy.
    show : draws them, as they are at first, with what their widgets do when changed.
    read : the hierarchy that settings ask for. Raises InputError.
    """

    label: str
    fits: Callable[[Column], bool]
    start: Callable[[Column], Hierarchy]
    settings: Callable[[Column, Hierarchy], Settings]
    show: Callable[[Column, Settings, Named, dict[str, Any]], None]
    read: Callable[[Column, Settings], Hierarchy]


def between(hierarchy: Hierarchy) -> tuple[Recoding, ...]:
    """The levels between the values and everything together."""
    return hierarchy.recodings[:-1] if hierarchy.has_top else hierarchy.recodings
