"""What the library answers to the Regions page: computed once, long work by the button, kept for the comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from anonlib.analyses.regions import Aggregation, AreaClasses, Target, aggregate, clustering, regions_for_target
from anonlib.analyses.regions.aggregation import areas_as_they_are
from anonlib.analyses.regions.exchange import exchange
from anonlib.basics import words
from anonlib.basics.progress import Progress, nobody, share_alone
from anonlib.dataset import Dataset
from anonlib.plots.regions import ComparedRun
from anonlib.release.from_analyses import PlaceSteps, steps_of_aggregation
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope
from pages.protect.regions.question import (
    PLACEMENTS,
    Given,
    RegionsQuestion,
    sites_for,
    target_of,
    to_compare,
    usual_givens,
)
from ui.session import away, cache, decide, long_work, state

_areas_as_they_are = cache.remembered(areas_as_they_are)
_aggregate = cache.remembered(aggregate)

MOST_IN_REASON = 2  # regions that are there before, which a reason names
STAYS = 0.1  # seconds; what takes longer is computed in another process
AT_ONCE = 1.0  # seconds; what takes longer can be stopped
BY_ITSELF = 30.0  # seconds; what takes longer waits for its button
TRIES = 12  # of numbers of regions, about, until a target is found
MOST_SEEN = 60  # configurations that are held
Search = Callable[..., Aggregation]
"""From the balanced regions to others, by a search that is called with ``progress``."""


def areas_alone(question: RegionsQuestion) -> Aggregation:
    """Every area a region of its own: the records as they are."""
    return _areas_as_they_are(question.classes, k=question.k)


def balanced(question: RegionsQuestion) -> Aggregation:
    """As many regions as are asked for, placed balanced: where every search begins."""
    return _aggregate(question.classes, k=question.k, number=question.number.sites)


@dataclass(frozen=True)
class RegionsShown:
    """What the page shows.

    Attributes
    ----------
    question : what is asked; where a target is, of the number of regions that was found for it.
    aggregation : the one that is asked for; while that is searched for the best so far, or the balanced one.
    work_on : does the rest of the search, at the end of the page.
    """

    question: RegionsQuestion
    aggregation: Aggregation
    work_on: Callable[[], None] = lambda: None


def regions(question: RegionsQuestion) -> RegionsShown:
    """The aggregation that is asked for."""
    search = _search_of(question)
    if question.placement == "given":
        assert question.given is not None
        shown = RegionsShown(question, question.given.regions(question.classes, question.k))
    elif search is None:
        shown = RegionsShown(question, balanced(question))
    else:
        shown = _of_number(question, search) if question.number.share is None else _of_target(question)
    _see(shown.question, shown.aggregation)
    return shown


def _of_number(question: RegionsQuestion, search: Search) -> RegionsShown:
    start = balanced(question)
    seconds = estimated_seconds(question.classes, question.placement)
    if seconds <= AT_ONCE:
        return RegionsShown(question, search(start, progress=long_work.let_go))
    stage = f"{PLACEMENTS[question.placement]} regions", partial(_searched, start, question.searched_by)
    name = f"regions-{start.key}-{question.searched_by}"
    work = long_work.offer(name, [stage], seconds, by_itself=BY_ITSELF)
    return RegionsShown(question, work.best or start, work.work_on)


def _of_target(question: RegionsQuestion) -> RegionsShown:
    classes, settings = question.classes, {"k": question.k, "share": question.number.share, **question.searched_by}
    seconds = TRIES * estimated_seconds(classes, question.placement)
    if seconds <= AT_ONCE:
        target = _target(classes, **settings)
        return RegionsShown(question.with_target(target, is_done=True), target.aggregation)
    name = f"regions-target-{classes.key}-{settings}"
    held: Target | None = long_work.result(name)
    compute = partial(_better_target, classes, settings, 0 if held is None else held.asked)
    what = f"The search for the most {PLACEMENTS[question.placement].lower()} regions"
    work = long_work.offer(name, [(what, compute)], seconds, by_itself=BY_ITSELF, draws=True)
    if work.best is None:
        return RegionsShown(question, balanced(question), work.work_on)
    return RegionsShown(question.with_target(work.best, is_done=work.is_done), work.best.aggregation, work.work_on)


def _better_target(classes: AreaClasses, settings: dict[str, Any], shown: int, progress: Progress) -> Target:
    """As :func:`_target`. It goes through what it tried before, which is held, and shows what has more regions only."""

    def of_better(share: float, target: Target | None = None, /) -> None:
        progress(share, target if target is not None and target.asked > shown else None)

    return _target.compute(classes, **settings, progress=of_better)


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


def _search_of(question: RegionsQuestion) -> Search | None:
    """The search that begins at the balanced regions; None where these are what is asked for."""
    return _search(**question.searched_by)


def _search(placement: str, **weights: float) -> Search | None:
    """The answers of each run are held: a target that is searched for again goes through those that it tried."""
    if placement == "exchange":
        return partial(_exchanged, **weights)  # type: ignore[arg-type]  # the names of its parameters
    return _clustered if placement == "clustering" else None


def _searched(start: Aggregation, by: dict[str, Any], progress: Progress) -> Aggregation:
    """What the search by a placement and its weights makes of balanced regions; those where it is none."""
    search = _search(**by)
    return start if search is None else search(start, progress=progress)


@cache.remembered
def _target(
    classes: AreaClasses, *, k: int, share: float, placement: str, progress: Progress = nobody, **weights: float
) -> Target:
    """The most regions found that leave out at most a share, each number as its own search leaves it."""
    known = target_of(classes, k, share).points
    return regions_for_target(classes, k, share, search=_search(placement, **weights), curve=known, progress=progress)


@cache.remembered
def _exchanged(start: Aggregation, *, compactness: float, balance: float, progress: Progress = nobody) -> Aggregation:
    return _computed(partial(_exchange, start, compactness, balance), start, "exchange", progress)


def _exchange(start: Aggregation, compactness: float, balance: float, progress: Progress) -> Aggregation:
    return exchange(start, compactness=compactness, balance=balance, progress=progress)


@cache.remembered
def _clustered(start: Aggregation, *, progress: Progress = nobody) -> Aggregation:
    return _computed(partial(_cluster, start), start, "clustering", progress)


def _cluster(start: Aggregation, progress: Progress) -> Aggregation:
    place = partial(clustering, progress=share_alone(progress))
    return aggregate(start.area_classes, start.k, number=start.asked, placement=place, name="clustering")


def _computed(
    work: Callable[[Progress], Aggregation], start: Aggregation, placement: str, progress: Progress
) -> Aggregation:
    """What takes more than a moment is computed in another process."""
    stays = estimated_seconds(start.area_classes, placement) <= STAYS
    return work(progress) if stays else away.compute(work, progress)


def estimated_seconds(classes: AreaClasses, placement: str) -> float:
    """About how long a search takes, by what it goes through."""
    n = classes.counts.nnz
    clustered, exchanged = n / 400_000 + classes.n_areas / 30_000, min(n / 1e6, 5.0) + classes.n_areas / 8_000
    return {"clustering": clustered, "exchange": exchanged}.get(placement, 0.1)


# ---- side by side ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """The measures of the configurations run so far, by what was counted and their name; and how often forgotten."""

    runs: Mapping[tuple[str, str], ComparedRun] = field(default_factory=dict)
    forgotten: int = 0


def _see(question: RegionsQuestion, aggregation: Aggregation) -> None:
    """Hold on to what a configuration came to, for the comparison; the oldest give way."""
    _hold((question.classes.key, name_of(question, aggregation)), _run_of(question, aggregation))


def _hold(place: tuple[str, str], run: ComparedRun) -> None:
    runs = dict(state.part(Seen).runs)
    runs.pop(place, None)
    runs[place] = run
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
    stages = [(variant.name, partial(_runs, wanted[: i + 1])) for i, variant in enumerate(wanted)]
    seconds = [estimated_seconds(variant.classes, variant.placement) for variant in wanted]
    long_work.best_so_far(
        _name_of_all(question, wanted), stages, seconds,
        "Every placement at these numbers of regions, and at those of both fitted cutoffs,",
    )  # fmt: skip


def see_all(question: RegionsQuestion, numbers: list[int]) -> None:
    """Hold on to what :func:`ask_all` came to so far."""
    for name, run in long_work.result(_name_of_all(question, to_compare(question, numbers))) or ():
        if name not in all_seen(question):
            _hold((question.classes.key, name), run)


def _name_of_all(question: RegionsQuestion, wanted: list[RegionsQuestion]) -> str:
    names = "".join(variant.name for variant in wanted)
    return f"regions-all-{state.part(Seen).forgotten}-{question.classes.key}{names}"


def _runs(questions: list[RegionsQuestion], progress: Progress) -> list[tuple[str, ComparedRun]]:
    """What each comes to, by its name; all but the last are held."""
    regions = [_searched(balanced(question), question.searched_by, progress) for question in questions]
    return [(name_of(question, of), _run_of(question, of)) for question, of in zip(questions, regions, strict=True)]
