"""A department's store in each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anonlib.filing.department.database import Database
from anonlib.filing.department.settings import StoreSettings
from tests.helpers.department import in_postgresql
from tests.helpers.engines import Engine, started


@pytest.fixture(scope="session")
def server() -> Iterator[Engine]:
    with started("postgres") as running:
        yield running


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engines)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> StoreSettings:
    """Where a store can be made; a test that asks for it is tried in each kind of database."""
    folder = tmp_path / "store"
    folder.mkdir(mode=0o700)
    if request.param == "sqlite":
        return StoreSettings(folder)
    return in_postgresql(request.getfixturevalue("server"), folder)


@pytest.fixture
def database(store: StoreSettings) -> Iterator[Database]:
    opened = Database.open(store)
    yield opened
    opened.close()
