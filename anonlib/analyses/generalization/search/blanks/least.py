"""The least blanks of a table of a few rows: every way to put its rows into parts is weighed.

Where all columns that may be known are known, rows with the same labels are such a part; so nothing loses less, of all
blanks that are the same in equal rows and leave nobody out.
"""

from __future__ import annotations

import numpy as np

from anonlib.analyses.generalization.search.blanks.kernel import cheapest_parts
from anonlib.analyses.generalization.search.parts.parts import LocalRecoding, TopDownSearch, counted_again
from anonlib.analyses.generalization.search.parts.splits import RULES
from anonlib.analyses.generalization.search.problem import Problem

MOST_ROWS = 12
"""Rows up to which every way is weighed."""


def least_blanks(problem: Problem) -> LocalRecoding | None:
    """The level of each cell, 0 or 1 (blank), counted again by labels; None where too many would have to go."""
    search = TopDownSearch(problem, RULES[0], 1)
    runs, left_out = search.whole()
    if left_out is None:
        return None
    n_rows, columns = len(problem.counts), search.coarsened
    cell_levels = np.zeros((n_rows, len(problem.columns)), dtype=np.int16)
    label = np.zeros((len(columns), n_rows), dtype=np.intp)
    lost, lost_blank = np.zeros((2, len(columns), n_rows))
    for place, j in enumerate(columns):
        codes = problem.rows.codes_at(problem.columns[j], 0)
        is_missing = np.array([value is None for value in problem.rows.labels_at(problem.columns[j], 0)], dtype=bool)
        label[place], lost[place] = codes, problem.losses.of_values(j, 0)[codes]
        lost_blank[place] = np.where(is_missing[codes], lost[place], problem.losses.of_values(j, 1)[codes])
    held = np.zeros(max([1, *search.asked.span.tolist()]), dtype=np.int64)
    for first, last in runs:
        rows = search.order[first:last].copy()
        part = cheapest_parts(label, lost, lost_blank, problem.counts, search.asked, rows, held)
        for number in range(int(part.max(initial=-1)) + 1):
            members = rows[part == number]
            for place, j in enumerate(columns):
                if (label[place, members] != label[place, members[0]]).any():
                    cell_levels[members, j] = 1
    return counted_again(problem, cell_levels, ~search.gone)
