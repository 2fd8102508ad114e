"""The script makes the very release again, and the same evidence."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence import evidence_of, gather, released_file, script_of
from anonlib.filing.project import LoadedFile, LoadedTables, Project, open_project, read_population
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.criteria import Aim
from tests.helpers.errors import refused
from tests.helpers.evidence import ROLES, as_bytes, opened, run_script, visits

ON = date(2026, 11, 22)
ANYWAY = Aim(leaves_anyway="Agreed with the recipient in writing.")


def test_it_makes_the_same_file_and_the_same_evidence(tmp_path: Path) -> None:
    file = as_bytes(visits(150))
    people = as_bytes(pd.DataFrame({"age": ["20", "23", "26"], "sex": ["f", "m", "f"], "people": ["900", "800", "70"]}))
    steps = (Recode("age", Intervals(50), "coarser"), LeaveOut(2))
    case = ReleaseCase(title="Falls", purpose="“Who”\n\\ falls?", author="A. Officer")
    project = Project(roles=ROLES, recipe=Recipe.of(steps), k=3, seed=7, aim=ANYWAY, case=case)
    project = open_project(project, LoadedFile.of(file, "visits.csv"), read_population(people, "people.csv"))
    evidence = gather(project, on=ON, target="sex", people=5000)
    assert evidence.case == case and evidence.who == "A. Officer"
    text = script_of(project, evidence)
    assert len(text.split("PROJECT =")[0].splitlines()) <= 60
    (tmp_path / "visits.csv").write_bytes(file)
    (tmp_path / "people.csv").write_bytes(people)
    message = run_script(tmp_path, text, "visits.csv", "people.csv")
    assert "the same, byte by byte" in message and project.verdict.says in message
    assert (tmp_path / "again" / "leaves" / "visits-released.csv").read_bytes() == released_file(project)
    assert evidence_of((tmp_path / "again" / "stays" / "visits-evidence.json").read_bytes()) == evidence


def test_several_tables_are_made_again_from_their_folder(tmp_path: Path) -> None:
    files = [
        ("patients.csv", b"patient_id;born;sex\n7;1950;f\n8;1961;m\n9;1984;f\n"),
        ("visits.csv", b"visit_id;patient_id;ward\n1;7;B\n2;7;C\n3;9;B\n"),
    ]
    roles = {"patient_id": "person_id", "born": "quasi_identifier", "sex": "quasi_identifier", "ward": "sensitive"}
    here = open_project(Project(roles=roles, seed=7, aim=ANYWAY), LoadedTables.of(files))
    evidence = gather(here, on=ON)
    assert [(part.name, part.rows, part.leave, part.below) for part in evidence.parts] == [
        ("patients", 3, 3, ""), ("visits", 3, 3, "patients")
    ]  # fmt: skip
    (tmp_path / "case").mkdir()
    for name, data in files:
        (tmp_path / "case" / name).write_bytes(data)
    message = run_script(tmp_path, script_of(here, evidence), "case")
    assert "the same, byte by byte" in message and "another file" not in message
    assert (tmp_path / "again" / "leaves" / "case-released.csv.zip").read_bytes() == released_file(here)
    assert evidence_of((tmp_path / "again" / "stays" / "case-evidence.json").read_bytes()) == evidence


def test_names_of_columns_and_files_end_no_comment_and_no_text(tmp_path: Path) -> None:
    hostile = 'x"""; import os \u2028 \\ {0}'
    frame = visits(20).rename(columns={"age": hostile})
    roles = {hostile if name == "age" else name: role for name, role in ROLES.items()}
    name = opened(frame, roles={}).data.columns[1]  # as it is read
    roles = {name if each == hostile else each: role for each, role in roles.items()}
    project = opened(frame, Recode(name, Intervals(10)), roles=roles, aim=ANYWAY, name='a"""; import os; """b.csv')
    (tmp_path / "visits.csv").write_bytes(as_bytes(frame))
    message = run_script(tmp_path, script_of(project, gather(project, parts=(), on=ON)), "visits.csv")
    assert "the same, byte by byte" in message


def test_it_writes_nothing_while_the_verdict_is_against_it(tmp_path: Path) -> None:
    project = opened(visits(20))
    (tmp_path / "visits.csv").write_bytes(as_bytes(visits(20)))
    with pytest.raises(AssertionError, match="verdict is against it"):
        run_script(tmp_path, script_of(project, gather(project, parts=(), on=ON)), "visits.csv")
    assert {path.name for path in tmp_path.iterdir()} == {"again.py", "visits.csv"}


def test_what_cannot_be_made_again_is_refused_in_a_sentence() -> None:
    naming = Recode("illness", ValueMap.of({"ill a": "ill"}, "other"))
    for step, code in ((naming, "values-not-saved"), (LeaveOut(1000), "no-record-left")):
        project = opened(visits(20), step)
        with refused(code):
            script_of(project, gather(project, parts=(), on=ON))
