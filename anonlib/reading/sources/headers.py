"""Rows beside the names that are no records either: names of groups above, and units, types or questions below.

A row too many is seen in the preview; a person too few is not. So a row below the names is left out only when its cells
could not be values of the columns that they stand in, and none of them occurs there. The module begins with a row of a
file while it is not yet known whether it is a record, and with one that is none. Rows below the names, names of groups,
and rows that repeat the names follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from anonlib.basics.words import count, listed, of_number
from anonlib.reading.sources.reading import LeftOut
from anonlib.values.cells import to_numbers
from anonlib.values.dates import to_dates
from anonlib.values.missing_words import means_missing
from anonlib.values.naming import fold


@dataclass(frozen=True)
class Row:
    """A row, the line it begins in (or its row number in a sheet), counted from 1, and the line it ends in.

    A blank line has no cells.
    """

    line: int
    cells: list[str]
    last_line: int = 0

    @cached_property
    def filled(self) -> int:
        """How many cells hold more than blanks."""
        return sum(1 for cell in self.cells if cell.strip())


def left_out(row: Row, place: str) -> LeftOut:
    """A row as a line that is not among the records."""
    return LeftOut(row.line, place, " · ".join(cell.strip() for cell in row.cells if cell.strip()))


BELOW_NAMES = "below the column names"
"""Where such rows stand, as a :class:`LeftOut` says it."""
BETWEEN_RECORDS = "between the records"
"""Where rows stand that repeat the column names."""
_MOST = 4  # rows of names, units and texts that follow one another
_LOOKED_AT = 200
_TYPED = 0.9  # share of a column that is numbers or dates
_FEWEST = 3  # records, to compare a row with
_IMPORT_ID = re.compile(r"\{\s*\"+ImportId\"+\s*:.*\}", re.DOTALL)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_RULE = re.compile(r"[-=_~–—]{3,}")  # a line of dashes below the names
_EXAMPLE = re.compile(
    r"(?:e\.?\s?g\.?|z\.\s?b\.|ex\.|p\.\s?ej\.|es\.|bijv\.|np\.|example|beispiel|exemple)[\s:]", re.IGNORECASE
)
_NUMBERED = re.compile(r"([^\W\d]{0,12}[ .#-]?)(\d{1,4})([.):]?)")
_FEWEST_NUMBERED = 3
_SECOND_NAMES = frozenset(("response", "open-ended response", "other (please specify)"))  # of SurveyMonkey
_UNIT_WORDS = frozenset(
    """
    year years yr yrs y month months week weeks day days hour hours h hr hrs min minute minutes s sec second seconds
    jahr jahre jahren monat monate woche wochen tag tage stunde stunden minuten sekunden
    an ans année années mois semaine semaines jour jours heure heures
    año años mes meses semana semanas día días hora horas anno anni mese mesi settimana settimane giorno giorni ore
    jaar jaren maand maanden weken dag dagen uur ano dia dias godziny lata rok dni år månad månader dagar
    kg g mg µg μg ug mcg ng pg t lb lbs oz st m cm mm km in inch inches ft l dl cl ml µl μl ul fl mmol mol µmol umol
    nmol pmol meq mval iu u ui ie kat µkat cells zellen cellules mmhg kpa pa hpa bar cmh2o °c °f c f k bpm hz khz w j
    kj kcal cal mv v ma % percent prozent ‰ ppm n no yes/no ja/nein oui/non count anzahl score points punkte packs
    date time datetime timestamp text string str char varchar character integer int int64 bigint smallint float float64
    double decimal numeric number num real bool boolean factor category categorical object code id unit units einheit
    einheiten unité unités unidad unidades datum zahl ganzzahl texte entier réel zeichenkette
    dd.mm.yyyy dd/mm/yyyy mm/dd/yyyy yyyy-mm-dd tt.mm.jjjj jjjj yyyy jj/mm/aaaa dd-mm-yyyy m/f f/m m/w w/m h/f 0/1 1/0
    """.split()
)
_UNIT_PARTS = re.compile(r"[/·*.^\s\d²³⁻¹-]+")
_BRACKETS = "[](){}<> "


@dataclass(frozen=True)
class Below:
    """The rows below the names that are no records.

    Attributes
    ----------
    rows : tuple[Row, ...], default ()
        Which.
    doubtful : int, optional
        The line of a first record that may be such a row; None when there is none.
    """

    rows: tuple[Row, ...] = ()
    doubtful: int | None = None

    def notes(self, units: str) -> list[str]:
        """Sentences on what was left out and on what is doubtful, in "lines" or "rows"."""
        notes = []
        if self.rows:
            which = f"{of_number(len(self.rows), units).capitalize()} {listed([row.line for row in self.rows])}"
            is_are = "stands" if len(self.rows) == 1 else "stand"
            was_were = "was" if len(self.rows) == 1 else "were"
            notes.append(
                f"{which} {is_are} between the column names and the records (units, types, questions or further "
                f"names) and {was_were} left out."
            )
        if self.doubtful is not None:
            notes.append(
                f"{of_number(1, units).capitalize()} {self.doubtful:,} may be a further row of names, units or "
                "questions; it was kept as a record. If it is no record, delete it from the file and load it again."
            )
        return notes

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The rows as lines that are not among the records."""
        return tuple(left_out(row, BELOW_NAMES) for row in self.rows)


def rows_below_names(names: Sequence[str], rows: Sequence[Row], width: int) -> Below:
    """Which of the first rows below the names are units, types, questions or further names, and not records.

    Parameters
    ----------
    names : Sequence[str]
        The cells with the names.
    rows : Sequence[Row]
        The filled rows below, as many as are known.
    width : int
        Cells a row.
    """
    naming_rows: list[Row] = []
    for i, row in enumerate(rows[:_MOST]):
        below = _Below.of(rows[i + 1 :], width)
        if below.n_rows < _FEWEST or len(row.cells) > width or not _stands_for_names(names, row.cells, below):
            sure_enough = below.n_rows < _FEWEST or naming_rows or len(row.cells) > width
            doubtful = not sure_enough and _may_stand_for_names(row.cells, below)
            return Below(tuple(naming_rows), row.line if doubtful else None)
        naming_rows.append(row)
    return Below(tuple(naming_rows))


def are_groups(head: Sequence[str], following: Sequence[Row], width: int) -> bool:
    """Whether a first row names groups of columns, and the row below it the columns themselves.

    Of several columns of a group only the first has its name there, or all have the same.
    """
    if len(following) <= _FEWEST or width < 3:
        return False
    names = following[0].cells
    filled = [cell.strip() for cell in head if cell.strip()]
    n_named = sum(bool(cell.strip()) for cell in names)
    if len(names) != width or len(filled) == 0 or n_named <= len(set(filled)) or n_named < width - 1:
        return False
    groups = groups_of(head, width)
    pairs = [f"{group}\0{name.strip()}" for group, name in zip(groups, names, strict=True) if name.strip()]
    if len(set(pairs)) < len(pairs) or all(_is_unit(name) for name in names if name.strip()):
        return False
    return not _typed(names).any() and _stands_for_names(head, names, _Below.of(following[1:], width))


def groups_of(head: Sequence[str], width: int) -> list[str]:
    """By column, the name of its group: that of the last column to the left that has one."""
    groups, last = [], ""
    for cell in [*head, *[""] * (width - len(head))][:width]:
        last = cell.strip() or last
        groups.append(last)
    return groups


def names_in_groups(head: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names of columns, with that of their group in front where several columns have the same one."""
    groups = groups_of(head, len(names))
    plain = [name.strip() for name in names]
    return [
        f"{group} {name}".strip() if plain.count(name.strip()) > 1 else name
        for group, name in zip(groups, names, strict=True)
    ]


def repeated_names(names: Sequence[str], columns: Sequence[tuple[np.ndarray, Sequence[str]]]) -> np.ndarray:
    """The places of records that only repeat the column names, as where files were put below one another.

    Parameters
    ----------
    names : Sequence[str]
        The cells with the names; none are repeated where there are no two of them.
    columns : Sequence[tuple[np.ndarray, Sequence[str]]]
        By column, int codes into its different texts, and these; -1 is missing.
    """
    if not columns or sum(bool(name.strip()) for name in names) < 2:
        return np.empty(0, dtype=np.intp)
    alike: np.ndarray | None = None
    for name, (codes, texts) in zip(names, columns, strict=False):
        wanted = np.array([i for i, text in enumerate(texts) if text.strip() == name.strip()], dtype=codes.dtype)
        if not len(wanted) and name.strip():
            return np.empty(0, dtype=np.intp)
        same = np.isin(codes, wanted) if name.strip() else np.isin(codes, [-1, *wanted])
        alike = same if alike is None else alike & same
    return np.flatnonzero(alike) if alike is not None else np.empty(0, dtype=np.intp)


def repeated_names_in_words(lines: Sequence[int], units: str) -> str:
    """A sentence on lines that repeat the names and were left out."""
    repeat = "repeats" if len(lines) == 1 else "repeat"
    was_were = "was" if len(lines) == 1 else "were"
    which = f"{of_number(len(lines), units).capitalize()} {listed(lines)}"
    return f"{which} only {repeat} the column names and {was_were} left out ({count(len(lines), units)})."


@dataclass(frozen=True)
class _Below:
    """The cells below a row, by column."""

    columns: list[list[str]]
    n_rows: int

    @classmethod
    def of(cls, rows: Sequence[Row], width: int) -> _Below:
        # What follows at once may be such a row as well.
        later = rows[_MOST:] if len(rows) >= 3 * _MOST else rows
        cells = [row.cells for row in later[:_LOOKED_AT] if row.filled and len(row.cells) == width]
        columns = [[cell.strip() for cell in column if cell.strip()] for column in zip(*cells, strict=True)]
        return cls(columns or [[] for _ in range(width)], len(cells))


def _stands_for_names(names: Sequence[str], cells: Sequence[str], below: _Below) -> bool:
    filled = [(i, cell.strip()) for i, cell in enumerate(cells) if cell.strip()]
    if not filled:
        return False
    if any(all(form.match(cell) for _, cell in filled) for form in (_IMPORT_ID, _EXAMPLE)):
        return True
    if all(_RULE.fullmatch(cell) for _, cell in filled) or _are_second_names(names, filled):
        return True
    if _are_numbered(filled) and not any(cell in below.columns[i] for i, cell in filled):
        return True
    repeats = [i < len(names) and _plain(cell) == _plain(names[i]) for i, cell in filled]
    if len(filled) > 1 and all(repeats):
        return True
    if _occurs(filled, below):
        return False
    if all(_is_unit(cell) for _, cell in filled):
        return any(_is_typed(below.columns[i]) for i, _ in filled)
    strange = [_is_strange(cell, below.columns[i]) for i, cell in filled]
    return sum(strange) >= 2 and 5 * sum(strange) >= 3 * len(filled)


def _are_second_names(names: Sequence[str], filled: Sequence[tuple[int, str]]) -> bool:
    """Whether a row goes on with a question of several answers, which stands above the first of them alone."""
    goes_on = any(i < len(names) and not names[i].strip() for i, _ in filled)
    return goes_on and any(cell.casefold() in _SECOND_NAMES for _, cell in filled)


def _are_numbered(filled: Sequence[tuple[int, str]]) -> bool:
    """Whether the cells are alike but for numbers that count the columns, as ``VAR1``, ``VAR2`` or ``1.``, ``2.``."""
    matches = [_NUMBERED.fullmatch(cell) for _, cell in filled]
    numbers = [int(match[2]) for match in matches if match is not None]
    if len(numbers) < max(_FEWEST_NUMBERED, len(filled)):
        return False
    around = {(match[1], match[3]) for match in matches if match is not None}
    counts = all(later == earlier + 1 for earlier, later in pairwise(numbers))
    return len(around) == 1 and around != {("", "")} and counts


def _may_stand_for_names(cells: Sequence[str], below: _Below) -> bool:
    """Whether a row is words above numbers, and nothing of it occurs below: too little to be sure."""
    filled = [(i, cell.strip()) for i, cell in enumerate(cells) if cell.strip()]
    if not filled or _occurs(filled, below):
        return False
    return any(_is_typed(below.columns[i]) and _is_strange(cell, below.columns[i]) for i, cell in filled)


def _occurs(filled: Sequence[tuple[int, str]], below: _Below) -> bool:
    """Whether a cell of a row is a value of its column, a number or a date, or written as its values are."""
    if _typed([cell for _, cell in filled]).any():
        return True
    for i, cell in filled:
        column = below.columns[i]
        if cell in column and not means_missing(cell):
            return True
        if any(map(str.isdigit, cell)) and len(cell.split()) < 3 and _form(cell) in set(map(_form, column)):
            return True
    return False


def _is_strange(cell: str, column: Sequence[str]) -> bool:
    """Whether a text could not be a value of a column: words above numbers, dates or ids, a question above answers."""
    if not column or means_missing(cell) or not (_LETTERS.search(cell) or _is_unit(cell)):
        return False
    words = len(cell.split())
    if _is_typed(column):
        return words >= 3 or not any(map(str.isdigit, cell))
    with_digits = sum(any(map(str.isdigit, value)) for value in column)
    if with_digits >= _TYPED * len(column) and not any(map(str.isdigit, cell)):
        return True
    n_values, longest = len(set(column)), max(map(len, column))
    are_answers = len(column) >= 8 and 4 * n_values <= len(column)
    return are_answers and (cell.endswith(("?", ":")) or (words >= 2 and len(cell) > 2 * longest))


def _is_typed(column: Sequence[str]) -> bool:
    known = [value for value in column if not means_missing(value)]
    return bool(known) and float(_typed(known).mean()) >= _TYPED


def _is_unit(cell: str) -> bool:
    """Whether a cell is a unit or a type: mg/dl, [kg], years, integer."""
    text = cell.strip().strip(_BRACKETS).casefold()
    if not text:
        return False
    parts = [part for part in _UNIT_PARTS.split(text) if part]
    return text in _UNIT_WORDS or (bool(parts) and all(part in _UNIT_WORDS for part in parts))


def _form(cell: str) -> str:
    """How a text is written: a digit for digits, a letter for letters."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", cell))


def _plain(text: str) -> str:
    return "".join(char for char in fold(text).casefold() if char.isalnum())


def _typed(cells: Sequence[str]) -> np.ndarray:
    """Which cells are a number or a date."""
    return ~np.isnan(to_numbers(cells)) | ~np.isnat(to_dates(cells))
