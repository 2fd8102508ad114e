"""Values to labels, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.values.cells import Values, to_numbers
from anonlib.values.dates import to_dates

_MOSTLY = 0.9  # share of the values named that must be numbers, or dates, to stand on a scale


@dataclass(frozen=True)
class ValueMap:
    """Values to labels, one by one.

    Attributes
    ----------
    labels_of : tuple[tuple[str, str | None], ...]
        The values named, each once, with their labels; None is released as missing.
    otherwise : str, optional
        The label of values that are not named; they keep their own where it is None.
    missing : str, optional
        The label of missing values; they stay missing where it is None.
    between, beyond : bool, default False
        Where the values named are numbers or dates: one that lies between two of the same label takes that label too;
        one below the lowest (above the highest) takes the label of the lowest (highest).

    Raises
    ------
    InputError
        For a value that is named twice, and for what is of another type.
    """

    labels_of: tuple[tuple[str, str | None], ...]
    otherwise: str | None = None
    missing: str | None = None
    between: bool = False
    beyond: bool = False

    @classmethod
    def of(cls, labels: Mapping[str, str | None], otherwise: str | None = None) -> ValueMap:
        """The way of a mapping.

        Parameters
        ----------
        labels : Mapping[str, str | None]
            Value -> label; None is released as missing.
        otherwise : str, optional
            The label of values that are not named; they keep their own where it is None.

        Returns
        -------
        ValueMap
        """
        return cls(tuple(labels.items()), otherwise)

    def __post_init__(self) -> None:
        pairs = tuple((checks.text(value, "Each value mapped"), label) for value, label in self.labels_of)
        for label in (self.otherwise, self.missing, *(label for _, label in pairs)):
            if label is not None:
                checks.text(label, "Each label")
        if len({value for value, _ in pairs}) < len(pairs):
            raise InputError("A value is mapped twice. Name each value once.", code="value-named-twice")
        if not isinstance(self.between, bool) or not isinstance(self.beyond, bool):
            raise InputError(
                "Whether values between and beyond those named are grouped must be true or false.",
                code="not-true-or-false",
            )
        object.__setattr__(self, "labels_of", pairs)

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        object array, one item a value
            The label of a value that is named, or takes one all the same; others stay as they are.
        """
        return self._labels_and_covered(values)[0]

    def covers(self, values: Values) -> np.ndarray:
        """Which values this way applies to: those that are named, or take a label all the same.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        bool array, one item a value
        """
        return self._labels_and_covered(values)[1]

    def _labels_and_covered(self, values: Values) -> tuple[np.ndarray, np.ndarray]:
        named = dict(self.labels_of)
        labels = np.empty(len(values), dtype=object)
        labels[:] = [named.get(value, value if self.otherwise is None else self.otherwise) for value in values]
        covered = np.array([self.otherwise is not None or value in named for value in values], dtype=bool)
        if self.between or self.beyond:
            uncovered = np.flatnonzero(~covered)
            texts = [str(value) for value in np.asarray(values, dtype=object)[uncovered]]
            for i, (low, high, _) in zip(uncovered, self._neighbours(texts), strict=True):
                wanted = self.between if low is not None and high is not None else self.beyond
                ends = {named[value] for value in (low, high) if value is not None}
                if wanted and len(ends) == 1:
                    labels[i], covered[i] = ends.pop(), True
        return labels, covered

    def nearest(self, values: Values) -> list[str | None]:
        """The nearest of the values named, as numbers or dates, of two the lower one.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        list of str or None, one item a value
            None where there is none: the value, or those named, are neither numbers nor dates.
        """
        return [nearest for _, _, nearest in self._neighbours(list(values))]

    def _neighbours(self, values: list[str]) -> list[tuple[str | None, str | None, str | None]]:
        """Per value, of those named the highest not above it, the lowest not below, and the nearer; None for none."""
        named = [value for value, _ in self.labels_of]
        places = _on_a_scale([*named, *values], len(named))
        known = np.flatnonzero(~np.isnan(places[: len(named)]))
        known = known[np.argsort(places[known], kind="stable")]
        scale = places[known]
        neighbours: list[tuple[str | None, str | None, str | None]] = []
        for at in places[len(named) :]:
            if np.isnan(at):
                neighbours.append((None, None, None))
                continue
            i = int(np.searchsorted(scale, at, side="right")) - 1
            j = int(np.searchsorted(scale, at, side="left"))
            low, high = named[known[i]] if i >= 0 else None, named[known[j]] if j < len(known) else None
            upper = low is None or (high is not None and scale[j] - at < at - scale[i])
            neighbours.append((low, high, high if upper else low))
        return neighbours

    def describe(self) -> str:
        """The way of recoding in a few words, such as ``12 values to 3 labels``."""
        if not self.labels_of and self.otherwise:
            return f"all values to {self.otherwise}"
        if self.otherwise and all(value == label for value, label in self.labels_of):
            return f"{words.count(len(self.labels_of), 'values')} kept, all others to {self.otherwise}"
        groups = len({label for _, label in self.labels_of})
        return f"{words.count(len(self.labels_of), 'values')} to {words.count(groups, 'labels')}" + (
            "" if self.otherwise is None else ", all others together"
        )


def _on_a_scale(texts: list[str], n_named: int) -> np.ndarray:
    """Days, or numbers, read alike of all texts; NaN where one is neither, and everywhere when most of the first
    ``n_named`` are neither."""
    days = to_dates(texts)
    if np.isnat(days[:n_named]).sum() <= (1 - _MOSTLY) * n_named:
        return np.where(np.isnat(days), np.nan, days.astype(np.int64).astype(float))
    numbers = to_numbers(texts)
    if np.isnan(numbers[:n_named]).sum() <= (1 - _MOSTLY) * n_named:
        return numbers
    return np.full(len(texts), np.nan)
