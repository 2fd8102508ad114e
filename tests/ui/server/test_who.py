"""Who a run of a page is for, and that a session is never shown to somebody else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from anonlib.filing.department.acts import Act
from anonlib.filing.department.person import Person, TeamRole
from ui.server import who
from ui.server.sign_in import owners
from ui.server.sign_in.sign_ins import HEADER, SignIns, key_of

ROOT = Path(__file__).resolve().parents[3]
OLGA = Person("https://login.example olga", "Olga", frozenset({TeamRole.OFFICER}))
RAFAEL = Person("https://login.example rafael", "Rafael", frozenset({TeamRole.REVIEWER}))


class Stopped(Exception):
    pass


class Runs:
    """Runs of the pages of one session, each with the header that its connection has."""

    def __init__(self) -> None:
        self.sign_ins = SignIns(30, 100, note=self.note)
        self.context = SimpleNamespace(headers={})
        self.errors: list[str] = []
        self.noted: list[tuple[str, Act, dict[str, str]]] = []

    def note(self, person: Person, act: Act, **facts: str) -> None:
        if act is Act.SIGNED_OUT:
            self.noted.append((person.name, act, facts))

    def error(self, text: str) -> None:
        self.errors.append(text)

    def stop(self) -> None:
        raise Stopped

    def of(self, secret: str) -> None:
        self.context.headers = {HEADER: key_of(secret)}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    runs = Runs()
    monkeypatch.setattr(who, "st", runs)
    monkeypatch.setattr(who, "team", lambda: SimpleNamespace())
    monkeypatch.setattr(who, "sign_ins", lambda: runs.sign_ins)
    monkeypatch.setattr(who, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="session-1"))
    yield runs
    owners._forget("session-1")


def test_a_run_is_of_who_is_signed_in(runs: Runs) -> None:
    runs.of(runs.sign_ins.begin(OLGA))
    who.stop_unless_signed_in()
    assert who.person() == OLGA and who.is_officer()
    runs.of(runs.sign_ins.begin(RAFAEL))
    assert who.person() == RAFAEL and not who.is_officer()


@pytest.mark.parametrize("headers", [{}, {HEADER: "guessed"}, {HEADER: ""}])
def test_a_run_of_nobody_stops(runs: Runs, headers: dict[str, str]) -> None:
    runs.context.headers = headers
    assert who.person() is None and not who.is_officer()
    with pytest.raises(Stopped):
        who.stop_unless_signed_in()
    assert runs.errors == ["Your sign-in has ended. Load this page again to sign in."]


def test_a_session_whose_subject_changes_stops_and_stays_of_the_first(runs: Runs) -> None:
    first, second, other = (runs.sign_ins.begin(person) for person in (OLGA, OLGA, RAFAEL))
    for secret in (first, second):
        runs.of(secret)
        who.stop_unless_signed_in()
    runs.of(other)
    with pytest.raises(Stopped):
        who.stop_unless_signed_in()
    runs.of(first)
    who.stop_unless_signed_in()


@pytest.mark.parametrize("everywhere", [False, True])
def test_signing_out_on_a_page_ends_the_sign_in_and_is_noted_once(runs: Runs, everywhere: bool) -> None:
    here, there = runs.sign_ins.begin(OLGA), runs.sign_ins.begin(OLGA)
    runs.of(here)
    who.sign_out(everywhere)
    assert who.person() is None
    assert (runs.sign_ins.of(key_of(there)) is None) is everywhere
    who.sign_out(everywhere)
    where = "everywhere" if everywhere else "in one browser"
    assert runs.noted == [("Olga", Act.SIGNED_OUT, {"where": where})]


def test_at_a_desk_nobody_signs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(who, "team", lambda: None)
    who.stop_unless_signed_in()
    who.sign_out()
    assert who.person() is None and who.is_officer()


def test_a_desk_needs_nothing_of_what_a_department_needs() -> None:
    program = (
        "import sys\n"
        "for name in ('authlib', 'httpx', 'httpx2', 'sqlalchemy', 'psycopg'): sys.modules[name] = None\n"
        "from ui import server, start\n"
        "server.prepare_server(); server.middleware(); server.routes()\n"
        "from anonlib.basics import machine_code\nfrom ui.server.workers import zygote\n"
        "zygote._import_all(); machine_code.load()\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != who.SETTINGS}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
