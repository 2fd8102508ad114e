"""Values that everybody in a class has, of persons whose several rows are counted as sets of values."""

from __future__ import annotations

import numpy as np

from anonlib.counting.classes.coding import tally
from anonlib.counting.classes.persons.sets import ValueSet
from anonlib.counting.guarantees.peers import Held


def values_in_sets(categories: np.ndarray) -> Held | None:
    """The values in each category of a column, which are a text, None or a set of texts; None where none is a set."""
    if not any(isinstance(category, ValueSet) for category in categories):
        return None
    members = [
        category.members if isinstance(category, ValueSet) else () if category is None else (category,)
        for category in categories
    ]
    number = {text: i for i, text in enumerate(dict.fromkeys(text for texts in members for text in texts))}
    start = np.append(0, np.cumsum([len(texts) for texts in members])).astype(np.int64)
    return Held(start, np.array([number[text] for texts in members for text in texts], dtype=np.intp), len(number))


def everybody_has_one(
    ids: np.ndarray, n_classes: int, category: np.ndarray, counts: np.ndarray, held: Held
) -> np.ndarray:
    """bool, a class each: one value is in the sets of all of its persons, so that somebody can be sure of it.

    Parameters
    ----------
    ids, category, counts : ndarray of int
        Per row its class, its category of the sensitive column, and its persons; rows of none do not count.
    n_classes : int
        The classes are below it.
    held : Held
        The values in each category.
    """
    occupied = np.flatnonzero(counts > 0)
    n_values = np.diff(held.start)[category[occupied]]
    row = np.repeat(occupied, n_values)
    ends = np.cumsum(n_values)
    first = np.repeat(held.start[category[occupied]] - (ends - n_values), n_values)
    value = held.value[first + np.arange(len(row))]
    pair, rows_having = tally([ids[row], value], [n_classes, held.span], np.ones(len(row), dtype=np.int64))
    n_rows = np.bincount(ids[occupied], minlength=n_classes)
    found = np.zeros(n_classes, dtype=bool)
    found[ids[row[rows_having[pair] == n_rows[ids[row]]]]] = True
    return found
