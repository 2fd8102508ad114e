"""Fake records that fill small groups, so that enough records share each class without generalizing further.

First what hierarchies make of a table's groups, level by level, also where the table has been generalized already: a
group's nearest ancestor with enough records is where its fakes' other values come from. Then the fakes themselves.
Somebody who can recognise a fake record sees the small groups again. So fakes look like records of people near the
group, the seed they are drawn from is secret, and what is reached without them is always shown beside what is reached
with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.analyses.generalization.search.lattice import Node
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import count, percent, share
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import checked_names, tally
from anonlib.counting.privacy_models import KAnonymity
from anonlib.reading.records.names import unused_name

# ---- ancestors ----


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

    def at(self, node: Node) -> tuple[np.ndarray, np.ndarray]:
        """Per group the number of its ancestor at a node, and per number its records."""
        columns = [
            rungs.group[level][self.groups.codes[:, j]]
            for j, (rungs, level) in enumerate(zip(self.rungs, node, strict=True))
        ]
        return tally(columns, [rungs.span for rungs in self.rungs], self.groups.counts)

    def nearest(self, small: np.ndarray, k: int, progress: Progress | None = None) -> np.ndarray:
        """Per small group the levels of its nearest ancestor of at least k records; -1 where there is none."""
        ancestors = np.full((len(small), len(self.rungs)), -1, dtype=np.intp)
        own = np.column_stack([rungs.own[self.groups.codes[small, j]] for j, rungs in enumerate(self.rungs)])
        heights = tuple(len(rungs.group) - 1 for rungs in self.rungs)
        ids, sizes = self.at(heights)
        waiting = np.flatnonzero(sizes[ids[small]] >= k)  # the others have none, since ancestors only grow
        n = len(waiting)
        for node in _by_sum(heights):
            if not len(waiting):
                break
            if progress is not None:
                progress(1 - len(waiting) / n)
            reached = waiting[(own[waiting] <= node).all(axis=1)]  # a group has no ancestor below its own levels
            if len(reached):
                ids, sizes = self.at(node)
                reached = reached[sizes[ids[small[reached]]] >= k]
                ancestors[reached] = node
                waiting = waiting[ancestors[waiting, 0] < 0]
        return ancestors


def _by_sum(heights: Node) -> Iterator[Node]:
    """All nodes, by the sum of their levels, then lower levels of the first attributes first."""

    def with_sum(total: int, heights: Node) -> Iterator[Node]:
        if not heights:
            yield ()
            return
        first, rest = heights[0], heights[1:]
        for level in range(max(0, total - sum(rest)), min(first, total) + 1):
            yield from ((level, *others) for others in with_sum(total - level, rest))

    for total in range(sum(heights) + 1):
        yield from with_sum(total, heights)


# ---- fake records ----


@dataclass(frozen=True, eq=False)
class Injection:
    """Real records and the fakes that fill their small groups up to k.

    Attributes
    ----------
    guarantee : KAnonymity
        What holds with the fakes.
    real : ClassTable
        The class table of the real records.
    codes : np.ndarray
        int32, fakes x attributes: the value of each fake, a position in ``real.categories``.
    groups : int
        Number of groups that were filled.
    k_without, k_with : int
        The fewest records that share the guarantee's columns, without the fakes (which is what holds against somebody
        who recognises them) and with them.
    ledger : pd.DataFrame
        What is fake. One row a filled group, in the order of the fakes: its values of the guarantee's columns;
        ``records``, the real ones in it; ``fakes``; ``donor_records``, the real ones in the group that the other values
        come from; and ``level of <attribute>``, the levels of that group, an attribute with a hierarchy. Who has it can
        undo the protection: keep it apart from what is released.
    """

    guarantee: KAnonymity
    k_without: int
    k_with: int
    real: ClassTable = field(repr=False)
    codes: np.ndarray = field(repr=False)
    ledger: pd.DataFrame = field(repr=False)

    @property
    def n_real(self) -> int:
        """Real records."""
        return self.real.n_records

    @property
    def n_fake(self) -> int:
        """Fake records."""
        return len(self.codes)

    @property
    def groups(self) -> int:
        """Groups that fakes were added to."""
        return len(self.ledger)

    @property
    def share(self) -> float:
        """Fakes as a share of all records, real and fake, in [0, 1)."""
        return self.n_fake / (self.n_real + self.n_fake)

    def to_frame(self) -> pd.DataFrame:
        """One row a fake record, with all attributes (categoricals; missing values are missing), in the ledger's order.

        Put them among the real records at random: at the end of a file they would be known for what they are. One
        stands for one person where records have weights.
        """
        return _frame(self.real, self.codes)

    @cached_property
    def fakes(self) -> ClassTable:
        """The class table of the fake records alone."""
        return ClassTable.from_frame(self.to_frame())

    @cached_property
    def classes(self) -> ClassTable:
        """The class table of real and fake records together."""
        return _together(self.real, self.codes)


def inject(
    classes: ClassTable,
    hierarchies: Mapping[str, Hierarchy],
    guarantee: KAnonymity,
    *,
    seed: int,
    budget: float = 0.05,
    original: ClassTable | None = None,
    progress: Progress | None = None,
) -> Injection:
    """Add as few fake records as make every group of a guarantee <S, k> at least k: k - count for each smaller one.

    A fake has its group's values of S. Its other values are those of a donor: a real record drawn at random, each as
    likely as any other (by weight, with replacement), from the nearest ancestor of the group. The ancestors are what
    the hierarchies make of the group as they go up level by level, each attribute for itself; nearest is the one with
    the smallest sum of levels that has at least k real records, and of several the one with lower levels of the first
    attributes. Arca and Hewett 2021 propose fakes and leave open how they are made.

    Parameters
    ----------
    classes : ClassTable
        All attributes that a record is released with.
    hierarchies : Mapping[str, Hierarchy]
        By attribute of S.
    guarantee : KAnonymity
        The columns S, and the least k that share them: for everybody, against who knows all of S.
    seed : int
        A whole number, 0 or more, that is kept as secret as the ledger: ``secrets.randbits(128)`` makes one. The same
        seed gives the same fakes.
    budget : float, default 0.05
        The largest share of fakes among all records, real and fake, in [0, 1].
    original : ClassTable, optional
        For a table that is generalized already, the table it was made from: the values that the hierarchies are of. A
        label is then on the lowest level that has it.
    progress : Progress, optional
        Called with the share of the groups whose ancestor is found (0 to 1); may raise to stop.

    Returns
    -------
    Injection

    Raises
    ------
    InputError
        For more fakes than the budget allows, for a group without an ancestor of k records, for labels that are not in
        the hierarchies, and for parameters that are not possible.
    """
    _check(classes, guarantee)
    seed = checks.whole(seed, "The seed", 0)
    if not 0 <= checks.number(budget, "The budget") <= 1:
        raise InputError(
            "The budget is the share of fake records: choose one between 0 and 1.", code="number-out-of-range"
        )
    shield = [name for name in classes.attributes if name in guarantee.columns]
    groups = classes.project(shield)
    small = np.flatnonzero(groups.counts < guarantee.least)
    missing = guarantee.least - groups.counts[small]
    _refuse_above(budget, int(missing.sum()), classes.n_records, guarantee.least)
    ancestors = Ancestors.of(groups, hierarchies, classes if original is None else original)
    nodes = ancestors.nearest(small, guarantee.least, progress)
    laddered = [name in hierarchies for name in shield]
    if (nodes < 0).any():
        raise InputError(
            _without_ancestor(int((nodes[:, :1] < 0).sum()), guarantee.least, shield, laddered),
            code="labels-on-no-level",
        )
    donors, donor_records = _draw(
        ancestors, small, nodes, missing, classes.membership(shield), classes.counts, np.random.default_rng(seed)
    )
    codes = classes.codes[donors]
    codes[:, [classes.attributes.index(name) for name in shield]] = np.repeat(groups.codes[small], missing, axis=0)
    k_with = int(_together(classes, codes).project(shield).counts.min())
    ledger = _ledger(groups, small, missing, donor_records, nodes[:, laddered], np.array(shield)[laddered].tolist())
    return Injection(guarantee, int(groups.counts.min()), k_with, classes, codes, ledger)


def _check(classes: ClassTable, guarantee: KAnonymity) -> None:
    if not isinstance(guarantee, KAnonymity) or guarantee.share or guarantee.known is not None:
        raise InputError(
            "Fake records are made for one criterion: its columns, and how many records share them.",
            code="guarantee-not-possible",
        )
    checked_names(classes.attributes, guarantee.columns)
    if not classes.n_records:
        raise InputError("There are no records to add fake ones to.", code="no-records")


def _refuse_above(budget: float, needed: int, n_records: int, k: int) -> None:
    if needed / (n_records + needed) <= budget:
        return
    allowed = min(int(budget * n_records / (1 - budget)), needed - 1)
    raise InputError(
        f"{count(needed, 'fake records')} would be needed to reach k = {k:,}: {share(needed, n_records + needed)}. The "
        f"budget of {percent(budget)} allows {allowed:,}. Allow more fake records, generalize further first, or leave "
        "out the records in small classes instead.",
        code="budget-too-small",
    )


def _without_ancestor(n: int, k: int, shield: list[str], laddered: list[bool]) -> str:
    fixed = [name for name, has_one in zip(shield, laddered, strict=True) if not has_one]
    return (
        f"{count(n, 'classes')} cannot be filled: with every hierarchy at its last level there are still fewer than k "
        f"= {k:,} records to take the other values from. "
        + (f"No hierarchy is given for: {', '.join(fixed)}. " if fixed else "")
        + "End each hierarchy with one label for everything, or choose a smaller k."
    )


def _draw(
    ancestors: Ancestors,
    small: np.ndarray,
    nodes: np.ndarray,
    missing: np.ndarray,
    group_of_class: np.ndarray,
    counts: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Per fake the class of its donor, and per small group the real records that its donors are drawn from."""
    donors = np.zeros(int(missing.sum()), dtype=np.intp)
    records = np.zeros(len(small), dtype=np.int64)
    fake_of = np.repeat(np.arange(len(small)), missing)
    for node in sorted(set(map(tuple, nodes.tolist()))):
        at_node = (nodes == node).all(axis=1)
        ids, sizes = ancestors.at(node)
        wanted = np.zeros(len(sizes), dtype=bool)
        wanted[ids[small[at_node]]] = True
        of_class = ids[group_of_class]
        members = np.flatnonzero(wanted[of_class])
        members = members[np.argsort(of_class[members], kind="stable")]
        # Records of the wanted ancestors stand in one row: each ancestor's are those before its end.
        ends = np.cumsum(counts[members])
        records[at_node] = sizes[ids[small[at_node]]]
        end_of = np.cumsum(np.where(wanted, sizes, 0))
        filled = np.flatnonzero(at_node[fake_of])
        end = end_of[ids[small[fake_of[filled]]]]
        drawn = rng.integers(end - records[fake_of[filled]], end)
        donors[filled] = members[np.searchsorted(ends, drawn, side="right")]
    return donors, records


def _ledger(
    groups: ClassTable,
    small: np.ndarray,
    missing: np.ndarray,
    donor_records: np.ndarray,
    levels: np.ndarray,
    laddered: list[str],
) -> pd.DataFrame:
    columns: dict[str, np.ndarray] = {name: groups.column(name)[small] for name in groups.attributes}
    facts = {"records": groups.counts[small], "fakes": missing, "donor_records": donor_records}
    facts |= {f"level of {name}": levels[:, j] for j, name in enumerate(laddered)}
    for name, values in facts.items():
        columns[unused_name(name, columns)] = values
    return pd.DataFrame(columns)


def _frame(classes: ClassTable, codes: np.ndarray) -> pd.DataFrame:
    """Rows of codes as categoricals, their values in the table's order."""
    columns = {}
    for j, name in enumerate(classes.attributes):
        present = np.array([value is not None for value in classes.categories[j]], dtype=bool)
        code = np.append(np.where(present, np.cumsum(present) - 1, -1), -1)[codes[:, j]]
        columns[name] = pd.Categorical.from_codes(code, pd.Index(classes.categories[j][present], dtype=object))
    return pd.DataFrame(columns, index=range(len(codes)))


def _together(real: ClassTable, codes: np.ndarray) -> ClassTable:
    frame = _frame(real, np.vstack([real.codes, codes]))
    weights = unused_name("count", real.attributes)
    frame[weights] = np.append(real.counts, np.ones(len(codes), dtype=np.int64))
    return replace(ClassTable.from_frame(frame, real.attributes, weights), class_of_record=None)
