"""The worked example of Arca and Hewett 2021: its Table 1, its hierarchies, and the guarantee that it asks for."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "samples"
ANY = Hierarchy((EVERYTHING,))
ZIP = Hierarchy((Mask(4), Mask(3), Mask(2), Mask(1), EVERYTHING))
# Figure 2. Of alcohol consumption, "No" is one step from the top and the others are two.
PROFILES = {
    "alcohol_consumption": Hierarchy(
        (ValueMap.of({"High": "Yes", "Med": "Yes", "Low": "Yes", "No": "Any"}), EVERYTHING)
    ),
    "age": Hierarchy((Intervals(cuts=(20, 35, 45, 65)), Intervals(cuts=(20, 45)), EVERYTHING)),
    "zip": ZIP,
}
THREE = KAnonymity(columns=("zip", "age", "alcohol_consumption"), least=3)


def profiles() -> ClassTable:
    """Table 1: 60 records in 22 rows."""
    return ClassTable.from_frame(pd.read_csv(SAMPLES / "weight_loss.csv", dtype=str))
