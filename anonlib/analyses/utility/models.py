"""The models that are asked to predict, made by scikit-learn and run on one core.

First come columns as models take them: numbers where all labels are on a scale, else categories; original and release
alike. Then come the models.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.associations import ranks_of
from anonlib.analyses.utility.scale import on_scale


@dataclass(frozen=True, eq=False)
class Features:
    """What a model learns from, of every record of the original.

    Attributes
    ----------
    values : float64 array, records x columns
        A number (NaN where there is none), or the code of a category.
    is_number : bool array, per column
        Whether it holds numbers.
    """

    values: np.ndarray
    is_number: np.ndarray


def features(both: Alongside, names: Sequence[str]) -> tuple[Features, Features]:
    """The columns of every record of the original, as they were and as the release would have them.

    Parameters
    ----------
    both : Alongside
        Original and release.
    names : Sequence[str]
        Columns that are in both.

    Returns
    -------
    original, released : Features
    """
    return as_they_were(both, names), as_released(both, names)


def as_they_were(both: Alongside, names: Sequence[str]) -> Features:
    """Columns of the original, of every record of it."""
    return _table([_feature(both.before(name), both.original.held.values(name)) for name in names])


def as_released(both: Alongside, names: Sequence[str]) -> Features:
    """Columns that leave as the release would have them, of every record of the original.

    A record that is not in the release has the labels that its values mostly have there, so that a model that learnt
    from the release can be asked about it. A label that is not known is a category of its own, which no model knows.
    """
    columns = []
    for name in names:
        column = both.column(name)
        recoded = column.label_of[both.before(name)]  # as released, else as its value mostly was
        recoded[both.rows] = both.after(name)
        columns.append(_feature(recoded, column.labels))
    return _table(columns)


def as_newcomers(both: Alongside, names: Sequence[str]) -> Features:
    """Columns that leave as the release would have them of somebody new: by the label that a value mostly has."""
    feature_columns = []
    for name in names:
        column = both.column(name)
        feature_columns.append(_feature(column.label_of[both.before(name)], column.labels))
    return _table(feature_columns)


def _feature(codes: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, bool]:
    """A column's values, and whether they are numbers. Missing is the code after the last label, unknown is -1."""
    places = on_scale(labels)
    return (codes.astype(float), False) if places is None else (np.append(places, np.nan)[codes], True)


def _table(columns: list[tuple[np.ndarray, bool]]) -> Features:
    values = np.column_stack([values for values, _ in columns])
    return Features(values, np.array([is_number for _, is_number in columns], dtype=bool))


MOST_CATEGORIES = 30  # of a column; the rarest are one
_ROUNDS, _FEWEST_ROUNDS, _TREES = 60, 20, 240  # of boosting, each a tree for every value where there are more than two
_RATE = 0.1  # of learning; larger steps lead astray where there are many values
_STEPS = 200


def fitted(make: Callable[..., Any], table: Features, rows: np.ndarray, target: np.ndarray, seed: int) -> Any:
    """A model that learnt from some records.

    Parameters
    ----------
    make : Callable[..., Any]
        One of :data:`MODELS`.
    table : Features
        What it learns from: numbers, and codes of categories.
    rows : np.ndarray
        Positions of the records.
    target : np.ndarray
        Per record of the table, the code of what is to be predicted.
    seed : int
        Of its draws.

    Returns
    -------
    A fitted estimator of scikit-learn; where all records have one value, the one that always says it.
    """
    # Loading it takes a second, which only who asks for a prediction should wait.
    from sklearn.dummy import DummyClassifier

    known = target[rows]
    model = make(table, int(known.max()) + 1, seed) if (known != known[0]).any() else DummyClassifier()
    with _quietly_on_one_core():
        return model.fit(table.values[rows], known)


def probabilities(model: Any, table: Features, rows: np.ndarray, n_values: int) -> np.ndarray:
    """How likely a model takes each value to be.

    Parameters
    ----------
    model : Any
        Fitted.
    table : Features
        What the model looks at, coded.
    rows : np.ndarray
        Which of its records the model is asked about.
    n_values : int
        Values that there are; one that it never met has probability 0.

    Returns
    -------
    float64 array, records x values
    """
    likely = np.zeros((len(rows), n_values))
    with _quietly_on_one_core():
        likely[:, model.classes_] = model.predict_proba(table.values[rows])
    return likely


@contextmanager
def _quietly_on_one_core() -> Iterator[None]:
    """Without warnings that a model could learn for longer, or meets categories that it does not know."""
    from threadpoolctl import threadpool_limits

    # Without this scikit-learn starts a program to count the cores of the machine, and the app starts none.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def logistic_regression(table: Features, n_values: int, seed: int) -> Any:
    """Logistic regression on standardized numbers and one column of 0 and 1 for each of the 30 commonest categories."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(
        SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True), StandardScaler()
    )
    categories = OneHotEncoder(max_categories=MOST_CATEGORIES, handle_unknown="infrequent_if_exist")
    prepare = ColumnTransformer(
        [("numbers", numbers, np.flatnonzero(table.is_number)), ("rest", categories, np.flatnonzero(~table.is_number))]
    )
    return make_pipeline(prepare, LogisticRegression(max_iter=_STEPS, random_state=seed))


def gradient_boosting(table: Features, n_values: int, seed: int) -> Any:
    """Gradient boosting of trees on the numbers as they are and the 30 commonest categories of each other column."""
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    categories = OrdinalEncoder(
        max_categories=MOST_CATEGORIES, handle_unknown="use_encoded_value", unknown_value=np.nan
    )
    prepare = ColumnTransformer(
        [
            ("numbers", "passthrough", np.flatnonzero(table.is_number)),
            ("rest", categories, np.flatnonzero(~table.is_number)),
        ]
    )
    rounds = rounds_of(n_values)
    behind = np.arange(len(table.is_number)) >= table.is_number.sum()  # categories come last
    return make_pipeline(
        prepare,
        HistGradientBoostingClassifier(
            max_iter=rounds,
            learning_rate=_RATE,
            categorical_features=behind,
            early_stopping=False,
            random_state=seed,
        ),
    )


def rounds_of(n_values: int) -> int:
    """Rounds of boosting for so many values: fewer where each round is many trees."""
    return _ROUNDS if n_values <= 2 else min(_ROUNDS, max(_FEWEST_ROUNDS, _TREES // n_values))


MODELS: dict[str, Callable[[Features, int, int], Any]] = {
    "logistic regression": logistic_regression,
    "gradient boosting": gradient_boosting,
}


def auc(target: np.ndarray, likely: np.ndarray) -> float:
    """Area under the ROC curve, one value against the rest, averaged by how often values occur.

    For a value it is the chance that a record that has it is taken to be likelier to than one that does not, ties
    counting half (Fawcett 2006).

    Parameters
    ----------
    target : np.ndarray
        Per record the code of its value.
    likely : np.ndarray
        Records x values, how likely each value is taken to be.

    Returns
    -------
    float
        0.5 (chance) to 1 (always right), less where it is wrong more often than chance; NaN where all records have one
        value.
    """
    counts = np.bincount(target, minlength=likely.shape[1])
    total = 0.0
    for value in np.flatnonzero(counts):
        mine, n = target == value, int(counts[value])
        if n == len(target):
            return float("nan")
        above = ranks_of(likely[:, value])[mine].sum() - n * (n + 1) / 2
        total += above / (len(target) - n)
    return float(total / len(target))
