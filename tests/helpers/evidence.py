"""Random files with a recipe and a project on them, and one file whose secret cells no view of evidence may show."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pandas as pd
from hypothesis import strategies as st

from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Step
from anonlib.verdict.criteria import Aim

ROLES = {
    "name": Role.IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER,
    "illness": Role.SENSITIVE, "note": Role.OTHER,
}  # fmt: skip
SECRETS = ("quokka", "wombat", "numbat")
"""In every cell of the identifier, of the sensitive column and of the column that is neither."""
STEPS: tuple[Step, ...] = (
    Recode("age", Intervals(10)),
    Recode("age", Intervals(25)),
    Recode("zip", Mask(3)),
    Recode("zip", ValueMap.of({"02138": "north", "02139": "north"}, "elsewhere")),
    Recode("sex", Mask(0)),
    DropColumns(("note",)),
    DropColumns(("sex", "note")),
    LeaveOut(2),
    LeaveOut(3),
)


def visits(n: int, seed: int = 0, secrets: bool = False) -> pd.DataFrame:
    """A file of n visits; with secrets every cell that may not be told holds one."""
    rng = random.Random(seed)
    first, second, third = SECRETS if secrets else ("person", "ill", "noted")
    return pd.DataFrame(
        {
            "name": [f"{first} {i}" for i in range(n)],
            "age": [rng.choice(["", *map(str, range(20, 90, 3))]) for _ in range(n)],
            "zip": [rng.choice(["02138", "02139", "02141", "02142"]) for _ in range(n)],
            "sex": [rng.choice(["f", "m"]) for _ in range(n)],
            "illness": [f"{second} {rng.choice('abc')}" for _ in range(n)],
            "note": [f"{third} {rng.randrange(4)}" for _ in range(n)],
        }
    )


def as_bytes(frame: pd.DataFrame) -> bytes:
    """The frame as a CSV file."""
    text = io.StringIO()
    frame.to_csv(text, index=False)
    return text.getvalue().encode()


def opened(frame: pd.DataFrame, *steps: Step, name: str = "visits.csv", **decided) -> Opened:
    """A project with these steps on a file."""
    project = Project(**{"roles": ROLES, "recipe": Recipe.of(steps), "k": 3, "seed": 7, "aim": Aim()} | decided)
    return open_project(project, LoadedFile.of(as_bytes(frame), name))


@st.composite
def on_a_file(draw: st.DrawFn) -> Opened:
    """A project with a random recipe on a random file."""
    steps = draw(st.lists(st.sampled_from(STEPS), max_size=4, unique_by=lambda step: step.digest))
    frame = visits(draw(st.integers(1, 60)), draw(st.integers(0, 99)))
    missing = draw(st.sampled_from(["category", "drop"]))
    return opened(frame, *steps, missing=missing, aim=Aim.for_recipient(draw(st.sampled_from(["contract", "public"]))))


def text_of(html: bytes) -> str:
    """What a report in HTML shows, without its pictures, with one blank between words."""
    text = re.sub(r"<style.*?</style>|<[^>]*>", "", html.decode(), flags=re.DOTALL)
    return " ".join(unescape(text).split())


def run_script(folder: Path, text: str, *arguments: str) -> str:
    """What a written script prints that is run in a folder; fails where the script does."""
    (folder / "again.py").write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = [sys.executable, "again.py", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout
