"""Find the least generalization at which privacy models hold, by any of the methods, and measure what it keeps.

First what is found: a generalized table, and its utility. Then :func:`generalize` and :func:`solve`, which hand the
problem to a method and make its answer such a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import pandas as pd

from anonlib.analyses.generalization.mondrian import mondrian
from anonlib.analyses.generalization.search import LeastChange, NothingFound, within
from anonlib.analyses.generalization.search.cell_suppression import CellSuppression, with_blanks
from anonlib.analyses.generalization.search.lattice import Node, Objective
from anonlib.analyses.generalization.search.local_recoding import part_by_part
from anonlib.analyses.generalization.whole_classes import (
    ClassModel,
    NodeEvaluation,
    Outcome,
    SearchRun,
    TracedTable,
    WholeClasses,
    step_by_step,
)
from anonlib.basics import checks
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import count
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import group
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel

# ---- what was found ----


@dataclass(frozen=True)
class UtilityMeasures:
    """What is left of a table; every measure is reported, whichever was the objective.

    Attributes
    ----------
    rows : int
        Distinct rows over all attributes (Arca and Hewett 2021).
    classes : int
        Distinct combinations of the attributes that guarantees take to be known.
    cell_loss : float
        Average over the cells that can be generalized of (values in the group - 1) / (values - 1), 1 for a record left
        out (Iyengar 2002; the normalized certainty penalty), in [0, 1]. Here and in ``entropy_loss`` a cell counts as
        much as its attribute's weight says (Xu et al. 2006).
    entropy_loss : float
        Non-uniform entropy lost, as a share of what everything in one group loses (de Waal and Willenborg 1999), in [0,
        1].
    discernibility : int
        Sum of squared class sizes, plus the number of all records for each one left out (Bayardo and Agrawal 2005).
    records : int
        Records kept.
    """

    rows: int
    classes: int
    cell_loss: float
    entropy_loss: float
    discernibility: int
    records: int


@dataclass(frozen=True)
class ViolatingGroups:
    """What violates one of the guarantees.

    Attributes
    ----------
    groups : int
        Groups of the guarantees' columns that violate one.
    rows : int
        The distinct rows in them.
    records : int
        The records in them.
    """

    groups: int
    rows: int
    records: int


@dataclass(frozen=True, eq=False)
class Generalization:
    """A generalized table at which the guarantees hold.

    Attributes
    ----------
    problem : WholeClasses
        Table, hierarchies, guarantees, objective and limit.
    method : str
        How it was searched: one of the methods of :func:`anonlib.analyses.generalization.generalize.generalize`.
    objective : Objective
        What was to be kept most, or lost least.
    guarantees : tuple[ClassModel, ...]
        What holds; ``shared`` are those of how many share their columns.
    attributes : tuple[str, ...]
        Those that can be generalized, in the class table's order.
    levels : dict[str, int] | None
        The level of each, or None where parts of the table have levels of their own (Mondrian).
    cell_levels : np.ndarray
        int16, per class of the original and attribute, its level; where single cells are blank, the last one of the
        problem.
    kept : np.ndarray
        bool, per class of the original: not left out.
    violations : ViolatingGroups
        Of the table before records are left out.
    tables : int
        Generalized tables that were made to find it; for parts the combinations of levels side by side, for Mondrian
        the parts split.
    trace : tuple[TracedTable, ...]
        The tables in the order they were made, where the method goes step by step.
    best_of_nodes : bool
        No other node keeps more by the objective, each without what violates there. False where the method does not
        look at all that could, or time ran out.
    finished : bool
        The method came to its end.
    seconds : float
        It took.
    ended_early : bool, default False
        A clock ended it, or somebody did: another machine may find another.
    """

    problem: WholeClasses
    method: str
    levels: dict[str, int] | None
    cell_levels: np.ndarray
    kept: np.ndarray
    violations: ViolatingGroups
    tables: int
    trace: tuple[TracedTable, ...]
    best_of_nodes: bool
    finished: bool
    seconds: float
    ended_early: bool = False

    @property
    def proven(self) -> bool:
        """Nothing better exists by the objective: no other node, whatever else is left out there."""
        return self.best_of_nodes and self.problem.is_exact

    @property
    def objective(self) -> Objective:
        """What was to be kept most, or lost least."""
        return self.problem.objective

    @property
    def guarantees(self) -> tuple[ClassModel, ...]:
        """What holds of the table."""
        return self.problem.guarantees

    @property
    def shared(self) -> tuple[KAnonymity, ...]:
        """Of these how many share which columns: k by columns."""
        return tuple(guarantee for guarantee in self.guarantees if isinstance(guarantee, KAnonymity))

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that can be generalized."""
        return self.problem.columns

    @property
    def n_records(self) -> int:
        """Records of the original."""
        return self.problem.n_records

    @cached_property
    def left_out(self) -> int:
        """Records left out."""
        return int(self.problem.classes.counts[~self.kept].sum())

    @cached_property
    def classes(self) -> ClassTable:
        """The generalized table: all attributes, without the records left out."""
        return self.problem.classes.relabel(self.relabelled(), self.kept)

    def within(self, problem: WholeClasses) -> Generalization:
        """The same table as the answer to a problem that differs in how many records may be left out, and only in that.

        What was measured of it is handed on.
        """
        same = replace(self, problem=problem)
        for name in ("classes", "left_out", "k", "utility", "score"):
            vars(same)[name] = getattr(self, name)
        return same

    def relabelled(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """By attribute, a code per class of the original and the label (None = missing) of each code."""
        columns = {}
        for j, (name, levels) in enumerate(zip(self.attributes, self.problem.ladders.levels, strict=True)):
            starts = np.cumsum([0, *(len(labels) for labels in levels.labels)])
            group = np.vstack([start + ids for start, ids in zip(starts, levels.group, strict=False)])
            codes = group[self.cell_levels[:, j], self.problem.rows.columns[j]]
            columns[name] = (codes, np.concatenate(levels.labels))
        return columns

    @cached_property
    def k(self) -> tuple[int, ...]:
        """Per guarantee in ``shared`` the fewest records that share its columns; 0 where nobody is left."""
        if not self.classes.n_classes:
            return tuple(0 for _ in self.shared)
        return tuple(int(self.classes.project(guarantee.columns).counts.min()) for guarantee in self.shared)

    @cached_property
    def utility(self) -> UtilityMeasures:
        """Measured on the generalized table itself, whatever the search took for its objective."""
        problem = self.problem
        cells, entropy = (
            problem.losses_of(kind).of_cells(problem.rows, self.cell_levels, self.kept)
            for kind in ("cell_loss", "entropy")
        )
        sizes = self.classes.project(problem.shield).counts.astype(object)  # squares may pass 64 bits
        return UtilityMeasures(
            self.classes.n_classes,
            len(sizes),
            cells,
            entropy,
            int((sizes**2).sum()) + self.left_out * self.n_records,
            self.n_records - self.left_out,
        )

    @cached_property
    def score(self) -> float:
        """What the search was to keep, measured on the table itself; larger is better."""
        utility = self.utility
        return {
            "rows": float(utility.rows),
            "classes": float(utility.classes),
            "cell_loss": -utility.cell_loss,
            "entropy": -utility.entropy_loss,
            "discernibility": -float(utility.discernibility),
        }[self.objective]

    def shares_blank(self) -> dict[str, float]:
        """By attribute of which cells are blank, the share of the records kept whose cell is, in [0, 1]."""
        if self.method != "blanks":
            return {}
        counts = np.where(self.kept, self.problem.classes.counts, 0)
        blank = self.cell_levels == np.array(self.problem.highest)
        shares = (counts[:, None] * blank).sum(axis=0) / max(1, int(counts.sum()))
        return {name: share for name, share in zip(self.attributes, shares.tolist(), strict=True) if share}

    def level_frame(self) -> pd.DataFrame:
        """One row an attribute: ``attribute``, ``levels`` it has, ``level``, ``values`` before and after, ``loss``.

        Values are distinct ones, missing not counted. ``level`` is the average over the records kept; for a table
        generalized as a whole, that of all of them.
        """
        rows = []
        counts = np.where(self.kept, self.problem.classes.counts, 0)
        total = max(1, int(counts.sum()))
        for j, (name, levels) in enumerate(zip(self.attributes, self.problem.ladders.levels, strict=True)):
            lost = np.array([levels.loss(level) for level in range(levels.n_levels)])
            cells = lost[self.cell_levels[:, j], self.problem.rows.columns[j]]
            place = self.classes.attributes.index(name)
            rows.append(
                {
                    "attribute": name,
                    "levels": levels.n_levels,
                    "level": float((counts * self.cell_levels[:, j]).sum() / total),
                    "values_before": int(pd.notna(levels.labels[0]).sum()),
                    "values_after": int(pd.notna(self.classes.categories[place]).sum()),
                    "loss": float((counts * cells).sum() / total),
                }
            )
        columns = ["attribute", "levels", "level", "values_before", "values_after", "loss"]
        return pd.DataFrame(rows, columns=columns)


def better_of(first: Generalization, second: Generalization) -> Generalization:
    """The generalization that keeps more by the objective of the first; the first if they keep as much.

    Parameters
    ----------
    first, second : Generalization
        Results for the same table and guarantees.

    Returns
    -------
    Generalization
    """
    return second if second.score > first.score else first


# ---- the search ----

Method = Literal["optimal", "parts", "blanks", "iab", "exhaustive", "greedy", "mondrian"]
WORK_OF_BLANKS = 20 * A_SECOND
"""How much levels are searched for blank cells, where nothing else is asked for."""


def generalize(
    classes: ClassTable,
    hierarchies: Mapping[str, Hierarchy],
    guarantees: PrivacyModel | Iterable[PrivacyModel],
    *,
    method: Method = "optimal",
    left_out_limit: float = 0.0,
    objective: Objective = "rows",
    attribute_weights: Mapping[str, float] | None = None,
    time_limit: float | None = None,
    progress: Progress | None = None,
    work: float | None = None,
) -> Generalization:
    """The table generalized so that every guarantee holds, as little as the method can.

    Parameters
    ----------
    classes : ClassTable
        Every attribute that rows are counted of.
    hierarchies : Mapping[str, Hierarchy]
        By attribute; those that a guarantee takes to be known and that have one can be generalized.
    guarantees : PrivacyModel | Iterable[PrivacyModel]
        What must hold of every class of some columns: how many records share it (one such guarantee at least), and
        the diversity or closeness of a sensitive column in it, the latter against the records that leave. For
        everybody, against who knows all of the columns.
    method : Method, default "optimal"
        ``optimal``: the best node by the objective; as many rows as ``iab``, faster. ``iab``, ``exhaustive``,
        ``greedy``: the paper's own search and the two it compares with, table by table. ``parts``: parts of the table
        have levels of their own, which keeps far more (:mod:`.search.local_recoding`). ``blanks``: one level a column,
        and single cells blank (:mod:`.search.cell_suppression`). ``mondrian``: parts as earlier versions found them.
        These three lose cells, whatever the objective.
    left_out_limit : float, default 0.0
        Share of the records, in [0, 1], that may be left out instead.
    objective : Objective, default "rows"
        What is kept most: distinct ``rows`` or ``classes``; or lost least: ``cell_loss``, ``entropy``,
        ``discernibility``. Ties go to fewer records left out, then to fewer steps up, then to lower levels of the first
        attributes.
    attribute_weights : Mapping[str, float], optional
        How much each attribute matters: from 0 (may be lost without regret) over 1 (the default) to 3. Weights
        count in cell loss and entropy, as objectives and as reported, and in what parts lose.
    time_limit : float, optional
        After so many seconds the search is ended early: the best so far is returned, not ``finished`` and marked so.
        Not of ``parts``.
    progress : Progress, optional
        Called with the share done (0 to 1) and the best so far; may raise to stop.
    work : float, optional
        How much to search (:class:`anonlib.basics.budget.Budget`), the same on every machine; ``blanks`` has
        :data:`WORK_OF_BLANKS` where nothing is given. Not of ``parts``.

    Returns
    -------
    Generalization

    Raises
    ------
    InputError
        If no node was found to satisfy, and for guarantees, hierarchies, weights or limits that are not possible.

    References
    ----------
    Arca and Hewett 2021, section 3.

    Examples
    --------
    At 10 years, three of four ages are in one group. The fourth may be left out, or all become one.

    >>> import pandas as pd
    >>> from anonlib.counting.classes import ClassTable
    >>> from anonlib.counting.privacy_models import KAnonymity
    >>> from anonlib.coarsening.hierarchies import intervals
    >>> ages = ClassTable.from_frame(pd.DataFrame({"age": ["34", "36", "37", "52"]}))
    >>> asked = {"age": intervals([5, 10])}, KAnonymity(columns=("age",), least=2)
    >>> found = generalize(ages, *asked, left_out_limit=0.25, objective="cell_loss")
    >>> found.classes.to_frame()
         age  count
    0  30-39      3
    >>> generalize(ages, *asked).classes.to_frame()
      age  count
    0   *      4
    """
    if method not in get_args(Method):
        raise InputError(f"The method is one of: {', '.join(get_args(Method))}.", code="choice-unknown")
    problem = WholeClasses(
        classes,
        hierarchies,
        tuple(guarantees) if isinstance(guarantees, Iterable) else (guarantees,),
        left_out_limit=left_out_limit,
        objective=objective,
        attribute_weights=attribute_weights,
    )
    return solve(problem, method, time_limit, progress, work)


def solve(
    problem: WholeClasses,
    method: Method = "optimal",
    time_limit: float | None = None,
    progress: Progress | None = None,
    work: float | None = None,
) -> Generalization:
    """As :func:`generalize`, for a problem that is stated already.

    Parameters
    ----------
    problem : WholeClasses
        Table, hierarchies, guarantees, objective and limit.
    method : Method, default "optimal"
        How it is searched: one of the methods of :func:`generalize`.
    time_limit : float, optional
        Seconds after which the search is ended early, and the result marked so; no limit when left out.
    progress : Progress, optional
        Called with the share done (0 to 1) and the best so far; may raise to stop.
    work : float, optional
        How much to search, the same on every machine (:class:`anonlib.basics.budget.Budget`).

    Returns
    -------
    Generalization

    Raises
    ------
    InputError
        If no node was found to satisfy.
    """
    if time_limit is not None:
        checks.number(time_limit, "The time limit")
    run = SearchRun(Budget(WORK_OF_BLANKS if method == "blanks" and work is None else work, time_limit))
    _require_a_solution(problem, method)
    if method == "parts":
        return _parts(problem, run, progress)
    if method == "blanks":
        return _blanks(problem, run, progress)
    if method == "mondrian":
        run.progress = progress and (lambda share, *_: progress(share, None))
        return _local(problem, run)
    if progress is not None:
        run.progress = _with_results(problem, method, run, progress)
    outcome = _best(problem, run) if method == "optimal" else step_by_step(problem, method, run)
    if outcome.best is None:
        raise InputError(
            "Nothing that satisfies was found before the search was ended. Let it search on, or choose another method."
            if run.is_over
            else _no_solution(problem, method),
            code="nothing-satisfies",
        )
    return _whole(problem, method, outcome.best, outcome, run)


def parts_within(generalization: Generalization, problem: WholeClasses) -> Generalization | None:
    """What parts found where any number of records might be left out, as the answer to how many may be left out.

    The search for parts is the same for every limit, which only says whether they leave out too many.

    Parameters
    ----------
    generalization : Generalization
        By ``parts``, for a problem that differs from the other in its limit alone, with one of 1.
    problem : WholeClasses
        As for :func:`solve`.

    Returns
    -------
    Generalization, or None where they leave out more: of a small file another way to split may do.

    Raises
    ------
    InputError
        As :func:`solve`, before it searches.
    """
    _require_a_solution(problem, "parts")
    return generalization.within(problem) if generalization.left_out <= problem.suppression_limit else None


def _best(problem: WholeClasses, run: SearchRun) -> Outcome:
    """The node of the best objective; ties go to fewer left out, fewer steps, lower levels of the first columns."""

    def report(share: float, least_change: LeastChange | None = None) -> None:
        if least_change is not None and (run.best is None or least_change.best.node != run.best.node):
            run.best = problem.evaluate(least_change.best.node)
        if run.progress is not None:
            run.progress(share, run.best)

    searched = problem.changed()  # that counts the nodes of this search alone
    search_result = within(searched, run.budget, report)
    run.is_over, run.spending.ended_early = not search_result.finished, search_result.ended_early
    best = None if isinstance(search_result, NothingFound) else problem.evaluate(search_result.best.node)
    return Outcome(best, searched.n_settled, search_result.finished)


def _require_a_solution(problem: WholeClasses, method: str) -> None:
    """Raises InputError where the top does not satisfy and so nothing does, or where a method begins with it."""
    if not problem.n_records:
        raise InputError("There are no records to generalize.", code="no-records")
    if problem.n_records < problem.least:
        raise InputError(
            f"The file has {count(problem.n_records, 'records')}, fewer than k = {problem.least:,}: no generalization "
            "can make so many alike. Choose a smaller k.",
            code="k-above-records",
        )
    local = method in ("parts", "mondrian")
    if method != "blanks" and (problem.is_exact or local) and not problem.evaluate(problem.highest).satisfied:
        raise InputError(_no_solution(problem, method), code="nothing-satisfies")


def _no_solution(problem: WholeClasses, method: str) -> str:
    """Why nothing was found: at the top too many violate, which proves that nothing does only where that is exact."""
    top = problem.evaluate(problem.highest)
    fixed = [name for name in problem.shield if name not in problem.columns]
    first, last = "Even with every hierarchy at its last level", ""
    if not problem.is_exact and method in ("parts", "mondrian"):
        first, last = "Mixed coarseness begins with every hierarchy at its last level: there", "Finer levels may do. "
    elif not problem.is_exact:
        first = "No combination of levels was found to do. With every hierarchy at its last level"
        last = "Only what violates was left out: leaving out other records may do. "
    what = "are in classes that do not meet the criteria"
    if top.left_out > top.records:
        what = "would be left out until every class meets the criteria"
    return (
        f"{first}, {top.left_out:,} of {problem.n_records:,} records {what}, and {problem.suppression_limit:,} may "
        f"be left out. {last}"
        + (f"No hierarchy is given for: {', '.join(fixed)}. " if fixed else "")
        + "Let more records be left out, end each hierarchy with one label for everything, or ask for less."
    )


def _with_results(problem: WholeClasses, method: str, run: SearchRun, progress: Progress) -> Progress:
    """Tells the best so far as a result, made once each time it changes."""
    shown: dict[Node, Generalization] = {}

    def report(share: float, best: NodeEvaluation | None = None) -> None:
        if best is not None and best.node not in shown:
            shown.clear()
            shown[best.node] = _whole(problem, method, best, None, run)
        progress(share, shown.get(best.node) if best is not None else None)

    return report


def _whole(
    problem: WholeClasses, method: str, best: NodeEvaluation, outcome: Outcome | None, run: SearchRun
) -> Generalization:
    """The table generalized as a whole; ``outcome`` is None while the search is not over."""
    violating, _ = problem.violating_groups(best.node)
    kept = problem.kept(best.node, violating)
    cell_levels = np.broadcast_to(np.array(best.node, dtype=np.int16), (len(kept), len(best.node)))
    named = dict(zip(problem.columns, best.node, strict=True))
    violations = ViolatingGroups(best.groups, best.rows, best.records)
    tables, trace, is_best = (outcome.tables, outcome.trace, outcome.best_of_nodes) if outcome else (0, (), False)
    finished = outcome is not None and not run.is_over
    return Generalization(
        problem, method, named, cell_levels, kept, violations, tables, trace, is_best, finished, run.seconds,
        run.ended_early if outcome else True,  # what is shown meanwhile is what is left where it is stopped
    )  # fmt: skip


def _parts(problem: WholeClasses, run: SearchRun, progress: Progress | None) -> Generalization:
    """Parts, whatever time they take: a step finds the same ones again."""
    recoding = part_by_part(problem, progress=progress and (lambda share, *_: progress(share, None)))
    if recoding is None:
        raise InputError(_no_solution(problem, "parts"), code="nothing-satisfies")
    violations, n_parts = (
        ViolatingGroups(0, 0, 0),
        len(group(recoding.cell_levels, [level + 1 for level in problem.highest])[1]),
    )
    if not recoding.kept.all():
        top = problem.evaluate(problem.highest)
        violations = ViolatingGroups(top.groups, top.rows, top.records)
    return Generalization(
        problem, "parts", None, recoding.cell_levels, recoding.kept, violations, n_parts, (), False, True, run.seconds,
    )  # fmt: skip


def _blanks(problem: WholeClasses, run: SearchRun, progress: Progress | None) -> Generalization:
    """One level a column, and single cells blank."""
    searched, shown = problem.of_cells(), problem.of_cells(blank=True)
    generalizations: dict[Node, Generalization] = {}

    def report(share: float, best: CellSuppression | None = None) -> None:
        if best is not None and best.levels not in generalizations:
            generalizations.clear()
            generalizations[best.levels] = _of_blanks(shown, best, run)
        if progress is not None:
            progress(share, None if best is None else generalizations[best.levels])

    blanks = with_blanks(searched, run.budget, None if progress is None else report)
    if blanks is None:
        raise InputError(
            f"Even with every cell of these columns blank, too many of {problem.n_records:,} records violate the "
            f"criteria, and {problem.suppression_limit:,} may be left out. Let more records be left out, give every "
            "column a hierarchy, or ask for less.",
            code="nothing-satisfies",
        )
    run.spending.ended_early = blanks.ended_early
    return _of_blanks(shown, blanks, run)


def _of_blanks(problem: WholeClasses, best: CellSuppression, run: SearchRun) -> Generalization:
    """The result, for a problem whose highest level is a blank."""
    cell_levels = np.tile(np.array(best.levels, dtype=np.int16), (len(problem.counts), 1))
    for place, name in enumerate(best.cells.columns):
        j = problem.columns.index(name)
        cell_levels[best.cells.blank[:, place], j] = problem.highest[j]
    levels = dict(zip(problem.columns, best.levels, strict=True))
    violating, groups = problem.violating_groups(best.levels)
    n_violating = problem.records(violating) if best.cells.left_out else 0
    violations = ViolatingGroups(groups, int(violating.sum()), n_violating) if n_violating else ViolatingGroups(0, 0, 0)
    return Generalization(
        problem, "blanks", levels, cell_levels, best.cells.kept, violations, best.tables, (), False, best.finished,
        run.seconds, best.ended_early,
    )  # fmt: skip


def _local(problem: WholeClasses, run: SearchRun) -> Generalization:
    recoding = mondrian(problem, run)
    violations = ViolatingGroups(0, 0, 0)
    if not recoding.kept.all():
        top = problem.evaluate(problem.highest)
        violations = ViolatingGroups(top.groups, top.rows, top.records)
    return Generalization(
        problem, "mondrian", None, recoding.cell_levels, recoding.kept, violations, recoding.splits, (), False,
        recoding.finished, run.seconds, run.ended_early,
    )  # fmt: skip
