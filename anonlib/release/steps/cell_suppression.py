"""The step that meets guarantees by leaving single cells blank, only as many as they need."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anonlib.analyses.generalization.search.cell_suppression import (
    CellSuppressionTask,
    SuppressedCells,
    Worth,
    blanks_in,
)
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.generalization.whole_classes import checked_weights, most_left_out
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.privacy_models import PrivacyModel, privacy_model_from_dict, privacy_model_to_dict
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.dataset import Dataset
from anonlib.release.steps.of_cells import OfCells, listed, worth_from_dict, worth_to_dict
from anonlib.release.steps.of_population import CellsOfData
from anonlib.release.steps.step import Scope, Stage, Step, Unseen

NEEDS_VALUES = (
    "Cells cannot be left blank where records that lack a quasi-identifier are left out: those with a blank cell would "
    "be too. Let a missing value count as a value of its own (Data page)."
)


@dataclass(frozen=True, eq=False)
class BlankCells(OfCells, Step):
    """Leave single cells of some columns blank, as few as guarantees need; the others stay as they are.

    A blank cell is an empty one, as a missing value is, and counts as the same value. The cells are found again from
    the data that the step is applied to, always the same for the same data.

    Attributes
    ----------
    blankable : tuple[str, ...]
        The columns whose cells may be blank, each once.
    guarantees : tuple[PrivacyModel, ...]
        What must hold: each of these columns is known in one, and none of them sensitive.
    left_out_limit : float
        The share of the records, in [0, 1], that may be left out.
    reason : str
        Why.
    column_weights : tuple[tuple[str, float], ...], default ()
        How much columns matter, 0 to 3; those that are not named have 1.
    worth : Worth
        By column, the share of its detail, in [0, 1], that each label still has: cells that are worth little are blank
        rather than others. 1 where a label is not named.
    coin : Coin, optional
        As in :class:`.GeneralizeLocally`: where values refuse fewer blanks, a coin of this chance refuses them too.
    """

    blankable: tuple[str, ...]
    guarantees: tuple[PrivacyModel, ...]
    left_out_limit: float = 0.0
    reason: str = ""
    column_weights: tuple[tuple[str, float], ...] = ()
    worth: Worth = ()
    coin: Coin | None = None
    kind = "blank_cells"
    stage = Stage.GUARANTEES
    gives_way_to = Scope.POLICY
    labels_by = "cell"

    def __post_init__(self) -> None:
        checks.text(self.reason, "The reason")
        most_left_out(self.left_out_limit, 0)
        object.__setattr__(self, "left_out_limit", float(self.left_out_limit))
        names = [checks.text(name, "The name of a column") for name in self.blankable]
        if not names or len(set(names)) < len(names):
            raise InputError("Name at least one column whose cells may be blank, and each once.", code="choice-missing")
        if not self.guarantees:
            raise InputError(
                "State at least one criterion: which columns, and how many records must share them.",
                code="guarantee-missing",
            )
        if not set(names) <= self.known:
            raise InputError(
                "Only cells of a column that a criterion takes to be known can be blank.",
                code="column-not-in-guarantee",
            )
        if set(names) & {sensitive_of(guarantee) for guarantee in self.guarantees}:
            raise InputError(
                "Cells of a column that is sensitive in a criterion cannot be blank.", code="column-not-in-guarantee"
            )
        if not {name for name, _ in (*self.column_weights, *self.worth)} <= set(names):
            raise InputError("Only a column whose cells may be blank can have a weight.", code="weight-of-other-column")
        checked_weights(dict(self.column_weights))
        if any(not 0 <= share <= 1 for _, labels in self.worth for _, share in labels):
            raise InputError(
                "What a label is worth is a share of its column’s detail: between 0 and 1.", code="number-out-of-range"
            )

    @property
    def recodes(self) -> tuple[str, ...]:
        return self.blankable

    def describe(self) -> str:
        coin = "" if self.coin is None else f"; {self.coin.in_words}"
        return f"Leave cells of {self.named} blank{self.asked_in_words}{self.weights_in_words}{coin}"

    def apply(self, dataset: Dataset) -> Dataset:
        return self.labelled(dataset.with_counted(), self._prepared)

    def cells_of(self, dataset: Dataset) -> CellsOfData:
        classes = self.counted_classes(dataset)
        cells = self.found(dataset)
        if cells is None:
            raise InputError(
                f"Even with every cell of these columns blank, too many of {classes.n_records:,} records violate what "
                f"is asked, and {most_left_out(self.left_out_limit, classes.n_records):,} may be left out. Let cells "
                "of more columns be blank, let more records be left out, or ask for less.",
                code="nothing-satisfies",
            )
        blank = {name: cells.blank[:, j].astype(np.int16) for j, name in enumerate(cells.columns)}
        return CellsOfData(classes, cells.kept, blank)

    def labels_at(self, name: str, values: np.ndarray) -> np.ndarray:
        as_it_is = np.append(values, [None])
        return np.vstack([as_it_is, np.full(len(as_it_is), None)])

    def found(self, dataset: Dataset, progress: Progress | None = None) -> SuppressedCells | None:
        """The blank cells of a data set of which each record counts, by its classes; None where too many would go."""
        self.check_missing(dataset)
        classes = self.counted_classes(dataset)
        names = tuple(name for name in classes.attributes if name in self.blankable)
        most = most_left_out(self.left_out_limit, classes.n_records)
        return blanks_in(
            classes,
            CellSuppressionTask(names, self.guarantees, most, dict(self.column_weights), self.worth, self.coin),
            progress=progress,
        )

    def check_missing(self, dataset: Dataset) -> None:
        """Raises InputError where records that lack a value of these columns are left out of every count."""
        if dataset.missing == "drop" and set(self.blankable) & set(dataset.quasi_identifiers):
            raise InputError(NEEDS_VALUES, code="records-in-a-database")

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        """None: every value can be left blank."""
        return ()

    @property
    def n_named(self) -> int:
        return sum(len(labels) for _, labels in self.worth)

    def without_named(self, may_tell: Callable[[str], bool]) -> BlankCells:
        """Without what labels are worth other cells are blank, but its guarantees hold all the same."""
        worth = tuple(pair for pair in self.worth if may_tell(pair[0]))
        return self if worth == self.worth else replace(self, worth=worth)

    @property
    def _prepared(self) -> str:
        """Names the step among what was done to the data, which decides the order of released rows."""
        return json.dumps({**self.to_dict(), "reason": ""})

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        if alongside is None:
            raise InputError(
                "Cells of a population table can be left blank along with those of the data only.",
                code="population-not-recodable",
            )
        return self.labelled_alike(population, alongside, self._prepared)

    def to_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "kind": self.kind,
            "columns": list(self.blankable),
            "guarantees": [privacy_model_to_dict(guarantee) for guarantee in self.guarantees],
            "left_out_limit": self.left_out_limit,
        }
        if self.column_weights:
            values["column_weights"] = dict(self.column_weights)
        if self.worth:
            values["worth"] = worth_to_dict(self.worth)
        if self.coin is not None:
            values["coin"] = self.coin.to_dict()
        return {**values, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> BlankCells:
        weights = values.get("column_weights", {})
        if not isinstance(weights, dict):
            raise InputError("The weights of columns must be given by their names.", code="weight-of-other-column")
        return cls(
            tuple(listed(values["columns"], "columns")),
            tuple(privacy_model_from_dict(guarantee) for guarantee in listed(values["guarantees"], "guarantees")),
            checks.number(values.get("left_out_limit", 0.0), "What may be left out"),
            values.get("reason", ""),
            tuple(weights.items()),
            worth_from_dict(values.get("worth", {})),
            Coin.from_dict(values["coin"]) if "coin" in values else None,
        )
