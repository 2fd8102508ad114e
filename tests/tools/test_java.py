"""Whether there is a Java for Spark is asked of the program that Spark would start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.java import lacking, version_in

ROOT = Path(__file__).resolve().parents[2]
NEEDED = "Tests in Spark are left out: it needs Java 17 or newer, and "


def java(folder: Path, report: str, status: int = 0) -> Path:
    """A program that says this of its version."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{report}' >&2\nexit {status}\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("report", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', 17),
        ('java version "1.8.0_202"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ('openjdk version "26-ea" 2026-03-17', 26),
        ("The operation couldn’t be completed. Unable to locate a Java Runtime.", None),
    ],
)
def test_the_version_is_read_from_its_report(report: str, version: int | None) -> None:
    assert version_in(report) == version


@pytest.mark.parametrize(
    ("report", "status", "reason"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 0, None),
        ('openjdk version "25" 2025-09-16', 0, None),
        ('openjdk version "11.0.20" 2023-07-18', 0, NEEDED + "the one {where} is 11."),
        ('java version "1.8.0_202"', 0, NEEDED + "the one {where} is 8."),
        ("Unable to locate a Java Runtime.", 1, NEEDED + "the one {where} does not start."),
        ("no words that are known", 0, NEEDED + "the one {where} does not start."),
    ],
)
@pytest.mark.parametrize("where", ["in JAVA_HOME", "on the PATH"])
def test_a_java_that_is_too_old_or_none_is_named(
    where: str, report: str, status: int, reason: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = java(tmp_path, report, status)
    if where == "in JAVA_HOME":
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    else:
        monkeypatch.delenv("JAVA_HOME", raising=False)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert lacking() == (reason and reason.format(where=where))


def test_without_any_it_is_one_line_and_a_status(tmp_path: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    run = [sys.executable, str(ROOT / "tools" / "java.py")]
    finished = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stdout) == (1, NEEDED + "none is on the PATH.\n")
    finished = subprocess.run(
        run, env=environment | {"JAVA_HOME": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert (finished.returncode, finished.stdout) == (1, NEEDED + "the one in JAVA_HOME does not start.\n")
