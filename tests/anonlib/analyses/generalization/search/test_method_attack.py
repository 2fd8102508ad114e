"""What somebody concludes who knows how a release came about: every assignment of tiny tables, and planted files.

Nothing of the product is here. It shows that the search by a coin, as it is defined, makes nobody certain and keeps its
bound, that searches that are wrong do not, and that the attack that is held against the product's releases bites.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.helpers.examples import settings
from tests.helpers.method_attack import (
    Candidate,
    CoinSearch,
    Known,
    Levels,
    Part,
    Ranking,
    Release,
    Sensitive,
    arrangements,
    independent,
    posteriors,
    release_of,
    two_values,
)
from tests.helpers.planted_files import (
    Rows,
    clinic,
    detail_lost,
    part_by_part,
    planted_files,
    whole_columns,
)

NEARLY = 1e-9


def ladder(kind: str, letter: str, n_values: int) -> dict[str, tuple[str, ...]]:
    """Values of a column as they are or all together, with two groups between or with the first by itself; or with a
    group that is called as all together, or as its first value."""
    values = [f"{letter}{i}" for i in range(n_values)]
    between = {
        "none": None,
        "halves": lambda i: "low" if i < (n_values + 1) // 2 else "high",
        "first": lambda i: "first" if not i else "rest",
        "rest is all": lambda i: values[i] if i < n_values - 2 else "*",
        "named as first": lambda i: values[0] if i < n_values - 1 else values[i],
    }[kind]
    return {value: (value, *([between(i)] if between else []), "*") for i, value in enumerate(values)}


def ranked_by(seed: int) -> Ranking:
    """Candidates in an order of the known columns' persons alone, another in each part."""

    def ranking(part: Part, levels: Levels, candidates: list[Candidate]) -> list[Candidate]:
        return sorted(candidates, key=lambda c: zlib.crc32(f"{seed} {sorted(part)} {levels} {c}".encode()))

    return ranking


KINDS = ["none", "halves", "first"]


@st.composite
def tables(draw: st.DrawFn, largest: int, kinds: Sequence[str]) -> Known:
    n_persons, n_columns = draw(st.integers(4, largest)), draw(st.integers(1, 2))
    sizes = [draw(st.integers(2, 4)) for _ in range(n_columns)]
    ladders = [
        ladder(draw(st.sampled_from(kinds if size > 2 else KINDS[:1])), "ab"[column], size)
        for column, size in enumerate(sizes)
    ]
    person = st.tuples(*(st.sampled_from(sorted(of_column)) for of_column in ladders))
    return Known(sorted(draw(st.lists(person, min_size=n_persons, max_size=n_persons))), ladders)


def most_have_others(values: Iterable[str]) -> bool:
    """No value has more than 70%."""
    shown = list(values)
    return 10 * max(Counter(shown).values()) <= 7 * len(shown)


def two_unless(harmless: str) -> Callable[[Iterable[str]], bool]:
    """Nobody's value is certain but for a harmless one."""
    return lambda values: two_values(shown := list(values)) or shown[0] == harmless


Criterion = Callable[[Iterable[str]], bool]
CRITERIA: Sequence[Criterion] = [two_values, two_values, most_have_others, two_unless("x"), two_unless("y")]


@st.composite
def searches(
    draw: st.DrawFn, largest: int = 7, kinds: Sequence[str] = KINDS, criteria: Sequence[Criterion] = CRITERIA
) -> CoinSearch:
    return CoinSearch(
        draw(tables(largest, kinds)),
        draw(st.sampled_from([2, 2, 3])),
        draw(st.sampled_from([0.1, 0.3])),
        draw(st.integers(1, 3)),
        ranked_by(draw(st.integers(0, 99))),
        draw(st.sampled_from(criteria)),
        draw(st.sampled_from([2, 3, 99])),
        draw(st.sampled_from([3, 4, 99])),
    )


def spreads(n_persons: int, n_values: int) -> Iterator[list[str]]:
    """How often each value can occur, up to their names, where two do."""
    for numbers in product(range(n_persons + 1), repeat=n_values):
        if sum(numbers) == n_persons and list(numbers) == sorted(numbers, reverse=True) and numbers[1]:
            yield [value for value, number in zip("xyzw", numbers, strict=False) for _ in range(number)]


@dataclass
class Studied:
    """Persons of mixed leaves, over all releases; those who are certain, and the greatest of odds over the bound's."""

    mixed: int = 0
    forced: int = 0
    highest: float = 0.0

    def add(self, posterior: dict[str, float], values: tuple[str, ...], rho: float) -> None:
        self.mixed += 1
        self.forced += len(posterior) == 1
        for value, probability in posterior.items():
            share = values.count(value) / len(values)
            odds = probability / (1 - probability) if probability < 1 else float("inf")
            self.highest = max(self.highest, odds / (rho * share / (1 - share)))


def studied(search: CoinSearch, n_values: int) -> Studied:
    """Every release of every assignment of values to a table, where also the persons of each leaf are known."""
    result = Studied()
    rho = (1 / search.q) ** search.budget if search.q else float("inf")
    for values in spreads(len(search.known.rows), n_values):
        for release, of_persons in posteriors(arrangements(values), search.release_probabilities).items():
            for part, _, shown in release:
                assert search.is_diverse(shown)
                for person in part if two_values(shown) else ():
                    result.add(of_persons[person], shown, rho)
    return result


# ---- a search by a coin ----


@settings(2_500)
@given(searches(), st.integers(2, 3))
def test_a_coin_makes_nobody_certain_and_keeps_its_bound(search, n_values):
    result = studied(search, n_values)
    assert result.forced == 0
    assert result.highest <= 1 + NEARLY


@settings(150)
@given(searches(largest=9), st.just(2))
def test_so_it_does_for_more_persons(search, n_values):
    test_a_coin_makes_nobody_certain_and_keeps_its_bound.hypothesis.inner_test(search, n_values)


@settings(100)
@given(searches())
def test_the_releases_of_a_table_have_all_the_probability(search):
    values = ["x", "y"] * len(search.known.rows)
    for file in (values[: len(search.known.rows)], ["y", *"x" * (len(search.known.rows) - 1)]):
        assert sum(search.release_probabilities(file).values()) == pytest.approx(float(search.is_diverse(file)))


@settings(100)
@given(searches(), st.randoms(use_true_random=False))
def test_known_coins_lead_to_a_release_that_can_be(search, random):
    values = [random.choice("xyz") for _ in search.known.rows]
    coins: dict = defaultdict(lambda: random.random() < 0.5)
    if search.is_diverse(values):
        course = search.course(values, lambda pair, cost: coins[pair])
        assert release_of(course, values, True) in search.release_probabilities(values)
        assert sorted(person for part, _ in course.leaves for person in part) == sorted(search.known.everybody)
        assert all(len(part) >= min(search.k, len(values)) for part, _ in course.leaves)


@settings(100)
@given(searches())
def test_leaves_have_labels_of_their_own_where_a_label_is_one_group(search):
    for course in search.courses:
        labels = [labels for _, labels in course.leaves]
        assert len(set(labels)) == len(labels)


@settings(100)
@given(searches(largest=8, kinds=[*KINDS, "rest is all", "named as first"], criteria=[two_values]), st.integers(2, 3))
def test_leaves_of_one_label_make_nobody_certain(search, n_values):
    """A label that stands for two groups makes one class of two leaves, and who reads labels alone does not know who is
    in which. Nobody is certain all the same, and no value likelier than by the greatest share in a leaf, where in a
    class of several leaves all but one of its persons count as alike."""
    rho = (1 / search.q) ** search.budget
    for values in spreads(len(search.known.rows), n_values):
        greatest: dict = {}
        for file in arrangements(values):
            for release in search.release_probabilities(file):
                rows = tuple(sorted((labels, value) for _, labels, shown in release for value in shown))
                greatest[rows] = min(greatest.get(rows, 1.0), greatest_share(release))
        read = posteriors(arrangements(values), lambda file: search.release_probabilities(file, by_leaf=False))
        for rows, of_persons in read.items():
            most = greatest[rows] * rho / (greatest[rows] * rho + 1 - greatest[rows])
            for posterior in of_persons:
                assert len(posterior) > 1
                assert max(posterior.values()) <= most + NEARLY


def greatest_share(release: Iterable[tuple[Part, tuple[str, ...], tuple[str, ...]]]) -> float:
    """Of a value in a class of one leaf; of a class of several, all but one."""
    of_labels = defaultdict(list)
    for _, labels, shown in release:
        of_labels[labels].append(shown)
    shares = []
    for leaves in of_labels.values():
        size = sum(map(len, leaves))
        shares.append((size - 1 if len(leaves) > 1 else max(Counter(leaves[0]).values())) / size)
    return max(shares)


# ---- searches that are wrong ----


def rows_of(text: str) -> list[tuple[str, ...]]:
    return [tuple(row.split()) for row in text.split(", ")]


EIGHT = Known(
    rows_of("a0 b1, a0 b1, a0 b2, a1 b1, a1 b2, a1 b3, a2 b0, a2 b0"),
    [ladder("first", "a", 3), ladder("first", "b", 4)],
)
OTHER_EIGHT = Known(
    rows_of("a0 b1, a0 b1, a0 b1, a0 b1, a0 b1, a1 b2, a1 b2, a1 b3"),
    [ladder("none", "a", 2), ladder("halves", "b", 4)],
)
THIRD_EIGHT = Known(
    rows_of("a0 b0, a0 b1, a1 b0, a1 b1, a1 b3, a1 b3, a2 b1, a2 b3"),
    [ladder("first", "a", 3), ladder("first", "b", 4)],
)
SEVEN = Known(
    rows_of("a0 b0, a0 b1, a1 b0, a1 b1, a1 b2, a2 b2, a3 b2"), [ladder("first", "a", 4), ladder("first", "b", 3)]
)


def finest_first(part: Part, levels: Levels, candidates: list[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: (candidate[1], candidate[0]))


def of_groups(*sizes: int) -> Known:
    """One column, with so many of each value."""
    return Known(
        [(f"a{value}",) for value, size in enumerate(sizes) for _ in range(size)], [ladder("none", "a", len(sizes))]
    )


def test_values_that_refuse_by_themselves_make_somebody_certain():
    search = CoinSearch(of_groups(3, 3, 2), 2, 0.0, 9, finest_first)
    result = studied(search, 3)
    assert 0 < result.forced < result.mixed
    assert studied(replace(search, q=0.1), 3).forced == 0


@pytest.mark.parametrize(
    ("known", "seed", "budget", "large", "n_values", "wrong"),
    [
        pytest.param(EIGHT, 50, 2, 99, 3, "sums", id="two persons pay the costliest try alone"),
        pytest.param(OTHER_EIGHT, 91, 1, 2, 3, "remembers", id="a pair has two coins"),
        pytest.param(THIRD_EIGHT, 26, 3, 3, 2, "a_path", id="each part has the whole budget"),
        pytest.param(SEVEN, 78, 3, 2, 3, "squares", id="a try of many costs one"),
    ],
)
def test_a_search_that_is_wrong_goes_beyond_its_bound(known, seed, budget, large, n_values, wrong):
    search = CoinSearch(known, 2, 0.1, budget, ranked_by(seed), large=large)
    assert studied(search, n_values).highest <= 1 + NEARLY
    assert studied(replace(search, **{wrong: False}), n_values).highest > 2


@settings(100)
@given(searches(largest=6), st.integers(2, 3))
def test_a_second_prior_concludes_the_same(search, n_values):
    """All files that a release can be of have the same values in another order, as likely where each is drawn."""
    for values in spreads(len(search.known.rows), n_values):
        drawn = independent({"x": 0.7, "y": 0.2, "z": 0.1})
        alike = posteriors(arrangements(values), search.release_probabilities)
        weighted = posteriors(arrangements(values), search.release_probabilities, drawn)
        assert alike.keys() == weighted.keys()
        for release, of_persons in alike.items():
            for posterior, other in zip(of_persons, weighted[release], strict=True):
                assert posterior == pytest.approx(other)


# ---- by rules ----


@settings(250)
@given(
    tables(6, KINDS),
    st.integers(2, 3),
    st.sampled_from(["parts", "columns"]),
    st.integers(0, 3),
    st.integers(2, 3),
)
def test_rules_conclude_nothing_that_a_file_contradicts(known, k, way, most_left_out, n_values):
    """Every file is released by a way without a defence, and each value that is certain by rules is so in all files."""
    sensitive, of_file = Sensitive(), {}
    files = list(product("xyz"[:n_values], repeat=len(known.rows)))
    for values in files:
        of_persons = [(value,) for value in values]
        rows: Rows | None = None
        if way == "columns":
            rows, _ = whole_columns(known, of_persons, k, sensitive, most_left_out)
        elif sensitive.is_diverse(of_persons):
            rows, _ = part_by_part(known, of_persons, k, sensitive)
        of_file[values] = {tuple(sorted(rows)): 1.0} if rows else {}
    for rows_read, posterior in posteriors(files, of_file.__getitem__).items():
        release = Release(known, rows_read, sensitive)
        refusals = release.of_parts(k) if way == "parts" else release.of_nodes(k, detail_lost, most_left_out)
        conclusion = release.conclude(refusals)
        note(f"{rows_read} {conclusion.certain}")
        for (person, _), value in conclusion.certain.items():
            assert posterior[person].keys() == {value}
        for person, (possible,) in conclusion.domains.items():
            assert posterior[person].keys() <= possible or person in release.left_out
        for part in release.vanished(k) if way == "columns" else []:
            assert part <= release.left_out


# ---- planted files ----

PLANTED = planted_files()


@pytest.mark.parametrize("file", PLANTED, ids=lambda file: file.name)
def test_each_plant_is_given_away_by_a_least_change_without_a_defence(file):
    rows, left_out = file.least_change()
    release, conclusion = file.attacked(rows)
    planted = set(file.planted)
    assert {file.values[person][0] for person in planted} == {"HIV"}
    assert all(len(shown) >= file.k and file.asked.is_diverse(shown) for shown in release.values.values())
    if left_out:
        assert [set(part) for part in release.vanished(file.k)] == [planted]
        return
    assert {person for person, _ in conclusion.certain} == planted
    assert all(value == file.values[person][column] for (person, column), value in conclusion.certain.items())


@pytest.mark.parametrize("file", PLANTED, ids=lambda file: file.name)
def test_the_planted_value_exchanged_leaves_nothing_to_conclude(file):
    """Where two of the planted people have the values of two others, nothing refuses, and nobody is given away."""
    others = [person for person in range(len(file.frame)) if person not in file.planted]
    mixed = file.exchanged(file.planted[0], others[0]).exchanged(file.planted[1], others[-1])
    _, conclusion = mixed.attacked(mixed.least_change()[0])
    assert not {person for person, _ in conclusion.certain} & set(file.planted)


def test_the_clinic_in_parts_is_given_away_too():
    file = clinic("parts")
    _, conclusion = file.attacked(file.least_change()[0])
    assert {person for person, _ in conclusion.certain} >= set(file.planted)


def test_planted_files_differ_in_what_they_plant():
    assert len(PLANTED) == 21
    assert {len(file.hierarchies) for file in PLANTED} == {1, 2, 3, 4}
    assert {len(file.sensitive) for file in PLANTED} == {1, 2}
    assert all(20 <= len(file.frame) <= 300 for file in PLANTED)
