"""Steps with a secret: what is saved makes the release again, and no document has the secret or what dates became."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from anonlib.columns.roles import Role
from anonlib.filing.evidence import VALUE_TABLES, gather, released_file, to_json
from anonlib.filing.evidence.report import ORDERS, html_of, report_of
from anonlib.filing.evidence.report.wording import names_in
from anonlib.filing.languages.report import translated
from anonlib.filing.project import LoadedFile, Opened, Project, from_toml, open_project
from anonlib.release.codebook import codebook
from anonlib.release.steps import AtMostRows, ShiftDates, Step
from tests.helpers.evidence import as_bytes, opened

SECRET, OTHER = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"
ROLES = {
    "patient": Role.PERSON_ID, "seen": Role.QUASI_IDENTIFIER, "taken": Role.SENSITIVE, "ward": Role.QUASI_IDENTIFIER
}  # fmt: skip
STEPS: tuple[Step, ...] = (
    AtMostRows(2, "first", "seen", secret=OTHER), ShiftDates(("seen", "taken"), keep_weekday=True, secret=SECRET)
)  # fmt: skip
ON = date(2026, 11, 22)


def visits(n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    seen = [date(2019, 1, 1) + timedelta(int(i)) for i in rng.integers(0, 900, n)]
    return pd.DataFrame({
        "patient": [f"p{i}" for i in rng.integers(0, n // 4, n)], "seen": [each.isoformat() for each in seen],
        "taken": [(each + timedelta(int(i))).isoformat() for each, i in zip(seen, rng.integers(0, 9, n), strict=True)],
        "ward": rng.choice(["A", "B"], n),
    }, dtype=object)  # fmt: skip


@pytest.fixture(scope="module")
def project() -> Opened:
    return opened(visits(), *STEPS, roles=ROLES)


def test_a_saved_project_makes_the_same_release(project: Opened) -> None:
    again = Project.from_json(project.project.to_json())
    assert again.recipe == project.project.recipe and not project.project.unsaved_columns
    file = LoadedFile.of(as_bytes(visits()), "visits.csv")
    assert released_file(open_project(again, file)) == released_file(project)


def test_no_document_has_a_secret_or_what_a_date_became(project: Opened) -> None:
    evidence = gather(project, parts=(VALUE_TABLES,), on=ON)
    assert not evidence.recoding and not evidence.values_recoded
    book = codebook(project.applied.released, project.project.recipe)
    views = [to_json(evidence), *(html_of(evidence, order).decode() for order in ORDERS)]
    views += [html_of(evidence, public=True).decode(), book.columns.to_csv(), book.levels.to_csv(), str(book.notes)]
    assert not [view for view in views for secret in (SECRET, OTHER) if secret in view]
    assert "Move the dates of each person in seen, taken by one number of whole weeks" in views[1]
    assert "Weekdays are those of the original." in views[1] and "Who knows one date of a person knows" in views[1]
    assert project.project.to_json().count(SECRET) == 1, "which stays inside"


def test_what_a_report_says_of_the_steps_is_german(project: Opened) -> None:
    evidence = gather(project, parts=(), on=ON)
    missing = translated(report_of(evidence, "assessment"), "de", names_in(evidence))[1]
    assert not [text for text in missing if "moved" in text or "Move" in text or "Keep at most" in text]


def test_the_steps_can_be_written_by_hand() -> None:
    text = f"""
steps = [
  {{kind = "at_most_rows", n = 2, which = "last", by = "seen", secret = "{OTHER}"}},
  {{kind = "shift_dates", columns = ["seen"], keep_season = true, secret = "{SECRET}"}},
]
[roles]
patient = "person_id"
seen = "quasi_identifier"
"""
    assert from_toml(text).recipe.enabled == (
        AtMostRows(2, "last", "seen", secret=OTHER), ShiftDates(("seen",), keep_season=True, secret=SECRET)
    )  # fmt: skip
