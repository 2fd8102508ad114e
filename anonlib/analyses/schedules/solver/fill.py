"""Packing: every part whole into one of the targets, each target filled exactly but for the places to spare.

With the frequencies as parts and the slots as targets this is the row plan; with the column plan's loads as parts and
the frequencies as targets it is the column plan. Either one, once packed, is a proven optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from anonlib.basics.budget import A_SECOND

_LAST = 24
"""The last targets are the hard ones: they must use up what is left. They are tried again and again."""
_CLOSE = 5  # a target is closed exactly once it is down to so many parts of mean size
_LOOKED = 200  # parts, at most, to close one target
_A_PART = A_SECOND / 3_000_000  # work of one part that is looked at or placed


GoOn = Callable[[float], bool]
"""Given how much work was done since it was asked last: whether there is more to spend."""


@dataclass
class _Steps:
    """What was done since the last look at what is left."""

    go_on: GoOn
    work: float = 0.0

    def look(self) -> bool:
        work, self.work = self.work, 0.0
        return self.go_on(work)


def pack(
    parts: np.ndarray, targets: np.ndarray, rng: np.random.Generator, tries: int, go_on: GoOn
) -> np.ndarray | None:
    """(len(parts),) the target of each part, so that no target has more than it holds; None if none was found.

    Randomised: small targets come first, since they have few ways to be filled, and the last ones are shuffled again up
    to ``tries`` times, while ``go_on`` says so.
    """
    spare = int(targets.sum() - parts.sum())
    if spare < 0 or (len(parts) and parts.max() > targets.max()):
        return None
    steps = _Steps(go_on)
    order = np.argsort(targets, kind="stable")
    first, last = order[: max(0, len(order) - _LAST)], order[max(0, len(order) - _LAST) :]
    for _ in range(3):
        pool = rng.permutation(len(parts)).tolist()
        steps.work += _A_PART * len(parts)
        begun = _fill(pool, parts, targets, first.tolist(), spare, steps)
        if begun is None:
            if not steps.look():
                return None
            continue
        placed, left, spare_left = begun
        for attempt in range(tries):
            if not steps.look():
                return None
            turn = last if attempt % 3 == 0 else rng.permutation(last) if attempt % 3 == 1 else last[::-1]
            ended = _fill(rng.permutation(left).tolist(), parts, targets, turn.tolist(), spare_left, steps)
            if ended is not None and not ended[1]:
                return _target_of_each(len(parts), placed | ended[0])
    return None


def _target_of_each(n_parts: int, placed: dict[int, list[int]]) -> np.ndarray:
    found = np.empty(n_parts, np.int64)
    for target, parts in placed.items():
        found[parts] = target
    return found


def _fill(
    pool: list[int],
    parts: np.ndarray,
    targets: np.ndarray,
    turn: list[int],
    spare: int,
    steps: _Steps,
) -> tuple[dict[int, list[int]], list[int], int] | None:
    """Fill the targets in turn from the pool: parts by target, the parts and the places to spare that are left."""
    size = parts.tolist()
    enough = _CLOSE * (float(parts.mean()) if len(parts) else 1)
    placed: dict[int, list[int]] = {}
    for n_filled, target in enumerate(turn):
        if n_filled % 256 == 255 and not steps.look():
            return None
        left = int(targets[target])
        taken: list[int] = []
        while pool and left > enough and size[pool[-1]] <= left:
            part = pool.pop()
            taken.append(part)
            left -= size[part]
        closing = _closing(pool, size, left, spare, steps)
        steps.work += _A_PART * (1 + len(taken))
        if closing is None:
            return None
        chosen, short = closing
        spare -= short
        for position in chosen:  # descending: the pool's own positions stay right
            taken.append(pool.pop(position))
        placed[target] = taken
    return placed, pool, spare


def _closing(pool: list[int], size: list[int], left: int, spare: int, steps: _Steps) -> tuple[list[int], int] | None:
    """Positions in the pool, descending, of parts that sum to ``left``, or to a little less, and how much less.

    The sets of sums are bits of one integer; bit s says that some of the parts looked at sum to s.
    """
    if left == 0:
        return [], 0
    full = (1 << (left + 1)) - 1
    sums = [1]
    n_looked = min(len(pool), _LOOKED)
    positions = range(len(pool) - 1, len(pool) - 1 - n_looked, -1)
    for position in positions:
        reached = sums[-1]
        reached |= (reached << size[pool[position]]) & full
        sums.append(reached)
        if reached >> left:
            break
    steps.work += _A_PART * len(sums) * (1 + left / 2_000)  # a bit for each sum
    total = sums[-1].bit_length() - 1
    if left - total > spare:
        return None
    short = left - total
    chosen = []
    for looked in range(len(sums) - 1, 0, -1):
        if not sums[looked - 1] >> total & 1:
            position = positions[looked - 1]
            chosen.append(position)
            total -= size[pool[position]]
    return sorted(chosen, reverse=True), short
