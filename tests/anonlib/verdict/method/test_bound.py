"""The greatest probability that a value can reach, recounted in plain Python from the records that leave."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.coarsening.hierarchies import from_labels
from anonlib.counting.privacy_models import ALL, AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally
from anonlib.verdict.method import Method, coins_of, greatest_share, method_findings, not_sensitive
from anonlib.verdict.method.bound import labels_of_two_groups
from tests.helpers.examples import settings

VALUES = [f"a{i}" for i in range(6)]
LADDER = from_labels(VALUES, [[f"a{i // 3}x" for i in range(6)]], top=True)


def made(seed: int, n: int, rows: int = 1) -> Dataset:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "id": np.repeat(np.arange(n), rows).astype(str),
            "a": rng.choice(VALUES, n * rows),
            "b": rng.choice(VALUES[:3], n * rows),
            "ill": rng.choice(["flu", "HIV", "none"], n * rows, p=[0.3, 0.2, 0.5]),
        }
    )
    roles = {"a": "quasi_identifier", "b": "quasi_identifier", "ill": "sensitive"}
    if rows > 1:
        roles["id"] = "person_id"
    return Dataset.from_frame(frame, roles=roles)


def step_of(rows_known=None, harmless: tuple[str, ...] = (), budget: int = 3) -> GeneralizeLocally:
    more = {} if rows_known is None else {"rows": rows_known}
    asked = (
        KAnonymity(columns=("a", "b"), least=3, **more),
        AttributeDisclosure(columns=("a", "b"), sensitive="ill", harmless=harmless, **more),
    )
    return GeneralizeLocally((("a", LADDER), ("b", LADDER)), asked, 0.0, coin=Coin(0.2, budget))


@settings(150)
@given(st.integers(0, 10_000), st.integers(6, 60), st.sampled_from([(), ("none",)]))
def test_of_records_it_is_that_of_the_greatest_share_in_a_class(seed, n, harmless):
    data, step = made(seed, n), step_of(harmless=harmless)
    recipe = Recipe.of([step])
    applied = recipe.apply(data)
    if applied.problems:
        return
    method = Method(step.guarantees, dict(step.hierarchies), harmless={"ill": harmless})
    released = (
        applied.released.held.to_frame() if hasattr(applied.released.held, "to_frame") else applied.released.frame
    )
    of_class = defaultdict(Counter)
    for labels_a, labels_b, ill in zip(released["a"], released["b"], released["ill"], strict=True):
        of_class[labels_a, labels_b][ill] += 1
    shares = [
        number / counts.total() for counts in of_class.values() for ill, number in counts.items() if ill not in harmless
    ]
    share = max(shares, default=0.0)
    assert greatest_share(applied, recipe, method) == pytest.approx(share)
    findings = method_findings(applied, recipe, method)
    rho = (1 / 0.2) ** 3
    assert (findings.forced, findings.uncertified, findings.safe) == (0, 0, len(released))
    assert findings.greatest == pytest.approx(share * rho / (share * rho + 1 - share))
    assert findings.greatest < 1


@settings(60)
@given(st.integers(0, 10_000), st.integers(8, 40))
def test_of_persons_by_all_of_their_rows(seed, n):
    data, step = made(seed, n, rows=2), step_of(ALL)
    recipe = Recipe.of([step])
    applied = recipe.apply(data)
    if applied.problems or not applied.released.n_records:
        return
    method = Method(step.guarantees, dict(step.hierarchies))
    released = applied.released.frame
    persons = defaultdict(list)
    for row in released[["id", "a", "b", "ill"]].itertuples(index=False):
        persons[row.id].append((row.a, row.b, row.ill))
    of_class, size = defaultdict(Counter), Counter()
    for rows in persons.values():
        labels = tuple(sorted(row[:2] for row in rows))
        size[labels] += 1
        of_class[labels].update({row[2] for row in rows})
    share = max(number / size[labels] for labels, counts in of_class.items() for number in counts.values())
    assert greatest_share(applied, recipe, method) == pytest.approx(share)
    assert method_findings(applied, recipe, method).greatest is not None


def test_of_a_label_that_stands_for_two_groups_all_but_one_count_as_alike():
    ladder = from_labels(["p", "q", "r"], [["p", "rest", "rest"], ["p", "p", "p"]], top=False)
    frame = pd.DataFrame({"a": list("ppppqqqrrr"), "ill": ["flu", "gout"] * 5})
    data = Dataset.from_frame(frame, roles={"a": "quasi_identifier", "ill": "sensitive"})
    asked = (KAnonymity(columns=("a",), least=2), AttributeDisclosure(columns=("a",), sensitive="ill"))
    step = GeneralizeLocally((("a", ladder),), asked, 0.0, coin=Coin(0.001, 1))
    recipe = Recipe.of([step])
    assert labels_of_two_groups(data, recipe) == {"a": {"p"}}
    applied = recipe.apply(data)
    assert set(applied.released.frame["a"]) == {"p", "q", "r"}
    assert greatest_share(applied, recipe, Method(asked)) == 3 / 4


def test_a_later_step_by_hand_joins_parts_of_which_all_but_one_count_as_alike():
    """Joined, seven in ten have flu, and of one of the two parts nine in ten."""
    frame = pd.DataFrame({"a": ["p"] * 10 + ["q"] * 10, "ill": ["flu"] * 9 + ["gout"] * 6 + ["flu"] * 5})
    data = Dataset.from_frame(frame, roles={"a": "quasi_identifier", "ill": "sensitive"})
    asked = (KAnonymity(columns=("a",), least=2), AttributeDisclosure(columns=("a",), sensitive="ill"))
    step = GeneralizeLocally((("a", from_labels(["p", "q"], [], top=True)),), asked, 0.0, coin=Coin(0.001, 1))
    alone, joined = Recipe.of([step]), Recipe.of([step, DropColumns(("a",))])
    assert greatest_share(alone.apply(data), alone, Method(asked)) == 9 / 10
    assert greatest_share(joined.apply(data), joined, Method(asked)) == 19 / 20


def test_a_coin_bounds_nothing_where_another_sensitive_column_is_known():
    frame = pd.DataFrame({"a": list("ppqq") * 5, "ill": ["flu", "gout"] * 10, "drug": ["x", "x", "y", "y"] * 5})
    roles = {"a": "quasi_identifier", "ill": "sensitive", "drug": "sensitive"}
    data = Dataset.from_frame(frame, roles=roles)
    ladder = (("a", from_labels(["p", "q"], [], top=True)),)
    of_known, of_both = (
        Recipe.of([GeneralizeLocally(ladder, (AttributeDisclosure(columns=known, sensitive="ill"),), 0.5, coin=Coin())])
        for known in (("a",), ("a", "drug"))
    )
    assert coins_of(of_known, not_sensitive(data)) == (Coin(),)
    assert coins_of(of_both, not_sensitive(data)) is None
