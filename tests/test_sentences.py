"""Sentences that once said what was not so: each is asked for where it stands."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Redaction
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.filing.evidence import evidence_of, gather, to_json
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import Aim, Case, SafeHarbor, SmallestClass
from tests.helpers.app import App

NO_TEXT = "It does not look at free text"
NOTES = [f"Seen on ward {i % 7} after a fall at home, was given tablets and left again." for i in range(40)]


def report(frame: pd.DataFrame, roles: dict[str, Role], aim: Aim, recipe: Recipe) -> str:
    """The report, of evidence that was saved and read again."""
    project = Project(roles=roles, aim=aim, recipe=recipe, seed=7)
    file = LoadedFile.of(frame.to_csv(index=False).encode(), "visits.csv")
    return html_of(evidence_of(to_json(gather(open_project(project, file), parts=())))).decode()


def test_a_report_says_that_texts_were_looked_at_where_they_were() -> None:
    frame = pd.DataFrame({"age": [str(30 + i % 2) for i in range(40)], "note": NOTES})
    roles = {"age": Role.QUASI_IDENTIFIER, "note": Role.SENSITIVE}
    unasked = replace(Aim(), criteria=(SmallestClass(5),))
    looked = "In the free text of “note” it looks for names, dates and numbers that identify"
    for aim, recipe in ((Aim(), Recipe()), (unasked, Recipe.of([Recode("note", Redaction())]))):
        html = report(frame, roles, aim, recipe)
        assert looked in html and NO_TEXT not in html and "It does not look at images or linked files" in html
    assert NO_TEXT in report(frame, roles, unasked, Recipe()), "nobody asked for it"
    assert NO_TEXT in report(frame.drop(columns="note"), {"age": Role.QUASI_IDENTIFIER}, Aim(), Recipe()), (
        "there is none"
    )


@pytest.mark.parametrize(
    "column, values, changed",
    [
        ("age", ["91", "95", None, *["40", "50", "60"] * 9], 2),
        ("zip", ["02138", "02139", "99999-0001", None, "02138"], 4),
        ("email", ["a@b.example", "c@d.example", None], 2),
        ("visit_date", ["2024-01-02", "2024-03-04", None], 2),
    ],
)
def test_safe_harbor_counts_the_rows_that_it_would_change(column: str, values: list, changed: int) -> None:
    """Not all rows: of 32,561 records of Adult it is 43 ages that are over 89."""
    data = Dataset.from_frame(pd.DataFrame({column: values}), roles={column: Role.QUASI_IDENTIFIER})
    finding = SafeHarbor().check(Case(Recipe().apply(data), Recipe()))
    assert finding.worst == ((column, changed),) and (finding.persons, finding.n_persons) == (changed, len(values))


# ---- reasons ---------------------------------------------------------------------------------------------------------


def test_what_speaks_for_another_role_comes_behind_and_says_but() -> None:
    frame = pd.DataFrame({"insurance": ["public", "private"] * 10, "diagnosis": ["I10", "E11", "J45", "C50"] * 5})
    insurance, diagnosis = suggest_roles(frame)
    assert insurance.role is diagnosis.role is Role.SENSITIVE
    assert insurance.asked.startswith("Employers, insurers and family usually know")
    for each in (insurance, diagnosis):
        assert "may want to keep private" in each.why[0]
        knows = [sentence for sentence in each.why if " know" in sentence]
        assert knows and all(sentence.startswith("But ") for sentence in knows)


def test_the_data_page_gives_the_reasons_of_the_suggested_role_first() -> None:
    data = b"age,insurance\n" + b"".join(b"%d,%s\n" % (20 + i, [b"public", b"private"][i % 2]) for i in range(20))
    app = App("pages/data/data/page.py", data)
    table = app.table("Suggested").set_index("Column")
    why = table.loc["insurance", "Why"]
    assert why.index("which a person may want to keep private") < why.index("But employers, insurers and family")
    assert "private. But employers" in app.text.replace("\\", ""), "the question says so too"


def test_a_second_person_id_a_late_column_and_a_copy_say_why_they_are_what_they_are_now() -> None:
    ids = [f"{i // 2:05d}" for i in range(40)]
    frame = pd.DataFrame({"patient_id": ids, "subject_number": [f"S{each}" for each in reversed(ids)]})
    (other,) = [each for each in suggest_roles(frame) if each.role is Role.IDENTIFIER]
    assert other.reasons[0] == "Another column already tells which rows belong to one person."

    names = "age sex race birthplace nationality marital_status education occupation workclass language".split()
    many = pd.DataFrame({name: [str(i % (5 + j)) for i in range(50)] for j, name in enumerate(names)})
    late = [each for each in suggest_roles(many) if any("not among the first" in reason for reason in each.reasons)]
    assert len(late) == 2 and all(each.role is Role.QUASI_IDENTIFIER for each in late)
    assert all("someone outside may know" in each.reasons[0] for each in late)

    answer = pd.DataFrame({"sex": list("fmfm") * 10, "card_number": list("1212") * 10})
    copy = next(each for each in suggest_roles(answer) if each.column == "card_number")
    assert copy.role is Role.QUASI_IDENTIFIER and copy.reasons[0].startswith("Tells “sex” of every record")
    assert not [each for each in copy.reasons if "not an identifier" in each], "which spoke for the role of before"
