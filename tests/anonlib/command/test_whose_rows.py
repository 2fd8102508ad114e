"""Whose row it is, on the command line: doubts stand beside the k that they concern, and in the evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anonlib.command import main
from anonlib.filing.evidence import evidence_of
from tests.helpers.persons import once_beside_whole_columns, spelled, two_sites, visits

FILES = {
    "once.csv": (once_beside_whole_columns(), "stand in the first row of each person alone"),
    "spelled.csv": (spelled(), "48 ids are 16 numbers written in several ways"),
    "placeholders.csv": (visits(placeholders=["0000000000"]), "10 of 70 rows"),
    "sites.csv": (two_sites(), "Beside “facility” there are 40 persons"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, (data, _) in FILES.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "ordinary.csv").write_bytes(visits())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_inspect_says_so_beside_k(folder: Path, name: str, capsys):
    assert main(["inspect", name]) == 0
    printed = capsys.readouterr().out
    assert FILES[name][1] in printed and "0000000000" not in printed
    assert main(["inspect", name, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["whose_rows"]
    assert FILES[name][1] in " ".join(found["says"])


def test_inspect_proposes_how_ids_could_be_read(folder: Path, capsys):
    main(["inspect", "sites.csv"])
    proposed = '# person_ids = { column = "medical_record_number", within = "facility" }'
    assert proposed in capsys.readouterr().out


def test_an_ordinary_file_has_no_such_sentence(folder: Path, capsys):
    main(["inspect", "ordinary.csv"])
    assert "Whose row it is" not in capsys.readouterr().out
    main(["inspect", "ordinary.csv", "--json"])
    assert json.loads(capsys.readouterr().out)["whose_rows"] is None


def test_assess_says_so_until_the_ids_are_read_otherwise(folder: Path, capsys):
    roles = '[roles]\nnhs_number = "person_id"\nage_group = "quasi_identifier"\nsex = "quasi_identifier"\n'
    head = 'recipient = "own"\nseed = "7"\n'
    (folder / "apart.toml").write_text(head + roles, encoding="utf-8")
    read = '[read]\nperson_ids = { column = "nhs_number", one_spelling = true }\n'
    (folder / "one.toml").write_text(head + read + roles, encoding="utf-8")
    says = FILES["spelled.csv"][1]
    main(["assess", "spelled.csv", "--project", "apart.toml", "--quiet"])
    assert says in capsys.readouterr().out
    main(["assess", "spelled.csv", "--project", "apart.toml", "--quiet", "--json"])
    apart = evidence_of(capsys.readouterr().out)
    main(["assess", "spelled.csv", "--project", "one.toml", "--quiet", "--json"])
    one = evidence_of(capsys.readouterr().out)
    assert apart.ids is not None and apart.ids.spelled == 16 and one.ids is None
    assert (apart.file.persons, one.file.persons) == (48, 16)
