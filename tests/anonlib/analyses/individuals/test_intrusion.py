"""How likely a match is right: DIS against its formula and a simulated intruder, and DIS-SUDA against suda2's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.individuals import correct_match, intrusion, singling_out
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.vector import anonymity_vector
from tests.helpers.errors import refused
from tests.helpers.examples import settings

SIZES = st.lists(st.integers(1, 4), max_size=12)


def random_table(seed: int, rows: int = 40, columns: int = 4) -> ClassTable:
    rng = np.random.default_rng(seed)
    return ClassTable.from_frame(
        pd.DataFrame({f"c{j}": rng.integers(0, 3 + j, rows).astype(str) for j in range(columns)})
    )


@settings(150)
@given(SIZES, st.integers(0, 500))
def test_the_probability_of_the_file_is_its_formula(sizes, more):
    people = sum(sizes) + more
    found = correct_match(anonymity_vector(sizes), people)
    alone, of_pairs = sizes.count(1), 2 * sizes.count(2)
    f = sum(sizes) / people if people else 0
    assert found == pytest.approx(alone * f / (alone * f + of_pairs * (1 - f)) if alone else 0)
    assert 0 <= found <= 1 and (not alone or more or found == 1)


def test_the_probability_is_that_of_an_intruder_who_looks_everybody_up():
    """Of the people who match one record alone, over many samples, so many are the one in it."""
    rng = np.random.default_rng(8)
    cells = np.bincount(rng.zipf(1.5, 4000).clip(max=3000))
    right = matches = 0
    message = []
    for _ in range(200):
        sample = rng.multivariate_hypergeometric(cells, 800, method="marginals")
        right += int((sample == 1).sum())
        matches += int(cells[sample == 1].sum())
        message.append(correct_match(anonymity_vector(sample), int(cells.sum())))
    assert np.mean(message) == pytest.approx(right / matches, rel=0.03)


@pytest.mark.parametrize("columns", [1, 3, 5, 9])
def test_a_records_probability_is_that_of_suda2(columns):
    classes = random_table(columns, columns=columns)
    found = singling_out(classes, max_size=columns)
    people = 4 * classes.n_records
    matched = intrusion(classes, found, people)
    assert matched.of_file == correct_match(classes.anonymity_vector, people)
    scores = found.score[found.score > 0]
    power = 1 + (8 - columns) / 20
    adjusted, many = sum(1 / score**power for score in scores), len(scores)
    for score, chance in zip(found.score, matched.of_row, strict=True):
        if score:
            odds = many / matched.of_file - many
            assert chance == pytest.approx(1 / (1 + odds / (score**power * adjusted)))
        else:
            assert np.isnan(chance)


@settings(40)
@given(st.integers(0, 10**6), st.integers(1, 3), st.sampled_from([0, 1, 20, 5000]))
def test_a_higher_score_is_a_higher_probability_and_their_harmonic_mean_is_the_files(seed, max_size, more):
    classes = random_table(seed)
    found = singling_out(classes, max_size=max_size)
    matched = intrusion(classes, found, classes.n_records + more)
    some = ~np.isnan(matched.of_row)
    assert (some == (found.score > 0)).all()
    assert ((matched.of_row[some] >= 0) & (matched.of_row[some] <= 1)).all()
    order = np.argsort(found.score[some])
    assert (np.diff(matched.of_row[some][order]) >= -1e-12).all()
    if some.any():
        assert 1 / np.mean(1 / matched.of_row[some]) == pytest.approx(matched.of_file)
    of_record = matched.records()
    assert len(of_record) == classes.n_records and np.isnan(of_record).sum() == classes.n_records - some.sum()


def test_with_very_many_columns_the_score_no_longer_tells_records_apart():
    classes = random_table(2, rows=25, columns=30)
    matched = intrusion(classes, singling_out(classes, max_size=1), 100)
    assert matched.of_row[~np.isnan(matched.of_row)] == pytest.approx(matched.of_file)


def test_what_is_refused():
    classes = random_table(1)
    with refused("population-too-small"):
        correct_match(classes.anonymity_vector, classes.n_records - 1)
    with refused("choices-do-not-fit"):
        intrusion(classes, singling_out(classes, k=3), 1000)


def test_the_published_table_of_the_practice_guide():
    """Benschop, Machingauta and Welch, "Statistical Disclosure Control: A Practice Guide", illustration of DIS-SUDA.

    Ten records that are one in a hundred of the people. Its probabilities follow from the scores of the program's first
    version, 7/4 for one column of four and 1/2 for two, and not from those printed beside them.
    """
    rows = [
        "Urban Female SecondaryIncomplete Employed", "Urban Female SecondaryIncomplete Employed",
        "Urban Female PrimaryIncomplete Non-LF", "Urban Male SecondaryComplete Employed",
        "Rural Female SecondaryComplete Unemployed", "Urban Male SecondaryComplete Employed",
        "Urban Female PrimaryComplete Non-LF", "Urban Male PostSecondary Unemployed",
        "Urban Female SecondaryIncomplete Non-LF", "Urban Female SecondaryIncomplete Non-LF",
    ]  # fmt: skip
    frame = pd.DataFrame([row.split() for row in rows], columns=["residence", "gender", "education", "labour"])
    classes = ClassTable.from_frame(frame)
    found = singling_out(classes, max_size=3)
    assert found.records()["score"].tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    earlier = {0: 0.0, 6: 7 / 4, 10: 7 / 4 + 2 / 2, 12: 7 / 4 + 3 / 2}
    of_earlier = replace(found, score=np.array([earlier[score] for score in found.score]))
    chances = intrusion(classes, of_earlier, 1000).records()
    assert np.nan_to_num(chances).round(4).tolist() == [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]
    chances = intrusion(classes, found, 1000).records()
    assert np.nan_to_num(chances).round(4).tolist() == [0, 0, 0.005, 0, 0.0114, 0, 0.005, 0.0092, 0, 0]
