"""Persons of several rows: how many there are, and one of them as an example."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.counting.classes.coding import encode
from anonlib.counting.classes.persons import rows_differ

FEW_ROWS = 4
"""Most rows of a person who is an example to look at, where there is such a person."""


@dataclass(frozen=True)
class SeveralRows:
    """Persons of several rows.

    Attributes
    ----------
    n_persons : int
        Persons, 1 or more; a row without a person id is a person.
    n_several : int
        Those who have several rows, 1 or more.
    example : tuple[int, ...]
        Positions of the rows of one of them in the file, 2 or more, ascending.
    n_values : Mapping[str, int]
        By column but that of the ids, how many values the rows of the example hold, missing not counted, 0 or more.
        With 2 or more the person counts with the set of them; a missing value gives way to one that is there.
    """

    n_persons: int
    n_several: int
    example: tuple[int, ...]
    n_values: Mapping[str, int]


def several_rows(frame: pd.DataFrame, person: str, counted: Collection[str] = ()) -> SeveralRows | None:
    """Look for persons of several rows.

    Parameters
    ----------
    frame : pd.DataFrame
        One row a record.
    person : str
        The column of person ids.
    counted : Collection[str], default ()
        Columns in which the rows of the example had better differ.

    Returns
    -------
    SeveralRows or None
        None where every person has one row. The example has at most ``FEW_ROWS`` rows, if anybody has so few; among
        those it differs in one of the columns counted, else in another one, if anybody does; among those it has the
        fewest rows, and of as many it is the first in the file.

    Examples
    --------
    >>> visits = pd.DataFrame({"id": ["a", "b", "b"], "sex": ["F", "M", "M"], "year": ["2023", "2023", "2024"]})
    >>> several_rows(visits, "id")
    SeveralRows(n_persons=2, n_several=1, example=(1, 2), n_values={'sex': 1, 'year': 2})
    """
    ids, values = encode(frame[person])
    n_rows = np.bincount(ids[ids >= 0], minlength=len(values))
    if not (n_rows > 1).any():
        return None
    rows = np.flatnonzero((ids >= 0) & (n_rows[ids] > 1))
    rows = rows[np.argsort(ids[rows], kind="stable")]  # those of a person side by side, in the file's order
    starts = np.flatnonzero(np.diff(ids[rows], prepend=-1))
    ends = np.append(starts[1:], len(rows))
    codes = {name: encode(frame[name])[0] for name in frame.columns if name != person}
    differing = np.zeros((2, len(starts)), dtype=bool)  # anywhere; in the columns counted
    for name, column in codes.items():
        differ = rows_differ(column[rows], starts)
        differing[0] |= differ
        if name in counted:
            differing[1] |= differ
    sizes = ends - starts
    best = np.lexsort((rows[starts], sizes, ~differing[0], ~differing[1], sizes > FEW_ROWS))[0]
    example = rows[starts[best] : ends[best]]
    return SeveralRows(
        int((n_rows > 0).sum() + (ids < 0).sum()),
        len(starts),
        tuple(example.tolist()),
        {name: len(np.unique(column[example][column[example] >= 0])) for name, column in codes.items()},
    )
