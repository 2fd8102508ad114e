"""What the officer asks on the Schedules page: who is invited, to which slots, by which rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.analyses.schedules import MaxDistance, OriginMix, People, Rule, SameRegion, Slots
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.values.cells import to_numbers


@dataclass(frozen=True)
class RuleSettings:
    """One rule as it was set: its kind, the columns it looks at and its numbers."""

    kind: str
    own: tuple[str, ...]
    theirs: tuple[str, ...] = ()
    numbers: tuple[str | float, ...] = ()

    def on(self, people: People, slots: Slots) -> Rule:
        """The rule of these people and slots."""
        if self.kind == "region":
            return SameRegion(people.groups[self.own[0]].tolist(), slots.table[self.theirs[0]].tolist())
        if self.kind == "distance":
            return MaxDistance(
                _coordinates(people.groups, self.own, "people"),
                _coordinates(slots.table, self.theirs, "slots"),
                float(self.numbers[0]),
            )
        home, share, least, of = self.numbers
        return OriginMix(
            people.groups[self.own[0]].tolist(), str(home), round(float(share) / 100, 6), int(least),
            "load" if of == "load" else "capacity",
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Question:
    """Who is invited to what, by which rules.

    Attributes
    ----------
    people, slots, rules : what is scheduled.
    data : the file the people are of; None for made-up people.
    from_table : whether the slots are those of the table.
    not_released : people of the file whom the recipe leaves out of the release, when that is what is looked at.
    """

    people: People
    slots: Slots
    rules: tuple[RuleSettings, ...]
    data: Dataset | None
    from_table: bool
    not_released: int = 0

    @cached_property
    def key(self) -> str:
        return f"{self.people.key} {self.slots.key} {self.rules!r}"

    @property
    def is_elsewhere(self) -> bool:
        """Whether the people's rows stay in a database."""
        return self.data is not None and self.data.frame is None

    @cached_property
    def without_rules(self) -> Question:
        return replace(self, rules=())

    @cached_property
    def all_rules(self) -> tuple[Rule, ...]:
        return tuple(rule.on(self.people, self.slots) for rule in self.rules)


def _coordinates(table: pd.DataFrame, names: tuple[str, ...], of: str) -> pd.DataFrame:
    """Two columns of text as numbers. Raises InputError naming the column and the row that is none."""
    numbers = {}
    for name in names:
        numbers[name] = to_numbers(table[name].to_numpy())
        bad = np.flatnonzero(np.isnan(numbers[name]))
        if len(bad):
            raise InputError(
                f"The column “{name}” of the {of} holds something that is not a number"
                + (f" (row {bad[0] + 1}). " if of == "slots" else ". ")
                + "Choose the columns of latitude and longitude in degrees.",
                code="column-without-numbers",
                column=name,
            )
    return pd.DataFrame({position: numbers[name] for position, name in enumerate(names)})
