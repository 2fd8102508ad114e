"""The command line: what it says, what it writes, its exit status, and that it agrees with the library."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from anonlib.basics import machine_code
from anonlib.coarsening.recoding import Intervals, Mask, Redaction
from anonlib.columns.roles import Role
from anonlib.command import main
from anonlib.command.arguments import EXHAUSTED, parser
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import evidence_of, gather
from anonlib.filing.evidence.report import ORDERS
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.reading.samples import SAMPLES
from anonlib.reading.sources import open_source
from anonlib.release.files.formats import FORMATS
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.set_up import WITH_CALLER
from anonlib.verdict.criteria import Aim
from tests.helpers.errors import refused
from tests.helpers.evidence import ROLES, SECRETS, as_bytes, visits

ROOT = Path(__file__).resolve().parents[3]
MET = Recipe.of([Recode("age", Intervals(50)), Recode("zip", Mask(1)), DropColumns(("illness", "note")), LeaveOut(5)])
ASKED = (
    'recipient = "own"\nseed = "7"\n[roles]\nname = "identifier"\nage = "quasi_identifier"\n'
    'zip = "quasi_identifier"\nsex = "quasi_identifier"\nillness = "other"\nnote = "other"\n'
    '[[criteria]]\nkind = "smallest_class"\nk = 4\n'
)
"""A project of which nothing but the steps is missing."""
HOSTILE = "a\x1b[31m\x07\r\x9b\u202e\u2066\u200b\u2028\udcff.csv"
"""The name of a file that a terminal would obey, with a byte in it that is no character."""


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


@pytest.mark.parametrize("command", ["assess", "release"])
def test_what_asks_more_than_when_a_project_was_saved_is_named(folder, capsys, command) -> None:
    document = json.loads(Project(roles={"age": Role.QUASI_IDENTIFIER}, aim=Aim.for_recipient("safe_harbor")).to_json())
    Path("today.json").write_text(json.dumps(document))
    del document["aim"]["year"]
    Path("earlier.json").write_text(json.dumps(document))
    Path("ages.csv").write_text("age\n95 years\n41 years\n")
    for project, is_named in (("earlier.json", True), ("today.json", False)):
        more = ("--out", "out") if command == "release" else ()
        status, out, _ = anonscope(capsys, command, "ages.csv", "--project", project, "--quiet", *more)
        assert status == 3 and ("“Safe Harbor” asks more than when this project was saved" in out) == is_named


def everything(folder: Path) -> dict[str, bytes]:
    """The bytes of all files below a folder, by their path in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_inspect_says_what_the_file_is_and_gives_a_project_to_begin_with(folder: Path, capsys) -> None:
    status, out, err = anonscope(capsys, "inspect", "visits.csv")
    assert status == 0 and not err and "80 rows, 6 columns" in out and "k = " in out
    (folder / "begin.toml").write_text(out[out.index("recipient =") :], encoding="utf-8")
    status, out, _ = anonscope(capsys, "assess", "visits.csv", "--project", "begin.toml", "--quiet")
    assert "prosecutor: highest" in out and "marketer: average" in out, "whose risk is nobody's own"
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
    assert (evidence.verdict, evidence.learned) == (opened.verdict.decision, opened.verdict.learned) and [
        each.says for each in evidence.criteria
    ] == [finding.says for finding in opened.verdict.findings]


def test_release_writes_what_leaves_and_what_is_filed(folder: Path, capsys) -> None:
    status, out, _ = anonscope(capsys, "release", "visits.csv", "--project", "met.json", "--out", "out", "--quiet")
    assert status == 0
    leaves, stays = folder / "out" / "leaves", folder / "out" / "stays"
    assert sorted(path.name for path in leaves.iterdir()) == ["visits-codebook.xlsx", "visits-released.csv"]
    filed = ("values.csv", "evidence.json", "report.html", "report.pdf", "project.json")
    assert {path.name for path in stays.iterdir()} == {"written.json", *(f"visits-{what}" for what in filed)}
    assert stays.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in stays.iterdir()} == {0o600}
    assert "is for you alone" in out and "leaves/visits-released.csv" in out
    released = (leaves / "visits-released.csv").read_bytes()
    evidence = evidence_of((stays / "visits-evidence.json").read_bytes())
    digest = hashlib.sha256(released).hexdigest()
    assert evidence.released.sha256 == digest
    project = Project.from_json((stays / "visits-project.json").read_bytes())
    assert list(project.released.values()) == [digest]
    assert evidence.project == hashlib.sha256((stays / "visits-project.json").read_bytes()).hexdigest()
    assert (stays / "visits-report.pdf").read_bytes().startswith(b"%PDF")
    for path in {*leaves.iterdir(), *stays.iterdir()} - {stays / "visits-values.csv"}:
        assert not [secret for secret in SECRETS if secret.encode() in path.read_bytes()]
    asked = ("release", "visits.csv", "--project", "met.json", "--out", "again", "--quiet", "--format", "parquet")
    again = anonscope(capsys, *asked, "--people", "900", "--predict", "sex")
    in_parquet = open_source(folder / "again" / "leaves" / "visits-released.parquet").frame
    assert len(in_parquet) == evidence.released.records
    more = evidence_of((folder / "again" / "stays" / "visits-evidence.json").read_bytes())
    assert more.in_population is not None and more.in_population.people == 900
    for sentence in (more.in_population.before.says(more.unit), *more.in_population.says_how_wrong):
        assert sentence in again[1]
    assert more.utility.prediction is not None
    assert again[0] == 0 and (folder / "again" / "leaves" / "visits-released.csv").read_bytes() == released

    by_evidence = ("--evidence", "out/stays/visits-evidence.json")
    status, out, _ = anonscope(
        capsys, "verify", "out/leaves/visits-released.csv", "--project", "out/stays/visits-project.json",
        *by_evidence, "--original", "visits.csv",
    )  # fmt: skip
    assert status == 0 and "very file" in out
    parquet = ("verify", "again/leaves/visits-released.parquet", "--evidence")
    status, out, _ = anonscope(capsys, *parquet, "again/stays/visits-evidence.json")
    assert status == 0 and "the SHA-256 of the Parquet is the same" in out
    changed = released.decode().replace("f", "m", 3).encode()
    (folder / "changed.csv").write_bytes(changed)
    status, out, _ = anonscope(capsys, "verify", "changed.csv", *by_evidence, "--json")
    assert status == 3 and not json.loads(out)["holds"]


def test_values_that_were_not_compared_are_not_as_released(folder: Path, capsys) -> None:
    asked = ("release", "visits.csv", "--project", "not met.json", "--out", "out", "--quiet", "--anyway", "They asked.")
    anonscope(capsys, *asked)
    released = (folder / "out" / "leaves" / "visits-released.csv").read_bytes()
    secret = SECRETS[1].encode()
    assert released.count(secret) > 1
    (folder / "forged.csv").write_bytes(released.replace(secret, b"well"))
    by_evidence = ("verify", "forged.csv", "--evidence", "out/stays/visits-evidence.json")
    status, out, _ = anonscope(capsys, *by_evidence)
    assert status == 4 and out.startswith("forged.csv: Not compared") and "NOT COMPARED: its cells" in out
    document = json.loads(anonscope(capsys, *by_evidence, "--json")[1])
    assert not document["holds"] and not document["differs"] and document["is_same_file"] is False
    again = ("--project", "out/stays/visits-project.json", "--original", "visits.csv")
    status, out, _ = anonscope(capsys, *by_evidence, *again)
    assert status == 3 and "DIFFERS: “illness”" in out
    head, *rows = released.decode().splitlines()
    (folder / "turned.csv").write_text("\n".join([head, *rows[::-1]]), encoding="utf-8")
    status, out, _ = anonscope(capsys, "verify", "turned.csv", *again)
    assert status == 0 and "turned.csv: This file is not the same byte by byte, but each of its cells" in out


def test_nothing_is_written_where_the_verdict_is_against_it_but_with_a_reason(folder: Path, capsys) -> None:
    asked = ("release", "visits.csv", "--project", "not met.json", "--out", "out", "--quiet")
    status, out, _ = anonscope(capsys, *asked)
    assert status == 3 and "Nothing was written" in out and not (folder / "out").exists()
    status, _, _ = anonscope(capsys, *asked, "--anyway", "Only the statistician gets it.")
    released = (folder / "out" / "leaves" / "visits-released.csv").read_bytes()
    assert status == 3 and released.count(SECRETS[1].encode()) == 80, "with a reason all is written"
    assert b"Only the statistician gets it." in (folder / "out" / "stays" / "visits-report.html").read_bytes()


def test_advise_writes_a_project_that_does(folder: Path, capsys) -> None:
    (folder / "asked.toml").write_text(ASKED, encoding="utf-8")
    status, out, _ = anonscope(capsys, "advise", "visits.csv", "--project", "asked.toml", "--out", "does.json")
    assert status == 0 and "May leave" in out
    assert (folder / "does.json").stat().st_mode & 0o077 == 0, "a project names values and has the seed"
    assert anonscope(capsys, "assess", "visits.csv", "--project", "does.json", "--quiet")[0] == 0
    (folder / "too much.toml").write_text(ASKED.replace("k = 4", "k = 81"), encoding="utf-8")
    status, out, _ = anonscope(capsys, "advise", "visits.csv", "--project", "too much.toml", "--out", "none.json")
    assert status == 3 and "Nothing that is allowed" in out and not (folder / "none.json").exists()


def test_what_must_survive_is_printed_with_the_proposal(folder: Path, capsys) -> None:
    asked = f'{ASKED}[[purposes]]\nkind = "mean by group"\nvalue = "age"\ngroup = "sex"\n'
    (folder / "asked.toml").write_text(asked, encoding="utf-8")
    status, out, _ = anonscope(capsys, "advise", "visits.csv", "--project", "asked.toml", "--out", "does.json")
    assert status == 0 and "Mean of “age” by “sex”: " in out
    status, out, _ = anonscope(capsys, "assess", "visits.csv", "--project", "does.json", "--quiet")
    assert status == 0 and "Mean of “age” by “sex”: " in out
    command = ("advise", "visits.csv", "--project", "asked.toml", "--out", "again.json", "--json", "--quiet")
    (found,) = json.loads(anonscope(capsys, *command)[1])["survives"]
    assert found["value"] == "age" and 0 <= found["kept"] <= 1
    (folder / "wrong.toml").write_text(asked.replace("mean by group", "median"), encoding="utf-8")
    status, _, err = anonscope(capsys, "assess", "visits.csv", "--project", "wrong.toml")
    assert status not in (0, 3) and "kind that this version does not know" in err


def test_values_of_the_original_are_listed_where_they_are_asked_for_and_the_terminal_says_what_that_means(
    folder: Path, capsys
) -> None:
    asked = ("report", "visits.csv", "--project", "met.json", "--quiet", "--out")
    listed = re.compile(rb"\b021(38|39|41|42)\b")
    for ending in ("html", "json"):
        _, out, _ = anonscope(capsys, *asked, f"plain.{ending}")
        assert not listed.search((folder / f"plain.{ending}").read_bytes()) and "confidential" not in out
        _, out, _ = anonscope(capsys, *asked, f"values.{ending}", "--values")
        assert listed.search((folder / f"values.{ending}").read_bytes()) and "as confidential as the data" in out
    document = json.loads(anonscope(capsys, *asked, "values.json", "--values", "--json", "--overwrite")[1])
    assert "as confidential as the data" in document["confidential"]
    status, _, err = anonscope(capsys, *asked, "both.html", "--values", "--public")
    assert status == 2 and "leave out --values or --public" in err and not (folder / "both.html").exists()


def test_the_case_of_a_project_is_in_what_is_filed_and_its_author_says_so(folder: Path, capsys) -> None:
    case = ReleaseCase(title="Falls\x1b", recipient="Ward 3", author="A. Officer", until="2027-11-25")
    saved = Project.from_json((folder / "met.json").read_bytes())
    (folder / "case.json").write_text(replace(saved, case=case).to_json(), encoding="utf-8")
    asked = ("visits.csv", "--project", "case.json", "--quiet")
    status, out, _ = anonscope(capsys, "assess", *asked)
    assert status == 0 and out.startswith("The case: Falls · for Ward 3 · until 2027-11-25\n")
    assert not anonscope(capsys, "assess", "visits.csv", "--project", "met.json", "--quiet")[1].startswith("The case")
    evidence = evidence_of(anonscope(capsys, "assess", *asked, "--json")[1])
    assert evidence.case == case and evidence.who == "A. Officer"
    anonscope(capsys, "report", *asked, "--out", "r.json", "--who", "B. Officer")
    evidence = evidence_of((folder / "r.json").read_bytes())
    assert evidence.case == case and evidence.who == "B. Officer"
    assert anonscope(capsys, "release", *asked, "--out", "out")[0] == 0
    stays = folder / "out" / "stays"
    assert evidence_of((stays / "visits-evidence.json").read_bytes()).who == "A. Officer"
    assert Project.from_json((stays / "visits-project.json").read_bytes()).case == case
    assert anonscope(capsys, "advise", *asked, "--out", "advised.json")[0] == 0
    assert Project.from_json((folder / "advised.json").read_bytes()).case == case


def test_every_order_of_the_report_can_be_asked_for() -> None:
    for order in ORDERS:
        asked = parser().parse_args(["report", "a.csv", "--project", "p", "--out", "r.pdf", "--order", order])
        assert asked.order == order


@pytest.mark.parametrize("ending", ["html", "pdf", "json"])
def test_a_report_is_what_its_name_says(folder: Path, capsys, ending: str) -> None:
    report = folder / f"r.{ending}"
    asked = ("visits.csv", "--project", "met.json", "--out", report.name, "--order", "ema", "--who", "A. Officer")
    status, _, _ = anonscope(capsys, "report", *asked, "--quiet", *(["--public"] if ending == "html" else []))
    assert status == 0 and report.read_bytes().startswith({"html": b"<!", "pdf": b"%PDF", "json": b"{"}[ending])
    is_mine_alone = report.stat().st_mode & 0o077 == 0
    assert is_mine_alone == (ending != "html"), "only a report for anybody is one for others on this machine"
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
        (("report", "visits.csv", "--project", "met.json", "--out", "r.json", "--public"), "leave out --public"),
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
    os.rename("hostile.csv", os.fsencode(HOSTILE))
    for arguments in (
        ("inspect", HOSTILE), ("inspect", HOSTILE, "--json"), ("inspect", HOSTILE + "gone"),
        ("release", HOSTILE, "--project", HOSTILE, "--out", HOSTILE),
        ("report", HOSTILE, "--project", "met.json", "--out", HOSTILE + ".pdf"),
        ("assess", HOSTILE, "--project", "met.json", "--json"),
    ):  # fmt: skip
        _, out, err = anonscope(capsys, *arguments)
        assert (out + err).replace("\n", "").isprintable() and (out + err).encode(), arguments
    with pytest.raises(SystemExit):
        main(["inspect", "visits.csv", HOSTILE])
    assert capsys.readouterr().err.replace("\n", "").isprintable()


NAMES = ("visits.csv", "./visits.csv", "{folder}/visits.csv", "soft.csv", "hard.csv", "deep/../visits.csv")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_no_command_replaces_what_it_reads(folder: Path, capsys, name: str, overwrite: tuple[str, ...]) -> None:
    (folder / "soft.csv").symlink_to("visits.csv")
    os.link("visits.csv", "hard.csv")
    (folder / "deep").mkdir()
    before = everything(folder)
    out = name.format(folder=folder)
    met = ("visits.csv", "--project", "met.json")
    for arguments in (
        ("advise", *met, "--out", out), ("advise", *met, "--areas", "visits.csv", "--out", out),
        ("advise", *met, "--out", "met.json"), ("report", *met, "--out", "met.json"),
        ("report", *met, "--population", "not met.json", "--out", "not met.json"),
    ):  # fmt: skip
        status, _, err = anonscope(capsys, *arguments, *overwrite)
        assert status == 2 and "read here, and is not replaced" in err
    status, _, err = anonscope(capsys, "release", *met, "--out", out)
    assert status == 2 and "is a file" in err
    status, _, err = anonscope(capsys, "release", *met, "--out", ".")
    assert status == 2 and "the folder you are in" in err
    assert everything(folder) == before


def test_what_is_there_is_replaced_only_where_that_is_asked_for(folder: Path, capsys) -> None:
    met = ("visits.csv", "--project", "met.json", "--quiet")
    (folder / "r.json").write_text("mine")
    (folder / "link.json").symlink_to("r.json")
    (folder / "nowhere.json").symlink_to("gone.json")
    before = everything(folder)
    for command, name in (("report", "r.json"), ("advise", "r.json"), ("report", "nowhere.json")):
        status, _, err = anonscope(capsys, command, *met, "--out", name)
        assert status == 2 and "is there already" in err
    for name in ("nowhere.json", "pipe.json", "folder.json"):
        if name == "pipe.json":
            os.mkfifo(name)
        if name == "folder.json":
            os.mkdir(name)
        status, _, err = anonscope(capsys, "report", *met, "--out", name, "--overwrite")
        assert status == 2 and "is no file that could be replaced" in err
    (folder / "pipe.json").unlink()
    assert everything(folder) == before
    assert anonscope(capsys, "report", *met, "--out", "link.json", "--overwrite")[0] == 0
    assert (folder / "link.json").is_symlink() and evidence_of((folder / "r.json").read_bytes()).may_leave


def test_a_file_that_comes_meanwhile_is_not_replaced(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile(*given, **more):
        (folder / "r.json").write_text("of another")
        return gather(*given, **more)

    monkeypatch.setattr("anonlib.command.releasing.gather", meanwhile)
    status, _, err = anonscope(capsys, "report", "visits.csv", "--project", "met.json", "--out", "r.json", "--quiet")
    assert status == 2 and "is there already" in err and (folder / "r.json").read_text() == "of another"


def test_a_release_is_made_again_in_its_folder_and_in_no_other(folder: Path, capsys) -> None:
    asked = ("release", "visits.csv", "--project", "met.json", "--quiet", "--out")
    assert anonscope(capsys, *asked, "july", "--format", "parquet")[0] == 0
    first = everything(folder)
    assert anonscope(capsys, *asked, "july")[0] == 0
    assert set(first) - set(everything(folder)) == {"july/leaves/visits-released.parquet"}, "none of the one before"
    (folder / "mine").mkdir()
    (folder / "mine" / "visits-project.json").write_text("by hand")
    before = everything(folder)
    for out, project, says in (
        ("mine", "met.json", "not written by this command"), ("july", "july/stays/visits-project.json", "read here"),
    ):  # fmt: skip
        status, _, err = anonscope(capsys, *asked, out, "--project", project)
        assert status == 2 and says in err
    assert everything(folder) == before


def test_on_a_full_disk_everything_is_as_before(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("release", "visits.csv", "--project", "met.json", "--quiet", "--out")
    assert anonscope(capsys, *asked, "july")[0] == 0
    before, synced = everything(folder), []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) % 4 == 0:
            raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(os, "fsync", full)
    for out in ("july", "august"):
        status, _, err = anonscope(capsys, *asked, out, "--format", "sav")
        assert status == EXHAUSTED and "as it was before" in err and "Errno" not in err
    synced[:] = [0] * 3
    status, _, err = anonscope(capsys, "report", *asked[1:], "new.json")
    assert status == EXHAUSTED and "cannot be written" in err
    assert everything(folder) == before and not (folder / "august").exists()


def test_a_report_for_anybody_leaves(folder: Path, capsys) -> None:
    asked = ("release", "visits.csv", "--project", "met.json", "--out", "out", "--quiet", "--public", "--json")
    written = json.loads(anonscope(capsys, *asked)[1])["written"]
    assert "leaves/visits-report.pdf" in written and "stays/visits-evidence.json" in written
    assert (folder / "out" / "leaves" / "visits-report.html").exists()


def test_what_is_added_to_a_report_for_anybody_is_printed_too(folder: Path, capsys) -> None:
    asked = ("report", "visits.csv", "--project", "met.json", "--out", "r.html", "--quiet")
    status, out, _ = anonscope(capsys, *asked, "--public", "--add", "rows,detail")
    added = re.findall(r"Added to the report for anybody: (.+)", out)
    assert status == 0 and len(added) == 2
    page = unescape((folder / "r.html").read_text(encoding="utf-8"))
    assert all(sentence in page for sentence in added)
    document = json.loads(anonscope(capsys, *asked, "--overwrite", "--public", "--add", "rows", "--json")[1])
    assert document["added"] == added[:1]
    status, _, err = anonscope(capsys, *asked, "--overwrite", "--add", "rows")
    assert status == 2 and "give --public too" in err
    status, _, err = anonscope(capsys, *asked, "--overwrite", "--public", "--add", "all")
    assert status == 2 and "rows, detail, learned, reasons" in err


def test_no_text_of_a_column_of_texts_is_in_any_file_of_a_release(folder: Path, capsys) -> None:
    frame = visits(80)
    frame["note"] = [
        f"Seen by Dr. Garcia on May 5, complains of headache and dizziness since {i} days." for i in range(80)
    ]
    (folder / "texts.csv").write_bytes(as_bytes(frame))
    recipe = Recipe.of([*MET.enabled[:2], Recode("note", Redaction()), DropColumns(("illness",)), LeaveOut(5)])
    project = Project(roles={**ROLES, "note": Role.SENSITIVE}, recipe=recipe, seed=7)
    (folder / "texts.json").write_text(project.to_json(), encoding="utf-8")
    asked = ("release", "texts.csv", "--project", "texts.json", "--out", "out", "--quiet", "--anyway", "asked for")
    assert anonscope(capsys, *asked)[0] in (0, 3, 5)
    files = everything(folder / "out")
    assert b"Dr. [name]" in files["leaves/texts-released.csv"] and b"zip,02142" in files["stays/texts-values.csv"]
    for name, data in files.items():
        assert b"Garcia" not in data, name
        assert name.startswith("leaves/") or b"headache" not in data, name


@pytest.mark.parametrize("which", ["file", "--project", "--population", "--areas"])
def test_what_has_no_end_is_not_read(folder: Path, capsys, which: str) -> None:
    os.mkfifo("pipe")
    for name in ("pipe", "/dev/zero", "/dev/null"):
        named = {"file": "visits.csv", "--project": "met.json"} | {which: name}
        options = [part for option, value in named.items() if option != "file" for part in (option, value)]
        status, _, err = anonscope(capsys, "advise", named["file"], *options, "--out", "out.json", "--quiet")
        assert status == 2 and "a pipe or a device" in err
    for arguments in (("pipe", "--project", "met.json"), ("visits.csv", "--evidence", "pipe")):
        status, _, err = anonscope(capsys, "verify", *arguments)
        assert status == 2 and "a pipe or a device" in err
    with refused("file-not-regular"):
        open_source(folder / "pipe")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What is started as the app: the folder it is found in, its module and its arguments."""
    found: list[list[str]] = []
    monkeypatch.setattr("runpy.run_module", lambda name, run_name: found.append([sys.path[0], name, *sys.argv]))
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "path", list(sys.path))
    return found


def test_the_app_is_served_from_where_it_is_installed(folder: Path, capsys, monkeypatch, started) -> None:
    monkeypatch.setattr(machine_code, "is_kept", lambda: True)
    assert anonscope(capsys, "serve", "--port", "9000")[0] == 0
    assert anonscope(capsys, "serve", "--no-browser")[0] == 0
    assert started == [
        [str(ROOT), "ui.start", "anonscope serve", "--port", "9000", "--open"],
        [str(ROOT), "ui.start", "anonscope serve", "--port", "8501"],
    ]


def test_the_first_start_compiles_in_a_process_that_ends_with_it(folder: Path, capsys, monkeypatch, started) -> None:
    behind = []

    def begin(command: list[str], **options: object) -> None:
        assert options["stdin"] is subprocess.PIPE, "which ends with this process"
        behind.append((command, options["cwd"], len(started)))

    monkeypatch.setattr(machine_code, "is_kept", lambda: False)
    monkeypatch.setattr("subprocess.Popen", begin)
    status, out, _ = anonscope(capsys, "serve")
    assert status == 0 and started[0][1] == "ui.start" and out.startswith("Compiling")
    assert behind == [([sys.executable, "-m", "anonlib.set_up", WITH_CALLER], ROOT, 0)]


def test_where_the_app_is_missing_the_way_out_is_named(folder: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    status, _, err = anonscope(capsys, "serve")
    assert status == 2 and 'pip install "anonscope[app]"' in err


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
    assert len(list(folder.glob("release-*/*/admissions-*"))) == 7
    (folder / "admissions.csv").write_bytes(sample.read_bytes().replace(b"02", b"99", 40))
    done = subprocess.run(["sh", "-c", nightly], **shell)  # type: ignore[call-overload]
    assert done.returncode == 1 and "not released on 20" in done.stdout and "does not cover" in done.stderr


def test_attack_says_what_each_attack_gains(folder: Path, capsys) -> None:
    """A copy of the original is found out: status 3; what was accepted to leak everything is fine: status 0."""
    rows = "\n".join(f"{20 + i % 50},{'fm'[i % 2]},{'xyz'[i % 3]}" for i in range(120))
    (folder / "visits.csv").write_text(f"age,sex,ill\n{rows}\n")
    (folder / "visits.toml").write_text(
        '[roles]\nage = "quasi_identifier"\nsex = "quasi_identifier"\nill = "sensitive"\n'
    )
    paths = [str(folder / "visits.csv"), "--project", str(folder / "visits.toml"), "--quiet"]
    assert main(["attack", *paths, "--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["in_the_file"] == 108 and document["in_the_control"] == 12 and document["alone"]["of"] == 120
    assert main(["report", *paths, "--out", str(folder / "evidence.json")]) == 3
    attacks = json.loads((folder / "evidence.json").read_text())["attacks"]["attacks"]
    rates = [(each["rate"]["successes"], each["rate"]["tries"]) for each in attacks]
    assert rates == [(each["successes"], each["tries"]) for each in document["attacks"]], "evidence has the same"
    capsys.readouterr()
    assert main(["attack", *paths, "--accepted", "1"]) == 0
    assert "Accepted gain: 100%" in capsys.readouterr().out
    assert main(["attack", paths[0], *paths, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["another_file"]["copies"] == 120
    assert main(["attack", *paths, "--columns", "0"]) == 2
    assert "one column or more" in capsys.readouterr().err


def test_each_format_of_a_release_can_be_asked_for():
    command = next(action for action in parser()._actions if action.dest == "command").choices["release"]
    (formats,) = (action for action in command._actions if "--format" in action.option_strings)
    assert set(formats.choices) == {file_format.ending for file_format in FORMATS.values()}
