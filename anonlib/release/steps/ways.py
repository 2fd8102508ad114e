"""The levels at which the labels of a column can be, as steps lead to them one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from anonlib.coarsening.hierarchies import Hierarchy


@dataclass(frozen=True, eq=False)
class Way:
    """A level that steps can bring a column to.

    Attributes
    ----------
    name : str
        What the level is called.
    labels : np.ndarray
        The label of each value, that of a missing one last.
    is_whole : bool, default True
        Whether all values can have these labels, and not only those that are rare.
    """

    name: str
    labels: np.ndarray
    is_whole: bool = True


def after(way: Way, name: str, relabel: Callable[[np.ndarray], np.ndarray]) -> Way:
    """A way when its labels are recoded, each alike.

    Parameters
    ----------
    way : Way
        The way before.
    name : str
        What it is called then.
    relabel : Callable[[np.ndarray], np.ndarray]
        From distinct labels, the missing one last, to what each becomes.
    """
    codes, distinct = pd.factorize(way.labels)
    return replace(way, name=name, labels=relabel(_with_missing(distinct))[codes])


def along(way: Way, hierarchy: Hierarchy, column: str) -> list[Way]:
    """A way, and what each level of a hierarchy makes of it.

    Parameters
    ----------
    way : Way
        The way before.
    hierarchy : Hierarchy
        The hierarchy.
    column : str
        The column's name, for errors.

    Raises
    ------
    InputError
        Where the hierarchy does not fit the labels.
    """
    codes, distinct = pd.factorize(way.labels)
    levels = hierarchy.on(_with_missing(distinct), column)
    coarser = range(1, levels.n_levels)
    return [way, *(replace(way, name=hierarchy.describe(i), labels=levels.label(i)[codes]) for i in coarser)]


def _with_missing(labels: np.ndarray) -> np.ndarray:
    return np.array([*labels, None], dtype=object)
