"""The search space: which states there are, what a table generalized to a state violates, and what it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Literal, get_args

import numpy as np

from anonlib.analyses.generalization.constraints import unmet
from anonlib.analyses.generalization.losses import Losses
from anonlib.analyses.generalization.requirements import (
    LDiversity,
    Requirement,
    TCloseness,
    checked_weights,
    most_suppressed,
)
from anonlib.analyses.generalization.rows import Ladders, Rows, State
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, levels_of
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import checked_names, n_distinct, sum_by
from anonlib.counting.guarantees.everybody import everybody_has_one, values_in_sets
from anonlib.counting.guarantees.peers import Held

RolledUp = tuple[Rows, Rows, np.ndarray]
Objective = Literal["rows", "cell_loss", "classes", "entropy", "discernibility"]


@dataclass(frozen=True)
class Evaluation:
    """What the table at a state violates, and what it keeps.

    Attributes
    ----------
    state : the levels.
    groups, rows, records : violating groups of the requirements, violating distinct rows, violating records.
    n_rows : distinct rows over all attributes, violating ones included. ``rows`` and ``n_rows`` are -1 where they
        were not asked for.
    suppressed : records that go when those who violate are left out until nobody does; where too many do, those of the
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
    suppressed: int
    satisfied: bool
    bound: float
    score: float

    @property
    def rank(self) -> tuple:
        """Sorts the better first: the objective, then fewer steps, then lower levels of the first attributes."""
        return (-self.score, sum(self.state), self.state)


class Problem:
    """A class table with hierarchies, and what is required of it.

    ``full`` are the rows over all attributes, which the objective “rows” counts; ``most_suppressed`` is the number of
    records that may be left out. ``attribute_weights`` are, one an attribute that can be generalized, how much its
    losses count; all alike are 1. A problem ``like`` this one, of the same table and hierarchies, lends its rows: so
    many problems of a large table take the memory of one.
    """

    def __init__(
        self,
        classes: ClassTable,
        hierarchies: Mapping[str, Hierarchy],
        requirements: Sequence[Requirement],
        *,
        suppression_limit: float = 0.0,
        objective: Objective = "rows",
        l_diversity: Sequence[LDiversity] = (),
        t_closeness: Sequence[TCloseness] = (),
        attribute_weights: Mapping[str, float] | None = None,
        like: Problem | None = None,
    ) -> None:
        if objective not in get_args(Objective):
            raise InputError(f"The objective is one of: {', '.join(get_args(Objective))}.")
        self.classes, self.requirements, self.objective = classes, tuple(requirements), objective
        self.rules: tuple[LDiversity | TCloseness, ...] = (*l_diversity, *t_closeness)
        self.shield = _shield(classes, self.requirements, self.rules)
        self.n_records = classes.n_records
        self.most_suppressed = most_suppressed(suppression_limit, self.n_records)
        self.hierarchies = {name: hierarchies[name] for name in self.shield if name in hierarchies}
        if like is not None and like.classes is classes and like.hierarchies == self.hierarchies:
            self.full: Rows = like.full
        else:
            self.full = Rows.of(classes, Ladders(levels_of(classes, self.hierarchies)))
        self.ladders = self.full.ladders
        self.heights: State = tuple(levels.n_levels - 1 for levels in self.ladders.levels)
        self.attribute_weights = _weights(self.classes, self.attributes, attribute_weights or {})

    @property
    def attributes(self) -> tuple[str, ...]:
        """Those that can be generalized."""
        return self.ladders.names

    @property
    def is_weighted(self) -> bool:
        """Whether some attributes matter more than others."""
        return len(set(self.attribute_weights)) > 1

    @property
    def n_states(self) -> int:
        """Combinations of levels there are."""
        return prod(height + 1 for height in self.heights)

    @property
    def bottom(self) -> State:
        """The state in which every value is as it is."""
        return tuple(0 for _ in self.heights)

    @property
    def top(self) -> State:
        """The state in which every attribute is at its highest level."""
        return self.heights

    @property
    def is_exact(self) -> bool:
        """Whether no fewer records need be left out than those who violate, and all states above one that is satisfied
        are.

        Neither is so where records may be left out for lack of entropy or closeness: others left out may mend a group,
        and a group that has enough and one that has not can together have too little.
        """
        relative = any(isinstance(rule, TCloseness) or rule.kind == "entropy" for rule in self.rules)
        return not (relative and self.most_suppressed)

    @property
    def _goes_on(self) -> bool:
        """Whether leaving out a group may make another violate: one of another requirement, or further than t."""
        return len(self.requirements) > 1 or any(isinstance(rule, TCloseness) for rule in self.rules)

    @property
    def tested(self) -> Rows:
        """The attributes that requirements are about: fewer rows to look at."""
        return self._tested[0]

    @property
    def row_tested(self) -> np.ndarray:
        """Per row of ``full``, its row of ``tested``."""
        return self._tested[1]

    @cached_property
    def _tested(self) -> tuple[Rows, np.ndarray]:
        about = {*self.shield, *(rule.attribute for rule in self.rules)}
        if about == set(self.classes.attributes):
            return self.full, np.arange(len(self.full.counts))
        return self.full.of_attributes([name for name in self.full.others if name in about])

    @cached_property
    def losses(self) -> Losses | None:
        """Where the objective adds up over the attributes."""
        return self.losses_of(self.objective) if self.objective in ("cell_loss", "entropy") else None

    def losses_of(self, kind: Literal["cell_loss", "entropy"]) -> Losses:
        """A loss of these rows, by their weights."""
        return Losses(self.full, kind, self.attribute_weights)

    def violating(self, rows: Rows, state: State, counts: np.ndarray | None = None) -> tuple[np.ndarray, int]:
        """bool, per row: in a group that violates a requirement; and the number of such groups."""
        counts = rows.counts if counts is None else counts
        mask, groups, overall = np.zeros(len(counts), dtype=bool), 0, self.overall(rows, counts)
        for requirement in self.requirements:
            ids, sizes = rows.grouped(state, requirement.attributes, counts)
            bad = (sizes > 0) & (sizes < requirement.k)
            for rule in self.rules:
                value = rows.others[rule.attribute]
                bad |= unmet(rule, ids, sizes, value, counts, overall[rule.attribute])
                if isinstance(rule, LDiversity) and rule.l > 1 and (held := self._held[rule.attribute]) is not None:
                    bad |= everybody_has_one(ids, len(sizes), value, counts, held)
            groups += int(np.count_nonzero(bad))
            mask |= bad[ids]
        return mask, groups

    @cached_property
    def _held(self) -> dict[str, Held | None]:
        """Per sensitive attribute, the values in each set that persons have; None where nobody has a set."""
        categories = dict(zip(self.classes.attributes, self.classes.categories, strict=True))
        return {rule.attribute: values_in_sets(categories[rule.attribute]) for rule in self.rules}

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
            name: sum_by(rows.others[name], rows.spans[name], counts) / n_records
            for name in {rule.attribute for rule in self.rules}
        }

    def rolled_up(self, state: State) -> RolledUp:
        """``tested``, ``full`` and ``row_tested`` at a state."""
        full = self.full.rolled_up(state)
        if self.full is self.tested:
            return full, full, np.arange(len(full.counts))
        tested, place = full.of_attributes(list(self.tested.others))
        return tested, full, place

    def evaluate(self, state: State, *, on: RolledUp | None = None, count_rows: bool = False) -> Evaluation:
        """What the table at a state violates and keeps. ``on`` is what :meth:`rolled_up` gives."""
        tested, full, place = on or (self.tested, self.full, self.row_tested)
        rows = full if count_rows else tested
        violating, groups = self.violating(rows, state)
        records = int(rows.counts.sum(where=violating))
        kept, suppressed = ~violating, records
        if self._goes_on and 0 < records <= self.most_suppressed:
            kept = self.kept(rows, state, violating)
            suppressed = int(rows.counts.sum(where=~kept))
        satisfied = suppressed <= self.most_suppressed
        n_rows = violating_rows = -1
        if count_rows:
            ids, sizes = rows.grouped(state, self.classes.attributes)
            n_rows, violating_rows = int(np.count_nonzero(sizes)), n_distinct(ids[violating], len(sizes))
        elif not satisfied:
            return Evaluation(state, groups, -1, records, -1, suppressed, False, np.inf, -np.inf)
        bound, score = self._objective(state, rows, full, kept, suppressed if satisfied else 0, place)
        score = score if satisfied else -np.inf
        return Evaluation(state, groups, violating_rows, records, n_rows, suppressed, satisfied, bound, score)

    def _objective(
        self, state: State, rows: Rows, full: Rows, kept: np.ndarray, suppressed: int, place: np.ndarray
    ) -> tuple[float, float]:
        """The objective before and after leaving out the rows that are not kept; larger is better."""
        if self.losses is not None:
            before = self.losses.of(state)
            return -before, -self.losses.of_kept(state, rows, kept) if suppressed else -before
        if self.objective == "rows":
            ids, sizes = full.grouped(state, self.classes.attributes)
            if suppressed and rows is not full:
                kept = kept[place]
            before = float(np.count_nonzero(sizes))
            return before, float(n_distinct(ids[kept], len(sizes))) if suppressed else before
        sizes = rows.grouped(state, self.shield)[1].astype(float)
        left = (
            rows.grouped(state, self.shield, np.where(kept, rows.counts, 0))[1].astype(float) if suppressed else sizes
        )
        if self.objective == "classes":
            return float(np.count_nonzero(sizes)), float(np.count_nonzero(left))
        return -float((sizes**2).sum()), -float((left**2).sum()) - float(self.n_records) * suppressed


def _shield(
    classes: ClassTable, requirements: Sequence[Requirement], rules: Sequence[LDiversity | TCloseness]
) -> tuple[str, ...]:
    """The attributes of all requirements, once everything that is named is there."""
    if not requirements:
        raise InputError("State at least one requirement: which columns, and how many records must share them.")
    shield = dict.fromkeys(name for requirement in requirements for name in requirement.attributes)
    checked_names(classes.attributes, shield)
    for rule in rules:
        checked_names(classes.attributes, [rule.attribute])
        if rule.attribute in shield:
            raise InputError(f"“{rule.attribute}” cannot be both sensitive and in a requirement. Take it out of one.")
    return tuple(name for name in classes.attributes if name in shield)


def _weights(classes: ClassTable, attributes: Sequence[str], given: Mapping[str, float]) -> tuple[float, ...]:
    """One an attribute; where all are alike, 1, so that figures are the very same."""
    checked_names(classes.attributes, given)
    weights = tuple(float(checked_weights(given).get(name, 1.0)) for name in attributes)
    if weights and not any(weights):
        raise InputError("Every column that can be generalized has the weight 0. Give one that matters more than 0.")
    return weights if len(set(weights)) > 1 else (1.0,) * len(weights)
