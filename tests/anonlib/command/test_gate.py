"""No command writes records, of persons or of a release, while the verdict is against it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from anonlib.command import main
from anonlib.command.arguments import parser
from anonlib.filing.project import Project
from anonlib.release.recipe import Recipe

ROLES = {"age": "quasi_identifier", "ward": "quasi_identifier", "illness": "sensitive"}
ROWS = [f"{20 + i},ward-{i % 9},held-{i:03}" for i in range(40)]
COMMANDS: dict[str, list[list[str]]] = {
    "inspect": [["visits.csv"], ["visits.csv", "--json"]],
    "assess": [["visits.csv", "--project", "p.json"], ["visits.csv", "--project", "p.json", "--json"]],
    "advise": [["visits.csv", "--project", "p.json", "--out", "out/advised.json", "--seconds", "1"]],
    "release": [
        ["visits.csv", "--project", "p.json", "--out", "out"],
        ["visits.csv", "--project", "p.json", "--out", "out", "--format", "parquet", "--public", "--anyway", " "],
    ],
    "report": [
        ["visits.csv", "--project", "p.json", "--out", f"out/report.{ending}"] for ending in ("html", "json")
    ],
    "verify": [["visits.csv", "--project", "p.json", "--original", "visits.csv"]],
    "attack": [["visits.csv", "--project", "p.json"], ["visits.csv", "visits.csv", "--project", "p.json", "--json"]],
}  # fmt: skip

OF_A_DEPARTMENT = {"audit", "register", "keys"}  # which read no file of records


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "visits.csv").write_text("\n".join(["age,ward,illness", *ROWS]) + "\n", encoding="utf-8")
    (tmp_path / "p.json").write_text(Project(roles=ROLES, recipe=Recipe(), seed=7).to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_is_looked_at():
    commands = next(each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    assert set(commands.choices) == {*COMMANDS, "serve", *OF_A_DEPARTMENT}


@pytest.mark.parametrize("command, arguments", [(name, each) for name, asked in COMMANDS.items() for each in asked])
def test_a_command_writes_no_record_while_the_verdict_is_against_it(folder: Path, capsys, command, arguments):
    """All 40 have an age and an illness of their own: whatever holds one of the illnesses holds a record."""
    main([command, *arguments])
    message = capsys.readouterr()
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    held = [path.name for path, data in written.items() if b"held-" in data and path.name != "visits.csv"]
    assert not held and "held-" not in message.out + message.err
    if command == "release":
        assert {path.name for path in written} == {"visits.csv", "p.json"} and "Nothing was written" in message.out
