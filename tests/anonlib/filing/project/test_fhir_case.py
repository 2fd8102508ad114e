"""FHIR bulk files kept beside the repository: opened, decided on, judged, released, and opened again."""

from __future__ import annotations

from pathlib import Path

import pytest

from anonlib.columns.roles import suggest_roles
from anonlib.counting.privacy_models import ONE, KAnonymity
from anonlib.filing.evidence import released_file
from anonlib.filing.project import LoadedTables, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut
from tests.helpers.three_tables import unzipped

FOLDER = Path(__file__).resolve().parents[4].parent / "shared" / "data" / "fhir"
FILES = sorted(FOLDER.glob("10-*.ndjson"))


@pytest.mark.skipif(not FILES, reason="the FHIR files kept beside the repository are not there")
def test_fhir_files_are_opened_judged_released_and_opened_again():
    loaded = LoadedTables.of([(path.name, path.read_bytes()) for path in FILES])
    data = loaded.dataset(loaded.records(), "category")
    roles = {each.column: each.role for each in suggest_roles(data.visible, data.described)} | dict(loaded.roles)
    known = [name for name, role in roles.items() if role == "quasi_identifier"]
    stays = ("gender", "encounter_class")
    asked = KAnonymity(columns=stays, known=2, least=2, rows=ONE)
    steps = (
        DropColumns(tuple(name for name in known if name not in stays)), LeaveOut(guarantees=(asked,), what="rows")
    )  # fmt: skip
    opened = open_project(Project(roles=roles, recipe=Recipe.of(steps)), loaded)
    assert not opened.applied.problems and opened.verdict.findings
    data = released_file(opened)
    tables = unzipped(data)
    assert set(tables) == {"Patient", "Encounter", "Condition", "Procedure", "Immunization"}
    patients = {row["patient_id"] for row in tables["Patient"]}
    visits = {row["encounter_id"] for row in tables["Encounter"]}
    assert {row["patient_id"] for row in tables["Encounter"]} <= patients
    for name in ("Condition", "Procedure", "Immunization"):
        assert tables[name] and {row["encounter_id"] for row in tables[name]} <= visits
    assert not any("family_name" in row or "phone" in row for row in tables["Patient"])
    again = LoadedTables.of([("released.zip", data)])
    assert {key.table: key.parent for key in again.linked.keys} == {key.table: key.parent for key in loaded.linked.keys}
