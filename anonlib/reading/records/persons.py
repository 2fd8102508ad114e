"""Rows of persons in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd


def person_of_codes(codes: np.ndarray, n_values: int) -> np.ndarray:
    """Per row, the number of its person, by the codes of a column of ids; a row without one (-1) is a person itself."""
    persons = codes.astype(np.int64)
    alone = persons < 0
    persons[alone] = n_values + np.arange(alone.sum())
    return pd.factorize(persons, sort=True)[0]


def adding_to_a_person(persons: np.ndarray, known: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """bool per row: a missing cell whose label would say more of its person than their other rows do.

    A missing value gives way to a person's others, and goes on doing so where missing values get a label: else the
    label would part this person from those with the same values and no gap, and coarsening would raise the risk.

    Parameters
    ----------
    persons
        Per row, the number of its person.
    known
        bool per row: its cell is not missing.
    labels
        Per row, the code of its label; -1 where it has none.
    """
    pairs = persons.astype(np.int64) * (int(labels.max(initial=-1)) + 2) + labels + 1
    has_others = np.zeros(int(persons.max(initial=-1)) + 1, dtype=bool)
    has_others[persons[known]] = True
    return ~known & has_others[persons] & ~np.isin(pairs, pairs[known])
