"""A released file that came back: the very file, the same records in another file, and one that was changed."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.filing.evidence import (
    Evidence,
    Verification,
    evidence_of,
    gather,
    released_file,
    to_json,
    verify,
    verify_returned,
)
from anonlib.filing.project import LoadedFile, LoadedTables, Opened, Project, open_project
from anonlib.reading.sources import open_source
from anonlib.release.files import FORMATS
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.evidence import ROLES, as_bytes, opened, visits

PROJECT = opened(visits(60), Recode("age", Intervals(20)), Recode("zip", Mask(3)), LeaveOut(2))
EVIDENCE = gather(PROJECT, parts=(), on=date(2026, 11, 22))
FILE = released_file(PROJECT)
FRAME = open_source(FILE, "released.csv").frame.astype(object)


OF_PERSONS = visits(40).assign(name=[f"p{i // 2}" for i in range(40)])
PERSONS = {**ROLES, "name": Role.PERSON_ID}


def returned(frame: pd.DataFrame) -> LoadedFile:
    return LoadedFile.of(as_bytes(frame), "came back.csv")


def released_frame(project: Opened) -> pd.DataFrame:
    return open_source(released_file(project), "released.csv").frame.astype(object)


def test_the_very_file_is_known_by_each_way() -> None:
    loaded = LoadedFile.of(FILE, "came back.csv")
    decided = PROJECT.project.having_released(EVIDENCE.released.sha256)  # type: ignore[union-attr]
    for known in ({"evidence": EVIDENCE}, {"project": decided}, {"original": PROJECT}):
        found = verify(loaded, **known)  # type: ignore[arg-type]
        assert found.is_same_file and found.holds and "very file" in found.says
    assert not verify(loaded).checks, "nothing to compare with is no check"
    other = verify(returned(FRAME.iloc[::-1]), project=decided)
    assert other.is_same_file is False and not other.holds, "a digest alone tells nothing of another file"


def test_the_original_tells_which_column_was_changed() -> None:
    changed = FRAME.assign(illness=[*FRAME["illness"].iloc[1:], "ill z"])
    found = verify(returned(changed), original=PROJECT)
    assert not found.holds and "“illness”" in found.says and "“sex”" not in found.says
    assert "ill z" not in " ".join(check.says for check in found.checks)


def test_a_file_that_lacks_records_is_stated_to_lack_records_and_not_columns() -> None:
    found = verify(returned(FRAME.iloc[5:]), original=PROJECT)
    (check,) = found.checks
    assert check.what == "its records" and "5 of that are not in it" in check.says


def test_numbers_drawn_for_persons_are_compared_by_which_records_share_one() -> None:
    project = opened(OF_PERSONS, roles=PERSONS)
    again = released_frame(project)
    assert verify(returned(again.iloc[::-1]), original=project).holds
    for renumbered in (again["name"] + "0", (21 - again["name"].astype(int)).astype(str)):
        found = verify(returned(again.assign(name=renumbered)), original=project)
        assert not found.holds and not found.differs and "numbers of its persons" in found.says
    others = again["name"].replace({"1": "2"})
    for forged in (again.assign(name=others), again.assign(name=[*again["name"][1:], "1"])):
        found = verify(returned(forged), original=project)
        assert found.differs and found.says == "This file is not what was released: its persons."


@pytest.mark.parametrize("name", ["=age", "@sex", "+zip"])
def test_a_name_that_leaves_with_an_apostrophe_is_the_same_column(name: str) -> None:
    frame = visits(60).rename(columns={"age": name})
    roles = {name if each == "age" else each: role for each, role in ROLES.items()}
    project = opened(frame, Recode(name, Intervals(50)), LeaveOut(2), roles=roles)
    evidence = gather(project, parts=(), on=date(2026, 11, 22))
    assert _is_not_compared(verify(returned(released_frame(project).iloc[::-1]), evidence=evidence))


@pytest.mark.parametrize("dropped", [("age", "zip", "sex"), ("name",)], ids=["no known column", "no ids of persons"])
def test_what_a_file_cannot_tell_is_not_held_against_it(dropped: tuple[str, ...]) -> None:
    project = opened(OF_PERSONS, DropColumns(dropped), roles=PERSONS)
    evidence = gather(project, parts=(), on=date(2026, 11, 22))
    again = released_frame(project)
    assert not verify(returned(again.iloc[::-1]), evidence=evidence).differs
    assert verify(returned(again.iloc[1:]), evidence=evidence).differs


# ---- a forger, who writes files with other programs ----


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, pd.DataFrame], bytes]:
    def write(kind: str, frame: pd.DataFrame) -> bytes:
        path, full = tmp_path / "forged", frame.fillna("")
        match kind:
            case "CSV":
                return as_bytes(frame)
            case "Parquet":
                frame.to_parquet(path, index=False)
            case "Excel":
                frame.to_excel(path, index=False, engine="openpyxl")
            case "SPSS":
                pyreadstat.write_sav(full, str(path))
            case "Stata":
                full.to_stata(path, write_index=False, version=118)
        return path.read_bytes()

    return write


def _other(cells: pd.Series) -> pd.Series:
    """The cells of a column handed on to the next record, so that all counts of it stay as they are."""
    return pd.Series([*cells[1:], cells.iloc[0]], index=cells.index)


FORGERIES: dict[str, tuple[pd.DataFrame, str]] = {
    "sensitive": (FRAME.assign(illness=_other(FRAME["illness"])), ""),
    "sensitive replaced": (FRAME.assign(illness="well"), ""),
    "other": (FRAME.assign(note=_other(FRAME["note"])), ""),
    "known": (FRAME.assign(age=_other(FRAME["age"])), "its risk"),
    "a record more": (pd.concat([FRAME, FRAME.iloc[:1]]), "its records"),
    "a record less": (FRAME.iloc[1:], "its records"),
    "columns in another order": (FRAME[FRAME.columns[::-1]], "its columns"),
    "a column less": (FRAME.drop(columns="sex"), "its columns"),
    "a column more": (FRAME.assign(new="x"), "its columns"),
}
"""By what was done the forged records, and what differs by the evidence alone."""


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("kind", FORMATS)
def test_a_forged_file_is_reported_in_each_format(kind: str, forgery: str, written) -> None:
    frame, what = FORGERIES[forgery]
    forged = LoadedFile.of(written(kind, frame), f"back.{FORMATS[kind].ending}")
    for found in (verify(forged, evidence=EVIDENCE), verify(forged, evidence=_without_digests(EVIDENCE))):
        assert not found.holds and found.is_same_file is False
        assert found.differs == bool(what) and what in found.says
    again = verify(forged, evidence=EVIDENCE, original=PROJECT)
    assert again.differs and "not what was released" in again.says and again.is_same_file is False


@pytest.mark.parametrize("kind", FORMATS)
def test_the_true_file_is_reported_in_each_format_by_its_digest_and_by_its_cells(kind: str, written) -> None:
    released = LoadedFile.of(released_file(PROJECT, kind), f"back.{FORMATS[kind].ending}")
    evidence = evidence_of(to_json(EVIDENCE))
    by_digest = verify(released, evidence=evidence)
    assert by_digest.holds and by_digest.is_same_file and f"the SHA-256 of the {kind} is the same" in by_digest.says
    assert verify(released, original=PROJECT).is_same_file
    read_again = LoadedFile.of(written(kind, FRAME.iloc[::-1]), "again")
    by_cells = verify(read_again, evidence=evidence, original=PROJECT)
    assert by_cells.holds and by_cells.is_same_file is False and "each of its cells was compared" in by_cells.says
    not_compared = verify(read_again, evidence=evidence)
    assert _is_not_compared(not_compared) and "values were changed" in not_compared.says


@pytest.mark.parametrize("are_exchanged", [False, True])
def test_labels_of_codes_are_compared(are_exchanged: bool, tmp_path: Path) -> None:
    """Saved again by another program the codes have the labels released, and not each that of another."""
    (tmp_path / "released.sav").write_bytes(released_file(PROJECT, "SPSS"))
    codes, about = pyreadstat.read_sav(str(tmp_path / "released.sav"))
    labels = about.variable_value_labels["age"]
    if are_exchanged:
        labels = dict(zip(labels, [*list(labels.values())[1:], *list(labels.values())[:1]], strict=True))
    labelled = {**about.variable_value_labels, "age": labels}
    pyreadstat.write_sav(codes, str(tmp_path / "again.sav"), variable_value_labels=labelled)
    found = verify(LoadedFile.of((tmp_path / "again.sav").read_bytes(), "again.sav"), original=PROJECT)
    assert len(labels) > 1 and found.differs == are_exchanged and found.holds == (not are_exchanged)


@pytest.mark.parametrize("kind", FORMATS)
def test_evidence_of_an_earlier_version_knows_the_csv_alone(kind: str) -> None:
    released = LoadedFile.of(released_file(PROJECT, kind), f"back.{FORMATS[kind].ending}")
    evidence = _without_digests(EVIDENCE)
    found = verify(released, evidence=evidence)
    assert found.holds if kind == "CSV" else _is_not_compared(found)
    assert verify(released, evidence=evidence, original=PROJECT).holds


def test_a_release_of_another_seed_has_other_bytes_and_the_same_cells() -> None:
    other = replace(PROJECT, project=replace(PROJECT.project, seed=8))
    released = LoadedFile.of(released_file(other), "other.csv")
    assert released.data != FILE
    assert _is_not_compared(verify(released, evidence=EVIDENCE))
    assert verify(released, evidence=EVIDENCE, original=PROJECT).holds


def test_what_stands_beside_the_records_was_not_released() -> None:
    for data in (b"illness of all: flu\n" + FILE, FILE + b"\r\n# and one more\r\n"):
        assert verify(LoadedFile.of(data, "back.csv"), original=PROJECT).differs
    second = io.BytesIO()
    with pd.ExcelWriter(second) as writer:
        FRAME.to_excel(writer, sheet_name="Release", index=False)
        FRAME.to_excel(writer, sheet_name="More", index=False)
    found = verify(LoadedFile.of(second.getvalue(), "back.xlsx"), original=PROJECT)
    assert found.differs and "1 sheet more" in found.checks[-1].says


@pytest.mark.parametrize(
    "shown",
    [
        {"variable_value_labels": {"illness": {"flu": "HIV"}}},
        {"missing_ranges": {"illness": ["flu"]}},
        {"column_labels": ["HIV" if name == "illness" else None for name in FRAME]},
    ],
    ids=[*"lmt"],
)
def test_what_a_program_shows_in_the_place_of_cells_was_not_released(shown: dict, tmp_path: Path) -> None:
    pyreadstat.write_sav(FRAME.fillna(""), str(tmp_path / "a.sav"), **shown)
    found = verify(LoadedFile.of((tmp_path / "a.sav").read_bytes(), "a.sav"), original=PROJECT)
    assert found.differs and "titles for “illness”" in found.checks[-1].says


def test_a_large_release_has_digests_of_the_formats_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["anonlib.filing.evidence.gather"], "MOST_CELLS", 10)
    assert [*gather(PROJECT, parts=()).released.on_record] == ["CSV"]
    found, of_all = gather(PROJECT, parts=(), formats=["SPSS"]).released.on_record, EVIDENCE.released.on_record
    assert found == {kind: of_all[kind] for kind in ("CSV", "SPSS")}


def _without_digests(evidence: Evidence) -> Evidence:
    """The evidence as it was saved before formats had digests."""
    document = json.loads(to_json(evidence))
    del document["tables"][0]["released"]["digests"]
    return evidence_of(json.dumps(document))


def _is_not_compared(found: Verification) -> bool:
    return not found.holds and not found.differs and found.says.startswith("Not compared")


PATIENTS = "patient_id;born;sex\n7;1950;f\n8;1961;m\n9;1984;f\n"
VISITS = "visit_id;patient_id;ward\n1;7;B\n2;7;C\n3;9;B\n"
VALUES = "visit_id;test\n1;K\n1;Na\n3;Na\n"
ROLES = {"patient_id": "person_id", "born": "quasi_identifier", "sex": "quasi_identifier", "ward": "sensitive"}


@pytest.fixture(scope="module")
def here() -> Opened:
    files = [("patients.csv", PATIENTS), ("visits.csv", VISITS), ("values.csv", VALUES)]
    loaded = LoadedTables.of([(name, text.encode()) for name, text in files])
    return open_project(Project(file=loaded.as_read, roles={**ROLES, "test": "sensitive"}), loaded)


def changed(here: Opened, table: str, change: Callable[[str], str]) -> bytes:
    """What left, with one table otherwise."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(released_file(here))) as before, zipfile.ZipFile(packed, "w") as after:
        for name in before.namelist():
            text = before.read(name).decode()
            after.writestr(name, change(text) if name == f"{table}.csv" else text)
    return packed.getvalue()


def swapped(text: str) -> str:
    """The persons of the first row, and of the next one that is of another, exchanged."""
    head, *rows = [line.split(",") for line in text.splitlines()]
    other = next(row for row in rows if row[1] != rows[0][1])
    rows[0][1], other[1] = other[1], rows[0][1]
    return "\r\n".join(",".join(line) for line in (head, *rows)) + "\r\n"


def reversed_rows(text: str) -> str:
    head, *rows = text.splitlines()
    return "\r\n".join([head, *rows[::-1]]) + "\r\n"


def without_the_last_row(text: str) -> str:
    return "\r\n".join(text.splitlines()[:-1]) + "\r\n"


def test_the_very_tables_are_known_by_each_way(here):
    data = released_file(here)
    on_record = replace(here.project, released={"2026-11-26": sha256(data).hexdigest()})
    for ways in ({"original": here}, {"evidence": gather(here)}, {"project": on_record}):
        found = verify_returned(data, "back.zip", **ways)
        assert found.is_same_file and found.holds


@pytest.mark.parametrize("kind", ["Parquet", "Excel"])
def test_in_another_format_it_is_made_again_in_that(here, kind):
    assert verify_returned(released_file(here, kind), "back", original=here).is_same_file


def test_rows_in_another_order_hold(here):
    found = verify_returned(changed(here, "visits", reversed_rows), "back.zip", original=here)
    assert found.holds and not found.is_same_file and found.checks[-1].what == "its keys"


@pytest.mark.parametrize(
    ("table", "change", "what"),
    [
        ("visits", lambda text: text.replace("C", "D"), "the rows of “visits”"),
        ("values", without_the_last_row, "the rows of “values”"),
        ("patients", lambda text: text.replace("born", "year"), "the columns of “patients”"),
        ("visits", swapped, "its keys"),
    ],
)
def test_a_change_is_named_with_its_table(here, table, change, what):
    found = verify_returned(changed(here, table, change), "back.zip", original=here)
    assert found.differs and [check.what for check in found.checks if check.holds is False] == [what]


def test_by_evidence_alone_rows_are_counted_and_cells_are_not_compared(here):
    found = verify_returned(changed(here, "values", without_the_last_row), "back.zip", evidence=gather(here))
    assert {check.what: check.holds for check in found.checks} == {
        "its tables": True, "the rows of “patients”": True, "the rows of “visits”": True, "the rows of “values”": False,
        "its cells": None,
    }  # fmt: skip
