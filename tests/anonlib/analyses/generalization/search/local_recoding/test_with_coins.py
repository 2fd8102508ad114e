"""Mixed coarseness with coins: against the search in plain Python, and what it promises of parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import Problem
from anonlib.analyses.generalization.search.coins import Coin, coins_of, greatest_probability
from anonlib.analyses.generalization.search.local_recoding import LocalRecoding, parts_with_coins
from anonlib.analyses.generalization.search.local_recoding.of_records import RULES
from anonlib.analyses.generalization.search.local_recoding.with_coins import CoinSearch
from anonlib.basics.progress import nobody
from anonlib.coarsening.hierarchies import from_labels
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, LDiversity
from tests.helpers.errors import refused
from tests.helpers.examples import settings

WHOLE = 2**64


def mixed(number: int) -> int:
    """Splitmix64, in whole numbers."""
    number = (number + 0x9E3779B97F4A7C15) % WHOLE
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % WHOLE
    number = (number ^ number >> 27) * 0x94D049BB133111EB % WHOLE
    return number ^ number >> 31


Cut = tuple[frozenset[int], int]


@dataclass
class Slow:
    """The search as it is described, of one sensitive column of which nobody's value may be certain."""

    problem: Problem
    coin: Coin
    parts: list[tuple[list[int], list[int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        problem = self.problem
        self.k = next(each.least for each in problem.guarantees if isinstance(each, KAnonymity))
        names = list(problem.classes.attributes)
        self.secret_values = problem.classes.codes[:, names.index("s")].tolist()
        self.counts = problem.classes.counts.tolist()
        coins = coins_of(problem.classes, problem.guarantees, self.coin)
        self.numbers, self.key = [int(number) for number in coins.row], int(coins.key)
        known = [problem.rows.columns[j].tolist() for j in range(len(problem.columns))]
        self.label = [
            [[int(levels.group[level][value]) for value in of_column] for level in range(levels.n_levels)]
            for levels, of_column in zip(problem.ladders.levels, known, strict=True)
        ]
        self.loss = [
            [[problem.losses.of_values(j, level)[value] for value in of_column] for level in range(len(self.label[j]))]
            for j, of_column in enumerate(known)
        ]
        rows = sorted(range(len(self.counts)), key=lambda row: [of_column[row] for of_column in known])
        if self.is_diverse(rows):
            self.split(rows, list(problem.highest), [])

    def size(self, rows) -> int:
        return sum(self.counts[row] for row in rows)

    def is_diverse(self, rows) -> bool:
        return len({self.secret_values[row] for row in rows}) > 1

    def children(self, rows, j, level) -> dict[int, list[int]]:
        of_label: dict[int, list[int]] = {}
        for row in rows:
            of_label.setdefault(self.label[j][level][row], []).append(row)
        return of_label

    def alone(self, children) -> list[bool]:
        sizes = [self.size(child) for child in children]
        alone = [size >= self.k for size in sizes]
        while (
            any(alone) and 0 < sum(size for size, is_alone in zip(sizes, alone, strict=True) if not is_alone) < self.k
        ):
            least = min((size, place) for place, size in enumerate(sizes) if alone[place])[1]
            alone[least] = False
        return alone

    def best(self, rows, levels, closed):
        """The candidate that saves most for its entropy, by known columns; lowers what all share."""
        n, best = self.size(rows), (0.0, None, None)
        for j in range(len(levels)):
            for level in range(levels[j] - 1, -1, -1):
                children = list(self.children(rows, j, level).values())
                if len(children) == 1:
                    levels[j] = level
                    continue
                if n < 2 * self.k:
                    break
                alone = self.alone(children)
                if (j, level) in closed or not any(alone):
                    continue
                lost = self.loss[j][levels[j]][rows[0]]
                saved, entropy, rest = 0.0, 0.0, n
                for child, is_alone in zip(children, alone, strict=True):
                    if is_alone:
                        size = self.size(child)
                        saved += size * (lost - self.loss[j][level][child[0]])
                        entropy -= size / n * log(size / n)
                        rest -= size
                if rest:
                    entropy -= rest / n * log(rest / n)
                score = saved / n / (entropy + 0.001) if saved > 0 else -1.0
                if score > best[0]:
                    best = (score, j, level)
        return best[1:]

    def refuses(self, child, rest, cost) -> bool:
        first, second = (sum(self.numbers[row] * self.counts[row] for row in side) % WHOLE for side in (child, rest))
        pair = mixed(((mixed(first ^ self.key) + mixed(second ^ self.key)) % WHOLE) ^ self.key)
        by_chance = mixed((pair + self.key) % WHOLE) < int(np.uint64(self.coin.q**cost * 2.0**64))
        return by_chance or not self.is_diverse(child) or not self.is_diverse(rest)

    def split(self, rows: list[int], levels: list[int], cuts: list[Cut]) -> None:
        levels, cuts, closed, refused_pairs = [*levels], [*cuts], set(), set()
        while True:
            j, level = self.best(rows, levels, closed)
            if j is None:
                self.parts.append((rows, levels))
                return
            closed.add((j, level))
            children = list(self.children(rows, j, level).values())
            alone = self.alone(children)
            runs = [child for child, is_alone in zip(children, alone, strict=True) if is_alone]
            chosen = {row for run in runs for row in run}
            others = [row for row in rows if row not in chosen]
            rows = [row for run in runs for row in run] + others
            together, gone = set(rows), []
            for place in sorted(range(len(runs)), key=lambda place: (-self.size(runs[place]), place)):
                child, rest = set(runs[place]), together - set(runs[place])
                pair = frozenset((frozenset(child), frozenset(rest)))
                if self.size(rest) < self.k or pair in refused_pairs:
                    continue
                left = self.coin.budget - max(
                    sum(cost for cut, cost in cuts if (one in cut) != (other in cut)) for one in child for other in rest
                )
                if left < 1:
                    continue
                cost = min(left, 2 if min(self.size(child), self.size(rest)) >= 4 * self.k else 1)
                if self.refuses(child, rest, cost):
                    cuts.append((frozenset(child), cost))
                    refused_pairs.add(pair)
                else:
                    gone.append(place)
                    together = rest
            if gone:
                finer = [*levels]
                finer[j] = level
                for place in sorted(gone):
                    self.split(runs[place], finer, cuts)
                self.split([row for row in rows if row in together], levels, cuts)
                return


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


@settings(1_500)
@given(problems(), coins)
def test_it_is_the_search_that_is_described(problem, coin):
    slow, recoding = Slow(problem, coin), CoinSearch(problem, RULES[0], 1, coin).run(nobody)
    assert (recoding is None) == (not slow.parts)
    if recoding is not None:
        assert recoding.part is not None
        assert {frozenset(rows) for rows, _ in slow.parts} == as_sets(recoding)
        for rows, levels in slow.parts:
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
