"""What a proposal has found its step does not look for again, and nobody else is given it."""

from __future__ import annotations

import gc
import pickle
import weakref
from typing import TypeVar

import cloudpickle
import numpy as np
import pandas as pd
import pytest

from anonlib.coarsening.hierarchies import intervals
from anonlib.counting.privacy_models import ONE
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally
from anonlib.release.steps import local_recoding as step_module
from anonlib.verdict.criteria import SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from tests.helpers.small_release import PERSON, QI, column
from tests.helpers.ways import part_by_part

T = TypeVar("T")


@pytest.fixture
def searches(monkeypatch):
    """A list that grows by one with every search for parts."""
    made, search = [], step_module.part_by_part

    def counted(problem, **named):
        made.append(problem)
        return search(problem, **named)

    monkeypatch.setattr(step_module, "part_by_part", counted)
    return made


def people(seed: int = 0, **more: str) -> Dataset:
    rng = np.random.default_rng(seed)
    ages = [str(age) for age in rng.integers(20, 60, 60)]
    frame = pd.DataFrame({"age": ages, "note": ages, "weight": ["2"] * 60})
    return Dataset.from_frame(frame, roles={"age": QI, **more})


def proposed(data: Dataset) -> Proposal:
    found = part_by_part(Adviser(Asked(data, (SmallestClass(3),), {"age": intervals([10])})))
    assert isinstance(found, Proposal) and found.steps
    return found


def moved(value: T) -> T:
    """As it is in another process."""
    return pickle.loads(cloudpickle.dumps(value))


@pytest.mark.parametrize("more", [{}, {"weight": "weight"}], ids=["records", "weighted"])
def test_a_step_takes_what_its_proposal_found(searches, more):
    data = people(**more)
    proposal = proposed(data)
    released = proposal.taken(Recipe(), data).apply(data).released
    assert len(searches) == 1
    afresh = people(**more)
    (step,) = proposal.steps
    assert column(step.apply(afresh), "age") == column(released, "age")
    assert len(searches) == 2, "another file that holds the same has its own"


def test_what_was_found_in_another_process_is_not_looked_for_again(searches):
    """A proposal brings it home with it, and data take it along."""
    data = people()
    proposal = moved(proposed(moved(data)))
    recipe = proposal.taken(Recipe(), data)
    released = recipe.apply(data).released
    assert len(searches) == 1
    elsewhere = moved(data)
    assert column(recipe.apply(elsewhere).released, "age") == column(released, "age")
    assert len(searches) == 1


def test_also_of_persons_with_several_rows(monkeypatch):
    searches, search = [], step_module.parts_of_persons

    def counted(problem, **named):
        searches.append(problem)
        return search(problem, **named)

    monkeypatch.setattr(step_module, "parts_of_persons", counted)
    frame = pd.DataFrame({"age": [str(20 + i % 17) for i in range(60)], "id": [str(i // 2) for i in range(60)]})
    data = Dataset.from_frame(frame, roles={"age": QI, "id": PERSON})
    criteria = (SmallestClass(3, rows=(ONE,)),)
    elsewhere = Adviser(Asked(moved(data), criteria, {"age": intervals([10])}))
    proposal = moved(part_by_part(elsewhere))
    assert isinstance(proposal, Proposal) and proposal.steps and len(searches) == 1
    assert proposal.taken(Recipe(), data).apply(data).released.n_records
    assert len(searches) == 1


def test_also_where_columns_are_dropped_before(searches):
    """Proposals look at the original without them, the step at what another step left of it."""
    data = people()
    drop = DropColumns(("note",), "no use")
    proposal = proposed(drop.apply(data))
    applied = proposal.taken(Recipe.of([drop]), data).apply(data)
    assert len(searches) == 1 and "note" not in applied.released.columns


def test_other_records_and_other_questions_are_searched(searches):
    data = people()
    (step,) = proposed(data).steps
    assert isinstance(step, GeneralizeLocally)
    step.apply(data.with_records(np.arange(60) < 50, "fifty"))
    assert len(searches) == 2
    stricter = proposed(data.with_missing("drop")).steps[0]
    assert len(searches) == 2, "nothing is missing"
    values = {**stricter.to_dict(), "suppression_limit": 0.1}
    GeneralizeLocally.from_dict(values).apply(data)
    assert len(searches) == 3


def test_a_search_that_was_stopped_is_not_remembered(searches):
    class Stopped(Exception):
        pass

    def stop(*_):
        raise Stopped

    data = people()
    adviser = Adviser(Asked(data, (SmallestClass(3),), {"age": intervals([10])}))
    with pytest.raises(Stopped):
        part_by_part(adviser, progress=stop)
    assert isinstance(part_by_part(adviser), Proposal) and len(searches) == 2


def test_it_goes_with_the_data():
    data = people()
    released = proposed(data).taken(Recipe(), data).apply(data)
    (store,) = (each for each in data.remembered.values() if hasattr(each, "limit"))
    gone = weakref.ref(store)
    assert len(store) == 1 and store.size <= store.limit
    del data, released, store
    gc.collect()
    assert gone() is None
