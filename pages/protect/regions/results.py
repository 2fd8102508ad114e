"""What the library answers to the Regions page: computed once, long work by the button, kept for the comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from anonlib.analyses.regions import Aggregation, AreaClasses, aggregate, clustering
from anonlib.analyses.regions.aggregation import areas_as_they_are
from anonlib.analyses.regions.exchange import exchange
from anonlib.basics import words
from anonlib.basics.progress import Progress, nobody, share_alone
from anonlib.dataset import Dataset
from anonlib.plots.regions import ComparedRun
from anonlib.release.from_analyses import PlaceSteps, steps_of_aggregation
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope
from pages.protect.regions.question import PLACEMENTS, Given, RegionsQuestion, sites_for, to_compare, usual_givens
from ui.session import cache, decide, long_work, state

_areas_as_they_are = cache.remembered(areas_as_they_are)
_aggregate = cache.remembered(aggregate)

MOST_IN_REASON = 2  # regions that are there before, which a reason names
AT_ONCE = 1.0  # seconds; what takes longer waits for a button
MOST_SEEN = 60  # configurations that are held


def areas_alone(question: RegionsQuestion) -> Aggregation:
    """Every area a region of its own: the records as they are."""
    return _areas_as_they_are(question.classes, k=question.k)


def balanced(question: RegionsQuestion) -> Aggregation:
    """As many regions as are asked for, placed balanced: where every search begins."""
    return _aggregate(question.classes, k=question.k, number=question.number.sites)


def regions(question: RegionsQuestion) -> Aggregation:
    """The aggregation that is asked for; while it is being searched for, the best so far or the balanced one."""
    if question.placement == "given":
        assert question.given is not None
        aggregation = question.given.regions(question.classes, question.k)
        _see(question, aggregation)
        return aggregation
    start = balanced(question)
    aggregation = _searched(question, start) or start
    _see(question, aggregation)
    return aggregation


def add_to_recipe(question: RegionsQuestion, aggregation: Aggregation, data: Dataset) -> None:
    """Release the regions; the reason says what they leave out, and what is usually released would."""
    reason = f"{name_of(question, aggregation)} on {len(question.classes.classes.attributes) + 1} columns"
    places, *others = steps_of_aggregation(aggregation, reason)
    decide.take((places.with_reason(reason + _beside_usual(question, aggregation, data)), *others), places.columns,
                Scope.REGIONS)  # fmt: skip


def _beside_usual(question: RegionsQuestion, aggregation: Aggregation, data: Dataset) -> str:
    """What is left out as the recipe is now, and what would be of what is usually released."""
    says = f". When chosen: {words.percent(aggregation.measures.share_left_out)} left out"
    for given in usual_givens(question, data)[:MOST_IN_REASON]:
        usual = given.regions(question.classes, question.k)
        if usual.key != aggregation.key:
            says += f"; {given.name}, {words.count(usual.n_regions, 'regions')}: "
            says += words.percent(usual.measures.share_left_out)
    return says


def are_in_recipe(aggregation: Aggregation, recipe: Recipe) -> bool:
    """Whether it is these regions that the recipe releases, for whatever reason."""
    if aggregation.releases_nothing:
        return False
    steps: PlaceSteps = steps_of_aggregation(aggregation)
    return set(steps) <= {step.with_reason("") for step in recipe.enabled}


def _searched(question: RegionsQuestion, start: Aggregation) -> Aggregation | None:
    search, weights = _search_of(question)
    if search is None:
        return start
    seconds = estimated_seconds(question.classes, question.placement)
    if seconds <= AT_ONCE:
        return search(start, **weights)
    stage = (
        f"{PLACEMENTS[question.placement]} regions",
        lambda progress: search.compute(start, **weights, progress=progress),
    )
    return long_work.best_so_far(f"regions-{start.key}-{question.placement}-{weights}", [stage], seconds)


def _search_of(question: RegionsQuestion) -> tuple[cache.Remembered[..., Aggregation] | None, dict[str, Any]]:
    """The search that begins at the balanced regions, and its settings."""
    if question.placement == "exchange":
        return _exchanged, {"compactness": question.compactness, "balance": question.balance}
    return (_clustered if question.placement == "clustering" else None), {}


@cache.remembered
def _exchanged(start: Aggregation, *, compactness: float, balance: float, progress: Progress = nobody) -> Aggregation:
    return exchange(start, compactness=compactness, balance=balance, progress=progress)


@cache.remembered
def _clustered(start: Aggregation, *, progress: Progress = nobody) -> Aggregation:
    place = partial(clustering, progress=share_alone(progress))
    return aggregate(start.area_classes, start.k, number=start.asked, placement=place, name="clustering")


def estimated_seconds(classes: AreaClasses, placement: str) -> float:
    """About how long a search takes, by what it goes through."""
    n = classes.counts.nnz
    return {"balanced": 0.1, "clustering": n / 500_000}.get(placement, n * 150 / 7e6)


# ---- side by side ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """The measures of the configurations run so far, by what was counted and their name; and how often forgotten."""

    runs: Mapping[tuple[str, str], ComparedRun] = field(default_factory=dict)
    forgotten: int = 0


def _see(question: RegionsQuestion, aggregation: Aggregation) -> None:
    """Hold on to what a configuration came to, for the comparison; the oldest give way."""
    runs, place = dict(state.part(Seen).runs), (question.classes.key, name_of(question, aggregation))
    runs.pop(place, None)
    runs[place] = _run_of(question, aggregation)
    state.change_part(Seen, runs=dict(list(runs.items())[-MOST_SEEN:]))


def _run_of(question: RegionsQuestion, aggregation: Aggregation) -> ComparedRun:
    of = _as_became(question, aggregation)
    return ComparedRun(of.way, of.placement, of.k, aggregation.measures, aggregation.spatial)


def _as_became(question: RegionsQuestion, aggregation: Aggregation) -> RegionsQuestion:
    """The question whose answer the regions are, whatever they were to become."""
    placement = aggregation.method if aggregation.method in PLACEMENTS else "balanced"
    return question.with_regions(aggregation.n_regions, placement)


def name_of(question: RegionsQuestion, aggregation: Aggregation) -> str:
    """What the regions found are called, whatever they were to become."""
    return _as_became(question, aggregation).name


def all_seen(question: RegionsQuestion) -> dict[str, ComparedRun]:
    """The configurations run so far of the same areas, records and columns, by name; the latest last."""
    seen = state.part(Seen).runs
    return {name: run for (key, name), run in seen.items() if key == question.classes.key}


def beside(question: RegionsQuestion, givens: list[Given]) -> dict[str, ComparedRun]:
    """Regions that are there before, by name, each with as many that are placed balanced."""
    runs = dict[str, ComparedRun]()
    for given in givens:
        of = question.with_given(given)
        as_many = question.with_regions(sites_for(question, of.number.sites), "balanced")
        for asked, aggregation in ((of, given.regions(of.classes, of.k)), (as_many, balanced(as_many))):
            runs[name_of(asked, aggregation)] = _run_of(asked, aggregation)
    return runs


def forget_seen() -> None:
    """Let the comparison begin again, with the button that runs all placements."""
    state.change_part(Seen, runs={}, forgotten=state.part(Seen).forgotten + 1)


def ask_all(question: RegionsQuestion, numbers: list[int]) -> None:
    """The button that runs this number, both cutoffs' and other ``numbers`` with every placement, one by one."""
    wanted = to_compare(question, numbers)
    stages = [(variant.name, partial(_run, variant)) for variant in wanted]
    seconds = [estimated_seconds(variant.classes, variant.placement) for variant in wanted]
    names = "".join(variant.name for variant in wanted)
    work = f"regions-all-{state.part(Seen).forgotten}-{question.classes.key}{names}"
    long_work.best_so_far(
        work, stages, seconds, "Every placement at these numbers of regions, and at those of both fitted cutoffs,"
    )


def _run(question: RegionsQuestion, progress: Progress) -> str:
    """Find the aggregation that is asked for, however long it takes, and hold on to it."""
    start = balanced(question)
    search, weights = _search_of(question)
    _see(question, start if search is None else search.compute(start, **weights, progress=progress))
    return question.name
