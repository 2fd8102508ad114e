"""What every test shares: how hard Hypothesis searches, and the data sets kept beside the repository."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.helpers.examples import PROFILE, share_of
from tools.repeats import FOLDER as CHOOSING
from tools.repeats import listed

BROWSER_TESTS = Path(__file__).resolve().parent / "browser"
SHARED_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"

# No deadline: the first call of a function pays for imports, and machines differ.
settings.register_profile(
    "everyday",
    deadline=None,
    max_examples=share_of(100),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("ci", settings.get_profile("everyday"), derandomize=True, database=None)
settings.register_profile("quick", settings.get_profile("everyday"), derandomize=True, database=None)
settings.register_profile("thorough", settings.get_profile("everyday"))
settings.load_profile(PROFILE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the list are marked, and more than half of the processes begin with their share of the browser tests.

    So the last ones of a process, which no other takes over, are short, and nobody waits at the end for one process
    that has them all; the others start no server and no browser. Those of a file share a server: they stay together.
    """
    repeating = frozenset() if CHOOSING in os.environ else listed()
    for item in items:
        if item.nodeid in repeating:
            item.add_marker("repeats")
    in_browser = [item for item in items if BROWSER_TESTS in item.path.parents]
    files = list(dict.fromkeys(item.path for item in in_browser))
    others = [item for item in items if BROWSER_TESTS not in item.path.parents]
    n = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    with_browser, n_items, left = (n + 1) // 2, len(items), iter(others)
    items[:] = []
    for worker in range(n):  # as many tests for each
        of_worker = files[worker::with_browser] if worker < with_browser else ()
        items += [item for item in in_browser if item.path in of_worker]
        items += islice(left, max(0, n_items * (worker + 1) // n - len(items)))
    items += left


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


@pytest.fixture
def without_searches() -> Iterator[None]:
    """No page searches or attacks by itself: tests that ask for this are about other things.

    What pages compute is the same, so that these tests share it (they do not ask for ``monkeypatch``).
    """
    with pytest.MonkeyPatch.context() as changed:
        for name in ("AT_ONCE", "FIRST_AT_ONCE"):
            changed.setattr(f"pages.verdict.verdict.question.{name}", -1.0)
        for name in ("measure.attack", "collect.forecast"):
            changed.setattr(f"pages.{name}.results.BY_ITSELF", -1.0)
        yield
