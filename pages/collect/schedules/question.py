"""What the officer asks on the Schedules page: who is invited, to which slots, by which rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from anonlib.analyses.schedules import People, Rule, Slots
from anonlib.dataset import Dataset
from pages.collect.schedules.controls.rules import RuleSettings


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
