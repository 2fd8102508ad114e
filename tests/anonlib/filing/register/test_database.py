"""The files of a register: made where the officer says, whole or not at all, and read by those who have the key."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from anonlib.basics import disk
from anonlib.basics.errors import InputError
from anonlib.filing.register import FolderRegister, database, facts_of
from anonlib.filing.register.database import DATABASE_NAME, MIGRATIONS
from anonlib.filing.register.folder import KEY_NAME
from anonlib.release.pseudonyms import Pseudonyms
from tests.anonlib.filing.register.conftest import TENS, digest, patients, release
from tests.helpers.errors import refused

OPENED = release(patients([f"P-{i:03d}" for i in range(40)]), *TENS)
FACTS = facts_of(OPENED, {"CSV": digest("a")})
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")


@pytest.fixture
def register(desk: FolderRegister) -> FolderRegister:
    """These are of files, which a department's register has none of."""
    return desk


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def changed(folder: Path, *statements: str) -> None:
    """The database changed by another program."""
    connection = sqlite3.connect(folder / DATABASE_NAME)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_nothing_is_written_before_it_is_made(tmp_path: Path) -> None:
    assert (
        not FolderRegister.is_in(tmp_path)
        and not FolderRegister.is_in(str(tmp_path / "nowhere"))
        and not FolderRegister.is_in("")
    )
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError):
            FolderRegister.open(folder)
    assert files_in(tmp_path) == set()


def test_it_is_two_files_and_nothing_else(tmp_path: Path) -> None:
    register = FolderRegister.create(str(tmp_path))
    register.enter(FACTS, register.people_of(OPENED))
    register.earlier(OPENED)
    assert files_in(tmp_path) == {DATABASE_NAME, KEY_NAME} and FolderRegister.is_in(tmp_path)
    assert len((tmp_path / KEY_NAME).read_bytes()) == 32
    assert FolderRegister.open(tmp_path) == register
    if os.name != "nt":  # Windows has no modes
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}, "for their owner alone"


def test_every_register_has_a_key_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    keys = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        FolderRegister.create(tmp_path / name)
        keys.append((tmp_path / name / KEY_NAME).read_bytes())
    assert keys[0] != keys[1]
    with refused("register-exists"):
        FolderRegister.create(tmp_path / "one")
    (tmp_path / "one" / DATABASE_NAME).unlink()
    FolderRegister.create(tmp_path / "one")
    assert (tmp_path / "one" / KEY_NAME).read_bytes() == keys[0], "a key is never replaced"


def test_of_two_who_make_one_at_once_one_does(tmp_path: Path) -> None:
    def make() -> str:
        try:
            FolderRegister.create(tmp_path)
        except InputError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(make) for _ in range(4)]
    assert [each.result() for each in found].count("") == 1
    assert all("already" in each.result() for each in found if each.result())
    assert files_in(tmp_path) == {DATABASE_NAME, KEY_NAME} and FolderRegister.open(tmp_path).entries() == ()


@pytest.mark.parametrize("what", ["key", "database"])
def test_where_nothing_can_be_written_there_is_a_sentence_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    if what == "database":
        FolderRegister.create(tmp_path)
        (tmp_path / DATABASE_NAME).unlink()

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(disk, "fill", refused)
    with pytest.raises(InputError, match=f"could not be written into “{tmp_path.name}”") as caught:
        FolderRegister.create(tmp_path)
    assert str(tmp_path.parent) not in str(caught.value)
    assert files_in(tmp_path) <= {KEY_NAME}


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is allowed to root")
def test_a_folder_that_is_not_writable_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="may write there"):
        FolderRegister.create(tmp_path)
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("named", ["", "  ", "nowhere/at all", "a file", "null\0byte", "x" * 3000, "esc\x1b[31m"])
def test_what_is_no_folder_is_refused_by_its_last_part_alone(tmp_path: Path, named: str) -> None:
    (tmp_path / "a file").write_text("x")
    folder = str(tmp_path / named) if named.strip() else named
    for use in (FolderRegister.create, FolderRegister.open):
        with refused("folder-missing") as caught:
            use(folder)
        assert str(tmp_path) not in str(caught.value) and str(caught.value).isprintable()
        assert len(str(caught.value)) < 300
    assert not FolderRegister.is_in(folder)


def holding(name: str, content: bytes | None) -> Callable[[Path], None]:
    """One of the two files has other content; a folder is in its place where there is none."""

    def harm(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).mkdir() if content is None else (folder / name).write_bytes(content)

    return harm


def otherwise(statement: str) -> Callable[[Path], None]:
    return lambda folder: changed(folder, statement)


@posix
def test_a_key_that_everybody_can_read_is_for_its_owner_alone_once_it_is_opened(register: FolderRegister) -> None:
    (register.folder / KEY_NAME).chmod(0o644)
    FolderRegister.open(register.folder)
    assert (register.folder / KEY_NAME).stat().st_mode & 0o777 == 0o600


HARMS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a missing key": (lambda folder: (folder / KEY_NAME).unlink(), "key of the register in “{}” is missing"),
    "another key": (holding(KEY_NAME, bytes(range(32))), "is not the one that it was made with"),
    "a key of one byte": (holding(KEY_NAME, bytes(32)), "is text or repeats itself"),
    "a key that repeats": (holding(KEY_NAME, bytes(range(200, 216)) * 2), "is text or repeats itself"),
    "a key that is text": (holding(KEY_NAME, b"correct horse battery staple 123"), "is text or repeats itself"),
    "a short key": (holding(KEY_NAME, bytes(31)), "must have 32 bytes"),
    "a folder for a key": (holding(KEY_NAME, None), "cannot be read"),
    "a newer version": (otherwise(f"PRAGMA user_version = {len(MIGRATIONS) + 1}"), "newer version of Anonscope"),
    "another application": (otherwise("PRAGMA application_id = 7"), "is no register of Anonscope"),
    "no database": (holding(DATABASE_NAME, b"number,title\n1,x\n" * 100), "is damaged"),
    "an empty file": (holding(DATABASE_NAME, b""), "is no register of Anonscope"),
    "no such table": (otherwise("DROP TABLE people"), "is damaged"),
    "a trigger": (otherwise("CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END"), "is damaged"),
    "no key id": (otherwise("DELETE FROM register"), "is not the one that it was made with"),
}
"""By its name how a register is harmed, and what is said of it."""


@pytest.mark.parametrize("name", HARMS)
def test_what_cannot_be_used_is_refused(register: FolderRegister, name: str) -> None:
    register.enter(FACTS, register.people_of(OPENED))
    harm, sentence = HARMS[name]
    harm(register.folder)
    before = {path.name: path.read_bytes() for path in register.folder.iterdir() if path.is_file()}
    with pytest.raises(InputError, match=sentence.format(register.folder.name)) as caught:
        FolderRegister.open(register.folder)
    assert str(register.folder) not in str(caught.value) and caught.value.__cause__ is None
    after = {path.name: path.read_bytes() for path in register.folder.iterdir() if path.is_file()}
    assert after == before, "nothing is written"


@pytest.mark.parametrize(
    "harm, sentence",
    [
        *(HARMS[name] for name in ("a newer version", "no such table", "no database")),
        (lambda folder: (folder / DATABASE_NAME).unlink(), "There is no register"),
    ],
    ids=["a newer version", "no such table", "no database", "no file"],
)
def test_what_is_harmed_while_it_is_in_use_is_a_sentence_too(
    register: FolderRegister, harm: Callable[[Path], None], sentence: str
) -> None:
    harm(register.folder)
    for use in (
        register.entries, lambda: register.entry(1), lambda: register.enter(FACTS), lambda: register.earlier(OPENED),
        lambda: register.close(1, "2026-01-01"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=sentence):
            use()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET decided_for = 'x'",
        "UPDATE entry SET decided_for = '[1]'",
        """UPDATE entry SET decided_for = '{"until": "never"}'""",
        "UPDATE entry SET columns = '7'",
        "UPDATE entry SET columns = '[7]'",
        "UPDATE entry SET entered = 'yesterday'",
        "UPDATE entry SET return_by = 'x'",
        "UPDATE entry SET reassess = ''",
        "UPDATE entry SET closed = 5",
        "UPDATE entry SET records = 'many'",
        "UPDATE entry SET verdict = x'ff'",
        "UPDATE entry SET verdict = CAST(x'ff' AS TEXT)",
        "UPDATE entry SET original = 'x'",
        "UPDATE entry SET pseudonyms = 'x'",
        """UPDATE entry SET pseudonyms = '{"recipient": "x", "project": "y", "key": "z"}'""",
        "UPDATE released_file SET sha256 = 'x'",
        "UPDATE people SET persons = 'x'",
        "UPDATE people SET id_column = x'07'",
        "UPDATE entry SET closing_note = x'07'",
    ],
)
def test_content_that_is_no_entry_is_damaged(register: FolderRegister, statement: str) -> None:
    register.enter(FACTS, register.people_of(OPENED))
    changed(register.folder, statement)
    with refused("register-damaged"):
        register.entries()


@pytest.mark.parametrize("digests", ["x'00'", "'text'", "randomblob(7)", "zeroblob(16)", "7"])
def test_digests_that_are_none_are_damaged(register: FolderRegister, digests: str) -> None:
    register.enter(FACTS, register.people_of(OPENED))
    changed(register.folder, f"UPDATE people SET digests = {digests}", "UPDATE entry SET recipe = original")
    with refused("register-damaged"):
        register.earlier(OPENED)


def test_a_file_with_parts_overwritten_gives_answers_or_sentences(register: FolderRegister) -> None:
    """A page each time, with zeros, with ones, and cut off behind it."""
    for i in range(5):
        register.enter(FACTS, register.people_of(OPENED))
        register.close(1 + i, "2026-01-01")
    path = register.folder / DATABASE_NAME
    whole, refused = path.read_bytes(), 0
    for start in range(0, len(whole), 512):
        for harmed in (whole[:start] + bytes(512), whole[:start] + b"\xff" * 512, whole[:start]):
            path.write_bytes(harmed + (whole[start + 512 :] if len(harmed) > start else b""))
            for use in (register.entries, lambda: register.earlier(OPENED), lambda: register.change_until(2, "")):
                try:
                    use()
                except InputError as error:
                    refused += 1
                    assert str(register.folder.parent) not in str(error)
    assert refused > len(whole) // 512


def test_a_field_of_the_case_that_a_newer_version_knows_is_passed_over(register: FolderRegister) -> None:
    entry = register.enter(FACTS)
    changed(register.folder, """UPDATE entry SET decided_for = json_insert(decided_for, '$.board', 'x')""")
    assert register.entries() == (entry,)


def test_a_register_of_an_earlier_version_is_brought_to_this_one(
    register: FolderRegister, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = register.enter(FACTS, register.people_of(OPENED))
    monkeypatch.setattr(database, "MIGRATIONS", (*MIGRATIONS, ("ALTER TABLE entry ADD COLUMN board TEXT",)))
    again = FolderRegister.open(register.folder)
    assert again.entries() == (entry,) and again.enter(FACTS).number == 1
    connection = sqlite3.connect(register.folder / DATABASE_NAME)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    assert connection.execute("SELECT board FROM entry").fetchall() == [(None,)]
    connection.close()


def test_a_register_from_before_pseudonyms_is_read_and_takes_them(register: FolderRegister) -> None:
    entry = register.enter(FACTS, register.people_of(OPENED))
    older = [f"ALTER TABLE entry DROP COLUMN {name}" for name in ("pseudonyms", "decided", "released_by")]
    changed(register.folder, *older, "PRAGMA user_version = 1")
    again = FolderRegister.open(register.folder)
    (upgraded,) = again.entries()
    assert upgraded == replace(entry, decided="") and entry.pseudonyms is None
    label = Pseudonyms("University of Example", "Falls", register.key_of_pseudonyms.id)
    assert again.enter(replace(FACTS, pseudonyms=label)).pseudonyms == label and again.entry(1) == upgraded


def test_an_upgrade_that_fails_leaves_it_as_it_was(register: FolderRegister, monkeypatch: pytest.MonkeyPatch) -> None:
    register.enter(FACTS)
    before = (register.folder / DATABASE_NAME).read_bytes()
    monkeypatch.setattr(database, "MIGRATIONS", (*MIGRATIONS, ("ALTER TABLE entry ADD COLUMN board TEXT", "nonsense")))
    with refused("register-not-readable"):
        FolderRegister.open(register.folder)
    assert (register.folder / DATABASE_NAME).read_bytes() == before


def test_two_who_have_it_open_see_what_the_other_entered(register: FolderRegister) -> None:
    other = FolderRegister.open(register.folder)
    entry = register.enter(FACTS, register.people_of(OPENED))
    assert other.entries() == (entry,)
    other.close(1, "2026-04-01")
    assert register.entry(1).closed == "2026-04-01"


def test_many_who_enter_at_once_are_all_there(register: FolderRegister) -> None:
    releases = [facts_of(OPENED, {"CSV": digest(str(i % 6))}) for i in range(12)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda facts: FolderRegister.open(register.folder).enter(facts).number, releases))
    assert len(register.entries()) == 6 and sorted(set(found)) == [1, 2, 3, 4, 5, 6]


def test_one_who_writes_for_long_makes_others_wait_and_then_say_so(
    register: FolderRegister, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_SECONDS_TO_WAIT", 0.01)
    connection = sqlite3.connect(register.folder / DATABASE_NAME, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    for use in (register.entries, lambda: register.enter(FACTS)):
        with refused("register-not-readable"):
            use()
    connection.execute("ROLLBACK")
    connection.close()
    assert register.enter(FACTS).number == 1


def test_a_change_that_fails_leaves_nothing_behind(register: FolderRegister, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("anonlib.filing.register.rows.add_files", broken)
    with pytest.raises(KeyboardInterrupt):
        register.enter(FACTS, register.people_of(OPENED))
    assert register.entries() == () and register.earlier(OPENED) == ()


KILLED = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE entry SET verdict = 'x', closed = '2026-01-01'")
database.execute("INSERT INTO people VALUES (1, 'x', 'x', 1, 0, 0, zeroblob(300000))")
os.kill(os.getpid(), signal.SIGKILL)
"""


@posix
def test_a_program_that_is_killed_while_it_writes_changes_nothing(register: FolderRegister) -> None:
    """It has written into the file already, and its journal is still there."""
    entry = register.enter(FACTS, register.people_of(OPENED))
    path = register.folder / DATABASE_NAME
    size = path.stat().st_size
    killed = subprocess.run([sys.executable, "-c", KILLED, path], check=False)
    assert killed.returncode == -signal.SIGKILL and path.stat().st_size > size
    assert files_in(register.folder) == {DATABASE_NAME, KEY_NAME, f"{DATABASE_NAME}-journal"}
    assert FolderRegister.open(register.folder).entries() == (entry,)
    register.close(1, "2026-02-02")
    assert files_in(register.folder) == {DATABASE_NAME, KEY_NAME}


def test_no_other_file_is_opened_for_writing(tmp_path: Path) -> None:
    """By Python's audit events: all that is opened is in the folder."""
    opened: list[str] = []
    watching = True

    def watch(event: str, given: tuple) -> None:
        if watching and event in ("open", "sqlite3.connect") and not isinstance(given[0], int):
            opened.append(os.fsdecode(given[0]))

    sys.addaudithook(watch)
    register = FolderRegister.create(tmp_path)
    register.enter(FACTS, register.people_of(OPENED))
    register.entries()
    watching = False
    assert opened and all(Path(path).parent == tmp_path for path in opened)
