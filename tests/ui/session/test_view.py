"""One view of the session: the same while nothing changes, and each part of it looked up once."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from anonlib.coarsening.recoding import Mask
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.filing.project import NONE, LoadedFile
from anonlib.release.comparison import compare
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.helpers.app import POPULATION, SMALL, dataset_of, loaded, within
from ui.files import data_file
from ui.session import companions, decide, view
from ui.session.state import Session
from ui.session.state import session as of_the_run
from ui.session.view import View

RECIPE = Recipe.of([Recode("zip", Mask(3)), LeaveOut(2)])


@pytest.fixture
def session() -> Session:
    """Of a file with its roles."""
    return copy.copy(loaded(SMALL).session)


@pytest.fixture
def data(session: Session) -> Dataset:
    from types import SimpleNamespace

    return dataset_of(SimpleNamespace(session=session))  # type: ignore[arg-type]


def test_nothing_loaded_is_nothing() -> None:
    seen = within(Session(), view.now)
    assert seen.data is seen.applied is seen.released is seen.comparison is seen.beside_k is seen.people is None
    assert seen.suggestions == () and seen.pairs == {}


def test_it_is_the_same_while_nothing_changes_and_a_new_one_with_each_change(session: Session) -> None:
    changes = [
        lambda: setattr(of_the_run(), "k", 7),
        lambda: setattr(of_the_run(), "own_threshold", 0.3),
        lambda: decide.set_missing("drop"),
        lambda: decide.set_recipe(RECIPE),
        lambda: decide.clear_roles(),
        lambda: data_file.prepare(marks=("",)),
        lambda: companions.load_population(POPULATION, "people.csv"),
        lambda: companions.pair_population("age", NONE),
        lambda: setattr(of_the_run(), "unknowable", ("zip",)),
    ]

    def one_by_one() -> list[View]:
        views = [view.now()]
        for change in changes:
            of_the_run().settings["a slider"] = len(views)
            assert view.now() is views[-1]
            change()
            views.append(view.now())
        return views

    views = within(session, one_by_one)
    assert len({id(seen) for seen in views}) == 1 + len(changes)


def test_it_has_the_numbers_of_the_library(session: Session, data: Dataset) -> None:
    session.recipe, session.k = RECIPE, 2

    def looked_at() -> View:
        seen = view.now()
        _ = seen.data, seen.suggestions, seen.applied, seen.released, seen.comparison, seen.beside_k
        return seen

    seen = within(session, looked_at)
    assert seen.data is not None and seen.data.roles == data.roles
    assert seen.data.classes().n_classes == data.classes().n_classes
    assert list(seen.suggestions) == list(suggest_roles(data.records))
    assert seen.released is not None and seen.released.frame is not None
    assert seen.released.frame.equals(RECIPE.apply(data).released.frame)
    expected = compare(RECIPE.apply(data), RECIPE, k=2, threshold=0.5)
    assert seen.comparison is not None
    assert (seen.comparison.after.k, seen.comparison.records_after) == (expected.after.k, expected.records_after)
    assert seen.k == 2 and seen.threshold == 0.5


def test_where_no_step_is_on_nothing_is_released(session: Session) -> None:
    session.recipe = RECIPE.switch(0, False).switch(1, False)
    assert within(session, lambda: view.now().released) is None


def test_without_quasi_identifiers_or_records_there_is_no_comparison(session: Session) -> None:
    session.roles = {"illness": Role.SENSITIVE}
    assert within(session, lambda: (view.now().comparison, view.now().beside_k)) == (None, None)


def test_another_k_applies_no_recipe_again_and_another_recipe_prepares_no_file_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = {"frame": 0, "apply": 0}
    frame, apply = LoadedFile.cells, Recipe.apply

    def counted(name, compute):
        def call(*inputs):
            times[name] += 1
            return compute(*inputs)

        call.__module__, call.__qualname__ = compute.__module__, compute.__qualname__
        return call

    monkeypatch.setattr(LoadedFile, "cells", counted("frame", frame))
    monkeypatch.setattr(Recipe, "apply", counted("apply", apply))

    def moved() -> list[int]:
        decide.set_recipe(RECIPE)
        below = []
        for k in (2, 3, 4, 2):
            of_the_run().k = k
            seen = view.now()
            assert seen.comparison is not None and seen.released is not None
            below.append(seen.comparison.before.below_k)
        decide.set_recipe(Recipe.of([LeaveOut(2)]))
        assert view.now().comparison is not None
        return below

    assert within(session, moved) == [2, 4, 4, 2]
    assert times == {"frame": 1, "apply": 2}


def test_the_people_have_the_files_names_as_far_as_they_are_paired(session: Session) -> None:
    def with_table() -> tuple[View, View]:
        companions.load_population(b"AGE,zip,heads\n34,02138,100\n52,02139,7\n", "people.csv")
        companions.count_population_by("heads")
        paired = view.now()
        _ = paired.people
        companions.pair_population("age", NONE)
        _ = view.now().people
        return paired, view.now()

    paired, unpaired = within(session, with_table)
    assert paired.people is not None and unpaired.people is not None
    assert set(paired.people.columns) == {"age", "zip", "heads"} and paired.people.weight == "heads"
    assert set(unpaired.people.columns) == {"zip", "heads"}
    assert paired.people.key != unpaired.people.key
    gone = replace(unpaired, population=None)
    assert gone.people is None and gone.pairs == {}
