"""Proposals for a file of several spellings: what leaves meets what was asked, with spellings read as one value."""

from __future__ import annotations

import io
import math
from collections import Counter, defaultdict

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import about_seconds
from anonlib.coarsening.hierarchies import intervals
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Case, Diversity, Inference, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked
from tests.helpers.examples import settings
from tests.helpers.small_release import PERSON, QI, SENSITIVE
from tests.helpers.ways import blank_cells, part_by_part, whole_columns

READ = {"hiv": "HIV", "flu ": "flu", "1.0": "1"}
ILL = st.sampled_from(["HIV", "hiv", "flu", "flu ", "1", "1.0"])
PERSON_OF = st.tuples(st.integers(20, 39), st.sampled_from("MF"), ILL)
WAYS = {
    "whole columns": whole_columns,
    "blank cells": lambda adviser: blank_cells(adviser, about_seconds(0.2)),
    "parts": part_by_part,
}


def classes_of(sent: pd.DataFrame) -> dict[tuple, Counter]:
    """By what is known of a released row, how many have each value, whichever way it is spelled."""
    found: dict[tuple, Counter] = defaultdict(Counter)
    known = [name for name in ("age", "sex") if name in sent.columns]
    for row in sent.to_dict("records"):
        found[tuple(row[name] for name in known)][READ.get(row["ill"], row["ill"])] += 1
    return found


def entropy(values: Counter) -> float:
    n = sum(values.values())
    return -sum(number / n * math.log(number / n) for number in values.values())


@settings(max_examples=120)
@given(
    st.lists(PERSON_OF, min_size=4, max_size=16),
    st.sampled_from([Inference(0), Inference(0, 0.3), Diversity(2), Diversity(1.5, "entropy")]),
    st.sampled_from(list(WAYS)),
)
def test_what_leaves_meets_it_with_spellings_read_as_one(people, criterion, way):
    data = Dataset.from_frame(
        pd.DataFrame(people, columns=["age", "sex", "ill"]).astype(str),
        roles={"age": QI, "sex": QI, "ill": SENSITIVE},
    )
    adviser = Adviser(Asked(data, (criterion, SmallestClass(2)), {"age": intervals([5, 10])}))
    proposal = WAYS[way](adviser)
    if isinstance(proposal, NothingFound):
        return
    recipe = proposal.taken(Recipe(), data)
    applied = recipe.apply(data)
    sent = pd.read_csv(io.BytesIO(released_csv(applied.released)), dtype=str, keep_default_na=False)
    assert criterion.check(Case(applied, recipe)).is_met
    if "ill" not in sent.columns:
        return
    for values in classes_of(sent).values():
        most, n = max(values.values()), sum(values.values())
        if isinstance(criterion, Inference):
            assert most < n if criterion.p == 0 else (n - most) / n > criterion.p
        elif criterion.by == "distinct":
            assert len(values) >= 2
        else:
            assert entropy(values) >= math.log(1.5) - 1e-9


@settings(max_examples=40)
@given(st.lists(st.lists(PERSON_OF, min_size=1, max_size=3), min_size=4, max_size=8), st.sampled_from(list(WAYS)[::2]))
def test_of_persons_with_several_rows_too(persons, way):
    """Who knows one row is certain of nothing that somebody has, in whatever row or spelling."""
    rows = [(f"p{i}", *map(str, row)) for i, held in enumerate(persons) for row in held]
    data = Dataset.from_frame(
        pd.DataFrame(rows, columns=["id", "age", "sex", "ill"]),
        roles={"id": PERSON, "age": QI, "sex": QI, "ill": SENSITIVE},
    )
    adviser = Adviser(Asked(data, (Inference(0),), {"age": intervals([5, 10])}))
    proposal = WAYS[way](adviser)
    if isinstance(proposal, NothingFound):
        return
    applied = proposal.taken(Recipe(), data).apply(data)
    sent = applied.released.frame.astype(object)
    if "ill" not in sent.columns or not len(sent):
        return
    known = [name for name in ("age", "sex") if name in sent.columns]
    records = sent.to_dict("records")
    held = defaultdict(set)
    for row in records:
        held[row["id"]].add(READ.get(row["ill"], row["ill"]))
    by_row = defaultdict(set)
    for row in records:
        by_row[tuple(row[name] for name in known)].add(row["id"])
    for who in by_row.values():
        assert not set.intersection(*(held[person] for person in who))
