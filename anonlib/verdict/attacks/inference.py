"""Inference: how often a sensitive value is guessed right from the release and what is known.

Only what is guessed more often of people in the file than of the control is the release's doing: what holds of
everybody alike is knowledge (Giomi et al. 2023, section 4.3; Article 29 Working Party, WP216).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.verdict.attacks.matching import LeavingColumn, Matching, nearest
from anonlib.verdict.attacks.result import Attack, Rate, known_of, most_telling_first, targets

MOST_LEARNT_FROM = 50_000
"""Released rows that trees learn from, drawn where there are more."""
TREES = 40
MOST_LABELS = 50
"""Labels of a column up to which trees learn it."""


def inference_attack(
    matching: Matching,
    about: str,
    names: Sequence[str],
    known: int,
    tries: int,
    knows: str,
    rng: np.random.Generator,
    progress: Progress = nobody,
) -> Attack:
    """Guess a column as most of the released rows say that are nearest by what is known.

    Labels that a person reads as one value are one guess.

    Parameters
    ----------
    matching : Matching
        The release and the people.
    about : str
        The column that is guessed.
    names : Sequence[str]
        The columns that are known.
    known : int
        How many of them at a time; 0: all.
    tries : int
        How many people are guessed at.
    knows : str
        Whose knowledge it is, which stands in the result.
    rng : np.random.Generator
        What people and guesses are drawn by.
    progress : Progress, default nobody
        Called with the share that is done, 0 to 1; may raise to stop.
    """
    secret = int(matching.places([about])[0])
    matching = matching.guessing(secret)
    places = most_telling_first(matching, matching.places([name for name in names if name != about]))
    column = matching.columns[secret]
    commonest = _commonest(column, matching.counts)

    def tried(chosen: np.ndarray, begin: float, end: float) -> tuple[Rate, Rate]:
        rows = targets(matching, chosen, tries, rng)
        of_each = known_of(places, known, len(rows), rng)
        guess = nearest(matching, rows, of_each, rng, secret, share_of(progress, begin, end)).guess
        return Rate(_right(column, rows, guess), len(rows)), Rate(_right(column, rows, commonest), len(rows))

    has_control = bool(matching.control.any())
    rate, baseline = tried(matching.member, 0.0, 0.5 if has_control else 1.0)
    control = tried(matching.control, 0.5, 1.0)[0] if has_control else None
    used = tuple(matching.columns[j].name for j in np.sort(places))
    return Attack("inference", "nearest records", knows, used, known, about, rate, baseline, control)


def model_attack(
    matching: Matching,
    about: str,
    names: Sequence[str],
    tries: int,
    knows: str,
    rng: np.random.Generator,
    progress: Progress = nobody,
) -> Attack | None:
    """Guess a column as most trees say that learnt the release by heart; None of a column with one label, over 50,
    or more than half as many as rows.

    As :func:`inference_attack`. Each tree learns from the released rows drawn with repetition, until nothing is left to
    part (a random forest, Breiman 2001): what few records say is not smoothed away, as a model would that is to be
    right of others.
    """
    secret = int(matching.places([about])[0])
    matching = matching.guessing(secret)
    column = matching.columns[secret]
    known = [matching.columns[j] for j in matching.places([name for name in names if name != about]).tolist()]
    learnt = np.flatnonzero(column.released >= 0)
    if len(learnt) > MOST_LEARNT_FROM:
        learnt = np.sort(rng.choice(learnt, size=MOST_LEARNT_FROM, replace=False))
    target = column.released[learnt]
    if (
        not known
        or not matching.counts[learnt].any()
        or not 2 <= len(np.unique(target)) <= min(MOST_LABELS, len(learnt) // 2)
    ):
        return None
    of_labels, of_values = zip(*map(_as_features, known), strict=True)
    released = np.column_stack(
        [of[known_column.released[learnt]] for known_column, of in zip(known, of_labels, strict=True)]
    )
    rows = [targets(matching, chosen, tries, rng) for chosen in (matching.member, matching.control)]
    target_features = np.column_stack(
        [of[known_column.people[np.concatenate(rows)]] for known_column, of in zip(known, of_values, strict=True)]
    )
    guesses = _as_trees_say(released, target, matching.counts[learnt], target_features, rng, progress)
    of_members, of_control = np.split(guesses, [len(rows[0])])
    commonest = _commonest(column, matching.counts)
    return Attack(
        "inference", "trees that learnt from it", knows, tuple(known_column.name for known_column in known), 0, about,
        Rate(_right(column, rows[0], of_members), len(rows[0])), Rate(_right(column, rows[0], commonest), len(rows[0])),
        Rate(_right(column, rows[1], of_control), len(rows[1])) if matching.control.any() else None,
    )  # fmt: skip


def _as_trees_say(
    released: np.ndarray,
    target: np.ndarray,
    counts: np.ndarray,
    target_features: np.ndarray,
    rng: np.random.Generator,
    progress: Progress,
) -> np.ndarray:
    """int32, an asked row each: the label that most trees say; a released row is drawn as often as it counts."""
    from sklearn.tree import DecisionTreeClassifier  # loading it takes a second

    from anonlib.counting.classes.walk import Threads

    says = np.zeros((TREES, len(target_features)), dtype=np.int32)

    def grow(tree: int, seed: int, _room: None) -> None:
        drawn = np.random.default_rng(seed).choice(len(released), size=len(released), p=counts / counts.sum())
        model = DecisionTreeClassifier(max_features="sqrt", random_state=seed)
        model.fit(released, target, sample_weight=np.bincount(drawn, minlength=len(released)))
        says[tree] = model.predict(target_features)

    seeds = rng.integers(1 << 31, size=TREES).tolist()
    if len(target_features):
        with Threads(lambda: None) as team:
            team.do(
                [partial(grow, *tree_and_seed) for tree_and_seed in enumerate(seeds)], released.size * TREES, progress
            )
    n_labels = int(target.max()) + 1
    votes = np.zeros((len(target_features), n_labels), dtype=np.int32)
    for row in says:
        votes[np.arange(len(target_features)), row] += 1
    return votes.argmax(axis=1).astype(np.int32)


def _right(column: LeavingColumn, rows: np.ndarray, guess: np.ndarray | int) -> int:
    """How many guessed labels are true of the values of some rows of people; no label is never right."""
    guess = np.broadcast_to(np.asarray(guess, dtype=np.int32), len(rows))
    return int(((column.fits[column.people[rows]] == guess[:, None]).any(axis=1) & (guess >= 0)).sum())


def _commonest(column: LeavingColumn, counts: np.ndarray) -> int:
    """The label that most released have; -1 without any."""
    has_label = column.released >= 0
    if not has_label.any():
        return -1
    return int(np.bincount(column.released[has_label], weights=counts[has_label]).argmax())


def _as_features(column: LeavingColumn) -> tuple[np.ndarray, np.ndarray]:
    """float64, what a model takes for each label (blank last) and for each value of a column."""
    low, high = column.limits
    if column.scale > 0:
        middle = np.where(np.isinf(low), high, np.where(np.isinf(high), low, low / 2 + high / 2))
        below = np.nanmin(np.append(column.number, low[np.isfinite(low)])) - 1  # in the place of what is no number
        return np.nan_to_num(np.append(middle, np.nan), nan=below), np.nan_to_num(column.number, nan=below)
    # a value is taken for the label that covers it and that most released have; what is blank or unknown is one more
    n = len(column.labels)
    times = np.append(np.bincount(column.released[column.released >= 0], minlength=n), -1)
    fits = np.where(column.fits < 0, n, column.fits)
    of_value = fits[np.arange(len(fits)), times[fits].argmax(axis=1)]
    return np.arange(n + 1, dtype=float), of_value.astype(float)
