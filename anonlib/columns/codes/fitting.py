"""Which values of a column are no codes of a system, so that they stay as they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.basics import words
from anonlib.columns.codes.system import CodeSystem
from anonlib.values.cells import Values


@dataclass(frozen=True, eq=False)
class Fit:
    """How a column fits a code system.

    Attributes
    ----------
    system : CodeSystem
        The one that the column is compared with.
    n_values : int
        Distinct values of the column, missing not counted.
    strangers : tuple[str, ...]
        The values that are none of its codes, in the column's order.
    records : np.ndarray
        int64, the records that have each of these.
    """

    system: CodeSystem
    n_values: int
    strangers: tuple[str, ...]
    records: np.ndarray

    def sentence(self) -> str:
        """How many values and records stay as they are."""
        n, label = len(self.strangers), self.system.label
        if not n:
            return f"All {words.count(self.n_values, 'values')} are {label}." if self.n_values > 1 else ""
        records = words.count(int(self.records.sum()), "records")
        of_all = f"{n:,} of {words.count(self.n_values, 'values')} ({records})"
        if n == 1:
            return f"{of_all} is no {words.singular(label)} and stays as it is."
        return f"{of_all} are no {label} and stay as they are."


def fit(system: CodeSystem, values: Values, records: np.ndarray) -> Fit:
    """How a column fits a system.

    Parameters
    ----------
    system : CodeSystem
        The one whose codes the values may be.
    values : Values
        Distinct values, none missing.
    records : np.ndarray
        int64, the records of each value.

    Returns
    -------
    Fit
    """
    strange = ~system.fits(values)
    strangers = tuple(str(value) for value, is_one in zip(values, strange, strict=True) if is_one)
    return Fit(system, len(values), strangers, np.asarray(records)[strange])
