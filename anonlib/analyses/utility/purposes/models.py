"""What a model still learns from a release, measured quickly: one kind of model, on a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.models import (
    Features,
    as_newcomers,
    as_released,
    as_they_were,
    auc,
    fitted,
    gradient_boosting,
    probabilities,
)
from anonlib.analyses.utility.prediction import Task
from anonlib.basics.progress import Progress, nobody

MOST_RECORDS = 10_000
FOLDS = 3
_LEAST = 0.01  # area beyond chance under which there is nothing to learn


@dataclass(frozen=True)
class Learnt:
    """How well a column is predicted after learning from the original, and from the release.

    Attributes
    ----------
    target : str
        The column that is predicted.
    before, after : float
        Mean area under the curve, 0.5 being chance; in [0, 1].
    parts_before, parts_after : tuple[float, ...]
        The same by part of the records held back.
    n_records : int
        Records that took part.
    is_recoded : bool
        Whether the release has other labels for what is predicted.
    gone : tuple[str, ...], default ()
        Columns to predict it from that are not in the release.
    """

    target: str
    parts_before: tuple[float, ...]
    parts_after: tuple[float, ...]
    n_records: int
    is_recoded: bool
    gone: tuple[str, ...] = ()

    @property
    def before(self) -> float:
        """Mean area under the curve after learning from the original."""
        return _mean(self.parts_before)

    @property
    def after(self) -> float:
        """Mean area under the curve after learning from the release."""
        return _mean(self.parts_after)

    @property
    def kept(self) -> float | None:
        """Share of what can be learnt that the release keeps, in [0, 1]; None where the original teaches nothing."""
        learnt = self.before - 0.5
        return None if learnt < _LEAST else min(1.0, max(0.0, (self.after - 0.5) / learnt))


def learnt(
    both: Alongside, target: str, predictors: Sequence[str], *, seed: int = 0, progress: Progress = nobody
) -> Learnt:
    """How well a column is predicted by gradient boosting that learnt from a release, beside the original.

    As :func:`anonlib.analyses.utility.predict`, with one kind of model and above 10,000 records on so many. From the
    original it learns of all columns asked for, from the release of those that leave. It is asked about somebody new:
    a value is given the label that most of its records have, since the labels that a record itself has may give away
    more than its value, where parts of the file are coarsened in ways of their own.

    Raises
    ------
    InputError
        When the column cannot be predicted, with the way out.
    """
    leaving = [name for name in predictors if name in both.leaving]
    gone = tuple(name for name in predictors if name not in leaving)
    task = Task.of(both, target, leaving, FOLDS, seed, MOST_RECORDS)
    original = as_they_were(both, predictors)
    sources: tuple[tuple[Features, Features, np.ndarray], ...] = (
        (original, original, task.takes_part),
        (as_released(both, leaving), as_newcomers(both, leaving), task.in_release),
    )
    areas: tuple[list[float], list[float]] = ([], [])
    for part in range(FOLDS):
        held_back = np.flatnonzero(task.part == part)
        for i, (table, test_table, allowed) in enumerate(sources):
            progress((2 * part + i) / (2 * FOLDS))
            model = fitted(gradient_boosting, table, np.flatnonzero(allowed & (task.part != part)), task.target, seed)
            likely = probabilities(model, test_table, held_back, task.n_values)
            areas[i].append(auc(task.target[held_back], likely))
    progress(1.0)
    n_records = int(task.takes_part.sum())
    return Learnt(target, tuple(areas[0]), tuple(areas[1]), n_records, task.is_recoded, gone)


def _mean(areas: tuple[float, ...]) -> float:
    known = [area for area in areas if not np.isnan(area)]
    return float(np.mean(known)) if known else 0.5
