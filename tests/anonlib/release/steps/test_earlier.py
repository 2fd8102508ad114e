"""Steps that earlier versions wrote become the one that leaves records out, and leave out the same."""

from __future__ import annotations

import json
import random
from typing import Any

import pandas as pd
import pytest

import tests.reference.leaving_out as slow
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import KAnonymity, LDiversity, TCloseness
from anonlib.dataset import Dataset
from anonlib.filing.project import Project
from anonlib.release.recipe import Recipe
from anonlib.release.saved import SavedRecipe
from anonlib.release.steps import LeaveOut, Suppress
from tests.helpers.documents import read, with_table
from tests.helpers.errors import refused
from tests.helpers.small_release import PERSON, QI, SENSITIVE, WEIGHT, column

K = {"kind": "suppress", "k": 2, "reason": "why"}
DIVERSE = {"kind": "l-diversity", "rule": {"attribute": "s", "l": 2, "kind": "distinct"}}
CLOSE = {"kind": "t-closeness", "rule": {"attribute": "n", "t": 0.3, "distance": "ordered"}}
VIOLATING = {
    "kind": "suppress_violating", "requirements": [{"attributes": ["a"], "k": 2}, {"attributes": ["a", "b"], "k": 1}],
    "rules": [DIVERSE, CLOSE], "reason": "why",
}  # fmt: skip
LEAVING = {
    "kind": "leave_out_exposed", "worth": {"a": [["x", 0.5], [None, 1.0]]}, "reason": "why", "what": "rows",
    "guarantees": [{"kind": "shared", "columns": ["a"], "share": 0.1, "known": None, "least": 2}],
}  # fmt: skip


def step_of(values: dict[str, Any]) -> LeaveOut:
    (step,) = Recipe.from_list([values]).enabled
    assert isinstance(step, LeaveOut)
    return step


def random_data(rng: random.Random, counted_by: str) -> Dataset:
    """A few records with gaps, each of a person of its own, of persons of several rows, or weighted."""
    n, gaps = rng.randint(1, 14), rng.choice([0, 0, 0.2])

    def cells(values: str) -> list[str | None]:
        return [rng.choice(values.split()) if rng.random() > gaps else None for _ in range(n)]

    columns: dict[str, list] = {"a": cells("x y z"), "b": cells("1 2"), "s": cells("u v w"), "n": cells("1 2 10 30")}
    roles = {"a": QI, "b": QI, "s": SENSITIVE, "n": SENSITIVE}
    if counted_by:
        most = n // 2 if counted_by == "person" else 3
        columns[counted_by] = [str(rng.randint(0, most)) for _ in range(n)]
        roles[counted_by] = PERSON if counted_by == "person" else WEIGHT
    frame = pd.DataFrame({**columns, "row": [str(i) for i in range(n)]}, dtype=object)
    data = Dataset.from_frame(frame, roles=roles, missing=rng.choice(["category", "drop"]))
    return data.without_rows_of_nobody()


def plain(data: Dataset) -> tuple[list[dict], list[int], list[list[str]]]:
    """Who is counted: their values, what they count, and the texts of their rows' numbers."""
    rows = data.with_counted().records.astype(object)
    rows = rows.where(rows.notna(), None)
    persons: dict[Any, list[dict]] = {}
    for i, row in enumerate(rows.to_dict("records")):
        persons.setdefault(row["person"] if data.person_id else i, []).append(row)
    people, weights, of_rows = [], [], []
    for own in persons.values():
        values = {name: {row[name] for row in own} - {None} for name in "absn"}
        people.append({n: next(iter(v)) if len(v) == 1 else frozenset(v) if v else None for n, v in values.items()})
        weights.append(int(own[0][data.weight]) if data.weight else 1)
        of_rows.append([row["row"] for row in own])
    return people, weights, of_rows


@pytest.mark.parametrize("counted_by", ["", "weight", "person"])
def test_they_leave_out_what_they_did(counted_by):
    rng = random.Random(len(counted_by))
    for _ in range(150):
        data = random_data(rng, counted_by)
        people, weights, of_rows = plain(data)
        k = rng.randint(1, 4)
        requirements = [
            {"attributes": names, "k": rng.randint(1, 3)}
            for names in rng.sample([["a"], ["b"], ["a", "b"]], rng.randint(1, 2))
        ]
        t = rng.random() / 2
        close = {"attribute": "n", "t": t, "distance": "equal" if counted_by == "person" else "ordered"}
        entropy = {"attribute": "s", "l": 1 + 2 * rng.random(), "kind": "entropy"}
        distinct = {"attribute": "s", "l": rng.randint(1, 3), "kind": "distinct"}
        rules: list[Any] = rng.choice(
            [[], [{"kind": "t-closeness", "rule": close}]]
            + ([[{"kind": "l-diversity", "rule": rule}] for rule in (entropy, distinct)] if not data.person_id else [])
        )
        asked = {"kind": "suppress_violating", "requirements": requirements, "rules": rules}
        for values, stay in (
            ({"kind": "suppress", "k": k}, slow.below_k(people, weights, ["a", "b"], k)),
            (asked, slow.until_none_violates(people, weights, requirements, rules)),
        ):
            left = sorted((row for i in stay for row in of_rows[i]), key=int)
            assert column(step_of(values).apply(data), "row") == left


def test_of_persons_of_several_rows_diversity_is_stricter_and_that_is_stated():
    """All of them have u in some row: somebody can be sure of it, though they have different sets of values."""
    frame = pd.DataFrame({"a": list("xxxx"), "s": list("uuvu"), "person": list("1223")}, dtype=object)
    data = Dataset.from_frame(frame, roles={"a": QI, "s": SENSITIVE, "person": PERSON})
    asked = VIOLATING | {"requirements": [{"attributes": ["a"], "k": 2}], "rules": [DIVERSE]}
    people = [{"a": "x", "s": "u"}, {"a": "x", "s": frozenset("uv")}, {"a": "x", "s": "u"}]
    assert slow.until_none_violates(people, [1, 1, 1], asked["requirements"], asked["rules"]) == {0, 1, 2}
    assert step_of(asked).apply(data).n_records == 0
    roles = {"a": "quasi_identifier", "s": "sensitive", "person": "person_id"}
    old = json.loads(Project(roles=dict(data.roles)).to_json())
    for steps, sentences in (([asked], 1), ([asked | {"rules": [CLOSE]}], 0), ([K], 0)):
        project = read(with_table(old, recipe=steps))
        assert len(project.upgraded) == sentences
        assert Project.from_json(project.to_json()).upgraded == (), "it is said once: a saved one is of today"
        for made_with, reports in (({}, sentences), ({"roles": roles}, sentences), ({"roles": {"a": "other"}}, 0)):
            document = {"format": "anonscope-recipe", "version": 1, "steps": steps, "made_with": made_with}
            assert len(SavedRecipe.from_json(json.dumps(document)).upgraded) == reports


def test_they_are_written_as_what_they_are_today():
    for values in (K, VIOLATING, LEAVING):
        recipe = Recipe.from_list([values])
        (written,) = recipe.to_list()
        assert written["kind"] == "leave_out" and Recipe.from_list([written]) == recipe
    assert step_of(K) == Suppress(2, "why") == LeaveOut(k=2, reason="why")
    by_a, by_both = step_of(VIOLATING).guarantees[:3], step_of(VIOLATING).guarantees[3:]
    assert by_a == (
        KAnonymity(columns=("a",), least=2), LDiversity(columns=("a",), sensitive="s", l=2),
        TCloseness(columns=("a",), sensitive="n", t=0.3, distance="ordered"),
    )  # fmt: skip
    assert [type(asked) for asked in by_both] == [KAnonymity, LDiversity, TCloseness]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (K, "Suppress(k=2, reason='why')"),
        (VIOLATING,
         "SuppressViolating(requirements=(Requirement(attributes=('a',), k=2), Requirement(attributes=('a', 'b'), "
         "k=1)), rules=(LDiversity(attribute='s', l=2, kind='distinct'), TCloseness(attribute='n', t=0.3, "
         "distance='ordered')), reason='why')"),
        (VIOLATING | {"requirements": [{"attributes": ["a"], "k": 2}], "rules": []},
         "SuppressViolating(requirements=(Requirement(attributes=('a',), k=2),), rules=(), reason='why')"),
        (LEAVING,
         "LeaveOutExposed(guarantees=(Shared(columns=('a',), share=0.1, known=None, least=2),), worth=(('a', "
         "(('x', 0.5), (None, 1.0))),), reason='why', what='rows')"),
        (LEAVING | {"worth": {}, "guarantees": [
            {"kind": "uncertain", "columns": ["a"], "sensitive": "s", "harmless": ["NotCertain("]},
            {"kind": "average", "columns": ["a", "b"], "limit": 1.0},
         ]},
         "LeaveOutExposed(guarantees=(Uncertain(columns=('a',), share=0.0, known=None, sensitive='s', p=0.0, "
         "harmless=('NotCertain(',)), Average(columns=('a', 'b'), share=0.0, limit=1.0)), worth=(), reason='why', "
         "what='rows')"),
    ],
)  # fmt: skip
def test_their_rows_leave_in_the_order_that_they_had(values, words):
    """The order is drawn by what was done to the data, as version 0.1.0 called it."""
    frame = pd.DataFrame({"a": list("xxyy"), "b": list("1122"), "s": list("uvuv"), "n": list("1212")}, dtype=object)
    data = Dataset.from_frame(frame, roles={"a": QI, "b": QI, "s": SENSITIVE, "n": SENSITIVE})
    for step in (step_of(values), step_of(step_of(values).to_dict())):
        assert step.apply(data).prepared == words


def test_columns_of_requirements_must_be_there():
    """As they had to: a slip of the pen in a project written by hand would protect nobody."""
    data = Dataset.from_frame(pd.DataFrame({"a": ["x", "x"]}, dtype=object), roles={"a": QI})
    for asked in ({"requirements": [{"attributes": ["aa"], "k": 2}], "rules": []}, {"rules": [DIVERSE]}):
        step = step_of(VIOLATING | asked)
        for again in (step, step_of(step.to_dict())):
            with refused("column-unknown"):
                again.apply(data)


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "leave_out"},
        {"kind": "leave_out", "k": 0},
        {"kind": "leave_out", "k": "2"},
        {"kind": "leave_out", "k": 2, "what": "rows"},
        {"kind": "leave_out", "k": 2, "guarantees": LEAVING["guarantees"]},
        {"kind": "leave_out", "guarantees": LEAVING["guarantees"], "drawn_as": 3},
        {"kind": "suppress"},
        VIOLATING | {"requirements": []},
        VIOLATING | {"requirements": [{"attributes": ["s"], "k": 2}]},
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(values):
    with pytest.raises(InputError, match="Step 1 of the recipe"):
        Recipe.from_list([values])
