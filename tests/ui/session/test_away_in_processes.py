"""What is done in processes comes to the same as what is done in place, and no session has anything of another."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import psutil
import pytest

from anonlib.analyses.frontier import Plane, PolicySpace, interval_programs, random_chains
from anonlib.analyses.leakage import information_loss
from anonlib.basics.progress import Progress, nobody
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.suggestions import first_recipe
from anonlib.release.uniqueness_of_release import alone_by_what_leaves
from tests.helpers.app import dataset_of, seeded, visits, within
from tests.helpers.processes import nothing_left_of, started, waited_until
from ui.server.workers.pool import WorkerPool
from ui.session import away, cache, long_work, view
from ui.session.state import Session

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there are such processes on Linux")


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with started(WorkerPool(most_running=1)) as pool:
        yield pool


@pytest.fixture(autouse=True)
def nothing_is_left(pool: WorkerPool) -> Iterator[None]:
    yield
    nothing_left_of(pool)


@pytest.fixture
def data() -> Dataset:
    return dataset_of(seeded(visits(600)))


def in_place(page: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as changed:
        changed.setattr(away, "begin_job", lambda *_: None)
        return within(Session(), page)


def away_from(pool: WorkerPool, page: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a page comes to whose work is done in processes."""
    with monkeypatch.context() as changed:
        changed.setattr(away, "begin_job", pool.begin)
        return within(Session(), page)


def plain(value: Any) -> Any:
    """What it is made of, to be compared."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tolist()
    if isinstance(value, pd.DataFrame):
        return {name: plain(column) for name, column in value.astype(object).items()}
    if isinstance(value, pd.Series):
        return [None if pd.isna(cell) else cell for cell in value]
    if is_dataclass(value):
        return [
            plain(getattr(value, field.name)) for field in fields(value) if field.name not in ("seconds", "remembered")
        ]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def counted(data: Dataset, progress: Progress) -> Any:
    return data.classes().counts, data.classes(["sex"]).counts


def leaked(data: Dataset, progress: Progress) -> Any:
    return information_loss(data.classes(), max_size=2, progress=progress).to_frame()


def prepared(data: Dataset, progress: Progress) -> Any:
    recipe = Recipe.of(first_recipe(data, 5).steps)
    return recipe.to_json(), view.apply(recipe, data).released.held.frame, view.classes(data).counts


def unique_by_what_leaves(data: Dataset, progress: Progress) -> Any:
    recipe = Recipe.of(first_recipe(data, 3).steps)
    return alone_by_what_leaves(view.apply(recipe, data), recipe, k=3, unknowable=(), progress=progress)


@pytest.mark.parametrize("analysis", [counted, leaked, prepared, unique_by_what_leaves])
def test_what_is_computed_is_the_same(analysis, data, pool, monkeypatch) -> None:
    def page() -> Any:
        return away.compute(partial(analysis, data), long_work.let_go)

    assert plain(away_from(pool, page, monkeypatch)) == plain(in_place(page, monkeypatch))


def test_a_version_that_was_computed_is_of_the_data_that_it_was_given(data, pool, monkeypatch) -> None:
    """And is held: nothing of it is computed or copied again."""

    def page() -> None:
        recipe = away.compute(lambda _: Recipe.of(first_recipe(data, 5).steps), nobody)
        applied = away.compute(lambda _: view.apply(recipe, data), nobody)
        assert applied.original is data and view.apply(recipe, data) is applied
        assert away.compute(lambda _: view.apply(recipe, data), nobody) is applied

    away_from(pool, page, monkeypatch)


@pytest.mark.parametrize("search", [partial(interval_programs, work=None), partial(random_chains, budget=None)])
def test_a_search_comes_to_the_same_also_where_it_was_ended_meanwhile(search, data, pool, monkeypatch) -> None:
    plane = Plane(PolicySpace(data.classes()), "below_k", "kl", 5)

    def page(between: Callable[[], None] = lambda: None) -> list[Any]:
        going = away.Search(partial(search, plane))
        answers = []
        for until in (1e5, 3e6, 6e6):
            best, _ = going.go_on(until, long_work.let_go)
            answers.append((best.work, best.risk, best.loss))
            between()
        going.close()
        return answers

    def killed() -> None:
        zygote = psutil.Process(pool.zygote.pid)
        waited_until(lambda: len(zygote.children()) == 1)  # the one before is gone
        (job,) = zygote.children()
        job.kill()
        waited_until(lambda: not job.is_running())

    here = plain(in_place(page, monkeypatch))
    assert plain(away_from(pool, page, monkeypatch)) == here
    assert plain(away_from(pool, partial(page, killed), monkeypatch)) == here


def test_of_what_takes_long_for_its_size_a_page_does_nothing_itself(pool, monkeypatch) -> None:
    """``cache.waited_for`` of many records; of few it is done in place."""
    large = Dataset.from_frame(pd.DataFrame({"sex": ["F", "M"] * 50_000}), roles={"sex": Role.QUASI_IDENTIFIER})
    small = Dataset.from_frame(pd.DataFrame({"sex": ["F", "M"] * 500}), roles={"sex": Role.QUASI_IDENTIFIER})

    def page() -> None:
        assert process_of(large) != os.getpid() and process_of(small) == os.getpid()
        assert process_of(large) == process_of(large)
        assert process_of(large, progress=long_work.let_go) == process_of(large)

    away_from(pool, page, monkeypatch)


@cache.waited_for("Looking")
def process_of(data: Dataset, *, progress: Progress = nobody) -> int:
    progress(0.5)
    return os.getpid()


def test_two_sessions_have_nothing_of_one_another(pool, monkeypatch) -> None:
    """Nor does a process that works for one after the other: each looks for both in its own memory."""
    halves = {name: (f"CANARY-{name}-", secrets.token_hex(16)) for name in ("one", "two")}

    def page(own: str, other: str) -> None:
        canary = "".join(halves[own])
        frame = pd.DataFrame({"name": [canary] * 1_000})
        data = Dataset.from_frame(frame, roles={"name": Role.IDENTIFIER})
        other_halves = halves[other]

        def work(progress: Progress) -> tuple[Any, bool, bool]:
            values = data.held.frame["name"].cat.categories.tolist()
            seen = of_this_process(canary.encode()), of_this_process(other_halves[0].encode(), other_halves[1].encode())
            return values, *seen

        assert away.compute(work, nobody) == ([canary], True, False)
        assert of_data.held(data, name="name") is None
        assert away.compute(lambda _: of_data(data, name="name"), nobody) == canary
        assert of_data.held(data, name="name") == canary

    for own, other in (("one", "two"), ("two", "one"), ("one", "two")):
        away_from(pool, partial(page, own, other), monkeypatch)


@cache.remembered
def of_data(data: Dataset, *, name: str) -> str:
    return data.held.frame[name].cat.categories[0]


def of_this_process(*parts: bytes) -> bool:
    """Whether the parts stand one behind the other in the memory of this process, where they do not by themselves."""
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps.read().splitlines():
            place, rights, *_ = line.split()
            begin, end = (int(address, 16) for address in place.split("-"))
            if rights.startswith("rw"):
                with suppress(OSError, ValueError, OverflowError):
                    memory.seek(begin)
                    held = memory.read(end - begin)
                    at = held.find(parts[0])
                    while at >= 0:
                        if held[at + len(parts[0]) :].startswith(parts[-1]) or len(parts) == 1:
                            return True
                        at = held.find(parts[0], at + 1)
    return False
