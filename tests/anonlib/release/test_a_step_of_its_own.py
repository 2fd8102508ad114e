"""Kinds of step that nothing but their classes knows, taken through all that looks at steps.

One puts a cut through the numbers of a column, one leaves out the rows beyond a number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.utility.levels import KINDS
from anonlib.command import main
from anonlib.dataset import Dataset
from anonlib.filing.evidence import PARTS, VALUE_TABLES, evidence_of, gather, released_file, script_of, to_json
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.reading.records import Labels
from anonlib.reading.sources import open_source
from anonlib.release.codebook import DONE, codebook, may_be_blank
from anonlib.release.comparison import compare
from anonlib.release.covering import covered_classes
from anonlib.release.export import value_mapping
from anonlib.release.levels import levels_of, steps_on
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.release.steps import STEP_KINDS, DropColumns, LeaveOut, Scope, Stage, Step, Unseen
from anonlib.values.cells import to_numbers
from anonlib.verdict.criteria import Aim
from anonlib.verdict.together.joining import Release
from pages.release.release.controls.forms import FORMS
from tests.helpers.app import RELEASE, seeded
from tests.helpers.evidence import ROLES, as_bytes, text_of, visits

ON = date(2026, 11, 22)


@dataclass(frozen=True, eq=False)
class Cut(Step):
    """Numbers of a column as low or high ones."""

    column: str
    at: int
    reason: str = ""
    kind = "cut"
    stage = Stage.COLUMNS
    gives_way_to = Scope.COLUMN
    labels_by = "rule"
    label_name = "low and high"

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def recodes(self) -> tuple[str, ...]:
        return (self.column,)

    def describe(self) -> str:
        return f"Cut {self.column} at {self.at}"

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> np.ndarray:
        labels = [None if value is None else "high" if float(value) >= self.at else "low" for value in values]
        return np.array([*labels, None], dtype=object)[:-1]

    def can_blank(self, column: str) -> bool:
        return False

    def apply(self, dataset: Dataset) -> Dataset:
        values = dataset.held.values(self.column)
        return dataset.recoded(
            self.column, Labels.as_they_come(values, self.labels_of(self.column, values)), self.digest
        )

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        return self.apply(population) if self.column in population.columns else population

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        counts = before.held.counts_of(self.column)
        table = pd.DataFrame({"value": counts.values, "released as": self.labels_of(self.column, counts.values)})
        table["records"] = counts.records
        return [(self.column, table[table["records"] > 0].reset_index(drop=True))]

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        return ()

    def without_named(self, may_tell: Callable[[str], bool]) -> Step:
        return self

    def without(self, columns: Collection[str]) -> Step | None:
        return None if self.column in columns else self

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "column": self.column, "at": self.at, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Cut:
        return cls(values["column"], values["at"], values.get("reason", ""))


@dataclass(frozen=True, eq=False)
class LeaveOutBeyond(Step):
    """The rows left out whose number in a column is higher."""

    column: str
    most: int
    reason: str = ""
    kind = "leave_out_beyond"
    stage = Stage.PERSONS
    gives_way_to = Scope.REGIONS
    recodes = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def describe(self) -> str:
        return f"Leave out rows beyond {self.most} in {self.column}"

    @property
    def for_anybody(self) -> str:
        return self.describe()

    def apply(self, dataset: Dataset) -> Dataset:
        numbers = to_numbers(dataset.held.values(self.column))
        stays = ~(np.append(numbers, np.nan) > self.most)
        return dataset.with_records(stays[dataset.held.frame[self.column].array.codes], self.digest)

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        return population

    def without(self, columns: Collection[str]) -> Step | None:
        return None if self.column in columns else self

    def follows(self, earlier: Step) -> bool:
        return False

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "column": self.column, "most": self.most, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LeaveOutBeyond:
        return cls(values["column"], values["most"], values.get("reason", ""))


OWN = {kind.kind: kind for kind in (Cut, LeaveOutBeyond)}
for _kind in OWN:
    del STEP_KINDS[_kind]  # of other tests there are no such steps

CUT, BEYOND = Cut("age", 50, "two groups are enough"), LeaveOutBeyond("age", 80)
FILE = as_bytes(visits(120))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kinds with their forms, as long as a test lasts."""
    for name, kind in OWN.items():
        monkeypatch.setitem(STEP_KINDS, name, kind)
        monkeypatch.setitem(FORMS, name, lambda current, edited, key, before: edited)
    yield


@pytest.fixture
def recipe() -> Recipe:
    """Both among others, where they belong."""
    data = Dataset.from_frame(open_source(FILE, "visits.csv").frame, roles=ROLES)
    return Recipe.of([DropColumns(("note",)), LeaveOut(3)]).take([BEYOND], data).take([CUT], data)


@pytest.fixture
def project(recipe: Recipe) -> Project:
    aim = Aim(leaves_anyway="Agreed with the recipient in writing.")
    return Project(roles=ROLES, recipe=recipe, k=3, seed=7, aim=aim, missing="category")


@pytest.fixture
def opened(project: Project) -> Opened:
    return open_project(project, LoadedFile.of(FILE, "visits.csv"))


def test_they_stand_where_they_belong_and_are_saved_and_read(recipe: Recipe, project: Project) -> None:
    kinds = [step.kind for step in recipe.enabled]
    assert kinds == ["leave_out_beyond", "drop_columns", "cut", "leave_out"]
    assert recipe.dropped == {"note"} and recipe.recoded == {"age"} and recipe.recoded_by("rule") == ("age",)
    assert Recipe.from_json(recipe.to_json()) == recipe
    assert Project.from_json(project.to_json()).recipe.digest == recipe.digest
    assert [step.kind for step in recipe.without(["age"]).enabled] == ["leave_out_beyond", "drop_columns", "leave_out"]


def test_what_they_did_is_counted(opened: Opened, recipe: Recipe) -> None:
    applied = opened.applied
    assert not applied.why_not and [effect.problem for effect in applied.effects if effect] == [""] * 4
    beyond, cut = applied.effects[0], applied.effects[2]
    ages = to_numbers(applied.original.frame["age"].astype(object).fillna("nan").to_numpy())
    assert beyond is not None and beyond.records_removed == int((ages > 80).sum()) > 0
    assert cut is not None and cut.cells_changed == int((ages <= 80).sum())
    found = compare(applied, recipe, k=3)
    (of_age,) = [loss for loss in found.columns if loss.column == "age"]
    assert of_age.values_after == 2 and 0 < of_age.entropy_kept < 1
    mapping = value_mapping(applied, recipe)
    assert set(mapping["released as"]) == {"low", "high"} and set(mapping["step"]) == {3}
    assert not covered_classes(applied, recipe, ["age", "zip"]).by_labels
    assert len(opened.verdict.against) < len(opened.verdict.findings)


def test_the_levels_of_a_column_are_its_own(opened: Opened, recipe: Recipe) -> None:
    (of_age,) = [each for each in levels_of(opened.applied, recipe) if each.column == "age"]
    assert of_age.parts[0].name == "low and high" and of_age.is_one_rule
    assert {part.kind for part in of_age.parts} <= {*KINDS} and 0 < of_age.parts[0].detail < 1
    assert not may_be_blank("age", steps_on("age", opened.applied, recipe))


def test_the_codebook_says_what_they_say(opened: Opened, recipe: Recipe) -> None:
    book = codebook(opened.applied.released, recipe)
    rows = book.columns.set_index("column")
    assert rows.loc["age", ["different values", "levels", DONE]].tolist() == [2, "listed", ""]
    assert book.levels.loc[book.levels["column"] == "age", "level"].tolist()[:2] == ["high", "low"]
    assert f"{BEYOND.describe()}." in book.notes and CUT.describe() not in " ".join(book.notes)
    assert "age" in book.names


def test_harmless_values_and_listed_ones_are_followed_through_them(opened: Opened, recipe: Recipe) -> None:
    low = tuple(value for value in opened.data.held.values("age") if float(value) < 50)
    assert Release.of(opened.data, recipe, {"age": low}).harmless("age") == ("low",)
    assert Release.of(opened.data, recipe, {"age": low[1:]}).harmless("age") == ()
    assert not with_safe_harbor(recipe, opened.data).apply(opened.data).problems


def test_evidence_and_both_reports_name_them(opened: Opened, recipe: Recipe) -> None:
    evidence = gather(opened, parts=(*PARTS, VALUE_TABLES), on=ON)
    assert [step.says for step in evidence.steps] == [step.describe() for step in recipe.enabled]
    assert {(each.column, each.label) for each in evidence.recoding} == {("age", "low"), ("age", "high")}
    assert evidence_of(to_json(evidence)) == evidence and "age" not in evidence.may_be_blank
    inside, outside = (text_of(html_of(evidence, public=public)) for public in (False, True))
    assert CUT.describe() in inside and BEYOND.describe() in inside and CUT.reason in inside
    assert BEYOND.describe() in outside and CUT.describe() not in outside


def test_the_script_makes_the_release_again(opened: Opened, tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "visits.csv").write_bytes(FILE)
    monkeypatch.chdir(tmp_path)
    script: dict[str, Any] = {"__name__": "again"}
    exec(compile(script_of(opened, gather(opened, parts=(), on=ON)), "again.py", "exec"), script)
    script["main"]("visits.csv")
    assert "the same, byte by byte" in capsys.readouterr().out
    assert (tmp_path / "again" / "leaves" / "visits-released.csv").read_bytes() == released_file(opened)


def test_the_command_line_releases_a_saved_project(project: Project, tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "visits.csv").write_bytes(FILE)
    (tmp_path / "project.json").write_text(project.to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(("release", "visits.csv", "--project", "project.json", "--out", "out", "--quiet"))
    assert "leaves/visits-released.csv" in capsys.readouterr().out
    released = open_source((tmp_path / "out" / "leaves" / "visits-released.csv").read_bytes(), "a.csv")
    assert set(released.frame["age"].dropna()) == {"low", "high"}


def test_the_release_page_shows_and_changes_them(recipe: Recipe) -> None:
    app = seeded(FILE, page=RELEASE, roles=ROLES, recipe=recipe, k=3)
    for step in recipe.enabled:
        assert step.describe() in app.text
    assert "rows left out" in app.text and CUT.reason in app.text
    app.press("Change step 3").choose("text_input", "Reason", "for the recipient")
    app.press("Keep the change")
    assert app.session.recipe.enabled[2] == CUT.with_reason("for the recipient")
