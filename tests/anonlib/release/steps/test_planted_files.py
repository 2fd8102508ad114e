"""Mixed coarseness of planted files, attacked by somebody who knows how it comes about.

With a coin nobody is certain: the course of the search, made again in plain Python, can be that of the file in which
somebody of the same part has the planted value, and is less likely there by no more than what is printed.
"""

from __future__ import annotations

import numpy as np
import pytest

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.generalization.search.local_recoding.of_records import RULES
from anonlib.analyses.generalization.search.local_recoding.with_coins import CoinSearch
from anonlib.basics.progress import nobody
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally
from tests.helpers.coin_search import PlainCoinSearch
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


@pytest.mark.parametrize("secret", ["0" * 32, "7" * 32, "f" * 32])
@pytest.mark.parametrize(
    "file", [file for file in planted_files() if not file.most_left_out], ids=lambda file: file.name
)
def test_with_a_coin_the_planted_values_can_be_anybodys_of_the_part(file, secret):
    coin = Coin(0.15, 8, secret)
    step = GeneralizeLocally(tuple(hierarchies_of(file).items()), asked_of(file), rounds=1, coin=coin)
    data = dataset_of(file).with_counted()
    problem, parts = step.found(data)
    assert parts is not None and parts.left_out == 0
    row_of = problem.classes.class_of_record
    assert row_of is not None
    persons: dict[int, list[int]] = {}
    for person, row in enumerate(row_of.tolist()):
        persons.setdefault(row, []).append(person)
    values = file.values

    def is_diverse(rows, values=values):
        return file.asked.is_diverse([values[person] for row in rows for person in persons[row]])

    search = CoinSearch(problem, RULES[0], 1, coin)
    recoding, plain = search.run(nobody), PlainCoinSearch(problem, coin, is_diverse)
    assert recoding is not None and recoding.part is not None
    assert {frozenset(rows) for rows, _ in plain.parts} == {
        frozenset(np.flatnonzero(recoding.part == part).tolist()) for part in range(recoding.part.max() + 1)
    }
    for planted in file.planted:
        (part,) = (rows for rows, _ in plain.parts if row_of[planted] in rows)
        others = [other for row in part for other in persons[row] if values[other] != values[planted]]
        assert others
        for other in others:
            exchanged = {**dict(enumerate(values)), planted: values[other], other: values[planted]}
            assert likelier(plain, coin, is_diverse, exchanged) <= coin.odds * (1 + 1e-9)


def likelier(search: PlainCoinSearch, coin: Coin, is_diverse, exchanged) -> float:
    """How many times as likely the course of a search is as with exchanged values; every try can end alike there."""
    ratio = 1.0
    for attempt in search.tries:
        now, then = (
            all(is_diverse(side, *values) for side in (attempt.child, attempt.rest)) for values in ((), (exchanged,))
        )
        if attempt.is_parted:
            assert now and then
        else:
            chance = coin.q**attempt.cost
            ratio *= (chance if now else 1.0) / (chance if then else 1.0)
    return ratio
