"""From a policy to the recipe: the release has just the groups, the k and the risk that the policy was found with."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.frontier import Plane, PolicySpace, summary, with_records
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import Intervals
from anonlib.dataset import Dataset
from anonlib.release.from_analyses import steps_of_policy
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, GeneralizeLocally, LeaveOut, Recode, Scope
from anonlib.release.steps.of_cells import Requirement, guarantees_of
from tests.helpers.leaving_out import for_requirements
from tests.helpers.small_release import taken

NAMES = ["age", "sex", "zip"]


def a_file(seed: int, n: int = 300, missing: float = 0.05) -> tuple[Dataset, Dataset]:
    """Records and a population they are part of, with ages in the population that no record has."""
    rng = np.random.default_rng(seed)

    def draw(size: int, ages: np.ndarray) -> pd.DataFrame:
        frame = pd.DataFrame(
            {
                "age": rng.choice(ages, size).astype(str),
                "sex": rng.choice(["Female", "Male"], size),
                "zip": rng.choice([f"0{2100 + i}" for i in range(0, 30, 3)], size),
            },
            dtype=object,
        )
        return frame.mask(pd.DataFrame(rng.random(frame.shape) < missing, columns=frame.columns))

    records, others = draw(n, np.arange(20, 60, 2)), draw(5 * n, np.arange(15, 70))
    roles = dict.fromkeys(NAMES, "quasi_identifier")
    data = Dataset.from_frame(records.assign(note="x"), roles=roles)
    return data, Dataset.from_frame(pd.concat([records, others], ignore_index=True))


def policies(space: PolicySpace, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    drawn = [rng.random(space.n_bits) < kept for kept in (0.1, 0.4, 0.8)]
    return [space.top, space.bottom, *drawn]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_released_is_what_the_policy_stated(seed):
    data, population = a_file(seed)
    space = PolicySpace(data.classes(NAMES), population.classes(NAMES))
    plane = Plane(space)
    original = float((space.classes.counts / people_of(space.classes, population.classes(NAMES))).sum())
    for policy in policies(space, seed):
        recipe = Recipe.of(steps_of_policy(space, policy))
        applied = recipe.apply(data)
        assert not applied.problems
        message, released = summary(plane, policy), applied.released.classes(NAMES)
        assert (int(released.counts.min()), released.n_classes) == (message.k, message.groups)
        people = people_of(released, recipe.apply_to_population(population).classes(NAMES))
        assert people.min() == message.least_people
        assert message.risk == pytest.approx(float((released.counts / people).sum()) / original, abs=1e-9)


def people_of(classes, population) -> np.ndarray:
    """People with the values of each class, looked up one by one."""
    counted = {
        tuple(row): n
        for row, n in zip(population.labels().to_numpy().tolist(), population.counts.tolist(), strict=True)
    }
    return np.array([counted[tuple(row)] for row in classes.labels().to_numpy().tolist()])


def test_records_left_out_for_what_is_missing_stay_out():
    data, _ = a_file(5, missing=0.1)
    data = data.with_missing("drop")
    space = PolicySpace(data.classes(NAMES))
    assert space.n_records < data.n_records
    applied = Recipe.of(steps_of_policy(space, policies(space, 5)[2])).apply(data)
    assert applied.released.n_records == space.n_records


def test_records_that_are_counted_as_people_have_their_place():
    data, population = a_file(6)
    few = population.with_frame(population.records.iloc[:50].reset_index(drop=True), "few")
    joined = with_records(few.classes(NAMES), data.classes(NAMES))
    space = PolicySpace(data.classes(NAMES), joined)
    cells = space.cells
    assert (cells.people >= cells.records).all() and (cells.people == cells.records)[cells.occupied].any()
    assert summary(Plane(space), space.top).k > 0


def test_an_untouched_column_needs_no_step_and_a_policy_that_changes_nothing_has_none():
    data, _ = a_file(7)
    space = PolicySpace(data.classes(NAMES))
    assert steps_of_policy(space, space.bottom) == ()
    policy = space.bottom.copy()
    policy[0] = False
    assert [step.column for step in steps_of_policy(space, policy, "why")] == ["age"]
    assert steps_of_policy(space, policy, "why")[0].reason == "why"


def test_the_policy_s_steps_take_the_place_of_earlier_ones():
    data, _ = a_file(8)
    space = PolicySpace(data.classes(["age", "sex"]))
    policy = space.top
    hierarchy = Hierarchy((Intervals(10),))
    wanted = (Requirement(("age", "sex"), 5),)
    recipe = Recipe.of(
        [
            DropColumns(("note",)),
            Recode("age", Intervals(10)),  # gives way
            Recode("zip", Intervals(10)),  # another column
            AggregatePlaces("zip", (("R1", ("02100",)),)),
            LeaveOut(3),
            for_requirements(wanted, ()),
            GeneralizeLocally((("age", hierarchy),), guarantees_of(wanted)),  # gives way
        ]
    )
    steps = steps_of_policy(space, policy)
    changed, replaced = taken(recipe, steps, space.attributes, Scope.POLICY)
    assert replaced == 2
    kinds = [(entry.step.kind, getattr(entry.step, "column", "")) for entry in changed.entries]
    assert kinds == [
        ("drop_columns", ""), ("recode", "zip"), ("aggregate_places", "zip"), ("recode", "age"), ("recode", "sex"),
        ("leave_out", ""), ("leave_out", ""),
    ]  # fmt: skip
    assert taken(changed, steps, space.attributes, Scope.POLICY) == (changed, 2)


def test_the_steps_are_saved_and_read_again():
    data, population = a_file(9)
    space = PolicySpace(data.classes(NAMES), population.classes(NAMES))
    recipe = Recipe.of(steps_of_policy(space, policies(space, 9)[3], "policy of the frontier"))
    assert Recipe.from_json(recipe.to_json()) == recipe
