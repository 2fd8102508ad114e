"""Steps that a search for a generalization adds to the recipe: local recoding, and leaving out what violates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from anonlib import checks
from anonlib.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.generalization import Generalization, LDiversity, Problem, Requirement, TCloseness, solve
from anonlib.generalization.requirements import checked_weights, most_suppressed
from anonlib.hierarchies import Hierarchy
from anonlib.recoding import untouched
from anonlib.release.steps import (
    Decision,
    Step,
    Suppress,
    Unseen,
    check_column,
    keep_records,
    recoding_from_dict,
    recoding_to_dict,
    unseen_in,
)
from anonlib.values import text_categorical

Rule = LDiversity | TCloseness
_RULES: dict[str, type[LDiversity] | type[TCloseness]] = {"l-diversity": LDiversity, "t-closeness": TCloseness}


@dataclass(frozen=True)
class SuppressViolating(Step):
    """Leave out the records in groups that violate requirements, until none does."""

    requirements: tuple[Requirement, ...]
    rules: tuple[Rule, ...] = ()
    reason: str = ""
    kind: ClassVar[str] = "suppress_violating"

    def __post_init__(self) -> None:
        checks.text(self.reason, "The reason")

    def describe(self) -> str:
        return f"Suppress records without {_in_words(self.requirements, self.rules)}"

    def apply(self, dataset: Dataset) -> Dataset:
        dataset = counted_records(dataset)
        classes = _classes(dataset, self.requirements, self.rules)
        problem = Problem(classes, {}, self.requirements, suppression_limit=1.0, **_by_kind(self.rules))
        kept = problem.kept(problem.full, (), problem.violating(problem.full, ())[0])
        return keep_records(dataset, _of_records(classes, kept), repr(self))

    def apply_to_population(self, population: Dataset) -> Dataset:
        return population

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **_demands_to_dict(self.requirements, self.rules), "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SuppressViolating:
        return cls(*_demands_from_dict(values), values.get("reason", ""))


@dataclass(frozen=True)
class GeneralizeLocally(Step):
    """Recode each part of the data along hierarchies only as far as the requirements need (Mondrian).

    The parts are found anew from the data that the step is applied to, always the same for the same data. ``kept`` are
    a column and a value each that its hierarchy does not apply to (a text among ages) and that nonetheless is released
    as it is where its part needs no more: it was there when the step was made, or somebody decided so.
    ``column_weights`` say how much columns matter, 0 to 3; those that are not named have 1.
    """

    hierarchies: tuple[tuple[str, Hierarchy], ...]
    requirements: tuple[Requirement, ...]
    rules: tuple[Rule, ...] = ()
    suppression_limit: float = 0.0
    reason: str = ""
    kept: tuple[tuple[str, str], ...] = ()
    column_weights: tuple[tuple[str, float], ...] = ()
    kind: ClassVar[str] = "generalize_locally"

    def __post_init__(self) -> None:
        checks.text(self.reason, "The reason")
        most_suppressed(self.suppression_limit, 0)
        names = [name for name, _ in self.hierarchies]
        if not {name for name, _ in self.column_weights} <= set(names):
            raise InputError("Only a column that has a hierarchy can have a weight.")
        checked_weights(dict(self.column_weights))
        known = {name for requirement in self.requirements for name in requirement.attributes}
        if len(set(names)) < len(names) or not set(names) <= known:
            raise InputError("Each column in a requirement can have one hierarchy, and no other column any.")

    def describe(self) -> str:
        names = ", ".join(name for name, _ in self.hierarchies)
        weights = ", ".join(f"{name} {weight:g}" for name, weight in self.column_weights)
        return f"Generalize {names} part by part to {_in_words(self.requirements, self.rules)}" + (
            f" (weights: {weights})" if weights else ""
        )

    def apply(self, dataset: Dataset) -> Dataset:
        recoded, kept = self._recoded(counted_records(dataset))
        return keep_records(dataset.with_frame(recoded, repr(self)), kept, "")

    @property
    def recodes(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.hierarchies)

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        """As of every step; one value can have several labels."""
        dataset = counted_records(before)
        recoded, kept = after.records, np.ones(dataset.n_records, dtype=bool)
        if after.n_records < dataset.n_records:  # which records those are takes the search again
            recoded, kept = self._recoded(dataset)
        tables = []
        for name, _ in self.hierarchies:
            pairs = pd.DataFrame({"value": dataset.records[name].array, "released as": recoded[name].array})[kept]
            counted = ClassTable.from_frame(pairs).to_frame("records")
            tables.append((name, counted))
        return tables

    def knowing(self, dataset: Dataset) -> GeneralizeLocally:
        """The step made for this data: values there that a hierarchy does not apply to are kept as they are."""
        made = replace(self, kept=())
        kept = [(found.column, value) for found in made.unseen(dataset) for value in found.values]
        return replace(self, kept=tuple(kept))

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        found: list[Unseen] = []
        for name, hierarchy in self.hierarchies:
            check_column(before, name)
            column = before.records[name]
            values = column.cat.categories
            uncovered = np.zeros(len(values), dtype=bool)
            for recoding in hierarchy.recodings:
                uncovered |= untouched(recoding, values)
            uncovered &= np.array([(name, value) not in self.kept for value in values], dtype=bool)
            found += unseen_in(column, uncovered)
        return tuple(found)

    def decisions(self, unseen: Unseen) -> tuple[Decision, ...]:
        return ("keep",)

    def decided(self, unseen: Unseen, decision: Decision) -> GeneralizeLocally:
        return replace(self, kept=(*self.kept, *((unseen.column, value) for value in unseen.values)))

    def _recoded(self, dataset: Dataset) -> tuple[pd.DataFrame, np.ndarray]:
        """The frame with every record's labels, and which records are kept."""
        names = [name for name, _ in self.hierarchies]
        for name in names:
            if name in (dataset.person_id, dataset.weight):
                raise InputError(f"“{name}” is what persons are counted by and cannot be generalized. Drop it instead.")
        classes = _classes(dataset, self.requirements, self.rules)
        problem = Problem(
            classes, dict(self.hierarchies), self.requirements, suppression_limit=self.suppression_limit,
            attribute_weights=dict(self.column_weights), **_by_kind(self.rules),
        )  # fmt: skip
        found = solve(problem, "mondrian")
        columns = {name: _labels(dataset, found, j) for j, name in enumerate(found.attributes)}
        return dataset.records.assign(**columns), _of_records(classes, found.kept)

    def apply_to_population(self, population: Dataset) -> Dataset:
        raise InputError("A population table cannot be recoded part by part.")

    def to_dict(self) -> dict[str, Any]:
        ways = [
            {"column": name, "levels": [recoding_to_dict(recoding) for recoding in hierarchy.recodings]}
            for name, hierarchy in self.hierarchies
        ]
        demands = _demands_to_dict(self.requirements, self.rules)
        more: dict[str, Any] = {"suppression_limit": self.suppression_limit}
        more["kept"] = [list(pair) for pair in self.kept]
        if self.column_weights:
            more["column_weights"] = dict(self.column_weights)
        return {"kind": self.kind, "hierarchies": ways, **demands, **more, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> GeneralizeLocally:
        ways = tuple(
            (
                checks.text(way["column"], "The name of a column"),
                Hierarchy(
                    tuple(recoding_from_dict(level) for level in _listed(way["levels"], "levels of a hierarchy"))
                ),
            )
            for way in _listed(values["hierarchies"], "hierarchies")
        )
        limit = checks.number(values.get("suppression_limit", 0.0), "The suppression limit")
        kept = tuple(
            (checks.text(column, "The name of a column"), checks.text(value, "Each value kept"))
            for column, value in _listed(values.get("kept", []), "values that are kept")
        )
        weights = values.get("column_weights", {})
        if not isinstance(weights, dict):
            raise InputError("The weights of columns must be given by their names.")
        return cls(ways, *_demands_from_dict(values), limit, values.get("reason", ""), kept, tuple(weights.items()))


def suppresses(step: Step) -> bool:
    """Whether a step leaves records out: recodings come before it."""
    return isinstance(step, Suppress | SuppressViolating | GeneralizeLocally)


def counted_records(dataset: Dataset) -> Dataset:
    """The records that a search counts: under the missing-value policy "drop", those with every quasi-identifier.

    The others are in no release. What is missing elsewhere, in a sensitive column or one that only a requirement
    names, leaves no record out of the release, and is a value of its own to the search.
    """
    if dataset.missing != "drop" or not dataset.quasi_identifiers:
        return dataset
    kept = dataset.classes().size_of_record > 0
    return dataset if kept.all() else keep_records(dataset, kept, "left out")


def _labels(dataset: Dataset, found: Generalization, j: int) -> pd.Categorical:
    """Every record's label of an attribute, at the level of its class."""
    name, classes = found.attributes[j], found.problem.classes
    column = dataset.records[name]
    levels = found.problem.hierarchies[name].on([*column.cat.categories, None], name)
    class_of_record = classes.class_of_record
    assert class_of_record is not None
    level = np.append(found.cell_levels[:, j], 0)[class_of_record]  # a record in no class is left out
    codes = column.cat.codes.to_numpy()  # -1, missing, is the last one
    labels = np.vstack([levels.label(i) for i in range(levels.n_levels)])[level, codes]
    return text_categorical(labels)


def _classes(dataset: Dataset, requirements: tuple[Requirement, ...], rules: tuple[Rule, ...]) -> ClassTable:
    named = [name for requirement in requirements for name in requirement.attributes]
    named += [rule.attribute for rule in rules]
    for name in named:
        check_column(dataset, name)
    # In the file's order, as the search has them: which of two columns is split first depends on it.
    return dataset.with_missing("category").classes([name for name in dataset.columns if name in named])


def _of_records(classes: ClassTable, kept: np.ndarray) -> np.ndarray:
    """bool, per record: its class is kept. A record in none, with a weight of 0, stands for nobody and is not."""
    assert classes.class_of_record is not None
    return np.append(kept, False)[classes.class_of_record]


def _by_kind(rules: tuple[Rule, ...]) -> dict[str, Any]:
    return {
        "l_diversity": tuple(rule for rule in rules if isinstance(rule, LDiversity)),
        "t_closeness": tuple(rule for rule in rules if isinstance(rule, TCloseness)),
    }


def _in_words(requirements: tuple[Requirement, ...], rules: tuple[Rule, ...]) -> str:
    said = [f"k = {requirement.k} on {', '.join(requirement.attributes)}" for requirement in requirements]
    said += [
        f"{rule.l:g} {'distinct ' if rule.kind == 'distinct' else ''}values of {rule.attribute}"
        + ("" if rule.kind == "distinct" else " by entropy")
        if isinstance(rule, LDiversity)
        else f"{rule.attribute} within t = {rule.t:g}"
        for rule in rules
    ]
    return " and ".join(said)


def _demands_to_dict(requirements: tuple[Requirement, ...], rules: tuple[Rule, ...]) -> dict[str, Any]:
    names = {way: name for name, way in _RULES.items()}
    return {
        "requirements": [{"attributes": list(r.attributes), "k": r.k} for r in requirements],
        "rules": [{"kind": names[type(rule)], "rule": asdict(rule)} for rule in rules],
    }


def _listed(given: Any, what: str) -> list:
    if not isinstance(given, list):
        raise InputError(f"The {what} must be a list.")
    return given


def _demands_from_dict(values: Mapping[str, Any]) -> tuple[tuple[Requirement, ...], tuple[Rule, ...]]:
    requirements = tuple(
        Requirement(tuple(_listed(given["attributes"], "columns of a requirement")), given["k"])
        for given in _listed(values["requirements"], "requirements")
    )
    if not requirements:
        raise InputError("State at least one requirement: which columns, and how many records must share them.")
    return requirements, tuple(
        _RULES[given["kind"]](**given["rule"]) for given in _listed(values.get("rules", []), "rules")
    )
