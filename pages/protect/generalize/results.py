"""What the Generalize page computes: at once where that is quick; else a first answer, and the rest as long work."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from anonlib.analyses.generalization import (
    Generalization,
    Method,
    ViolatingGroups,
    WholeClasses,
    better_of,
    parts_within,
    solve,
)
from anonlib.analyses.generalization.generalize import WORK_OF_BLANKS
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_alone
from anonlib.dataset import Dataset
from anonlib.release.steps.cell_suppression import NEEDS_VALUES
from pages.protect.generalize.question import BETTER, METHODS, WEIGHED, GeneralizeQuestion, Way
from ui.session import away, cache, long_work
from ui.text import plain

AT_ONCE = 0.8  # seconds; what takes longer waits for a button, since the limit is dragged
STAYS = 0.2  # seconds; what takes longer is computed in another process
BY_ITSELF = 5.0  # seconds up to which going through parts begins without the button, which stops it
FIRST = A_SECOND / 4  # the work of the first answer of a search that takes longer
EACH_METHOD = 60 * A_SECOND  # the work of a method when methods are compared


def problem_of(data: Dataset, question: GeneralizeQuestion) -> WholeClasses:
    return _problem(data, question)


@cache.waited_for("Counting the records at every level")
def _problem(data: Dataset, question: GeneralizeQuestion) -> WholeClasses:
    return question.on(data, _plain_problem(data, question.plain))


@cache.remembered
def _plain_problem(data: Dataset, question: GeneralizeQuestion) -> WholeClasses:
    return question.on(data)


def seconds(problem: WholeClasses, method: Method) -> float:
    """About how long a search takes, from the tables it makes and the rows of each. Calibrated on the Adult data."""
    rows, m, states = problem.classes.n_classes, max(1, len(problem.columns)), problem.n_nodes
    table = 2e-4 + 4e-8 * rows
    match method:
        case "iab" | "exhaustive":
            return states * table
        case "greedy":
            return min(states, m * (sum(problem.highest) + 1)) * table
        case "parts":
            return 0.1 + 2e-5 * rows
        case "blanks":
            return min(WORK_OF_BLANKS / A_SECOND, min(states, 40 * m) * (5e-3 + 1.5e-6 * rows))
    # Branch and bound looks at the fewer of the states the more of them there are.
    if not problem.suppression_limit:
        looked_at = 3.4 * states**0.38
    else:
        looked_at = 0.93 * states**0.66 if problem.adds_up else 0.4 * states**0.84
    return 0.05 + 3e-8 * rows * m**2 + looked_at * table


@dataclass(frozen=True)
class TriedMethod:
    """A method and what it found, or why it found nothing; neither while longer work goes on.

    ``of_any`` says whether no other method finds anything either.
    """

    method: Method
    generalization: Generalization | None
    problem: str = ""
    of_any: bool = False


@dataclass(frozen=True)
class GeneralizeAnswer:
    """What is shown: a generalization, and the one it was compared with and found better than.

    ``why_alone`` says why it is not compared, where that was asked for.
    """

    generalization: Generalization
    other: Generalization | None = None
    why_alone: str = ""


def answer(data: Dataset, question: GeneralizeQuestion, method: Way) -> GeneralizeAnswer | None:
    """The generalization; None while longer work has not found any. Raises InputError where there is none."""
    if method != BETTER:
        generalization = result(data, question, method)
        return None if generalization is None else GeneralizeAnswer(generalization)
    problem_of(data, question)  # what cannot be stated is refused once
    # Parts are quick whatever the number of levels: where whole columns are searched for long, they are shown above it.
    parts = _tried(data, question, "parts", begins=False)
    whole = _tried(data, question, "optimal", begins=parts.generalization is None)
    if whole.generalization is not None and parts.generalization is not None:
        better = better_of(whole.generalization, parts.generalization)
        return GeneralizeAnswer(
            better, parts.generalization if better is whole.generalization else whole.generalization
        )
    alone, missing = (parts, whole) if whole.generalization is None else (whole, parts)
    if alone.generalization is not None:
        return GeneralizeAnswer(
            alone.generalization, None, missing.problem or "They are compared once that search is done."
        )
    if parts.problem or whole.of_any:  # parts need least: what they lack, whole columns mostly lack too
        raise InputError(whole.problem or parts.problem, code="nothing-satisfies")
    return None


def answer_or_sentence(data: Dataset, question: GeneralizeQuestion, method: Way) -> GeneralizeAnswer | None:
    """The answer, or the sentence why there is none: the hierarchies can be mended below."""
    try:
        return answer(data, question, method)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def against(generalization: Generalization, other: Generalization) -> str:
    """What two results keep or lose of what the search was to keep: ``34.9% lost against 50.4%``."""
    if generalization.objective in WEIGHED:
        lost = "lost by weight" if generalization.problem.is_weighted else "lost"
        return f"{words.percent(-generalization.score)} {lost} against {words.percent(-other.score)}"
    if generalization.objective == "discernibility":
        return f"a discernibility of {-generalization.score:,.0f} against {-other.score:,.0f}"
    return f"{generalization.score:,.0f} against {other.score:,.0f}"


def _tried(data: Dataset, question: GeneralizeQuestion, method: Method, *, begins: bool) -> TriedMethod:
    """A method and what it found so far, or why it finds nothing; ``begins`` as of :func:`result`."""
    try:
        return TriedMethod(method, result(data, question, method, begins=begins))
    except InputError as error:
        return TriedMethod(method, None, str(error), error.code in _OF_ANY)


_OF_ANY = ("no-records", "k-above-records")  # codes of errors that every method has


def result(
    data: Dataset, question: GeneralizeQuestion, method: Method, *, begins: bool = True
) -> Generalization | None:
    """What one method finds, as :func:`answer`.

    Where that takes long it ``begins`` with what a little work finds, of whole columns where the method has no such
    answer.
    """
    _refuse_blanks(data, method)
    problem = problem_of(data, question)
    expected = seconds(problem, method)
    if expected <= AT_ONCE:
        return _solved(data, question, method=method)
    what = f"{METHODS[method]}: a search of {words.count(problem.n_nodes, 'combinations of levels')}"
    stage = (what, partial(_search, problem, method))
    name = f"generalize-{data.key}-{question.key}-{method}"
    first = None
    if begins and long_work.result(name) is None:
        of = method if method == "blanks" else "optimal"
        first = _first(data, question, method=of)
        if first is not None and first.method == method and first.finished:
            return first
    best = long_work.best_so_far(
        name, [stage], expected, by_itself=BY_ITSELF if method == "parts" else 0.0,
        like=f"generalize-{data.key}-{replace(question, limit=0.0).key}-{method}",
        meanwhile="" if first is None else f"Shown is what a first search found: {METHODS[first.method].lower()}.",  # type: ignore[index]
    )  # fmt: skip
    return best or first


def _search(problem: WholeClasses, method: Method, progress: Progress) -> Generalization:
    """What a method finds, and with it the measures that the page shows."""
    generalization = solve(problem, method, progress=progress)
    _ = generalization.k, generalization.score
    return generalization


@cache.waited_for("Searching for a first answer")
def _first(data: Dataset, question: GeneralizeQuestion, *, method: Method) -> Generalization | None:
    """What a search finds with a little work, the same on every machine; None where that was too little.

    Raises InputError where no method can find anything.
    """
    try:
        return solve(problem_of(data, question), method, work=FIRST)
    except InputError as error:
        if error.code in _OF_ANY:
            raise
        return None


def _refuse_blanks(data: Dataset, method: Method) -> None:
    """Raises InputError where records with a blank cell would leave the release."""
    if method == "blanks" and data.missing == "drop" and data.quasi_identifiers:
        raise InputError(NEEDS_VALUES, code="records-in-a-database")


@cache.remembered
def _solved(data: Dataset, question: GeneralizeQuestion, *, method: Method) -> Generalization:
    problem = problem_of(data, question)
    if method == "parts" and question.limit < 1:
        with suppress(InputError):  # the sentence is of what may be left out
            parts = _solved(data, replace(question, limit=1.0), method=method)
            if (within_limit := parts_within(parts, problem)) is not None:
                return within_limit
    if seconds(problem, method) <= STAYS:
        return solve(problem, method)
    return away.compute(partial(_search, problem, method), long_work.let_go)


def unchanged_of(data: Dataset, question: GeneralizeQuestion) -> Generalization:
    """The original, measured as a result is, whatever may be left out."""
    return _unchanged(data, replace(question, limit=0.0))


@cache.remembered
def _unchanged(data: Dataset, question: GeneralizeQuestion) -> Generalization:
    return unchanged(problem_of(data, question))


def unchanged(problem: WholeClasses) -> Generalization:
    """The original, measured as a result is."""
    classes = problem.classes
    violating, groups = problem.violating_groups(problem.bottom)
    violations = ViolatingGroups(groups, int(violating.sum()), int(classes.counts[violating].sum()))
    everyone = np.ones(classes.n_classes, dtype=bool)
    levels = np.broadcast_to(np.int16(0), (classes.n_classes, len(problem.columns)))
    named = dict.fromkeys(problem.columns, 0)
    return Generalization(problem, "original", named, levels, everyone, violations, 0, (), False, True, 0.0)


def quick(data: Dataset, question: GeneralizeQuestion, method: Method) -> Generalization | None:
    """The generalization where it is found at once, else None."""
    if seconds(problem_of(data, question), method) > AT_ONCE:
        return None
    return _solved(data, question, method=method)


def compared(data: Dataset, question: GeneralizeQuestion) -> tuple[TriedMethod, ...] | None:
    """Every method on the same question, one after the other."""
    problem = problem_of(data, question)
    ordered: list[Method] = sorted(METHODS, key=lambda method: seconds(problem, method))
    times = [min(EACH_METHOD / A_SECOND, seconds(problem, method)) for method in ordered]
    name = f"methods-{data.key}-{question.key}"
    stages = [
        (METHODS[method], partial(_tried_so_far, data, question, tuple(ordered[: i + 1])))
        for i, method in enumerate(ordered)
    ]
    stages[-1] = ("The comparison of all methods", stages[-1][1])
    return long_work.best_so_far(name, stages, times)


def _tried_so_far(
    data: Dataset, question: GeneralizeQuestion, methods: tuple[Method, ...], progress: Progress
) -> tuple[TriedMethod, ...]:
    """What each method found; all but the last are held."""
    return tuple(_try(data, question, method=method, progress=share_alone(progress)) for method in methods)


@cache.remembered
def _try(data: Dataset, question: GeneralizeQuestion, *, method: Method, progress: Progress = nobody) -> TriedMethod:
    try:
        _refuse_blanks(data, method)
        return TriedMethod(method, solve(problem_of(data, question), method, progress=progress, work=EACH_METHOD))
    except InputError as error:
        return TriedMethod(method, None, str(error))
