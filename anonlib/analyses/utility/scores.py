"""What came of predicting a column: how well each model did, and what that means for an analyst."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.utility.in_words import named
from anonlib.basics.words import count, percent

Source = Literal["original", "release"]
COMMONEST = "commonest value"


@dataclass(frozen=True)
class Score:
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
    scores : tuple[Score, ...]
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
    scores: tuple[Score, ...]

    def best(self, learnt_from: Source) -> Score:
        """The model of the greater area under the curve, of those that learnt from this."""
        return max((score for score in self._models if score.learnt_from == learnt_from), key=lambda score: score.auc)

    @property
    def commonest(self) -> Score:
        """What always saying the commonest value comes to."""
        return next(score for score in self.scores if score.model == COMMONEST)

    @property
    def _models(self) -> list[Score]:
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
