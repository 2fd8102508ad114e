"""Mixed coarseness with coins: against the search in plain Python, and what it promises of parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import Problem
from anonlib.analyses.generalization.search.cell_suppression import CellSuppressionProblem, CellSuppressionTask
from anonlib.analyses.generalization.search.coins import Coin, coins_of, greatest_probability
from anonlib.analyses.generalization.search.local_recoding import LocalRecoding, parts_with_coins
from anonlib.analyses.generalization.search.local_recoding.of_records import RULES
from anonlib.analyses.generalization.search.local_recoding.with_coins import CoinSearch
from anonlib.basics.progress import nobody
from anonlib.coarsening.hierarchies import from_labels
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, LDiversity
from tests.helpers.coin_search import PlainCoinSearch
from tests.helpers.errors import refused
from tests.helpers.examples import settings


def halves(values: list[str]) -> list[str]:
    return [f"{value[0]}{int(value[1:]) // 2 * 2}+" for value in values]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    n = draw(st.integers(4, 60))
    seed, n_values = draw(st.integers(0, 10**6)), draw(st.integers(2, 3))
    rng = np.random.default_rng(seed)
    columns = {"s": rng.choice(list("xyz")[:n_values], n, p=rng.dirichlet(np.ones(n_values)))}
    hierarchies = {}
    for name in "ab"[: draw(st.integers(1, 2))] + "c":
        n_here = draw(st.integers(2, 7))
        values = [f"{name}{i}" for i in range(n_here)]
        columns[name] = rng.choice(values, n)
        hierarchies[name] = from_labels(values, [halves(values)] if n_here > 3 else [], top=True)
    known = tuple(hierarchies)
    asked = [
        KAnonymity(columns=known, least=draw(st.integers(2, 4))),
        AttributeDisclosure(columns=known, sensitive="s"),
    ]
    return Problem(ClassTable.from_frame(pd.DataFrame(columns)), hierarchies, asked)


coins = st.builds(
    Coin, st.sampled_from([0.05, 0.2, 0.5]), st.integers(1, 5), st.integers(0, 10**6).map(lambda i: f"{i:032x}")
)


def two_values_of(problem: Problem):
    """Whether rows have two values of s."""
    values = problem.classes.codes[:, problem.classes.attributes.index("s")].tolist()
    return lambda rows: len({values[row] for row in rows}) > 1


@settings(1_500)
@given(problems(), coins)
def test_it_is_the_search_that_is_described(problem, coin):
    slow, recoding = (
        PlainCoinSearch(problem, coin, two_values_of(problem)),
        CoinSearch(problem, RULES[0], 1, coin).run(nobody),
    )
    assert (recoding is None) == (not slow.parts)
    if recoding is not None:
        assert recoding.part is not None
        assert {frozenset(rows) for rows, _ in slow.parts} == as_sets(recoding)
        for rows, levels in slow.parts:
            assert (recoding.cell_levels[rows] == levels).all()


@settings(300)
@given(problems(), coins)
def test_blank_cells_are_found_by_the_same_search(problem, coin):
    known = tuple(name for name in problem.classes.attributes if name != "s")
    cells = CellSuppressionProblem(problem.classes, CellSuppressionTask(known, tuple(problem.guarantees)))
    plain, recoding = (
        PlainCoinSearch(cells, coin, two_values_of(cells)),
        CoinSearch(cells, RULES[0], 1, coin).run(nobody),
    )
    assert (recoding is None) == (not plain.parts)
    if recoding is not None:
        assert {frozenset(rows) for rows, _ in plain.parts} == as_sets(recoding)
        for rows, levels in plain.parts:
            assert (recoding.cell_levels[rows] == levels).all()


def as_sets(recoding: LocalRecoding) -> set[frozenset[int]]:
    parts: dict[int, set[int]] = {}
    for row, part in enumerate(recoding.part.tolist()):
        parts.setdefault(part, set()).add(row)
    return {frozenset(rows) for rows in parts.values()}


@settings(300)
@given(problems(), coins)
def test_every_part_meets_what_is_asked_and_nobody_is_left_out(problem, coin):
    for rounds in (1, 6):
        recoding = parts_with_coins(problem, coin, rounds=rounds)
        if recoding is None:
            continue
        assert recoding.left_out == 0 and recoding.kept.all()
        place = problem.classes.attributes.index("s")
        for rows in map(list, as_sets(recoding)):
            assert problem.classes.counts[rows].sum() >= problem.guarantees[0].least
            assert len(set(problem.classes.codes[rows, place].tolist())) > 1
            assert (recoding.cell_levels[rows] == recoding.cell_levels[rows[0]]).all()


@settings(100)
@given(problems(), coins, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_values_changes_nothing(problem, coin, random):
    classes = problem.classes
    order = random.sample(range(len(classes.counts)), len(classes.counts))
    shuffled = replace(classes, codes=classes.codes[order], counts=classes.counts[order], class_of_record=None)
    other = Problem(shuffled, problem.hierarchies, problem.guarantees)
    first, second = parts_with_coins(problem, coin), parts_with_coins(other, coin)
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert (first.cell_levels[order] == second.cell_levels).all()
        assert {frozenset(order[row] for row in rows) for rows in as_sets(second)} == as_sets(first)


def adults(seed: int = 0, n: int = 400) -> Problem:
    rng = np.random.default_rng(seed)
    columns = {name: rng.choice([f"{name}{i}" for i in range(8)], n) for name in "abc"}
    columns["s"] = rng.choice(list("xy"), n, p=[0.85, 0.15])
    ladder = {
        name: from_labels([f"{name}{i}" for i in range(8)], [halves([f"{name}{i}" for i in range(8)])], top=True)
        for name in "abc"
    }
    asked = [KAnonymity(columns=tuple("abc"), least=5), AttributeDisclosure(columns=tuple("abc"), sensitive="s")]
    return Problem(ClassTable.from_frame(pd.DataFrame(columns)), ladder, asked)


def test_coins_are_of_the_secret_and_of_all_values():
    problem = adults()
    base = parts_with_coins(problem, Coin(0.3, 3))
    again = parts_with_coins(problem, Coin(0.3, 3))
    other = parts_with_coins(problem, Coin(0.3, 3, "1" * 32))
    assert base is not None and again is not None and other is not None
    assert as_sets(base) == as_sets(again) != as_sets(other)
    codes = problem.classes.codes.copy()
    place = problem.classes.attributes.index("s")
    codes[0, place] = 1 - codes[0, place]  # one person's value is corrected
    first, second = (
        coins_of(classes, problem.guarantees, Coin())
        for classes in (problem.classes, replace(problem.classes, codes=codes))
    )
    assert first.key != second.key and (first.row != second.row).all()


def test_where_the_whole_lacks_values_there_is_no_answer():
    frame = pd.DataFrame({"a": ["a0", "a1"] * 4, "s": ["x"] * 8})
    asked = [KAnonymity(columns=("a",), least=2), LDiversity(columns=("a",), sensitive="s", l=2)]
    problem = Problem(ClassTable.from_frame(frame), {"a": from_labels(["a0", "a1"], [], top=True)}, asked)
    assert parts_with_coins(problem, Coin()) is None


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"q": 0.0}, "number-out-of-range"), ({"q": 1.0}, "number-out-of-range"),
        ({"budget": 0}, "number-out-of-range"), ({"budget": 21}, "number-out-of-range"),
        ({"secret": "abc"}, "secret-wrong"), ({"secret": "G" * 32}, "secret-wrong"),
    ],
)  # fmt: skip
def test_a_coin_that_is_none_is_refused(values, code):
    with refused(code):
        Coin(**values)


def test_a_coin_is_saved_whole_and_shows_no_secret():
    coin = Coin(0.2, 4, "ab" * 16)
    assert Coin.from_dict(coin.to_dict()) == coin
    assert "abab" not in repr(coin) + coin.in_words
    with refused("setting-unknown"):
        Coin.from_dict({"q": 0.2})


def test_the_greatest_probability_is_of_the_odds():
    assert [round(greatest_probability(0.45, odds), 4) for odds in (5, 25, 100, 1_000)] == [
        0.8036,
        0.9534,
        0.9879,
        0.9988,
    ]
    assert greatest_probability(0.0, 10) == 0.0 and greatest_probability(0.5, float("inf")) == 1.0
