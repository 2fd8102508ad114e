"""Columns that matter more than others: every search against the slow reference with random weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.basics.errors import InputError
from anonlib.counting.guarantees import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally
from anonlib.release.steps.of_cells import Requirement
from tests.helpers.examples import settings
from tests.helpers.generalization import RULES, TENS, check_searches, problem_of, run
from tests.helpers.weight_loss import ANY

WEIGHTED = slow.cases(weighted=True, columns=[2, 3, 3])
LOSSES = st.sampled_from(["cell_loss", "entropy"])


@settings(max_examples=200)
@given(WEIGHTED | WEIGHTED | slow.cases(weighted=True, columns=[2, 3, 3], rules=RULES), LOSSES)
def test_every_search_is_the_references_with_random_weights(case, objective):
    """The best is still proven: the reference looks at every state, the search at few."""
    check_searches(case, objective)


@given(WEIGHTED, st.data())
def test_no_state_above_loses_less_than_a_state_whatever_the_weights(case, data):
    """What the proof rests on: before leaving out, weighted losses only grow upwards."""
    if not case.rows:
        return
    problem = problem_of(case, "cell_loss")
    low = tuple(data.draw(st.integers(0, height)) for height in problem.highest)
    high = tuple(data.draw(st.integers(level, height)) for level, height in zip(low, problem.highest, strict=True))
    for objective in ("cell_loss", "entropy"):
        problem, everyone = problem_of(case, objective), np.ones(len(problem.counts), dtype=bool)
        lost = [problem.share(problem.cost(state)) for state in (low, high)]
        assert lost[0] <= lost[1] + 1e-12 <= 1 + 2e-12
        cells = np.broadcast_to(np.array(low), (len(problem.counts), len(low)))
        of_cells = problem.losses_of(objective).of_cells(problem.rows, cells, everyone)
        assert lost[0] == pytest.approx(of_cells, abs=1e-9)


@given(slow.cases(columns=[2, 3]), st.sampled_from([1, 2, 3, 0.5]), LOSSES)
def test_weights_that_are_all_alike_change_nothing(case, weight, objective):
    names = list(case.laddered)
    for method in ("optimal", "mondrian"):
        try:
            plain = run(case, method, objective)
        except InputError:
            return
        alike = replace(case, matter=tuple((name, weight) for name in names))
        found = run(alike, method, objective)
        assert not found.problem.is_weighted and found.utility == plain.utility and found.levels == plain.levels
        assert np.array_equal(found.cell_levels, plain.cell_levels)


# Either column alone can be given up to reach k = 2.
ROWS = [(a, b) for a in "12" for b in "12"]
TWO_COLUMNS = slow.Case(("a", "b"), ROWS, [1] * 4, dict.fromkeys("ab", TENS[::2]), (Requirement(("a", "b"), 2),))


@pytest.mark.parametrize(
    ("weights", "levels", "loss"),
    [
        ({}, {"a": 0, "b": 1}, 1 / 2),
        ({"b": 3}, {"a": 1, "b": 0}, 1 / 4),
        ({"a": 0}, {"a": 1, "b": 0}, 0.0),
        ({"a": 3, "b": 2}, {"a": 0, "b": 1}, 2 / 5),
    ],
)
@pytest.mark.parametrize("method", ["optimal", "exhaustive", "mondrian"])
def test_the_column_that_matters_less_is_given_up(weights, levels, loss, method):
    found = run(replace(TWO_COLUMNS, matter=tuple(weights.items())), method, "cell_loss")
    kept = dict(zip(found.attributes, found.cell_levels.max(axis=0).tolist(), strict=True))
    if method == "mondrian" and not weights:  # of two that are as wide the first is split first
        assert kept == {"a": 0, "b": 1}
    assert kept == levels and found.utility.cell_loss == pytest.approx(loss)


def test_a_column_that_may_be_lost_without_regret_is_still_kept_where_that_costs_nothing():
    case = replace(TWO_COLUMNS, weights=[2] * 4, matter=(("a", 0),))
    for method in ("optimal", "mondrian"):
        assert not run(case, method, "cell_loss").cell_levels.any()


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ({"a": 4}, "must lie between 0 and 3"),
        ({"a": -1}, "must lie between 0 and 3"),
        ({"a": float("nan")}, "must be a number"),
        ({"a": "much"}, "must be a number"),
        ({"c": 1}, "“c”"),
        ({"a": 0, "b": 0}, "Every column that can be generalized has the weight 0"),
    ],
)
def test_weights_that_cannot_be(weights, sentence):
    with pytest.raises(InputError, match=sentence):
        run(replace(TWO_COLUMNS, matter=tuple(weights.items())), "optimal")


# ---- in the recipe ---------------------------------------------------------------------------------------------------


def step(**changes) -> GeneralizeLocally:
    return GeneralizeLocally((("a", ANY), ("b", ANY)), (KAnonymity(columns=("a", "b"), least=2),), **changes)


def test_a_step_keeps_its_weights_and_releases_by_them():
    data = Dataset.from_frame(
        slow.pd.DataFrame(ROWS, columns=["a", "b"], dtype=object),
        roles=dict.fromkeys("ab", "quasi_identifier"),  # type: ignore[arg-type]
    )
    weighted = step(column_weights=(("a", 0.0), ("b", 3.0)))
    assert weighted.describe().endswith("(weights: a 0, b 3)") and "weights" not in step().describe()
    again = Recipe.from_json(Recipe.of([weighted]).to_json())
    assert again.enabled == (weighted,) and "column_weights" not in step().to_dict()
    for one, given_up in ((step(), "b"), (weighted, "a")):
        released = Recipe.of([one]).apply(data).released.records
        assert [name for name in "ab" if set(released[name]) == {"*"}] == [given_up]


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([], "must be given by their names"),
        ({"a": 9}, "between 0 and 3"),
        ({"a": "2"}, "must be a number"),
        ({"z": 1}, "has a hierarchy"),
    ],
)
def test_a_recipe_with_weights_that_cannot_be_is_refused(weights, sentence):
    with pytest.raises(InputError, match=sentence):
        GeneralizeLocally.from_dict(step().to_dict() | {"column_weights": weights})
