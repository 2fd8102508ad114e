"""What README.md and the documents beside it say is so: the example runs, commands exist, links lead somewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language: str) -> list[str]:
    """The fenced blocks of README.md in a language ("" for those that name none)."""
    return [code for named, code in re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S) if named == language]


def test_the_python_example_prints_what_the_readme_says(tmp_path: Path) -> None:
    (example,) = blocks("python")
    shutil.copytree(ROOT / "data" / "samples", tmp_path / "data" / "samples")
    finished = subprocess.run(
        [sys.executable, "-"],
        input=example,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout in blocks(""), finished.stdout
    released = (tmp_path / "released.csv").read_text(encoding="utf-8").splitlines()
    assert "patient_name" not in released[0]
    assert len(released) > 4000


def test_make_targets_that_are_named_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    for document in DOCUMENTS:
        named = set(re.findall(r"(?:^|`)make ([a-z-]+)", document.read_text(encoding="utf-8"), re.M))
        assert named <= targets, document.name


def test_every_target_is_in_the_help() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.M)
    assert set(re.findall(r"^([a-z-]+):.*## ", makefile, re.M)) == set(phony.split())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files_that_are_there(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_tests_that_are_named_exist(document: Path) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?", document.read_text(encoding="utf-8"))
    missing = [
        f"{path}::{test}"
        for path, test in named
        if not (ROOT / path).is_file() or f"def {test}" not in (ROOT / path).read_text(encoding="utf-8")
    ]
    assert not missing
