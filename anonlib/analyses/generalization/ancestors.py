"""What hierarchies make of a table's groups, level by level, also where the table has been generalized already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.generalization.search.rows import Node
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import count
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import checked_names, tally


@dataclass(frozen=True, eq=False)
class Rungs:
    """What each value of an attribute in the table becomes.

    ``own`` is per value the level it is on; ``group`` per level and value, a number that values share when they are one
    on that level (a value of a higher level is one with nothing yet), below ``span``.
    """

    own: np.ndarray
    group: list[np.ndarray]
    span: int

    @classmethod
    def of(cls, name: str, values: np.ndarray, hierarchy: Hierarchy | None, original: np.ndarray) -> Rungs:
        levels = (hierarchy or Hierarchy()).on(original if hierarchy else values, name)
        level_of: dict[str | None, int] = {}
        place: dict[str | None, int] = {}
        for level, labels in enumerate(levels.labels):
            for label, leaf in zip(labels, _first(levels.group[level], len(labels)), strict=True):
                level_of.setdefault(label, level)
                place.setdefault(label, int(leaf))
        strange = [value for value in values if value not in level_of]
        if strange:
            raise InputError(
                f"{count(len(strange), 'labels')} of “{name}” are on no level of its hierarchy. Give the table that "
                "this one was generalized from, and the same hierarchies.",
                code="labels-on-no-level",
                column=name,
            )
        own = np.array([level_of[value] for value in values], dtype=np.intp)
        leaf = np.array([place[value] for value in values], dtype=np.intp)
        alone = levels.n_values + np.arange(len(values))
        group = [np.where(own <= level, ids[leaf], alone) for level, ids in enumerate(levels.group)]
        return cls(own, group, levels.n_values + len(values))


def _first(group: np.ndarray, n: int) -> np.ndarray:
    """Per group the first value in it."""
    first = np.zeros(n, dtype=np.intp)
    first[group[::-1]] = np.arange(len(group))[::-1]
    return first


@dataclass(frozen=True, eq=False)
class Ancestors:
    """The groups of the shield attributes, and what the levels make of them."""

    groups: ClassTable
    rungs: list[Rungs]

    @classmethod
    def of(cls, groups: ClassTable, hierarchies: Mapping[str, Hierarchy], original: ClassTable) -> Ancestors:
        """``original`` has the values of level 0. Raises InputError for a label that no level has."""
        rungs = []
        for name, values in zip(groups.attributes, groups.categories, strict=True):
            checked_names(original.attributes, [name])
            leaves = original.categories[original.attributes.index(name)]
            rungs.append(Rungs.of(name, values, hierarchies.get(name), leaves))
        return cls(groups, rungs)

    def at(self, state: Node) -> tuple[np.ndarray, np.ndarray]:
        """Per group the number of its ancestor at a state, and per number its records."""
        columns = [
            rungs.group[level][self.groups.codes[:, j]]
            for j, (rungs, level) in enumerate(zip(self.rungs, state, strict=True))
        ]
        return tally(columns, [rungs.span for rungs in self.rungs], self.groups.counts)

    def nearest(self, small: np.ndarray, k: int, progress: Progress | None = None) -> np.ndarray:
        """Per small group the levels of its nearest ancestor of at least k records; -1 where there is none."""
        found = np.full((len(small), len(self.rungs)), -1, dtype=np.intp)
        own = np.column_stack([rungs.own[self.groups.codes[small, j]] for j, rungs in enumerate(self.rungs)])
        heights = tuple(len(rungs.group) - 1 for rungs in self.rungs)
        ids, sizes = self.at(heights)
        waiting = np.flatnonzero(sizes[ids[small]] >= k)  # the others have none, since ancestors only grow
        n = len(waiting)
        for state in _by_sum(heights):
            if not len(waiting):
                break
            if progress is not None:
                progress(1 - len(waiting) / n)
            reached = waiting[(own[waiting] <= state).all(axis=1)]  # a group has no ancestor below its own levels
            if len(reached):
                ids, sizes = self.at(state)
                reached = reached[sizes[ids[small[reached]]] >= k]
                found[reached] = state
                waiting = waiting[found[waiting, 0] < 0]
        return found


def _by_sum(heights: Node) -> Iterator[Node]:
    """All states, by the sum of their levels, then lower levels of the first attributes first."""

    def with_sum(total: int, heights: Node) -> Iterator[Node]:
        if not heights:
            yield ()
            return
        first, rest = heights[0], heights[1:]
        for level in range(max(0, total - sum(rest)), min(first, total) + 1):
            yield from ((level, *others) for others in with_sum(total - level, rest))

    for total in range(sum(heights) + 1):
        yield from with_sum(total, heights)
