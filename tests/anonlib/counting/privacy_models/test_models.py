"""Guarantees as values: what they refuse, how they are kept, and what is left of them without some columns."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given

import tests.reference.guarantees as slow
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    TCloseness,
    columns_of,
    privacy_model_from_dict,
    privacy_model_to_dict,
)

AB = ("a", "b")


@given(slow.ANY)
def test_a_guarantee_is_kept_as_json(guarantee):
    again = privacy_model_from_dict(json.loads(json.dumps(privacy_model_to_dict(guarantee))))
    assert again == guarantee and hash(again) == hash(guarantee) and type(again) is type(guarantee)


def test_a_guarantee_is_saved_by_the_name_of_its_kind():
    asked = [
        KAnonymity(columns=AB, least=5), AttributeDisclosure(columns=AB, sensitive="s"),
        AverageRiskLimit(columns=AB, limit=0.1),
        LDiversity(columns=AB, sensitive="s", l=2), TCloseness(columns=AB, sensitive="s", t=0.2),
    ]  # fmt: skip
    kinds = [privacy_model_to_dict(each)["kind"] for each in asked]
    assert kinds == ["shared", "uncertain", "average", "diverse", "close"]


WRONG = [
    {"kind": "shared", "columns": ["a"], "least": 0},
    {"kind": "shared", "columns": ["a"], "least": 2.0},
    {"kind": "shared", "columns": ["a"], "least": True},
    {"kind": "shared", "columns": "ab", "least": 2},
    {"kind": "shared", "columns": ["a", "a"], "least": 2},
    {"kind": "shared", "columns": [1], "least": 2},
    {"kind": "shared", "columns": ["a"], "least": 2, "known": -1},
    {"kind": "shared", "columns": ["a"], "least": 2, "known": "1"},
    {"kind": "shared", "columns": ["a"], "least": 2, "share": 1.5},
    {"kind": "shared", "columns": ["a"], "least": 2, "share": "0.5"},
    {"kind": "shared", "columns": ["a"], "least": 2, "share": math.nan},
    {"kind": "shared", "columns": ["\ud800"], "least": 2},
    {"kind": "uncertain", "columns": ["a"], "sensitive": "a"},
    {"kind": "uncertain", "columns": ["a"], "sensitive": 5},
    {"kind": "uncertain", "columns": ["a"], "sensitive": "s", "p": 1},
    {"kind": "uncertain", "columns": ["a"], "sensitive": "s", "p": -0.1},
    {"kind": "uncertain", "columns": ["a"], "sensitive": "s", "p": math.inf},
    {"kind": "uncertain", "columns": ["a"], "sensitive": "s", "harmless": "none"},
    {"kind": "uncertain", "columns": ["a"], "sensitive": "s", "harmless": [None]},
    {"kind": "average", "columns": ["a"], "limit": 2},
    {"kind": "average", "columns": ["a"], "limit": None},
    {"kind": "diverse", "columns": ["a"], "sensitive": "s", "l": 0},
    {"kind": "diverse", "columns": ["a"], "sensitive": "s", "l": "2"},
    {"kind": "diverse", "columns": ["a"], "sensitive": "s", "l": math.nan},
    {"kind": "diverse", "columns": ["a"], "sensitive": "a", "l": 2},
    {"kind": "diverse", "columns": ["a"], "sensitive": "s", "l": 2, "by": "recursive"},
    {"kind": "diverse", "columns": ["a"], "sensitive": "s", "l": 2, "unknown": "distinct"},
    {"kind": "close", "columns": ["a"], "sensitive": "s", "t": 2},
    {"kind": "close", "columns": ["a"], "sensitive": "s", "t": "0.2"},
    {"kind": "close", "columns": ["a"], "sensitive": "s", "t": 0.2, "distance": "numeric"},
    {"kind": "close", "columns": ["a"], "sensitive": "a", "t": 0.2},
    {"kind": "unheard_of", "columns": ["a"]},
    {"kind": ["shared"], "columns": ["a"]},
    {"columns": ["a"], "least": 2},
    {"kind": "shared", "least": 2},
]  # fmt: skip


@pytest.mark.parametrize("values", WRONG)
def test_what_is_wrong_is_refused_and_a_wrong_value_in_a_sentence(values):
    is_a_value = len(values) > 2 and "unknown" not in values
    with pytest.raises(InputError if is_a_value else (InputError, KeyError, TypeError)) as caught:
        privacy_model_from_dict(values)
    if caught.type is InputError:
        assert str(caught.value).endswith(".") and len(str(caught.value)) > 10


def test_what_is_left_without_columns():
    shared, certain = (
        KAnonymity(columns=AB, least=5, known=2),
        AttributeDisclosure(columns=AB, sensitive="s", harmless=("x",)),
    )
    assert shared.on(["b", "s"]) == KAnonymity(columns=("b",), least=5, known=2)
    assert shared.on([]) == KAnonymity(columns=(), least=5, known=2)
    assert certain.on(["s", "b"]) == AttributeDisclosure(columns=("b",), sensitive="s", harmless=("x",))
    for each in (certain, LDiversity(columns=AB, sensitive="s", l=2), TCloseness(columns=AB, sensitive="s", t=0.2)):
        assert each.on(AB) is None, "what is not released cannot be learned"
    assert AverageRiskLimit(columns=AB, limit=0.2).on(["a"]) == AverageRiskLimit(columns=("a",), limit=0.2)
    assert columns_of([certain, shared, LDiversity(columns=("c",), sensitive="t", l=2)]) == ("a", "b", "s", "c", "t")


def test_which_sets_are_looked_at():
    abc = ("a", "b", "c")
    assert list(KAnonymity(columns=abc, least=2).sets()) == [abc]
    assert list(KAnonymity(columns=abc, least=2, known=2).sets()) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert list(KAnonymity(columns=abc, least=2, known=9).sets()) == [abc]
    assert list(AttributeDisclosure(columns=abc, sensitive="s", known=0).sets()) == [()]
    likely = AttributeDisclosure(columns=abc, sensitive="s", known=2, p=0.1)
    assert list(likely.sets())[:4] == [(), ("a",), ("b",), ("c",)] and likely.n_sets == 7, "the empty one too"
    for each in (likely, KAnonymity(columns=abc, least=2, known=2)):
        assert each.n_sets == len(list(each.sets()))


def test_harmless_values_are_kept_in_one_order():
    one, other = (
        AttributeDisclosure(columns=AB, sensitive="s", harmless=given) for given in (("y", "x"), ["x", "y", "x"])
    )
    assert one == other and one.harmless == ("x", "y")
