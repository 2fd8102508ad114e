"""Releases of each night's file: entered in a register, and counted with the earlier ones that are given."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.command import files, main
from anonlib.command.arguments import parser
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import Project
from anonlib.filing.register import FolderRegister
from anonlib.filing.register.database import DATABASE_NAME
from anonlib.filing.register.folder import KEY_NAME
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import Aim, SmallestClass
from tests.helpers.evidence import as_bytes

ROOT = Path(__file__).resolve().parents[3]
K = 3
ROLES = {"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
PUBLIC = Project(
    roles=ROLES, recipe=Recipe.of([Recode("age", Intervals(10))]), seed=7, case=ReleaseCase(title="Admissions"),
    aim=Aim("public", (SmallestClass(K),)),
)  # fmt: skip
MARCH = [(f"MRN {i}", str(30 + i % 3), "flu" if i % 2 else "asthma") for i in range(12)]


def new(n: int, first: int = 100) -> list[tuple[str, str, str]]:
    return [(f"MRN {first + i}", "35", "flu" if i % 2 else "asthma") for i in range(n)]


def write(path: Path, rows: list[tuple[str, str, str]]) -> None:
    path.write_bytes(as_bytes(pd.DataFrame(rows, columns=list(ROLES))))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A register, the project of all nights, and the file of March, which was released and entered."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "register").mkdir()
    FolderRegister.create(tmp_path / "register")
    (tmp_path / "p.json").write_text(PUBLIC.to_json(), encoding="utf-8")
    write(tmp_path / "march.csv", MARCH)
    assert release("march", "--register", "register") == 0
    return tmp_path


def release(night: str, *more: str) -> int:
    return main(["release", f"{night}.csv", "--project", "p.json", "--out", night, "--quiet", *more])


def of_march(folder: Path = Path()) -> list[str]:
    return ["--earlier", str(folder / "march" / "stays" / "march-project.json"), str(folder / "march.csv")]


def entered(folder: Path) -> list[str]:
    return [each.file for each in FolderRegister.open(folder / "register").entries()]


def test_a_release_is_entered_with_what_left(folder: Path, capsys) -> None:
    (entry,) = FolderRegister.open(folder / "register").entries()
    assert (entry.file, entry.kind, entry.persons) == ("march.csv", "public", 12)
    left = (folder / "march" / "leaves" / "march-released.csv").read_bytes()
    kept = (folder / "march" / "stays" / "march-project.json").read_bytes()
    assert dict(entry.formats) == {"CSV": sha256(left).hexdigest()}
    assert entry.project == sha256(kept).hexdigest() and entry.found_by[0].persons == 12
    assert release("march", "--register", "register", "--format", "parquet") == 0
    assert "Entered in the register: No. 1 of " in capsys.readouterr().out
    (entry,) = FolderRegister.open(folder / "register").entries()
    assert set(entry.formats) == {"CSV", "Parquet"}, "the same release again, in one format more"


def test_a_night_without_the_earlier_release_is_not_released(folder: Path, capsys) -> None:
    write(folder / "april.csv", [*MARCH, *new(K)])
    capsys.readouterr()
    assert release("april", "--register", "register") == 5
    printed = capsys.readouterr().out
    assert "1 earlier release of the register could be held beside this one; 1 of them not counted with it:" in printed
    assert (
        "  No. 1 of " in printed and f"{K} of this release are not in it, and 0 of it are not in this one." in printed
    )
    kept = sha256((folder / "march" / "stays" / "march-project.json").read_bytes()).hexdigest()
    file = sha256((folder / "march.csv").read_bytes()).hexdigest()
    assert f"its project (SHA-256 {kept[:12]}…) and its file “march.csv” (SHA-256 {file[:12]}…)" in printed
    assert "Nothing was written" in printed and not (folder / "april").exists() and entered(folder) == ["march.csv"]
    assert main(["assess", "april.csv", "--project", "p.json", "--register", "register", "--quiet"]) == 5
    printed = capsys.readouterr().out
    assert "  No. 1 of " in printed and "OPEN     Earlier releases: What 1 earlier release and this one" in printed
    assert main(["assess", "april.csv", "--project", "p.json", "--quiet"]) == 0, "nothing is on record"


@pytest.mark.parametrize(("newcomers", "status"), [(1, 3), (K - 1, 3), (K, 0)])
def test_a_night_is_counted_with_the_earlier_release(folder: Path, capsys, newcomers: int, status: int) -> None:
    write(folder / "april.csv", [*MARCH, *new(newcomers)])
    capsys.readouterr()
    assert release("april", "--register", "register", *of_march()) == status
    printed = capsys.readouterr().out
    assert "1 earlier release of the register could be held beside this one; all counted with it." in printed
    assert (folder / "april").exists() == (status == 0)
    assert entered(folder) == (["march.csv"] if status else ["april.csv", "march.csv"])
    if status == 0:
        assert release("april", "--register", "register", *of_march()) == 0, "the same file and recipe again"
        assert len(entered(folder)) == 2
        evidence = (folder / "april" / "stays" / "april-evidence.json").read_text(encoding="utf-8")
        assert "Together with an earlier release" in evidence


def test_a_third_night_takes_both_earlier_ones(folder: Path, capsys) -> None:
    write(folder / "april.csv", [*MARCH, *new(K)])
    assert release("april", "--register", "register", *of_march()) == 0
    write(folder / "may.csv", [*MARCH, *new(K), *new(K, 200)])
    of_april = ["--earlier", "april/stays/april-project.json", "april.csv"]
    capsys.readouterr()
    assert release("may", "--register", "register", *of_march()) == 5
    printed = capsys.readouterr().out
    assert "1 of them not counted" in printed and "No. 2 of" in printed and "No. 1 of" not in printed
    assert release("may", "--register", "register", *of_march(), *of_april) == 0
    assert entered(folder) == ["may.csv", "april.csv", "march.csv"]


def test_under_contract_it_is_reported_and_named(folder: Path, capsys) -> None:
    aim = Aim("contract", (SmallestClass(K),))
    (folder / "p.json").write_text(replace(PUBLIC, aim=aim).to_json(), encoding="utf-8")
    write(folder / "april.csv", [*MARCH, *new(1)])
    capsys.readouterr()
    assert release("april", "--register", "register") == 0
    assert "No. 1 of" in (printed := capsys.readouterr().out) and "Entered in the register: No. 2 of" in printed


def test_the_same_for_machines(folder: Path, capsys) -> None:
    write(folder / "april.csv", [*MARCH, *new(1)])
    capsys.readouterr()
    asked = ["april.csv", "--project", "p.json", "--register", "register", "--quiet", "--json"]
    assert main(["assess", *asked]) == 5
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "anonscope-evidence"
    (of_register,) = document["earlier_releases"]["register"]
    assert (of_register["new"], of_register["gone"], of_register["persons_of_both"]) == (1, 0, 12)
    assert not of_register["counted"] and document["earlier_releases"]["given"] == []
    assert main(["release", *asked, "--out", "april"]) == 5
    document = json.loads(capsys.readouterr().out)
    assert document["written"] == [] and document["earlier_releases"]["register"] == [of_register]
    assert main(["release", *asked, *of_march(), "--out", "april", "--anyway", "They agreed."]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["earlier_releases"]["register"][0]["counted"] and document["entered"].startswith("No. 2 of ")
    assert document["earlier_releases"]["given"][0]["file"] == "march.csv"
    (entry, _) = FolderRegister.open(folder / "register").entries()
    assert not entry.may_leave and entry.leaves_anyway == "They agreed."


def test_a_report_and_advice_count_earlier_releases_too(folder: Path, capsys) -> None:
    write(folder / "april.csv", [*MARCH, *new(1)])
    asked = ["april.csv", "--project", "p.json", "--quiet"]
    assert main(["report", *asked, "--register", "register", "--out", "r.html"]) == 5
    assert "No. 1 of" in capsys.readouterr().out
    assert main(["report", *asked, "--register", "register", *of_march(), "--out", "s.html"]) == 3
    assert entered(folder) == ["march.csv"], "a report is no release"
    assert main(["advise", *asked, "--out", "q.json"]) == 0
    capsys.readouterr()
    assert main(["advise", *asked, *of_march(), "--out", "r.json"]) == 3
    assert "still open: Earlier releases." in capsys.readouterr().out


def test_an_earlier_release_that_is_not_what_left_is_refused(folder: Path, capsys) -> None:
    write(folder / "april.csv", [*MARCH, *new(K)])
    write(folder / "other.csv", MARCH[1:])
    assert release("april", "--earlier", "march/stays/march-project.json", "other.csv") == 2
    assert "“other.csv” is not the file of the earlier release" in capsys.readouterr().err
    assert release("april", "--earlier", "march/stays/march-project.json", "nowhere.csv") == 2
    assert not (folder / "april").exists()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda register: (register / DATABASE_NAME).unlink(), "There is no register in “register”"),
        (lambda register: (register / KEY_NAME).write_bytes(bytes(range(32))), "is not the one that it was made with"),
        (lambda register: (register / DATABASE_NAME).write_bytes(b"no database at all"), "is damaged"),
    ],
)
def test_a_register_that_cannot_be_opened_stops_the_command(folder: Path, capsys, spoil, says: str) -> None:
    write(folder / "april.csv", MARCH)
    spoil(folder / "register")
    assert release("april", "--register", "register") == 2
    assert says in capsys.readouterr().err and not (folder / "april").exists()


def test_a_release_that_cannot_be_entered_says_that_it_was_written(folder: Path, capsys, monkeypatch) -> None:
    write(folder / "april.csv", [*MARCH, *new(K)])
    monkeypatch.setattr("anonlib.filing.register.database._SECONDS_TO_WAIT", 0.1)
    locked = sqlite3.connect(folder / "register" / DATABASE_NAME, isolation_level=None)
    locked.execute("BEGIN IMMEDIATE")  # others may read, and not write
    assert release("april", "--register", "register", *of_march()) == 2
    printed = capsys.readouterr().err
    assert "are written, but it is not entered" in printed and (folder / "april").exists()
    locked.close()
    assert release("april", "--register", "register", *of_march()) == 0 and len(entered(folder)) == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no sh")
@pytest.mark.parametrize(
    ("newcomers", "times"),
    [((0, 1), 1), pytest.param((0, 1, K), 2, marks=pytest.mark.repeats)],  # a night takes some seconds to start
)
def test_the_nightly_script_of_the_documents(tmp_path: Path, newcomers: tuple[int, ...], times: int) -> None:
    """Too few new ones on the second night, and enough on the third; each night once more is the same."""
    text = (ROOT / "docs" / "automation.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```sh\n(#!/bin/sh\n(?:(?!```).)*--register.*?)```", text, re.DOTALL)
    (tmp_path / "admissions-project.json").write_text(PUBLIC.to_json(), encoding="utf-8")
    (tmp_path / "register").mkdir()
    FolderRegister.create(tmp_path / "register")
    commands = {"anonscope": f'exec "{sys.executable}" -m anonlib "$@"', "date": 'echo "$NIGHT"'}
    (tmp_path / "bin").mkdir()
    for name, does in commands.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    paths = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for i, number in enumerate(newcomers, start=1):
        night = f"2026-11-0{i}"
        write(tmp_path / "admissions.csv", [*MARCH, *new(number)])
        for _ in range(times):
            ran = subprocess.run(
                ["sh", "-c", script], cwd=tmp_path, env={**os.environ, **paths, "NIGHT": night}, capture_output=True,
                text=True, check=False,
            )  # fmt: skip
            assert ran.returncode == (number == 1), ran
            expected = "not released on 2026-11-02: a criterion is not met" if number == 1 else f"released on {night}"
            assert expected in ran.stdout and not ran.stderr, ran
    assert entered(tmp_path) == (["2026-11-03.csv"] if K in newcomers else []) + ["2026-11-01.csv"]


def test_nothing_that_is_read_is_written_over(folder: Path, capsys) -> None:
    write(folder / "april.csv", [*MARCH, *new(K)])
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    asked = ["april.csv", "--project", "p.json", "--quiet", "--overwrite", "--register", "register", *of_march()]
    (folder / "link.html").symlink_to(folder / "march.csv")
    (folder / "link.json").symlink_to(folder / "register" / KEY_NAME)
    for place in ("link.html", "link.json"):
        assert main(["report", *asked, "--out", place]) == 2
        assert "is read here, and is not replaced" in capsys.readouterr().err
    for place in ("march/stays/march-project.json", "march.csv"):
        assert main(["advise", "april.csv", "--project", "p.json", *of_march(), "--overwrite", "--out", place]) == 2
    assert main(["release", "april.csv", "--project", "p.json", "--register", "register", "--out", "register"]) == 2
    capsys.readouterr()
    asked_of_folder = ["advise", "march/leaves", "--project", "p.json", "--overwrite", "--out"]
    assert main([*asked_of_folder, "march/leaves/march-released.csv"]) == 2
    assert "is read here, and is not replaced" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
    read = files.inputs(parser().parse_args(["report", *asked, "--out", "r.html"]))
    names = {"april.csv", "p.json", "register", DATABASE_NAME, KEY_NAME, "march-project.json", "march.csv"}
    assert {path.name for path in read} == names
