"""The compiled loops of the lower bound: what boxes cost at least."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.analyses.frontier.chain_loops import loss_term, risk_term
from anonlib.analyses.frontier.interval_loops import NOBODY
from anonlib.analyses.frontier.measures import PEOPLE
from anonlib.basics.machine_code import compiled


class BoundTable(NamedTuple):
    """What is counted: float64 unless stated otherwise. A box is an interval of the outer attribute, one of the inner,
    and one of each other attribute.

    Attributes
    ----------
    records, people, cells : np.ndarray
        Outer edges x inner edges x places of the rest; those before both edges.
    outer_first, outer_end : np.ndarray
        int64, per value of the outer attribute the edge where an interval that begins with it begins, and the one where
        an interval that ends with it ends.
    inner_first, inner_end : np.ndarray
        The same of the inner attribute.
    outer_width, inner_width : np.ndarray
        Per interval, what a record in it loses by the interval of that attribute.
    terms : np.ndarray
        int64, numbers of the terms of risk and of loss.
    k : int
        Of the risk that counts records in small groups.
    xlogx : np.ndarray
        n ln n.
    """

    records: np.ndarray
    people: np.ndarray
    cells: np.ndarray
    outer_first: np.ndarray
    outer_end: np.ndarray
    inner_first: np.ndarray
    inner_end: np.ndarray
    outer_width: np.ndarray
    inner_width: np.ndarray
    terms: np.ndarray
    k: int
    xlogx: np.ndarray


class AllowedIntervals(NamedTuple):
    """The intervals of the other attributes that a case allows.

    Attributes
    ----------
    coarse, fine : np.ndarray
        int64, per place of the rest its group under the coarsest and under the finest policy; -1 for none.
    coarse_width, fine_width : float64, per group what a record in it loses by its intervals.
    n_coarse, n_fine : int
        groups.
    members, member_start : np.ndarray
        int64, the places of each box, one box after the other, and where each begins.
    box_width : np.ndarray
        float64, per box what a record in it loses by its intervals; infinite where the case forbids the box.
    sizes : np.ndarray
        int64, values of each of the other attributes.
    exact : bool
        Whether boxes are few enough to find the least over all of them.
    """

    coarse: np.ndarray
    fine: np.ndarray
    fine_width: np.ndarray
    n_coarse: int
    n_fine: int
    members: np.ndarray
    member_start: np.ndarray
    box_width: np.ndarray
    sizes: np.ndarray
    exact: bool


@compiled
def row_start(first, n):
    """Where the intervals [first, first + 1), [first, first + 2), ... of an attribute of n values begin."""
    return first * n - first * (first - 1) // 2


@compiled
def crude_sums(table, rest, entries, starts, sums):
    """Fill ``sums`` (float64, 2 x outer intervals): the risk with all records and people of the interval as far
    together as the case allows, and the loss with nothing else put together than the outer values.

    ``entries`` are the inner value, the place of the rest (int64), the records and the cells of what has records; those
    of outer value x begin at ``starts[x]``.
    """
    n_outer, n_inner, n_places = len(table.outer_first), len(table.inner_first), table.records.shape[2]
    inner, place, records, cells = entries
    shape = n_inner, rest.n_fine
    n, c, loss_of = np.empty(shape), np.empty(shape), np.empty(shape)
    n_all, p_all = np.empty(rest.n_coarse), np.empty(rest.n_coarse)
    last = table.inner_end[n_inner - 1]
    for i in range(n_outer):
        n[:], c[:], loss_of[:] = 0.0, 0.0, 0.0
        loss, total = 0.0, 0.0
        lo = table.outer_first[i]
        for end in range(i + 1, n_outer + 1):
            for e in range(starts[end - 1], starts[end]):
                y, g = inner[e], rest.fine[place[e]]
                n[y, g] += records[e]
                c[y, g] += cells[e]
                total += records[e]
                loss += records[e] * (table.inner_width[row_start(y, n_inner)] + rest.fine_width[g]) - loss_of[y, g]
                loss_of[y, g] = loss_term(table.terms[1], n[y, g], c[y, g], table.xlogx)
                loss += loss_of[y, g]
            hi = table.outer_end[end - 1]
            n_all[:], p_all[:] = 0.0, 0.0
            for z in range(n_places):
                g = rest.coarse[z]
                if g >= 0:
                    n_all[g] += table.records[hi, last, z] - table.records[lo, last, z]
                    p_all[g] += table.people[hi, last, z] - table.people[lo, last, z]
            at = row_start(i, n_outer) + end - i - 1
            sums[0, at] = 0.0
            for g in range(rest.n_coarse):
                if n_all[g] > 0.0:
                    sums[0, at] += risk_term(table.terms[0], n_all[g], p_all[g], table.k)
            sums[1, at] = loss + total * table.outer_width[at]


@compiled
def look_into(table, rest, weights, i, end, costs, known):
    """Fill a row of the pool: of each box the risk with the rest as far together as the case allows, plus the loss with
    the rest as far apart."""
    n_inner = len(table.inner_first)
    row = np.zeros(len(costs))
    _add_risks(table, rest, weights[0], i, end, row)
    _add_losses(table, rest, weights[1], i, end, row)
    for at in range(n_inner * (n_inner + 1) // 2):
        costs[at] = not_above(row[at])
    known[:] = not rest.exact


@compiled
def _add_risks(table, rest, weight, i, end, row):
    n_inner, n_places = len(table.inner_first), table.records.shape[2]
    lo, hi = table.outer_first[i], table.outer_end[end - 1]
    n, p = np.zeros((2, rest.n_coarse, n_inner)), np.zeros((2, rest.n_coarse, n_inner))  # before and after each value
    for z in range(n_places):
        g = rest.coarse[z]
        if g < 0:
            continue
        for y in range(n_inner):
            e0, e1 = table.inner_first[y], table.inner_end[y]
            n[0, g, y] += table.records[hi, e0, z] - table.records[lo, e0, z]
            n[1, g, y] += table.records[hi, e1, z] - table.records[lo, e1, z]
            p[0, g, y] += table.people[hi, e0, z] - table.people[lo, e0, z]
            p[1, g, y] += table.people[hi, e1, z] - table.people[lo, e1, z]
    for a in range(n_inner):
        at = row_start(a, n_inner)
        part = row[at : at + n_inner - a]
        for g in range(rest.n_coarse):
            n0, p0 = n[0, g, a], p[0, g, a]
            records, people = n[1, g, a:], p[1, g, a:]
            if records[-1] <= n0:
                continue
            if table.terms[0] == PEOPLE:  # as below, without branches
                for b in range(len(part)):
                    part[b] += weight * np.divide(records[b] - n0, people[b] - p0 + NOBODY)
                continue
            for b in range(len(part)):
                if records[b] > n0:
                    part[b] += weight * risk_term(table.terms[0], records[b] - n0, people[b] - p0, table.k)


@compiled
def _add_losses(table, rest, weight, i, end, row):
    n_outer, n_inner, n_places = len(table.outer_first), len(table.inner_first), table.records.shape[2]
    lo, hi = table.outer_first[i], table.outer_end[end - 1]
    width = table.outer_width[row_start(i, n_outer) + end - i - 1]
    records, cells = np.zeros((n_inner, rest.n_fine)), np.zeros((n_inner, rest.n_fine))
    for y in range(n_inner):
        e0, e1 = table.inner_first[y], table.inner_end[y]
        for z in range(n_places):
            g = rest.fine[z]
            if g >= 0:
                records[y, g] += (
                    table.records[hi, e1, z] - table.records[lo, e1, z]
                    - table.records[hi, e0, z] + table.records[lo, e0, z]
                )  # fmt: skip
                cells[y, g] += (
                    table.cells[hi, e1, z] - table.cells[lo, e1, z] - table.cells[hi, e0, z] + table.cells[lo, e0, z]
                )
    groups = np.empty(n_inner * rest.n_fine, dtype=np.int64)  # with records, by value
    begin = np.zeros(n_inner + 1, dtype=np.int64)
    for y in range(n_inner):
        begin[y + 1] = begin[y]
        for g in range(rest.n_fine):
            if records[y, g] > 0.0:
                groups[begin[y + 1]] = g
                begin[y + 1] += 1
    n, c, loss_of = np.empty(rest.n_fine), np.empty(rest.n_fine), np.empty(rest.n_fine)
    for a in range(n_inner):
        n[:], c[:], loss_of[:] = 0.0, 0.0, 0.0
        loss, total = 0.0, 0.0
        at = row_start(a, n_inner)
        for b in range(a, n_inner):
            for e in range(begin[b], begin[b + 1]):
                g = groups[e]
                n[g] += records[b, g]
                c[g] += cells[b, g]
                total += records[b, g]
                loss += records[b, g] * rest.fine_width[g] - loss_of[g]
                loss_of[g] = loss_term(table.terms[1], n[g], c[g], table.xlogx)
                loss += loss_of[g]
            row[at] += weight * (loss + total * (width + table.inner_width[at]))
            at += 1


@compiled
def not_above(cost):
    """The cost as a float32 that is no greater."""
    rounded = np.float32(cost)
    return np.nextafter(rounded, np.float32(-np.inf)) if rounded > cost else rounded


@compiled
def box_cost(table, rest, weights, i, end, a, b):
    """What a box costs at least: over the intervals of the other attributes, each within those of the one before."""
    n_outer, n_inner, n_places = len(table.outer_first), len(table.inner_first), table.records.shape[2]
    lo, hi = table.outer_first[i], table.outer_end[end - 1]
    e0, e1 = table.inner_first[a], table.inner_end[b - 1]
    width = (
        table.outer_width[row_start(i, n_outer) + end - i - 1] + table.inner_width[row_start(a, n_inner) + b - a - 1]
    )
    counts = np.empty((3, n_places))
    total = 0.0
    for z in range(n_places):
        counts[0, z] = (
            table.records[hi, e1, z] - table.records[lo, e1, z] - table.records[hi, e0, z] + table.records[lo, e0, z]
        )
        total += counts[0, z]
    if total <= 0.0:
        return 0.0
    for z in range(n_places):
        counts[1, z] = (
            table.people[hi, e1, z] - table.people[lo, e1, z] - table.people[hi, e0, z] + table.people[lo, e0, z]
        )
        counts[2, z] = table.cells[hi, e1, z] - table.cells[lo, e1, z] - table.cells[hi, e0, z] + table.cells[lo, e0, z]
    n_boxes = len(rest.box_width)
    costs = np.empty(n_boxes)
    for box in range(n_boxes):
        costs[box] = rest.box_width[box]  # infinite where it is not allowed
        if costs[box] == np.inf:
            continue
        n, p, c = 0.0, 0.0, 0.0
        for m in range(rest.member_start[box], rest.member_start[box + 1]):
            z = rest.members[m]
            n += counts[0, z]
            p += counts[1, z]
            c += counts[2, z]
        costs[box] = 0.0
        if n > 0.0:
            costs[box] = weights[0] * risk_term(table.terms[0], n, p, table.k) + weights[1] * (
                loss_term(table.terms[1], n, c, table.xlogx) + n * (width + rest.box_width[box])
            )
    n_rows = n_boxes
    for j in range(len(rest.sizes) - 1, -1, -1):
        size = rest.sizes[j]
        n_each = size * (size + 1) // 2
        n_rows //= n_each
        least = np.empty(size + 1)
        for row in range(n_rows):
            least[0], least[1:] = 0.0, np.inf
            at = row * n_each
            for first in range(size):
                for last in range(first + 1, size + 1):
                    least[last] = min(least[last], least[first] + costs[at])
                    at += 1
            costs[row] = least[size]
    return costs[0]
