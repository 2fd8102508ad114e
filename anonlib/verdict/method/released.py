"""Persons of a file beside their released labels, as the certificate counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonlib.analyses.generalization.certificate import (
    NOT_RELEASED,
    FinerLabels,
    Released,
    ReleasedLabels,
    ReleasedPersons,
    ReleasedValues,
    kinds_of,
)
from anonlib.analyses.generalization.search.lattice import Node
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.privacy_models import CodedRows, columns_of
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.verdict.method.question import Method
from anonlib.verdict.together import Release


@dataclass(frozen=True, eq=False)
class RowsBesideRelease:
    """The distinct rows of what a search protects, each with its labels in the release.

    Attributes
    ----------
    problem : Problem
        What was searched, of these rows, with a column more that holds the released class of each.
    persons : ReleasedPersons
        The same rows with what is released of them.
    labels : Mapping[str, np.ndarray]
        By released column that is known or sensitive, intp, an item a row: the code of its label; -1 where it is left
        out.
    label_of : Mapping[str, np.ndarray]
        By such a column, the label of each code (object array, None = missing).
    """

    problem: Problem
    persons: ReleasedPersons
    labels: Mapping[str, np.ndarray]
    label_of: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, applied: Applied, recipe: Recipe, method: Method) -> RowsBesideRelease:
        """The rows of a release.

        Raises
        ------
        InputError
            When the release is not known to be made of the original.
        """
        base, released = recipe.to_protect(applied.original).with_counted(), applied.released
        known, sensitive = base.quasi_identifiers, base.sensitive
        chosen = {*known, *sensitive, *columns_of(method.guarantees)}
        names = [name for name in base.columns if name in chosen]
        shown = [name for name in names if name in released.columns and name in {*known, *sensitive}]
        weight = [released.weight] if released.weight is not None else []
        old = {name: unused_name(f"{name} before", released.held.columns) for name in names}
        both = released.with_columns_of(base, old)
        left = ClassTable.from_records(
            both.held, [*old.values(), *shown, *weight], both.weight, "category", both.person_id
        )
        everybody = ClassTable.from_records(base.held, names, base.weight, "category", base.person_id)
        codes, counts, of_left = _joined(everybody, left, len(names))
        by_labels = [left.attributes.index(name) for name in (*(n for n in shown if n in known), *weight)]
        in_class, first = group(left.codes[:, by_labels], [len(left.categories[j]) for j in by_labels])
        is_left = of_left >= 0
        in_release = np.full(len(counts), NOT_RELEASED, dtype=np.intp)
        in_release[is_left] = in_class[of_left[is_left]]
        labels, label_of = dict[str, np.ndarray](), dict[str, np.ndarray]()
        for name in shown:
            j = left.attributes.index(name)
            labels[name] = np.full(len(counts), -1, dtype=np.intp)
            labels[name][is_left] = left.codes[of_left[is_left], j]
            label_of[name] = left.categories[j]
        beside = unused_name("released class", names)
        table = ClassTable(
            (*names, beside),
            (*everybody.categories, np.array([*map(str, range(len(first))), None], dtype=object)),
            np.column_stack([codes, np.where(is_left, in_release, len(first))]).astype(np.int32),
            counts,
        )
        hierarchies = {name: hierarchy for name, hierarchy in method.hierarchies.items() if name in names}
        problem = Problem(
            table, hierarchies, method.guarantees, suppression_limit=method.most_left_out,
            weights={**method.weights, beside: 0.0}, divisible=base.weight is None,
            unnamed=[name for name in names if not base.may_be_named(name)],
        )  # fmt: skip
        spared = Release(applied, recipe, method.harmless)
        columns = {
            name: _values(labels[name], label_of[name], counts, spared.harmless(name))
            for name in shown
            if name in sensitive
        }
        persons = ReleasedPersons(counts, in_release, columns, frozenset(chosen.difference(sensitive)))
        return cls(problem, persons, labels, label_of)

    # ---- the release among the nodes ----

    @cached_property
    def node(self) -> Node | None:
        """The node that the release is at; None where its labels are on no levels of the hierarchies."""
        levels = [self._level(name) for name in self.problem.columns]
        return None if None in levels or self._otherwise else tuple(level for level in levels if level is not None)

    @cached_property
    def _otherwise(self) -> dict[str, np.ndarray]:
        """By column that no search coarsens and that is coarser all the same, what its values lose."""
        problem, lost = self.problem, dict[str, np.ndarray]()
        for name in self.labels:
            if name not in problem.columns:
                loss = self._loss_of_labels(name, len(problem.rows.labels[name]))
                if loss.any():
                    lost[name] = loss
        return lost

    def _level(self, name: str) -> int | None:
        """The level whose labels are those of the release, else the finest that puts the same values together."""
        levels, value, label = self.problem.levels[name], self._values_of(name), self.labels.get(name)
        if label is None:
            return self.problem.highest[self.problem.columns.index(name)]
        is_left = label >= 0
        _, first = kinds_of([value[is_left], label[is_left]])
        pairs = np.column_stack([value[is_left][first], label[is_left][first]])
        texts = self.label_of[name][pairs[:, 1]]
        for level in range(levels.n_levels):
            if all(mine == theirs for mine, theirs in zip(levels.label(level)[pairs[:, 0]], texts, strict=True)):
                return level
        for level in range(levels.n_levels):
            groups = levels.group[level][pairs[:, 0]]
            both = len(kinds_of([groups, pairs[:, 1]])[1])
            if both == len(np.unique(groups)) == len(np.unique(pairs[:, 1])):
                return level
        return None

    def _values_of(self, name: str) -> np.ndarray:
        return self.problem.rows.codes_at(name, 0)

    def release(self, for_values: bool) -> Released:
        """What the release loses."""
        problem, counts = self.problem, self.problem.counts
        is_left = self.persons.released >= 0
        n_gone = int(counts[~is_left].sum())
        cells = n_gone * problem.fixed_worth
        for j, name in enumerate(problem.columns):
            value = self._values_of(name)
            cells += float((counts * problem.losses.of_left_out(j)[value])[~is_left].sum())
            lost = (
                problem.losses.of_values(j, self.node[j])
                if self.node is not None
                else problem.weights[name] * self._loss_of_labels(name, problem.levels[name].n_values)
            )
            cells += float((counts * lost[value])[is_left].sum())
        for name, lost in self._otherwise.items():
            cells += problem.weights[name] * float((counts * lost[self._values_of(name)])[is_left].sum())
        return Released(problem.share(cells), n_gone, self.node, for_values)

    def _loss_of_labels(self, name: str, n_values: int) -> np.ndarray:
        """float per value: (values with its label - 1) / (values - 1), of the label that most lose by."""
        value, label = self._values_of(name), self.labels.get(name)
        if label is None:
            return np.ones(n_values)
        is_left = label >= 0
        _, first = kinds_of([value[is_left], label[is_left]])
        pairs = np.column_stack([value[is_left][first], label[is_left][first]])
        together = np.bincount(pairs[:, 1])[pairs[:, 1]]
        lost = np.zeros(n_values)
        np.maximum.at(lost, pairs[:, 0], (together - 1) / max(1, n_values - 1))
        return lost

    # ---- the release part by part ----

    def parts(self, blank: Sequence[str]) -> tuple[ReleasedLabels, ReleasedPersons, np.ndarray]:
        """Its labels with those of finer levels, its persons, and the rows that these are of.

        ``blank`` are the columns of which single cells are blank: finer is what the other cells of a value are.
        """
        persons = self.persons
        rows = np.flatnonzero(persons.released >= 0)
        codes = {name: of_row[rows] for name, of_row in self.labels.items()}
        label_of, finer = dict(self.label_of), list[FinerLabels]()
        for j, name in enumerate(self.problem.columns):
            if name not in codes or name not in persons.known or not (self.problem.highest[j] or name in blank):
                continue
            code_of = {label: code for code, label in enumerate(label_of[name])}
            value = self._values_of(name)[rows]
            if name in blank:
                texts = [self._not_blank(name, value, codes[name])]
            else:
                texts = [self.problem.levels[name].label(level)[value] for level in range(self.problem.highest[j])]
            for at_level in texts:
                distinct, number = _distinct(at_level)
                for text in distinct:
                    code_of.setdefault(text, len(code_of))
                of_text = np.array([code_of[text] for text in distinct], dtype=np.intp)
                finer.append(FinerLabels(name, of_text[number], joins=name in blank))
            label_of[name] = np.array([*code_of, None], dtype=object)[:-1]
        released = ReleasedPersons(
            persons.counts[rows], persons.released[rows],
            {name: column.at(rows) for name, column in persons.columns.items()}, persons.known,
        )  # fmt: skip
        return ReleasedLabels(CodedRows(codes, label_of, persons.counts[rows]), tuple(finer)), released, rows

    def _not_blank(self, name: str, value: np.ndarray, label: np.ndarray) -> np.ndarray:
        """The label of each cell, of a blank one that of others with its value; its value where all of these are."""
        texts = self.label_of[name][label]
        is_blank = np.array([text is None for text in self.label_of[name]], dtype=bool)[label]
        others = dict(zip(value[~is_blank].tolist(), texts[~is_blank].tolist(), strict=True))
        values = self.problem.levels[name].labels[0]
        blank = np.flatnonzero(is_blank)
        texts[blank] = np.array([others.get(code, values[code]) for code in value[blank].tolist()] + [None])[:-1]
        return texts


def _joined(everybody: ClassTable, left: ClassTable, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of the first ``n`` columns in the codes of everybody, their records, and of each the row that is left, -1 of
    those who are not."""
    of_left = np.empty((left.n_classes, n), dtype=np.int64)
    for j in range(n):
        code_of = {value: code for code, value in enumerate(everybody.categories[j])}
        of_value = np.array([code_of[value] for value in left.categories[j]], dtype=np.int64)
        of_left[:, j] = of_value[left.codes[:, j]]
    spans = [len(values) for values in everybody.categories]
    ids, first = group(np.vstack([everybody.codes, of_left]), spans)
    n_left = sum_by(ids[everybody.n_classes :], len(first), left.counts)
    gone = everybody.counts - n_left[ids[: everybody.n_classes]]
    rows = np.flatnonzero(gone > 0)
    codes = np.vstack([of_left, everybody.codes[rows]])
    counts = np.concatenate([left.counts, gone[rows]])
    return codes, counts, np.concatenate([np.arange(left.n_classes), np.full(len(rows), -1)])


def _values(label: np.ndarray, label_of: np.ndarray, counts: np.ndarray, harmless: Sequence[str]) -> ReleasedValues:
    """The labels of a sensitive column as a person reads them; who is left out has one of their own, without harm."""
    read = CodedRows({"": np.maximum(label, 0)}, {"": label_of}, counts).as_read([""])
    harms = read.harms("", harmless)[read.codes[""]] & (label >= 0)
    return ReleasedValues(np.where(label >= 0, read.codes[""], len(label_of)), harms)


def _distinct(texts: np.ndarray) -> tuple[list[str | None], np.ndarray]:
    """The different ones of some texts or missing labels, and of each its place among them."""
    place: dict[str | None, int] = {}
    number = np.array([place.setdefault(text, len(place)) for text in texts.tolist()], dtype=np.intp)
    return list(place), number
