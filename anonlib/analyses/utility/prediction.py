"""A task that somebody would give the data: predict one column from others, learnt from the release.

First comes the task: what is to be predicted, from what, and which records are held back when. Then comes the outcome:
how well each model did, and what that means for an analyst.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.utility.alongside import Alongside, Recoded
from anonlib.analyses.utility.in_words import named
from anonlib.analyses.utility.models import MODELS, Features, auc, features, fitted, probabilities, rounds_of
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import count, percent
from anonlib.coarsening.hierarchies import TOP
from anonlib.counting.classes.rows_of_persons import person_of_row
from anonlib.dataset import Dataset

MOST_VALUES = 20
MOST_RECORDS = 50_000
FEWEST_RECORDS = 50


@dataclass(frozen=True, eq=False)
class Task:
    """A column to predict, and the records that take part.

    Attributes
    ----------
    both : Alongside
        Original and release.
    name : str
        The column to predict.
    columns : tuple[str, ...]
        Those to predict it from.
    target : int64 array
        Per record of the original the code of its value, 0 up; -1 where it has none.
    n_values : int
        Values that are distinguished.
    is_recoded : bool
        Whether the release has other labels for them.
    part : int64 array
        Per record of the original the part that it is held back in; -1 where it takes no part.
    in_release : bool array
        Per record of the original, whether it takes part and is in the release with its value.
    """

    both: Alongside
    name: str
    columns: tuple[str, ...]
    target: np.ndarray
    n_values: int
    is_recoded: bool
    part: np.ndarray
    in_release: np.ndarray

    @property
    def takes_part(self) -> np.ndarray:
        """bool, per record of the original."""
        return self.part >= 0

    @property
    def n_known(self) -> int:
        """Records of the original with a known target."""
        return int((self.target >= 0).sum())

    @classmethod
    def of(
        cls,
        both: Alongside,
        name: str,
        columns: Sequence[str] | None,
        parts: int,
        seed: int,
        most: int | None = None,
    ) -> Task:
        """The task, on about ``most`` records where there are more; on 50,000 where left out.

        Raises
        ------
        InputError
            When the column cannot be predicted from these, with the way out.
        """
        _check_leaves(both, name)
        chosen = _chosen(both, name, columns)
        column = both.column(name)
        target, is_recoded = _target(column, both.before(name), name)
        n_values = int(target.max(initial=-1)) + 1
        _check_target(name, n_values, int((target >= 0).sum()), parts)
        person_id = both.original.person_id
        n = both.original.n_records
        person = np.arange(n) if person_id is None else person_of_row(both.original.records[person_id])
        part = parts_of(person, target, parts, MOST_RECORDS if most is None else most, np.random.default_rng(seed))
        in_release = np.zeros(n, dtype=bool)
        in_release[both.rows] = ~column.blank[both.after(name)]
        in_release &= part >= 0
        for held_back in range(parts):
            left = int((in_release & (part != held_back)).sum())
            if left < FEWEST_RECORDS // 2 or not (part == held_back).any():
                raise InputError(
                    f"Too few records with a value of “{name}” are in the release to learn from: leave out fewer, or "
                    "choose another column to predict.",
                    code="too-few-records",
                    column=name,
                )
        return cls(both, name, chosen, target, n_values, is_recoded, part, in_release)


def can_be_predicted(both: Alongside) -> tuple[str, ...]:
    """The columns that a task can be about, in the file's order: they leave, with 2 to 20 labels.

    None where the records stay in a database: models learn from records in memory.

    Parameters
    ----------
    both : Alongside
        Original and release.

    Returns
    -------
    tuple of str
    """
    if not both.in_memory:
        return ()
    labels = {name: both.released.held.values(name) for name in both.leaving}
    return tuple(
        name for name, column_labels in labels.items() if 2 <= int((column_labels != TOP).sum()) <= MOST_VALUES
    )


def parts_of(person: np.ndarray, target: np.ndarray, parts: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """Draw records into parts: all of a person in one, and the values of the target alike in each.

    Parameters
    ----------
    person, target : np.ndarray
        Per record the number of its person, 0 up, and the code of its value; -1 takes no part.
    parts : int
        How many.
    most : int
        Records above which about so many are drawn, persons whole.
    rng : np.random.Generator
        Draws.

    Returns
    -------
    int64 array
        Per record its part; -1 for what takes no part.
    """
    known = np.flatnonzero(target >= 0)
    part = np.full(len(target), -1, dtype=np.int64)
    if not len(known):
        return part
    persons, first, place = np.unique(person[known], return_index=True, return_inverse=True)
    value = target[known][first]  # of a person whose rows differ, that of the first
    by_lot = rng.permutation(len(persons))
    order = by_lot[np.argsort(value[by_lot], kind="stable")]  # by value, and by lot within
    if len(known) > most:
        taken = np.floor(np.arange(len(order) + 1) * (most / len(known)))
        order = order[np.diff(taken) > 0]
    of_person = np.full(len(persons), -1, dtype=np.int64)
    of_person[order] = np.arange(len(order)) % parts
    part[known] = of_person[place]
    return part


def _target(column: Recoded, values: np.ndarray, name: str) -> tuple[np.ndarray, bool]:
    """Per record of the original the code of what is predicted, and whether that is recoded.

    It is the release's label of the value, and the value itself where the release has none of it.
    """
    if not column.has_one_label_each:
        raise InputError(
            f"“{name}” has mixed coarseness, so that one value has several labels in the release: choose another "
            "column to predict, or recode it as a whole.",
            code="column-recoded-part-by-part",
            column=name,
        )
    n_labels = len(column.labels)
    missing = len(column.values)
    label = column.label_of[values]
    known = np.where(label < 0, n_labels + 1 + values, label)
    nothing = (label >= 0) & column.blank[label] | (values == missing) & (label < 0)
    target = np.full(len(values), -1, dtype=np.int64)
    target[~nothing] = np.unique(known[~nothing], return_inverse=True)[1]
    place = {value: i for i, value in enumerate(column.labels.tolist())}
    same = np.array([*(place.get(value, -1) for value in column.values.tolist()), n_labels], dtype=np.int64)
    known_labels = (column.label_of >= 0) & ~column.blank[column.label_of]
    return target, bool((known_labels & (column.label_of != same)).any())


def _check_leaves(both: Alongside, name: str) -> None:
    original = both.original
    if name not in original.columns:
        raise InputError(f"There is no column “{name}” to predict.", code="column-unknown", column=name)
    if name in (original.person_id, original.weight):
        raise InputError(
            f"“{name}” is what persons are counted by: choose a column that says something of them.",
            code="column-counts-persons",
            column=name,
        )
    if name not in both.leaving:
        raise InputError(
            f"“{name}” is not in the release, so nothing can be learnt about it: choose one that is.",
            code="column-not-released",
            column=name,
        )


def _chosen(both: Alongside, name: str, columns: Sequence[str] | None) -> tuple[str, ...]:
    candidates = both.leaving if columns is None else tuple(columns)
    for other in candidates:
        if other != name and other not in both.leaving:
            raise InputError(
                f"“{other}” is not in the release, so nothing can be predicted from it: leave it away.",
                code="column-not-released",
            )
    chosen = tuple(other for other in both.leaving if other in candidates and other != name)
    if not chosen:
        raise InputError(
            f"Choose at least one other column of the release to predict “{name}” from.",
            code="choice-missing",
            column=name,
        )
    return chosen


def _check_target(name: str, n_values: int, n_records: int, parts: int) -> None:
    if n_values > MOST_VALUES:
        raise InputError(
            f"“{name}” has {count(n_values, 'values')}, too many to tell apart: recode it into at most {MOST_VALUES} "
            "groups, or choose another column to predict.",
            code="too-many-values",
            column=name,
        )
    if n_values < 2:
        raise InputError(
            f"“{name}” has the same value for all, so there is nothing to predict: choose another column.",
            code="column-of-one-value",
            column=name,
        )
    if n_records < max(FEWEST_RECORDS, 2 * parts):
        raise InputError(
            f"Only {count(n_records, 'records')} have a value of “{name}”, too few to learn from and to test on: it "
            f"takes {FEWEST_RECORDS}.",
            code="too-few-records",
            column=name,
        )


Source = Literal["original", "release"]
COMMONEST = "commonest value"


@dataclass(frozen=True)
class ModelScore:
    """How well one model does on original records that it has not seen.

    Attributes
    ----------
    model : str
        "logistic regression", "gradient boosting", or "commonest value", which always says that.
    learnt_from : Source
        The records that it learnt from.
    accuracies : tuple[float, ...]
        By part of the records held back, the share for which it is right, in [0, 1].
    aucs : tuple[float, ...]
        By part the area under the ROC curve, in [0, 1], one value against the rest and weighted where
        there are more than two (Fawcett 2006); 0.5 is chance. NaN for a part in which all have one value.
    """

    model: str
    learnt_from: Source
    accuracies: tuple[float, ...]
    aucs: tuple[float, ...]

    @property
    def accuracy(self) -> float:
        """Mean share for which it is right, in [0, 1]."""
        return float(np.mean(self.accuracies))

    @property
    def auc(self) -> float:
        """Mean area under the ROC curve, in [0, 1]; 0.5 where no part has two values."""
        known = [value for value in self.aucs if not np.isnan(value)]
        return float(np.mean(known)) if known else 0.5


@dataclass(frozen=True)
class Prediction:
    """How well a column can be predicted after learning from the original, and from the release.

    Attributes
    ----------
    target : str
        The column that is predicted.
    columns : tuple[str, ...]
        Those that it is predicted from.
    n_values : int
        Values that are distinguished: the release's labels where it recodes the target.
    is_recoded : bool
        Whether the release recodes the target.
    n_records : int
        Records that took part, all with a known target.
    n_known : int
        Records of the original with a known target: more than took part where a sample was drawn.
    n_released : int
        Those that took part and are in the release.
    unit : str
        What is held back whole: "records" or "persons".
    seed : int
        Of all draws.
    scores : tuple[ModelScore, ...]
        Both models learnt from the original and from the release, and the commonest value.
    """

    target: str
    columns: tuple[str, ...]
    n_values: int
    is_recoded: bool
    n_records: int
    n_known: int
    n_released: int
    unit: str
    seed: int
    scores: tuple[ModelScore, ...]

    def best(self, learnt_from: Source) -> ModelScore:
        """The model of the greater area under the curve, of those that learnt from this."""
        return max((score for score in self._models if score.learnt_from == learnt_from), key=lambda score: score.auc)

    @property
    def commonest(self) -> ModelScore:
        """What always saying the commonest value comes to."""
        return next(score for score in self.scores if score.model == COMMONEST)

    @property
    def _models(self) -> list[ModelScore]:
        return [score for score in self.scores if score.model != COMMONEST]

    @property
    def kept(self) -> float | None:
        """Share of what can be learnt that the release keeps, in [0, 1]; None where the original teaches nothing.

        Area under the curve beyond chance, (best - 0.5) after the release / (best - 0.5) after the original.
        """
        learnt = self.best("original").auc - 0.5
        return None if learnt < 0.01 else min(1.0, max(0.0, (self.best("release").auc - 0.5) / learnt))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What it means for an analyst. Plain text; names of columns, and no cell."""
        before, after = self.best("original"), self.best("release")
        says = [
            f"A model that learnt {named(self.target)} from the release is right for {percent(after.accuracy)} of the "
            f"original {self.unit} that it has not seen; learnt from the original it is right for "
            f"{percent(before.accuracy)}. Always saying the commonest value is right for "
            f"{percent(self.commonest.accuracy)}."
        ]
        if self.kept is None:
            says.append("Even the original says next to nothing about it in these columns: there is nothing to lose.")
        else:
            says.append(
                f"By how well records are put in order (area under the curve {after.auc:.3f} against {before.auc:.3f}, "
                f"0.5 being chance) the release keeps {percent(self.kept)} of what can be learnt."
            )
        if self.is_recoded:
            says.append(
                f"{named(self.target)} is predicted as the release has it, in {count(self.n_values, 'labels')}."
            )
        if self.n_records < self.n_known:
            says.append(f"A sample of {count(self.n_records)} of {count(self.n_known, 'records')} took part.")
        return tuple(says)

    def to_frame(self) -> pd.DataFrame:
        """One row a model: what it learnt from, accuracy on average and in the worst and best part, and the AUC."""
        rows = [
            (score.model, score.learnt_from, score.accuracy, min(score.accuracies), max(score.accuracies), score.auc)
            for score in self.scores
        ]
        return pd.DataFrame(rows, columns=["model", "learnt_from", "accuracy", "lowest", "highest", "auc"])


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
        ModelScore(name, source, tuple(right for right, _ in by_part), tuple(area for _, area in by_part))
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
