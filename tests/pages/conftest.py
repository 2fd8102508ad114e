"""What every test of a page begins with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.app import computing_again


@pytest.fixture(autouse=True)
def _computed_by_its_own_functions(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that puts something in the place of a function has nothing of what was computed without it."""
    if "monkeypatch" not in request.fixturenames:
        yield
        return
    with computing_again():
        yield
