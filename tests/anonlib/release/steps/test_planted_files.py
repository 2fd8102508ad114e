"""Mixed coarseness of planted files, attacked by somebody who knows how it comes about."""

from __future__ import annotations

import pytest

from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally
from tests.helpers.planted_files import planted_files
from tests.helpers.planted_in_product import asked_of, dataset_of, hierarchies_of, rows_released


@pytest.mark.parametrize(
    "file", [file for file in planted_files() if not file.most_left_out], ids=lambda file: file.name
)
def test_without_a_coin_mixed_coarseness_gives_the_planted_people_away(file):
    """The attack needs no release that was made for it: the step's own, which meets all that was asked."""
    step = GeneralizeLocally(tuple(hierarchies_of(file).items()), asked_of(file))
    rows = rows_released(file, Recipe.of((step,)).apply(dataset_of(file)).released)
    release, conclusion = file.attacked(rows, "parts")
    assert len(rows) == len(file.frame)
    assert all(len(shown) >= file.k and file.asked.is_diverse(shown) for shown in release.values.values())
    assert {person for person, _ in conclusion.certain} == set(file.planted)
    assert all(value == file.values[person][column] for (person, column), value in conclusion.certain.items())
