"""k, l and t on Adult beside pyCANON, which runs in an environment of its own, in the same run."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pandas as pd

from anonlib.analyses.risk import SensitiveRisk, sensitive_risk
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from benchmarks.measuring import Row, adult_bytes, complete, environment, seconds, spoken

PINNED = "pycanon==1.3.6"

# pyCANON takes the distance from the column's type: equal for text, ordered for numbers.
TASKS = [
    {
        "known": ["age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"],
        "sensitive": "salary",
        "distance": "equal",
    },
    {"known": ["education", "marital_status", "race", "sex"], "sensitive": "hours_per_week", "distance": "ordered"},
    {"known": ["race", "sex"], "sensitive": "occupation", "distance": "equal"},
]


def rows() -> list[Row]:
    frame = complete(pd.read_csv(io.BytesIO(adult_bytes())))
    coded = Dataset.from_frame(frame).frame
    assert coded is not None
    theirs = _pycanon(frame)
    lines = []
    for task, other in zip(TASKS, theirs["results"], strict=True):
        _check(_values(coded, task), other["values"])
        classes = ClassTable.from_frame(frame, task["known"]).n_classes
        title = f"{task['sensitive']} given {', '.join(task['known'])} ({classes:,} classes)"
        lines.append(_compared(f"k: {title}", ["k"], other, partial(_k, coded, task), partial(_k, frame, task)))
        both = partial(_sensitive, coded, task), partial(_sensitive, frame, task)
        lines.append(_compared(f"distinct and entropy l: {title}", ["distinct_l", "entropy_l"], other, *both, 50))
        lines.append(_compared(f"t, {task['distance']} distance: {title}", ["t"], other, *both, 50))
    return lines


def _compared(
    what: str, measures: list[str], other: dict, coded: Callable, plain: Callable, target: int | None = None
) -> Row:
    """Their time against ours, from the data as Anonscope holds it and from the frame that they get."""
    slow, fast, from_plain = sum(other["seconds"][name] for name in measures), seconds(coded), seconds(plain)
    values = ", ".join(f"{other['values'][name]:.4g}" for name in measures)
    measured = (
        f"{spoken(slow)} in pyCANON, {spoken(fast)} here: **{slow / fast:,.0f} times**; from the plain frame "
        f"{spoken(from_plain)}: {slow / from_plain:,.0f} times. Both say {values}"
    )
    return Row(what, measured) if target is None else Row(what, measured, f"{target} times", slow / fast >= target)


def _k(data: pd.DataFrame, task: dict) -> int:
    return ClassTable.from_frame(data, task["known"]).anonymity_vector.k


def _sensitive(data: pd.DataFrame, task: dict) -> SensitiveRisk:
    """l and t together, counting included."""
    known, sensitive = task["known"], task["sensitive"]
    return sensitive_risk(ClassTable.from_frame(data, [*known, sensitive]), known, sensitive)


def _values(data: pd.DataFrame, task: dict) -> dict:
    risk = _sensitive(data, task)
    return {
        "k": _k(data, task),
        "distinct_l": risk.distinct_l,
        "entropy_l": risk.entropy_l,
        "t": risk.t_equal if task["distance"] == "equal" else risk.t_ordered,
    }


def _check(ours: dict, theirs: dict) -> None:
    """The same values; pyCANON rounds entropy l down to a whole number."""
    ours = {**ours, "entropy_l": math.floor(ours["entropy_l"] + 1e-9)}
    for name, value in ours.items():
        if not math.isclose(value, theirs[name], rel_tol=1e-9, abs_tol=1e-12):
            raise AssertionError(f"{name}: {value} here, {theirs[name]} there")


def _pycanon(frame: pd.DataFrame) -> dict:
    python = environment("pycanon", PINNED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "adult.csv"
        frame.to_csv(path, index=False)
        done = subprocess.run(
            [python, Path(__file__).with_name("pycanon_side.py")],
            input=json.dumps({"csv": str(path), "tasks": TASKS}),
            stdout=subprocess.PIPE,
            stderr=sys.stderr,
            text=True,
            check=True,
        )
    return json.loads(done.stdout)
