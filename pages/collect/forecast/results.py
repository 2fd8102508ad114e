"""What the Forecast page computes: who may come, what the draws say of the recipe, and the finest policy."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from anonlib.analyses.forecast import (
    FinestPolicy,
    Futures,
    LevelLattice,
    NewPeople,
    PastPeriods,
    PolicyTable,
    RiskForecast,
    draw_futures,
    finest_policy,
    forecast,
    kept_after_each,
    past_periods,
    policy_table,
    usual_ranges,
)
from anonlib.analyses.forecast.policies import PolicyLevels
from anonlib.analyses.frontier import one_value_a_person
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.coarsening.hierarchies import Hierarchy, suggested_hierarchy
from anonlib.columns.roles import Role, numbers_are_dates
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.plots.forecast import KeptLine
from anonlib.release.recipe import Recipe
from pages.collect.forecast.question import AskedForecast, ForecastQuestion
from ui.session import cache, long_work, view

SEARCHED, FRESH, BY_NUMBER = 0, 1, 2  # seeds: those of a policy's proof are not those it was chosen by
BY_ITSELF = 10.0  # seconds up to which the search begins without a button
MOST_BY_NUMBER = 10_000_000  # people of all draws, for the table and the picture
LOOKED_AT = 30  # policies that a search looks at, about


def cells(asked: AskedForecast) -> ClassTable:
    """Who may come, by what is known of them."""
    return _cells(asked.source, columns=asked.question.counted, missing=asked.data.missing)


@cache.waited_for("Counting who may come")
def _cells(source: Dataset, *, columns: tuple[str, ...], missing: str) -> ClassTable:
    return one_value_a_person(source.with_missing(missing).classes(list(columns)))  # type: ignore[arg-type]


def parted(asked: AskedForecast) -> int:
    """Persons of the file whose rows differ in a column, who are not drawn."""
    if asked.population is not None or not asked.data.has_several_rows:
        return 0
    return asked.data.classes(list(asked.question.counted)).n_records - cells(asked).n_records


def hierarchy(data: Dataset, population: Dataset | None, chosen: dict[str, Hierarchy], name: str) -> Hierarchy:
    """The levels of a column: the officer's, or else suggested of the values of file and table."""
    return chosen[name] if name in chosen else _suggested(data, population, name=name)


@cache.remembered
def _suggested(data: Dataset, population: Dataset | None, *, name: str) -> Hierarchy:
    of_file = data.held.counts_of(name)
    records = dict(zip(of_file.values.tolist(), of_file.records.tolist(), strict=True))
    if population is not None:
        people = population.classes([name])
        known = zip(people.column(name).tolist(), people.counts.tolist(), strict=True)
        records = dict.fromkeys(records, 0) | {value: n for value, n in known if value is not None}
    values = np.array([*records, None], dtype=object)[:-1]
    dated = numbers_are_dates(data.held, name)
    return suggested_hierarchy(values, np.array(list(records.values()), dtype=np.int64), name, dated=dated)


@cache.remembered
def past(data: Dataset, *, dates: str, period: str, place: str | None) -> PastPeriods | None:
    """The people of each past period of the file; None where no date can be read."""
    names = [dates, *([place] if place is not None and place != dates else [])]
    return past_periods(data.classes(names), dates, period, place)  # type: ignore[arg-type]


def new_people(asked: AskedForecast) -> NewPeople:
    """How many come in a release, and from where."""
    question = asked.question
    if question.varies:
        return _past_of(asked).within(question.together)
    return _places(asked).spread(question.number).within(question.together)


def _past_of(asked: AskedForecast) -> NewPeople:
    question = asked.question
    assert question.dates is not None
    periods = past(asked.data, dates=question.dates, period=question.period, place=question.place)
    assert periods is not None
    return periods.people


def _places(asked: AskedForecast) -> NewPeople:
    """From where people come, as in the file."""
    place = asked.question.place
    if place is None:
        return NewPeople.of(1)
    classes = one_value_a_person(asked.data.classes([place]))
    return NewPeople.by_place(
        place, dict(zip(classes.column(place).tolist(), map(int, classes.counts.tolist()), strict=True))
    )


def futures(asked: AskedForecast, seed: int) -> Futures:
    """The draws of a release; those of BY_NUMBER are of the most people that the table goes to."""
    return _futures(asked.data, asked.population, question=asked.question, seed=seed)


@cache.waited_for("Drawing who may come")
def _futures(data: Dataset, population: Dataset | None, *, question: ForecastQuestion, seed: int) -> Futures:
    asked = AskedForecast(question, data, population)
    people = new_people(asked)
    if seed == BY_NUMBER:
        people = people.spread(most_people(asked))
    rng = np.random.default_rng(seed)
    return draw_futures(cells(asked), people, question.draws, rng, long_work.let_go)


def most_people(asked: AskedForecast) -> int:
    """Up to how many people a release the table goes: a few times as many as asked about, where there are so many."""
    people, question = new_people(asked), asked.question
    number = int(np.ceil(people.numbers.mean()))
    scale = [factor * 10**power for power in range(9) for factor in (1, 2, 5)]
    wanted = min(mark for mark in scale if mark >= 4 * number)
    most = max(number, min(wanted, MOST_BY_NUMBER // question.draws))
    while most > number and not _fits(asked, people, most):
        most = max(number, int(most * 0.8))
    return most


def _fits(asked: AskedForecast, people: NewPeople, number: int) -> bool:
    classes = cells(asked)
    if people.place is None:
        return number <= classes.n_records
    counted = classes.project([people.place])
    size = dict(zip(counted.column(people.place).tolist(), counted.counts.tolist(), strict=True))
    wanted = people.spread(number).counts[0]
    return all(size.get(place, 0) >= n for place, n in zip(people.places, wanted.tolist(), strict=True))


def lattice(asked: AskedForecast) -> LevelLattice:
    """The policies to choose from."""
    return _lattice(asked.data, asked.population, question=asked.question)


@cache.remembered
def _lattice(data: Dataset, population: Dataset | None, *, question: ForecastQuestion) -> LevelLattice:
    return LevelLattice(cells(AskedForecast(question, data, population)), dict(question.hierarchies))


# ---- the recipe as it is ----


def present(asked: AskedForecast) -> RiskForecast:
    """What new draws say of the recipe as it is."""
    return _present(asked.data, asked.population, view.now().recipe, question=asked.question)


@cache.waited_for("Counting what the recipe keeps")
def _present(data: Dataset, population: Dataset | None, recipe: Recipe, *, question: ForecastQuestion) -> RiskForecast:
    asked = AskedForecast(question, data, population)
    return forecast(futures(asked, FRESH), groups_of(asked, recipe), question.promise.k)


def groups_of(asked: AskedForecast, recipe: Recipe) -> np.ndarray:
    """The class in which a recipe releases each combination of values, by steps that do not depend on who else comes.

    A value that a step does not cover becomes ``*``, and a step that does not fit at all is passed over.
    """
    return _groups_of(asked.data, asked.population, recipe, question=asked.question)


@cache.remembered
def _groups_of(data: Dataset, population: Dataset | None, recipe: Recipe, *, question: ForecastQuestion) -> np.ndarray:
    classes = cells(AskedForecast(question, data, population))
    names = list(question.columns)
    frame = pd.DataFrame({name: classes.column(name) for name in names}, dtype=object)
    roles = dict.fromkeys(names, Role.QUASI_IDENTIFIER)
    people = Dataset.from_frame(frame.map(lambda value: None if value is None else str(value)), "people", roles=roles)
    for step in recipe.independent.enabled:
        with suppress(InputError):
            for unseen in step.unseen(people):
                step = step.decided(unseen, "star")
            after = step.apply(people)
            people = after if after.n_records == classes.n_classes else people
    left = [name for name in names if name in people.columns]
    coded = ClassTable.from_frame(people.records[left], left)
    assert coded.class_of_record is not None
    return coded.class_of_record


def passed_over(recipe: Recipe) -> int:
    """Steps of a recipe that depend on who else comes, and are not foreseen."""
    return len(recipe.enabled) - len(recipe.independent.enabled)


# ---- the finest policy, and the table ----


@dataclass(frozen=True)
class ReleasePlan:
    """What is promised.

    Attributes
    ----------
    finest : the finest policy.
    fresh : what new draws, by which it was not chosen, say of it; None without a policy, and while it is searched.
    """

    finest: FinestPolicy
    fresh: RiskForecast | None = None


def plan(asked: AskedForecast) -> ReleasePlan | None:
    """The plan as far as it got; None before anything is known. Shows the button of longer work."""
    stage = ("The search for the finest policy", partial(_find_finest, asked))
    seconds = _seconds(asked, int(new_people(asked).numbers.max()))
    return long_work.best_so_far(f"forecast-{asked.key}", [stage], seconds, by_itself=BY_ITSELF)


def table(asked: AskedForecast, after: ReleasePlan | None) -> PolicyTable | None:
    """The policies by number of people, as far as they got; None before anything is known. Shows the button too.

    It begins by itself only ``after`` a plan that nobody stopped.
    """
    stage = ("The table of policies by number of people", partial(_find_table, asked))
    by_itself = BY_ITSELF if after is not None and after.finest.finished else -1.0
    return long_work.best_so_far(_table_name(asked), [stage], _seconds(asked, most_people(asked)), by_itself=by_itself)


def table_so_far(asked: AskedForecast) -> PolicyTable | None:
    """The same where it is not shown."""
    return long_work.result(_table_name(asked))


def _table_name(asked: AskedForecast) -> str:
    return f"forecast-table-{asked.key}"


def _seconds(asked: AskedForecast, people: int) -> float:
    """About how long a search takes on draws of so many people."""
    return asked.question.draws * people * (1.5e-7 + LOOKED_AT * 1e-8) + LOOKED_AT * cells(asked).n_classes * 3e-8


def _find_finest(asked: AskedForecast, progress: Progress) -> ReleasePlan:
    def so_far(share: float, best: FinestPolicy | None = None, /) -> None:
        progress(share, None if best is None else ReleasePlan(best))

    ways = lattice(asked)
    finest = finest_policy(futures(asked, SEARCHED), ways, asked.question.promise, so_far)
    if finest.policy is None:
        return ReleasePlan(finest)
    return ReleasePlan(finest, forecast(futures(asked, FRESH), ways.groups(finest.policy), finest.promise.k))


def _find_table(asked: AskedForecast, progress: Progress) -> PolicyTable:
    drawn, promise = futures(asked, BY_NUMBER), asked.question.promise
    ranges = usual_ranges(min(promise.k, drawn.longest), drawn.longest)
    return policy_table(drawn, lattice(asked), promise, ranges, progress)


def lines(asked: AskedForecast, plan: ReleasePlan | None) -> list[KeptLine]:
    """In how many draws the policies keep the promise, by number of people: the recipe's, the finest, the table's."""
    recipe = view.now().recipe
    shown = [KeptLine(name_of(recipe), _kept_by_recipe(asked.data, asked.population, recipe, question=asked.question),
                      "present")]  # fmt: skip
    ways, rules = lattice(asked), table_so_far(asked)
    finest = None if plan is None else plan.finest.policy
    others: list[PolicyLevels] = []
    for row in () if rules is None else rules.ranges:
        if row.policy is not None and row.policy != finest and row.policy not in others:
            others.append(row.policy)
    for policy in others:
        shown.append(KeptLine(in_short(ways, policy), _kept(asked, policy), "other"))
    if finest is not None:
        shown.append(KeptLine("The finest policy", _kept(asked, finest), "finest"))
    return shown


def _kept(asked: AskedForecast, policy: PolicyLevels) -> np.ndarray:
    return _kept_by_policy(asked.data, asked.population, question=asked.question, policy=policy)


@cache.remembered
def _kept_by_policy(
    data: Dataset, population: Dataset | None, *, question: ForecastQuestion, policy: PolicyLevels
) -> np.ndarray:
    asked = AskedForecast(question, data, population)
    return kept_after_each(futures(asked, BY_NUMBER), lattice(asked).groups(policy), question.promise)


@cache.remembered
def _kept_by_recipe(
    data: Dataset, population: Dataset | None, recipe: Recipe, *, question: ForecastQuestion
) -> np.ndarray:
    asked = AskedForecast(question, data, population)
    return kept_after_each(futures(asked, BY_NUMBER), groups_of(asked, recipe), question.promise)


def name_of(recipe: Recipe) -> str:
    """What the policy is called that is there now."""
    return "The recipe as it is" if recipe.independent.enabled else "Columns as they are"


def in_short(ways: LevelLattice, policy: PolicyLevels) -> str:
    """A policy by the columns that it changes: ``age: intervals of 5; zip: removed``."""
    texts = [f"{name}: {text}" for name, text in ways.describe(policy).items() if text != "as it is"]
    return "; ".join(texts) or "all columns as they are"
