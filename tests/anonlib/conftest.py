"""The engines that records are tried in."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.helpers.engines import NAMES, WITH_SPARK, Engine, started


@pytest.fixture(scope="session", params=[pytest.param(name, marks=pytest.mark.engines) for name in NAMES])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Each engine in turn; whoever asks for it is tried in all of them."""
    with started(request.param) as running:
        yield running


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests in Spark are marked, and left out where nobody asked for them."""
    in_spark = [item for item in items if hasattr(item, "callspec") and item.callspec.params.get("engine") == "spark"]
    for item in in_spark:
        item.add_marker("spark")
    if in_spark and not os.environ.get(WITH_SPARK):
        config.hook.pytest_deselected(items=in_spark)
        items[:] = [item for item in items if item.get_closest_marker("spark") is None]
