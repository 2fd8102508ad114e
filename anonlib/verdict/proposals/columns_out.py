"""Sensitive columns coarser or dropped beside any search that finds nothing with all of them as they are.

Where somebody may know a few sensitive values of a person, rare ones make others certain, however coarse the known
columns are. Then sensitive columns have to give way: as few of them as are found, and no further than they must.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps

import numpy as np

from anonlib.analyses.generalization.search import NothingFound, PersonProblem
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import (
    AverageRiskLimit,
    Coded,
    CodedPersons,
    PrivacyModel,
    Violation,
    least_to_go,
    left_after,
    rows_left,
    violations,
)
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.banded import Search, on_levels
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal
from anonlib.verdict.proposals.sensitive import says_something

_REASON = "for the verdict"


def or_columns_out(search: Search, for_all: bool = True) -> Search:
    """A search that is tried again with sensitive columns coarser or dropped, where it finds nothing with all.

    ``for_all`` says that it asks for everybody what a share may violate. Of small files less is tried first.
    """

    @wraps(search)
    def searched(
        adviser: Adviser, budget: Budget = UNLIMITED, watch: ProgressWithBest | None = None
    ) -> Proposal | NothingFound:
        go_on = partial(watch, 0.0, None) if watch is not None else lambda: None
        found: Proposal | NothingFound = NothingFound(proven=False, finished=True, complete=False)
        is_large = adviser.problem.is_large
        if not (is_large and _AtTheTop(adviser, False, go_on).is_impossible()):
            found = search(adviser, budget, watch)
        if isinstance(found, Proposal):
            return found
        for for_everybody in (True,) if is_large and for_all else (False, True):
            given = _once(adviser, for_everybody, go_on)
            again = found if given is None else with_given(adviser, search, given, budget, watch)
            if isinstance(again, Proposal):
                return again
        return found

    return searched


@dataclass(frozen=True)
class GivingWay:
    """Sensitive columns that are dropped, and by column that is coarser its level in the question."""

    left_out: tuple[str, ...]
    levels: Mapping[str, int] = field(default_factory=dict)


def what_gives_way(
    adviser: Adviser, *, for_everybody: bool = False, go_on: Callable[[], None] = lambda: None
) -> GivingWay | None:
    """The sensitive columns that are coarser or dropped so that everything holds with known ones at their coarsest.

    First none is there, and each is put in at its coarsest if everything goes on holding; those first that are needed
    or matter most, and of these in the order of the file: sensitive values refuse, and choose nothing. Then each goes
    down again as far as everything holds.

    Parameters
    ----------
    adviser : Adviser
        The question.
    for_everybody : bool, default False
        Whether what a share may violate must hold for everybody who is not left out.
    go_on : Callable[[], None], default lambda: None
        Called again and again; may raise to stop.

    Returns
    -------
    GivingWay or None
        None where everything holds with all of them as they are, or does not hold without all that may go either.
    """
    question = _AtTheTop(adviser, for_everybody, go_on)
    may_go = [name for name in adviser.data.sensitive if name not in adviser.fixed]
    stay = {name: 0 for name in adviser.data.sensitive if name not in may_go}
    if not may_go or not question.begins_with(stay) or question.holds(dict.fromkeys(adviser.data.sensitive, 0)):
        return None
    levels = _put_in(question, stay, sorted(may_go, key=adviser.gives_way_last))
    return GivingWay(
        tuple(name for name in may_go if name not in levels), {name: level for name, level in levels.items() if level}
    )


def _once(adviser: Adviser, for_everybody: bool, go_on: Callable[[], None]) -> GivingWay | None:
    """What gives way; the same for all kinds of proposals, and found once."""
    problem, asked = adviser.problem, adviser.asked
    highest = zip(problem.columns, problem.highest, strict=True)
    ways = tuple((name, problem.hierarchies[name].key, level) for name, level in highest)
    most = (problem.most, problem.most_persons) if isinstance(problem, PersonProblem) else (problem.most,)
    columns = (
        *sorted(adviser.fixed), *sorted(asked.weights.items()), *sorted(asked.needed), asked.data.missing,
        *asked.data.sensitive,
    )  # fmt: skip
    key = ("what gives way", for_everybody, problem.guarantees, ways, most, columns)
    return asked.data.once(key, lambda: what_gives_way(adviser, for_everybody=for_everybody, go_on=go_on))


def _put_in(question: _AtTheTop, stay: Mapping[str, int], in_order: Sequence[str]) -> dict[str, int]:
    """The level of each column that can be there, put in one after the other; those that cannot are dropped."""
    levels = dict(stay)
    for name in in_order:
        for level in question.levels_of(name)[::-1]:
            if question.holds({**levels, name: level}):
                levels[name] = level
                break
    for name in in_order:
        for level in question.levels_of(name):
            if level >= levels.get(name, 0):
                break
            if question.holds({**levels, name: level}):
                levels[name] = level
                break
    return levels


class _AtTheTop:
    """What holds with known columns at their highest levels, and some sensitive columns there, each at a level."""

    def __init__(self, adviser: Adviser, for_everybody: bool, go_on: Callable[[], None]) -> None:
        self.problem, self.go_on = adviser.problem, go_on
        self.sensitive = tuple(adviser.data.sensitive)
        highest = zip(self.problem.columns, self.problem.highest, strict=True)
        self.known = {name: level for name, level in highest if name not in self.sensitive}
        self.guarantees = [
            each if isinstance(each, AverageRiskLimit) or not for_everybody else replace(each, share=0.0)
            for each in self.problem.guarantees
        ]
        self.left: np.ndarray | None = None

    def begins_with(self, levels: Mapping[str, int]) -> bool:
        """Whether everything holds with these columns alone. Who has to be left out for it is out from then on."""
        asked, problem = self._asked(levels), self.problem
        coded = self._coded(levels)
        if isinstance(problem, PersonProblem):
            assert isinstance(coded, CodedPersons)
            self.left = rows_left(
                coded, asked, needed=problem.needed, most_rows=problem.most, most_persons=problem.most_persons,
                pause=self.go_on,
            )  # fmt: skip
        else:
            self.left = left_after(coded, asked, most=problem.most, divisible=problem.divisible)
        return self.left is not None

    def holds(self, levels: Mapping[str, int]) -> bool:
        """Whether everything does with the sensitive columns that have a level, and nobody else left out."""
        asked = [each for each in self._asked(levels) if not isinstance(each, AverageRiskLimit)]
        return all(each.is_met for each in self._violations(asked, levels))

    def is_impossible(self) -> bool:
        """Whether more than may would have to go, of those who violate something however many others go."""
        levels, problem = dict.fromkeys(self.sensitive, 0), self.problem
        asked = [each for each in self._asked(levels) if not isinstance(each, AverageRiskLimit) and each.stays]
        found = self._violations(asked, levels)
        to_go = (least_to_go(each.records, problem.n_records, each.guarantee.share) for each in found)
        return max(to_go, default=0) > problem.most

    def levels_of(self, name: str) -> list[int]:
        """The levels of a sensitive column that say something, from its values up."""
        if name not in self.problem.columns:
            return [0]
        levels = self.problem.levels[name]
        return [level for level in range(levels.n_levels) if not level or says_something(levels, level)]

    def _asked(self, levels: Mapping[str, int]) -> list[PrivacyModel]:
        names = self.problem.classes.attributes
        there = [name for name in names if name in levels or name not in self.sensitive]
        on_labels = (self.problem.on_labels(each, levels) for each in self.guarantees)
        return [asked for each in on_labels if each is not None and (asked := each.on(there)) is not None]

    def _violations(self, asked: Sequence[PrivacyModel], levels: Mapping[str, int]) -> tuple[Violation, ...]:
        return violations(self._coded(levels), asked, lambda *_: self.go_on())

    def _coded(self, levels: Mapping[str, int]) -> Coded:
        """Those who are not left out, with the columns that are known or have a level."""
        problem, at = self.problem, {**self.known, **levels}
        names = [name for name in problem.classes.attributes if name in levels or name not in self.sensitive]
        coded = problem.coded_at(at, names) if isinstance(problem, PersonProblem) else problem.rows.coded(names, at)
        if self.left is None:
            return coded
        return coded.with_times(self.left)[0] if isinstance(coded, CodedPersons) else coded.left(self.left)


def with_given(
    adviser: Adviser, search: Search, given: GivingWay, budget: Budget, watch: ProgressWithBest | None
) -> Proposal | NothingFound:
    """What a search finds without some columns and with others on some levels, as an answer to the whole question."""
    asked, names = adviser.asked, given.left_out
    if names:
        data = Recipe.of([DropColumns(names)]).apply(asked.data).released
        droppable = tuple(name for name in asked.droppable if name not in names)
        try:
            adviser = Adviser(replace(asked, data=data, dropped=(*asked.dropped, *names), droppable=droppable))
        except InputError:  # nothing is asked any more that can be searched
            return NothingFound(proven=False, finished=True, complete=False)
    found = on_levels(adviser, search, given.levels, budget, watch)
    if isinstance(found, NothingFound) or not names:
        return found
    return replace(
        found,
        levels={**found.levels, **dict.fromkeys(names, 1)},
        changes={**found.changes, **dict.fromkeys(names, "dropped")},
        steps=(DropColumns(names, _REASON), *found.steps),
        decides=tuple(dict.fromkeys((*found.decides, *names))),
        found=replace(found.found, proven=False),
    )
