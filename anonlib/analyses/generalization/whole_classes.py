"""The search space: which states there are, what a table generalized to a state violates, and what it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from anonlib.analyses.generalization.search.lattice import Lattice
from anonlib.analyses.generalization.search.objectives import Losses
from anonlib.analyses.generalization.search.rows import Rows, State
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import checked_names, n_distinct, sum_by
from anonlib.counting.guarantees import Close, Diverse, Guarantee, Shared, lacking_groups
from anonlib.counting.guarantees.everybody import everybody_has_one, values_in_sets
from anonlib.counting.guarantees.knowing import VALUES
from anonlib.counting.guarantees.peers import Held

RolledUp = tuple[Rows, Rows, np.ndarray]
Objective = Literal["rows", "cell_loss", "classes", "entropy", "discernibility"]
OfClasses = Shared | Diverse | Close
"""A guarantee of every class of its columns: for everybody, against who knows all of them."""
MOST_WEIGHT = 3.0
"""The weight of an attribute that matters most."""


@dataclass(frozen=True)
class Evaluation:
    """What the table at a state violates, and what it keeps.

    Attributes
    ----------
    state : the levels.
    groups, rows, records : violating groups of the columns of guarantees, violating distinct rows, violating records.
    n_rows : distinct rows over all attributes, violating ones included. ``rows`` and ``n_rows`` are -1 where they
        were not asked for.
    left_out : records that go when those who violate are left out until nobody does; where too many do, those of the
        first time.
    satisfied : whether so many may be left out.
    bound, score : the objective, larger is better, before and after leaving them out. No state above has more than
        ``bound``; ``score`` is -inf where not satisfied.
    """

    state: State
    groups: int
    rows: int
    records: int
    n_rows: int
    left_out: int
    satisfied: bool
    bound: float
    score: float

    @property
    def rank(self) -> tuple:
        """Sorts the better first: the objective, then fewer steps, then lower levels of the first attributes."""
        return (-self.score, sum(self.state), self.state)


class Problem(Lattice):
    """A class table with hierarchies, and the guarantees that must hold of it.

    ``rows`` are over all attributes, which the objective “rows” counts; ``most_left_out`` is the number of records
    that may be left out. ``attribute_weights`` are, one an attribute that can be generalized, how much its losses
    count; all alike are 1.
    """

    def __init__(
        self,
        classes: ClassTable,
        hierarchies: Mapping[str, Hierarchy],
        guarantees: Sequence[Guarantee],
        *,
        left_out_limit: float = 0.0,
        objective: Objective = "rows",
        attribute_weights: Mapping[str, float] | None = None,
        like: Problem | None = None,
    ) -> None:
        if objective not in get_args(Objective):
            raise InputError(f"The objective is one of: {', '.join(get_args(Objective))}.")
        self.objective = objective
        self.guarantees = tuple(_of_classes(guarantee) for guarantee in guarantees)
        self.shield = _shield(classes, self.guarantees)
        super().__init__(classes, {name: hierarchies[name] for name in self.shield if name in hierarchies}, like)
        self.most_left_out = most_left_out(left_out_limit, self.n_records)
        self.attribute_weights = _weights(self.classes, self.columns, attribute_weights or {})

    @property
    def is_weighted(self) -> bool:
        """Whether some attributes matter more than others."""
        return len(set(self.attribute_weights)) > 1

    @property
    def is_exact(self) -> bool:
        """Whether no fewer records need be left out than those who violate, and all states above one that is satisfied
        are.

        Neither is so where records may be left out for lack of entropy or closeness: others left out may mend a group,
        and a group that has enough and one that has not can together have too little.
        """
        return not self.most_left_out or all(guarantee.stays for guarantee in self.guarantees)

    @property
    def _goes_on(self) -> bool:
        """Whether leaving out a group may make another violate: one of other columns, or further than t."""
        return len(self._by_columns) > 1 or any(isinstance(guarantee, Close) for guarantee in self.guarantees)

    @property
    def least(self) -> int:
        """The fewest records that must share the columns of any guarantee: the largest k."""
        return max((asked.least for asked in self.guarantees if isinstance(asked, Shared)), default=1)

    @cached_property
    def of_values(self) -> tuple[Diverse | Close, ...]:
        """What must hold of sensitive columns, whatever may be known: each once, without its columns."""
        asked = (replace(each, columns=()) for each in self.guarantees if isinstance(each, Diverse | Close))
        return tuple(dict.fromkeys(asked))

    @cached_property
    def _by_columns(self) -> dict[frozenset[str], list[OfClasses]]:
        """The guarantees by the columns whose classes they are of."""
        found: dict[frozenset[str], list[OfClasses]] = {}
        for guarantee in self.guarantees:
            found.setdefault(frozenset(guarantee.columns), []).append(guarantee)
        return found

    @property
    def tested(self) -> Rows:
        """The attributes that guarantees are about: fewer rows to look at."""
        return self._tested[0]

    @property
    def row_tested(self) -> np.ndarray:
        """Per row of ``rows``, its row of ``tested``."""
        return self._tested[1]

    @cached_property
    def _tested(self) -> tuple[Rows, np.ndarray]:
        about = {*self.shield, *(asked.sensitive for asked in self.of_values)}
        if about == set(self.classes.attributes):
            return self.rows, np.arange(len(self.rows.counts))
        return self.rows.of_attributes([name for name in self.rows.others if name in about])

    @cached_property
    def losses(self) -> Losses | None:
        """Where the objective adds up over the attributes."""
        return self.losses_of(self.objective) if self.objective in ("cell_loss", "entropy") else None

    def losses_of(self, kind: Literal["cell_loss", "entropy"]) -> Losses:
        """A loss of these rows, by their weights."""
        return Losses(self.rows, kind, self.attribute_weights)

    def violating(self, rows: Rows, state: State, counts: np.ndarray | None = None) -> tuple[np.ndarray, int]:
        """bool, per row: in a group that violates a guarantee; and the number of such groups."""
        counts = rows.counts if counts is None else counts
        mask, groups, overall = np.zeros(len(counts), dtype=bool), 0, self.overall(rows, counts)
        for columns, guarantees in self._by_columns.items():
            ids, sizes = rows.grouped(state, columns, counts)
            bad = np.zeros(len(sizes), dtype=bool)
            for asked in guarantees:
                if isinstance(asked, Shared):
                    bad |= (sizes > 0) & (sizes < asked.least)
                    continue
                value = rows.others[asked.sensitive]
                bad |= lacking_groups(asked, ids, sizes, value, counts, overall[asked.sensitive])
                held = self._held[asked.sensitive]
                if isinstance(asked, Diverse) and asked.l > 1 and held is not None:
                    bad |= everybody_has_one(ids, len(sizes), value, counts, held)
            groups += int(np.count_nonzero(bad))
            mask |= bad[ids]
        return mask, groups

    @cached_property
    def _held(self) -> dict[str, Held | None]:
        """Per sensitive attribute, the values in each set that persons have; None where nobody has a set."""
        categories = dict(zip(self.classes.attributes, self.classes.categories, strict=True))
        return {asked.sensitive: values_in_sets(categories[asked.sensitive]) for asked in self.of_values}

    def kept(self, rows: Rows, state: State, violating: np.ndarray) -> np.ndarray:
        """bool, per row: what is left when nothing violates any more.

        Leaving out a group may break others, so this goes on until none is broken.
        """
        kept = ~violating
        while self._goes_on:
            broken = self.violating(rows, state, np.where(kept, rows.counts, 0))[0] & kept
            if not broken.any():
                break
            kept &= ~broken
        return kept

    def overall(self, rows: Rows, counts: np.ndarray) -> dict[str, np.ndarray]:
        """Per sensitive attribute, the share of each of its values among records of these rows, so many of each."""
        n_records = max(1, int(counts.sum()))
        return {
            name: sum_by(rows.others[name], len(rows.labels[name]), counts) / n_records
            for name in {asked.sensitive for asked in self.of_values}
        }

    def rolled_up(self, state: State) -> RolledUp:
        """``tested``, ``rows`` and ``row_tested`` at a state."""
        full = self.rows.rolled_up(state)
        if self.rows is self.tested:
            return full, full, np.arange(len(full.counts))
        tested, place = full.of_attributes(list(self.tested.others))
        return tested, full, place

    def evaluate(self, state: State, *, on: RolledUp | None = None, count_rows: bool = False) -> Evaluation:
        """What the table at a state violates and keeps. ``on`` is what :meth:`rolled_up` gives."""
        tested, full, place = on or (self.tested, self.rows, self.row_tested)
        rows = full if count_rows else tested
        violating, groups = self.violating(rows, state)
        records = int(rows.counts.sum(where=violating))
        kept, left_out = ~violating, records
        if self._goes_on and 0 < records <= self.most_left_out:
            kept = self.kept(rows, state, violating)
            left_out = int(rows.counts.sum(where=~kept))
        satisfied = left_out <= self.most_left_out
        n_rows = violating_rows = -1
        if count_rows:
            ids, sizes = rows.grouped(state, self.classes.attributes)
            n_rows, violating_rows = int(np.count_nonzero(sizes)), n_distinct(ids[violating], len(sizes))
        elif not satisfied:
            return Evaluation(state, groups, -1, records, -1, left_out, False, np.inf, -np.inf)
        bound, score = self._objective(state, rows, full, kept, left_out if satisfied else 0, place)
        score = score if satisfied else -np.inf
        return Evaluation(state, groups, violating_rows, records, n_rows, left_out, satisfied, bound, score)

    def _objective(
        self, state: State, rows: Rows, full: Rows, kept: np.ndarray, left_out: int, place: np.ndarray
    ) -> tuple[float, float]:
        """The objective before and after leaving out the rows that are not kept; larger is better."""
        if self.losses is not None:
            before = self.losses.of(state)
            return -before, -self.losses.of_kept(state, rows, kept) if left_out else -before
        if self.objective == "rows":
            ids, sizes = full.grouped(state, self.classes.attributes)
            if left_out and rows is not full:
                kept = kept[place]
            before = float(np.count_nonzero(sizes))
            return before, float(n_distinct(ids[kept], len(sizes))) if left_out else before
        sizes = rows.grouped(state, self.shield)[1].astype(float)
        left = rows.grouped(state, self.shield, np.where(kept, rows.counts, 0))[1].astype(float) if left_out else sizes
        if self.objective == "classes":
            return float(np.count_nonzero(sizes)), float(np.count_nonzero(left))
        return -float((sizes**2).sum()), -float((left**2).sum()) - float(self.n_records) * left_out


def _of_classes(guarantee: Guarantee) -> OfClasses:
    if (
        not isinstance(guarantee, Shared | Diverse | Close)
        or guarantee.share
        or guarantee.rows != VALUES
        or (isinstance(guarantee, Shared) and guarantee.known is not None)
    ):
        raise InputError(
            "A generalization meets guarantees of whole classes, for everybody: how many share all columns, and the "
            "diversity or closeness of a sensitive column in each class. The Verdict page searches for others."
        )
    return guarantee


def _shield(classes: ClassTable, guarantees: Sequence[OfClasses]) -> tuple[str, ...]:
    """The attributes that guarantees take to be known, once everything that is named is there."""
    if not any(isinstance(guarantee, Shared) for guarantee in guarantees):
        raise InputError("State at least one requirement: which columns, and how many records must share them.")
    shield = dict.fromkeys(name for guarantee in guarantees for name in guarantee.columns)
    checked_names(classes.attributes, shield)
    for guarantee in guarantees:
        if not guarantee.columns:
            raise InputError("A requirement needs at least one column. Name the columns that someone may know.")
        if not isinstance(guarantee, Shared):
            checked_names(classes.attributes, [guarantee.sensitive])
            if guarantee.sensitive in shield:
                raise InputError(
                    f"“{guarantee.sensitive}” cannot be both sensitive and in a requirement. Take it out of one."
                )
    return tuple(name for name in classes.attributes if name in shield)


def checked_weights(weights: Mapping[str, float]) -> Mapping[str, float]:
    """How much attributes matter, from 0 (may be lost without regret) to ``MOST_WEIGHT``, as they are given."""
    for name, weight in weights.items():
        if not 0 <= checks.number(weight, f"The weight of “{name}”") <= MOST_WEIGHT:
            raise InputError(f"The weight of “{name}” must lie between 0 and {MOST_WEIGHT:g}.")
    return weights


def most_left_out(limit: float, n_records: int) -> int:
    """The records that may be left out: the limit's share of all, exact as the limit is written."""
    if not 0 <= checks.number(limit, "What may be left out") <= 1:
        raise InputError("What may be left out is a share of the records: choose one between 0 and 1.")
    return int(Fraction(repr(float(limit))) * n_records)


def _weights(classes: ClassTable, attributes: Sequence[str], given: Mapping[str, float]) -> tuple[float, ...]:
    """One an attribute; where all are alike, 1, so that figures are the very same."""
    checked_names(classes.attributes, given)
    weights = tuple(float(checked_weights(given).get(name, 1.0)) for name in attributes)
    if weights and not any(weights):
        raise InputError("Every column that can be generalized has the weight 0. Give one that matters more than 0.")
    return weights if len(set(weights)) > 1 else (1.0,) * len(weights)
