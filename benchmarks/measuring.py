"""Timing, the machine, and the data that the benchmarks share."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

REPOSITORY = Path(__file__).resolve().parents[1]

ADULT_NINE = [
    "age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country", "salary",
]  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One line of the table: what was done, what came out of it, and the target if there is one."""

    what: str
    measured: str
    target: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        met = "" if self.met is None else "yes" if self.met else "**no**"
        return f"| {self.what} | {self.measured} | {self.target} | {met} |"


def environment(name: str, pinned: str) -> Path:
    """The Python of an environment of a peer's own, made where it is not there yet."""
    folder = REPOSITORY / ".cache" / name
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True, clear=True)
        quietly = ["--quiet", "--disable-pip-version-check"]
        subprocess.run([python, "-m", "pip", "install", *quietly, pinned], check=True, stderr=subprocess.DEVNULL)
        (folder / "installed").touch()
    return python


def seconds(function: Callable[[], object], repeats: int = 7) -> float:
    """Median time of a call; the first one, which pays for imports and page faults, is not counted."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def cpu_seconds(function: Callable[[], object], repeats: int = 5) -> float:
    """The least CPU time of a call, all threads together; the first call is not counted."""
    function()
    return min(cpu_time(function) for _ in range(repeats))


def cpu_time(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def spoken(time_taken: float) -> str:
    """``8.1 ms`` or ``2.3 s``."""
    return f"{time_taken:.2f} s" if time_taken >= 1 else f"{1000 * time_taken:.1f} ms"


def machine() -> str:
    """The class of machine: processor family, cores, memory, Python. No names."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    size = f", {memory:.0f} GB of memory" if memory else ""
    return f"{platform.system()} on {platform.machine()}, {cores} cores{size}, Python {platform.python_version()}"


def adult_bytes() -> bytes:
    """UCI Adult as CSV: the copy beside the repository, else the public one (downloaded once, checked)."""
    beside = REPOSITORY.parent / "shared" / "data" / "adult.csv"
    if beside.exists():
        return beside.read_bytes()
    from anonlib.reading.public_data import load_public

    return load_public("adult")


def complete(frame: pd.DataFrame) -> pd.DataFrame:
    """The records without a ``?``, 30,162 of 32,561: what the published analyses of Adult use."""
    return frame[~(frame == "?").any(axis=1)].reset_index(drop=True)
