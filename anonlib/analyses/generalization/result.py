"""What a search for a generalization found, and what it keeps of the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.analyses.generalization.search.objectives import Objective
from anonlib.analyses.generalization.step_by_step import TracedTable
from anonlib.analyses.generalization.whole_classes import ClassModel, WholeClasses
from anonlib.counting.classes import ClassTable
from anonlib.counting.guarantees import KAnonymity


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
    best_of_states : bool
        No other state keeps more by the objective, each without what violates there. False where the method does not
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
    best_of_states: bool
    finished: bool
    seconds: float
    ended_early: bool = False

    @property
    def proven(self) -> bool:
        """Nothing better exists by the objective: no other state, whatever else is left out there."""
        return self.best_of_states and self.problem.is_exact

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
        return tuple(int(self.classes.project(asked.columns).counts.min()) for asked in self.shared)

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
        kept = self.utility
        return {
            "rows": float(kept.rows),
            "classes": float(kept.classes),
            "cell_loss": -kept.cell_loss,
            "entropy": -kept.entropy_loss,
            "discernibility": -float(kept.discernibility),
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
