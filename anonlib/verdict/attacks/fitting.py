"""Which released rows fit each target, and which are nearest; on all cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from anonlib.basics.progress import Progress, nobody
from anonlib.verdict.attacks import kernel
from anonlib.verdict.attacks.matching import Matching

_AT_ONCE = 25  # targets between two looks at the progress


@dataclass(frozen=True, eq=False)
class Fitting:
    """Who each target may be of all released: int64, a target each.

    Attributes
    ----------
    n : np.ndarray
        How many are counted by the rows that fit.
    own : np.ndarray
        Of the rows that fit the target's own; one that stands for several people is the target's once.
    of_one : np.ndarray
        Whether all that fit are of one person.
    """

    n: np.ndarray
    own: np.ndarray
    of_one: np.ndarray


@dataclass(frozen=True, eq=False)
class Nearest:
    """What is nearest to each target: an item a target.

    Attributes
    ----------
    far : np.ndarray
        float64, how far it is, in columns.
    row : np.ndarray
        int64, one of the nearest rows, drawn; -1 without any.
    guess : np.ndarray
        int32, the label that most of them have in the column that is guessed; -1 where none has one.
    """

    far: np.ndarray
    row: np.ndarray
    guess: np.ndarray


def fitting(matching: Matching, rows: np.ndarray, known: np.ndarray, progress: Progress = nobody) -> Fitting:
    """Who each target may be.

    Parameters
    ----------
    matching : Matching
        The release and the people.
    rows : np.ndarray
        int64, a target each: the row of people that is known.
    known : np.ndarray
        int32, targets x columns known; -1 where fewer are.
    progress : Progress, default nobody
        Called with the share that is done; may raise to stop.
    """
    counts = np.zeros((len(rows), 3), dtype=np.int64)

    def look(some: slice) -> None:
        kernel.candidates(matching.arrays, rows[some], known[some], counts[some])

    side_by_side(look, matching, len(rows), progress)
    return Fitting(counts[:, 0], counts[:, 1], counts[:, 2].astype(bool))


def nearest(
    matching: Matching,
    rows: np.ndarray,
    known: np.ndarray,
    rng: np.random.Generator,
    secret: int = -1,
    progress: Progress = nobody,
) -> Nearest:
    """What is nearest to each target, and what it says of a column; as :func:`fitting`.

    Parameters
    ----------
    rng : np.random.Generator
        Draws one of several that are as near.
    secret : int, default -1
        The place of the column that is guessed; -1: none.
    """
    n = len(rows)
    best = Nearest(np.empty(n), rng.integers(1 << 62, size=n), np.full(n, -1, dtype=np.int32))
    n_labels = 0 if secret < 0 else len(matching.columns[secret].labels)

    def look(some: slice) -> None:
        kernel.nearest(
            matching.arrays, rows[some], known[some], secret, n_labels, best.guess[some], best.far[some],
            best.row[some],
        )  # fmt: skip

    side_by_side(look, matching, n, progress)
    return best


def side_by_side(
    look: Callable[[slice], None], matching: Matching, n: int, progress: Progress = nobody, at_once: int = _AT_ONCE
) -> None:
    """Look at so many targets, or predicates, some at a time and on all cores."""
    from anonlib.counting.classes.walk import Team  # which loads the compiler

    parts = [slice(first, min(first + at_once, n)) for first in range(0, n, at_once)]
    _ = matching.arrays  # made before threads ask for it
    with Team(lambda: None) as team:
        team.do([partial(_task, look, some) for some in parts], n * matching.n_released, progress)


def _task(look: Callable[[slice], None], some: slice, _room: None) -> None:
    look(some)
