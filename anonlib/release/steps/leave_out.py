"""The step that leaves out whom a few known facts would expose, and no more than it takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import count, percent
from anonlib.counting.guarantees import (
    VALUES,
    Average,
    Close,
    CodedPersons,
    CodedRows,
    Diverse,
    Guarantee,
    Shared,
    columns_of,
    guarantee_from_dict,
    guarantee_to_dict,
    in_short,
    left_after,
    rows_left,
)
from anonlib.dataset import Dataset
from anonlib.release.steps.demands import listed
from anonlib.release.steps.step import Scope, Stage, Step

Worth = tuple[tuple[str, tuple[tuple[str | None, float], ...]], ...]
"""By column, what a record's cell of each label is worth; a label that is not named is worth 1."""


@dataclass(frozen=True, eq=False)
class LeaveOutExposed(Step):
    """Leave out the records (persons), or the rows of persons, that it takes for guarantees to hold.

    Attributes
    ----------
    guarantees : tuple of Guarantee
        What must hold of those that stay.
    worth : Worth
        Whose cells are worth least goes first, where a guarantee allows a share and there is a choice.
    reason : str
        Why.
    what : "persons" or "rows"
        Of persons with several rows, whether they are left out with all of these, or lose those that give them away;
        who is left with none is left out.
    """

    guarantees: tuple[Guarantee, ...]
    worth: Worth = ()
    reason: str = ""
    what: Literal["persons", "rows"] = "persons"
    kind = "leave_out_exposed"
    stage = Stage.REQUIREMENTS
    gives_way_to = Scope.SEARCH
    recodes = ()

    def __post_init__(self) -> None:
        if not self.guarantees:
            raise InputError("State at least one guarantee that must hold of the records that stay.")
        if self.what not in ("persons", "rows"):
            raise InputError("What is left out is “persons” or “rows”.")
        checks.text(self.reason, "The reason")

    @property
    def columns(self) -> tuple[str, ...]:
        return columns_of(self.guarantees)

    def without(self, columns: Collection[str]) -> Step | None:
        known = {name for guarantee in self.guarantees for name in guarantee.columns}
        return None if known & set(columns) else self

    def describe(self) -> str:
        what = "records" if self.what == "persons" else "rows of persons"
        return f"Leave out the {what} that it takes for: " + "; ".join(_in_words(each) for each in self.guarantees)

    def apply(self, dataset: Dataset) -> Dataset:
        dataset = dataset.with_counted()
        holding = [there for each in self.guarantees if (there := each.on(dataset.columns)) is not None]
        if not holding:
            return dataset
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

    def _without_persons(self, dataset: Dataset, holding: Sequence[Guarantee], names: list[str]) -> Dataset:
        needed = dataset.quasi_identifiers if self.what == "rows" and dataset.missing == "drop" else []
        names = sorted({*names, *needed})
        table = dataset.persons(names)
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

        What could not be said at first is left out where it is as it was then, so that the order stays.
        """
        return repr(self).replace(f", rows={VALUES!r}", "").replace(", what='persons'", "")

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

    def without_named(self, may_tell: Callable[[str], bool]) -> LeaveOutExposed:
        """Without what labels are worth it leaves out others, but no fewer than its guarantees take."""
        worth = tuple(pair for pair in self.worth if may_tell(pair[0]))
        return self if worth == self.worth else replace(self, worth=worth)

    def apply_to_population(self, population: Dataset) -> Dataset:
        return population

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "guarantees": [guarantee_to_dict(each) for each in self.guarantees],
            "worth": {name: [list(pair) for pair in labels] for name, labels in self.worth},
            "reason": self.reason,
            **({} if self.what == "persons" else {"what": self.what}),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> LeaveOutExposed:
        given = values.get("worth", {})
        if not isinstance(given, dict):
            raise InputError("What cells are worth must be given by column.")
        worth = tuple(
            (
                checks.text(name, "The name of a column"),
                tuple(
                    (label if label is None else checks.text(label, "Each label"), checks.number(value, "Its worth"))
                    for label, value in listed(labels, "labels of a column")
                ),
            )
            for name, labels in given.items()
        )
        guarantees = tuple(guarantee_from_dict(each) for each in listed(values["guarantees"], "guarantees"))
        return cls(guarantees, worth, values.get("reason", ""), values.get("what", "persons"))


def _in_words(guarantee: Guarantee) -> str:
    """A guarantee in a few words, such as ``k = 5 on age, zip``."""
    known = getattr(guarantee, "known", None)
    on = ", ".join(guarantee.columns) or "nothing"
    on = on if known is None else f"any {count(known, 'columns')} of {on}"
    on += "" if guarantee.rows == VALUES else f" (by {in_short(guarantee.rows)})"
    but = f" for all but {percent(guarantee.share)}" if guarantee.share else ""
    if isinstance(guarantee, Shared):
        return f"{guarantee.least} share {on}{but}"
    if isinstance(guarantee, Average):
        return f"average risk {percent(guarantee.limit)} on {on}"
    if isinstance(guarantee, Diverse):
        return f"{guarantee.l:g} values of {guarantee.sensitive} in each class of {on}"
    if isinstance(guarantee, Close):
        return f"{guarantee.sensitive} within t = {guarantee.t:g} on {on}"
    sure = "certain" if guarantee.p == 0 else f"{percent(1 - guarantee.p)} certain"
    return f"{guarantee.sensitive} not {sure} from {on}{but}"
