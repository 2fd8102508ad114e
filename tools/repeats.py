"""Which tests go only where other tests go too: ``make test`` leaves them to ``make test-all``.

``python -m tools.repeats`` runs tests outside the browser that are not marked by hand, notes the branches of our code
that each takes, and writes ``tests/repeats.txt`` (three quarters of an hour on two cores). A test stands in it if it
takes :data:`LEAST` seconds or more and each branch that it takes is taken by a test that does not stand there. Tests of
what leaves and of what papers print never do. ``docs/decisions/repeats.md`` says why.
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from functools import cache
from pathlib import Path

import coverage
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "repeats.txt"
LEAST = 0.1  # seconds of processor
OURS = ("anonlib", "pages", "ui", "tools")
NEVER = re.compile(
    r"^tests/(test_|tools|deploy|ui/server|anonlib/filing/department)|published|experiments|bytes|that_leave"
    r"|file_leaves|no_file|names_no|verdict_is_against|not_compared|not_filled_in|one_number_of_days|test_undecided|likelier"
    r"|figure_4|one_method_gives|another_secret|is_frozen|as_many_rows"
)
"""Of a test's address: what leaves is held to its claims, what papers and documents print is what comes out, and what
gates a department's server, or works in processes, shows in no branch. The last two lines hold what quick tests held
that were taken into them, alone noticed a mutant, or hold alone what they claim."""
DOCUMENTS = ("docs/published.md", "docs/errata.md")
"""What papers print beside what Anonscope computes: the tests that these name hold it, and always run."""
CHOSEN_FROM = "not browser and not repeats"
"""Tests that are marked by hand are not there when others are chosen: these must not rely on them."""
FOLDER = "ANONSCOPE_REPEATS"
"""The variable of the environment with the folder for notes, while tests are chosen."""
_HEAD = """\
# Tests that go only where other tests go too. `make test` leaves them out, `make test-all` runs them.
# Written by `python -m tools.repeats`; docs/decisions/repeats.md says how they are chosen.
"""


def listed(path: Path = LIST) -> frozenset[str]:
    """The addresses of the tests in the list."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return frozenset(line for line in lines if line and not line.startswith("#"))


def linked(text: str) -> list[tuple[str, str]]:
    """Files and functions of tests that a document links by their names: ``[table 5](../tests/…/test_index.py)``."""
    links = re.findall(r"\[([\w ]+)\]\(\.\./(tests/[\w/]+\.py)\)", text)
    return [(path, f"test_{name.replace(' ', '_')}") for name, path in links]


@cache
def printed() -> frozenset[str]:
    """Tests by file and function, as ``tests/…/test_index.py::test_table_5``, that :data:`DOCUMENTS` name."""
    tests = set()
    for document in DOCUMENTS:
        text, path = (ROOT / document).read_text(encoding="utf-8"), ""
        tests |= {f"{file}::{name}" for file, name in linked(text)}
        for file, name in re.findall(r"`(tests/[\w/]+\.py)?::(test_\w+)`", text):  # further ones have the file before
            path = file or path
            tests.add(f"{path}::{name}")
    return frozenset(tests)


def repeats(costs: Mapping[str, float], taken: Mapping[str, np.ndarray], least: float = LEAST) -> list[str]:
    """Tests without which every branch is still taken by another one, the costly ones first.

    Parameters
    ----------
    costs : Mapping[str, float]
        Seconds that each test takes, by its address.
    taken : Mapping[str, ndarray]
        The branches that each takes: whole numbers, each once.
    least : float, default LEAST
        Seconds; who takes less is never in the list.

    Returns
    -------
    list[str]
        Sorted.
    """
    times = np.bincount(np.concatenate([*taken.values(), np.array([], dtype=np.int64)]).astype(np.int64))
    spared = []
    for test in sorted(costs, key=lambda test: (-costs[test], test)):
        always = NEVER.search(test) or test.partition("[")[0] in printed()
        if costs[test] >= least and not always and (times[taken[test]] > 1).all():
            times[taken[test]] -= 1
            spared.append(test)
    return sorted(spared)


class Recorder:
    """A plugin of pytest that notes what each test takes, and keeps it in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._coverage = coverage.Coverage(
            data_file=None, branch=True, source=[str(ROOT / name) for name in OURS], config_file=False
        )
        self._numbers: dict[tuple[str, int, int], int] = {}
        self._taken: dict[str, np.ndarray] = {}
        self._costs: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before = _seconds()
        self._coverage.start()
        try:
            return (yield)
        finally:
            self._coverage.stop()
            self._costs[item.nodeid] = _seconds() - before
            data = self._coverage.get_data()
            branches = ((file, *arc) for file in data.measured_files() for arc in data.arcs(file) or ())
            numbers = [self._numbers.setdefault(branch, len(self._numbers)) for branch in branches]
            self._taken[item.nodeid] = np.array(numbers, dtype=np.int64)
            self._coverage.erase()

    def pytest_sessionfinish(self) -> None:
        name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        noted = pickle.dumps((list(self._numbers), self._taken, self._costs))
        (self._folder / f"{name}.pickle").write_bytes(noted)


def _seconds() -> float:
    """What this process and those that it waited for took of the processors so far."""
    return time.process_time() + sum(os.times()[2:4])


def pytest_configure(config: pytest.Config) -> None:
    """Where :func:`main` runs the tests, in each of its processes that runs some."""
    folder = os.environ.get(FOLDER)
    if folder and ("PYTEST_XDIST_WORKER" in os.environ or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Recorder(Path(folder)))


def noted(folder: Path) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Costs and branches of all processes, whose numbers of branches differ."""
    numbers: dict[tuple[str, int, int], int] = {}
    costs: dict[str, float] = {}
    taken: dict[str, np.ndarray] = {}
    for path in sorted(folder.glob("*.pickle")):
        branches, of_process, seconds = pickle.loads(path.read_bytes())  # written just now, by the tests
        number = np.array([numbers.setdefault(branch, len(numbers)) for branch in branches], dtype=np.int64)
        taken |= {test: number[of_test] for test, of_test in of_process.items()}
        costs |= seconds
    return costs, taken


def main() -> int:
    """Run the tests, and write the list."""
    with tempfile.TemporaryDirectory() as folder:
        run = [sys.executable, "-m", "pytest", "-q", "-p", "tools.repeats", "-m", CHOSEN_FROM, "-n", "logical"]
        environment = os.environ | {FOLDER: folder, "CI": "1", "OMP_NUM_THREADS": "1"}
        if subprocess.run(run, cwd=ROOT, env=environment, check=False).returncode:
            print("A test fails: the list stays as it was.")
            return 1
        costs, taken = noted(Path(folder))
    spared = repeats(costs, taken)
    LIST.write_text(_HEAD + "".join(f"{test}\n" for test in spared), encoding="utf-8")
    seconds = sum(costs[test] for test in spared)
    print(f"{len(spared):,} of {len(costs):,} tests repeat, and {seconds:,.0f} s of {sum(costs.values()):,.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
