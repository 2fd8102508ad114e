"""Audit lines: nobody changes one unseen, each way of breaking the chain is found, and two who write keep one chain."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from anonlib.command import main
from anonlib.filing.department import audit
from anonlib.filing.department.acts import Act
from anonlib.filing.department.audit import BEFORE_THE_FIRST, HEAD_NAME, LINES, Chain, ChainHead
from anonlib.filing.department.database import Database
from anonlib.filing.department.settings import StoreSettings
from tests.helpers.department import team_file, without_triggers
from tests.helpers.errors import refused
from tests.helpers.requests import ANN, BEN

ROOT = Path(__file__).resolve().parents[4]
DIGEST = "ab" * 32


def noted(database: Database, n: int = 10) -> None:
    """Lines of two persons and of the system."""
    for i in range(n):
        with database.writing() as connection:
            who = (ANN, BEN, None)[i % 3]
            audit.note(connection, who, (Act.OPENED, Act.RELEASED)[i % 2], digest=DIGEST, recipient=f"Hospital {i}")


def verified(database: Database, head: ChainHead | None = None) -> tuple[int | None, str]:
    chain = audit.verify(database, head)
    return chain.broken_at, chain.why


def test_a_line_says_who_did_what_and_when(database: Database) -> None:
    noted(database, 2)
    newest, oldest = audit.lines(database)
    assert (oldest.number, oldest.subject, oldest.name, oldest.act) == (1, ANN.subject, "Ann Meier", "file opened")
    assert oldest.facts == {"digest": DIGEST, "recipient": "Hospital 0"}
    assert oldest.previous == BEFORE_THE_FIRST and newest.previous == oldest.own
    assert newest.name == "Ben Frei" and newest.act == "released" and oldest.moment.endswith("+00:00")
    with database.writing() as connection:
        audit.note(connection, None, Act.STARTED)
    assert audit.lines(database, most=1)[0].name == "system"


def test_the_export_verifies_without_anonscope(database: Database) -> None:
    """A line's hash is SHA-256 over its JSON with sorted names, in ASCII and without blanks, but for the hash."""
    with database.writing() as connection:
        audit.note(connection, ANN, Act.RETURNED, reason="Zürich: “zu fein”\n\x00 –", digest=DIGEST)
    noted(database, 9)
    previous = "0" * 64
    for number, line in enumerate(map(json.loads, audit.exported(database)), 1):
        own = line.pop("own")
        plain = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
        assert line["number"] == number and line["previous"] == previous
        assert own == hashlib.sha256(plain).hexdigest()
        previous = own
    assert previous == audit.verify(database).head.own and number == 10


def test_facts_are_short_texts_in_one_line(database: Database) -> None:
    with database.writing() as connection:
        audit.note(connection, ANN, Act.RETURNED, reason="a\n" + "b" * 1_000)
    (line,) = audit.lines(database)
    assert len(line.facts["reason"]) == 300 and line.facts["reason"].startswith("a\\nb")
    with refused("not-a-text"), database.writing() as connection:
        audit.note(connection, ANN, Act.RETURNED, records=7)


def test_lines_are_looked_up_by_words_and_act(database: Database) -> None:
    noted(database)
    assert [line.number for line in audit.lines(database)] == [*range(10, 0, -1)]
    assert [line.number for line in audit.lines(database, "ben HOSPITAL")] == [8, 5, 2]
    assert [line.number for line in audit.lines(database, "ann", Act.RELEASED)] == [10, 4]
    assert [line.number for line in audit.lines(database, most=2)] == [10, 9]
    assert audit.lines(database, "nobody") == ()


# ---- the chain ----


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_line SET name = 'Eve' WHERE number = 3",
        "UPDATE audit_line SET number = number + 1",
        "DELETE FROM audit_line WHERE number = 10",
        "DELETE FROM audit_line",
    ],
)
def test_the_database_refuses_to_change_or_remove_a_line(database: Database, statement: str) -> None:
    noted(database)
    with refused("store-damaged"), database.writing() as connection:
        connection.execute(text(statement))
    assert audit.verify(database).holds and audit.verify(database).head.number == 10


def test_the_database_refuses_to_replace_or_truncate(database: Database) -> None:
    noted(database)
    with database.reading() as connection:
        kind = connection.dialect.name
    columns = "1, '', '', '', '', '{}', '', ''"
    for statement in {
        "sqlite": (f"REPLACE INTO audit_line VALUES ({columns})", f"INSERT INTO audit_line VALUES (2{columns})"),
        "postgresql": ("TRUNCATE audit_line",),
    }[kind]:
        with refused("store-damaged"), database.writing() as connection:
            connection.execute(text(statement))
    assert audit.verify(database).holds


@pytest.mark.parametrize("column", ["moment", "subject", "name", "act", "facts", "previous", "own"])
def test_a_changed_line_is_found(database: Database, column: str) -> None:
    noted(database)
    other = {"facts": '{"digest":"0"}', "previous": "0" * 64, "own": "1" * 64}.get(column, "other")
    without_triggers(database, f"UPDATE audit_line SET {column} = '{other}' WHERE number = 4")
    assert verified(database)[0] == 4


@pytest.mark.parametrize("facts", ["", "[]", "7", '{"digest": "0"}', "{", "[" * 100_000])
def test_a_line_whose_facts_are_none_is_found_and_not_exported(database: Database, facts: str) -> None:
    noted(database)
    without_triggers(database, f"UPDATE audit_line SET facts = '{facts}' WHERE number = 4")
    assert verified(database) == (4, "It was changed.")
    with refused("store-damaged"):
        list(audit.exported(database))
    assert 4 not in [line.number for line in audit.lines(database)]


@pytest.mark.parametrize("number", [1, 5, 9])
def test_a_removed_line_is_found(database: Database, number: int) -> None:
    noted(database)
    without_triggers(database, f"DELETE FROM audit_line WHERE number = {number}")
    broken, why = verified(database)
    assert broken == number and why.startswith("It was removed")


def test_a_removed_line_is_found_where_the_others_are_numbered_again(database: Database) -> None:
    noted(database)
    without_triggers(
        database,
        "DELETE FROM audit_line WHERE number = 5",
        *(f"UPDATE audit_line SET number = {n - 1} WHERE number = {n}" for n in range(6, 11)),
    )
    assert verified(database)[0] == 5


def test_lines_in_another_order_are_found(database: Database) -> None:
    noted(database)
    without_triggers(
        database, *(f"UPDATE audit_line SET number = {to} WHERE number = {n}" for n, to in ((4, 99), (5, 4), (99, 5)))
    )
    assert verified(database)[0] == 4


def written_again(database: Database, first: int) -> None:
    """Every line from one on with another name and right hashes, as somebody would who knows how they are made."""
    lines = [json.loads(line) for line in audit.exported(database)]
    previous = lines[first - 2]["own"] if first > 1 else BEFORE_THE_FIRST
    changed = []
    for line in lines[first - 1 :]:
        content = {**line, "name": "Eve", "previous": previous}
        content.pop("own")
        previous = hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        changed.append({"number": line["number"], "name": "Eve", "previous": content["previous"], "own": previous})
    without_triggers(database)
    with database.writing() as connection:
        for line in changed:
            connection.execute(LINES.update().where(LINES.c.number == line["number"]).values(line))


@pytest.mark.parametrize("first", [1, 6, 10])
def test_a_chain_that_is_written_again_is_found_by_its_head(database: Database, first: int) -> None:
    noted(database)
    written_again(database, first)
    assert verified(database)[0] == 10
    (database.folder / HEAD_NAME).write_text(f"{audit.lines(database)[0].head}\n")
    assert audit.verify(database).holds  # which is why the head is to be noted elsewhere, too


def test_a_head_that_was_noted_elsewhere_finds_what_was_written_again_with_its_folder(database: Database) -> None:
    noted(database, 7)
    head = audit.verify(database).head
    noted(database, 3)
    assert audit.verify(database, head).holds and audit.verify(database, ChainHead.of(str(head))) == audit.verify(
        database
    )
    written_again(database, 3)
    (database.folder / HEAD_NAME).write_text(f"{audit.lines(database)[0].head}\n")
    assert verified(database, head) == (7, "It is another line than its noted head says.")


def test_an_end_that_is_cut_is_found_also_after_more_lines(database: Database) -> None:
    noted(database)
    without_triggers(database, "DELETE FROM audit_line WHERE number > 7")
    assert verified(database) == (8, "3 lines at the end are missing.")
    for n_more in (1, 2, 5):
        noted(database, n_more)
        assert not audit.verify(database).holds
    assert verified(database)[0] == 10


def test_everything_that_is_removed_is_found(database: Database) -> None:
    noted(database)
    without_triggers(database, "DELETE FROM audit_line")
    assert verified(database) == (1, "10 lines at the end are missing.")


@pytest.mark.parametrize("head", [None, "", "7", "0:" + "x" * 64])
def test_without_its_head_an_end_could_be_missing(database: Database, head: str | None) -> None:
    assert audit.verify(database) == Chain(ChainHead(0, BEFORE_THE_FIRST))
    noted(database)
    if head is None:
        (database.folder / HEAD_NAME).unlink()
    else:
        (database.folder / HEAD_NAME).write_text(head)
    assert verified(database)[0] == 11


def test_two_processes_that_append_at_once_keep_one_chain(store: StoreSettings, database: Database) -> None:
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from anonlib.filing.department import audit\n"
        "from anonlib.filing.department.database import Database\n"
        "from anonlib.filing.department.settings import StoreSettings\n"
        "database = Database.open(StoreSettings(Path(sys.argv[1]), sys.argv[2] or None))\n"
        "for n in range(40):\n    with database.writing() as connection:\n"
        "        audit.note(connection, None, audit.Act.OPENED, n=str(n), by=sys.argv[3])\n"
    )
    command = [sys.executable, "-c", script, str(store.folder), store.database or ""]
    processes = [subprocess.Popen([*command, by], cwd=ROOT) for by in "ab"]
    assert [process.wait(timeout=300) for process in processes] == [0, 0]
    chain = audit.verify(database)
    assert chain.holds and chain.head.number == 80
    assert ChainHead.of((database.folder / HEAD_NAME).read_text()) == chain.head
    by = [line.facts["by"] for line in audit.lines(database)]
    assert by.count("a") == by.count("b") == 40


# ---- the command line ----


def test_the_command_verifies_and_exports(
    store: StoreSettings, database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noted(database, 3)
    team = str(team_file(tmp_path, store))
    assert main(["audit", "verify", "--team", team]) == 0
    answer = capsys.readouterr().out
    head = str(audit.verify(database).head)
    assert answer.startswith("The chain of 4 audit lines holds.") and head in answer, "with that of the register's key"
    assert main(["audit", "verify", "--team", team, "--head", head]) == 0
    assert main(["audit", "verify", "--team", team, "--head", "none"]) == 2
    capsys.readouterr()
    assert main(["audit", "export", "--team", team]) == 0
    assert capsys.readouterr().out.splitlines() == list(audit.exported(database))
    without_triggers(database, "DELETE FROM audit_line WHERE number = 2")
    assert main(["audit", "verify", "--team", team]) == 1
    assert capsys.readouterr().out.startswith("The chain of audit lines is broken at line 2. It was removed")


def test_a_desk_without_sqlalchemy_gets_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.modules["anonlib.command.main"], "find_spec", lambda name: None)
    assert main(["audit", "verify", "--team", "team.toml"]) == 2
    assert "anonscope[team]" in capsys.readouterr().err


def test_the_library_and_the_desk_do_without_sqlalchemy() -> None:
    script = (
        "import sys\nsys.modules['sqlalchemy'] = None\n"
        "import anonlib, anonlib.command, anonlib.filing.register, anonlib.filing.project\n"
        "import anonlib.filing.department.person, anonlib.filing.department.settings\n"
        "from anonlib.command.arguments import parser\nparser()\nimport ui.files.registers\n"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=120)
