"""Inference: how often a sensitive value is guessed right from the release and what is known.

Only what is guessed more often of people in the file than of the control is the release's doing: what holds of
everybody alike is knowledge (Giomi et al. 2023, section 4.3; Article 29 Working Party, WP216).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonlib.analyses.utility.features import Features
from anonlib.analyses.utility.models import fitted, gradient_boosting
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.verdict.attacks.fitting import nearest
from anonlib.verdict.attacks.matching import Column, Matching
from anonlib.verdict.attacks.rates import Rate
from anonlib.verdict.attacks.result import Attack
from anonlib.verdict.attacks.targets import known_of, most_telling_first, targets

MOST_LEARNT_FROM = 20_000
"""Released rows that a model learns from, drawn where there are more."""
MOST_LABELS = 50
"""Labels of a column up to which a model learns it."""


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

    Parameters
    ----------
    matching
        The release and the people.
    about
        The column that is guessed.
    names
        The columns that are known.
    known
        How many of them at a time; 0: all.
    tries, knows, rng, progress
        As of :func:`anonlib.verdict.attacks.predicates.predicate_attack`.
    """
    secret = int(matching.places([about])[0])
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
    """Guess a column as trees do that learnt from the release; None of a column with one label or more than 50.

    As :func:`inference_attack`; the model learns in one go.
    """
    progress(0.0)
    secret = int(matching.places([about])[0])
    column = matching.columns[secret]
    places = matching.places([name for name in names if name != about])
    learnt = np.flatnonzero(column.released >= 0)
    if len(learnt) > MOST_LEARNT_FROM:
        learnt = np.sort(rng.choice(learnt, size=MOST_LEARNT_FROM, replace=False))
    target = column.released[learnt]
    if not len(places) or not 2 <= len(np.unique(target)) <= MOST_LABELS:
        return None
    of_values, numbers = zip(*(_as_features(matching.columns[j]) for j in places.tolist()), strict=True)
    order = np.argsort(~np.array(numbers), kind="stable")  # numbers first, as models take them
    is_number = np.array(numbers)[order]
    known = [matching.columns[j] for j in places[order].tolist()]
    of_values = [of_values[i] for i in order.tolist()]
    released = np.column_stack(
        [of_label[each.released[learnt]] for each, (of_label, _) in zip(known, of_values, strict=True)]
    )
    model = fitted(
        gradient_boosting, Features(released, is_number), np.arange(len(learnt)), target, int(rng.integers(1 << 31))
    )
    commonest = _commonest(column, matching.counts)

    def tried(chosen: np.ndarray) -> tuple[Rate, Rate]:
        rows = targets(matching, chosen, tries, rng)
        asked = np.column_stack(
            [of_value[each.people[rows]] for each, (_, of_value) in zip(known, of_values, strict=True)]
        )
        guess = model.predict(asked).astype(np.int32) if len(rows) else np.zeros(0, dtype=np.int32)
        return Rate(_right(column, rows, guess), len(rows)), Rate(_right(column, rows, commonest), len(rows))

    rate, baseline = tried(matching.member)
    control = tried(matching.control)[0] if matching.control.any() else None
    used = tuple(matching.columns[j].name for j in places)
    return Attack("inference", "trees that learnt from it", knows, used, 0, about, rate, baseline, control)


def _right(column: Column, rows: np.ndarray, guess: np.ndarray | int) -> int:
    """How many guessed labels are true of the values of some rows of people; no label is never right."""
    guess = np.broadcast_to(np.asarray(guess, dtype=np.int32), len(rows))
    return int(((column.fits[column.people[rows]] == guess[:, None]).any(axis=1) & (guess >= 0)).sum())


def _commonest(column: Column, counts: np.ndarray) -> int:
    """The label that most released have; -1 without any."""
    there = column.released >= 0
    if not there.any():
        return -1
    return int(np.bincount(column.released[there], weights=counts[there]).argmax())


def _as_features(column: Column) -> tuple[tuple[np.ndarray, np.ndarray], bool]:
    """What a model takes for each label (blank last) and each value of a column, and whether these are numbers."""
    low, high = column.limits
    if column.scale > 0:
        middle = np.where(np.isinf(low), high, np.where(np.isinf(high), low, low / 2 + high / 2))
        return (np.append(middle, np.nan), column.number), True
    # a value is taken for the label that covers it and that most released have; what is blank or unknown is one more
    n = len(column.labels)
    times = np.append(np.bincount(column.released[column.released >= 0], minlength=n), -1)
    fits = np.where(column.fits < 0, n, column.fits)
    of_value = fits[np.arange(len(fits)), times[fits].argmax(axis=1)]
    return (np.arange(n + 1, dtype=float), of_value.astype(float)), False
