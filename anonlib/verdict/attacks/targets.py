"""Who is attacked, and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonlib.verdict.attacks.matching import Matching


def targets(matching: Matching, chosen: np.ndarray, tries: int, rng: np.random.Generator) -> np.ndarray:
    """int64, one row each of drawn people, of whom everybody is as likely.

    Each row is drawn once at most, but where rows stand for several people.

    Parameters
    ----------
    matching : Matching
        The people.
    chosen : np.ndarray
        bool, a row of people each: those that are drawn from.
    tries : int
        How many are drawn; as many as there are where these are fewer.
    rng : np.random.Generator
        Draws.
    """
    rows = np.flatnonzero(chosen & (matching.people > 0))
    rows = rows[rng.permutation(len(rows))]
    _, first = np.unique(matching.person[rows], return_index=True)  # a row of each person, as it came
    rows = rows[np.sort(first)]
    people = matching.people[rows]
    if (people == 1).all():
        return rows[:tries]
    return rng.choice(rows, size=min(tries, int(people.sum())), p=people / people.sum())


def known_of(places: Sequence[int] | np.ndarray, known: int, n_targets: int, rng: np.random.Generator) -> np.ndarray:
    """int32, targets x columns: which columns are known of each; 0 stands for all of them.

    Those with a number of columns less than all are drawn for each target.
    """
    places = np.asarray(places, dtype=np.int32)
    if not known or known >= len(places):
        return np.broadcast_to(places, (n_targets, len(places))).copy()
    return places[np.argsort(rng.random((n_targets, len(places))), axis=1)[:, :known]].astype(np.int32)


def most_telling_first(matching: Matching, places: np.ndarray) -> np.ndarray:
    """The same places, those with most labels first: what does not fit is seen sooner."""
    return np.array(sorted(places.tolist(), key=lambda j: -len(matching.columns[j].labels)), dtype=np.int32)
