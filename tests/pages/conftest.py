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


@pytest.fixture
def without_searches() -> Iterator[None]:
    """No page searches or attacks by itself: tests that ask for this are about other things.

    What pages compute is the same, so that these tests share it (they do not ask for ``monkeypatch``).
    """
    with pytest.MonkeyPatch.context() as changed:
        for name in ("AT_ONCE", "FIRST_AT_ONCE"):
            changed.setattr(f"pages.verdict.verdict.question.{name}", -1.0)
        changed.setattr("pages.measure.attack.results.BY_ITSELF", -1.0)
        yield
