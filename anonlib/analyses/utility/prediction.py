"""A task that somebody would give the data: predict one column from others, learnt from the release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.features import Features, features
from anonlib.analyses.utility.models import MODELS, auc, fitted, probabilities, rounds_of
from anonlib.analyses.utility.scores import COMMONEST, Prediction, Score, Source
from anonlib.analyses.utility.task import MOST_RECORDS, Task
from anonlib.basics import checks
from anonlib.basics.progress import Progress
from anonlib.dataset import Dataset

FOLDS = 3


def predict(
    original: Dataset,
    released: Dataset,
    target: str,
    columns: Sequence[str] | None = None,
    *,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Prediction:
    """How well a column is predicted by models that learnt from a release, beside those that learnt from the original.

    The records are drawn into parts of about equal size, with the shares of the target's values in each, all rows of a
    person in one. Each part is held back once: models learn from the others, as they are in the original and as they
    are in the release, and are asked about the original records held back. One that learnt from the release is asked in
    its labels. Above 50,000 records so many take part, drawn likewise.

    Parameters
    ----------
    original : Dataset
        The data set, with its records in memory.
    released : Dataset
        What steps made of it: cells recoded, columns dropped, records left out.
    target : str
        The column to predict, with 2 to 20 values in the release. Records without it take no part.
    columns : Sequence[str], optional
        Those to predict it from; all others that leave where left out.
    folds : int, default FOLDS
        Parts, 2 or more.
    seed : int, default 0
        Of all draws, 0 or more.
    progress : Progress, optional
        Called with the share done, 0 to 1; may raise to stop.

    Returns
    -------
    Prediction

    Raises
    ------
    InputError
        When the column cannot be predicted, with the way out.

    References
    ----------
    T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27, 2006.
    """
    folds, seed = checks.whole(folds, "The number of parts", 2), checks.whole(seed, "The seed", 0)
    task = Task.of(Alongside.of(original, released), target, columns, folds, seed)
    before, after = features(task.both, task.columns)
    sources: list[tuple[Source, Features, np.ndarray]] = [
        ("original", before, task.takes_part),
        ("release", after, task.in_release),
    ]
    by_model: dict[tuple[str, Source], list[tuple[float, float]]] = {}
    done, steps = 0, folds * len(sources) * len(MODELS)
    for part in range(folds):
        held_back = np.flatnonzero(task.part == part)
        truth = task.target[held_back]
        commonest = int(np.bincount(task.target[task.takes_part & (task.part != part)]).argmax())
        by_model.setdefault((COMMONEST, "original"), []).append((float((truth == commonest).mean()), 0.5))
        for name, make in MODELS.items():
            for source, table, allowed in sources:
                model = fitted(make, table, np.flatnonzero(allowed & (task.part != part)), task.target, seed)
                likely = probabilities(model, table, held_back, task.n_values)
                right = float((likely.argmax(axis=1) == truth).mean())
                by_model.setdefault((name, source), []).append((right, auc(truth, likely)))
                done += 1
                if progress:
                    progress(done / steps)
    scores = tuple(
        Score(name, source, tuple(right for right, _ in by_part), tuple(area for _, area in by_part))
        for (name, source), by_part in by_model.items()
    )
    return Prediction(
        task.name,
        task.columns,
        task.n_values,
        task.is_recoded,
        int(task.takes_part.sum()),
        task.n_known,
        int(task.in_release.sum()),
        "records" if original.person_id is None else "persons",
        seed,
        scores,
    )


def estimated_seconds(n_records: int, n_columns: int, n_values: int, folds: int = FOLDS) -> float:
    """About how long a prediction takes on one core.

    Parameters
    ----------
    n_records, n_columns, n_values : int
        Records of the original, columns to predict from, and values that are distinguished.
    folds : int, default FOLDS
        Parts.

    Returns
    -------
    float
        Seconds, with those that loading the models takes.
    """
    trees = rounds_of(n_values) * (n_values if n_values > 2 else 1)
    return 1.5 + min(n_records, MOST_RECORDS) * (2 + n_columns) * (33 + trees) * 2.8e-8 * folds
