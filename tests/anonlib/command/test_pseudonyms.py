"""Releases with pseudonyms by a key, each night: the same persons keep them, and the key is in none of the files."""

from __future__ import annotations

import base64
import csv
import io
import os
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.command import main
from anonlib.filing.project import Project
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import Accepted, Aim, SamePseudonyms
from tests.helpers.evidence import as_bytes

SECRET = bytes(range(190, 222))
KEY = KeyOfPseudonyms(SECRET)
LABEL = Pseudonyms("University of Example", "Sepsis", KEY.id)
ROLES = {"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
ACCEPTED = (Accepted(SamePseudonyms(), "They follow patients."),)
PROJECT = Project(
    roles=ROLES, recipe=Recipe.of([Recode("age", Intervals(10))]), seed=7, pseudonyms=LABEL,
    aim=replace(Aim.for_recipient("contract"), accepted=ACCEPTED),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, first in (("january", 0), ("february", 30)):
        rows = [(f"MRN {i}", str(30 + i % 3), "flu" if i % 2 else "asthma") for i in range(first, first + 60)]
        (tmp_path / f"{name}.csv").write_bytes(as_bytes(pd.DataFrame(rows, columns=list(ROLES))))
    (tmp_path / "p.json").write_text(PROJECT.to_json(), encoding="utf-8")
    (tmp_path / "pseudonyms.key").write_bytes(SECRET)
    (tmp_path / "other.key").write_bytes(bytes(range(32)))
    for name in ("pseudonyms.key", "other.key"):
        (tmp_path / name).chmod(0o600)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def released(folder: Path, out: str, name: str) -> set[str]:
    text = (folder / out / "leaves" / f"{name}-released.csv").read_text()
    return {row["patient"] for row in csv.DictReader(io.StringIO(text))}


def release(*more: str, name: str = "january", out: str = "out") -> int:
    return main(["release", f"{name}.csv", "--project", "p.json", "--out", out, "--quiet", *more])


def test_two_months_have_the_same_pseudonyms_and_no_file_has_the_key(folder: Path, capsys) -> None:
    for name in ("january", "february"):
        assert release("--pseudonym-key", "pseudonyms.key", name=name, out=name) == 0
    both = [released(folder, name, name) for name in ("january", "february")]
    assert [len(each) for each in both] == [60, 60] and len(both[0] & both[1]) == 30
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".key"}
    forms = [SECRET, SECRET.hex().encode()]
    forms += [encode(SECRET).rstrip(b"=") for encode in (base64.b64encode, base64.b32encode)]
    assert len(written) > 10 and not [path.name for path, data in written.items() for form in forms if form in data]
    message = capsys.readouterr()
    assert not [form for form in forms[1:] if form.decode() in message.out + message.err]
    stays = (folder / "january" / "stays" / "january-project.json").read_text(encoding="utf-8")
    assert Project.from_json(stays).pseudonyms == LABEL
    assert (folder / "pseudonyms.key").read_bytes() == SECRET


@pytest.mark.parametrize(
    "arguments, says",
    [
        ((), f"by the key {KEY.id}, which is not here"),
        (("--pseudonym-key", "other.key"), "the key that was given is"),
        (("--pseudonym-key", "january.csv"), "This is no key"),
        (("--pseudonym-key", "nowhere.key"), "cannot be read: “nowhere.key”"),
        (("--anyway", "A reason."), "--pseudonym-key"),
    ],
)
def test_without_its_key_nothing_is_written(folder: Path, capsys, arguments: tuple[str, ...], says: str) -> None:
    assert release(*arguments) == 2
    assert says in capsys.readouterr().err and not (folder / "out").exists()


def test_the_verdict_is_against_it_until_somebody_accepts_that_releases_add_up(folder: Path, capsys) -> None:
    plain = replace(PROJECT, aim=replace(PROJECT.aim, accepted=()))
    (folder / "p.json").write_text(plain.to_json(), encoding="utf-8")
    assert release("--pseudonym-key", "pseudonyms.key") == 5, "nothing is not met, and one criterion cannot be checked"
    assert "1 cannot be checked" in capsys.readouterr().out and not (folder / "out").exists()
    assert main(["assess", "january.csv", "--project", "p.json", "--quiet"]) == 5


def test_a_report_and_a_check_take_the_key_too(folder: Path, capsys) -> None:
    arguments = ["report", "january.csv", "--project", "p.json", "--out", "r.html", "--quiet"]
    assert main([*arguments, "--pseudonym-key", "pseudonyms.key"]) == 0
    assert KEY.id in (folder / "r.html").read_text(encoding="utf-8")
    release("--pseudonym-key", "pseudonyms.key")
    back = folder / "out" / "leaves" / "january-released.csv"
    lines = back.read_text().splitlines()
    (folder / "back.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]))
    check = ["verify", "back.csv", "--project", "p.json", "--original", "january.csv"]
    assert main([*check, "--pseudonym-key", "pseudonyms.key"]) == 0
    assert main(check) == 2 and KEY.id in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_a_key_that_everybody_can_read_is_refused_and_nothing_is_written(folder: Path, capsys) -> None:
    (folder / "pseudonyms.key").chmod(0o644)
    assert release("--pseudonym-key", "pseudonyms.key") == 2
    printed = capsys.readouterr().err
    assert "Everybody on this computer can read" in printed and "chmod 600" in printed
    assert not (folder / "out").exists()
