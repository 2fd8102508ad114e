"""Columns that give way beside a search that takes them as they are: coarser ones, in bands, and dropped ones.

A search coarsens what officers declared as known. Three stages look at what it finds, in this order:

* :func:`in_bands`: where it finds nothing, it is tried again with sensitive columns in the bands of the least change in
  whole columns.
* :func:`columns_give_way`: where there still is nothing, sensitive columns are coarser or dropped. Where somebody may
  know a few sensitive values of a person, rare ones make others certain, however coarse the known columns are; as few
  columns as are found give way, and no further than they must.
* :func:`few_unique`: where the answer leaves too many alone by any few of all columns, those that the search left as
  they are, sensitive ones and those of neither role, are taken out and put in again, one after the other: at their
  coarsest level if the limits allow it, and then as fine as they allow. The search is made again beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from anonlib.analyses.generalization.search import NothingFound, PersonProblem
from anonlib.basics.budget import A_SECOND, UNLIMITED, Budget
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.coarsening.hierarchies import Hierarchy, Levels
from anonlib.coarsening.recoding import Recoding, label_of_missing
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
from anonlib.counting.privacy_models.coded import harmless_labels
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, MergeRare, Recode
from anonlib.release.uniqueness_of_release import Allows, AloneCount, looked_at
from anonlib.verdict.criteria import UniquenessLimit
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.global_recoding import Bands, bands, says_something
from anonlib.verdict.proposals.proposal import Proposal, that_is_saved

Search = Callable[[Adviser, Budget, Progress | None], Proposal | NothingFound]
"""An answer to a question, for what may be spent, and watched."""
_REASON = "for the verdict"
_TIMES = 3  # searches that are made again: what they change can leave others alone


# ---- in bands ----


def in_bands(
    search: Search, adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """What a search of known columns finds; tried again with sensitive columns in bands where that is nothing.

    Not where a coin refuses as values do: which bands these are is found by what values did.
    """
    answer = search(adviser, budget, progress)
    if isinstance(answer, NothingFound) and adviser.coin is None:
        levels = _of_whole_columns(adviser, budget, progress)
        answer = on_levels(adviser, search, levels, budget, progress) if levels else answer
    return answer


def _of_whole_columns(adviser: Adviser, budget: Budget, progress: Progress | None) -> dict[str, int]:
    """The levels of sensitive columns in the least change of whole columns; none where it has no bands."""
    if not adviser.may_be_coarsened or not any(name in adviser.problem.columns for name in adviser.data.sensitive):
        return {}
    whole = adviser.most_detail(Budget(work=A_SECOND) if budget.is_unlimited else budget, progress)
    if isinstance(whole, NothingFound):
        return {}
    banded = {name for step in whole.steps for name in step.recodes}
    return {name: level for name, level in whole.levels.items() if name in banded & {*adviser.data.sensitive}}


def on_levels(
    adviser: Adviser,
    search: Search,
    levels: Mapping[str, int],
    budget: Budget,
    progress: Progress | None,
) -> Proposal | NothingFound:
    """What a search finds of the data with some columns on some levels, as an answer to the whole question."""
    asked, ways = adviser.asked, {name: levels_between(adviser, name) for name in levels}
    steps = [ways[name].steps[level - 1] for name, level in levels.items()]
    harmless = dict(asked.harmless)
    for step in steps:
        values = asked.data.held.values(step.column)
        labels = step.labels_of(step.column, values, asked.data)
        assert labels is not None
        harmless[step.column] = harmless_labels(values.tolist(), labels.tolist(), asked.harmless.get(step.column, ()))
    recoded = Recipe.of(steps).apply(asked.data).released
    proposal = search(adviser.asking(data=recoded, harmless=harmless, coarsenable=()), budget, progress)
    if isinstance(proposal, NothingFound):
        return proposal
    proposal = replace(
        proposal,
        levels={**proposal.levels, **levels},
        changes={**proposal.changes, **{name: ways[name].hierarchy.describe(level) for name, level in levels.items()}},
        steps=(*steps, *proposal.steps),
        decides=tuple(dict.fromkeys((*proposal.decides, *levels))),
        least_change=replace(proposal.least_change, proven=False),
    )
    cells = sum(
        adviser.weight_of(name) * _lost(adviser, proposal, step, ways[name].hierarchy.recodings[level - 1])
        for step, (name, level) in zip(steps, levels.items(), strict=True)
    )
    return replace(proposal, loss=proposal.loss + adviser.of_cells(cells))


def levels_between(adviser: Adviser, name: str) -> Bands:
    """The levels that a column which no search of known columns changes can go up to, each of which says something."""
    if name in adviser.bands:
        return adviser.bands[name]
    if name in adviser.problem.hierarchies:
        hierarchy = adviser.problem.hierarchies[name]
        return Bands.of(Hierarchy(_without_top(hierarchy), hierarchy.called), name)
    return bands(adviser.asked.data, name, adviser.coarsened(name), _sharing(adviser, name))


def _sharing(adviser: Adviser, name: str) -> int:
    """How many are wanted to share a value of a column that no search changes."""
    return max(
        (criterion.uniqueness.k for criterion in adviser.asked.criteria if criterion.uniqueness is not None), default=0
    )


def _without_top(hierarchy: Hierarchy) -> tuple[Recoding, ...]:
    return hierarchy.recodings[:-1] if hierarchy.has_top else hierarchy.recodings


def _lost(adviser: Adviser, proposal: Proposal, step: Recode | MergeRare, level: Recoding) -> float:
    """The cells of a recoded column that are lost in the records that leave: so many of them as they are.

    ``level`` is what the step makes of the column's values.
    """
    counts = adviser.data.held.counts_of(step.column)
    values, labels = counts.values, Recode(step.column, level).labels(counts.values)
    if counts.missing:  # a value of its own, as in every loss
        values, labels = np.append(values, [None]), np.append(labels, [label_of_missing(level)])
    levels = Levels.of([values, labels], step.column)
    loss_of = dict(zip(levels.label(1).tolist(), levels.loss(1).tolist(), strict=True))
    data = adviser.asked.data
    goes = proposal.left_out or proposal.rows_out
    applied = (proposal.taken(Recipe(), data) if goes else Recipe.of([step])).apply(data)
    released = applied.released.with_counted()
    if data.has_several_rows:  # of whom the rows are counted
        rows = released.held.counts_of(step.column)
        of_rows = zip(rows.values.tolist(), rows.records.tolist(), strict=True)
        return sum(loss_of.get(label, 0.0) * number for label, number in of_rows)
    classes = released.with_missing("category").classes([step.column])
    pairs = zip(classes.column(step.column).tolist(), classes.counts.tolist(), strict=True)
    return sum(loss_of.get(label, 0.0) * number for label, number in pairs)


# ---- sensitive columns coarser or dropped ----


def columns_give_way(
    search: Search,
    adviser: Adviser,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    *,
    for_all: bool = True,
) -> Proposal | NothingFound:
    """What a search finds; tried again with sensitive columns coarser or dropped where that is nothing.

    ``for_all`` says that it asks for everybody what a share may violate. Of small files less is tried first.
    """
    report = partial(progress, 0.0, None) if progress is not None else lambda: None
    answer: Proposal | NothingFound = NothingFound(proven=False, finished=True, complete=False)
    is_large = adviser.problem.is_large
    if not (is_large and _AtTheTop(adviser, False, report).is_impossible()):
        answer = search(adviser, budget, progress)
    if isinstance(answer, Proposal):
        return answer
    for for_everybody in (True,) if is_large and for_all else (False, True):
        given = _once(adviser, for_everybody, report)
        again = answer if given is None else with_given(adviser, search, given, budget, progress)
        if isinstance(again, Proposal):
            return again
    return answer


@dataclass(frozen=True)
class GivingWay:
    """Sensitive columns that are dropped, and by column that is coarser its level in the question."""

    left_out: tuple[str, ...]
    levels: Mapping[str, int] = field(default_factory=dict)


def what_gives_way(
    adviser: Adviser, *, for_everybody: bool = False, check_stop: Callable[[], None] = lambda: None
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
    check_stop : Callable[[], None], default lambda: None
        Called again and again; may raise to stop.

    Returns
    -------
    GivingWay or None
        None where everything holds with all of them as they are, or does not hold without all that may go either.
    """
    question = _AtTheTop(adviser, for_everybody, check_stop)
    may_go = [name for name in adviser.data.sensitive if name not in adviser.fixed]
    stay = {name: 0 for name in adviser.data.sensitive if name not in may_go}
    if not may_go or not question.begins_with(stay) or question.holds(dict.fromkeys(adviser.data.sensitive, 0)):
        return None
    levels = _put_in(question, stay, sorted(may_go, key=adviser.gives_way_last))
    return GivingWay(
        tuple(name for name in may_go if name not in levels), {name: level for name, level in levels.items() if level}
    )


def _once(adviser: Adviser, for_everybody: bool, check_stop: Callable[[], None]) -> GivingWay | None:
    """What gives way; the same for all kinds of proposals, and found once."""
    problem, asked = adviser.problem, adviser.asked
    highest = zip(problem.columns, problem.highest, strict=True)
    ways = tuple((name, problem.hierarchies[name].key, level) for name, level in highest)
    most = (
        (problem.suppression_limit, problem.most_persons)
        if isinstance(problem, PersonProblem)
        else (problem.suppression_limit,)
    )
    columns = (
        *sorted(adviser.fixed), *sorted(asked.weights.items()), *sorted(asked.needed), asked.data.missing,
        *asked.data.sensitive,
    )  # fmt: skip
    key = ("what gives way", for_everybody, problem.guarantees, ways, most, columns)
    return asked.data.once(key, lambda: what_gives_way(adviser, for_everybody=for_everybody, check_stop=check_stop))


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

    def __init__(self, adviser: Adviser, for_everybody: bool, check_stop: Callable[[], None]) -> None:
        self.problem, self.check_stop = adviser.problem, check_stop
        self.sensitive = tuple(adviser.data.sensitive)
        highest = zip(self.problem.columns, self.problem.highest, strict=True)
        self.known = {name: level for name, level in highest if name not in self.sensitive}
        self.guarantees = [
            guarantee if isinstance(guarantee, AverageRiskLimit) or not for_everybody else replace(guarantee, share=0.0)
            for guarantee in self.problem.guarantees
        ]
        self.left: np.ndarray | None = None

    def begins_with(self, levels: Mapping[str, int]) -> bool:
        """Whether everything holds with these columns alone. Who has to be left out for it is out from then on."""
        guarantees, problem = self._asked(levels), self.problem
        coded = self._coded(levels)
        if isinstance(problem, PersonProblem):
            assert isinstance(coded, CodedPersons)
            self.left = rows_left(
                coded, guarantees, needed=problem.needed, most_rows=problem.suppression_limit,
                most_persons=problem.most_persons,
                check_stop=self.check_stop,
            )  # fmt: skip
        else:
            self.left = left_after(coded, guarantees, most=problem.suppression_limit, divisible=problem.divisible)
        return self.left is not None

    def holds(self, levels: Mapping[str, int]) -> bool:
        """Whether everything does with the sensitive columns that have a level, and nobody else left out."""
        guarantees = [guarantee for guarantee in self._asked(levels) if not isinstance(guarantee, AverageRiskLimit)]
        return all(violation.is_met for violation in self._violations(guarantees, levels))

    def is_impossible(self) -> bool:
        """Whether more than may would have to go, of those who violate something however many others go."""
        levels, problem = dict.fromkeys(self.sensitive, 0), self.problem
        guarantees = [
            guarantee
            for guarantee in self._asked(levels)
            if not isinstance(guarantee, AverageRiskLimit) and guarantee.stays
        ]
        violations = self._violations(guarantees, levels)
        to_go = (
            least_to_go(violation.records, problem.n_records, violation.guarantee.share) for violation in violations
        )
        return max(to_go, default=0) > problem.suppression_limit

    def levels_of(self, name: str) -> list[int]:
        """The levels of a sensitive column that say something, from its values up."""
        if name not in self.problem.columns:
            return [0]
        levels = self.problem.levels[name]
        return [level for level in range(levels.n_levels) if not level or says_something(levels, level)]

    def _asked(self, levels: Mapping[str, int]) -> list[PrivacyModel]:
        names = self.problem.classes.attributes
        present = [name for name in names if name in levels or name not in self.sensitive]
        on_labels = (self.problem.on_labels(guarantee, levels) for guarantee in self.guarantees)
        return [
            restricted
            for guarantee in on_labels
            if guarantee is not None and (restricted := guarantee.on(present)) is not None
        ]

    def _violations(self, guarantees: Sequence[PrivacyModel], levels: Mapping[str, int]) -> tuple[Violation, ...]:
        return violations(self._coded(levels), guarantees, lambda *_: self.check_stop())

    def _coded(self, levels: Mapping[str, int]) -> Coded:
        """Those who are not left out, with the columns that are known or have a level."""
        problem, at = self.problem, {**self.known, **levels}
        names = [name for name in problem.classes.attributes if name in levels or name not in self.sensitive]
        coded = problem.coded_at(at, names) if isinstance(problem, PersonProblem) else problem.rows.coded(names, at)
        if self.left is None:
            return coded
        return coded.with_times(self.left)[0] if isinstance(coded, CodedPersons) else coded.left(self.left)


def with_given(
    adviser: Adviser, search: Search, given: GivingWay, budget: Budget, progress: Progress | None
) -> Proposal | NothingFound:
    """What a search finds without some columns and with others on some levels, as an answer to the whole question."""
    asked, names = adviser.asked, given.left_out
    if names:
        data = Recipe.of([DropColumns(names)]).apply(asked.data).released
        droppable = tuple(name for name in asked.droppable if name not in names)
        try:
            adviser = adviser.asking(data=data, dropped=(*asked.dropped, *names), droppable=droppable)
        except InputError:  # nothing is asked any more that can be searched
            return NothingFound(proven=False, finished=True, complete=False)
    proposal = on_levels(adviser, search, given.levels, budget, progress)
    if isinstance(proposal, NothingFound) or not names:
        return proposal
    return replace(
        proposal,
        levels={**proposal.levels, **dict.fromkeys(names, 1)},
        changes={**proposal.changes, **dict.fromkeys(names, "dropped")},
        steps=(DropColumns(names, _REASON), *proposal.steps),
        decides=tuple(dict.fromkeys((*proposal.decides, *names))),
        least_change=replace(proposal.least_change, proven=False),
    )


# ---- few who are unique on what leaves ----


def few_unique(
    search: Search, adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """What a search finds, mended where it leaves too many alone by what leaves.

    Where no column can go up any further, what was reached is the answer: the verdict says what it does not meet. Where
    a coin refuses as values do, it is looked at what the same search leaves by sizes alone: what was refused decides
    nothing, and there is one search with coins.
    """
    if adviser.coin is not None:
        return with_given(adviser, search, _given_by_sizes(search, adviser, budget, progress), budget, progress)
    answer, _ = _mended(search, adviser, budget, progress)
    return answer if isinstance(answer, NothingFound) else that_is_saved(answer, adviser.asked.data)


def _mended(
    search: Search, adviser: Adviser, budget: Budget, progress: Progress | None
) -> tuple[Proposal | NothingFound, GivingWay]:
    """What a search finds, mended, and what gives way for it."""
    answer, given = search(adviser, budget, progress), GivingWay(())
    limits = [limit for criterion in adviser.asked.criteria if (limit := criterion.uniqueness) is not None]
    for _ in range(_TIMES):
        before = answer
        for limit in limits:
            if isinstance(answer, NothingFound):
                return answer, given
            raised = _raised(adviser, limit, answer, progress)
            if raised is None:
                continue
            again = with_given(adviser, search, raised, budget, progress)
            if isinstance(again, NothingFound):
                return answer, given
            answer, given = again, raised
        if answer is before:
            break
    return answer, given


def _given_by_sizes(search: Search, adviser: Adviser, budget: Budget, progress: Progress | None) -> GivingWay:
    """What gives way where nothing is asked of values."""
    of_sizes = [criterion for criterion in adviser.asked.criteria if criterion.disclosure != "attribute"]
    try:
        by_sizes = adviser.asking(criteria=tuple(of_sizes))
    except InputError:  # nothing else is asked that can be searched
        return GivingWay(())
    return _mended(search, by_sizes, budget, progress)[1]


@dataclass(frozen=True, eq=False)
class _Column:
    """A column that may go up.

    Attributes
    ----------
    levels : Levels
        Its labels, level by level.
    start : int
        The level that it is on.
    rank : tuple[bool, float]
        Of :meth:`anonlib.verdict.proposals.adviser.Adviser.gives_way_last`.
    """

    levels: Levels
    start: int
    rank: tuple[bool, float]

    def onto(self, level: int) -> dict[str | None, str | None]:
        """What the labels that it is on become on a higher level."""
        pairs = zip(self.levels.label(self.start).tolist(), self.levels.label(level).tolist(), strict=True)
        return dict(pairs)


def _raised(
    adviser: Adviser, limit: UniquenessLimit, proposal: Proposal, progress: Progress | None
) -> GivingWay | None:
    """What goes up, or out, so that few enough are alone, all else as in the proposal; None where nothing has to."""

    def report(share: float = 0.0, *_: None) -> None:
        if progress is not None:
            progress(share, proposal)

    def allows(alone: float, below: float) -> bool:
        report()
        return limit.allows(alone, below)

    recipe = proposal.taken(Recipe(), adviser.asked.data)
    applied = recipe.apply(adviser.asked.data)
    names, _ = looked_at(applied.released, adviser.asked.unknowable)
    columns = _may_go_up(adviser, applied, proposal, names)
    count = AloneCount.of(
        applied, recipe, known=limit.known, k=limit.k, unknowable=adviser.asked.unknowable, progress=report,
        without=columns,
    )  # fmt: skip
    if not limit.allows(*count.shares):
        return None
    alone = {name: _fault(count, name) for name in columns}
    in_order = sorted(columns, key=lambda name: (*columns[name].rank, alone[name]))
    whole = _put_back(count, columns, in_order, {name: [columns[name].start] for name in columns}, allows)
    if len(whole) == len(columns):
        return None
    coarse = {name: list(range(column.levels.n_levels - 1, column.start - 1, -1)) for name, column in columns.items()}
    chosen = _put_back(count, columns, in_order, coarse, allows)
    for name in in_order:  # as fine as all the others allow
        for level in range(columns[name].start, chosen.get(name, 0)):
            others = {other: [at] for other, at in chosen.items() if other != name} | {name: [level]}
            if len(_put_back(count, columns, list(others), others, allows)) == len(others):
                chosen[name] = level
                break
    out = tuple(name for name in columns if name not in chosen)
    return GivingWay((*proposal.columns_out, *out), {name: level for name, level in chosen.items() if level})


def _may_go_up(adviser: Adviser, applied: Applied, proposal: Proposal, names: Sequence[str]) -> dict[str, _Column]:
    """By name the columns that may go up: those that the search of known columns leaves as they are."""
    data, columns = adviser.asked.data, dict[str, _Column]()
    for name in names:
        if name in data.quasi_identifiers or name in adviser.fixed:
            continue
        levels = levels_between(adviser, name).hierarchy.on([*data.held.values(name), None], name)
        if name in data.sensitive and name not in adviser.may_be_coarsened:
            levels = Levels(levels.labels[:1], levels.group[:1])
        start = proposal.levels.get(name, 0)
        if start < levels.n_levels and {*applied.released.held.values(name)} <= {*levels.label(start).tolist()}:
            columns[name] = _Column(levels, start, adviser.gives_way_last(name))
    return columns


def _put_back(
    count: AloneCount,
    columns: Mapping[str, _Column],
    in_order: Sequence[str],
    levels: Mapping[str, Sequence[int]],
    allows: Allows,
) -> dict[str, int]:
    """The level of each column that can be there, the first of its levels that is allowed beside those before it."""
    chosen = dict[str, int]()
    for name in in_order:
        for level in levels[name]:
            with_it = count.with_column(name, columns[name].onto(level), allows)
            if with_it is not None:
                count, chosen[name] = with_it, level
                break
    return chosen


def _fault(count: AloneCount, name: str) -> float:
    """How many are below k by a column, alone and with one more, when it comes to those that are there."""
    with_it = count.with_column(name, {}, lambda alone, below: True, known=min(2, count.known))
    return with_it.shares[1] if with_it is not None else 1.0
