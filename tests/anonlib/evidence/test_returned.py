"""A released file that came back: the very file, the same records in another file, and one that was changed."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from anonlib.evidence import gather, released_file, verify
from anonlib.project import LoadedFile
from anonlib.recoding import Intervals, Mask
from anonlib.release.steps import DropColumns, Recode, Suppress
from anonlib.roles import Role
from anonlib.sources import open_source
from tests.helpers.evidence import ROLES, as_bytes, opened, visits

PROJECT = opened(visits(60), Recode("age", Intervals(20)), Recode("zip", Mask(3)), Suppress(2))
EVIDENCE = gather(PROJECT, parts=(), on=date(2026, 11, 22))
FILE = released_file(PROJECT)
FRAME = open_source(FILE, "released.csv").frame.astype(object)


def returned(frame: pd.DataFrame) -> LoadedFile:
    return LoadedFile.of(as_bytes(frame), "came back.csv")


def test_the_very_file_is_known_by_each_way() -> None:
    loaded = LoadedFile.of(FILE, "came back.csv")
    decided = PROJECT.project.having_released(EVIDENCE.released.sha256)  # type: ignore[union-attr]
    for known in ({"evidence": EVIDENCE}, {"project": decided}, {"original": PROJECT}):
        found = verify(loaded, **known)  # type: ignore[arg-type]
        assert found.is_same_file and found.holds and "very file" in found.says


def test_the_same_records_in_another_order_hold_but_are_not_the_same_file() -> None:
    found = verify(returned(FRAME.iloc[::-1]), evidence=EVIDENCE, original=PROJECT)
    assert found.is_same_file is False and found.holds and "not the same byte by byte" in found.says


@pytest.mark.parametrize(
    "change, what",
    [
        (lambda frame: frame.iloc[1:], "its records"),
        (lambda frame: pd.concat([frame, frame.iloc[:1]]), "its records"),
        (lambda frame: frame.drop(columns="sex"), "its columns"),
        (lambda frame: frame.assign(new="x"), "its columns"),
        (lambda frame: frame.assign(sex=["f", *frame["sex"].iloc[1:]][::-1]), "its risk"),
    ],
    ids=["a record less", "a record more", "a column less", "a column more", "values moved"],
)
def test_a_file_that_was_changed_is_told_by_its_evidence(change, what: str) -> None:
    found = verify(returned(change(FRAME)), evidence=EVIDENCE)
    assert not found.holds and what in found.says


def test_the_original_tells_which_column_was_changed() -> None:
    changed = FRAME.assign(illness=[*FRAME["illness"].iloc[1:], "ill z"])
    found = verify(returned(changed), original=PROJECT)
    assert not found.holds and "“illness”" in found.says and "“sex”" not in found.says
    assert "ill z" not in " ".join(check.says for check in found.checks)


def test_a_file_that_lacks_records_is_said_to_lack_records_and_not_columns() -> None:
    found = verify(returned(FRAME.iloc[5:]), original=PROJECT)
    assert [check.what for check in found.checks] == ["its records"] and "5 of that are not in it" in found.checks[
        0
    ].says


def test_numbers_drawn_for_persons_are_not_compared() -> None:
    frame = visits(40).assign(name=[f"p{i // 2}" for i in range(40)])
    project = opened(frame, roles={**ROLES, "name": Role.PERSON_ID})
    again = open_source(released_file(project), "released.csv").frame.astype(object)
    assert verify(returned(again.assign(name=again["name"] + "0")), original=project).holds


@pytest.mark.parametrize("name", ["=age", "@sex", "+zip"])
def test_a_name_that_leaves_with_an_apostrophe_is_the_same_column(name: str) -> None:
    frame = visits(60).rename(columns={"age": name})
    roles = {name if each == "age" else each: role for each, role in ROLES.items()}
    project = opened(frame, Recode(name, Intervals(50)), Suppress(2), roles=roles)
    evidence = gather(project, parts=(), on=date(2026, 11, 22))
    again = open_source(released_file(project), "released.csv").frame.astype(object)
    assert verify(returned(again.iloc[::-1]), evidence=evidence).holds


@pytest.mark.parametrize("dropped", [("age", "zip", "sex"), ("name",)], ids=["no known column", "no ids of persons"])
def test_what_a_file_cannot_tell_is_not_held_against_it(dropped: tuple[str, ...]) -> None:
    frame = visits(40).assign(name=[f"p{i // 2}" for i in range(40)])
    project = opened(frame, DropColumns(dropped), roles={**ROLES, "name": Role.PERSON_ID})
    evidence = gather(project, parts=(), on=date(2026, 11, 22))
    again = open_source(released_file(project), "released.csv").frame.astype(object)
    assert verify(returned(again.iloc[::-1]), evidence=evidence).holds
    assert not verify(returned(again.iloc[1:]), evidence=evidence).holds


def test_a_digest_alone_tells_nothing_of_another_file() -> None:
    decided = PROJECT.project.having_released(EVIDENCE.released.sha256)  # type: ignore[union-attr]
    found = verify(returned(FRAME.iloc[::-1]), project=decided)
    assert found.is_same_file is False and not found.holds


def test_nothing_to_compare_with_is_no_check() -> None:
    assert not verify(LoadedFile.of(FILE, "came back.csv")).checks
