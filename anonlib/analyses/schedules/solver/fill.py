"""Packing: every part whole into one of the targets, each target filled exactly but for the places to spare.

With the frequencies as parts and the slots as targets this is the row plan; with the column plan's loads as parts and
the frequencies as targets it is the column plan. Either one, once packed, is a proven optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.schedules.solver.kernel import fill
from anonlib.basics.budget import A_SECOND

_LAST = 24
"""The last targets are the hard ones: they must use up what is left. They are tried again and again."""
_CLOSE = 5  # a target is closed exactly once it is down to so many parts of mean size
_LOOKED = 200  # parts, at most, to close one target
_BETWEEN_LOOKS = 256  # targets that are filled between two looks at what is left to spend
_A_PART = A_SECOND / 3_000_000  # work of one part that is looked at or placed


MayGoOn = Callable[[float], bool]
"""Given how much work was done since it was asked last: whether there is more to spend."""


@dataclass
class _Steps:
    """What was done since the last look at what is left."""

    may_go_on: MayGoOn
    work: float = 0.0

    def is_work_left(self) -> bool:
        work, self.work = self.work, 0.0
        return self.may_go_on(work)


def pack(
    parts: np.ndarray, targets: np.ndarray, rng: np.random.Generator, tries: int, may_go_on: MayGoOn
) -> np.ndarray | None:
    """(len(parts),) the target of each part, so that no target has more than it holds; None if none was found.

    Randomised: small targets come first, since they have few ways to be filled, and the last ones are shuffled again up
    to ``tries`` times, while ``may_go_on`` says so.
    """
    spare = int(targets.sum() - parts.sum())
    if spare < 0 or (len(parts) and parts.max() > targets.max()):
        return None
    steps = _Steps(may_go_on)
    parts, targets = np.ascontiguousarray(parts, np.int64), np.ascontiguousarray(targets, np.int64)
    target_of_part = np.empty(len(parts), np.int64)
    order = np.argsort(targets, kind="stable")
    first, last = order[: max(0, len(order) - _LAST)], order[max(0, len(order) - _LAST) :]
    for _ in range(3):
        pool = rng.permutation(len(parts))
        steps.work += _A_PART * len(parts)
        begun = _fill(pool, parts, targets, first, spare, steps, target_of_part)
        if begun is None:
            if not steps.is_work_left():
                return None
            continue
        left, spare_left = begun
        for attempt in range(tries):
            if not steps.is_work_left():
                return None
            turn = last if attempt % 3 == 0 else rng.permutation(last) if attempt % 3 == 1 else last[::-1]
            ended = _fill(rng.permutation(left), parts, targets, turn, spare_left, steps, target_of_part)
            if ended is not None and not len(ended[0]):
                return target_of_part
    return None


def _fill(
    pool: np.ndarray,
    parts: np.ndarray,
    targets: np.ndarray,
    turn: np.ndarray,
    spare: int,
    steps: _Steps,
    target_of_part: np.ndarray,
) -> tuple[np.ndarray, int] | None:
    """Fill the targets in turn from the pool, writing the target of each part: the parts and places that are left."""
    enough = _CLOSE * (float(parts.mean()) if len(parts) else 1.0)
    sums = np.empty((_LOOKED + 1, (int(targets[turn].max(initial=0)) >> 6) + 1), np.uint64)
    pool, turn = np.ascontiguousarray(pool), np.ascontiguousarray(turn)
    state, work = np.array([len(pool), spare]), np.array([steps.work])
    for begin in range(-1, len(turn), _BETWEEN_LOOKS):
        if begin > 0:
            steps.work = float(work[0])
            if not steps.is_work_left():
                return None
            work[0] = steps.work
        some = turn[max(0, begin) : begin + _BETWEEN_LOOKS]
        is_filled = fill(pool, parts, targets, some, enough, _LOOKED, _A_PART, state, work, sums, target_of_part)
        steps.work = float(work[0])
        if not is_filled:
            return None
    return pool[: state[0]].copy(), int(state[1])
