"""Where the machine has no more memory, disk or room for a file: a sentence and status 6, and nothing half made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from anonlib.command import main, releasing
from anonlib.command.arguments import EXHAUSTED, parser

ROOT = Path(__file__).resolve().parents[3]
PROJECT = '[roles]\nage = "quasi_identifier"\nillness = "sensitive"\n'
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits as Linux has them")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(f"{30 + i % 3},{'flu' if i % 2 else 'asthma'}\n" for i in range(200))
    (tmp_path / "visits.csv").write_text(f"age,illness\n{rows}")
    (tmp_path / "p.toml").write_text(PROJECT)
    return tmp_path


def run(folder: Path, *arguments: str, limit: Callable[[], None] | None = None, out: str = "") -> tuple[int, str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with open(out or folder / "printed.txt", "w") as output:
        done = subprocess.run(
            [sys.executable, "-m", "anonlib", *arguments], cwd=folder, env=environment, stdout=output,
            stderr=subprocess.PIPE, text=True, preexec_fn=limit, check=False,
        )  # fmt: skip
    return done.returncode, done.stderr


def _little_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (300_000_000, 300_000_000))


def _files_of(n_bytes: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


@linux
def test_without_memory_it_is_a_sentence(folder: Path) -> None:
    status, printed = run(folder, "inspect", "visits.csv", limit=_little_memory)
    assert status == EXHAUSTED == 6
    assert printed.startswith("anonscope: There is not enough memory") and "Traceback" not in printed


@linux
@pytest.mark.parametrize(("n_bytes", "what"), [(2_000, "A file would"), (40_000, "“out” cannot be written")])
def test_a_file_that_may_not_become_so_large_is_a_sentence_and_nothing_is_left(
    folder: Path, n_bytes: int, what: str
) -> None:
    arguments = ("--project", "p.toml", "--out", "out", "--quiet", "--anyway", "Agreed in writing.")
    status, printed = run(folder, "release", "visits.csv", *arguments, limit=partial(_files_of, n_bytes))
    assert status == EXHAUSTED and printed.startswith(f"anonscope: {what}") and "ulimit -f" in printed
    assert {path.name for path in folder.iterdir()} == {"visits.csv", "p.toml", "printed.txt"}


@linux
def test_standard_output_on_a_full_disk_is_a_sentence(folder: Path) -> None:
    status, printed = run(folder, "inspect", "visits.csv", out="/dev/full")
    assert status == EXHAUSTED and printed.count("\n") == 1 and "no room left on the disk" in printed


def test_any_command_that_runs_out_of_memory_ends_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def short(*_: object) -> None:
        raise MemoryError("a cell")

    monkeypatch.setattr(releasing, "_evidence", short)
    monkeypatch.chdir(folder)
    assert main(["release", "visits.csv", "--project", "p.toml", "--out", "out", "--quiet"]) == EXHAUSTED
    assert "not enough memory" in capsys.readouterr().err and not (folder / "out").exists()


def test_the_status_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("inspect", "assess", "advise", "release", "report", "verify", "attack"):
        with pytest.raises(SystemExit):
            parser().parse_args([command, "--help"])
        assert "6 when the machine has no more memory" in " ".join(capsys.readouterr().out.split()), command
    assert "6 when the machine has no more memory" in (ROOT / "docs" / "automation.md").read_text()
