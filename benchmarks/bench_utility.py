"""What a release keeps of Adult, and how long models take to learn from it."""

from __future__ import annotations

from functools import cache

import numpy as np

from anonlib.analyses.utility import Prediction, measure, predict
from anonlib.basics.words import count
from anonlib.coarsening.recoding import Intervals
from anonlib.dataset import Dataset
from anonlib.reading.sources import open_source
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from benchmarks.measuring import Row, adult_bytes, cpu_seconds, cpu_time, spoken

KNOWN = ("age", "sex", "race", "marital_status", "education", "native_country")
STEPS = (Recode("age", Intervals(10)), DropColumns(("fnlwgt",)), LeaveOut(5))
MEASURED, PREDICTED, MILLION = 3.0, 20.0, 15.0  # seconds wanted
LARGE = 1_000_000


def rows() -> list[Row]:
    data = adult()
    released = Recipe.of(STEPS).apply(data).released
    what = f"Adult, {count(data.n_records)} x {len(data.columns)}, {count(released.n_records)} released"
    taken = cpu_seconds(lambda: measure(data, released), 3)
    found = [
        Row(f"{what}: all that is kept, with {_pairs(data)} pairs of columns", *_met(taken, MEASURED)),
    ]
    for target in ("salary", "education"):
        answers: list[Prediction] = []
        taken = cpu_time(lambda target=target, answers=answers: answers.append(predict(data, released, target)))
        kept = answers[0].kept
        found.append(
            Row(
                f"the same: {target} ({answers[0].n_values} values) learnt from original and release, two models, "
                f"three parts; kept {kept:.3f}",
                *_met(taken, PREDICTED),
            )
        )
    large = _repeated(data)
    smaller = Recipe.of(STEPS).apply(large).released
    taken = cpu_time(lambda: measure(large, smaller))
    return [*found, Row("a million records, 15 columns: all that is kept", *_met(taken, MILLION))]


@cache
def adult() -> Dataset:
    roles = {**dict.fromkeys(KNOWN, "quasi_identifier"), "salary": "sensitive"}
    return Dataset.from_frame(open_source(adult_bytes(), "adult.csv").frame, "adult.csv").with_roles(roles)


def _repeated(data: Dataset) -> Dataset:
    """The records of Adult again and again."""
    frame = data.records.iloc[np.arange(LARGE) % data.n_records].reset_index(drop=True)
    return data.with_frame(frame, f" {LARGE} records")


def _pairs(data: Dataset) -> int:
    return len(data.columns) * (len(data.columns) - 1) // 2


def _met(taken: float, wanted: float) -> tuple[str, str, bool]:
    return spoken(taken), f"< {wanted:g} s", taken < wanted
