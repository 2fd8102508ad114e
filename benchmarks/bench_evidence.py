"""Evidence and report of Adult and of a million records, and the command line from a cold start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from anonlib.basics.words import size
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.evidence import Evidence, gather
from anonlib.filing.evidence.report import html_of, pdf_of
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import Aim
from benchmarks.measuring import REPOSITORY, Row, adult_bytes, cpu_time, spoken

KNOWN = ("age", "sex", "race", "marital_status", "education", "native_country", "occupation", "workclass")
STEPS = (Recode("age", Intervals(20)), DropColumns(("fnlwgt",)), LeaveOut(5))
TARGET = "salary"
REPORT, WITH_TASK, MILLION, COLD = 10.0, 30.0, 60.0, 4.0  # seconds wanted
HTML, PDF, MEMORY = 1_000_000, 2_000_000, 3_000_000_000  # bytes wanted
LARGE, COLUMNS = 1_000_000, 12


def rows() -> list[Row]:
    return [*_adult(), *_million(), _command()]


@cache
def project() -> Project:
    roles = {**dict.fromkeys(KNOWN, Role.QUASI_IDENTIFIER), "capital_gain": Role.OTHER, "salary": Role.SENSITIVE}
    return Project(roles=roles, recipe=Recipe.of(STEPS), aim=Aim.for_recipient("contract"), seed=1)


def _filed(opened: Opened, target: str = "") -> tuple[Evidence, bytes, bytes]:
    evidence = gather(opened, target=target)
    return evidence, html_of(evidence), pdf_of(evidence)


def _of_adult(target: str = "") -> tuple[Evidence, bytes, bytes]:
    return _filed(open_project(project(), LoadedFile.of(adult_bytes(), "adult.csv")), target)


def _adult() -> list[Row]:
    _, html, pdf = _of_adult(TARGET)
    taken = min(cpu_time(_of_adult) for _ in range(3))
    with_task = cpu_time(lambda: _of_adult(TARGET))
    what = "Adult, 32,561 x 15: read, assessed, all sections, HTML and PDF"
    return [
        Row(what, spoken(taken), f"< {REPORT:g} s", taken < REPORT),
        Row(f"the same with a task ({TARGET})", spoken(with_task), f"< {WITH_TASK:g} s", with_task < WITH_TASK),
        Row("its HTML", size(len(html)), f"< {size(HTML)}", len(html) < HTML),
        Row("its PDF", size(len(pdf)), f"< {size(PDF)}", len(pdf) < PDF),
    ]


def _million() -> list[Row]:
    """In a process of its own, whose memory is looked at."""
    code = "from benchmarks.bench_evidence import million; million()"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    taken, memory = map(float, done.stdout.split())
    what = f"a million records mixed of Adult, {COLUMNS} columns: assessed, all sections, HTML and PDF"
    return [
        Row(what, spoken(taken), f"< {MILLION:g} s", taken < MILLION),
        Row("the most memory that takes, the data included", size(int(memory)), f"< {size(MEMORY)}", memory < MEMORY),
    ]


def million() -> None:
    """Print seconds of CPU and bytes of memory."""
    import resource

    frame = LoadedFile.of(adult_bytes(), "adult.csv").cells().frame
    names = [*frame.columns[: COLUMNS - 1], "salary"]
    rng = np.random.default_rng(1)
    at, other = rng.integers(len(frame), size=LARGE), rng.integers(len(frame), size=LARGE)
    mixed = {name: frame[name].array[np.where(rng.random(LARGE) < 0.3, other, at)] for name in names}
    here = project().on(names)
    data = Dataset.from_frame(pd.DataFrame(mixed), "mixed.csv").with_roles(here.roles)
    opened = Opened(here, data, here.recipe.apply(data))
    taken = cpu_time(lambda: _filed(opened))
    print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def _command() -> Row:
    """From the start of the process to its end."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "adult.csv").write_bytes(adult_bytes())
        (Path(folder) / "project.json").write_text(project().to_json(), encoding="utf-8")
        command = [sys.executable, "-m", "anonlib", "assess", "adult.csv", "--project", "project.json", "--quiet"]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        times = []
        for _ in range(3):
            before = os.times()
            subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
            times.append(os.times().elapsed - before.elapsed)
    what = "`anonscope assess` on Adult, from a cold start, by the clock"
    return Row(what, spoken(min(times)), f"< {COLD:g} s", min(times) < COLD)


if __name__ == "__main__":
    for row in rows():
        print(row)
