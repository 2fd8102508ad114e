"""Balanced density: one site in each of many cells of about the same population (Croft et al. 2015, section 3.2.1)."""

from __future__ import annotations

import math

import numpy as np

from anonlib.analyses.regions.measures import middles
from anonlib.basics.errors import InputError


def balanced_density_sites(points: np.ndarray, population: np.ndarray, n_sites: int) -> np.ndarray:
    """Sites spread as the people are: rows of areas from south to north, cut into cells from west to east.

    Depends on no record.

    Parameters
    ----------
    points : np.ndarray
        float, areas x 2, in metric units.
    population : np.ndarray
        The people of each area, 0 or more.
    n_sites : int
        From 1 to the number of areas.

    Returns
    -------
    float array, ``n_sites`` x 2
        The coordinate-wise median of each cell's points.

    Raises
    ------
    InputError
        For another number of sites, or if nobody lives in the areas.

    References
    ----------
    Croft et al. 2015, section 3.2.1, Equations 7 to 13.

    Examples
    --------
    Four areas of one person each, in a square: two rows of two cells, and each area is a site.

    >>> corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> balanced_density_sites(corners, np.ones(4), 4).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    cells = balanced_cells(points, population, n_sites)
    cell_of_area = np.empty(len(points), dtype=np.intp)
    cell_of_area[np.concatenate(cells)] = np.repeat(np.arange(n_sites), [len(cell) for cell in cells])
    return middles(points, cell_of_area, n_sites)


def balanced_cells(points: np.ndarray, population: np.ndarray, n_sites: int) -> list[np.ndarray]:
    """The areas of each cell of balanced density.

    Parameters
    ----------
    points : np.ndarray
        float, areas x 2, in metric units.
    population : np.ndarray
        The people of each area, 0 or more.
    n_sites : int
        How many cells, from 1 to the number of areas.

    Returns
    -------
    list of intp arrays
        Positions of areas; every area is in one cell, and there are as many cells as asked for.
    """
    if not 1 <= n_sites <= len(points):
        raise InputError(
            f"The number of regions must be from 1 to the number of areas ({len(points):,}); {n_sites:,} are asked "
            "for.",
            code="number-out-of-range",
        )
    if not population.sum():
        raise InputError(
            "Nobody lives in the areas: their populations add up to 0. Check the column of populations.",
            code="weights-all-zero",
        )
    rows = _rows(points, population, n_sites)
    cells: list[np.ndarray] = []
    for row, n_cells in zip(rows, _cells_of_rows(rows, population, n_sites), strict=True):
        eastward = row[np.lexsort((points[row, 1], points[row, 0]))]
        cells += _cells(eastward, population[eastward], n_cells)
    return cells


def _rows(points: np.ndarray, population: np.ndarray, n_sites: int) -> list[np.ndarray]:
    """Areas from south to north, in rows of about the ideal population (Equations 7 to 9)."""
    northward = np.lexsort((points[:, 0], points[:, 1]))
    people = population[northward]
    ideal = _half_up(int(people.sum()) / _half_up(math.sqrt(n_sites)))
    ends = _walk(people, max(ideal, 1))
    if len(ends) > 1 and 2 * people[ends[-2] :].sum() < ideal:
        del ends[-2]  # too few are left to fill another row: they join the last
    rows = np.split(northward, ends[:-1])
    while len(rows) > n_sites:  # where a few areas hold nearly everyone
        rows[-2:] = [np.concatenate(rows[-2:])]
    return rows


def _walk(people: np.ndarray, ideal: float, most: int | None = None) -> list[int]:
    """Where each group of about the ideal population ends; at most ``most`` groups, the last with all that is left.

    The area that crosses the ideal is in the group when that is at least as close (Equation 9).
    """
    up_to = np.append(0, np.cumsum(people))
    n, start = len(people), 0
    ends: list[int] = []
    while start < n and (most is None or len(ends) < most - 1):
        crossing = max(int(np.searchsorted(up_to, up_to[start] + ideal)), start + 1)  # areas up to the one that crosses
        if crossing > n:
            break
        over, under = up_to[crossing] - up_to[start] - ideal, ideal - (up_to[crossing - 1] - up_to[start])
        start = crossing if over <= under else max(crossing - 1, start + 1)
        ends.append(start)
    if start < n:
        ends.append(n)
    return ends


def _cells_of_rows(rows: list[np.ndarray], population: np.ndarray, n_sites: int) -> list[int]:
    """How many cells each row has (Equations 10 and 11), repaired by largest remainder until they add up.

    A row has at least one cell and at most as many as areas; without people it has no share.
    """
    people = np.array([population[row].sum() for row in rows], dtype=float)
    most = np.array([len(row) for row in rows])
    wanted = people / people.sum() * n_sites
    cells = np.clip(np.floor(wanted + 0.5), 1, most).astype(int)
    while (over := int(cells.sum()) - n_sites) != 0:
        owed = (wanted - cells) * (1 if over < 0 else -1)
        owed[cells == (most if over < 0 else 1)] = -np.inf
        cells[int(np.argmax(owed))] += 1 if over < 0 else -1
    return cells.tolist()


def _cells(areas: np.ndarray, people: np.ndarray, n_cells: int) -> list[np.ndarray]:
    """A row cut from west to east; where too few people are left, the largest cells are halved."""
    cells = list(np.split(np.arange(len(areas)), _walk(people, people.sum() / n_cells, n_cells)[:-1]))
    while len(cells) < n_cells:
        largest = max(range(len(cells)), key=lambda i: (len(cells[i]) > 1, people[cells[i]].sum(), len(cells[i]), -i))
        cells[largest : largest + 1] = _halves(cells[largest], people)
    return [areas[cell] for cell in cells]


def _halves(cell: np.ndarray, people: np.ndarray) -> list[np.ndarray]:
    """A cell of two areas or more in two that are as alike in people as can be."""
    up_to = np.cumsum(people[cell])
    cut = int(np.argmin(np.abs(2 * up_to[:-1] - up_to[-1]))) + 1
    return [cell[:cut], cell[cut:]]


def _half_up(x: float) -> int:
    return math.floor(x + 0.5)
