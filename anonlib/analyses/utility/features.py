"""Columns as models take them: numbers where all labels are on a scale, else categories; original and release alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.scale import on_scale


@dataclass(frozen=True, eq=False)
class Features:
    """What a model learns from, of every record of the original.

    Attributes
    ----------
    values : float64 array, records x columns
        A number (NaN where there is none), or the code of a category.
    is_number : bool array, per column
        Whether it holds numbers.
    """

    values: np.ndarray
    is_number: np.ndarray


def features(both: Alongside, names: Sequence[str]) -> tuple[Features, Features]:
    """The columns of every record of the original, as they were and as the release would have them.

    Parameters
    ----------
    both : Alongside
        Original and release.
    names : Sequence[str]
        Columns that are in both.

    Returns
    -------
    original, released : Features
    """
    return as_they_were(both, names), as_released(both, names)


def as_they_were(both: Alongside, names: Sequence[str]) -> Features:
    """Columns of the original, of every record of it."""
    return _table([_feature(both.before(name), both.original.held.values(name)) for name in names])


def as_released(both: Alongside, names: Sequence[str]) -> Features:
    """Columns that leave as the release would have them, of every record of the original.

    A record that is not in the release has the labels that its values mostly have there, so that a model that learnt
    from the release can be asked about it. A label that is not known is a category of its own, which no model knows.
    """
    columns = []
    for name in names:
        column = both.column(name)
        recoded = column.label_of[both.before(name)]  # as released, else as its value mostly was
        recoded[both.rows] = both.after(name)
        columns.append(_feature(recoded, column.labels))
    return _table(columns)


def as_newcomers(both: Alongside, names: Sequence[str]) -> Features:
    """Columns that leave as the release would have them of somebody new: by the label that a value mostly has."""
    feature_columns = []
    for name in names:
        column = both.column(name)
        feature_columns.append(_feature(column.label_of[both.before(name)], column.labels))
    return _table(feature_columns)


def _feature(codes: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, bool]:
    """A column's values, and whether they are numbers. Missing is the code after the last label, unknown is -1."""
    places = on_scale(labels)
    return (codes.astype(float), False) if places is None else (np.append(places, np.nan)[codes], True)


def _table(columns: list[tuple[np.ndarray, bool]]) -> Features:
    values = np.column_stack([values for values, _ in columns])
    return Features(values, np.array([is_number for _, is_number in columns], dtype=bool))
