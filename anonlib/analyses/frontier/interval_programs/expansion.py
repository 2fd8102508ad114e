"""One attribute cut again, with the intervals of the others as they are: a shortest path over its cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.analyses.frontier.interval_programs.cells import ByPlace, CellTable
from anonlib.analyses.frontier.interval_programs.kernel import interval_sums, merge, shortest_paths, spread
from anonlib.analyses.frontier.measures import NOTHING

_MOST_SPREAD = 3_000_000  # numbers: people by place and group
_MOST_INTERVALS = 1_000_000
_MOST_WORK = 20_000_000  # groups and cells by interval: a tenth of a second
_A_CELL, _A_TERM, _A_PATH = 1.0, 0.5, 0.3  # work of a cell, of one in an interval, of an interval for a weight


@dataclass(frozen=True, eq=False)
class Found:
    """Policies (bool, policies x bits), their finished risk and loss, and the work it was to find them."""

    policies: np.ndarray
    risk: np.ndarray
    loss: np.ndarray
    work: float


@dataclass(frozen=True, eq=False)
class _Places:
    """What there is at each block of values and between two, in turn.

    Attributes
    ----------
    entry_start : np.ndarray
        int64, where the entries of each place begin in the scratch of the table.
    others : np.ndarray
        float64, places x groups, people of cells without records; empty where they are entries.
    n_groups : int
        Groups of the other attributes.
    """

    entry_start: np.ndarray
    others: np.ndarray
    n_groups: int


def expand(
    table: CellTable,
    policy: np.ndarray,
    j: int,
    weights: np.ndarray,
    cap: int | None = None,
    boundaries: np.ndarray | None = None,
) -> Found:
    """The policies of least weight x risk + loss among those that differ from ``policy`` in attribute j only.

    ``weights`` are of the risk, ascending; a policy that is best for several in a row is given once. ``boundaries``
    (bool, as the attribute's bits; by default all) are those that may be kept. Intervals of more than ``cap`` values
    are left out, unless they are ``policy``'s own or at an end of the domain; so are others where there would be too
    many. If the boundaries that ``policy`` keeps are among them, no weight's policy is worse for it than ``policy``.
    """
    space, bits = table.space, table.space.bits_of(policy, j)
    candidates = np.ones(len(bits), dtype=bool) if boundaries is None else boundaries
    edges = np.concatenate([[0], np.flatnonzero(candidates) + 1, [len(bits) + 1]])
    places = _places(table, table.by_place(j), policy, j, edges)
    reach = _reach(bits, edges, cap, places)
    offset, costs, tails = _costs(table, j, edges, reach, places)
    work = _A_CELL * len(table.places) + _A_TERM * _n_terms(reach, places) + _A_PATH * len(weights) * costs.shape[1]
    scaled = np.column_stack([weights * table.scales[0], np.full(len(weights), table.scales[1])])
    cut, sums = np.zeros((len(weights), len(reach)), dtype=np.uint8), np.zeros((len(weights), 2))
    shortest_paths(costs, tails, reach, offset, scaled, cut, sums)
    new = np.concatenate([[True], (cut[1:] != cut[:-1]).any(axis=1)])
    cut, sums = cut[new], sums[new]
    policies = np.repeat(policy[None], len(cut), axis=0)
    own = policies[:, space.starts[j] : space.starts[j + 1]]
    own[:] = False
    own[:, edges[1:-1] - 1] = cut[:, 1:]
    return Found(policies, *table.plane.finish(sums[:, 0], sums[:, 1] + table.interval_sum(policy, [j])), work)


def _n_terms(reach: np.ndarray, places: _Places) -> int:
    """How many groups and cells are looked at over all intervals."""
    first, n = 2 * np.arange(len(reach)), int((reach - np.arange(len(reach))).sum())
    entries = int((places.entry_start[2 * reach - 1] - places.entry_start[first]).sum())
    return entries + n * (1 + places.others.shape[1] * bool(len(places.others)))


def _places(table: CellTable, cells: ByPlace, policy: np.ndarray, j: int, edges: np.ndarray) -> _Places:
    group, n_groups = table.groups(cells.combinations, policy, [j])
    # The values of a block are at places 2 first to 2 last; 2 last + 1 is between it and the next.
    begin = np.concatenate([[0], np.repeat(2 * edges[1:-1], 2), [2 * edges[-1] - 1]])
    begin[1:-1:2] -= 1
    starts, ends = np.ascontiguousarray(cells.bounds[:, begin[:-1]]), np.ascontiguousarray(cells.bounds[:, begin[1:]])
    n_places = starts.shape[1]
    # Cells without records are many where the population is large: then they are quicker as a matrix.
    is_spread = bool((ends[1] > starts[1]).any()) and n_places * n_groups <= _MOST_SPREAD
    others = np.zeros((n_places if is_spread else 0, n_groups))
    spread(cells.rest, group, cells.people, starts[1], ends[1], others)
    parts = 1 if is_spread else 2
    stamp, at = np.full(n_groups, -1, dtype=np.int64), np.zeros(n_groups, dtype=np.int64)
    entry_start = np.empty(n_places + 1, dtype=np.int64)
    merge(
        cells.rest, group, cells.records, cells.people, starts[:parts], ends[:parts], stamp, at, table.entries,
        entry_start,
    )  # fmt: skip
    return _Places(entry_start, others, n_groups)


def _reach(bits: np.ndarray, edges: np.ndarray, cap: int | None, places: _Places) -> np.ndarray:
    """int64, per block the last edge at which an interval that begins with it may end."""
    n = len(edges) - 1
    if cap is None:
        return np.full(n, n)
    reach = np.searchsorted(edges, edges[:-1] + cap, side="right") - 1
    a_block = places.entry_start[-1] / n + places.others.shape[1] * bool(len(places.others))
    most = int(min(_MOST_INTERVALS, _MOST_WORK / max(a_block, 1.0)))
    if (reach - np.arange(n)).sum() > most:
        reach = np.minimum(reach, np.arange(n) + most // n)
    own = np.flatnonzero(np.concatenate([[True], bits, [True]])[edges])  # the edges of the policy's own intervals
    reach = np.maximum(reach, np.arange(n) + 1)
    reach[own[:-1]] = np.maximum(reach[own[:-1]], own[1:])
    reach[0] = n
    return reach


def _costs(
    table: CellTable, j: int, edges: np.ndarray, reach: np.ndarray, places: _Places
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where the intervals that begin with each block are; their sums of risk and of loss; and those up to the end."""
    n = len(reach)
    lengths = reach - np.arange(n)
    offset = np.cumsum(lengths) - lengths
    costs, tails = np.empty((2, int(lengths.sum()))), np.empty((2, n))
    # With people in a matrix, the whole sum of risk is taken from it.
    terms = np.array([NOTHING, table.terms[1]]) if len(places.others) else table.terms
    interval_sums(
        table.entries, places.entry_start, places.others, places.n_groups, terms, table.plane.k, table.xlogx, reach,
        offset, costs, tails,
    )  # fmt: skip
    if table.plane.loss.per_interval:
        first = np.repeat(np.arange(n), lengths)
        end = np.arange(len(first)) - offset[first] + first + 1
        costs[1] += table.plane.interval_costs(j, edges[first], edges[end])
        tails[1] += table.plane.interval_costs(j, edges[:-1], np.full(n, edges[-1]))
    return offset, costs, tails
