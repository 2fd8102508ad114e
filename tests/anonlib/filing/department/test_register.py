"""The department's register: who released is noted, a desk's register is taken over, and no cell is in the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from sqlalchemy import inspect, text

from anonlib.columns.roles import Role
from anonlib.command import main
from anonlib.filing.case import ReleaseCase
from anonlib.filing.department import audit
from anonlib.filing.department.database import Database
from anonlib.filing.department.department import Department
from anonlib.filing.department.keys import FOLDER_NAME, Keys
from anonlib.filing.department.register import DepartmentRegister
from anonlib.filing.department.settings import StoreSettings, read_team
from anonlib.filing.project import Opened
from anonlib.filing.register import FolderRegister, RegisterEntry, facts_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from anonlib.verdict.criteria import Aim
from tests.helpers.department import team_file
from tests.helpers.errors import refused
from tests.helpers.evidence import opened
from tests.helpers.requests import ANN, BEN

ROLES = {"patient_id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
BASEL = ReleaseCase(title="Sepsis cohort", recipient="University Hospital, Basel", author="A. Meier")


def release(first: int = 0, case: ReleaseCase = BASEL, *, drops: str = "illness", first_age: int = 30) -> Opened:
    """A release of forty patients, numbered from a first one on."""
    rows = [(f"quokka-{i}", str(first_age + i % 20), f"wombat {i % 2}") for i in range(first, first + 40)]
    frame = pd.DataFrame(rows, columns=list(ROLES))
    recipe = Recipe.of([DropColumns((drops,))])
    return opened(frame, roles=ROLES, recipe=recipe, case=case, aim=Aim.for_recipient("contract"))


def enter(register: FolderRegister | DepartmentRegister, release: Opened, kind: str = "CSV") -> RegisterEntry:
    return register.enter(facts_of(release, {kind: "ab" * 32}), register.people_of(release))


@pytest.fixture
def keys(store: StoreSettings) -> Keys:
    return Keys(store.folder)


@pytest.fixture
def register(database: Database, keys: Keys) -> DepartmentRegister:
    return DepartmentRegister.open(database, keys)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FolderRegister]:
    folder = tmp_path / "releases"
    folder.mkdir()
    return FolderRegister.create(folder)


def acts(database: Database) -> list[tuple[str, str, str]]:
    return [(line.name, line.act, line.facts.get("change", "")) for line in audit.lines(database)]


def test_an_entry_says_who_released_and_each_change_is_an_audit_line(
    database: Database, register: DepartmentRegister
) -> None:
    entry = enter(register.by(ANN), release())
    assert entry.released_by == "Ann Meier" == register.entry(1).released_by
    assert b"Ann Meier" in register.to_csv([entry])
    enter(register.by(BEN), release(), "Excel")
    register.by(BEN).close(1, "2026-04-01", "by post")
    register.by(ANN).reopen(1)
    register.by(ANN).change_until(1, "")
    register.by(ANN).change_reassessment(1, "2027-01-01")
    changes = ["reassessment", "until", "reopened", "closed", "entered", "entered"]
    assert acts(database)[:6] == [
        (who, "register changed", change)
        for who, change in zip(["Ann Meier"] * 3 + ["Ben Frei"] * 2 + ["Ann Meier"], changes, strict=True)
    ]
    first = audit.lines(database)[5].facts
    assert first["as CSV"] == "ab" * 32 and first["file"] == entry.original and first["recipient"] == BASEL.recipient
    assert "as CSV" not in audit.lines(database)[4].facts, "what left before is in a line of its own"
    assert audit.verify(database).holds


def test_a_change_that_fails_leaves_no_line(
    database: Database, register: DepartmentRegister, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = acts(database)

    def broken(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("anonlib.filing.register.rows.add_files", broken)
    with pytest.raises(OSError):
        enter(register, release())
    assert register.entries() == () and acts(database) == before


def test_later_cases_of_the_same_persons_are_known_to_everybody(register: DepartmentRegister) -> None:
    enter(register.by(ANN), release())
    (earlier,) = register.by(BEN).earlier(release(20, first_age=50))
    assert (earlier.persons, earlier.of, earlier.entry.released_by) == (20, 40, "Ann Meier")
    assert register.earlier(release(100, replace(BASEL, recipient="Another"))) == ()


# ---- its key ----


def test_its_key_is_drawn_once_and_found_again(database: Database, register: DepartmentRegister, keys: Keys) -> None:
    assert DepartmentRegister.open(database, keys).key == register.key
    assert acts(database) == [("system", "key made", "")]


def test_a_key_that_is_missing_or_another_one_is_refused(
    database: Database, register: DepartmentRegister, keys: Keys
) -> None:
    enter(register, release())
    place = keys.folder / FOLDER_NAME / "register.1.key"
    right = place.read_bytes()
    place.unlink()
    with refused("register-key-missing"):
        DepartmentRegister.open(database, keys)
    keys.make("register")
    with refused("register-key-wrong"):
        DepartmentRegister.open(database, keys)
    place.write_bytes(right)
    assert DepartmentRegister.open(database, keys).entries() == register.entries()


# ---- a desk's register is taken over ----


def test_a_desks_register_comes_with_its_key_and_its_persons_are_known(
    database: Database, register: DepartmentRegister, desk: FolderRegister, keys: Keys
) -> None:
    for first, recipient in ((0, "Basel"), (10, "Bern")):
        enter(desk, release(first, replace(BASEL, recipient=recipient), first_age=30 + first))
    desk.close(1, "2026-05-01", "deleted")
    imported, taken, not_compared = register.by(ANN).import_from(desk, keys)
    assert (taken, not_compared) == (2, 0) and imported.key == desk.key == keys.key_of_register()
    assert imported.entries() == desk.entries()
    later = release(25, replace(BASEL, recipient="Bern"), first_age=60)
    assert [each.persons for each in imported.earlier(later)] == [each.persons for each in desk.earlier(later)] == [25]
    assert acts(database)[0] == ("Ann Meier", "register imported", "")
    assert DepartmentRegister.open(database, keys).entries() == desk.entries()
    with refused("register-key-wrong"):
        register.entries()  # of a server that runs meanwhile


def test_what_is_here_already_is_left_as_it_is(register: DepartmentRegister, desk: FolderRegister, keys: Keys) -> None:
    enter(desk, release())
    register, taken, _ = register.import_from(desk, keys)
    register.close(1, "2026-05-01")
    enter(desk, release(0, replace(BASEL, recipient="Bern"), drops="age"))
    register, taken_again, _ = register.import_from(desk, keys)
    assert (taken, taken_again) == (1, 1)
    assert [(entry.number, entry.closed) for entry in register.entries()] == [(2, ""), (1, "2026-05-01")]


def test_under_another_key_entries_come_without_their_persons_and_say_so(
    register: DepartmentRegister, desk: FolderRegister, keys: Keys
) -> None:
    enter(register, release())
    enter(desk, release(0, replace(BASEL, recipient="Bern"), drops="age"))
    imported, taken, not_compared = register.import_from(desk, keys)
    assert (taken, not_compared) == (1, 1) and imported.key == register.key
    entry = imported.entry(2)
    assert entry.found_by == () and entry.not_found_by[-1].endswith("cannot be compared here.")
    assert "another register" in entry.found_again


def test_an_import_that_ended_before_it_was_whole_is_made_good_by_the_next_start(
    database: Database, register: DepartmentRegister, desk: FolderRegister, keys: Keys
) -> None:
    enter(desk, release())
    keys.take_key_of_register(desk.key)  # and the program ended
    again = DepartmentRegister.open(database, keys)
    assert again.key == desk.key and again.import_from(desk, keys)[1] == 1


def test_a_registers_import_is_asked_for_on_the_command_line(
    store: StoreSettings, database: Database, desk: FolderRegister, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    enter(desk, release())
    team = team_file(tmp_path, store)
    assert main(["register", "import", "--team", str(team), str(desk.folder)]) == 0
    assert capsys.readouterr().out.startswith(
        "1 entry of the register in “releases” taken over.\nThe department's register has its key"
    )
    assert main(["register", "import", "--team", str(team), str(tmp_path)]) == 2
    department = Department.open(read_team(team))
    assert department.register.entries() == desk.entries()
    department.note_start(read_team(team))
    facts = audit.lines(database)[0].facts
    assert facts["address"] == "https://anonscope.hospital.example" and facts["groups of officer"] == "officers"
    assert not any("secret" in text for text in (*facts, *facts.values()))
    department.database.close()


# ---- no cell ----

CANARIES = ("quokka", "wombat")


def everything_in(database: Database) -> str:
    """Every row of every table, and every file beside the database."""
    with database.reading() as connection:
        names = inspect(connection).get_table_names()
        tables = [repr(connection.execute(text(f"SELECT * FROM {name}")).all()) for name in names]
    files = [repr(path.read_bytes()) for path in database.folder.rglob("*") if path.is_file()]
    return "\n".join([*tables, *files]).lower()


def test_no_cell_of_what_was_released_is_anywhere_in_the_store(
    database: Database, register: DepartmentRegister
) -> None:
    entry = enter(register.by(ANN), release())
    assert entry.persons == 40
    written = everything_in(database)
    assert not [canary for canary in CANARIES if canary in written]
    assert "patient_id" in written and "university hospital, basel" in written, "what it does hold"
