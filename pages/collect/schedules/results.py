"""What the officer asks on the Schedules page: who, to which slots, by which rules; and what the library answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.schedules import (
    Breaches,
    Invitees,
    MaxDistance,
    Names,
    OriginMix,
    Rule,
    SameRegion,
    Schedule,
    Slots,
    breaches,
    check_feasible,
    greedy_schedule,
    improvement,
    log_index,
    optimal_schedule,
    random_schedule,
    restrictions,
    with_groups,
    with_values,
)
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.counting.classes import AnonymityVector
from anonlib.dataset import Dataset
from anonlib.values.cells import to_numbers
from ui.session import cache, long_work


@dataclass(frozen=True)
class RuleSettings:
    """One rule as it was set: its kind, the columns it looks at and its numbers."""

    kind: str
    own: tuple[str, ...]
    theirs: tuple[str, ...] = ()
    numbers: tuple[str | float, ...] = ()

    def on(self, people: Invitees, slots: Slots) -> Rule:
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
class SchedulesQuestion:
    """Who is invited to what, by which rules.

    Attributes
    ----------
    people, slots, rules : what is scheduled.
    data : the file the people are of; None for made-up people.
    from_table : whether the slots are those of the table.
    not_released : people of the file whom the recipe leaves out of the release, when that is what is looked at.
    """

    people: Invitees
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
    def without_rules(self) -> SchedulesQuestion:
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


WITHOUT = "Without appointments"
RANDOM, GREEDY, REFERENCE, OPTIMAL, RULED = (
    "Random", "Greedy", "Greedy, authors’ program", "Optimal", "Optimal, with the rules",
)  # fmt: skip
WITHOUT_RULES = ", without the rules"
AT_ONCE, AT_ONCE_OF_MANY, LONGER = A_SECOND, 0.3 * A_SECOND, (20 * A_SECOND, 60 * A_SECOND)  # work of a search
MANY = 5_000  # people, of whom all else takes its time too
_MOST_INDEXED = 2_000_000


@dataclass(frozen=True, eq=False)
class SchedulesAnswer:
    """The schedules of what was asked, by method, the last one the best; and the vector without appointments."""

    question: SchedulesQuestion
    base: AnonymityVector
    schedules: dict[str, Schedule]
    problem: str = ""  # why no schedule keeps the rules that were asked for: then there are only those without them

    def vectors(self) -> dict[str, AnonymityVector]:
        """All vectors by name: without appointments, at random, the best, the rules of thumb."""
        order = [name for name in (RANDOM, RULED, OPTIMAL, GREEDY, REFERENCE) if name in self.schedules]
        return {WITHOUT: self.base} | {self.title(name): self.schedules[name].vector for name in order}

    def title(self, name: str) -> str:
        """What a schedule is called: only a proven one is optimal, and one made without the rules says so."""
        title = name + (WITHOUT_RULES if self.question.rules and name != RULED else "")
        if name not in (OPTIMAL, RULED) or self.schedules[name].proven:
            return title
        return title.replace("Optimal", "Best found")

    def breaches(self, name: str) -> list[Breaches]:
        """How often a schedule breaks each of the rules. Raises InputError where a rule cannot be looked at."""
        places = self.question.slots.capacities
        return [breaches(rule, self.schedules[name].groups, places) for rule in self.question.all_rules]

    def people_against_rules(self, name: str) -> int | None:
        """For how many people a schedule breaks the rules; None where a rule cannot be looked at."""
        try:
            return sum(rule_breaches.people for rule_breaches in self.breaches(name))
        except InputError:
            return None

    def keeps_rules(self, name: str) -> bool:
        """Whether a schedule breaks none of the rules that were asked for."""
        return name == RULED or self.people_against_rules(name) == 0


def answer(question: SchedulesQuestion, draw: int) -> SchedulesAnswer:
    """All schedules side by side; ``draw`` is the seed of the random one."""
    schedules = {
        RANDOM: _random(question.without_rules, draw=draw),
        **dict(zip((GREEDY, REFERENCE), _both_greedy(question.without_rules), strict=True)),
        OPTIMAL: _best(question.without_rules, OPTIMAL),
    }
    if not question.rules:
        return SchedulesAnswer(question, question.people.base, schedules)
    problem = _in_the_way(question)
    if not problem:
        try:
            schedules[RULED] = _best(question, RULED)
        except InputError as error:
            problem = str(error)
    return SchedulesAnswer(question, question.people.base, schedules, problem)


@cache.remembered
def _random(question: SchedulesQuestion, *, draw: int) -> Schedule:
    people = question.people
    drawn = random_schedule(people.frequencies, question.slots.capacities, np.random.default_rng(draw))
    return with_values(drawn, people.quasi_ids)


def _both_greedy(question: SchedulesQuestion) -> list[Schedule]:
    return [_greedy(question, rule=rule) for rule in ("published", "reference")]


@cache.remembered
def _greedy(question: SchedulesQuestion, *, rule: Literal["published", "reference"]) -> Schedule:
    people = question.people
    schedule = greedy_schedule(people.sizes, question.slots.capacities, rule=rule)
    return with_groups(schedule, people.frequencies, people.quasi_ids)


@cache.remembered
def _in_the_way(question: SchedulesQuestion) -> str:
    """The sentence that names the people and slots in the way of the rules, empty if the rules can be kept."""
    try:
        _check_rules(question)
    except InputError as error:
        return str(error)
    return ""


def _check_rules(question: SchedulesQuestion) -> None:
    people, slots = question.people, question.slots
    named = [f"“{', '.join(row)}”" for row in people.groups.itertuples(index=False)]
    names = Names(named, [f"“{label}”" for label in slots.short_labels])
    allowed, mix = restrictions(question.all_rules, None, people.frequencies, slots.capacities, names=names)
    check_feasible(people.frequencies, slots.capacities, allowed, mix, names=names)


def _best(question: SchedulesQuestion, name: str) -> Schedule:
    """The best schedule found at once, or by as much search as was asked for."""
    first = _optimal(question, work=AT_ONCE_OF_MANY if question.people.n_people > MANY else AT_ONCE)
    if first.proven:
        return first
    stages: list[long_work.Stage[Schedule]] = [
        (
            f"Searching further for the best schedule{' with the rules' if name == RULED else ''}",
            _search(question, work),
        )
        for work in LONGER
    ]
    further = long_work.best_so_far(
        f"schedules {question.key}", stages, [work / A_SECOND for work in LONGER],
        like=f"schedules {question.people.key} {question.rules!r}",  # as long a search, whatever the slots
    )  # fmt: skip
    return _better(first, further)


@cache.remembered
def _optimal(question: SchedulesQuestion, *, work: float) -> Schedule:
    return _solved(question, work)


def _search(question: SchedulesQuestion, work: float) -> Callable[[Progress], Schedule]:
    return lambda progress: _solved(question, work, progress)


def _solved(question: SchedulesQuestion, work: float, progress: Progress = nobody) -> Schedule:
    people = question.people
    return optimal_schedule(
        people.frequencies, question.slots.capacities, quasi_ids=people.quasi_ids, rules=question.all_rules,
        work=work, progress=progress, greedy=() if question.rules else _both_greedy(question),
    )  # fmt: skip


def _better(first: Schedule, second: Schedule | None) -> Schedule:
    """The smaller vector; of equal ones that of which more is proven."""
    if second is None or first.vector < second.vector:
        return first
    if (
        second.vector == first.vector
        and first.bound is not None
        and (second.bound is None or second.bound < first.bound)
    ):
        return first
    return second


# ---- numbers ------------------------------------------------------------------------------------------------------


def improved(new: AnonymityVector, old: AnonymityVector, base: AnonymityVector) -> float | None:
    """The improvement of one vector over another on a base; None where there are too many people to count."""
    return improvement(new, old, base) if base.n_records <= _MOST_INDEXED else None


def signed(share: float) -> str:
    """A share that may be negative, as a percentage."""
    return words.percent(share) if share >= 0 else f"−{words.percent(-share)}"


def log10_index(vector: AnonymityVector) -> float:
    """The decimal logarithm of the lexicographic index; not a number for index 0 and for too many people to count."""
    if vector.n_records > _MOST_INDEXED:
        return np.nan
    log10 = log_index(vector).log10
    return log10 if np.isfinite(log10) else np.nan
