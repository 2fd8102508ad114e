"""The compiled loops of forecasts: people drawn without replacement, and how many of them are in small classes."""

from __future__ import annotations

import numpy as np

from anonlib.basics.machine_code import compiled, compiled_in_place


@compiled
def draw(rng, place_of_turn, begin, size, first_person, step, cells):
    """Draw people one by one, within the place whose turn it is, until ``cells`` is full.

    ``place_of_turn`` is int32, for each turn of a draw; ``begin`` and ``size`` are int64, for each place where its
    people begin in one long row of all people, and how many they are. ``first_person`` is int64, where each cell's
    people begin in that row, and its end; ``step`` is how many people one of the equal parts of the row has of which
    the first cell is looked up. ``cells`` is int32, draws x turns.
    """
    n_cells = len(first_person) - 1
    parts = int(first_person[n_cells] // step) + 1
    first_cell = np.zeros(parts, dtype=np.int64)
    cell = 0
    for part in range(parts):
        while cell < n_cells - 1 and first_person[cell + 1] <= part * step:
            cell += 1
        first_cell[part] = cell
    drawn = np.zeros(n_cells, dtype=np.int64)
    for i in range(cells.shape[0]):
        for turn in range(cells.shape[1]):
            place = place_of_turn[turn]
            while True:
                person = begin[place] + np.int64(rng.random() * size[place])
                cell = first_cell[person // step]
                while first_person[cell + 1] <= person:
                    cell += 1
                # Those drawn of a cell count as its first people: the others are as likely as each other.
                if person - first_person[cell] >= drawn[cell]:
                    break
            drawn[cell] += 1
            cells[i, turn] = cell
        for turn in range(cells.shape[1]):
            drawn[cells[i, turn]] = 0


@compiled_in_place
def count_below(cells, ends, group, inverse, k, size, below, risk):
    """How many of the first people of each draw are in classes of fewer than k of them, and their summed ``inverse``.

    ``ends`` is int64, draws x marks, ascending: after how many people it is counted. ``group`` is int32, a cell each,
    and ``inverse`` float64, a group each. ``size`` is int64, a group each, all 0 before and after. ``below`` and
    ``risk`` are draws x marks: int64 and float64.
    """
    for i in range(cells.shape[0]):
        small = 0
        total = 0.0
        turn = 0
        for mark in range(ends.shape[1]):
            while turn < ends[i, mark]:
                g = group[cells[i, turn]]
                n = size[g] + 1
                size[g] = n
                if n < k:
                    small += 1
                elif n == k:
                    small -= k - 1
                total += inverse[g]
                turn += 1
            below[i, mark] = small
            risk[i, mark] = total
        for t in range(turn):
            size[group[cells[i, t]]] = 0


@compiled_in_place
def count_kept(cells, group, k, most, size, kept):
    """In how many draws the share of the first people in classes below k is at most ``most``, for each number of them.

    ``kept`` is int64, of length turns + 1: at n, after n people. The others are as in :func:`count_below`.
    """
    for i in range(cells.shape[0]):
        small = 0
        for turn in range(cells.shape[1]):
            g = group[cells[i, turn]]
            n = size[g] + 1
            size[g] = n
            if n < k:
                small += 1
            elif n == k:
                small -= k - 1
            if small / (turn + 1) <= most:
                kept[turn + 1] += 1
        for turn in range(cells.shape[1]):
            size[group[cells[i, turn]]] = 0
