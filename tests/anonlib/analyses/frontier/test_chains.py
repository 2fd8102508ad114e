"""Risk and loss along chains, against each policy evaluated from its cells."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier import chains
from anonlib.analyses.frontier.chains import along, evaluate_chain
from anonlib.analyses.frontier.evaluation import Plane, evaluate
from anonlib.analyses.frontier.measures import LOSSES, RISKS
from anonlib.analyses.frontier.space import PolicySpace
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.policy_spaces import class_table

PAIRS = list(product(RISKS, LOSSES))


@st.composite
def spaces(draw: st.DrawFn, population: bool | None = None) -> PolicySpace:
    """One to four attributes, up to 60 weighted records, with or without people at values between theirs."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    width, n = draw(st.integers(1, 4)), draw(st.integers(1, 60))
    values = rng.integers(1, draw(st.integers(2, 12)), size=width)
    missing = draw(st.booleans())
    codes = rng.integers(0 if missing else 1, values + 2, size=(n, width)) * [[1, 2, 1, 3][:width]]
    weights = rng.integers(1, draw(st.sampled_from([2, 9])), n)
    people = None
    if draw(st.booleans()) if population is None else population:
        others = rng.integers(0 if missing else 1, values * [2, 4, 3, 3][:width] + 2, size=(2 * n, width))
        people = class_table(np.vstack([codes, others]), np.append(weights, rng.integers(1, 30, 2 * n)))
    return PolicySpace(class_table(codes, weights), people, observed_only=draw(st.booleans()))


def chain_of(space: PolicySpace, rng: np.random.Generator, share: float = 0.8) -> tuple[np.ndarray, np.ndarray]:
    """A policy with about a share of the boundaries, and some of these in an order to take them away."""
    start = rng.random(space.n_bits) < share
    kept = rng.permutation(np.flatnonzero(start))
    return start, kept[: rng.integers(len(kept) + 1)]


def agree(plane: Plane, start: np.ndarray, removed: np.ndarray) -> None:
    policies = along(start, removed)
    risk, loss = evaluate_chain(plane, start, removed)
    wanted = evaluate(plane.space, policies, plane.risk_key, plane.loss_key, plane.k)
    np.testing.assert_allclose(risk, wanted[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(loss, wanted[1], rtol=0, atol=1e-9)


def planes_of(space: PolicySpace, k: int = 5) -> list[Plane]:
    pairs = [pair for pair in PAIRS if space.population is not None or not RISKS[pair[0]].needs_population]
    return [Plane(space, *pair, k) for pair in pairs]


@pytest.mark.slow
@pytest.mark.parametrize("observed_only", [True, False])
@pytest.mark.parametrize("population", [True, False])
def test_every_pair_of_measures_agrees_with_the_plain_evaluation(population: bool, observed_only: bool):
    rng = np.random.default_rng(3)
    codes = rng.integers(0, [4, 6, 3], size=(50, 3)) * 2
    others = rng.integers(0, [8, 12, 6], size=(200, 3))
    people = class_table(np.vstack([codes, others]), np.ones(250, dtype=int)) if population else None
    weights = np.ones(50, dtype=int) if population else rng.integers(1, 4, 50)
    space = PolicySpace(class_table(codes, weights), people, observed_only=observed_only)
    for plane in planes_of(space, k=3):
        agree(plane, space.bottom, rng.permutation(space.n_bits))
        agree(plane, *chain_of(space, rng))


@given(spaces(), st.sampled_from(PAIRS), st.integers(2, 9), st.integers(0, 2**32))
def test_chains_agree_with_the_plain_evaluation(space: PolicySpace, pair: tuple[str, str], k: int, seed: int):
    if RISKS[pair[0]].needs_population and space.population is None:
        pair = ("population", pair[1])
    rng = np.random.default_rng(seed)
    plane = Plane(space, *pair, k)
    agree(plane, space.bottom, rng.permutation(space.n_bits))
    agree(plane, *chain_of(space, rng))


@pytest.mark.parametrize(("limit", "slots"), [(2**62, 0), (1, 8)], ids=["scattered keys", "keys that may coincide"])
@settings(max_examples=40)
@given(space=spaces(), seed=st.integers(0, 2**32))
def test_spaces_too_large_for_a_slot_a_key_agree(limit: int, slots: int, space: PolicySpace, seed: int):
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chains, "LIMIT", limit)
        patch.setattr(chains, "DIRECT_SLOTS", slots)
        agree(Plane(space), space.bottom, rng.permutation(space.n_bits))
        agree(Plane(space), *chain_of(space, rng))


def test_keys_that_do_coincide_are_distinguished(monkeypatch: pytest.MonkeyPatch):
    """With units of 1 all cells with the same sum of labels have one key."""
    codes = np.array([*product(range(1, 6), repeat=3)])
    space = PolicySpace(class_table(codes, 1 + codes.sum(axis=1) % 4))
    monkeypatch.setattr(chains, "LIMIT", 1)
    monkeypatch.setattr(chains, "wide_units", lambda n: [1] * n)
    agree(Plane(space), space.bottom, np.random.default_rng(0).permutation(space.n_bits))


def test_slots_made_again_lose_nothing(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(1)
    codes = rng.integers(1, 60, size=(400, 4))
    space = PolicySpace(class_table(codes, np.ones(400, dtype=int)))
    monkeypatch.setattr(chains, "DIRECT_SLOTS", 0)
    agree(Plane(space), space.bottom, rng.permutation(space.n_bits))


def test_a_chain_is_what_its_steps_say():
    start, removed = np.array([True, False, True, True]), np.array([3, 0])
    assert along(start, removed).astype(int).tolist() == [[1, 0, 1, 1], [1, 0, 1, 0], [0, 0, 1, 0]]


def test_one_value_an_attribute_is_one_policy():
    space = PolicySpace(class_table(np.ones((3, 2), dtype=int), np.ones(3, dtype=int)))
    risk, loss = evaluate_chain(Plane(space), space.bottom, np.zeros(0, dtype=int))
    assert (risk.tolist(), loss.tolist()) == ([1.0], [0.0])


@pytest.mark.parametrize("removed", [[0, 0], [1], [4], [-1]])
def test_other_boundaries_are_refused(removed: list[int]):
    space = PolicySpace(class_table(np.arange(1, 6)[:, None], np.ones(5, dtype=int)))
    with refused("chain-wrong"):
        evaluate_chain(Plane(space), np.array([True, False, True, True]), np.array(removed))
