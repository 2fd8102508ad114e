"""What the officer asks on the Schedules page: who, to which slots, by which rules; and what the library answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.schedules import (
    AppointmentColumns,
    AppointmentPart,
    Breaches,
    Existing,
    FewMoves,
    Invitees,
    MaxDistance,
    Names,
    OriginMix,
    Rule,
    SameRegion,
    Schedule,
    Slots,
    Zones,
    breaches,
    by_zone,
    check_feasible,
    few_moves,
    greedy_schedule,
    improvement,
    improvements,
    log_index,
    optimal_schedule,
    people_moved,
    random_schedule,
    restrictions,
    slot_of_each,
    with_groups,
    with_moves,
    with_values,
)
from anonlib.analyses.schedules.zones import of_part
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.counting.classes import AnonymityVector
from anonlib.dataset import Dataset
from anonlib.values.cells import to_numbers
from ui.session import away, cache, long_work


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
    existing : the appointments of the file, where they say a slot.
    zones : who can go where because a part of the appointment stays; None where all of it may change.
    stays : these parts.
    parts : which columns of the slots are centre, date and hour.
    by_rows : whether each row is counted as a person, since some have several appointments.
    """

    people: Invitees
    slots: Slots
    rules: tuple[RuleSettings, ...]
    data: Dataset | None
    from_table: bool
    not_released: int = 0
    existing: Existing | None = None
    zones: Zones | None = None
    stays: tuple[AppointmentPart, ...] = ()
    parts: AppointmentColumns = field(default_factory=AppointmentColumns)
    by_rows: bool = False

    @cached_property
    def key(self) -> str:
        now = "" if self.existing is None else sha256(self.existing.slot_of_person.tobytes()).hexdigest()
        return f"{self.people.key} {self.slots.key} {self.rules!r} {self.stays} {now}"

    @cached_property
    def base(self) -> AnonymityVector:
        """The vector without what is chosen: of what is known, and of the part of the appointment that stays."""
        people = self.people
        return people.base if self.zones is None else self.zones.base(people.frequencies, people.quasi_ids)

    @property
    def compared(self) -> str:
        """What other schedules are compared with: that of the file, or random invitations."""
        return RANDOM if self.existing is None else EXISTING

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
EXISTING, FEW = "As it is", "Few moved"
RANDOM, GREEDY, REFERENCE, OPTIMAL, RULED = (
    "Random", "Greedy", "Greedy, authors’ program", "Optimal", "Optimal, with the rules",
)  # fmt: skip
WITHOUT_RULES = ", without the rules"
AT_ONCE, AT_ONCE_OF_MANY, LONGER = A_SECOND, 0.3 * A_SECOND, (20 * A_SECOND, 60 * A_SECOND)  # work of a search
AT_ONCE_OF_ZONES = 0.2 * A_SECOND  # work of the search in one of many programmes
MANY = 5_000  # people, of whom all else takes its time too
_MOST_INDEXED = 2_000_000


@dataclass(frozen=True, eq=False)
class SchedulesAnswer:
    """The schedules of what was asked, by method, the last one the best; and the vector without appointments."""

    question: SchedulesQuestion
    base: AnonymityVector
    schedules: dict[str, Schedule]
    problem: str = ""  # why no schedule keeps the rules that were asked for: then there are only those without them
    moved: int = 0  # people of the schedule that is taken who were given another slot by hand
    taken: str = ""  # that schedule
    drawn_from: Schedule | None = None  # the same before that

    @property
    def compared(self) -> Schedule:
        """What other schedules are compared with."""
        return self.schedules[self.question.compared]

    def vectors(self) -> dict[str, AnonymityVector]:
        """All vectors by name: without appointments, as it is, at random, the best, the rules of thumb."""
        order = (EXISTING, RANDOM, FEW, RULED, OPTIMAL, GREEDY, REFERENCE)
        return {self.without: self.base} | {
            self.title(name): self.schedules[name].vector for name in order if name in self.schedules
        }

    @property
    def without(self) -> str:
        """What the people are called without what is chosen."""
        return f"With the {words.listed(self.question.stays)} alone" if self.question.stays else WITHOUT

    def title(self, name: str) -> str:
        """What a schedule is called: only a proven one is optimal, and one made without the rules says so."""
        title = name
        if name == FEW:
            title = f"{words.count(self.people_moved(name), 'people')} moved"
        elif self.question.rules and name not in (RULED, EXISTING):
            title += WITHOUT_RULES
        if name in (OPTIMAL, RULED) and not self.schedules[name].proven:
            title = title.replace("Optimal", "Best found")
        return f"{title}, {self.moved:,} by hand" if self.moved and name == self.taken else title

    def people_moved(self, name: str) -> int:
        """How many people get another appointment than they have."""
        existing = self.question.existing
        return 0 if existing is None else people_moved(existing.groups, self.schedules[name].groups)

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


def answer(question: SchedulesQuestion, draw: int, k: int, most_moved: int | None = None) -> SchedulesAnswer:
    """All schedules side by side.

    ``draw`` is the seed of the random one; ``most_moved`` people get another appointment where few do, by default the
    fewest that leave fewest alone.
    """
    free = question.without_rules
    schedules = {} if question.existing is None else {EXISTING: question.existing.schedule(question.people.quasi_ids)}
    schedules[RANDOM] = _random(free, draw=draw)
    schedules |= dict(zip((GREEDY, REFERENCE), _both_greedy(free), strict=True))
    schedules[OPTIMAL] = _best(free, OPTIMAL) or schedules[GREEDY]
    moves = fewest_moves(question, k)
    if moves is not None and len(moves.moved) > 1:
        few = moves.at(fewest(moves) if most_moved is None else most_moved)
        schedules[FEW] = with_values(few, question.people.quasi_ids)
    if not question.rules:
        return SchedulesAnswer(question, question.base, schedules)
    problem = _in_the_way(question)
    if not problem:
        try:
            ruled = _best(question, RULED)
            schedules |= {} if ruled is None else {RULED: ruled}
        except InputError as error:
            problem = str(error)
    return SchedulesAnswer(question, question.base, schedules, problem)


@cache.remembered
def _random(question: SchedulesQuestion, *, draw: int) -> Schedule:
    rng = np.random.default_rng(draw)
    return _in_zones(question, lambda people, places: random_schedule(people, places, rng), of_values=False)


def _both_greedy(question: SchedulesQuestion) -> list[Schedule]:
    return [_greedy(question, rule=rule) for rule in ("published", "reference")]


@cache.remembered
def _greedy(question: SchedulesQuestion, *, rule: Literal["published", "reference"]) -> Schedule:
    return _in_zones(question, lambda people, places: greedy_schedule(people, places, rule=rule))


def _in_zones(
    question: SchedulesQuestion, make: Callable[[np.ndarray, np.ndarray], Schedule], of_values: bool = True
) -> Schedule:
    """A schedule made at once, of the values or of the groups of everybody, or of each zone by itself."""
    people, places = question.people, question.slots.capacities

    def solve(frequencies: np.ndarray, capacities: np.ndarray, quasi_ids: np.ndarray, *_: object) -> Schedule:
        if not of_values:
            return with_values(make(frequencies, capacities), quasi_ids)
        sizes = np.bincount(quasi_ids, weights=frequencies).astype(np.int64)
        return with_groups(make(sizes, capacities), frequencies, quasi_ids)

    if question.zones is None:
        return solve(people.frequencies, places, people.quasi_ids)
    return by_zone(people.frequencies, places, people.quasi_ids, question.zones, solve)


@cache.remembered
def _in_the_way(question: SchedulesQuestion) -> str:
    """The sentence that names the people and slots in the way of the rules, empty if the rules can be kept."""
    people, slots = question.people, question.slots
    named = [f"“{', '.join(row)}”" for row in people.groups.itertuples(index=False)]
    labels = [f"“{label}”" for label in slots.short_labels]
    everyone = (0, np.arange(len(named)), np.arange(len(labels)))
    for zone, groups, of_zone in [everyone] if question.zones is None else question.zones.parts():
        names = Names([named[i] for i in groups.tolist()], [labels[j] for j in of_zone.tolist()])
        frequencies, places = people.frequencies[groups], slots.capacities[of_zone]
        try:
            rules = [of_part(rule, groups, of_zone) for rule in question.all_rules]
            allowed, mix = restrictions(rules, None, frequencies, places, names=names)
            check_feasible(frequencies, places, allowed, mix, names=names)
        except InputError as error:
            return str(error) if question.zones is None else f"{question.zones.labels[zone]}: {error}"
    return ""


def _best(question: SchedulesQuestion, name: str) -> Schedule | None:
    """The best schedule found at once, or by as much search as was asked for."""
    if question.zones is not None and question.people.n_people > MANY:
        return _best_of_many_zones(question)
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


def _best_of_many_zones(question: SchedulesQuestion) -> Schedule | None:
    """The best found zone by zone, which begins by itself, shows how far it is and can be stopped.

    None where nothing that keeps the rules is there yet.
    """
    zones = question.zones
    assert zones is not None
    what = f"Choosing {_chosen(question)} in {words.count(len(zones.labels), 'programmes')}, one after another"
    further = long_work.best_so_far(
        f"schedules {question.key}", [(what, _search(question, AT_ONCE_OF_ZONES * len(zones.labels)))],
        AT_ONCE_OF_ZONES * len(zones.labels) / A_SECOND, by_itself=60.0,
    )  # fmt: skip
    return further if question.rules else _better(_both_greedy(question)[0], further)


def _chosen(question: SchedulesQuestion) -> str:
    """What of the appointment is chosen, where a part of it stays."""
    free = [part for part in question.parts.named if part not in question.stays]
    return f"the {words.listed(free)}" if free else "slots"


@cache.remembered
def _optimal(question: SchedulesQuestion, *, work: float) -> Schedule:
    return away.compute(_search(question, work), long_work.let_go)


def _search(question: SchedulesQuestion, work: float) -> Callable[[Progress], Schedule]:
    """The search for the best schedule, which needs nothing of the file but the people counted."""
    greedy = [] if question.rules else _both_greedy(question)
    return partial(_solved, replace(question, data=None), greedy, work)


def _solved(
    question: SchedulesQuestion, greedy: Sequence[Schedule], work: float, progress: Progress = nobody
) -> Schedule:
    people, places = question.people, question.slots.capacities
    if question.zones is None:
        return optimal_schedule(
            people.frequencies, places, quasi_ids=people.quasi_ids, rules=question.all_rules, work=work,
            progress=progress, greedy=greedy,
        )  # fmt: skip

    def solve(
        frequencies: np.ndarray, capacities: np.ndarray, quasi_ids: np.ndarray, rules: list[Rule], of_zone: Progress
    ) -> Schedule:
        share = work * frequencies.sum() / max(1, people.n_people)
        return optimal_schedule(
            frequencies, capacities, quasi_ids=quasi_ids, rules=rules, work=share, progress=of_zone
        )  # fmt: skip

    return by_zone(
        people.frequencies, places, people.quasi_ids, question.zones, solve, rules=question.all_rules,
        first=greedy[0] if greedy else None, progress=progress,
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


# ---- few people moved, and single ones by hand --------------------------------------------------------------------


def fewest_moves(question: SchedulesQuestion, k: int) -> FewMoves | None:
    """What moving few people gains; None without appointments, with rules, and before it is asked for."""
    if question.existing is None or question.rules:
        return None
    if question.people.n_people <= MANY:
        return _few_moves(question, k=k)
    return long_work.result(few_moves_name(question, k))


def few_moves_name(question: SchedulesQuestion, k: int) -> str:
    """The name of the work that finds it."""
    return f"schedules few moves {question.key} {k}"


@cache.waited_for("Looking how few people would have to move")
def _few_moves(question: SchedulesQuestion, *, k: int) -> FewMoves:
    return away.compute(partial(search_few_moves, replace(question, data=None), k), long_work.let_go)


def search_few_moves(question: SchedulesQuestion, k: int, progress: Progress = nobody) -> FewMoves:
    """Look how few people have to move. A group is a value and what stays of the appointment."""
    assert question.existing is not None
    there = with_values(
        question.existing.schedule(question.people.quasi_ids), np.arange(len(question.people.frequencies))
    )
    return few_moves(there, question.slots.capacities, max(k, 2), question.zones, progress=progress)


def fewest(moves: FewMoves) -> int:
    """The fewest people who have to move so that fewest are alone."""
    return int(moves.moved[np.argmin(moves.alone)])


@dataclass(frozen=True, eq=False)
class ScheduleTaken:
    """The schedule that is taken, before single people are given another slot."""

    question: SchedulesQuestion
    schedule: Schedule

    @cached_property
    def key(self) -> str:
        cells = self.schedule.groups
        held = b"".join(part.tobytes() for part in (cells.indptr, cells.indices, cells.data))
        return f"{self.question.key} {sha256(held).hexdigest()}"


@cache.remembered
def drawn_slots(taken: ScheduleTaken, *, lot: tuple[int, ...]) -> np.ndarray:
    """(N,) the slot of each person: drawn by lot within each group, and their own where they can keep it."""
    existing, people = taken.question.existing, taken.question.people
    rng = np.random.default_rng(list(lot))
    now = None if existing is None else existing.slot_of_person
    return slot_of_each(taken.schedule, people.group_of_person, rng, now)


def with_hands(answer: SchedulesAnswer, name: str, moves: Sequence[tuple[int, int, int]]) -> SchedulesAnswer:
    """The answer with single people of the schedule that is taken in other slots: group, slot before and after."""
    changed = with_moves(answer.schedules[name], moves, answer.question.people.quasi_ids)
    return replace(
        answer, schedules={**answer.schedules, name: changed}, moved=len(moves), taken=name,
        drawn_from=answer.schedules[name],
    )  # fmt: skip


# ---- numbers ------------------------------------------------------------------------------------------------------


def improved(new: AnonymityVector, old: AnonymityVector, base: AnonymityVector) -> float | None:
    """The improvement of one vector over another on a base; None where there are too many people to count."""
    return improvement(new, old, base) if base.n_records <= _MOST_INDEXED else None


@cache.waited_for("Comparing the programmes one by one")
def improvements_by_zone(taken: ScheduleTaken) -> np.ndarray:
    """The improvement over what is there in each programme, as Table 11 has it for each date."""
    question = taken.question
    assert question.existing is not None and question.zones is not None
    people = question.people
    there = question.existing.schedule(people.quasi_ids)
    return improvements(taken.schedule, there, people.frequencies, people.quasi_ids, question.zones)


def signed(share: float) -> str:
    """A share that may be negative, as a percentage."""
    return words.percent(share) if share >= 0 else f"−{words.percent(-share)}"


def log10_index(vector: AnonymityVector) -> float:
    """The decimal logarithm of the lexicographic index; not a number for index 0 and for too many people to count."""
    if vector.n_records > _MOST_INDEXED:
        return np.nan
    log10 = log_index(vector).log10
    return log10 if np.isfinite(log10) else np.nan
