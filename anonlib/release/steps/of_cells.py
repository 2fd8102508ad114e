"""What steps share that recode single cells, only as many as guarantees take.

First comes what a step that recodes part by part asks of groups: in words, and as earlier versions wrote it. Next is
what cells of labels are worth, as plain values for JSON and back. At the end is what such steps share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pandas as pd

from anonlib.analyses.generalization.search.cell_suppression import Worth
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import count, percent
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import (
    VALUES,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    columns_of,
    in_short,
)
from anonlib.dataset import Dataset
from anonlib.reading.records import CellLabels
from anonlib.reading.records.names import unused_name
from anonlib.release.steps.of_population import CellsOfData, levels_alike
from anonlib.release.steps.step import Step, check_column


@dataclass(frozen=True)
class Requirement:
    """How many records must share some columns, as earlier versions wrote it."""

    attributes: tuple[str, ...]
    k: int


@dataclass(frozen=True)
class EarlierLDiversity:
    """The l-diversity of a column in every group of each requirement, as earlier versions wrote it."""

    attribute: str
    l: float  # noqa: E741 - the measure's own name
    kind: Any = "distinct"

    def __repr__(self) -> str:
        """By the name that earlier versions had for it: the order in which rows leave is drawn by it."""
        return f"LDiversity(attribute={self.attribute!r}, l={self.l!r}, kind={self.kind!r})"


@dataclass(frozen=True)
class EarlierTCloseness:
    """The t-closeness of a column in every group of each requirement, as earlier versions wrote it."""

    attribute: str
    t: float
    distance: Any = "equal"

    def __repr__(self) -> str:
        """By the name that earlier versions had for it: the order in which rows leave is drawn by it."""
        return f"TCloseness(attribute={self.attribute!r}, t={self.t!r}, distance={self.distance!r})"


Rule = EarlierLDiversity | EarlierTCloseness
_RULES: dict[str, type[EarlierLDiversity] | type[EarlierTCloseness]] = {
    "l-diversity": EarlierLDiversity,
    "t-closeness": EarlierTCloseness,
}


def guarantees_of(requirements: Iterable[Requirement], rules: Iterable[Rule] = ()) -> tuple[PrivacyModel, ...]:
    """What requirements and rules ask, as guarantees: rules hold in each class of each requirement's columns.

    Groups of at least k records that share all columns are :class:`KAnonymity`, l-diversity is :class:`LDiversity` and
    t-closeness :class:`TCloseness`, each for everybody. Missing values are values in both.
    """
    guarantees: list[PrivacyModel] = []
    rules = tuple(rules)
    for requirement in requirements:
        columns = requirement.attributes
        if not columns:
            raise InputError(
                "A criterion needs at least one column. Name the columns that someone may know.",
                code="guarantee-without-columns",
            )
        guarantees.append(KAnonymity(columns=columns, least=requirement.k))
        for rule in rules:
            if isinstance(rule, EarlierLDiversity):
                least = checks.whole(rule.l, "l", 1) if rule.kind == "distinct" else rule.l
                guarantees.append(LDiversity(columns=columns, sensitive=rule.attribute, l=least, by=rule.kind))
            else:
                guarantees.append(
                    TCloseness(columns=columns, sensitive=rule.attribute, t=rule.t, distance=rule.distance)
                )
    return tuple(guarantees)


def requirements_of(guarantees: Iterable[PrivacyModel]) -> tuple[tuple[Requirement, ...], tuple[Rule, ...]]:
    """The requirements and rules of which :func:`guarantees_of` makes these guarantees."""
    guarantees = tuple(guarantees)
    requirements = (
        Requirement(guarantee.columns, guarantee.least) for guarantee in guarantees if isinstance(guarantee, KAnonymity)
    )
    of_values = (
        replace(guarantee, columns=()) for guarantee in guarantees if isinstance(guarantee, LDiversity | TCloseness)
    )
    return tuple(requirements), tuple(map(rule_of, dict.fromkeys(of_values)))


def rule_of(guarantee: LDiversity | TCloseness) -> Rule:
    """What a guarantee asks of a sensitive column, without the columns of its classes."""
    if isinstance(guarantee, LDiversity):
        return EarlierLDiversity(guarantee.sensitive, guarantee.l, guarantee.by)
    return EarlierTCloseness(guarantee.sensitive, guarantee.t, guarantee.distance)


def in_words(guarantees: Iterable[PrivacyModel]) -> str:
    """What is asked, as ``k = 5 on age, zip and 2 distinct values of illness``."""
    requirements, rules = requirements_of(guarantees)
    demands = [f"k = {requirement.k} on {', '.join(requirement.attributes)}" for requirement in requirements]
    demands += [
        f"{rule.l:g} {'distinct ' if rule.kind == 'distinct' else ''}values of {rule.attribute}"
        + ("" if rule.kind == "distinct" else " by entropy")
        if isinstance(rule, EarlierLDiversity)
        else f"{rule.attribute} within t = {rule.t:g}"
        for rule in rules
    ]
    return " and ".join(demands)


def guarantee_in_words(guarantee: PrivacyModel) -> str:
    """A guarantee in a few words, such as ``k = 5 on age, zip``."""
    known = getattr(guarantee, "known", None)
    on = ", ".join(guarantee.columns) or "nothing"
    on = on if known is None else f"any {count(known, 'columns')} of {on}"
    on += "" if guarantee.rows == VALUES else f" ({in_short(guarantee.rows)})"
    but = f" for all but {percent(guarantee.share)}" if guarantee.share else ""
    if isinstance(guarantee, KAnonymity):
        return f"{guarantee.least} share {on}{but}"
    if isinstance(guarantee, AverageRiskLimit):
        return f"average risk {percent(guarantee.limit)} on {on}"
    if isinstance(guarantee, LDiversity):
        by = "" if guarantee.by == "distinct" else " by entropy"
        return f"{guarantee.l:g} values of {guarantee.sensitive}{by} in each class of {on}"
    if isinstance(guarantee, TCloseness):
        return f"{guarantee.sensitive} within t = {guarantee.t:g} on {on}"
    sure = "certain" if guarantee.p == 0 else f"{percent(1 - guarantee.p)} certain"
    return f"{guarantee.sensitive} not {sure} from {on}{but}"


def listed(given: Any, what: str) -> list[Any]:
    """The value if it is a list; ``what`` names it in the sentence that refuses another."""
    if not isinstance(given, list):
        raise InputError(f"The {what} must be a list.", code="not-a-list")
    return given


def demands_from_dict(values: Mapping[str, Any]) -> tuple[tuple[Requirement, ...], tuple[Rule, ...]]:
    """Requirements, one at least, and rules of such values; what is raised is as in :meth:`Step.from_dict`."""
    requirements = tuple(
        Requirement(tuple(listed(given["attributes"], "columns of a criterion")), given["k"])
        for given in listed(values["requirements"], "requirements")
    )
    if not requirements:
        raise InputError(
            "State at least one criterion: which columns, and how many records must share them.",
            code="guarantee-missing",
        )
    rules = tuple(_RULES[given["kind"]](**given["rule"]) for given in listed(values.get("rules", []), "rules"))
    guarantees_of(requirements, rules)  # which refuses what cannot be
    return requirements, rules


def worth_to_dict(worth: Worth) -> dict[str, Any]:
    """By column a list of labels with what they are worth."""
    return {name: [list(pair) for pair in labels] for name, labels in worth}


def worth_from_dict(given: Any) -> Worth:
    """What cells are worth of such values; an InputError says what is wrong."""
    if not isinstance(given, dict):
        raise InputError("What cells are worth must be given by column.", code="weight-of-other-column")
    return tuple(
        (
            checks.text(name, "The name of a column"),
            tuple(
                (label if label is None else checks.text(label, "Each label"), checks.number(value, "Its worth"))
                for label, value in listed(labels, "labels of a column")
            ),
        )
        for name, labels in given.items()
    )


_MOST_LISTED = 4  # columns named one by one
_COLUMNS = "\0"  # where those of several guarantees are to stand


class OfCells:
    """What a step says of itself that recodes cells of some columns so that its field ``guarantees`` holds.

    It has ``column_weights``: how much columns matter, 0 to 3; those that are not named have 1.
    """

    guarantees: tuple[PrivacyModel, ...]
    column_weights: tuple[tuple[str, float], ...]

    @property
    def recodes(self) -> tuple[str, ...]:
        raise NotImplementedError

    @property
    def known(self) -> set[str]:
        """The columns that guarantees take to be known."""
        return {name for guarantee in self.guarantees for name in guarantee.columns}

    @property
    def columns(self) -> tuple[str, ...]:
        return columns_of(self.guarantees)

    @property
    def asks(self) -> tuple[PrivacyModel, ...]:
        return self.guarantees

    def asking(self, guarantees: tuple[PrivacyModel, ...]) -> Step | None:
        return cast(Step, replace(cast(Any, self), guarantees=guarantees)) if guarantees else None

    def without(self, columns: Collection[str]) -> Step | None:
        """Nothing where a column whose cells it recodes, or without any one that it counts by, is decided again."""
        return None if set(self.recodes or self.known) & set(columns) else cast(Step, self)

    # ---- in words ----

    @property
    def named(self) -> str:
        """The columns whose cells it recodes; how many where they are many."""
        return ", ".join(self.recodes) if len(self.recodes) <= _MOST_LISTED else count(len(self.recodes), "columns")

    @property
    def asked_in_words(self) -> str:
        """Its guarantees, behind a colon, without those that others imply."""
        guarantees = [
            guarantee
            for guarantee in self.guarantees
            if not any(_is_implied(guarantee, other) for other in self.guarantees)
        ]
        beside = _with_one_more(guarantees)
        texts = [self._asked(guarantee) for guarantee in guarantees if guarantee not in beside]
        for like, names in _grouped(beside).items():
            text = guarantee_in_words(replace(like, columns=(_COLUMNS,)))
            texts.append(text.replace(_COLUMNS, f"{self._called(beside[like].columns)} and any one of {names}"))
        return ": " + _named_once("; ".join(texts), {self._called(guarantee.columns) for guarantee in guarantees})

    def _asked(self, guarantee: PrivacyModel) -> str:
        """A guarantee in words, its columns as they are called."""
        return guarantee_in_words(guarantee).replace(", ".join(guarantee.columns), self._called(guarantee.columns))

    def _called(self, columns: tuple[str, ...]) -> str:
        """Columns by name; many by which of those that are recoded they are not."""
        left = [name for name in self.recodes if name not in columns]
        beyond = [name for name in columns if name not in self.recodes]
        if len(self.recodes) <= _MOST_LISTED or len(left) + len(beyond) >= len(columns):
            return ", ".join(columns)
        return "these" + (f" but {', '.join(left)}" if left else "") + (f" with {', '.join(beyond)}" if beyond else "")

    @property
    def weights_in_words(self) -> str:
        """Its weights in brackets; empty where there are none."""
        weights = ", ".join(f"{name} {weight:g}" for name, weight in self.column_weights)
        return f" (weights: {weights})" if weights else ""

    # ---- what it does ----

    def labels_of(self, column: str, values: np.ndarray, before: Dataset | None = None) -> None:
        """None: it recodes cell by cell."""

    def cells_of(self, dataset: Dataset) -> CellsOfData:
        """What becomes of the classes of a data set of which each record counts; InputError where nothing does."""
        raise NotImplementedError

    def labels_at(self, name: str, values: np.ndarray) -> np.ndarray:
        """The labels of distinct values of a column on each level, levels x (values + 1); those of missing last."""
        raise NotImplementedError

    def labelled(self, dataset: Dataset, prepared: str) -> Dataset:
        """The data set, of which each record counts, with the labels that its classes get, without those left out."""
        cells_of_data = self.cells_of(dataset)
        cells = {name: self._cells(dataset, name, level) for name, level in cells_of_data.levels.items()}
        return dataset.labelled(cells_of_data.classes, cells_of_data.kept, prepared, cells)

    def labelled_all(self, dataset: Dataset) -> Dataset:
        """The data set, of which each record counts, with the labels that its classes get, nobody left out."""
        cells_of_data = self.cells_of(dataset)
        cells = {name: self._cells(dataset, name, level) for name, level in cells_of_data.levels.items()}
        return dataset.labelled(cells_of_data.classes, np.ones_like(cells_of_data.kept), "all", cells)

    def labelled_alike(self, population: Dataset, alongside: Dataset, prepared: str) -> Dataset:
        """A population table with the labels that its people would have in the release of the data.

        Raises
        ------
        InputError
            Where the table has none of the columns that are recoded.
        """
        cells_of_data = self.cells_of(alongside.with_counted())
        names = [name for name in cells_of_data.classes.attributes if name in population.columns and name in self.known]
        if not set(names) & cells_of_data.levels.keys():
            raise InputError(
                "The population table has none of the columns that are recoded.", code="population-lacks-columns"
            )
        people = population.with_missing("category").classes(names)
        levels = levels_alike(cells_of_data, people, self.labels_at)
        cells = {name: self._cells(population, name, level) for name, level in levels.items()}
        return population.labelled(people, np.ones(len(people.counts), dtype=bool), prepared, cells)

    def _cells(self, dataset: Dataset, name: str, level: np.ndarray) -> CellLabels:
        values = dataset.held.values(name)
        return CellLabels(values, level, self.labels_at(name, values))

    # ---- what it did ----

    def value_tables(self, before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
        """As of every step; one value can have several labels."""
        return cells_before_and_after(self.recodes, before, after)

    def counted_classes(self, dataset: Dataset) -> ClassTable:
        """The classes of the columns that guarantees name.

        Raises
        ------
        InputError
            Where a column to recode is what persons are counted by, and where there are no records.
        """
        for name in self.recodes:
            if name in (dataset.person_id, dataset.weight):
                raise InputError(
                    f"“{name}” is what persons are counted by and cannot be generalized. Drop it instead.",
                    code="column-counts-persons",
                    column=name,
                )
        classes = classes_of(dataset, self.guarantees)
        if not classes.n_records:
            raise InputError("There are no records to generalize.", code="no-records")
        return classes


def cells_before_and_after(names: Sequence[str], before: Dataset, after: Dataset) -> list[tuple[str, pd.DataFrame]]:
    """As :meth:`Step.value_tables`, counted on the records; one value can have several labels."""
    old = {name: unused_name(f"{name} before", before.held.columns) for name in names}
    both = after.with_columns_of(before, old)
    tables = []
    for name in names:
        counted = ClassTable.from_records(both.held, [old[name], name]).to_frame("records")
        counted.columns = pd.Index(["value", "released as", "records"])
        tables.append((name, counted))
    return tables


def classes_of(dataset: Dataset, guarantees: tuple[PrivacyModel, ...]) -> ClassTable:
    """The classes of the columns that guarantees name; a missing value is a value of its own."""
    names = columns_of(guarantees)
    for name in names:
        check_column(dataset, name)
    # In the file's order, as the search has them: which of two columns is split first depends on it.
    return dataset.with_missing("category").classes([name for name in dataset.columns if name in names])


def _named_once(text: str, called: Collection[str]) -> str:
    """The text with what many columns are called where they come first, and “the same” after."""
    for columns in sorted(
        (phrase for phrase in called if " but " in phrase or " with " in phrase), key=len, reverse=True
    ):
        first = text.find(columns) + len(columns)
        text = text[:first] + text[first:].replace(columns, "the same")
    return text


def _is_implied(guarantee: PrivacyModel, other: PrivacyModel) -> bool:
    """Whether as many of the same columns are asked for by another one, for as many records or more."""
    if guarantee == other or not isinstance(guarantee, KAnonymity) or not isinstance(other, KAnonymity):
        return False
    return replace(guarantee, least=other.least, share=other.share) == other and (
        guarantee.least <= other.least and guarantee.share >= other.share
    )


def _with_one_more(guarantees: Sequence[PrivacyModel]) -> dict[PrivacyModel, KAnonymity]:
    """Of how many share columns those that are of the columns of another one and one more, each with that other one."""
    shared = [guarantee for guarantee in guarantees if isinstance(guarantee, KAnonymity)]
    return {
        guarantee: base
        for guarantee in shared
        for base in shared
        if len(base.columns) > _MOST_LISTED and guarantee.columns[:-1] == base.columns
    }


def _grouped(beside: Mapping[PrivacyModel, KAnonymity]) -> dict[PrivacyModel, str]:
    """The first of those that differ in the one more column alone, with all these columns."""
    alike = dict[tuple[Any, ...], list[PrivacyModel]]()
    for wider, base in beside.items():
        alike.setdefault((replace(wider, columns=()), base), []).append(wider)
    return {several[0]: ", ".join(guarantee.columns[-1] for guarantee in several) for several in alike.values()}
