"""The adviser: a question stated once, and the least change that meets the criteria, as steps of a recipe."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from anonlib.analyses.generalization.search import (
    Conflict,
    LeastChange,
    NothingFound,
    PersonProblem,
    Problem,
    Solution,
    conflict,
    within,
)
from anonlib.analyses.generalization.search.cell_suppression import Worth
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.utility.purposes import Purpose, named_by
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.thresholds import DEFAULT, most_left_out
from anonlib.coarsening.hierarchies import Hierarchy, suggested_hierarchy
from anonlib.coarsening.recoding import Recoding, label_of_missing, named, untouched
from anonlib.columns.roles import numbers_are_dates
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel, columns_of
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.dataset import Dataset
from anonlib.reading.records.layout import NO_CELL
from anonlib.release.from_analyses import of_counted
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode, Step
from anonlib.verdict.criteria import Aim, Case, Criterion, not_implied
from anonlib.verdict.method import Method
from anonlib.verdict.proposals.global_recoding import Bands, bands, does, says_something, search_with_bands
from anonlib.verdict.proposals.proposal import Proposal, that_is_saved

_A_COLUMN = 1.0  # what a changed column costs where the fewest are wanted: more than all cells together
MOST_LEFT_OUT = 0.05  # where no criterion says how many records must be kept
NAMED = 3.0
"""What a column weighs that is named in what must survive, where others weigh 1: the most that a weight can be."""


def weights_for(purposes: Sequence[Purpose], weights: Mapping[str, float]) -> dict[str, float]:
    """The weights of columns for a search: those that what must survive is about weigh more.

    Parameters
    ----------
    purposes : Sequence[Purpose]
        What must survive.
    weights : Mapping[str, float]
        The officer's own, which hold whatever is named.

    Returns
    -------
    dict
        By column that does not weigh 1, its weight, 0 to 3.
    """
    return {**dict.fromkeys(named_by(purposes), NAMED), **weights}


@dataclass(frozen=True, eq=False)
class Asked:
    """What an adviser is asked: the data, what must hold, and what may be changed.

    Attributes
    ----------
    data : Dataset
        The original with its roles.
    criteria : tuple[Criterion, ...]
        What the release must meet. Those that no search can take part in are checked afterwards.
    hierarchies : Mapping[str, Hierarchy], optional
        By column, the ways to coarsen it; columns that are not named have the suggested one.
    harmless : Mapping[str, tuple[str, ...]], optional
        By sensitive column, the values that anybody may be sure of.
    fixed : tuple[str, ...], default ()
        Columns that must stay as they are.
    weights : Mapping[str, float], optional
        How much columns matter, 0 to 3; 1 where not named.
    droppable : tuple[str, ...], default ()
        Sensitive columns that may be dropped from the release.
    coarsenable : tuple[str, ...], optional
        Sensitive columns that may be coarsened; None: all that have something between a value and everything.
    unknowable : tuple[str, ...], default ()
        Columns that nobody outside can know, which a search leaves as they are.
    needed : tuple[str, ...], default ()
        Columns that what must survive is about: whatever else may give way does so before any of them is dropped.
    dropped : tuple[str, ...], default ()
        Known and sensitive columns of the original that are dropped already: their detail counts as lost.
    k : int, default DEFAULT.k
        How many must share what tells whose rows are whose (:func:`anonlib.verdict.criteria.rows.linking`).
    secret : str, default "0" * 32
        What the coins of a search are drawn of, 32 hexadecimal digits; see
        :class:`anonlib.analyses.generalization.search.coins.Coin`.
    """

    data: Dataset
    criteria: tuple[Criterion, ...]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: MappingProxyType({}))
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    fixed: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    droppable: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    k: int = DEFAULT.k
    coarsenable: tuple[str, ...] | None = None
    unknowable: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    secret: str = field(default="0" * 32, repr=False)

    @classmethod
    def of(
        cls,
        data: Dataset,
        aim: Aim,
        hierarchies: Mapping[str, Hierarchy],
        criteria: Sequence[Criterion] | None = None,
        original: Dataset | None = None,
        unknowable: Sequence[str] = (),
        *,
        secret: str = "0" * 32,
    ) -> Asked:
        """What an aim asks, with the hierarchies that are chosen; other criteria than the aim's where they are given.

        A column can always be withheld, whatever its hierarchy. Of the original, where it is given, those columns that
        the data have no more are dropped already.

        Parameters
        ----------
        data : Dataset
            What is to be protected.
        aim : Aim
            What a release must meet.
        hierarchies : Mapping[str, Hierarchy]
            By column, how it can be coarsened, where that was chosen.
        criteria : Sequence[Criterion], optional
            Criteria in the place of the aim's.
        original : Dataset, optional
            The original, where columns were dropped of it.
        unknowable : Sequence[str], default ()
            Columns that nobody outside can know.
        secret : str, default "0" * 32
            What the coins of a search are drawn of.
        """
        before = [] if original is None else [*original.quasi_identifiers, *original.sensitive]
        return cls(
            data,
            tuple(aim.criteria if criteria is None else criteria),
            {name: hierarchy.with_top() for name, hierarchy in hierarchies.items()},
            aim.harmless_by_column,
            aim.fixed,
            weights_for(aim.purposes, dict(aim.weights)),
            aim.droppable,
            tuple(name for name in before if name not in data.columns),
            aim.k,
            aim.coarsenable,
            tuple(unknowable),
            named_by(aim.purposes),
            secret,
        )


class Adviser:
    """A question stated once, and its answers: proposals, what stands against any, and what each criterion costs.

    Raises
    ------
    InputError
        When nothing can be searched: no criterion that a search can take part in, or no column that is known.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.data = asked.data.with_counted()
        self._case, self.searched = _searched(asked)
        self.problem = self._problem(self._case)
        self._conflicts: list[Conflict | None] = []

    def asking(self, **changes: Any) -> Adviser:
        """The adviser on the same question with some of it changed.

        Parameters
        ----------
        **changes : Any
            By field of :class:`Asked`, what stands there instead.

        Returns
        -------
        Adviser

        Raises
        ------
        InputError
            When nothing can be searched then.
        """
        return Adviser(replace(self.asked, **changes))

    @property
    def of_parts(self) -> tuple[PrivacyModel, ...]:
        """The guarantees of which labels of several levels report the truth: who is alone by all that leaves is counted
        by what labels cover, and mended afterwards."""
        stated = [guarantees for criterion, guarantees in self.searched if criterion.uniqueness is None]
        return tuple(guarantee for guarantees in stated for guarantee in guarantees)

    @property
    def method(self) -> Method:
        """What decides which release comes out of a search: what somebody knows who knows the method."""
        problem = self.problem
        return Method(
            problem.guarantees,
            problem.hierarchies,
            problem.weights,
            self.of_parts,
            problem.suppression_limit,
            for_values=not problem.values_refuse,
            harmless=self.asked.harmless,
        )

    @property
    def coin(self) -> Coin | None:
        """How a search of parts or blank cells refuses by chance as values do; None where nothing is asked of values,
        or where it need not or cannot."""
        coin = self._coin_asked
        return None if coin is None or self.why_no_coin else replace(coin, secret=self.asked.secret)

    @property
    def why_no_coin(self) -> str:
        """Why no coin can refuse as values do, though it is asked for, in a sentence; empty where it can."""
        sensitive = {sensitive_of(guarantee) for guarantee in self.of_parts}
        known = {name for guarantee in self.of_parts for name in guarantee.columns}
        both = [name for name in self.data.columns if name in sensitive & known]
        if self._coin_asked is None or not both:
            return ""
        return (
            f"“{both[0]}” is taken to be known in one criterion and is sensitive in another: with mixed coarseness and "
            "blank cells, who knows how they were found can learn from it which values stood against less change."
        )

    @property
    def _coin_asked(self) -> Coin | None:
        """The coin that is asked for, where something is asked of values."""
        of_values = any(sensitive_of(guarantee) is not None for guarantee in self.of_parts)
        coins = (criterion.coin for criterion in self.asked.criteria)
        return next((coin for coin in coins if coin is not None), None) if of_values else None

    def of_sizes(self) -> Adviser | None:
        """The same question of the data without their sensitive columns: what known columns decide alone.

        Returns
        -------
        Adviser or None
            None where nothing is asked of them then.
        """
        sensitive = self.asked.data.sensitive
        data = (
            Recipe.of([DropColumns(tuple(sensitive), "")]).apply(self.asked.data).released
            if sensitive
            else self.asked.data
        )
        try:
            return self.asking(data=data, coarsenable=(), droppable=())
        except InputError:
            return None

    def does_with(self, criteria: Sequence[Criterion]) -> bool:
        """Whether other criteria are found to be met with every column at its coarsest.

        Parameters
        ----------
        criteria : Sequence[Criterion]
            Asked instead of those of the aim.

        Returns
        -------
        bool
        """
        guarantees = [guarantee for _, stated in _among(criteria, self._case, self.data) for guarantee in stated]
        problem = self.problem.changed(guarantees=guarantees)
        return does(problem, self.data.sensitive)

    def _problem(self, case: Case) -> Problem:
        data, asked = self.data, self.asked
        guarantees = [guarantee for _, stated in self.searched for guarantee in stated]
        asked_of = set(columns_of(guarantees))
        names = [name for name in data.columns if name in {*case.known, *case.sensitive, *asked_of}]
        unnamed = [name for name in names if not data.may_be_named(name)]
        open_to_change = [name for name in names if name not in {*self.fixed, *case.sensitive}]
        hierarchies = {name: self.coarsened(name) for name in open_to_change}
        hierarchies |= {name: Hierarchy().with_top() for name in asked.droppable if name in case.sensitive}
        self.bands = self._bands({name for guarantee in guarantees for name in guarantee.columns})
        hierarchies |= {
            name: levels.hierarchy.with_top() if name in asked.droppable else levels.hierarchy
            for name, levels in self.bands.items()
        }
        if data.has_several_rows:
            table = data.persons(names, for_a_search=True)
            return PersonProblem(
                table,
                hierarchies,
                guarantees,
                linked=data.is_linked,
                needed=data.quasi_identifiers if data.missing == "drop" else (),
                suppression_limit=self._most(table.rows.n_records, asked.data.n_records - data.n_records),
                most_persons=self._most(table.n_persons, self.left_out_already),
                weights=asked.weights,
                unnamed=unnamed,
                values_refuse=self._coin_asked is not None,
            )
        classes = data.with_missing("category").classes(names)
        return Problem(
            classes,
            hierarchies,
            guarantees,
            suppression_limit=self._most(classes.n_records, self.left_out_already),
            weights=asked.weights,
            divisible=data.weight is None,
            unnamed=unnamed,
            values_refuse=self._coin_asked is not None,
        )

    def weight_of(self, name: str) -> float:
        """How much a column matters, 0 to 3.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        float
        """
        return float(self.asked.weights.get(name, 1.0))

    def gives_way_last(self, name: str) -> tuple[bool, float]:
        """Sorts columns: those that give way last first, which are needed, and then those that matter most.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        tuple[bool, float]
        """
        return name not in self.asked.needed, -self.weight_of(name)

    @property
    def fixed(self) -> set[str]:
        """Columns that must stay as they are."""
        stay = (name for criterion in self.asked.criteria for name in criterion.fixed)
        return {*self.asked.fixed, *stay}

    @property
    def may_be_coarsened(self) -> tuple[str, ...]:
        """Sensitive columns that may be coarsened."""
        allowed = self.data.sensitive if self.asked.coarsenable is None else self.asked.coarsenable
        return tuple(name for name in self.data.sensitive if name in allowed and name not in self.fixed)

    @property
    def sharing(self) -> int:
        """The most records (persons) that a criterion wants to share a value; 0 where none wants any."""
        guarantees = [guarantee for _, stated in self.searched for guarantee in stated]
        return max((guarantee.least for guarantee in guarantees if isinstance(guarantee, KAnonymity)), default=0)

    def _bands(self, taken_as_known: Collection[str]) -> dict[str, Bands]:
        """How sensitive columns may be coarsened that something is asked of besides what is learned of them.

        ``taken_as_known`` are the columns that guarantees take to be known.
        Against what is learned of a column coarser values of it never help: they are more alike.
        """
        by_column = {
            name: bands(self.asked.data, name, self.coarsened(name), self.sharing)
            for name in self.may_be_coarsened
            if name in taken_as_known
        }
        return {name: levels for name, levels in by_column.items() if levels.steps}

    def coarsened(self, name: str) -> Hierarchy:
        """How a column can be coarsened: as chosen, else as suggested.

        Where who lacks a known value is left out, a level without a label for some value would leave out its records.
        Where persons have rows with and rows without a value, a level that names what is missing is passed over: of
        some rows it would stay missing, and report these from others. Of a column that nobody has decided on a level is
        passed over that lists values or leaves some as they are: a saved project does not name them.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Hierarchy
        """
        counts = self.data.held.counts_of(name)
        values = counts.values
        hierarchy = self.asked.hierarchies.get(name) or suggested_hierarchy(
            values,
            counts.records,
            name,
            dated=numbers_are_dates(self.data.held, name),
            described=self.data.described.get(name),
        )
        recodings = list(hierarchy.recodings)
        if self.asked.data.missing == "drop":
            if self.data.has_several_rows:  # of whom some rows may lack it
                recodings = [of_counted(recoding, self.data, name) for recoding in recodings]
            recodings = [
                recoding
                for recoding in recodings
                if all(label is not None and label.strip() for label in recoding.labels(values))
            ]
        elif any(_names_missing(recoding, values) for recoding in recodings) and self._lacks_partly(name):
            recodings = [recoding for recoding in recodings if not _names_missing(recoding, values)]
        if name not in self.data.sensitive and not self.data.may_be_named(name):
            recodings = [
                recoding for recoding in recodings if not named(recoding) and not untouched(recoding, values).any()
            ]
        return hierarchy if tuple(recodings) == hierarchy.recodings else Hierarchy(tuple(recodings))

    def _lacks_partly(self, name: str) -> bool:
        """Whether some person has rows with and rows without a value."""
        return self.data.has_several_rows and self.data.has_partly_missing(name)

    @property
    def left_out_already(self) -> int:
        """Records that are not counted, since a known value of theirs is missing."""
        everybody, counted = (data.with_missing("category").classes([]) for data in (self.asked.data, self.data))
        return everybody.n_records - counted.n_records

    @property
    def records_kept(self) -> tuple[Criterion, float] | None:
        """The strictest criterion on how many records are kept, and the share that it asks for; None without one."""
        limits = [
            (criterion, share)
            for criterion in self.asked.criteria
            if (share := criterion.limit_on("share_kept")) is not None
        ]
        return max(limits, key=lambda pair: pair[1], default=None)

    def _most(self, n_records: int, already: int) -> int:
        """The most that may be left out of those that are counted; below 0 where more are left out already."""
        if self.records_kept is None:
            return int(MOST_LEFT_OUT * n_records)
        return most_left_out(self.records_kept[1], n_records + already) - already

    def of_original(self, loss: float) -> float:
        """A loss of what is searched as one of the original, of which the columns dropped before are lost.

        Parameters
        ----------
        loss : float
            A share of the detail of what is searched, 0 to 1.

        Returns
        -------
        float
        """
        present = sum(self.problem.weights.values())
        gone = float(sum(self.asked.weights.get(name, 1.0) for name in self.asked.dropped))
        return (loss * present + gone) / (present + gone) if gone else loss

    def of_cells(self, cells: float) -> float:
        """So many lost cells, in their weights, as a share of the detail of the original's.

        Parameters
        ----------
        cells : float
            Lost cells, in their weights.

        Returns
        -------
        float
        """
        gone = float(sum(self.asked.weights.get(name, 1.0) for name in self.asked.dropped))
        present = sum(self.problem.weights.values())
        return self.problem.share(cells) * present / (present + gone) if present else 0.0

    # ---- proposals ----

    def most_detail(self, budget: Budget = UNLIMITED, progress: Progress | None = None) -> Proposal | NothingFound:
        """What loses least, with as many records left out as may be.

        Parameters
        ----------
        budget : Budget, default UNLIMITED
            What a search may spend; a first answer is always completed.
        progress : Progress, optional
            Called with the share done, 0 to 1, and the best so far; may raise to stop.

        Returns
        -------
        Proposal | NothingFound
        """
        return self._proposal(self.problem, budget, progress)

    def most_records(self, budget: Budget = UNLIMITED, progress: Progress | None = None) -> Proposal | NothingFound:
        """What loses least with nobody left out.

        Parameters
        ----------
        budget : Budget, default UNLIMITED
            What a search may spend; a first answer is always completed.
        progress : Progress, optional
            Called with the share done, 0 to 1, and the best so far; may raise to stop.

        Returns
        -------
        Proposal | NothingFound
        """
        return self._proposal(
            self.problem.changed(suppression_limit=min(0, self.problem.suppression_limit)), budget, progress
        )

    def fewest_columns(self, budget: Budget = UNLIMITED, progress: Progress | None = None) -> Proposal | NothingFound:
        """What changes the fewest columns, and of these what loses least.

        Parameters
        ----------
        budget : Budget, default UNLIMITED
            What a search may spend; a first answer is always completed.
        progress : Progress, optional
            Called with the share done, 0 to 1, and the best so far; may raise to stop.

        Returns
        -------
        Proposal | NothingFound
        """
        return self._proposal(self.problem.changed(a_column=_A_COLUMN), budget, progress)

    def conflict(self, progress: Progress | None = None) -> tuple[Conflict, tuple[Criterion, ...]] | None:
        """Why no change was found, and the criteria that do not hold together at the coarsest; None where they do.

        Looked for once; ``progress`` is called with how far that is, in [0, 1], and may raise to stop.

        Parameters
        ----------
        progress : Progress, optional
            Called with the share done, 0 to 1; may raise to stop.

        Returns
        -------
        tuple[Conflict, tuple[Criterion, ...]] | None
        """
        if not self._conflicts:
            self._conflicts.append(conflict(self.problem, progress))
        (conflict_found,) = self._conflicts
        if conflict_found is None:
            return None
        if not conflict_found.guarantees and self.records_kept is not None:
            return conflict_found, (self.records_kept[0],)
        return conflict_found, tuple(dict.fromkeys(self._criterion_of(i) for i in conflict_found.guarantees))

    def marginal_costs(self, budget: Budget = UNLIMITED, progress: Progress | None = None) -> tuple[MarginalCost, ...]:
        """What each criterion costs: the loss with all less that without it, and the loss with it alone.

        They need not add up: two criteria that imply each other cost nothing each. Empty where no change was found
        that meets all.

        Parameters
        ----------
        budget : Budget, default UNLIMITED
            What a search may spend; a first answer is always completed.
        progress : Progress, optional
            Called with the share done, 0 to 1; may raise to stop.

        Returns
        -------
        tuple[MarginalCost, ...]
        """
        done = 0.0

        def stand_still(_share: float, _so_far: object = None) -> None:
            if progress is not None:
                progress(done)

        whole = within(self.problem, budget, stand_still)
        if isinstance(whole, NothingFound):
            return ()
        costs = []
        for i, (criterion, _) in enumerate(self.searched):
            done = i / len(self.searched)
            others = self._only([other for other, _ in self.searched if other is not criterion])
            without = None if others is None else within(others, budget, stand_still)
            alone_in = self._only([criterion])
            alone = None if alone_in is None else within(alone_in, budget, stand_still)
            rest = 0.0
            if without is not None:  # what meets all meets the others
                rest = (
                    without.best.information_loss if isinstance(without, LeastChange) else whole.best.information_loss
                )
            searched = [outcome for outcome in (whole, without, alone) if outcome is not None]
            costs.append(
                MarginalCost(
                    criterion,
                    max(0.0, self.of_original(whole.best.information_loss) - self.of_original(rest)),
                    self.of_original(alone.best.information_loss) if isinstance(alone, LeastChange) else None,
                    all(outcome.finished for outcome in searched),
                )
            )  # fmt: skip
        return tuple(costs)

    def prices(self, budget: Budget = UNLIMITED, progress: Progress | None = None) -> tuple[MarginalCost, ...]:
        """Deprecated: the earlier name of :meth:`marginal_costs`.

        Parameters
        ----------
        budget : Budget, default UNLIMITED
            What a search may spend.
        progress : Progress, optional
            Called with the share done, 0 to 1.

        Returns
        -------
        tuple[MarginalCost, ...]
        """
        warnings.warn("It is called Adviser.marginal_costs now.", DeprecationWarning, stacklevel=2)
        return self.marginal_costs(budget, progress)

    # ---- parts ----

    def _only(self, criteria: Sequence[Criterion]) -> Problem | None:
        guarantees = [guarantee for criterion, stated in self.searched if criterion in criteria for guarantee in stated]
        return self.problem.changed(guarantees=guarantees) if guarantees else None

    def _criterion_of(self, position: int) -> Criterion:
        owners = [criterion for criterion, stated in self.searched for _ in stated]
        return owners[position]

    def _proposal(self, problem: Problem, budget: Budget, progress: Progress | None) -> Proposal | NothingFound:
        latest: list[Proposal] = []

        def report(share: float, best: LeastChange | None = None) -> None:
            if best is not None and (not latest or latest[-1].least_change.best != best.best):
                latest[:] = [self.of(best, problem)]
            if progress is not None:
                progress(share, latest[-1] if latest else None)

        change = search_with_bands(problem, self.data.sensitive, budget, None if progress is None else report)
        return change if isinstance(change, NothingFound) else that_is_saved(self.of(change, problem), self.asked.data)

    def of(self, change: LeastChange, problem: Problem) -> Proposal:
        """What a search of a problem found as a proposal.

        Parameters
        ----------
        change : LeastChange
            What the search found.
        problem : Problem
            What was searched.

        Returns
        -------
        Proposal
        """
        levels = {name: level for name, level in zip(problem.columns, change.best.node, strict=True) if level}
        return Proposal(
            levels,
            {
                name: problem.hierarchies[name].describe(level) if self._leaves(problem, name, level) else "left out"
                for name, level in levels.items()
            },
            self._steps(problem, change.best),
            problem.columns,
            self.of_original(problem.cell_loss(change.best)),
            change.best.left_out,
            problem.n_records,
            change,
            change.best.rows_out,
            problem.n_rows if isinstance(problem, PersonProblem) else 0,
        )

    def _steps(self, problem: Problem, best: Solution) -> tuple[Step, ...]:
        steps: list[Step] = []
        dropped = []
        for name, level in zip(problem.columns, best.node, strict=True):
            if not self._leaves(problem, name, level):
                dropped.append(name)
            elif level and name in self.bands:
                steps.append(self.bands[name].steps[level - 1])
            elif level:
                hierarchy = problem.hierarchies[name]
                reason = f"for the verdict: {hierarchy.describe(level)}" if hierarchy.called else "for the verdict"
                recoding = of_counted(hierarchy.recodings[level - 1], self.data, name)
                steps.append(Recode(name, recoding, reason))
        if dropped:
            steps.append(DropColumns(tuple(dropped), "for the verdict"))
        if best.left_out or best.rows_out:
            what: Literal["rows", "persons"] = "rows" if isinstance(problem, PersonProblem) else "persons"
            released, worth = self._released(problem, best, dropped), self._worth(problem, best)
            steps.append(LeaveOut(guarantees=released, worth=worth, reason="for the verdict", what=what))
        return tuple(steps)

    def _leaves(self, problem: Problem, name: str, level: int) -> bool:
        """Whether a column leaves at a level: a sensitive one of which nothing can be learned any more is dropped."""
        return not level or name not in self.data.sensitive or says_something(problem.levels[name], level)

    @staticmethod
    def _released(problem: Problem, best: Solution, dropped: Sequence[str]) -> tuple[PrivacyModel, ...]:
        """What must hold of the release, of the labels and columns that leave."""
        levels = dict(zip(problem.columns, best.node, strict=True))
        leaving = [name for name in problem.classes.attributes if name not in dropped]
        on_labels = (
            problem.on_labels(guarantee, levels)
            for guarantee in problem.guarantees
            if not (problem.values_refuse and problem.looks_at_values(guarantee))
        )
        return tuple(
            restricted
            for guarantee in on_labels
            if guarantee is not None and (restricted := guarantee.on(leaving)) is not None
        )

    @staticmethod
    def _worth(problem: Problem, best: Solution) -> Worth:
        """By column that is coarsened and whose labels may be named, what a cell of each label is still worth."""
        by_column = []
        for name, level in zip(problem.columns, best.node, strict=True):
            if not level or name in problem.unnamed:
                continue
            levels = problem.levels[name]
            worth = np.zeros(len(levels.labels[level]))
            worth[levels.group[level]] = problem.weights[name] * (1 - levels.loss(level))
            if len(set(worth.tolist())) > 1:
                by_label = dict(zip(levels.labels[level].tolist(), worth.tolist(), strict=True))
                if NO_CELL in by_label:  # which is missing where the step is applied
                    by_label.setdefault(None, by_label.pop(NO_CELL))
                by_column.append((name, tuple(by_label.items())))
        return tuple(by_column)


Searched = list[tuple[Criterion, tuple[PrivacyModel, ...]]]
"""Criteria, and what a search takes each of them for."""


def _searched(asked: Asked) -> tuple[Case, Searched]:
    """The data as criteria look at them, and the criteria that a search can take part in.

    Raises InputError where there is none.
    """
    case = Case(Recipe().apply(asked.data), Recipe(), harmless=asked.harmless, unknowable=asked.unknowable, k=asked.k)
    searched = _among(asked.criteria, case, asked.data.with_counted())
    if not searched:
        raise InputError(
            "None of the criteria can be searched for: add one on the smallest class, on combinations or on "
            "inference, and say on the Data page which columns may be known.",
            code="nothing-to-search-for",
        )
    return case, searched


def _among(criteria: Sequence[Criterion], case: Case, counted_data: Dataset) -> Searched:
    """Of some criteria those that a search can take part in; without those that others imply."""
    independent = not_implied(criteria, counted_data.has_several_rows)
    stated = [(criterion, criterion.guarantees(case)) for criterion in independent]
    return [(criterion, guarantees) for criterion, guarantees in stated if guarantees]


def _names_missing(recoding: Recoding, values: np.ndarray) -> bool:
    """Whether what is missing has a label, and values another."""
    label = label_of_missing(recoding)
    return label is not None and any(other != label for other in recoding.labels(values))


def method_of(
    original: Dataset,
    recipe: Recipe,
    aim: Aim,
    hierarchies: Mapping[str, Hierarchy],
    unknowable: Sequence[str] = (),
) -> Method | None:
    """How a search for a release is asked, as it is known to somebody who knows the method.

    Where no step was taken and no hierarchy was chosen, it says what must hold and nothing more: nothing was coarsened.

    Parameters
    ----------
    original : Dataset
        The data with their roles.
    recipe : Recipe
        The recipe of the release, which says what of the data is searched.
    aim : Aim
        What a release must meet.
    hierarchies : Mapping[str, Hierarchy]
        By column, how it can be coarsened, where that was chosen.
    unknowable : Sequence[str], default ()
        Columns that nobody outside can know.

    Returns
    -------
    Method or None
        None where nothing can be searched, so that no search can have refused anything.
    """
    asked = Asked.of(recipe.to_protect(original), aim, hierarchies, original=original, unknowable=unknowable)
    try:
        if not recipe.enabled and not hierarchies:  # suggested ones fit: whether anything can be searched is all
            return Method(tuple(guarantee for _, stated in _searched(asked)[1] for guarantee in stated))
        return Adviser(asked).method
    except InputError:
        return None


@dataclass(frozen=True)
class MarginalCost:
    """What a criterion costs beside the others.

    Attributes
    ----------
    criterion : Criterion
        The one that is paid for, with its limits.
    cost : float
        The loss of the least change found for all less that for all others, 0 or more.
    alone : float | None
        The loss of the least change found for it alone; None where none was.
    finished : bool, default True
        The searches came to their ends; else the losses are those of the least found with the work given.
    """

    criterion: Criterion
    cost: float
    alone: float | None
    finished: bool = True
