"""A department in tests of its pages: its store in a folder of the test, and somebody who is signed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from anonlib.filing.department.department import Department
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.requests import Requests
from anonlib.filing.department.settings import StoreSettings
from tests.helpers import app
from tests.helpers.requests import BEN
from ui.files import department
from ui.server import who


@pytest.fixture
def signed_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[Person], None]:
    """From now on every run is of this person."""

    def sign_in(person: Person) -> None:
        monkeypatch.setattr(who, "person", lambda: person)
        monkeypatch.setattr(who, "is_officer", lambda: TeamRole.OFFICER in person.roles)

    return sign_in


@pytest.fixture
def requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signed_in: Callable[[Person], None]
) -> Iterator[Requests]:
    """The requests of the department whose server the pages of this test are of."""
    here = Department.of_store(StoreSettings(tmp_path))
    monkeypatch.setattr(department, "department", lambda: here)
    signed_in(replace(BEN, roles=frozenset(TeamRole)))  # who sees every page
    monkeypatch.setattr(app, "_first_run", _first_run)
    _first_run()
    signed_in(BEN)
    yield here.requests
    here.database.close()


@cache
def _first_run() -> AppTest:
    """What knows the pages of a department; run once, by somebody who sees all of them."""
    return AppTest.from_file(str(app.ROOT / "app.py"), default_timeout=app.LONGEST_RUN).run()
