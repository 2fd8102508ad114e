"""The department's keys: in files for the account of the server alone, by name and version, and nowhere else."""

from __future__ import annotations

import csv
import io
import stat
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.command import main
from anonlib.filing.department import audit
from anonlib.filing.department.database import Database
from anonlib.filing.department.keys import FOLDER_NAME, Keys
from anonlib.filing.department.settings import StoreSettings
from anonlib.filing.evidence import released_file
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import Accepted, Aim, SamePseudonyms
from tests.helpers.department import team_file
from tests.helpers.errors import refused
from tests.helpers.evidence import as_bytes

ROLES = {"patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE}
AIM = replace(Aim.for_recipient("contract"), accepted=(Accepted(SamePseudonyms(), "The contract lets them."),))


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path)


def test_keys_are_made_and_rotated_by_version(keys: Keys) -> None:
    assert keys.names() == () and keys.key_of_register() is None
    first, other = keys.make(), keys.make("cardiology")
    second = keys.rotate()
    assert [(key.name, key.version) for key in keys.names()] == [
        ("cardiology", 1),
        ("pseudonyms", 2),
        ("pseudonyms", 1),
    ]
    assert keys.names() == (other, second, first) == keys.of_pseudonyms()
    assert len({key.id for key in keys.names()}) == 3
    assert keys.key("pseudonyms", 1).id == first.id and keys.key("pseudonyms", 2).id == second.id
    files = list((keys.folder / FOLDER_NAME).iterdir())
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600} and len(files) == 3
    assert {len(path.read_bytes()) for path in files} == {32}
    assert stat.S_IMODE((keys.folder / FOLDER_NAME).stat().st_mode) == 0o700


def test_the_registers_key_gives_no_pseudonyms_and_is_not_rotated(keys: Keys) -> None:
    keys.make("register")
    assert keys.key_of_register() is not None and keys.of_pseudonyms() == ()
    with refused("key-wrong"):
        keys.rotate("register")
    with refused("key-wrong"):
        keys.key("register", 1)


@pytest.mark.parametrize("name", ["", "A", "../register", "a.b", "a b", "a" * 41, "ä"])
def test_a_name_that_is_none_is_refused(keys: Keys, name: str) -> None:
    for use in (keys.make, keys.rotate, lambda name: keys.key(name, 1)):
        with refused("name-missing"):
            use(name)
    assert not (keys.folder / FOLDER_NAME).exists()


def test_what_is_there_is_not_made_and_what_is_not_there_is_not_rotated(keys: Keys) -> None:
    with refused("key-not-found"):
        keys.rotate()
    first = keys.make()
    with refused("name-taken"):
        keys.make()
    with refused("key-not-found"):
        keys.key("pseudonyms", 2)
    assert keys.names() == (first,)


def test_a_file_that_is_no_drawn_key_is_refused_and_one_that_others_may_read_is_closed(keys: Keys) -> None:
    keys.make()
    place = keys.folder / FOLDER_NAME / "pseudonyms.1.key"
    place.chmod(0o644)
    keys.names()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    place.write_bytes(b"x" * 32)
    with refused("key-can-be-guessed"):
        keys.key("pseudonyms", 1)
    place.write_bytes(b"short")
    with refused("key-wrong"):
        keys.names()


def month(first: int, key: KeyOfPseudonyms, recipient: str, n: int = 60) -> Opened:
    """A month of patients, of whom half are in the next one too, for somebody who follows them."""
    rows = [(f"MRN {i:04d}", str(30 + i % 3), "flu" if i % 2 else "asthma") for i in range(first, first + n)]
    data = LoadedFile.of(as_bytes(pd.DataFrame(rows, columns=list(ROLES))), "visits.csv")
    label = Pseudonyms(recipient, "Sepsis cohort", key.id)
    recipe = Recipe.of([Recode("age", Intervals(10))])
    return open_project(Project(roles=ROLES, recipe=recipe, aim=AIM, seed=7, pseudonyms=label), data, pseudonym_key=key)


def ids(opened: Opened) -> set[str]:
    return {row["patient"] for row in csv.DictReader(io.StringIO(released_file(opened).decode(), newline=""))}


def test_a_person_has_one_pseudonym_in_each_month_for_a_recipient_and_another_for_another(keys: Keys) -> None:
    keys.make()
    now = keys.key("pseudonyms", 1)
    january = ids(month(0, now, "University of Example"))
    later = Keys(keys.folder).key("pseudonyms", 1)  # read again by another server, after a start
    assert len(january & ids(month(30, later, "University of Example"))) == 30
    assert not january & ids(month(30, later, "Another hospital"))
    keys.rotate()
    assert not january & ids(month(30, keys.key("pseudonyms", 2), "University of Example"))
    assert len(january & ids(month(30, keys.key("pseudonyms", 1), "University of Example"))) == 30


def test_the_command_makes_rotates_and_lists_and_each_is_an_audit_line(
    store: StoreSettings, database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    team = str(team_file(tmp_path, store))
    for do in ("make", "rotate"):
        assert main(["keys", do, "--team", team, "--name", "cardiology"]) == 0
    assert main(["keys", "make", "--team", team, "--name", "cardiology"]) == 2
    capsys.readouterr()
    assert main(["keys", "list", "--team", team]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in listed] == [
        "cardiology, version 2", "cardiology, version 1", "register, version 1",
    ]  # fmt: skip
    rotated, made, of_register = audit.lines(database)
    assert (rotated.act, rotated.facts["version"]) == ("key rotated", "2") and rotated.facts["id"] in listed[0]
    assert (made.act, of_register.act) == ("key made", "key made") and of_register.name == "system"
    assert made.name.endswith("(command line)")


def test_no_key_is_in_the_database_or_in_what_is_printed(
    store: StoreSettings, database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    team = str(team_file(tmp_path, store))
    for arguments in (["keys", "make"], ["keys", "list"], ["audit", "export"]):
        assert main([*arguments, "--team", team]) == 0
    printed = capsys.readouterr()
    written = [path.read_bytes() for path in store.folder.iterdir() if path.is_file()]
    written += [printed.out.encode(), printed.err.encode(), *(line.encode() for line in audit.exported(database))]
    for path in (store.folder / FOLDER_NAME).iterdir():
        secret = path.read_bytes()
        assert not any(form in text for text in written for form in (secret, secret.hex().encode()))
