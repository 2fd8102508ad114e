"""Records in memory: a categorical of text a column."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.reading.records.labels import RECORDS_ALONE, CellLabels, CountedBy, Groups, Labels, Profiles, ValueCounts
from anonlib.reading.records.layout import TablesLayout, in_their_tables, settled_columns
from anonlib.reading.records.persons import (
    adding_to_a_person,
    days_since_first,
    drawn_order,
    first_in_order,
    paired_cells,
    person_keys,
    person_of_codes,
    places,
)
from anonlib.reading.records.profile import counts_of_cells
from anonlib.reading.records.records import UNKNOWN_ROWS, Records
from anonlib.reading.sources.cell_texts import distinct_texts
from anonlib.reading.sources.reading import CodedColumn
from anonlib.values.cells import text_categorical


@dataclass(frozen=True, eq=False)
class FrameRecords(Records):
    """Records in memory.

    Attributes
    ----------
    frame : pd.DataFrame
        Records x columns, every column a categorical of text, missing = code -1, the index from 0.
    rows : np.ndarray, optional
        Which records of the file these are, ascending, counted from 0; None where they are all of them. It never
        leaves, and says who is still there where no column does.
    """

    frame: pd.DataFrame
    rows: np.ndarray | None = None

    @classmethod
    def of(cls, frame: pd.DataFrame) -> FrameRecords:
        """The records of any frame: typed cells as text, blank ones missing, as files and tables of engines have them.

        Raises
        ------
        InputError
            Where several columns have one name, and for cells that are lists, structures or binary.
        """
        for column, times in Counter(str(name) for name in frame.columns).items():
            if times > 1:
                raise InputError(
                    f"{times} columns are named “{column}”. Give each column a name of its own.",
                    code="columns-of-one-name",
                    column=column,
                )
        text = pd.DataFrame(
            {str(column): _as_text(str(column), frame[column]) for column in frame.columns}, index=frame.index
        )
        return cls(text.reset_index(drop=True))

    @property
    def digest(self) -> str:
        """SHA-256 of the cells in their order, as 64 hexadecimal digits."""
        digest = hashlib.sha256()
        for column in self.frame.columns:
            digest.update(json.dumps([column, self.frame[column].cat.categories.tolist()]).encode())
            digest.update(self.frame[column].cat.codes.to_numpy().astype("<i4").tobytes())
        return digest.hexdigest()

    @property
    def columns(self) -> list[str]:
        return list(self._names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Asked for thousands of times, and slow to read off hundreds of columns."""
        return tuple(self.frame.columns)

    @property
    def n_records(self) -> int:
        return len(self.frame)

    def head(self, n: int) -> pd.DataFrame:
        return self.frame.head(n)

    def with_frame(self, frame: pd.DataFrame) -> FrameRecords:
        """Other cells; they are taken for those of the same records where there are as many."""
        return FrameRecords(frame, self.rows if len(frame) == len(self.frame) else None)

    def keep(self, kept: np.ndarray) -> FrameRecords:
        """Some of the records (bool each); values that no longer occur are forgotten."""
        frame = self.frame.loc[kept].reset_index(drop=True)
        tidy = {name: frame[name].cat.remove_unused_categories() for name in frame.columns}
        rows = np.flatnonzero(kept)
        return FrameRecords(pd.DataFrame(tidy, index=frame.index), rows if self.rows is None else self.rows[rows])

    def values(self, column: str) -> np.ndarray:
        return self.frame[column].array.categories.to_numpy(dtype=object)

    def _count(self, column: str) -> ValueCounts:
        return counts_of_cells(self.frame[column].array)

    def tell_the_same(self, one: str, other: str) -> bool:
        return tell_the_same(self.frame[one].array, self.frame[other].array)

    def recode(self, column: str, labels: Labels, person: str | None = None) -> FrameRecords:
        given = self._codes(column, labels.values)
        missing = labels.missing if (given < 0).any() else None
        code_of = {label: code for code, label in enumerate(labels.order)}
        codes = np.array([code_of.get(label, -1) for label in (*labels.labels, missing)], dtype=np.int64)
        new = codes[given]  # -1, missing, is the last one
        stays = np.append(labels.stays, False)[given]  # of the records with a value
        if missing is not None and person is not None:
            new[adding_to_a_person(self._persons(person), stays, new)] = -1
        changed = pd.Categorical.from_codes(new, categories=pd.Index(labels.order, dtype=object))
        after = self.with_frame(self.frame.assign(**{column: changed}))
        if labels.gone is None and not labels.needs_value:
            return after
        blank = given < 0
        if labels.needs_value:
            blank = blank & self._has_other(stays, person)
        return after.keep(stays | blank)

    def _codes(self, column: str, values: np.ndarray) -> np.ndarray:
        """Per record the place of its value among the values, which must be the column's; -1 where it is missing."""
        if not np.array_equal(values, self.values(column)):
            raise ValueError("labels are of the column's values, in its order")
        return np.asarray(self.frame[column].array.codes)

    def _persons(self, person: str) -> np.ndarray:
        held = self.frame[person].array
        return person_of_codes(np.asarray(held.codes), len(held.categories))

    def _has_other(self, stays: np.ndarray, person: str | None) -> np.ndarray:
        """bool per record: one of its person's stays; nobody's without persons."""
        if person is None:
            return np.zeros(len(stays), dtype=bool)
        persons = self._persons(person)
        somewhere = np.zeros(int(persons.max(initial=-1)) + 1, dtype=bool)
        somewhere[persons[stays]] = True
        return somewhere[persons]

    def label(
        self,
        groups: Groups,
        kept: np.ndarray,
        cells: Mapping[str, CellLabels] | None = None,
        counted_by: CountedBy = RECORDS_ALONE,
    ) -> FrameRecords:
        of_record = _class_of_record(groups)
        stays = np.append(kept, False)[of_record]
        columns = {
            name: self._relabelled(name, labels, of_record, stays, counted_by.person)
            for name, labels in (cells or {}).items()
        }
        after = self.keep(stays)
        return after.with_frame(after.frame.assign(**columns)) if columns else after

    def _relabelled(
        self, column: str, cells: CellLabels, of_record: np.ndarray, stays: np.ndarray, person: str | None
    ) -> pd.Categorical:
        """The column of the records that stay."""
        given = self._codes(column, cells.values)[stays]
        labels = text_categorical(cells.labels[cells.level[of_record[stays]], given])
        if person is None or not (given < 0).any():
            return labels
        adding = adding_to_a_person(self._persons(person)[stays], given >= 0, labels.codes)
        return pd.Categorical.from_codes(np.where(adding, -1, labels.codes), dtype=labels.dtype)

    def first(self, groups: Groups, stays: np.ndarray, counted_by: CountedBy = RECORDS_ALONE) -> FrameRecords:
        of_record = _class_of_record(groups)
        number_left = np.append(stays, 0)[of_record]
        if counted_by.weight is not None:
            return self.keep(number_left > 0)
        person = np.arange(self.n_records) if counted_by.person is None else self._persons(counted_by.person)
        number, _ = pd.factorize(person)  # by first appearance
        first_row = np.unique(number, return_index=True)[1]
        return self.keep(places_within(of_record[first_row])[number] < number_left)

    def first_of_persons(self, profiles: Profiles, persons: np.ndarray, times: np.ndarray, person: str) -> FrameRecords:
        pair, copies = self._rows_of_profiles(profiles, person)
        assert profiles.profile_of_record is not None
        of_record = profiles.profile_of_record
        number, _ = pd.factorize(self._persons(person))  # by first appearance
        of_person = of_record[np.unique(number, return_index=True)[1]]
        chosen = places_within(of_person) < persons[of_person]
        return self.keep(chosen[number] & (copies < times[pair]))

    def first_rows(
        self,
        person: str,
        most: int,
        secret: bytes,
        by: str | None = None,
        places: np.ndarray | None = None,
        apart: Collection[str] = (),
    ) -> FrameRecords:
        number = self._persons(person)
        of_many = np.flatnonzero(np.bincount(number)[number] > most)
        keys = [drawn_order(self.frame.drop(columns=[*apart]), of_many, secret)]
        if by is not None and places is not None:
            of_value = np.append(places, places.max(initial=0) + 1)
            keys = [of_value[np.asarray(self.frame[by].array.codes)[of_many]], *keys]
        stays = np.ones(self.n_records, dtype=bool)
        stays[of_many] = first_in_order(number[of_many], keys) < most
        return self.keep(stays)

    def label_persons(
        self, profiles: Profiles, kept: np.ndarray, cells: Mapping[str, CellLabels], person: str
    ) -> FrameRecords:
        pair, copies = self._rows_of_profiles(profiles, person)
        of_record = (np.cumsum(profiles.times) - profiles.times)[pair] + copies
        stays = kept[of_record]
        columns = {name: self._relabelled(name, labels, of_record, stays, None) for name, labels in cells.items()}
        after = self.keep(stays)
        return after.with_frame(after.frame.assign(**columns)) if columns else after

    def _rows_of_profiles(self, profiles: Profiles, person: str) -> tuple[np.ndarray, np.ndarray]:
        """intp, per record its place in ``row`` of the person table, and how many like it its person has before."""
        of_record, row = profiles.profile_of_record, profiles.rows.class_of_record
        if of_record is None or row is None:
            raise ValueError("the persons are of records elsewhere")
        n_profiles, n_rows = len(profiles.persons), len(profiles.rows.counts)
        pairs = np.repeat(np.arange(n_profiles), np.diff(profiles.start)) * n_rows + profiles.row
        pair = np.searchsorted(pairs, of_record * n_rows + row)
        return pair, places_within(self._persons(person).astype(np.int64) * (len(pairs) + 1) + pair)

    def with_person_keys(self, name: str, person: str | None) -> FrameRecords:
        return self.with_frame(self.frame.assign(**{name: person_keys(self.frame, person)}))

    def paired(self, column: str, other: str) -> FrameRecords:
        cells = paired_cells(self.frame[column].array, self.frame[other].array)
        return self.with_frame(self.frame.assign(**{column: cells}))

    def since_first(self, days: Mapping[str, np.ndarray], person: str | None) -> FrameRecords:
        persons = np.arange(self.n_records) if person is None else self._persons(person)
        since = days_since_first(self.frame, days, persons)
        return self.with_frame(
            self.frame.assign(**{name: text_categorical(texts.tolist()) for name, texts in since.items()})
        )

    def persons_of_several_rows(self, person: str) -> tuple[int, int]:
        rows = np.bincount(self._persons(person))
        return int((rows > 1).sum()), len(rows)

    def changing_within(self, person: str, columns: Collection[str]) -> dict[str, int]:
        number = self._persons(person)
        first = np.unique(number, return_index=True)[1]
        codes = {name: np.asarray(self.frame[name].array.codes) for name in columns}
        return {name: len(np.unique(number[column[first][number] != column])) for name, column in codes.items()}

    def drop(self, columns: Collection[str]) -> FrameRecords:
        return replace(self, frame=self.frame.drop(columns=list(columns)))

    def copy_column(self, column: str, name: str) -> FrameRecords:
        return replace(self, frame=self.frame.assign(**{name: self.frame[column]}))

    def rows_of(self, other: FrameRecords) -> np.ndarray:
        """Which of these records are those of others that were made of them: positions, ascending, counted from 0.

        Raises
        ------
        InputError
            When that is not known, as of a file that was read again.
        """
        mine = np.arange(self.n_records) if self.rows is None else self.rows
        theirs = np.arange(other.n_records) if other.rows is None else other.rows
        places = np.searchsorted(mine, theirs)
        all_of_file = other.rows is None and self.rows is None and len(mine) != len(theirs)
        inside = places < len(mine)
        if all_of_file or len(theirs) != other.n_records or not inside.all() or (mine[places] != theirs).any():
            raise InputError(UNKNOWN_ROWS, code="rows-not-known")
        return places

    def with_columns_of(self, before: Records, names: Mapping[str, str]) -> FrameRecords:
        if not isinstance(before, FrameRecords):
            raise InputError(UNKNOWN_ROWS, code="rows-not-known")
        places = before.rows_of(self)
        columns = {name: before.frame[column].array[places] for column, name in names.items()}
        return replace(self, frame=self.frame.assign(**columns))

    def settled(self, layout: TablesLayout, recoded: str | None = None) -> FrameRecords:
        stays = in_their_tables(self.frame, layout) if recoded is None else None
        records = self if stays is None or stays.all() else self.keep(stays)
        columns = settled_columns(records.frame, layout, recoded)
        return replace(records, frame=records.frame.assign(**columns)) if columns else records

    def with_row_keys(self, name: str) -> FrameRecords:
        numbers = np.arange(self.n_records) if self.rows is None else self.rows
        texts = pd.Index(numbers.astype(str), dtype=object)
        row_keys = pd.Categorical.from_codes(np.arange(self.n_records), categories=texts)
        return replace(self, frame=self.frame.assign(**{name: row_keys}))

    def renumber(self, person: str, secret: bytes) -> FrameRecords:
        held = self.frame[person].cat.remove_unused_categories().array
        numbers = np.array(places(held.categories, secret), dtype=np.int64)
        texts = pd.Index([str(number + 1) for number in range(len(numbers))], dtype=object)
        codes = np.append(numbers, -1)[np.asarray(held.codes)]
        return replace(self, frame=self.frame.assign(**{person: pd.Categorical.from_codes(codes, categories=texts)}))


def _as_text(name: str, column: pd.Series) -> pd.Categorical:
    """The column as text in natural order; an ordered categorical of text keeps the order it states."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        labels = column.cat.categories
        if all(type(label) is str for label in labels):
            blank = [label for label in labels if not label.strip()]
            held = column.array.remove_categories(blank) if blank else column.array
            return held if column.cat.ordered else text_categorical(held.remove_unused_categories())
        codes, distinct = np.asarray(column.cat.codes), labels
    try:
        if not isinstance(column.dtype, pd.CategoricalDtype):
            codes, distinct = _factorized(column)
        return CodedColumn.of_texts(name, codes, distinct_texts(distinct)).categorical()
    except TypeError:
        raise InputError(
            f"Lists, structures or binary values cannot be cells: column “{name}”. Leave it out, or spread it over "
            "columns of its own.",
            code="cells-not-values",
            column=name,
        ) from None


def _factorized(column: pd.Series) -> tuple[np.ndarray, Any]:
    try:
        return pd.factorize(column)
    except NotImplementedError:  # of Arrow's types, some are distinguished as objects alone
        return pd.factorize(column.astype(object))


def tell_the_same(one: pd.Categorical, other: pd.Categorical) -> bool:
    """Whether each value of one column goes with one value of the other, both ways; missing is a value."""
    codes, others = (np.asarray(column.codes, dtype=np.int64) + 1 for column in (one, other))

    def tells(codes: np.ndarray, others: np.ndarray) -> bool:
        with_it = np.zeros(codes.max(initial=0) + 1, dtype=np.int64)
        with_it[codes] = others
        return bool((with_it[codes] == others).all())

    return tells(codes, others) and tells(others, codes)


def places_within(group: np.ndarray) -> np.ndarray:
    """int64 each: how many before it are of the same group."""
    order = np.argsort(group, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order)) - np.searchsorted(group[order], group[order])
    return rank


def _class_of_record(groups: Groups) -> np.ndarray:
    class_of_record = groups.class_of_record
    if class_of_record is None:
        raise ValueError("the classes are of records elsewhere")
    return class_of_record
