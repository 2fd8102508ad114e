"""Codes on the Release page: a step that recodes them to groups, and what its labels mean."""

from __future__ import annotations

import pytest

from anonlib.coarsening.recoding import CodeGroup
from anonlib.release.steps import Recode
from anonlib.release.suggestions import first_recipe
from tests.helpers.app import RELEASE, App, dataset_of, seeded
from tests.helpers.codes import as_csv, hospital

ROLES = dict.fromkeys(("age", "sex", "diag_1", "procedure"), "quasi_identifier")


@pytest.fixture(scope="module")
def file() -> bytes:
    rows = hospital()
    rows.loc[:1, "diag_1"] = "not known"
    return as_csv(rows)


def recoding(file: bytes, column: str) -> App:
    app = seeded(file, page=RELEASE, roles=ROLES)
    app.choose("segmented_control", "Kind of step", "Recode")
    return app.choose("selectbox", "Column", column)


def test_codes_to_groups(file):
    app = recoding(file, "diag_1")
    assert app.widget("segmented_control", "Way").value == "Codes", "as suggested"
    assert app.widget("selectbox", "Codes of").value == "icd-9-cm"
    assert "1 of 83 values (2 records) is no ICD-9-CM diagnosis code and stays as it is." in app.text
    app.choose("segmented_control", "To", "blocks").press("Add to recipe")
    (step,) = app.session.recipe.enabled
    assert isinstance(step, Recode) and step.recoding == CodeGroup("icd-9-cm", "blocks")
    assert step.kept == ("not known",) and not app.errors
    app.press("Change step 1").choose("segmented_control", "To", "chapters").press("Keep the change")
    assert app.session.recipe.enabled[0].recoding == CodeGroup("icd-9-cm", "chapters")
    released = app.session.recipe.apply(dataset_of(app)).released.frame
    assert {"390-459", "240-279", "V01-V91", "not known"} <= {*released["diag_1"].astype(str)}


def test_the_way_is_offered_where_a_system_fits(file):
    app = recoding(file, "age")
    assert "Codes" not in list(app.widget("segmented_control", "Way").options)
    app.choose("selectbox", "Column", "procedure")
    assert app.widget("selectbox", "Codes of").value == "icd-9-cm-procedures"


def test_a_first_recipe_takes_codes_to_groups(file):
    data = dataset_of(seeded(file, page=RELEASE, roles=ROLES))
    found = first_recipe(data, 2, part_by_part=False)
    groups = {step.column: step.recoding for step in found.steps if isinstance(step, Recode)}
    assert {"diag_1", "procedure"} <= {*groups} and found.k >= 2
    data = data.with_roles({"sex": "quasi_identifier", "diag_1": "quasi_identifier"})
    found = first_recipe(data, 2, part_by_part=False)
    (way,) = (step.recoding for step in found.steps if isinstance(step, Recode))
    assert isinstance(way, CodeGroup) and found.records_kept >= 0.95 * found.n_records
