"""The step that leaves records out, no more of them than it takes for guarantees to hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Literal, TypeGuard

import numpy as np

from anonlib.analyses.generalization.search.cell_suppression import Worth
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import (
    VALUES,
    CodedPersons,
    CodedRows,
    KAnonymity,
    PrivacyModel,
    columns_of,
    left_after,
    privacy_model_from_dict,
    privacy_model_to_dict,
    rows_left,
)
from anonlib.dataset import Dataset
from anonlib.release.steps.of_cells import guarantee_in_words, listed, worth_from_dict, worth_to_dict
from anonlib.release.steps.step import Scope, Stage, Step, check_column


@dataclass(frozen=True, eq=False)
class LeaveOut(Step):
    """Leave out the records (persons), or the rows of persons, that it takes for guarantees to hold.

    Attributes
    ----------
    k : int, optional
        The size of the smallest class of all columns that are known where the step stands, 1 or more. It takes the
        place of guarantees, which name their columns.
    guarantees : tuple[PrivacyModel, ...], default ()
        What must hold of those that stay. Columns that are not there are known of nobody.
    worth : Worth
        Whose cells are worth least goes first, where a guarantee allows a share and there is a choice.
    reason : str
        Why.
    what : Literal["persons", "rows"], default "persons"
        Of persons with several rows, whether they are left out with all of these, or lose those
        that give them away; who is left with none is left out.
    drawn_as : str
        The words by which the order of the released rows is drawn, of a step that an earlier version wrote
        (:mod:`anonlib.release.steps.earlier`): its columns must be there. The step's own where empty.
    """

    k: int | None = None
    _: KW_ONLY
    guarantees: tuple[PrivacyModel, ...] = ()
    worth: Worth = ()
    reason: str = ""
    what: Literal["persons", "rows"] = "persons"
    drawn_as: str = ""
    kind = "leave_out"
    recodes = ()

    def __post_init__(self) -> None:
        if self.k is None and not self.guarantees:
            raise InputError(
                "State at least one criterion that must hold of the records that stay.", code="guarantee-missing"
            )
        if self.k is not None:
            if self.guarantees or self.worth or self.what != "persons" or self.drawn_as:
                raise InputError(
                    "A step leaves out classes below k, or what criteria take: not both.", code="choices-do-not-fit"
                )
            object.__setattr__(self, "k", checks.whole(self.k, "k", 1))
        if self.what not in ("persons", "rows"):
            raise InputError("What is left out is “persons” or “rows”.", code="choice-unknown")
        checks.text(self.reason, "The reason")
        checks.text(self.drawn_as, "What the order of rows is drawn by")

    @property
    def stage(self) -> Stage:
        return Stage.GUARANTEES if self.k is None else Stage.CLASSES

    @property
    def gives_way_to(self) -> Scope:
        return Scope.SEARCH if self.k is None else Scope.REGIONS

    @property
    def columns(self) -> tuple[str, ...]:
        return columns_of(self.guarantees)

    @property
    def asks(self) -> tuple[PrivacyModel, ...]:
        return self.guarantees

    def asking(self, guarantees: tuple[PrivacyModel, ...]) -> Step | None:
        return replace(self, guarantees=guarantees) if guarantees else None

    def without(self, columns: Collection[str]) -> Step | None:
        known = {name for guarantee in self.guarantees for name in guarantee.columns}
        return None if known & set(columns) else self

    def describe(self) -> str:
        if self.k is not None:
            return f"Leave out records in classes below {self.k}"
        what = "records" if self.what == "persons" else "rows of persons"
        listed_guarantees = "; ".join(guarantee_in_words(guarantee) for guarantee in self.guarantees)
        return f"Leave out the {what} that it takes for: {listed_guarantees}"

    def apply(self, dataset: Dataset) -> Dataset:
        if self.k is not None:
            classes = dataset.classes(dataset.quasi_identifiers)
            return dataset.labelled(classes, classes.counts >= self.k, self._prepared)
        if self.drawn_as:
            for name in self.columns:
                check_column(dataset, name)
        dataset = dataset.with_counted()
        holding = [guarantee for every in self.guarantees if (guarantee := every.on(dataset.columns)) is not None]
        if not holding:
            return dataset
        if self.what == "persons" and len(holding) == 1 and _is_k_anonymity(holding[0]):
            classes = dataset.with_missing("category").classes(list(holding[0].columns))
            return dataset.labelled(classes, classes.counts >= holding[0].least, self._prepared)
        names = sorted(columns_of(holding))
        if dataset.has_several_rows:
            return self._without_persons(dataset, holding, names)
        classes = dataset.with_missing("category").classes(names)
        rows, order = CodedRows.of(classes).by_text(names)
        left = left_after(rows, holding, self._worth_of(rows), divisible=dataset.weight is None)
        assert left is not None
        stays = np.zeros(len(left), dtype=np.int64)
        stays[order] = left
        return dataset.first_of(classes, stays, self._prepared)

    def _without_persons(self, dataset: Dataset, holding: Sequence[PrivacyModel], names: list[str]) -> Dataset:
        needed = dataset.quasi_identifiers if self.what == "rows" and dataset.missing == "drop" else []
        table = dataset.persons(sorted({*names, *needed}))
        names = sorted({*names, *needed, *table.within})
        persons, profiles, places = CodedPersons.of(table, linked=dataset.is_linked).by_text(names)
        worth = self._worth_of(persons.rows)
        stay, times = table.persons.copy(), table.times.copy()
        if self.what == "rows":
            rows = rows_left(persons, holding, worth, needed=needed)
            assert rows is not None
            times[places] = rows
        else:
            left = left_after(persons, holding, persons.summed(worth))
            assert left is not None
            stay[profiles] = left
        return dataset.first_of_persons(table, stay, times, self._prepared)

    @property
    def _prepared(self) -> str:
        """Names the step among what was done to the data, which decides the order of released rows.

        By the name that earlier versions gave to such a step, and without what it could not ask at first, so that
        the rows of a release made then come out in the same order.
        """
        if self.k is not None:
            return f"Suppress(k={self.k!r}, reason={self.reason!r})"
        if self.drawn_as:
            return f"{self.drawn_as}, reason={self.reason!r})"
        guarantees = _by_earlier_names(self.guarantees).replace(f", rows={VALUES!r}", "")
        what = "" if self.what == "persons" else f", what={self.what!r}"
        return f"LeaveOutExposed(guarantees={guarantees}, worth={self.worth!r}, reason={self.reason!r}{what})"

    def _worth_of(self, rows: CodedRows) -> np.ndarray:
        total = np.zeros(len(rows.counts))
        for name, labels in self.worth:
            if name in rows.codes:
                given = dict(labels)
                total += np.array([given.get(label, 1.0) for label in rows.labels[name]])[rows.codes[name]]
        return total

    @property
    def n_named(self) -> int:
        return sum(len(labels) for _, labels in self.worth)

    def without_named(self, may_tell: Callable[[str], bool]) -> LeaveOut:
        """Without what labels are worth it leaves out others, but no fewer than its guarantees take.

        Parameters
        ----------
        may_tell : Callable[[str], bool]
            Given a column, whether its values may be named.

        Returns
        -------
        LeaveOut
        """
        worth = tuple(pair for pair in self.worth if may_tell(pair[0]))
        return self if worth == self.worth else replace(self, worth=worth)

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        return population

    def to_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = {"kind": self.kind}
        if self.k is not None:
            return values | {"k": self.k, "reason": self.reason}
        values["guarantees"] = [privacy_model_to_dict(guarantee) for guarantee in self.guarantees]
        values["worth"] = worth_to_dict(self.worth)
        values["reason"] = self.reason
        if self.what != "persons":
            values["what"] = self.what
        if self.drawn_as:
            values["drawn_as"] = self.drawn_as
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LeaveOut:
        k = values.get("k")
        guarantees = values["guarantees"] if k is None else values.get("guarantees", [])
        return cls(
            k,
            guarantees=tuple(privacy_model_from_dict(guarantee) for guarantee in listed(guarantees, "guarantees")),
            worth=worth_from_dict(values.get("worth", {})),
            reason=values.get("reason", ""),
            what=values.get("what", "persons"),
            drawn_as=values.get("drawn_as", ""),
        )


def _by_earlier_names(guarantees: tuple[PrivacyModel, ...]) -> str:
    """The repr of guarantees, where each goes by the name of its kind, as its class did in earlier versions."""
    texts = [f"{one.kind.capitalize()}{repr(one).removeprefix(type(one).__name__)}" for one in guarantees]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _is_k_anonymity(guarantee: PrivacyModel) -> TypeGuard[KAnonymity]:
    """Whether it asks for nothing but the size of each class of its columns: then nobody has to be counted twice."""
    return (
        isinstance(guarantee, KAnonymity)
        and guarantee.most_known == len(guarantee.columns)
        and guarantee.share == 0
        and guarantee.rows == VALUES
    )
