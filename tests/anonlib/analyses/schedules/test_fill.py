"""The compiled loop that fills targets, against plain code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.schedules.solver import plain
from tests.helpers.examples import settings


def filled(pool: list[int], size: list[int], targets: list[int], turn: list[int], spare: int):
    """The parts of each target, the parts and the places to spare that are left, and the work; None: not all filled."""
    enough, work, placed = plain._CLOSE * np.mean(size), 0.0, {}
    for target in turn:
        left, taken = targets[target], []
        while pool and left > enough and size[pool[-1]] <= left:
            taken.append(pool.pop())
            left -= size[taken[-1]]
        n_taken, chosen = len(taken), []
        if left:
            sums = [{0}]
            for part in reversed(pool[-plain._LOOKED :]):
                sums.append(sums[-1] | {each + size[part] for each in sums[-1] if each + size[part] <= left})
                if left in sums[-1]:
                    break
            work += plain._A_PART * len(sums) * (1 + left / 2_000)
            total = max(sums[-1])
            if left - total > spare:
                return None, work + plain._A_PART * (1 + n_taken)
            spare -= left - total
            for i in range(len(sums) - 1, 0, -1):
                if total not in sums[i - 1]:
                    chosen.append(pool[len(pool) - i])
                    total -= size[chosen[-1]]
        work += plain._A_PART * (1 + n_taken)
        pool = [part for part in pool if part not in chosen]
        placed[target] = {*taken, *chosen}
    return (placed, pool, spare), work


@settings(max_examples=400)
@given(
    st.lists(st.integers(0, 200), min_size=1, max_size=6), st.lists(st.integers(1, 70), min_size=1, max_size=30),
    st.integers(0, 8), st.randoms(use_true_random=False),
)  # fmt: skip
def test_targets_are_filled_as_plain_code_fills_them(targets, size, spare, random):
    pool = random.sample(range(len(size)), random.randint(0, len(size)))
    turn = random.sample(range(len(targets)), len(targets))
    expected, work = filled([*pool], size, targets, turn, spare)
    steps, found = plain._Steps(lambda work: True), np.full(len(size), -1)
    made = plain._fill(np.array(pool, np.int64), np.array(size), np.array(targets), np.array(turn), spare, steps, found)
    assert (made is None) == (expected is None) and steps.work == pytest.approx(work)
    if made is not None and expected is not None:
        placed, left, spare_left = expected
        assert (made[0].tolist(), made[1]) == (left, spare_left)
        assert {t: {*np.flatnonzero(found == t).tolist()} for t in turn} == placed


def test_between_looks_nothing_is_lost():
    """Of more targets than are filled between two looks."""
    targets, parts = np.full(600, 4), np.tile([1, 1, 2], 600)
    looks = list[float]()
    found = plain.pack(parts, targets, np.random.default_rng(0), 50, lambda work: not looks.append(work))
    assert found is not None and np.bincount(found, weights=parts).tolist() == targets.tolist()
    assert len(looks) > 2 and sum(looks) > 0
    assert plain.pack(parts, targets, np.random.default_rng(0), 50, lambda work: False) is None
