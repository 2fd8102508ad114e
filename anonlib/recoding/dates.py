"""Dates to their year, quarter or month."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.errors import InputError
from anonlib.values import Values, to_dates


@dataclass(frozen=True)
class DateUnit:
    """Dates to their year, quarter or month: ``2024-03-17`` -> ``2024``, ``2024-Q1``, ``2024-03``.

    Attributes
    ----------
    unit : "year", "quarter" or "month"
        What is kept.
    """

    unit: Literal["year", "quarter", "month"] = "year"

    def __post_init__(self) -> None:
        if self.unit not in ("year", "quarter", "month"):
            raise InputError("Dates can be recoded to the year, quarter or month.")

    def labels(self, values: Values) -> np.ndarray:
        dates = to_dates(values)
        labels = np.array(values, dtype=object)
        found = np.flatnonzero(~np.isnat(dates))
        codes, months = pd.factorize(dates[found].astype("datetime64[M]"))
        labels[found] = np.array([*map(self._label, months.astype(str).tolist()), None], dtype=object)[codes]
        return labels

    def _label(self, written: str) -> str:
        """The label of a month written as ``2024-03``."""
        year, month = written.split("-")
        return {"year": year, "quarter": f"{year}-Q{(int(month) + 2) // 3}", "month": written}[self.unit]

    def describe(self) -> str:
        return f"dates to {self.unit}"
