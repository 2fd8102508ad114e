"""`make test` ends as its tests do: those in Spark, in a process beside the others, count as much."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PASS, FAIL = "pass", "fail"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def run(
    folder: Path,
    target: str = "test",
    others: str = PASS,
    in_spark: str = PASS,
    no_spark: str = "",
    **variables: object,
) -> tuple:
    """The status and the lines of `make test` with other commands for its tests, and nothing to install."""
    stamp = folder / "stamp"
    stamp.touch()
    for name, status in ((PASS, 0), (FAIL, 1)):
        program = folder / name
        program.write_text(f"#!/bin/sh\necho these ran\nexit {status}\n")
        program.chmod(0o755)
    instead = {
        "PYTHON": sys.executable,
        "RUN_STAMP": stamp,
        "READY": "true",
        "PYTEST": folder / others,
        "SPARK": folder / in_spark,
        "SPARK_REPORT": folder / "spark.txt",
        "NO_SPARK": no_spark,
        **variables,
    }
    command = ["make", "--no-print-directory", target, *(f"{name}={text}" for name, text in instead.items())]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return finished.returncode == 0, finished.stdout.splitlines()


@pytest.mark.parametrize("target", ["test", pytest.param("test-all", marks=pytest.mark.repeats)])  # by the same lines
@pytest.mark.parametrize("others", [PASS, FAIL])
@pytest.mark.parametrize("in_spark", [PASS, FAIL])
def test_it_passes_where_both_do(target: str, others: str, in_spark: str, tmp_path: Path) -> None:
    passed, lines = run(tmp_path, target, others, in_spark)
    assert passed == (others == in_spark == PASS)
    assert lines[:2] == ["these ran", "these ran"]
    assert ("All tests pass." in lines) == passed
    assert ("Tests outside Spark fail: see above." in lines) == (others == FAIL)
    assert ("Tests in Spark fail: see above." in lines) == (in_spark == FAIL)


@pytest.mark.parametrize("others", [PASS, FAIL])
def test_without_java_one_line_says_so_and_the_others_decide(others: str, tmp_path: Path) -> None:
    passed, lines = run(tmp_path, others=others, in_spark=FAIL, no_spark="Tests in Spark are left out.")
    assert passed == (others == PASS)
    last = "All tests pass." if passed else "Tests outside Spark fail: see above."
    assert lines == ["these ran", "Tests in Spark are left out.", last]


@pytest.mark.parametrize(("printed", "status", "pytest_status", "passes", "last"), [
    ("tests/test_readme.py", 0, 0, True, "tests/test_readme.py"),
    ("tests/test_readme.py", 0, 1, False, "tests/test_readme.py"),
    ("tests/test_readme.py", 0, 5, True, "tests/test_readme.py"),
    ("", 3, 1, True, "checked"),
    ("", 1, 0, False, "checked"),
])  # fmt: skip
def test_quick_runs_what_is_affected(
    printed: str, status: int, pytest_status: int, passes: bool, last: str, tmp_path: Path
) -> None:
    """Where all of it is slow, or nothing changed, the checks decide; where that cannot be found out it fails."""
    affected, tests = tmp_path / "affected", tmp_path / "tests"
    affected.write_text(f"#!/bin/sh\necho $1 >{tmp_path}/base\necho {printed}\nexit {status}\n")
    tests.write_text(f"#!/bin/sh\nshift 2\necho $@\nexit {pytest_status}\n")
    for program in (affected, tests):
        program.chmod(0o755)
    stamps = dict.fromkeys(("DEV_STAMP", "COMPILED_STAMP"), tmp_path / "stamp")
    checks = {"MAKE": "echo checked #"}
    instead = {"AFFECTED": affected, "BASE": "main", **stamps, **checks}
    passed, lines = run(tmp_path, "quick", others="tests", **instead)
    assert passed is passes and last in lines and "checked" in " ".join(lines)
    assert (tmp_path / "base").read_text() == "main\n"
