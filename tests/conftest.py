"""What every test shares: how hard Hypothesis searches, and the data sets kept beside the repository."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

BROWSER_TESTS = Path(__file__).resolve().parent / "browser"
SHARED_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"

# No deadline: the first call of a function pays for imports, and machines differ.
settings.register_profile(
    "everyday",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("ci", settings.get_profile("everyday"), derandomize=True, database=None)
settings.register_profile("quick", settings.get_profile("everyday"), derandomize=True, database=None)
settings.register_profile("thorough", settings.get_profile("everyday"))
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "everyday")
settings.load_profile(PROFILE)
SEARCH = {"quick": 0.05, "everyday": 0.25, "ci": 0.25, "thorough": 20.0}[PROFILE]
"""How many examples are tried, as a share of those that a test names, or of Hypothesis's own number of 100."""
FEWEST = 15  # where a test names as many


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: they wait for a server and a browser while another process computes."""
    items.sort(key=lambda item: BROWSER_TESTS in item.path.parents)
    for test in {item.obj for item in items if is_hypothesis_test(getattr(item, "obj", None))}:  # type: ignore[attr-defined]  # functions
        named = test._hypothesis_internal_use_settings  # as Hypothesis's own plugin reads it
        fewest = min(named.max_examples, FEWEST) if PROFILE != "quick" else 1
        examples = max(round(named.max_examples * SEARCH), fewest)
        test._hypothesis_internal_use_settings = settings(named, max_examples=examples)


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Nothing that is imported is garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What was imported stays, and few objects of a test are in cycles: the garbage collector looks less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """``shared_data("adult.csv")``: the path of a data set kept beside the repository; skips where it is not."""

    def path_of(name: str) -> Path:
        path = SHARED_DATA / name
        if not path.exists():
            pytest.skip(f"{name} is not in shared/data beside the repository")
        return path

    return path_of


@pytest.fixture(scope="module")
def file() -> bytes:
    """Visits to a clinic, as an officer would load them."""
    from tests.helpers.app import visits

    return visits()
