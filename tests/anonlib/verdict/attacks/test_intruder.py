"""The intruder's test: the record of each target in the very file that leaves is right, and nothing else is."""

from __future__ import annotations

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals
from anonlib.filing.evidence import released_file
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.reading.sources import open_source
from anonlib.release.export import leaving_order
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.attacks.attacking import AttackSettings
from anonlib.verdict.attacks.intruder import Sheet, drawn, in_words, scored
from tests.helpers.errors import refused
from tests.helpers.evidence import as_bytes

KNOWN = ("age", "sex")
ROLES = {
    "name": "identifier",
    "age": "quasi_identifier",
    "sex": "quasi_identifier",
    "ill": "sensitive",
    "mark": "other",
}


def people(n: int = 120, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "name": [f"person {i // 2}" for i in range(n)], "age": [str(20 + rng.integers(40)) for _ in range(n)],
            "sex": rng.choice(["f", "m", ""], n), "ill": rng.choice(["flu", "gout", "mumps"], n),
            "mark": [f"row {i}" for i in range(n)],
        }
    )  # fmt: skip


def opened(frame: pd.DataFrame, *steps, **roles) -> Opened:
    project = Project(roles=ROLES | roles, recipe=Recipe.of(steps), seed=11)
    return open_project(project, LoadedFile.of(as_bytes(frame), "people.csv"))


def sheet_of(project: Opened, draw: int = 1, **settings) -> Sheet:
    case = project.case
    attacker = AttackSettings.of(case.original, case.released, project.project.aim)
    order = leaving_order(case.released, project.project.lot("release"))
    return drawn(case.applied, case.recipe, attacker, order, project.project.lot("intruder", draw), **settings)


def filled(sheet: Sheet, record, sure="90", **values) -> pd.DataFrame:
    form = sheet.form()
    form["record"] = [str(record(i)) for i in range(len(form))]
    form["how sure, %"] = sure
    return form.assign(**{f"value of: {name}": value for name, value in values.items()})


@pytest.mark.parametrize("at_risk", [False, True])
@pytest.mark.parametrize("has_persons", [False, True])
def test_the_record_of_a_target_in_the_file_that_leaves_is_right(at_risk, has_persons):
    frame = people()
    project = opened(frame, Recode("age", Intervals(10)), LeaveOut(3), **({"name": "person_id"} if has_persons else {}))
    sheet = sheet_of(project, at_risk=at_risk)
    left = open_source(released_file(project), "released.csv").frame
    original_row = {mark: i for i, mark in enumerate(frame["mark"])}
    whose = frame["name"] if has_persons else pd.Series(range(len(frame)))
    owner = [whose[original_row[mark]] for mark in left["mark"]]  # a record of the file each, by plain text
    target = [whose[row] for row in sheet.rows]
    assert len(sheet.names) == 20 and len(set(target)) == 20
    truth = [1 + owner.index(each) if each in owner else "none" for each in target]
    score = scored(sheet, filled(sheet, truth.__getitem__))
    assert all(claim.right for claim in score.claims) and score.of_claims.tries == 20
    wrong = [1 + next(i for i, each in enumerate(owner) if each != target[j]) for j in range(20)]
    assert not any(claim.right for claim in scored(sheet, filled(sheet, wrong.__getitem__)).claims)
    # what a guess among all who fit would find, by plain labels of what leaves
    fitting = dict[int, list[int]]()
    for j, row in enumerate(sheet.rows):
        age, sex = frame.loc[row, list(KNOWN)]
        band = f"{int(age) // 10 * 10}-{int(age) // 10 * 10 + 9}"
        sexes = left["sex"].isna() | (left["sex"] == sex) | (sex == "")  # of a missing one nothing is told
        fitting[j] = np.flatnonzero((left["age"] == band) & sexes).tolist()
        its = [i for i in fitting[j] if owner[i] == target[j]]
        assert sheet.chance[j] == pytest.approx(len(its) / len(fitting[j]) if fitting[j] else 0.0), (age, sex)
    if at_risk:
        assert min(sheet.chance) >= 1 / 40


def test_what_is_given_is_true_and_no_answer_is_in_the_sheet():
    frame = people()
    sheet = sheet_of(opened(frame, Recode("age", Intervals(10))))
    book = openpyxl.load_workbook(io.BytesIO(sheet.to_excel()))
    names, *rows = book["Targets and claims"].iter_rows(values_only=True)
    assert names == (
        "target", "known: age", "known: sex", "record", "how sure, %", "value of: ill", "sources", "minutes",
    )  # fmt: skip
    for (name, age, sex, *rest), row in zip(rows, sheet.rows, strict=True):
        assert name in sheet.names and str(age) == frame.loc[row, "age"] and (sex or "") == frame.loc[row, "sex"]
        assert not any(rest)
    assert "keep no copy" in str(list(book["How it goes"].values))
    again = LoadedFile.of(sheet.to_excel(), "filled.xlsx").source.frame
    assert scored(sheet, again).of_claims.tries == 0, "a sheet that comes back empty claims nothing"


def test_confidence_and_values_score():
    frame = people(60)
    project = opened(frame)
    sheet = sheet_of(project, n_targets=10)
    left = open_source(released_file(project), "released.csv").frame
    place = {mark: i + 1 for i, mark in enumerate(left["mark"])}
    right = [place[frame.loc[row, "mark"]] for row in sheet.rows]
    form = filled(sheet, lambda i: right[i] if i < 4 else right[i] % 60 + 1 if i < 7 else "")
    form["how sure, %"] = ["95 %", "80", "60", "10", "85", "", "50", "", "", ""]
    form["value of: ill"] = [
        f"{frame.loc[row, 'ill'].title()} " if i % 2 else "scurvy" for i, row in enumerate(sheet.rows)
    ]
    score = scored(sheet, form)
    assert (score.of_targets.successes, score.of_claims.successes, score.of_claims.tries) == (4, 4, 7)
    assert [(name, rate.successes, rate.tries) for name, rate in score.by_band] == [
        ("80% or more", 2, 3), ("50 to 79%", 1, 2), ("below 50%", 1, 1), ("no statement", 0, 1),
    ]  # fmt: skip
    ((name, rate, common),) = score.of_values
    commonest = frame["ill"].value_counts().idxmax()
    assert (name, rate.successes, rate.tries) == ("ill", 5, 10)
    assert common == sum(frame.loc[row, "ill"] == commonest for row in sheet.rows)
    assert score.by_chance == pytest.approx(sum(sheet.chance[:7]))
    says = in_words(score, 0.09)
    assert says.startswith("Of 10 targets 4 were claimed rightly: 40%") and "That is above the 9%" in says
    assert "scurvy" not in says + score.to_frame().to_csv()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"record": "61"}, "from 1 to 60"), ({"record": "1.5"}, "whole number"), ({"record": "first"}, "Row 1|row 1"),
        ({"how sure, %": "120"}, "row 1 .*from 0 to 100"), ({"target": "Tabcd-01"}, "none of this draw"),
    ],
)  # fmt: skip
def test_a_form_that_cannot_be_read_names_the_row_and_no_value(change, message):
    sheet = sheet_of(opened(people(60)))
    form = sheet.form()
    for name, value in change.items():
        form.loc[0, name] = value
    with pytest.raises(InputError, match=message) as caught:
        scored(sheet, form)
    assert not any(value in str(caught.value) for value in ("first", "Tabcd"))
    with refused("column-unknown"):
        scored(sheet, sheet.form().drop(columns="record"))
    with refused("target-twice"):
        scored(sheet, pd.concat([sheet.form(), sheet.form().head(1)], ignore_index=True))


def test_another_draw_has_other_targets_and_a_sheet_of_its_own():
    project = opened(people(200))
    one, other = (sheet_of(project, draw) for draw in (1, 2))
    assert not {*one.names} & {*other.names} and one.rows.tolist() != other.rows.tolist()
    with refused("target-unknown"):
        scored(one, other.form())


def test_without_a_release_or_anything_known_there_are_no_targets():
    with refused("no-column-known"):
        sheet_of(opened(people(20), LeaveOut(21)))
    with pytest.raises(InputError, match="At most 100"):
        sheet_of(opened(people(20)), n_targets=101)
