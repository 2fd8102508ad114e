"""What the officer asks on the Generalize page, and the problem that it is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from anonlib.analyses.generalization import Method, Objective, WholeClasses
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import label_of_missing
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel
from anonlib.dataset import Dataset

METHODS: dict[Method, str] = {
    "optimal": "Same coarseness for everyone", "blanks": "Single cells blank", "parts": "Mixed coarseness",
    "iab": "IAB", "greedy": "Greedy", "exhaustive": "Exhaustive",
}  # fmt: skip
PAPERS: dict[Method, str] = {"exhaustive": "Method 1", "greedy": "Method 2", "iab": "“Ours”"}
"""What Arca and Hewett 2021 call these methods."""
BETTER: Literal["better"] = "better"
Way = Method | Literal["better"]
WAYS: dict[Way, str] = {BETTER: "Same or mixed coarseness"} | METHODS  # type: ignore[assignment,operator]
OBJECTIVES: dict[Objective, str] = {
    "cell_loss": "detail of cells",
    "rows": "distinct rows",
    "classes": "classes",
    "entropy": "information (entropy)",
    "discernibility": "small classes",
}
OF_CELLS = ("blanks", "parts")  # methods that lose cells, whatever the objective
WEIGHED = ("cell_loss", "entropy")  # objectives that add up over columns


def leave(data: Dataset) -> list[str]:
    """The columns that leave as they are or coarser, and so make a row: all but ids and weights."""
    apart = {*data.identifiers, data.person_id, data.weight}
    return [name for name in data.columns if name not in apart]


@dataclass(frozen=True)
class GeneralizeQuestion:
    """One search: what must hold, what may be done for it, and what is to be kept.

    ``guarantees`` are how many share which columns, and what must hold of sensitive ones in their classes; ``columns``
    are those that rows are counted of; ``limit`` is the share of the records that may be left out; ``weights`` are of
    the columns that matter more or less than usual.
    """

    guarantees: tuple[PrivacyModel, ...]
    hierarchies: tuple[tuple[str, Hierarchy], ...]
    columns: tuple[str, ...]
    objective: Objective
    limit: float
    weights: tuple[tuple[str, float], ...] = ()

    @cached_property
    def key(self) -> str:
        """Names the question: the same key, the same answer of the same data."""
        keys = tuple((name, hierarchy.key) for name, hierarchy in self.hierarchies)
        rest = replace(self, hierarchies=())
        return hashlib.sha256(repr((keys, rest)).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def shield(self) -> list[str]:
        """The columns that may be known, each once."""
        return list(dict.fromkeys(name for guarantee in self.guarantees for name in guarantee.columns))

    @property
    def shared(self) -> tuple[KAnonymity, ...]:
        """How many share which columns: the guarantees on screen."""
        return tuple(guarantee for guarantee in self.guarantees if isinstance(guarantee, KAnonymity))

    @property
    def plain(self) -> GeneralizeQuestion:
        """The question without what can be tried out quickly: its problem has the same table."""
        return replace(self, guarantees=self.shared, objective="rows", limit=0.0, weights=())

    def on(self, data: Dataset, like: WholeClasses | None = None) -> WholeClasses:
        """The problem it states of a data set.

        Parameters
        ----------
        data : the records.
        like : a problem of the same data and columns, whose table is used again.

        Raises
        ------
        InputError
            Where it cannot be stated.
        """
        if like is None:
            _refuse_labels(data, self.hierarchies)
            classes = self._counted(data)
        else:
            classes = like.classes
        return WholeClasses(
            classes, dict(self.hierarchies), self.guarantees, left_out_limit=self.limit,
            objective=self.objective, attribute_weights=dict(self.weights), like=like,
        )  # fmt: skip

    def _counted(self, data: Dataset) -> ClassTable:
        try:
            return data.with_counted().with_missing("category").classes(list(self.columns))
        except InputError as error:
            if error.code != "too-many-combinations":
                raise
            raise InputError(
                f"{error} Or take some out of “Other columns that make a row”, under “More”.", code=error.code
            ) from None


def _refuse_labels(data: Dataset, hierarchies: tuple[tuple[str, Hierarchy], ...]) -> None:
    """Refuse labels, or missing ones, with which the release would have other groups than the search counts."""
    if data.missing != "drop" and data.person_id is None:
        return
    for name, hierarchy in hierarchies:
        labels = hierarchy.on(data.held.values(name), name).labels[1:]
        of_missing = [label_of_missing(recoding) for recoding in hierarchy.recodings]
        for level, (labelled, label) in enumerate(zip(labels, of_missing, strict=True), start=1):
            if data.missing == "drop" and name in data.quasi_identifiers and None in labelled:
                raise InputError(
                    f"Level {level} of the hierarchy of “{name}” leaves a value without a label, and records with a "
                    "missing quasi-identifier are left out (Data page). Give every value a label.",
                    code="hierarchy-does-not-cover",
                    column=name,
                )
            if label is not None and {*labelled} - {label} and data.has_partly_missing(name):
                raise InputError(
                    f"Level {level} of the hierarchy of “{name}” gives missing cells a label, but where persons are "
                    "counted a missing cell gives way to what other rows of the person say. Clear that label, or give "
                    "it to all values.",
                    code="hierarchy-does-not-cover",
                    column=name,
                )
