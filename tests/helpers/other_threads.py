"""What searches find in a process of its own, whose libraries may use so many threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonlib.analyses.frontier import Plane, PolicySpace, interval_programs
from anonlib.analyses.schedules import optimal_schedule
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.values.cells import text_categorical
from anonlib.verdict.criteria import WAYS, Inference, RecordsKept, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked
from anonlib.verdict.proposals.offers import Offers, kinds_of, with_another

ROOT = Path(__file__).resolve().parents[2]
_OF_LIBRARIES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def found() -> dict[str, Any]:
    """By the kind of search what it finds in this process."""
    searches = {"schedule": _schedule, "frontier": _frontier, "proposals": _proposals}
    return {name: search(np.random.default_rng(7)) for name, search in searches.items()}


def found_by_others() -> dict[str, Any]:
    """What is found in a process of its own with two threads, or with one where this process may use more."""
    threads = "2" if os.environ.get(_OF_LIBRARIES[0]) == "1" else "1"
    ran = subprocess.run(
        [sys.executable, "-m", "tests.helpers.other_threads"], cwd=ROOT, stdout=subprocess.PIPE, text=True,
        encoding="utf-8", env={**os.environ, **dict.fromkeys(_OF_LIBRARIES, threads)}, check=True,
    )  # fmt: skip
    return json.loads(ran.stdout)


def _schedule(rng: np.random.Generator) -> list[Any]:
    f, c = (rng.integers(40, 80, 30) for _ in range(2))
    c[0] += max(0, f.sum() - c.sum())
    schedule = optimal_schedule(f, c, work=A_SECOND / 10)
    return [schedule.proven, schedule.ended_early, schedule.certified_prefix, schedule.assignment.toarray().tolist()]


def _frontier(rng: np.random.Generator) -> list[Any]:
    columns = {"age": 60, "zip": 40, "ward": 9}
    frame = pd.DataFrame({name: text_categorical(rng.integers(0, n, 2_000).astype(str)) for name, n in columns.items()})
    plane = Plane(PolicySpace(ClassTable.from_frame(frame, list(columns))))
    *_, frontier = interval_programs(plane, work=A_SECOND / 10)
    return [frontier.work, frontier.evaluations, frontier.risk.tolist(), frontier.policies.tolist()]


def _proposals(rng: np.random.Generator) -> list[Any]:
    values = {"age": 50, "zip": 5, "sex": 2, "illness": 4}
    frame = pd.DataFrame({name: rng.integers(20, 20 + n, 150).astype(str) for name, n in values.items()})
    roles = dict.fromkeys(values, "quasi_identifier") | {"illness": "sensitive"}
    criteria = SmallestClass(4), Inference(known=2, most=0.1), RecordsKept(0.9)
    offers = Offers()
    for kind in kinds_of(WAYS):
        adviser = Adviser(Asked(Dataset.from_frame(frame, roles=roles), criteria))
        offers = with_another(offers, kind, adviser, Budget(A_SECOND / 50))
    return [
        [each.title, each.proposal.loss, each.proposal.left_out, [step.describe() for step in each.proposal.steps]]
        for each in offers.offers
    ]


if __name__ == "__main__":
    print(json.dumps(found()))
