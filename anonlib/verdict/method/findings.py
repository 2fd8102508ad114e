"""What the method says of a release: of whom a value is certain to somebody who knows how it was searched for."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anonlib.analyses.generalization.certificate import (
    MOST_WORK,
    States,
    SwapCertificate,
    TooMuchWork,
    by_knowledge,
    certify,
    kinds_of,
    states_of_nodes,
    states_of_parts,
)
from anonlib.analyses.generalization.search.lattice import Node
from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.privacy_models import AttributeDisclosure, PrivacyModel
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.verdict.method.bound import greatest_of
from anonlib.verdict.method.left_out import LeftForValue, left_for_value, not_sensitive
from anonlib.verdict.method.question import Method
from anonlib.verdict.method.released import RowsBesideRelease
from anonlib.verdict.together import Release

TOO_MUCH_WORK = (
    "The finer releases that the known columns alone would have allowed are too many to be counted, so whom the way in "
    "which this one was found makes certain is not known. Fewer columns that may be known, or fewer levels, make fewer."
)
SEVERAL_ROWS = (
    "What the way in which a release was found says of persons with several rows is not counted. Keep one row of each "
    "person to have it counted."
)
NOT_OF_THE_ORIGINAL = (
    "It is not known which records of the file are those of the release, so what the way in which it was found says of "
    "them cannot be counted."
)


@dataclass(frozen=True)
class Example:
    """The largest set of persons whose value what was refused makes certain.

    Attributes
    ----------
    persons : int
        How many they are (records, summed weights).
    labels : tuple[tuple[str, str], ...]
        What is known of them: columns with the labels that they share in the release that was refused.
    released : tuple[tuple[str, str], ...]
        The same columns with the labels that they share in the release.
    """

    persons: int
    labels: tuple[tuple[str, str], ...]
    released: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class MethodFindings:
    """What somebody learns of persons who knows how a release was searched for, besides what the release shows.

    All numbers of persons are records, persons or summed weights. ``forced``, ``uncertified`` and ``safe`` are those
    who are released with a value that does harm, in a class that shows several values, in some sensitive column; the
    first that holds of them counts.

    Attributes
    ----------
    forced : int
        A value of theirs is certain.
    uncertified : int
        It is neither shown that it is nor that it is not.
    safe : int
        It is shown that it is not: each can change places with another of the same class and another value.
    n_records : int
        All in the file who count.
    left_for_value : tuple[LeftForValue, ...]
        Whom steps leave out for a value.
    states : int
        Finer or cheaper releases that the known columns allow and that a value refused.
    not_refused : int
        Those that nothing refused: the release is not the least change beside them, and they say nothing.
    example : Example, optional
        The largest set of those whose value is certain.
    not_counted : str, default ""
        Why this could not be counted, in a sentence; "" where it was. Nobody is called safe then.
    greatest : float, optional
        The greatest probability that a value can reach, in [0, 1], where every refusal can be a coin's.
    by_column : tuple[tuple[str, int, int], ...], default ()
        By sensitive column, how many are forced and uncertified in it.
    """

    forced: int
    uncertified: int
    safe: int
    n_records: int
    left_for_value: tuple[LeftForValue, ...] = ()
    states: int = 0
    not_refused: int = 0
    example: Example | None = None
    not_counted: str = ""
    greatest: float | None = None
    by_column: tuple[tuple[str, int, int], ...] = ()

    @property
    def persons_left_for_value(self) -> int:
        """Persons (records, summed weights) whom steps leave out for a value."""
        return sum(left.persons for left in self.left_for_value)

    @property
    def classes_left_for_value(self) -> int:
        """The classes that these are of."""
        return sum(left.classes for left in self.left_for_value)


def coins_of(recipe: Recipe, known: Collection[str]) -> tuple[Any, ...] | None:
    """The coins of all steps of a recipe that look at values.

    Parameters
    ----------
    recipe : Recipe
        The steps.
    known : Collection[str]
        The columns that may be known.

    Returns
    -------
    tuple of Coin, or None
        None where such a step has none or takes sensitive columns as known, and where no step looks at values.
    """
    coins = [
        None if any(_takes_as_known(guarantee, known) for guarantee in step.asks) else step.coin
        for step in recipe.enabled
        if step.looks_at_values(known)
    ]
    return None if not coins or any(coin is None for coin in coins) else tuple(coins)


def _takes_as_known(guarantee: PrivacyModel, known: Collection[str]) -> bool:
    """Whether a guarantee takes a sensitive column as known besides others: classes may then be less than parts."""
    besides = sensitive_of(guarantee) is not None or len(guarantee.columns) > 1
    return besides and not set(guarantee.columns) <= set(known)


def method_findings(
    applied: Applied, recipe: Recipe, method: Method, *, most_work: float = MOST_WORK
) -> MethodFindings:
    """What somebody learns of a release who knows how it was searched for.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the data.
    recipe : Recipe
        The steps.
    method : Method
        What the search was asked.
    most_work : float, default MOST_WORK
        Rows times sets of columns that may be looked at.

    Returns
    -------
    MethodFindings
    """
    left = left_for_value(applied, recipe, method.guarantees)
    n_records = applied.original.without_rows_of_nobody().with_counted().classes([]).n_records
    nothing = MethodFindings(0, 0, 0, n_records, left)
    known = not_sensitive(applied.original)
    if not recipe.enabled or not by_knowledge(method.guarantees, known)[1]:
        return nothing  # nothing loses less than the original, or no value can refuse anything
    coins = coins_of(recipe, known)
    if coins is not None and not left:
        odds = math.prod(coin.odds for coin in coins)
        return replace(nothing, safe=n_released(applied), greatest=greatest_of(applied, recipe, method, odds))
    if applied.original.has_several_rows:
        return replace(nothing, not_counted=SEVERAL_ROWS)
    try:
        rows = RowsBesideRelease.of(applied, recipe, method)
    except InputError:
        return replace(nothing, not_counted=NOT_OF_THE_ORIGINAL)
    by_part = recipe.recoded_by("part", "cell")
    try:
        states, certificates, place = (
            _of_parts(rows, applied, recipe, method, most_work)
            if by_part
            else _of_nodes(rows, method, recipe, most_work)
        )
    except TooMuchWork:
        return replace(nothing, not_counted=TOO_MUCH_WORK)
    return _counted(nothing, rows, states, certificates, place)


def _of_nodes(
    rows: RowsBesideRelease, method: Method, recipe: Recipe, most_work: float
) -> tuple[States, dict[str, SwapCertificate], np.ndarray]:
    states = states_of_nodes(rows.problem, rows.persons, rows.release(method.for_values), most_work)
    return states, certify(rows.persons, states), np.arange(len(rows.persons.counts))


def _of_parts(
    rows: RowsBesideRelease, applied: Applied, recipe: Recipe, method: Method, most_work: float
) -> tuple[States, dict[str, SwapCertificate], np.ndarray]:
    labels, persons, place = rows.parts(recipe.recoded_by("cell"))
    release = Release(applied, recipe, method.harmless)
    asked = method.guarantees if method.of_parts is None else method.of_parts
    states = states_of_parts(labels, persons, [_on_labels(g, release) for g in asked], most_work)
    return states, certify(persons, states), place


def _on_labels(guarantee: PrivacyModel, release: Release) -> PrivacyModel:
    """The guarantee with the harmless labels of the release in the place of values."""
    if isinstance(guarantee, AttributeDisclosure) and guarantee.harmless:
        spared = Release(release.applied, release.recipe, {guarantee.sensitive: guarantee.harmless})
        return replace(guarantee, harmless=spared.harmless(guarantee.sensitive))
    return guarantee


def n_released(applied: Applied) -> int:
    """Those who are released (records, persons, summed weights)."""
    return applied.released.without_rows_of_nobody().with_counted().classes([]).n_records


def _counted(
    nothing: MethodFindings,
    rows: RowsBesideRelease,
    states: States,
    certificates: dict[str, SwapCertificate],
    place: np.ndarray,
) -> MethodFindings:
    counts = rows.persons.counts[place]
    asked, forced, uncertified = (np.zeros(len(place), dtype=bool) for _ in range(3))
    by_column = []
    for name, certificate in certificates.items():
        asked |= certificate.asked
        forced |= certificate.certain
        uncertified |= certificate.uncertified
        by_column.append((name, int(counts[certificate.certain].sum()), int(counts[certificate.uncertified].sum())))
    uncertified &= ~forced
    return replace(
        nothing,
        forced=int(counts[forced].sum()),
        uncertified=int(counts[uncertified].sum()),
        safe=int(counts[asked & ~forced & ~uncertified].sum()),
        states=states.n_refused,
        not_refused=states.n_silent,
        example=_example(rows, states, certificates, place),
        by_column=tuple(by_column),
    )


def _example(
    rows: RowsBesideRelease, states: States, certificates: dict[str, SwapCertificate], place: np.ndarray
) -> Example | None:
    """The largest set of those whose value is certain: of a node that shows it, or of a class that could be split."""
    counts, largest = rows.persons.counts[place], 0
    best: tuple[Node | None, np.ndarray] = None, np.zeros(0, dtype=np.intp)
    for name, certificate in certificates.items():
        value = rows.persons.columns[name].value[place]
        shown = [(state.node, state.certain[name]) for state in states.refused if name in state.certain]
        for node, certain in [*shown, (None, certificate.certain)]:
            who = np.flatnonzero(certain & certificate.asked)
            kind, first = kinds_of([rows.persons.released[place[who]] if node is None else value[who], value[who]])
            persons = sum_by(kind, len(first), counts[who])
            if persons.max(initial=0) > largest:
                largest = int(persons.max())
                best = node, place[who[kind == persons.argmax()]]
    return Example(largest, *_labels_shared(rows, *best)) if largest else None


def _labels_shared(
    rows: RowsBesideRelease, node: Node | None, shown: np.ndarray
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """The known columns' labels that some rows share at a node, or the finest that they share; and in the release."""
    finer, released = [], []
    for name in (name for name in rows.labels if name in rows.persons.known):
        texts = rows.label_of[name][rows.labels[name][shown]]
        now = _at(rows, node, name, shown) if name in rows.problem.columns else texts
        if now is not None and (now == now[0]).all() and now[0] is not None:
            finer.append((name, str(now[0])))
            released.append((name, str(texts[0]) if (texts == texts[0]).all() and texts[0] is not None else ""))
    return tuple(finer), tuple(released)


def _at(rows: RowsBesideRelease, node: Node | None, name: str, shown: np.ndarray) -> np.ndarray | None:
    """The labels of some rows in a column at a node; without, at the finest level at which they share one."""
    problem = rows.problem
    levels, value = problem.levels[name], problem.rows.codes_at(name, 0)[shown]
    if node is not None:
        return levels.label(node[problem.columns.index(name)])[value]
    at_levels = (levels.label(level)[value] for level in range(levels.n_levels))
    return next((texts for texts in at_levels if (texts == texts[0]).all()), None)
