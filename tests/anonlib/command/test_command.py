"""The command line: what it says, what it writes, its exit status, and that it agrees with the library."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from anonlib.command import main
from anonlib.evidence import evidence_of
from anonlib.project import LoadedFile, Project, open_project
from anonlib.recoding import Intervals, Mask
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode, Suppress
from anonlib.samples import SAMPLES
from anonlib.sources import open_source
from tests.helpers.evidence import ROLES, SECRETS, as_bytes, visits

ROOT = Path(__file__).resolve().parents[3]
MET = Recipe.of([Recode("age", Intervals(50)), Recode("zip", Mask(1)), DropColumns(("illness", "note")), Suppress(5)])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file whose secret cells nothing may show, and two projects: one whose release may leave."""
    (tmp_path / "visits.csv").write_bytes(as_bytes(visits(80, secrets=True)))
    for name, recipe in (("met.json", MET), ("not met.json", Recipe())):
        (tmp_path / name).write_text(Project(roles=ROLES, recipe=recipe, seed=7).to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def anonscope(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    status = main(arguments)
    out, err = capsys.readouterr()
    assert not [secret for secret in SECRETS if secret in out + err], "a cell that may not be told"
    assert str(ROOT) not in out + err
    return status, out, err


def test_inspect_says_what_the_file_is_and_gives_a_project_to_begin_with(folder: Path, capsys) -> None:
    status, out, err = anonscope(capsys, "inspect", "visits.csv")
    assert status == 0 and not err and "80 records, 6 columns" in out and "k = " in out
    (folder / "begin.toml").write_text(out[out.index("recipient =") :], encoding="utf-8")
    status, out, _ = anonscope(capsys, "assess", "visits.csv", "--project", "begin.toml", "--quiet")
    assert status == 3 and "Not yet" in out
    document = json.loads(anonscope(capsys, "inspect", "visits.csv", "--json")[1])
    assert document["records"] == 80 and len(document["columns"]) == 6


@pytest.mark.parametrize("name, status", [("met.json", 0), ("not met.json", 3)])
def test_the_exit_status_is_the_verdict(folder: Path, capsys, name: str, status: int) -> None:
    found, out, _ = anonscope(capsys, "assess", "visits.csv", "--project", name)
    project = Project.from_json((folder / name).read_bytes())
    opened = open_project(project, LoadedFile.of((folder / "visits.csv").read_bytes(), "visits.csv"))
    assert found == status and opened.verdict.may_leave == (status == 0) and opened.verdict.says in out
    _, out, _ = anonscope(capsys, "assess", "visits.csv", "--project", name, "--json", "--quiet")
    evidence = evidence_of(out)
    assert evidence.verdict == opened.verdict.says and [each.says for each in evidence.criteria] == [
        finding.says for finding in opened.verdict.findings
    ]


def test_release_writes_what_leaves_and_what_is_filed(folder: Path, capsys) -> None:
    status, out, _ = anonscope(capsys, "release", "visits.csv", "--project", "met.json", "--out", "out", "--quiet")
    assert status == 0
    written = {path.name for path in (folder / "out").iterdir()}
    assert written == {
        f"visits-{what}"
        for what in (
            "released.csv",
            "codebook.xlsx",
            "values.csv",
            "evidence.json",
            "report.html",
            "report.pdf",
            "project.json",
        )
    }
    released = (folder / "out" / "visits-released.csv").read_bytes()
    evidence = evidence_of((folder / "out" / "visits-evidence.json").read_bytes())
    assert evidence.released is not None
    digest = hashlib.sha256(released).hexdigest()
    assert evidence.released.sha256 == digest
    project = Project.from_json((folder / "out" / "visits-project.json").read_bytes())
    assert list(project.released.values()) == [digest]
    assert evidence.project == hashlib.sha256((folder / "out" / "visits-project.json").read_bytes()).hexdigest()
    assert (folder / "out" / "visits-report.pdf").read_bytes().startswith(b"%PDF")
    for name in written - {"visits-values.csv"}:
        data = (folder / "out" / name).read_bytes()
        assert not [secret for secret in SECRETS if secret.encode() in data]
    asked = ("release", "visits.csv", "--project", "met.json", "--out", "again", "--quiet", "--format", "parquet")
    again = anonscope(capsys, *asked, "--people", "900", "--predict", "sex")
    assert open_source(folder / "again" / "visits-released.parquet").frame.shape[0] == evidence.released.records
    more = evidence_of((folder / "again" / "visits-evidence.json").read_bytes())
    assert more.in_population is not None and more.in_population.people == 900
    assert more.utility is not None and more.utility.prediction is not None
    assert again[0] == 0 and (folder / "again" / "visits-released.csv").read_bytes() == released

    status, out, _ = anonscope(
        capsys, "verify", "out/visits-released.csv", "--project", "out/visits-project.json",
        "--evidence", "out/visits-evidence.json", "--original", "visits.csv",
    )  # fmt: skip
    assert status == 0 and "very file" in out
    changed = released.decode().replace("f", "m", 3).encode()
    (folder / "changed.csv").write_bytes(changed)
    status, out, _ = anonscope(capsys, "verify", "changed.csv", "--evidence", "out/visits-evidence.json", "--json")
    assert status == 3 and not json.loads(out)["holds"]


def test_nothing_is_written_where_the_verdict_is_against_it_but_with_a_reason(folder: Path, capsys) -> None:
    asked = ("release", "visits.csv", "--project", "not met.json", "--out", "out", "--quiet")
    status, out, _ = anonscope(capsys, *asked)
    assert status == 3 and "Nothing was written" in out and not (folder / "out").exists()
    status, _, _ = anonscope(capsys, *asked, "--anyway", "Only the statistician gets it.")
    assert status == 3 and (folder / "out" / "visits-released.csv").exists()
    assert "Only the statistician gets it." in (folder / "out" / "visits-report.html").read_text(encoding="utf-8")


def test_advise_writes_a_project_that_does(folder: Path, capsys) -> None:
    (folder / "asked.toml").write_text(
        'recipient = "own"\nseed = "7"\n[roles]\nname = "identifier"\nage = "quasi_identifier"\n'
        'zip = "quasi_identifier"\nsex = "quasi_identifier"\nillness = "other"\nnote = "other"\n'
        '[[criteria]]\nkind = "smallest_class"\nk = 4\n',
        encoding="utf-8",
    )
    status, out, _ = anonscope(capsys, "advise", "visits.csv", "--project", "asked.toml", "--out", "does.json")
    assert status == 0 and "May leave" in out
    assert anonscope(capsys, "assess", "visits.csv", "--project", "does.json", "--quiet")[0] == 0
    (folder / "too much.toml").write_text((folder / "asked.toml").read_text().replace("k = 4", "k = 81"))
    status, out, _ = anonscope(capsys, "advise", "visits.csv", "--project", "too much.toml", "--out", "none.json")
    assert status == 3 and "Nothing that is allowed" in out and not (folder / "none.json").exists()


@pytest.mark.parametrize("ending", ["html", "pdf", "json"])
def test_a_report_is_what_its_name_says(folder: Path, capsys, ending: str) -> None:
    status, _, _ = anonscope(
        capsys, "report", "visits.csv", "--project", "met.json", "--out", f"r.{ending}", "--order", "ema", "--public",
        "--who", "A. Officer", "--quiet",
    )  # fmt: skip
    data = (folder / f"r.{ending}").read_bytes()
    assert status == 0 and data.startswith({"html": b"<!", "pdf": b"%PDF", "json": b"{"}[ending])
    assert list(folder.glob(".*")) == [], "nothing half written is left"


@pytest.mark.parametrize(
    "arguments, says",
    [
        (("inspect", "nowhere.csv"), "cannot be read"),
        (("assess", "visits.csv", "--project", "nowhere.json"), "cannot be read"),
        (("assess", "visits.csv", "--project", "visits.csv"), "neither JSON"),
        (("assess", "met.json", "--project", "met.json"), ""),
        (("assess", "visits.csv", "--project", "met.json", "--population", "nowhere.csv"), "population table"),
        (("report", "visits.csv", "--project", "met.json", "--out", "r.docx"), "must end in"),
        (
            ("report", "visits.csv", "--project", "met.json", "--out", "visits.csv/r.pdf", "--quiet"),
            "cannot be written",
        ),
        (("advise", "visits.csv", "--project", "met.json", "--out", "x", "--seconds", "-1"), "above 0"),
        (("advise", "visits.csv", "--project", "met.json", "--out", "x", "--areas", "visits.csv"), ""),
        (("release", "visits.csv", "--project", "met.json", "--out", "o", "--quiet", "--predict", "name"), "name"),
        (("release", "visits.csv", "--project", "met.json", "--out", "o", "--quiet", "--people", "5"), "population"),
        (("verify", "visits.csv"), "--evidence"),
        (("verify", "visits.csv", "--evidence", "met.json"), "no evidence"),
        (("verify", "visits.csv", "--project", "met.json"), "no release on record"),
        (("verify", "visits.csv", "--evidence", "met.json", "--original", "visits.csv"), "--project"),
    ],
)
def test_what_cannot_be_used_is_a_sentence_and_status_2(folder: Path, capsys, arguments, says: str) -> None:
    status, out, err = anonscope(capsys, *arguments)
    assert status == 2 and not out and err.startswith("anonscope: ") and says in err
    assert len(err.strip().splitlines()) == 1 and "Traceback" not in err


def test_a_name_that_a_terminal_would_obey_is_not_obeyed(folder: Path, capsys) -> None:
    frame = visits(10).rename(columns={"note": "\x1b[31mred\x07"})
    (folder / "hostile.csv").write_bytes(as_bytes(frame))
    _, out, _ = anonscope(capsys, "inspect", "hostile.csv")
    assert "\x1b" not in out and "\x07" not in out


def test_the_app_is_served_from_its_folder_alone(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr("runpy.run_module", lambda name, run_name: started.append([name, *sys.argv]))
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path and Path(path).resolve() != ROOT])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: PathFinder.find_spec(name, sys.path))
    status, _, err = anonscope(capsys, "serve")
    assert status == 2 and "Anonscope's folder" in err and not started
    monkeypatch.chdir(ROOT)
    assert anonscope(capsys, "serve", "--port", "9000")[0] == 0
    assert started == [["ui.start", "anonscope serve", "--port", "9000"]]


def test_help_and_a_wrong_command_import_nothing_heavy() -> None:
    code = "import sys; from anonlib.command import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "assert not {'pandas', 'numpy', 'plotly', 'scipy'} & set(sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_the_documented_night(folder: Path) -> None:
    """The project and the commands of docs/automation.md on the sample they are about."""
    text = (ROOT / "docs" / "automation.md").read_text(encoding="utf-8")
    project, once, nightly = (
        re.search(rf"```{language}\n(.*?)```", text[start:], flags=re.DOTALL)[1]  # type: ignore[index]
        for language, start in (("toml", 0), ("sh", 0), ("sh", text.index("each night:")))
    )
    sample = next(each for each in SAMPLES if each.key == "admissions")
    (folder / "admissions.csv").write_bytes(sample.read_bytes())
    (folder / "admissions.toml").write_text(project, encoding="utf-8")
    (folder / "anonscope").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m anonlib "$@"\n')
    (folder / "anonscope").chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{folder}:{os.environ['PATH']}"}
    shell = {"cwd": folder, "env": environment, "capture_output": True, "text": True, "check": False}
    first = subprocess.run(["sh", "-c", once], **shell)  # type: ignore[call-overload]
    done = subprocess.run(["sh", "-c", nightly], **shell)  # type: ignore[call-overload]
    assert first.returncode == 0 and "May leave" in first.stdout, first.stdout + first.stderr
    assert done.returncode == 0 and "released on 20" in done.stdout, done.stdout + done.stderr
    assert len(list(folder.glob("release-*/admissions-*"))) == 7
    (folder / "admissions.csv").write_bytes(sample.read_bytes().replace(b"02", b"99", 40))
    done = subprocess.run(["sh", "-c", nightly], **shell)  # type: ignore[call-overload]
    assert done.returncode == 1 and "not released on 20" in done.stdout and "does not cover" in done.stderr
