"""What the library answers to the Risk page, computed once."""

from __future__ import annotations

import pandas as pd

from anonlib.analyses.risk import attribute_contributions
from anonlib.dataset import Dataset
from ui.session import cache, view


def contributions(data: Dataset) -> pd.DataFrame:
    """What each quasi-identifier adds to the risk, the one that adds most first."""
    now = view.now()
    return _contributions(data, k=now.k, threshold=now.threshold)


@cache.remembered
def _contributions(data: Dataset, *, k: int, threshold: float) -> pd.DataFrame:
    return attribute_contributions(view.classes(data), k=k, threshold=threshold)
