"""First answers by the way in which a file is protected, as most tests of proposals ask for them."""

from __future__ import annotations

from functools import partial

from anonlib.verdict.criteria import BLANK_CELLS, PARTS, WHOLE_COLUMNS
from anonlib.verdict.proposals import first_answer

part_by_part = partial(first_answer, PARTS)
blank_cells = partial(first_answer, BLANK_CELLS)
whole_columns = partial(first_answer, WHOLE_COLUMNS)
