"""The index of an anonymity vector: against all vectors one by one, the paper's numbers, and closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.schedules import index as index_module
from anonlib.analyses.schedules.index import (
    EXACT_LIMIT,
    LogIndex,
    approximate_count,
    improvement,
    lexicographic_index,
    log_index,
    number_of_vectors,
    partition_counts,
)
from anonlib.basics.errors import InputError
from anonlib.counting.classes import AnonymityVector, anonymity_vector
from tests.helpers.errors import refused

P_5000 = 169820168825442121851975101689306431361757683049829233322203824652329144349
SIZES = st.lists(st.one_of(st.integers(1, 6), st.integers(1, 60), st.integers(1, 700)), min_size=2, max_size=40)


def partitions(n: int, least: int = 1) -> Iterator[list[int]]:
    if n == 0:
        yield []
    for part in range(least, n + 1):
        for rest in partitions(n - part, part):
            yield [part, *rest]


@cache
def q(n: int, least: int) -> int:
    """Partitions of n into parts of at least so much: with one of the least, or with none."""
    if n <= 0 or least > n:
        return int(n == 0)
    return q(n - least, least) + q(n, least + 1)


def vector(*classes: int) -> AnonymityVector:
    """As the paper writes it."""
    return anonymity_vector(np.repeat(np.arange(1, len(classes) + 1), classes))


def level_by_level(v: AnonymityVector) -> int:
    """The sum over all class sizes that defines the index, zeros and all."""
    classes = dict(zip(v.sizes.tolist(), v.classes.tolist(), strict=True))
    total, left = 0, v.n_records
    for size in range(1, v.n_records + 1):
        total += q(left - size * (classes.get(size, 0) + 1), size)
        left -= size * classes.get(size, 0)
    return total


@pytest.fixture
def approximating(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is counted exactly only because it is small."""
    monkeypatch.setattr(index_module, "EXACT_LIMIT", -1)


# Counting partitions


def test_numbers_of_vectors():
    assert [number_of_vectors(n) for n in range(11)] == [1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42]
    assert number_of_vectors(5000) == P_5000
    assert str(number_of_vectors(100_000)).startswith("27493510569775696512677516320986352688173429315980054758")
    assert len(str(number_of_vectors(100_000))) == 347


def test_both_ways_of_counting_all_partitions_agree():
    some = [*range(400), *range(401, 20_000, 811)]
    counted = partition_counts((n, 1) for n in some)
    assert [number_of_vectors(n) for n in some] == [counted[n, 1] for n in some]


@given(st.lists(st.tuples(st.integers(-5, 180), st.integers(1, 190)), max_size=12))
def test_partitions_with_a_least_part(wanted: list[tuple[int, int]]):
    assert partition_counts(wanted) == {(n, least): q(n, least) for n, least in wanted}


def test_few_large_parts():
    """Two parts of at least m: the smaller is any of m, ..., n / 2. Three: (x + 3)^2 / 12, rounded."""
    assert partition_counts([(100, 40)]) == {(100, 40): 1 + 11}
    assert partition_counts([(20_000, 9_000)]) == {(20_000, 9_000): 1 + 1_001}
    assert partition_counts([(20_000, 6_000)]) == {(20_000, 6_000): 1 + 4_001 + round(2_003**2 / 12)}


@pytest.mark.parametrize("n", [700, 3_000, 12_000])
def test_approximate_counts_are_within_their_error(n: int):
    leasts = sorted(
        {1, 2, 3, 10, 40, 100, n // 45, n // 41, n // 39, n // 20, n // 9, n // 4, n // 3, n // 2, n - 1, n}
    )
    counted = partition_counts((n, least) for least in leasts)
    for least in leasts:
        value, relative_error = approximate_count(n, least)
        assert abs(float(value / counted[n, least] - 1)) <= relative_error + 1e-15
        assert relative_error < (1e-4 if n // least >= 40 else 1)


def test_what_is_small_is_counted_in_the_approximation_too():
    for n, least in [(0, 3), (2, 3), (400, 9), *((3_000 + i, 1_000 - i) for i in range(12)), (3_000, 1_400)]:
        assert approximate_count(n, least) == (partition_counts([(n, least)])[n, least], 0.0)


@pytest.mark.parametrize("n", [5_000, 100_000, 1_000_000])
def test_approximate_numbers_of_partitions(n: int):
    value, relative_error = approximate_count(n, 1)
    assert abs(float(value / number_of_vectors(n) - 1)) <= relative_error < 0.03 / n


# The index


@pytest.mark.parametrize("n", [*range(13), 18])
def test_the_index_is_the_number_of_worse_vectors(n: int):
    """So it takes each of 0, ..., p(N) - 1 once."""
    from_worst = sorted((anonymity_vector(sizes) for sizes in partitions(n)), reverse=True)
    assert [lexicographic_index(v) for v in from_worst] == list(range(number_of_vectors(n)))


@given(st.lists(st.integers(1, 25), max_size=14))
def test_the_index_is_the_sum_over_all_sizes(sizes: list[int]):
    v = anonymity_vector(sizes)
    assert lexicographic_index(v) == level_by_level(v)


@given(SIZES, st.data())
def test_merging_two_classes_raises_the_index(sizes: list[int], data: st.DataObject):
    i = data.draw(st.integers(1, len(sizes) - 1))
    merged = [sizes[0] + sizes[i], *sizes[1:i], *sizes[i + 1 :]]
    assert lexicographic_index(anonymity_vector(merged)) > lexicographic_index(anonymity_vector(sizes))


@given(SIZES, st.integers(0, 2**32 - 1))
def test_a_better_vector_has_a_larger_index(sizes: list[int], seed: int):
    rng = np.random.default_rng(seed)
    borders = np.sort(rng.integers(0, sum(sizes) + 1, len(sizes)))
    one, other = anonymity_vector(sizes), anonymity_vector(np.diff(borders, prepend=0, append=sum(sizes)))
    assert (one < other) == (lexicographic_index(one) > lexicographic_index(other))
    assert (one == other) == (lexicographic_index(one) == lexicographic_index(other))


def test_the_ends_of_20_000_people():
    n = 20_000
    best = number_of_vectors(n) - 1
    assert lexicographic_index(anonymity_vector([n])) == best
    assert lexicographic_index(anonymity_vector([1, n - 1])) < best - 1
    assert lexicographic_index(anonymity_vector([n // 2, n // 2])) == best - 1
    # Better than three classes of about a third are one class; two, the smaller from 6,667 to half; and 6,666 + 13,334.
    assert lexicographic_index(anonymity_vector([6_666, 6_667, 6_667])) == best - 1 - 3_334 - 1
    # As many are worse than only pairs as have someone alone: those of one person fewer, and that one.
    assert lexicographic_index(anonymity_vector([2] * (n // 2))) == number_of_vectors(n - 1)
    alone = [1] * (n - 4)
    assert [lexicographic_index(anonymity_vector(alone + rest)) for rest in ([1] * 4, [2, 1, 1], [3, 1], [2, 2])] == [
        *range(4)
    ]


def test_of_nobody_and_where_the_base_index_is_zero():
    nobody = anonymity_vector([])
    assert lexicographic_index(nobody) == 0
    assert number_of_vectors(0) == 1
    assert log_index(nobody) == LogIndex(-math.inf, 0.0, True)
    everyone_alone = anonymity_vector([1] * 7)  # whose index is 0 too
    for base in (nobody, everyone_alone):
        assert improvement(base, base, base) == 0


# Beyond the exact limit


def spread(n: int, least: int, most: int) -> AnonymityVector:
    sizes = np.random.default_rng(n + least).integers(least, most + 1, n // least)
    sizes = sizes[np.cumsum(sizes) <= n]
    return anonymity_vector([*sizes, n - sizes.sum()])


@pytest.mark.parametrize("n", [1_000, 5_000, 20_000])
@pytest.mark.parametrize(("least", "most"), [(1, 7), (2, 5), (1, 200), (30, 400)])
def test_the_approximation_is_within_its_error(n: int, least: int, most: int, monkeypatch: pytest.MonkeyPatch):
    v = spread(n, least, most)
    exact = lexicographic_index(v)
    assert log_index(v) == LogIndex(math.log10(exact), 0.0, True)
    monkeypatch.setattr(index_module, "EXACT_LIMIT", -1)
    found = log_index(v)
    assert not found.is_exact
    assert found.relative_error < 0.05 / n
    assert abs(Fraction(lexicographic_index(v, exact=False), exact) - 1) <= found.relative_error
    assert found.log10 == pytest.approx(math.log10(exact), abs=found.relative_error / 2)


def test_beyond_the_limit():
    v = anonymity_vector([2, EXACT_LIMIT - 1])
    with pytest.raises(InputError, match=r"up to 20,000 records .* exact=False, or log_index"):
        lexicographic_index(v)
    found = log_index(v)
    assert not found.is_exact
    assert math.log10(lexicographic_index(v, exact=False)) == pytest.approx(found.log10, abs=1e-12)
    assert lexicographic_index(anonymity_vector([EXACT_LIMIT]), exact=False) == number_of_vectors(EXACT_LIMIT) - 1


def test_a_million_people():
    million = 1_000_000
    one_class = log_index(anonymity_vector([million]))
    assert one_class.log10 == pytest.approx(math.log10(number_of_vectors(million) - 1), abs=1e-10)
    worse = [log_index(v) for v in (vector(1, 1, 0, 0, (million - 3) // 5), spread(million, 1, 60))]
    assert one_class.log10 > worse[0].log10 > worse[1].log10 > 1_000
    assert all(found.relative_error < 1e-6 and not found.is_exact for found in (one_class, *worse))


def test_those_alone_are_no_obstacle():
    """Of 2,000,000 people of whom all but four are alone, (N - 4, 2) has but three worse."""
    v = AnonymityVector(np.array([1, 2]), np.array([1_999_996, 2]))
    assert lexicographic_index(v) == 3
    assert log_index(v) == LogIndex(math.log10(3), 0.0, True)


@pytest.mark.parametrize("n", [-1, 10_000_001])
def test_numbers_of_vectors_out_of_range(n: int):
    with pytest.raises(InputError, match="0 to 10,000,000 records"):
        number_of_vectors(n)


# Improvement


def split(sizes: list[int], rng: np.random.Generator, chance: float) -> AnonymityVector:
    """Each class in two with some chance, and again."""
    for _ in range(2):
        cuts = [int(rng.integers(0, size)) if rng.random() < chance else 0 for size in sizes]
        sizes = [part for size, cut in zip(sizes, cuts, strict=True) for part in (size - cut, cut) if part]
    return anonymity_vector(sizes)


@given(SIZES, st.integers(0, 2**32 - 1))
def test_improvement_is_the_share_it_is_defined_as(sizes: list[int], seed: int):
    rng = np.random.default_rng(seed)
    base, new, old = anonymity_vector(sizes), split(sizes, rng, 0.2), split(sizes, rng, 0.6)
    indices = [lexicographic_index(v) for v in (new, old, base)]
    expected = float(Fraction(indices[0] - indices[1], indices[2])) if indices[2] else 0.0
    assert improvement(new, old, base) == expected
    assert improvement(old, new, base) == -expected
    assert -1 <= expected <= 1
    assert str(improvement(new, new, base)) == "0.0"  # nor -0.0


@pytest.mark.slow
@pytest.mark.usefixtures("approximating")
@pytest.mark.parametrize("n", [5_000, 20_000])
def test_small_differences_are_not_noise_in_the_approximation(n: int, monkeypatch: pytest.MonkeyPatch):
    """Vectors of small classes, equal on ever more sizes: what is left of the index would vanish in its error."""
    rng = np.random.default_rng(n)
    seen = set()
    for most in (4, 8, 20, 60, 300, 1_500):
        sizes = sorted(rng.integers(1, most, n // most).tolist())
        sizes.append(n - sum(sizes))
        for i in {0, 1, len(sizes) // 2, len(sizes) - 2}:
            better = anonymity_vector([*sizes[:i], sizes[i] + sizes[-1], *sizes[i + 1 : -1]])
            vectors = better, anonymity_vector(sizes), anonymity_vector([n])
            found = improvement(*vectors)
            with monkeypatch.context() as patch:
                patch.setattr(index_module, "EXACT_LIMIT", n)
                exact = improvement(*vectors)
            assert found == pytest.approx(exact, rel=1e-6 if exact > 1e-12 else 0.05)
            assert improvement(vectors[1], vectors[0], vectors[2]) == -found
            seen.add(math.floor(math.log10(exact)))
    assert min(seen) < -20 and max(seen) > -4


def test_improvement_of_many_people():
    """Half a million pairs are the worst vector with nobody alone; with one pair parted, the worst with at most two."""
    pairs = 500_000
    base = anonymity_vector([2 * pairs])
    all_pairs = AnonymityVector(np.array([2]), np.array([pairs]))
    parted = AnonymityVector(np.array([1, 2]), np.array([2, pairs - 1]))
    # Taking one person who is alone away shows that p(N - 1) vectors have at least one, and p(N - 3) at least three.
    p = [number_of_vectors(2 * pairs - alone) for alone in range(4)]
    assert improvement(base, all_pairs, base) == pytest.approx((p[0] - p[1]) / p[0], rel=1e-8)
    assert improvement(base, parted, base) == pytest.approx((p[0] - p[3]) / p[0], rel=1e-8)
    assert improvement(all_pairs, parted, base) == pytest.approx((p[1] - p[3]) / p[0], rel=1e-8)
    assert improvement(all_pairs, all_pairs, base) == 0


def test_vectors_that_do_not_go_together():
    with pytest.raises(InputError, match="15, 15 and 14 records"):
        improvement(vector(9, 3), vector(9, 3), vector(0, 7))
    with refused("vectors-not-comparable"):
        improvement(vector(0, 1, 0, 2, 1), vector(9, 3), vector(2, 3, 1, 1))


# The paper


def test_the_vector_of_section_5_1():
    """P1 to P3: (5,2,2,0,0) is (5,2,2), of 15 people in nine groups, with k = 1."""
    v = vector(5, 2, 2, 0, 0)
    assert v == vector(5, 2, 2)
    assert (v.n_records, v.k, sum(v.classes.tolist()), max(v.sizes.tolist())) == (15, 1, 9, 3)


def test_the_partitions_of_four():
    """Section 5.2: the vectors of four people, from best to worst."""
    listed = [vector(0, 0, 0, 1), vector(1, 0, 1), vector(0, 2), vector(2, 1), vector(4)]
    assert sorted(lexicographic_index(v) for v in listed) == list(range(5))
    assert [lexicographic_index(v) for v in listed] == [4, 2, 3, 1, 0]


def test_table_5():
    """The four tables from worst to best, and where they stand among the 22 vectors of eight people."""
    a, b, c, d = vector(3, 0, 0, 0, 1), vector(2, 0, 0, 0, 0, 1), vector(1, 1, 0, 0, 1), vector(1, 0, 1, 1)
    assert d < c < b < a
    assert [lexicographic_index(v) for v in (a, b, c, d)] == [6, 10, 12, 13]
    assert number_of_vectors(8) == 22


@pytest.mark.parametrize("n", [1, 2, 4, 15, 5_000])
def test_the_best_vector_is_one_class_and_has_index_p_minus_one(n: int):
    """Section 5.3 prints p(N), though it counts from 0, and says of (0, ..., 0, 1) that all values are different."""
    best = anonymity_vector(np.bincount(np.zeros(n, np.int64)))
    assert (best.sizes.tolist(), best.classes.tolist()) == ([n], [1])
    assert lexicographic_index(vector(n)) == 0
    assert lexicographic_index(best) == number_of_vectors(n) - 1


def test_the_error_of_hardy_and_ramanujan_s_formula():
    """Section 5.2 says below 0.3% from 5,000 on; it is so from 21,923 on."""

    def error(n: int) -> float:
        return math.exp(math.pi * math.sqrt(2 * n / 3) - math.log(4 * n * math.sqrt(3) * number_of_vectors(n))) - 1

    assert error(5_000) == pytest.approx(0.0063, abs=5e-5)
    assert error(21_922) > 0.003 > error(21_923)


def test_the_running_example():
    """Section 8 takes the random schedule first, v1 - v2: then its heuristic would make anonymity worse."""
    base, table_3, heuristic, optimum = vector(0, 1, 0, 2, 1), vector(9, 3), vector(2, 3, 1, 1), vector(0, 2, 1, 2)
    assert number_of_vectors(15) == 176
    assert [lexicographic_index(v) for v in (table_3, heuristic, optimum, base)] == [7, 79, 144, 154]
    assert improvement(heuristic, table_3, base) == 72 / 154
    assert improvement(table_3, heuristic, base) < 0
