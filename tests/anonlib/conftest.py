"""The engines that records are tried in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.engines import NAMES, Engine, started


@pytest.fixture(scope="session", params=[pytest.param(name, marks=pytest.mark.engines) for name in NAMES])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Each engine in turn; whoever asks for it is tried in all of them."""
    with started(request.param) as running:
        yield running
