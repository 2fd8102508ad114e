"""What is submitted holds no cell, and names what is decided: the same in another session, another where it changes."""

from __future__ import annotations

import html
import re
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from anonlib.coarsening.hierarchies import intervals
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.department.changes import COLUMN, CRITERION, FIGURE, STEP, TERM, changes, changes_since_entry
from anonlib.filing.department.database import Database
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.settings import StoreSettings
from anonlib.filing.department.submission import evidence_in, lacks, places_of, submission_of, why_not_submitted
from anonlib.filing.evidence import VALUE_TABLES, gather, released_file
from anonlib.filing.evidence.report import ORDERS, html_of
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.filing.project.parts import ValueOrder, Variant
from anonlib.filing.register import RegisterEntry, facts_of
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, MergeRare, Recode
from anonlib.verdict.criteria import Accepted, Aim
from tests.helpers.errors import refused
from tests.helpers.evidence import as_bytes, opened, visits
from tests.helpers.requests import ANN, CASE, CAT, LITTLE, REASON, opened_case, submitted

# ---- no cell ----

N = 60
PLANTED = pd.DataFrame(
    {
        "patient": [f"Zqpatient{i:03}" for i in range(N)],
        "wage": [f"{2_000_003 + 7919 * i}" for i in range(N)],
        "born": [f"{1921 + i // 6}-0{1 + i % 9}-1{i % 9}" for i in range(N)],
        "town": [f"Zqtown{i % 6}" for i in range(N)],
        "job": [f"Zqjob{i % 4}" for i in range(N)],
        "ward": [f"Zqward{i % 3}" for i in range(N)],
        "illness": [f"Zqillness{i % 7}" for i in range(N)],
        "memo": [f"Zqmemo{i:03}" for i in range(N)],
    }
)
ROLES = {
    "patient": Role.IDENTIFIER, "wage": Role.QUASI_IDENTIFIER, "born": Role.QUASI_IDENTIFIER, "town": Role.PLACE,
    "job": Role.QUASI_IDENTIFIER, "ward": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE, "memo": Role.OTHER,
}  # fmt: skip
RECIPES = {
    "as it is": (),
    "some columns recoded": (
        Recode("wage", Intervals(1_000_000)),
        Recode("born", Mask(2)),
        Recode("town", ValueMap.of({"Zqtown0": "north", "Zqtown1": "north"}, "south")),
        MergeRare("job", 5, "rare"),
        DropColumns(("memo",)),
    ),
}


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("recipient", ["contract", "public"])
def test_no_cell_is_in_what_is_kept_or_shown(recipe: str, recipient: str, tmp_path: Path) -> None:
    """Neither of the original nor of the release, in which columns leave as they were, and not in value tables."""
    harmless = (("illness", ("Zqillness0",)),)
    aim = replace(Aim.for_recipient(recipient), harmless=harmless, leaves_anyway=REASON)
    project = opened(PLANTED, *RECIPES[recipe], roles=ROLES, case=CASE, aim=aim)
    evidence = gather(project, parts=("inference", "leakage", "singling_out", "attacks", "utility", VALUE_TABLES))
    assert evidence.is_confidential is bool(RECIPES[recipe]) and b"Zqward0" in released_file(project), (
        "a column leaves as it was"
    )
    asks, document = submission_of(project, evidence)
    database = Database.open(StoreSettings(tmp_path))
    Requests(database).submit(ANN, asks, document)
    database.close()
    frozen = evidence_in(document)
    views = {"document": document, "asks": repr(asks)}
    views |= {f"store {path.name}": path.read_bytes().decode("latin-1") for path in tmp_path.iterdir()}
    views |= {
        f"{order} {public}": html.unescape(re.sub(r"<wbr\s*/?>", "", html_of(frozen, order, public=public).decode()))
        for order in ORDERS
        for public in (False, True)
    }
    cells = "|".join({re.escape(cell) for name in PLANTED for cell in PLANTED[name]})
    for name, view in views.items():
        assert not re.findall(rf"(?<![\w.])(?:{cells})(?!\w)", view), name
    inside = html_of(evidence, "assessment", public=True).decode() + html_of(evidence, "assessment").decode()
    assert re.findall(cells, inside), "what was not stripped has them"


def test_what_is_stripped_are_cells_alone() -> None:
    evidence = gather(opened_case())
    frozen = evidence.without_cells
    assert frozen.without_cells == frozen and evidence_in(submitted()[1]) == frozen
    differing = [
        field.name for field in fields(evidence) if getattr(evidence, field.name) != getattr(frozen, field.name)
    ]
    assert differing == ["as_released"]
    assert [column.values for column in frozen.as_released.columns] == [
        column.values for column in evidence.as_released.columns
    ]


# ---- what is decided ----


@cache
def project_of() -> Opened:
    return opened_case()


def decided(**changes) -> str:
    """What names the decisions of a project with these changes, on the same file opened again."""
    project = replace(project_of().project, **changes)
    return open_project(project, LoadedFile.of(as_bytes(visits(60)), "visits.csv")).decided


LOOKED_AT = {
    "k": {"k": 9},
    "own_threshold": {"own_threshold": 0.2},
    "variants": {"variants": (Variant("other", Recipe()),)},
    "orders": {"orders": {"zip": ValueOrder("given", ("02139",))}},
    "released": {"released": {"a" * 64: "b" * 64}},
    "stricter": {"stricter": ("Smallest class",)},
    "population_columns": {"population_columns": {"age": "years"}},
}
"""What does not decide what leaves; the columns of a population table do so with the table."""


def changed() -> dict[str, dict[str, object]]:
    """By name, a change that decides something."""
    project = project_of().project
    aim, smallest = project.aim, project.aim.criteria[1]
    accepted = Accepted(smallest, "So agreed.", columns=("illness",), values=(("illness", ("ill a",)),))
    return {
        "roles": {"roles": {**project.roles, "zip": Role.OTHER}},
        "missing": {"missing": "drop"},
        "hierarchies": {"hierarchies": {"age": intervals((10, 50))}},
        "recipe": {"recipe": Recipe.of([*LITTLE[:-1], LeaveOut(6)])},
        "recipe, its order": {"recipe": Recipe.of([LITTLE[1], LITTLE[0], *LITTLE[2:]])},
        "unknowable": {"unknowable": ("zip",)},
        "pseudonyms": {"pseudonyms": Pseudonyms("basel", "sepsis", "0" * 16)},
        "seed": {"seed": 8},
        "case": {"case": replace(CASE, purpose="Another one.")},
        "aim, its reason": {"aim": replace(aim, leaves_anyway="Another one.")},
        "aim, its criteria": {"aim": replace(aim, criteria=aim.criteria[:-1])},
        "aim, what is accepted": {"aim": aim.accepting(accepted)},
        "aim, an accepted value": {"aim": aim.accepting(replace(accepted, values=(("illness", ("ill b",)),)))},
        "aim, its recipient": {"aim": replace(aim, recipient="public")},
        "aim, earlier releases": {"aim": aim.having_released(Recipe.of([LeaveOut(3)]), project_of().data.digest)},
    }


def test_what_is_decided_is_the_same_in_another_session() -> None:
    project = project_of()
    assert decided() == project.decided == submitted()[0].decided
    again = Project.from_json(project.project.to_json())
    assert open_project(again, LoadedFile.of(as_bytes(visits(60)), "visits.csv")).decided == project.decided
    noted = project.project.having_released("a" * 64, project.data)
    assert replace(project, project=noted).decided == project.decided, "noting what left changes nothing"


@pytest.mark.parametrize("name", LOOKED_AT)
def test_looking_at_it_otherwise_decides_nothing(name: str) -> None:
    assert decided(**LOOKED_AT[name]) == project_of().decided


def test_each_decision_is_named() -> None:
    names = {name: decided(**change) for name, change in changed().items()}
    assert len({*names.values(), project_of().decided}) == len(names) + 1
    other = opened_case(61)
    assert other.decided != project_of().decided, "the file"


def test_each_field_of_a_project_decides_or_is_known_not_to() -> None:
    """A field that comes later must be one or the other: else what was approved could change by it."""
    of_the_file = {"file", "population", "areas"}  # which name files: their content is in the data and the people
    of_opening = {"upgraded"}  # what opening an old project changed, in words
    deciding = {name.split(",")[0] for name in changed()}
    assert {field.name for field in fields(Project)} == deciding | set(LOOKED_AT) | of_the_file | of_opening


# ---- whether it can be submitted ----


def test_a_case_says_enough_before_it_is_submitted() -> None:
    evidence = gather(opened_case(case=ReleaseCase(title="Sepsis")), parts=("inference", "attacks"))
    assert lacks(evidence.case) == ("purpose", "recipient", "legal basis")
    assert "purpose, recipient, legal basis" in why_not_submitted(evidence.case, evidence)


def test_what_lacks_a_verdict_a_file_or_a_part_is_not_submitted() -> None:
    evidence = gather(opened_case(), parts=("inference", "attacks"))
    assert not why_not_submitted(CASE, evidence)
    against = replace(evidence, may_leave=False, leaves_anyway=" ")
    assert "The verdict is against it" in why_not_submitted(CASE, against)
    assert "By reason" not in why_not_submitted(CASE, replace(against, leaves_anyway=REASON))
    without = replace(evidence, left_out=("attacks",))
    assert "What attacks gain" in why_not_submitted(CASE, without)
    no_file = evidence.with_table(released=None, why_no_file="")
    assert "No file can be made" in why_not_submitted(CASE, no_file)
    for other in (against, without, no_file):
        with refused("not-ready-for-review"):
            submission_of(opened_case(), other)
    with refused("evidence-of-other"):
        submission_of(opened_case(case=replace(CASE, title="Other")), evidence)
    with refused("evidence-of-other"):
        submission_of(opened_case(seed=8), evidence)


def test_a_comment_can_stand_at_each_criterion_column_and_step() -> None:
    evidence = evidence_in(submitted()[1])
    places = places_of(evidence)
    assert len(places) == 1 + len(evidence.criteria) + len(evidence.measured) + len(evidence.columns) + 4
    assert len(set(places)) == len(places)


# ---- the last release ----


def test_what_is_otherwise_than_in_the_last_release() -> None:
    then = evidence_in(submitted()[1])
    assert {change.kind for change in changes(then, then)} == {FIGURE} and not any(
        change.differs for change in changes(then, then)
    )
    case = replace(CASE, contract="DTA 7")
    other = opened(visits(60), *LITTLE[1:3], LeaveOut(2), case=case, aim=Aim.for_recipient("public"))
    now = gather(other, parts=("inference", "attacks")).without_cells
    by_kind = {
        kind: [c for c in changes(then, now) if c.kind == kind] for kind in (FIGURE, CRITERION, COLUMN, STEP, TERM)
    }
    figures = {change.name: (change.then, change.now) for change in by_kind[FIGURE]}
    assert figures["Records that leave"] == (f"{then.released.records:,}", f"{now.released.records:,}")
    assert figures["Smallest class (k)"][1] == f"{now.after.k:,}"
    assert {change.name for change in by_kind[COLUMN]} == {"age"} and "leaves with" in by_kind[COLUMN][0].now
    steps = {change.name: (change.then, change.now) for change in by_kind[STEP]}
    assert steps["Recode age: intervals of 50"] == ("applied", "—")
    assert steps["Leave out records in classes below 2"] == ("—", "applied")
    assert {change.name for change in by_kind[TERM]} == {"Contract", "Kind of recipient"}
    assert by_kind[CRITERION] and all(
        change.differs for kind in (CRITERION, COLUMN, STEP, TERM) for change in by_kind[kind]
    )


def test_what_is_otherwise_than_in_the_register() -> None:
    project, now = project_of(), evidence_in(submitted()[1])
    facts = facts_of(project, {"CSV": "a" * 64}, case=replace(CASE, contract="DTA 6"))
    given = {field.name: getattr(facts, field.name) for field in fields(facts)}
    entry = RegisterEntry(
        number=1, entered="2026-01-01T00:00:00+00:00", latest="2026-01-01T00:00:00+00:00", until="",
        reassess="2027-01-01", **given | {"records": 3, "columns": ("age", "zip", "race")},
    )  # fmt: skip
    found = {change.name: (change.then, change.now) for change in changes_since_entry(entry, now)}
    assert found["Records that leave"] == ("3", f"{now.released.records:,}")
    assert found["race"] == ("leaves", "—") and found["illness"] == ("—", "leaves") and "zip" not in found
    assert found["Contract"] == ("DTA 6", "—") and CAT.name not in found
