"""Where the table is in rows of text: lines above it, its header, notes and totals below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed, of_number, singular
from anonlib.reading.sources.headers import Below, Row, are_groups, left_out, names_in_groups, rows_below_names
from anonlib.reading.sources.reading import LeftOut
from anonlib.values.cells import to_numbers
from anonlib.values.dates import to_dates

NO_RECORDS = "The file holds column names and no records. Export it again with its records."
BLANK = "The file is empty: it holds only blanks. Export it again."
NO_TABLE = "There is no table in the file: its lines hold only delimiters and blanks. Export it again."
SKIPPED_ALL = "There is no table below the lines that are skipped. Skip fewer lines."
ONLY_BLANKS = "The table holds only blanks below its column names. Export it again with its records."


@dataclass(frozen=True)
class TextLayout:
    """A table's place: lines above it, whether it begins with names, the cells with the names, cells a row,
    the line in which the first record begins, and the rows above and below its names that are left out.
    """

    skip_rows: int
    header: bool
    names: list[str]
    width: int
    first_record: int
    notes: list[str]
    above: tuple[LeftOut, ...] = ()
    below_names: tuple[LeftOut, ...] = ()


def modal_width(rows: Sequence[Row]) -> int:
    """The number of cells most rows have; 1 only when no row has more."""
    widths = Counter(len(row.cells) for row in rows if len(row.cells) > 1)
    singles = sum(1 for row in rows if len(row.cells) == 1)
    if not widths:
        return 1
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    return width if count * 2 >= singles else 1


def find_layout(
    rows: Sequence[Row], header: bool | None, skip_rows: int | None, units: str = "lines", *, keep_lines: bool = False
) -> TextLayout:
    """Where the table begins in the first rows of a file, and whether it begins with names.

    A table begins at the first row as wide as most; titles above it have fewer filled cells, comments begin with ``#``.
    Units, types and questions below the names are no records, unless lines are to be kept.

    Raises
    ------
    InputError
        When there is no table, or when names and records do not have the same number of cells.
    """
    every_row = rows
    if skip_rows is not None:
        rows = [row for row in rows if row.line > skip_rows]
    blank_rows = any(row.cells and not row.filled for row in rows)
    rows = [row for row in rows if row.filled]
    if not rows:
        raise InputError(SKIPPED_ALL if skip_rows else NO_TABLE, code="file-without-table")
    width = modal_width(rows)
    first = 0 if skip_rows is not None else _first_row(rows, width)
    skipped = rows[first].line - 1 if skip_rows is None else skip_rows
    body = [row.cells for row in rows[first + 1 :] if len(row.cells) == width]
    head = rows[first].cells
    if len(head) > width and not any(cell.strip() for cell in head[width:]):
        head = head[:width]
    notes = []
    detected = header is None
    if header is None:
        header = not looks_like_record(head, body)
    if not header and skip_rows is None and first > 0:
        first = _without_titles(rows, first, width)
        skipped = rows[first].line - 1
    if skip_rows is None and first > 0:
        notes.append(_skipped_sentence([row.line for row in rows[:first]], units))
    if detected and not header:
        notes.append(
            f"The first {singular(units)} of the table looks like a record, not like column names, so it was kept as a "
            "record and the columns are named by their position."
        )
    groups: list[str] | None = None
    if header and skip_rows is None and are_groups(head, rows[first + 1 :], width):
        groups, first = head, first + 1
        skipped, head = rows[first].line - 1, rows[first].cells
        notes.append(
            f"{singular(units).capitalize()} {rows[first - 1].line:,} names groups of columns; the names of the "
            f"columns are in {singular(units)} {rows[first].line:,}, with that of the group where several are alike."
        )
    if header and len(rows) == first + 1:
        raise InputError(ONLY_BLANKS if blank_rows else NO_RECORDS, code="file-without-records")
    if header and len(head) != width:
        head = _same_width(head, body, width, rows[first].line, units)
    if groups is not None:
        head = names_in_groups(groups, head)
    below = Below() if not header or keep_lines else rows_below_names(head, rows[first + 1 :], width)
    notes += below.notes(units)
    last = below.rows[-1] if below.rows else rows[first]
    first_record = max(last.last_line, last.line) + 1 if header else skipped + 1
    above = tuple(left_out(row, "above the table") for row in every_row if row.filled and row.line <= skipped)
    return TextLayout(skipped, header, head if header else [], width, first_record, notes, above, below.left_out)


def _without_titles(rows: Sequence[Row], first: int, width: int) -> int:
    """The first record of a table without names: rows of its width directly above are records too, with blanks."""
    while first > 0 and len(rows[first - 1].cells) == width and rows[first - 1].line + 1 == rows[first].line:
        if rows[first - 1].cells[0].lstrip().startswith("#"):
            break
        first -= 1
    return first


def _first_row(rows: Sequence[Row], width: int) -> int:
    most = max(row.filled for row in rows if len(row.cells) == width)
    for i, row in enumerate(rows):
        comment = row.cells[0].lstrip().startswith("#")
        if comment and i + 1 < len(rows) and (len(row.cells) < width or _names_follow(rows[i + 1 :], width)):
            continue
        if width == 1:
            return i
        if len(row.cells) == width:
            if row.filled == 1 and _is_padded_title(rows, i, most):
                continue
            return i
        if row.filled >= 2 and i + 1 < len(rows) and abs(len(row.cells) - width) < max(2, width // 2):
            following = next((other.cells for other in rows[i + 1 :] if len(other.cells) >= 2), [])
            if len(following) == width and _names_like(row.cells) and looks_like_record_alone(following):
                return i  # names, one too few or too many: the caller compares
        if len(row.cells) > width:
            return i
    return 0


def _is_padded_title(rows: Sequence[Row], i: int, most: int) -> bool:
    """Whether a row of one filled cell is a title, with the delimiters of the empty cells beside it."""
    if most >= 3:
        return i + 1 < len(rows)
    # Of two columns, one may have no name: a title only when names and then a record follow.
    names_follow = i + 2 < len(rows) and rows[i + 1].filled == most and _names_like(rows[i + 1].cells)
    return most == 2 and bool(rows[i].cells[0].strip()) and names_follow and bool(_typed(rows[i + 2].cells).any())


def _names_follow(rows: Sequence[Row], width: int) -> bool:
    after = next((row.cells for row in rows if not row.cells[0].lstrip().startswith("#")), None)
    return after is not None and len(after) == width and _names_like(after)


def _names_like(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell.strip()]
    return bool(filled) and not _typed(filled).any() and len(set(filled)) == len(filled)


def looks_like_record_alone(cells: Sequence[str]) -> bool:
    """Whether one row, seen alone, is a record rather than names: a number or a date among its cells, or blanks."""
    return bool(_typed(cells).any()) or any(not cell.strip() for cell in cells)


def _same_width(head: list[str], body: list[list[str]], width: int, line: int, units: str) -> list[str]:
    if len(head) < width and body and not any(cell.strip() for cells in body for cell in cells[len(head) :]):
        return head + [""] * (width - len(head))
    raise InputError(
        f"The column names in {singular(units)} {line:,} are {len(head):,}, but the records below have {width:,} cells "
        f"each. Correct the names, or choose how many {units} to skip.",
        code="names-of-other-number",
    )


def _skipped_sentence(lines: Sequence[int], units: str) -> str:
    which = f"{of_number(len(lines), units).capitalize()} {listed(lines)}"
    if len(lines) == 1:
        return f"{which} stands above the table (a title or a comment) and was left out."
    return f"{which} stand above the table (titles or comments) and were left out."


def _typed(cells: Sequence[str]) -> np.ndarray:
    """Which cells are a number or a date."""
    return ~np.isnan(to_numbers(cells)) | ~np.isnat(to_dates(cells))


def looks_like_record(head: Sequence[str], body: Sequence[Sequence[str]], most: int = 200) -> bool:
    """Whether the first row is a record and not names: numbers above numbers, or values that come again below.

    Columns named by a number (years, say) lie outside the range of the values below them, or count up evenly.
    """
    below = [list(column) for column in zip(*body[:most], strict=False)]
    if not below:
        return bool(_typed([cell for cell in head if cell.strip()] or [""]).any()) and not _counts_up(head, [])
    if _counts_up(head, below):
        return False
    votes = [_vote(cell, column) for cell, column in zip(head, below, strict=False)]
    if any(votes):
        return sum(votes) > 0
    filled = [(cell, column) for cell, column in zip(head, below, strict=False) if cell.strip()]
    again = sum(cell in column for cell, column in filled)
    return again * 2 >= len(filled) and again >= min(2, len(filled)) > 0


def _vote(cell: str, below: list[str]) -> int:
    """+1 when a cell above a column is like its values, -1 when it is text above numbers or dates, 0 otherwise."""
    filled = [value for value in below if value.strip()]
    if not filled or not cell.strip():
        return 0
    typed = _typed([*filled, cell])
    if typed[:-1].mean() < 0.8:
        return 0
    if not typed[-1]:
        return -1
    numbers = to_numbers([*filled, cell])
    known = numbers[:-1][~np.isnan(numbers[:-1])]
    if np.isnan(numbers[-1]) or not known.size:
        return 1
    spread = max(float(known.max() - known.min()), abs(float(known.mean())), 1.0)
    return 1 if known.min() - spread <= numbers[-1] <= known.max() + spread else 0


def _counts_up(head: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the numbers among the names only count: several years in a row, or all positions from 0 or 1.

    Not when the values below are years too. When in doubt a row is a record: a name too many is seen, a person
    too few is not.
    """
    numbers = to_numbers([cell for cell in head if cell.strip()])
    numbers = numbers[~np.isnan(numbers)]
    if numbers.size < 3 or not (np.diff(numbers) == 1).all():
        return False
    if numbers[0] >= 1900 and numbers[-1] <= 2100:
        values = to_numbers([value for column in below for value in column])
        return not bool(((values >= 1900) & (values <= 2100)).mean() > 0.5) if values.size else True
    return numbers.size >= 5 and numbers[0] in (0, 1)
