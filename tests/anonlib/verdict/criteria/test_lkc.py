"""LKC-privacy and k^m-anonymity, clause by clause.

The tables are made by hand for these tests and are not the papers' own. What is taken from the papers is their
definitions: LKC-privacy (Mohammed, Fung, Hung and Lee, KDD 2009) and k^m-anonymity (Terrovitis, Mamoulis and Kalnis,
VLDB 2008).
"""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.dataset import Dataset
from anonlib.release.steps import DropColumns
from anonlib.verdict.criteria import Case, Combinations, Inference, SmallestClass, State
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, SENSITIVE
from tests.helpers.verdicts import case_with

PATIENTS = [
    ("cook", "F", "30s", "cold"), ("cook", "F", "30s", "HIV"), ("cook", "M", "30s", "cold"),
    ("cook", "M", "40s", "cold"), ("nurse", "F", "40s", "HIV"), ("nurse", "F", "40s", "cold"),
    ("nurse", "M", "30s", "cold"), ("nurse", "M", "40s", "HIV"),
]  # fmt: skip
HAIR = 1e-9  # LKC allows a confidence of C exactly, and a value that is certain for 1 - p exactly counts as certain


def case_of(frame: pd.DataFrame, sensitive: str, harmless: tuple[str, ...] = (), *steps) -> Case:
    data = Dataset.from_frame(frame, roles=dict.fromkeys(frame.columns, QI) | {sensitive: SENSITIVE})
    return case_with(data, *steps, harmless={sensitive: harmless})


def patients(*steps) -> Case:
    """HIV is what nobody is to learn."""
    return case_of(pd.DataFrame(PATIENTS, columns=["job", "sex", "age", "ill"]), "ill", ("cold",), *steps)


def is_lkc(case: Case, known: int, least: int, confidence: float) -> bool:
    """As criteria: K of any combination, C of any inference, and no share that may violate."""
    shared = Combinations(known, least, 0.0).check(case)
    unsure = confidence == 1 or Inference(known, 1 - confidence - HAIR, 0.0).check(case).is_met
    assert shared.state is not State.UNKNOWN
    return shared.is_met and unsure


@pytest.mark.parametrize(
    ("known", "least", "confidence", "holds"),
    [
        (1, 4, 1.0, True), (1, 5, 1.0, False),  # each job, sex and age is that of four
        (2, 1, 1.0, True), (2, 2, 1.0, False),  # one cook is in the forties, one nurse in the thirties
        (1, 1, 0.5, True), (1, 1, 0.49, False),  # two of four nurses
        (2, 1, 0.67, True), (2, 1, 0.66, False),  # two of three nurses in the forties
        (3, 1, 1.0, True), (3, 1, 0.99, False),  # one nurse is known by all three facts
    ],
)  # fmt: skip
def test_what_somebody_who_knows_so_many_facts_finds(known, least, confidence, holds):
    assert is_lkc(patients(), known, least, confidence) == holds


def test_the_facts_that_give_away_are_named_and_dropping_one_of_them_does():
    small, sure = Combinations(2, 2, 0.0).check(patients()), Inference(2, 0.5 - HAIR, 0.0).check(patients())
    assert (small.persons, small.worst) == (2, (("job and age", 2),))
    assert (sure.persons, sure.worst) == (2, (("job and age", 2),)), "two of the three with HIV"
    without = patients(DropColumns(("age",)))
    assert is_lkc(without, 2, 2, 0.5) and not is_lkc(without, 2, 3, 0.5) and not is_lkc(without, 2, 2, 0.49)


def test_only_sensitive_values_count():
    """Five of eight have a cold: who may be certain of that is asked for by what is called harmless."""
    assert not is_lkc(case_of(pd.DataFrame(PATIENTS, columns=["job", "sex", "age", "ill"]), "ill"), 1, 1, 0.5)


def lkc(rows: list[slow.Row], known: int, least: int, confidence: float, harmless: tuple[str, ...]) -> bool:
    """The definition: of every combination of 1 to L values that occurs, the records and each sensitive value's share.

    A missing sensitive value is nothing to learn.
    """
    for size in range(1, known + 1):
        for columns in combinations(slow.KNOWN, size):
            for i in range(len(rows)):
                peers = slow.alike(rows, i, columns)
                values = [rows[j]["s"] for j in peers]
                shares = [values.count(v) / len(peers) for v in set(values) - {None, *harmless}]
                if len(peers) < least or max(shares, default=0) > confidence:
                    return False
    return True


@settings(max_examples=100)
@given(slow.rows(least=2, names=(*slow.KNOWN, "s")), st.integers(1, 3), st.integers(2, 3),
       st.sampled_from([0.25, 1 / 3, 0.5, 0.75, 1.0]), st.sampled_from([(), ("g0",)]))  # fmt: skip
def test_lkc_privacy_by_its_definition(rows, known, least, confidence, harmless):
    """Also that who knows nothing decides nothing here: a value's share is as large in one of the groups."""
    case = case_of(pd.DataFrame(rows, dtype=object), "s", harmless)
    assert is_lkc(case, known, least, confidence) == lkc(rows, known, least, confidence, harmless)
    if is_lkc(case, 3, least, 1.0):
        assert SmallestClass(least).check(case).is_met, "k-anonymity: all facts known, any confidence"
    if is_lkc(case, known, least, confidence):
        assert is_lkc(case, max(1, known - 1), least - 1 or 1, min(1.0, confidence + 0.1)), "and whatever asks for less"


# --- k^m-anonymity --------------------------------------------------------------------------------------------------

ITEMS = ("tea", "milk", "rice", "salt")


def is_km(baskets: list[set[str]], k: int, m: int) -> bool:
    """The definition: at most m items, known to be in a basket, are in none or in at least k."""
    found = (
        sum(set(some) <= basket for basket in baskets) for size in range(1, m + 1) for some in combinations(ITEMS, size)
    )
    return all(n == 0 or n >= k for n in found)


def combinations_of(baskets: list[set[str]], k: int, m: int) -> bool:
    frame = pd.DataFrame([{item: "in" if item in basket else "out" for item in ITEMS} for basket in baskets])
    data = Dataset.from_frame(frame, roles=dict.fromkeys(ITEMS, QI))
    return Combinations(m, k, 0.0).check(case_with(data)).is_met


@settings(max_examples=100)
@given(st.lists(st.sets(st.sampled_from(ITEMS)), min_size=2, max_size=9), st.integers(2, 3), st.integers(1, 3))
def test_a_column_an_item_asks_for_no_less_than_km_anonymity(baskets, k, m):
    if combinations_of(baskets, k, m):
        assert is_km(baskets, k, m)


def test_that_an_item_is_not_in_a_basket_is_a_fact_too():
    """Each item is in two baskets or more, and one basket alone lacks tea: k^m asks what is in, a column both."""
    baskets = [{"tea", "milk"}, {"tea", "milk"}, {"milk"}]
    assert is_km(baskets, 2, 2) and not combinations_of(baskets, 2, 1)
    assert not is_km([*baskets, {"rice"}], 2, 1) and is_km([*baskets, {"rice"}, {"rice"}], 2, 2)
