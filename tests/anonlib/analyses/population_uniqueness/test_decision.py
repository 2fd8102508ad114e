"""Who is alone in the population: each estimator against its definition written out, and against known populations."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, lgamma, log, prod
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binom, nbinom

from anonlib.analyses.population_uniqueness import (
    PopulationUniqueness,
    counted_uniques,
    estimators,
    population_uniqueness,
)
from anonlib.analyses.population_uniqueness.decision import METHODS
from anonlib.analyses.population_uniqueness.measured import MEASURED, measured_near
from anonlib.basics.errors import InputError
from anonlib.basics.words import percent
from anonlib.counting.classes import AnonymityVector, ClassTable
from anonlib.counting.classes.vector import anonymity_vector
from anonlib.reading.samples import SAMPLES
from anonlib.reading.sources import open_source
from tests.helpers.errors import refused
from tests.helpers.examples import settings

ROOT = Path(__file__).resolve().parents[4]
SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=12)
WITH_ALONE = st.builds(lambda alone, others: [1] * alone + others, st.integers(1, 8), SIZES)
MORE_PEOPLE = st.sampled_from([1, 2, 5, 30, 400, 10**6])


def expected(found: PopulationUniqueness, method: str) -> float | None:
    return next(each.uniques for each in found.estimates if each.method == method)


# ---- Zayatz ----------------------------------------------------------------------------------------------------------


@settings(200)
@given(WITH_ALONE, st.integers(0, 60))
def test_zayatz_is_bayes_rule_over_hypergeometric_draws(sizes, more):
    n, people = sum(sizes), sum(sizes) + more

    def once(size: int) -> Fraction:
        return Fraction(size * comb(people - size, n - 1), comb(people, n))

    alone = sizes.count(1)
    share = alone * once(1) / sum(once(size) for size in sizes)
    assert estimators.share_alone(anonymity_vector(sizes), people) == pytest.approx(float(share), rel=1e-9)
    found = population_uniqueness(anonymity_vector(sizes), people)
    assert expected(found, "Zayatz") == pytest.approx(float(alone * share * Fraction(people, n)), rel=1e-9)


# ---- Pitman ----------------------------------------------------------------------------------------------------------


def log_likelihood(sizes: list[int], theta: float, alpha: float) -> float:
    """Pitman's sampling formula without what the parameters do not change, a factor at a time."""
    total = sum(log(theta + i * alpha) for i in range(1, len(sizes)))
    total -= sum(log(theta + i) for i in range(1, sum(sizes)))
    return total + sum(log(i - alpha) for size in sizes for i in range(1, size))


@settings(100)
@given(WITH_ALONE)
def test_no_parameters_are_likelier_than_pitmans_fit(sizes):
    fit = estimators.fit_pitman(anonymity_vector(sizes))
    if fit is None:
        assert len(sizes) == 1 or max(sizes) == 1
        return
    theta, alpha = fit
    assert 0 <= alpha < 1 and theta > -alpha
    best = log_likelihood(sizes, theta, alpha)
    for other in np.linspace(0, 0.98, 15):
        for above in np.geomspace(1e-3, 1e5, 25):
            assert log_likelihood(sizes, above - other, other) <= best + 1e-7
    for near in (theta * (1 + 1e-3) + 1e-3, theta * (1 - 1e-3)):
        assert near <= -alpha or log_likelihood(sizes, near, alpha) <= best + 1e-9


@settings(100)
@given(st.floats(0, 0.95), st.floats(0.01, 300), st.integers(1, 60))
def test_pitman_expects_as_many_alone_as_its_seating_plan(alpha, above, people):
    """A person joins a group of ``size`` with a chance of ``size - alpha``; who is alone stays so with the rest."""
    theta = above - alpha
    alone = people * prod((theta + alpha + m - 1) / (theta + m) for m in range(1, people))
    assert estimators.expected_alone_by_pitman(theta, alpha, people) == pytest.approx(alone, rel=1e-9)


def test_pitmans_expectation_has_the_printed_limit():
    theta, alpha, people = 40.0, 0.4, 10**9
    printed = exp(lgamma(theta + 1) - lgamma(theta + alpha)) * people**alpha
    assert estimators.expected_alone_by_pitman(theta, alpha, people) == pytest.approx(printed, rel=1e-6)


@settings(100)
@given(st.floats(0.01, 1e6), st.integers(0, 300))
def test_sums_of_reciprocals_keep_their_digits(start, terms):
    assert estimators.reciprocals(start, terms) == pytest.approx(sum(1 / (start + i) for i in range(terms)), rel=1e-10)


# ---- the slide negative binomial -------------------------------------------------------------------------------------


def in_sample(size: int, alpha: float, beta: float, f: float) -> float:
    """The probability that a class has ``size`` records, summed over the sizes it may have in the population."""
    people = np.arange(1, 100 + int(40 * (1 + alpha) / beta))
    return float(nbinom.pmf(people - 1, alpha, beta) @ binom.pmf(size, people, f))


@settings(60)
@given(WITH_ALONE, MORE_PEOPLE)
def test_the_slide_negative_binomial_has_the_files_classes_of_one_and_of_two(sizes, times):
    vector = anonymity_vector([*sizes, 2])
    people = vector.n_records * times + 3
    fit = estimators.fit_negative_binomial(vector, people)
    if fit is None:
        return
    classes, alpha, beta = fit
    assert alpha > 0 and 0 < beta < 1 and classes == estimators.expected_classes(vector, people)
    assume(40 * (1 + alpha) / beta < 500_000)  # terms of the sum
    f = vector.n_records / people
    assert classes * in_sample(1, alpha, beta, f) == pytest.approx(vector.people_below(2), rel=1e-6)
    twice = (vector.people_below(3) - vector.people_below(2)) / 2
    assert classes * in_sample(2, alpha, beta, f) == pytest.approx(twice, rel=1e-6)
    assert estimators.expected_alone_by_negative_binomial(*fit) == pytest.approx(
        classes * in_sample(1, alpha, beta, 1.0), rel=1e-6
    )


def test_without_pairs_or_with_too_few_classes_there_is_no_solution():
    assert estimators.fit_negative_binomial(anonymity_vector([1, 1, 3]), 100) is None
    found = population_uniqueness(anonymity_vector([1, 1, 3]), 20)
    assert expected(found, "SNB") is None and found.used.method == "Zayatz" and "no solution" in found.why


@settings(100)
@given(WITH_ALONE, MORE_PEOPLE)
def test_shlossers_estimate_is_its_formula_and_lies_between_the_files_classes_and_the_people(sizes, times):
    n, people = sum(sizes), sum(sizes) * times + 1
    f = n / people
    unseen = sum((1 - f) ** size for size in sizes)
    once = sum(size * f * (1 - f) ** (size - 1) for size in sizes)
    classes = estimators.expected_classes(anonymity_vector(sizes), people)
    assert classes == pytest.approx(len(sizes) + sizes.count(1) * unseen / once, rel=1e-9)
    assert len(sizes) <= classes <= people * (1 + 1e-9)


# ---- the decision ----------------------------------------------------------------------------------------------------


@settings(200)
@given(SIZES, st.booleans(), MORE_PEOPLE)
def test_every_estimate_keeps_its_bounds_the_range_holds_all_and_the_rule_chooses_one(sizes, alone, times):
    sizes = [*sizes, 1] if alone else [size + 1 for size in sizes]
    vector = anonymity_vector(sizes)
    found = population_uniqueness(vector, vector.n_records * times)
    f = found.fraction
    assert found.alone == sizes.count(1) and [each.method for each in found.estimates] == list(METHODS)
    for each in found.estimates:
        assert each.solved == (each.share is not None) == (not each.why_none)
        if each.uniques is not None and each.share is not None:
            assert 0 <= each.uniques <= found.alone / f * (1 + 1e-9) and 0 <= each.share <= 1
            assert each.share * found.alone == pytest.approx(each.uniques * f)
    of_pitman, of_zayatz, of_snb = found.estimates
    if found.exact:
        assert {(each.uniques, each.share) for each in found.estimates} == {(found.alone, float(found.alone > 0))}
    elif f <= 0.1:
        assert found.used is (of_pitman if of_pitman.solved else of_zayatz)
    else:
        assert found.used.uniques == min(each.uniques for each in (of_zayatz, of_snb) if each.uniques is not None)
    ranked, shares = found.to_frame(), [each.share for each in found.estimates if each.share is not None]
    assert (found.highest.share, found.lowest.share) == (max(shares), min(shares))
    assert sorted(ranked["method"]) == sorted(METHODS) and ranked["used"].sum() == 1
    assert ranked["share"].dropna().tolist() == sorted(shares, reverse=True), "the highest first"
    assert ranked["share"].iloc[: len(shares)].notna().all(), "what has no solution comes last"
    assert found.says("persons").endswith(".") and "nan" not in found.says()
    if not found.exact:
        for end in (found.highest, found.lowest):
            assert f"({percent(end.share)}) by {end.source}" in found.says()


def test_what_is_stated():
    nobody = population_uniqueness(anonymity_vector([2, 3]), 1000)
    assert nobody.exact and nobody.says() == "Nobody is alone in the file, so nobody in it is alone in the population."
    everybody = population_uniqueness(anonymity_vector([1, 1, 3]), 5)
    assert everybody.says() == "Everybody is in the file: the 2 records alone in it are alone in the population."
    some = population_uniqueness(anonymity_vector([1] * 40 + [2] * 10 + [5] * 8), 2000)
    assert some.says("persons").startswith("Of the 40 persons alone in the file, about ")
    assert "among all 2,000 people. The rule of Dankar et al. 2012 would take Pitman’s, because the file" in some.says()
    assert some.says().index(some.highest.source) < some.says().index("highest") < some.says().index("lowest")
    for each, source in zip(some.estimates, ("Hoshino 2001", "1991", "Chen and McNulty 1998"), strict=True):
        assert source in each.source and each.method in each.source
    one = population_uniqueness(anonymity_vector([1, 1, 1]), 300)
    assert "about 3 (100%) by Zayatz (1991) are expected" in one.says() and "the one estimate" in one.says()


# ---- how wrong they have been ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fraction, expected",
    [(1e-6, 0.001), (0.0011, 0.001), (0.0016, 0.002), (0.009, 0.01), (0.03, 0.02), (0.15, 0.2), (0.99, 0.5)],
)
def test_what_is_stated_of_the_estimates_is_of_the_nearest_fraction(fraction, expected):
    assert measured_near(fraction).fraction == expected
    sizes = [1] * 40 + [2] * 10 + [5] * 8
    found = population_uniqueness(anonymity_vector(sizes), round(sum(sizes) / expected))
    assert found.says_how_wrong == measured_near(expected).in_words() and found.says_how_wrong.endswith(".")
    assert f"samples of {percent(expected)} of the people" in found.says_how_wrong


def test_where_no_estimator_is_sound_that_is_stated():
    for each in MEASURED:
        sound = [
            method for method, times in each.by_method.items()
            if times.least >= 0.5 and times.most <= 2 and times.solved == each.populations
        ]  # fmt: skip
        assert list(each.sound) == sound
        assert ("None of them is sound" in each.in_words()) == (not sound)
        assert all(
            f"{method}’s was {times.in_words} times" in each.in_words() for method, times in each.by_method.items()
        )
    assert not measured_near(0.005).sound and measured_near(0.5).sound
    for exact in ([2, 3], [1, 1, 3]):
        assert population_uniqueness(anonymity_vector(exact), 5).says_how_wrong == "", "nothing is estimated"


def test_what_is_stated_is_what_the_benchmark_found():
    """docs/benchmarks.md has the table as it was measured; the code says the same numbers."""
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    lines = text[text.index("| sampled | populations | Pitman") :].split("\n\n")[0].splitlines()[2:]
    written = []
    for each in MEASURED:
        texts = [
            times.in_words + ("" if times.solved == each.populations else f" ({times.solved} of {each.populations})")
            for times in (*(each.by_method[method] for method in METHODS), each.highest)
        ]
        written.append([f"{100 * each.fraction:g}%", str(each.populations), *texts])
    assert [[cell.strip() for cell in line.strip("|").split("|")][:-1] for line in lines] == written


@pytest.mark.parametrize("fraction", [0.005, 0.05])
def test_on_a_common_core_with_rare_cells_the_estimates_are_as_wrong_as_is_stated(fraction):
    """Nine of ten people in cells that are much alike: Pitman's is half of the truth, and is what the rule takes."""
    rng = np.random.default_rng(8)
    core, rare = rng.lognormal(0, 0.6, 15_000), rng.lognormal(0, 2, 150_000)
    cells = rng.multinomial(1_000_000, np.concatenate([0.9 * core / core.sum(), 0.1 * rare / rare.sum()]))
    mean = mean_shares(cells[cells > 0], fraction, 3, rng)
    assert mean["used"] == mean["Pitman"] < 0.75 * mean["truth"]
    for method, times in measured_near(fraction).by_method.items():
        if not np.isnan(mean[method]):
            assert 0.9 * times.least <= mean[method] / mean["truth"] <= 1.1 * times.most, method


def test_a_file_of_nobody_has_nobody_alone():
    found = population_uniqueness(anonymity_vector([]), 0)
    assert (found.alone, found.expected(found.highest), found.fraction) == (0, 0.0, 0.0)


@pytest.mark.parametrize("people", [4, 0, -1, 7.5, "many", None, True])
def test_a_population_smaller_than_the_file_or_no_number_is_refused(people):
    with pytest.raises(InputError, match=r"whole population|whole number"):
        population_uniqueness(anonymity_vector([1, 1, 3]), people)


# ---- against populations that are known ------------------------------------------------------------------------------


def seated(theta: float, alpha: float, people: int, rng: np.random.Generator) -> np.ndarray:
    """A population of Pitman's law, seated one by one."""
    groups: list[int] = []
    of_person = np.empty(people, dtype=np.int64)
    for m in range(people):
        joins = rng.random() * (theta + m)
        if joins < theta + alpha * len(groups):
            groups.append(1)
            of_person[m] = len(groups) - 1
        else:  # like somebody drawn at random, whose group takes another with a chance of size - alpha
            while True:
                group = of_person[rng.integers(m)]
                if rng.random() * groups[group] < groups[group] - alpha:
                    break
            groups[group] += 1
            of_person[m] = group
    return np.array(groups)


def mean_shares(cells: np.ndarray, fraction: float, draws: int, rng: np.random.Generator) -> dict[str, float]:
    """Over samples: the share of those alone in the sample who are alone in the population, and each estimate of it."""
    people, rows = int(cells.sum()), []
    for _ in range(draws):
        sample = rng.multivariate_hypergeometric(cells, round(fraction * people), method="marginals")
        found = population_uniqueness(anonymity_vector(sample), people)
        rows.append(
            {
                "truth": (cells[sample == 1] == 1).mean(),
                **{each.method: each.share for each in found.estimates},
                "used": found.used.share,
            }
        )
    return pd.DataFrame(rows).astype(float).mean().to_dict()


def test_pitman_finds_its_own_law_again():
    rng = np.random.default_rng(4)
    cells = seated(60.0, 0.5, 20_000, rng)
    for fraction in (0.02, 0.1):
        mean = mean_shares(cells, fraction, 15, rng)
        assert mean["Pitman"] == pytest.approx(mean["truth"], rel=0.2) and mean["used"] == mean["Pitman"]


def test_half_of_the_people_leave_little_to_guess():
    rng = np.random.default_rng(5)
    cells = np.bincount(rng.zipf(1.6, 20_000).clip(max=50_000))
    mean = mean_shares(cells[cells > 0], 0.5, 10, rng)
    for method in ("Zayatz", "SNB", "used"):
        assert mean[method] == pytest.approx(mean["truth"], rel=0.1)


def test_on_the_admissions_population_the_estimate_used_is_near_and_zayatzs_far_above_for_few():
    sample = next(each for each in SAMPLES if each.key == "admissions")
    assert sample.population
    path = sample.path.with_name(sample.population)
    frame = open_source(path.read_bytes(), path.name).frame
    cells = ClassTable.from_frame(frame, ["age", "sex", "zip", "race"], "people").counts
    mean = mean_shares(cells, 0.01, 10, np.random.default_rng(6))
    assert mean["used"] == pytest.approx(mean["truth"], abs=0.03) and mean["Zayatz"] > mean["truth"] + 0.5


# ---- counted in a population table -----------------------------------------------------------------------------------

ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("12")), max_size=14)


@settings(150)
@given(ROWS, ROWS)
def test_who_is_alone_in_a_population_table_is_counted_by_what_both_have(rows, people):
    file = ClassTable.from_frame(pd.DataFrame(rows, columns=["one", "two", "three"], dtype=object))
    table = ClassTable.from_frame(pd.DataFrame(people, columns=["two", "other", "one"], dtype=object))
    found = counted_uniques(file, table)
    assert found.attributes == ("one", "two") and found.people == len(people)
    known = [(one, two) for one, two, _ in rows]
    like = [sum((one, two) == (o, t) for t, _, o in people) for one, two in known if known.count((one, two)) == 1]
    assert (found.alone, found.alone_in_population, found.unmatched) == (len(like), like.count(1), like.count(0))
    assert 0 <= found.share <= 1


def test_a_table_without_any_of_the_columns_is_refused_in_a_sentence():
    file, table = (ClassTable.from_frame(pd.DataFrame({name: ["1"]})) for name in ("age", "colour"))
    with refused("population-lacks-columns"):
        counted_uniques(file, table)


def test_large_numbers_keep_their_digits():
    """Ten billion people and classes of many sizes: bounds hold, and Zayatz's share agrees with the plain product."""
    rng = np.random.default_rng(3)
    vector: AnonymityVector = anonymity_vector(rng.zipf(1.5, 50_000).clip(max=100_000))
    people = 10**10
    found = population_uniqueness(vector, people)
    assert all(each.share is None or 0 <= each.share <= 1 for each in found.estimates)
    n = vector.n_records
    once = []
    for size in (2, 50, 400):
        others = sum(log((people - n + 1 - m) / (people - m)) for m in range(1, size))
        once.append(size * exp(others))
    logs = estimators._log_drawn_once(np.array([2, 50, 400]), n, people)
    assert np.exp(logs) == pytest.approx(once, rel=1e-9)
