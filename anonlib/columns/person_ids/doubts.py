"""What is doubtful about a column of person ids: blanks, spellings, placeholders, numbers shared by persons.

Blanks come first, among them those where ids stand in the first row of a person alone, as where cells were merged. Then
come the other doubts: spellings, placeholders, and numbers that several persons have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from anonlib.columns.identifiers import kind_of_name, kind_of_title
from anonlib.columns.person_ids.of_persons import several_persons
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.person_table import with_missing_flags
from anonlib.reading.labelled import few_values
from anonlib.reading.records import FrameRecords, Records, TableRecords
from anonlib.reading.sources import Described
from anonlib.values.ids import beginnings_of_visits, names_nobody, written_alike

_ALONE = 0.8  # share of the ids that stand in one row each
_FEWEST = 2  # rows without an id
_SAME_ROWS = 0.95  # share of the rows without an id that lack the value of another column too
_FILLED = 0.9  # share of the rows with an id that have it
_AGREE, _MORE = 0.9, 0.2  # share of rows that are as the row above, and how much more than of rows with an id


@dataclass(frozen=True)
class Blanks:
    """Rows without an id.

    Attributes
    ----------
    rows, without : int
        Rows, and those without an id.
    fill : tuple[str, ...], default ()
        The columns that have a value in the first row of a person alone, the ids first.
    in_order : bool, default True
        Whether rows have an order.
    """

    rows: int
    without: int
    fill: tuple[str, ...] = ()
    in_order: bool = True


def blanks_of(records: Records, column: str) -> Blanks:
    """The rows without an id, and whether ids stand in the first row of a person alone."""
    sizes = records.sizes_of(column)
    without, n_rows = sizes.missing, records.n_records
    alone = int(sizes.values[sizes.records == 1].sum()) - (1 if without == 1 else 0)
    n_ids = int(sizes.values.sum()) - (1 if without else 0)
    blanks = Blanks(n_rows, without, in_order=isinstance(records, FrameRecords))
    if without < _FEWEST or n_ids < 1 or alone < _ALONE * n_ids:
        return blanks
    if isinstance(records, FrameRecords):
        return Blanks(n_rows, without, _filled_once(records, column))
    assert isinstance(records, TableRecords)
    others = [name for name in records.columns if name != column and _lacks_the_same(records, column, name, without)]
    fill = (column, *others) if others or 2 * without >= n_rows else ()
    return Blanks(n_rows, without, fill, in_order=False)


def _filled_once(records: FrameRecords, column: str) -> tuple[str, ...]:
    frame = records.frame
    blank = np.asarray(frame[column].array.codes) < 0
    if blank[0]:
        return ()
    others, agrees = [], False
    for name in frame.columns:
        if name == column:
            continue
        codes = np.asarray(frame[name].array.codes)
        lacks = codes < 0
        if lacks[blank].mean() >= _SAME_ROWS and (~lacks[~blank]).mean() >= _FILLED:
            others.append(str(name))
        elif not agrees:
            same = np.append(False, codes[1:] == codes[:-1]) & ~lacks
            begins = ~blank
            begins[0] = False
            of_first = same[begins].mean() if begins.any() else 0.0
            agrees = bool(same[blank].mean() >= max(_AGREE, of_first + _MORE))
    return (column, *others) if others or agrees else ()


def _lacks_the_same(records: TableRecords, column: str, name: str, without: int) -> bool:
    """Whether another column lacks a value in nearly all rows without an id, and in few others."""
    counts = records.counts_if_few(name)
    if counts is None or counts.missing < _SAME_ROWS * without or records.counts_if_few(column) is None:
        return False
    flagged, (id_is_there, value_is_there) = with_missing_flags(records, [column, name])
    classes = ClassTable.from_records(flagged, [id_is_there, value_is_there])
    has_id, has_value = (np.array([value == "yes" for value in classes.column(flag)]) for flag in classes.attributes)
    lacks = int(classes.counts[~has_id & ~has_value].sum())
    filled = int(classes.counts[has_id & has_value].sum())
    return lacks >= _SAME_ROWS * without and filled >= _FILLED * int(classes.counts[has_id].sum())


_ONE_OF_PERSON = ("sex", "birth_date")
_NUMBERS_OF_PERSONS = ("ssn", "health_plan")
_MAY_BE_OF_PERSONS = ("identifier", "name")
_REACHED_AT = ("email", "account", "phone")
_CAME_LATER = {"came later": True}  # saved evidence of an old version lacks it
_FEWEST_IDS = 0.1  # ids for each row


@dataclass(frozen=True)
class IdDoubts:
    """What is doubtful about a column of person ids. It quotes no id.

    Attributes
    ----------
    column : str
        Its name.
    counts : bool
        Whether persons are counted by it; else each row is a person.
    rows : int
        How many the file has, with an id or without.
    without : int
        Rows without an id; each is a person of its own.
    ids : int
        Different ids, as they are written.
    spellings : int, default 0
        Ids that are written in several ways.
    spelled : int, default 0
        How many ids these are.
    placeholder_rows : int, default 0
        Rows with a word or a number that names nobody in the place of an id.
    n_placeholders : int, default 0
        How many such words and numbers there are.
    fill : tuple[str, ...], default ()
        The columns that have a value in the first row of a person alone, the ids first; empty where nothing says so.
    in_order : bool, default True
        Whether ids can be filled down here: not in a database, whose rows have no order, nor of several tables.
    differing : tuple[str, ...], default ()
        Columns of what is one of a person, such as a birth date, in which the rows of one id differ for more than slips
        of typing.
    n_differing : int, default 0
        Ids whose rows differ so.
    n_compared : int, default 0
        Ids of several rows with such values.
    site : str, default ""
        A column such as a hospital, beside which the rows of one id do not differ so; "" for none.
    persons_by_site : int, default 0
        How many persons there are by both.
    beginnings : int, default 0
        Different beginnings of ids that end in a visit of a person; 0 where they do not.
    too_many : bool, default False
        Whether there are more than a million ids in a database, so that only blanks were looked at.
    """

    column: str
    counts: bool
    rows: int
    without: int
    ids: int
    spellings: int = 0
    spelled: int = 0
    placeholder_rows: int = 0
    n_placeholders: int = 0
    fill: tuple[str, ...] = ()
    in_order: bool = True
    differing: tuple[str, ...] = ()
    n_differing: int = 0
    n_compared: int = 0
    site: str = ""
    persons_by_site: int = 0
    beginnings: int = field(default=0, metadata=_CAME_LATER)
    too_many: bool = False

    def __bool__(self) -> bool:
        """Whether anything is doubtful; ids that are only missing are so where persons are counted by them."""
        in_some_rows = self.repeated or self.spellings or self.placeholder_rows or self.fill
        return bool(
            (self.without and self.counts)
            or in_some_rows
            or self.differing
            or self.site
            or self.too_many
            or self.beginnings
        )

    @property
    def repeated(self) -> int:
        """Rows whose id another row has too, where each row is a person all the same; 0 where persons are counted."""
        again = self.rows - self.without - self.ids
        are_ids = _FEWEST_IDS * self.rows <= self.ids  # and no codes of a list
        return again if not self.counts and are_ids and again > 0 else 0


def id_column(
    records: Records,
    columns: Sequence[str],
    person: str | None = None,
    described: Mapping[str, Described] | None = None,
) -> str | None:
    """The column of person ids: that by which persons are counted, else the first that is one by its name.

    Where none is, the first of other ids or of names that stands in the first row of a person alone, or of addresses
    and accounts that several rows have.

    Parameters
    ----------
    records : Records
        The file, in memory or in an engine.
    columns : Sequence[str]
        The names of the columns among which it is.
    person : str, optional
        The column by which persons are counted.
    described : Mapping[str, Described], optional
        By column, what a file or a dictionary says of it.

    Returns
    -------
    str or None
    """
    if person is not None:
        return person
    kinds = {name: _kind(name, described or {}) for name in columns}
    by_name = [name for name, (_, group) in kinds.items() if group == "person"]
    by_number = [name for name, (key, _) in kinds.items() if key in _NUMBERS_OF_PERSONS]
    others = (name for name, (key, _) in kinds.items() if key in _MAY_BE_OF_PERSONS)
    once = (name for name in others if blanks_of(records, name).fill)
    reached = (name for name, (key, _) in kinds.items() if key in _REACHED_AT and _repeats(records, name))
    return next(chain(by_name, by_number, once, reached), None)


def _repeats(records: Records, name: str) -> bool:
    """Whether values of a column stand in several rows, and are no answers of a list."""
    values = few_values(records, name)
    rows = int(records.counts_of(name).records.sum()) if len(values) else 0
    return max(1, _FEWEST_IDS * rows) < len(values) < rows


def id_doubts(
    records: Records,
    column: str,
    *,
    counts: bool,
    described: Mapping[str, Described] | None = None,
    apart: Collection[str] = (),
    one_table: bool = True,
) -> IdDoubts:
    """What is doubtful about a column of person ids.

    Parameters
    ----------
    records : Records
        The records, wherever they are.
    column : str
        The column of person ids.
    counts : bool
        Whether persons are counted by it.
    described : Mapping[str, Described], optional
        By column, what a file or a dictionary says of it.
    apart : Collection[str], default ()
        Columns that no site can be in, such as those that only say where rows of several tables belong.
    one_table : bool, default True
        Whether the records are of one table; of several, ids cannot be filled down or read beside a column here.

    Returns
    -------
    IdDoubts
        What is false or 0 of it is not doubtful.
    """
    known = described or {}
    blanks = blanks_of(records, column)
    values = few_values(records, column)
    if not len(values):
        return IdDoubts(column, counts, blanks.rows, blanks.without, 0, too_many=blanks.without < blanks.rows)
    n_rows = records.counts_of(column).records
    alike = written_alike(values)
    nobody = names_nobody(values, n_rows) & (n_rows > 1)
    kinds = {name: _kind(name, known) for name in records.columns if name != column and name not in apart}
    ones = [name for name, (key, _) in kinds.items() if key in _ONE_OF_PERSON]
    several = several_persons(records, column, ones, kinds, values[nobody], alike)
    return IdDoubts(
        column,
        counts,
        blanks.rows,
        blanks.without,
        len(values),
        spellings=sum(map(len, alike)),
        spelled=len(alike),
        placeholder_rows=int(n_rows[nobody].sum()),
        n_placeholders=int(nobody.sum()),
        fill=blanks.fill,
        in_order=blanks.in_order and one_table,
        beginnings=beginnings_of_visits(values),
        differing=several.columns,
        n_differing=several.n_differing,
        n_compared=several.n_compared,
        site=several.site if one_table else "",
        persons_by_site=several.persons_by_site + blanks.without if several.site and one_table else 0,
    )


def placeholders_of(records: Records, column: str) -> tuple[str, ...]:
    """What names nobody in a column of person ids, to be shown where marks of missing values are.

    Parameters
    ----------
    records : Records
        The file, in memory or in an engine.
    column : str
        The column of person ids.

    Returns
    -------
    tuple of str
        Each stands in two rows or more; none of more than a million ids in a database.
    """
    values = few_values(records, column)
    if not len(values):
        return ()
    n_rows = records.counts_of(column).records
    return tuple(values[names_nobody(values, n_rows) & (n_rows > 1)].tolist())


def _kind(name: str, described: Mapping[str, Described]) -> tuple[str, str]:
    """The key and the group of what a column holds by its name or title; "" twice where neither tells."""
    title = described[name].title if name in described else ""
    kind = kind_of_name(name) or (kind_of_title(title) if title else None)
    return ("", "") if kind is None else (kind.key, kind.group)
