"""Records in an engine: an Ibis expression, of which only counts are fetched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce, wraps
from operator import or_
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa

from anonlib.basics.errors import InputError
from anonlib.reading.records import engines
from anonlib.reading.records.draws import (
    days_since_first,
    first_of_classes,
    first_of_persons,
    first_rows,
    hash_of,
    numbered,
    paired_cells,
    with_person_keys,
    with_row_keys,
)
from anonlib.reading.records.engines import as_key, cell_text, countable, fetched, in_order
from anonlib.reading.records.joins import in_classes, known_of_person, looked_up, texts_of, without_adding
from anonlib.reading.records.labels import (
    RECORDS_ALONE,
    CellLabels,
    CountedBy,
    Groups,
    Labels,
    Profiles,
    ValueCounts,
    ValueSizes,
)
from anonlib.reading.records.layout import TablesLayout, settled_table
from anonlib.reading.records.names import unused_name
from anonlib.reading.records.profile import MOST_LOOKED_AT, Profile, estimated, profile_of
from anonlib.reading.records.records import UNKNOWN_ROWS, Records
from anonlib.reading.sources.tables import check_cells_have_text
from anonlib.values.cells import order_of, text_categorical

if TYPE_CHECKING:
    import ibis.expr.types as ir

T = TypeVar("T")
P = ParamSpec("P")
MOST_VALUES = 1_000_000
"""Most different values of a column that are fetched."""
_KEPT = 20_000_000  # cells of records that an engine keeps, once some are left out and everything is counted again
_LEFT_BY_QUICK_HASH = 1_000_000  # records, about, of so many that they are looked at quickly first
_LOOKED_AT_FIRST = 20_000_000  # records, from which on values are estimated before they are counted
_LEAVE_OUT = ("label", "first", "first_of_persons", "first_rows", "_settled")
_DRAWN_FROM = 20_000  # records, whose values are mostly different where there are so many of them


def _remembered(
    change: Callable[Concatenate[TableRecords, P], TableRecords],
) -> Callable[Concatenate[TableRecords, P], TableRecords]:
    """A change after which the records know of what and how they were made."""

    @wraps(change)
    def changed(self: TableRecords, *given: P.args, **named: P.kwargs) -> TableRecords:
        after = change(self, *given, **named)
        kept = change.__name__ in _LEAVE_OUT and (
            engines.keeps_any(self.table) or self.n_records * len(self.columns) <= _KEPT
        )
        table = engines.named(after.table, kept)
        return replace(after, table=table, made_of=self, again=lambda records: changed(records, *given, **named))

    return changed  # type: ignore[return-value]  # that of wraps names the records “self”


@dataclass(frozen=True, eq=False)
class TableRecords(Records):
    """Records in an engine.

    Attributes
    ----------
    table : ir.Table
        The expression; a column has the engine's type until it is recoded. :meth:`cell` is its text.
    orders : Mapping[str, np.ndarray], optional
        By column that was recoded, object array of its values in their order.
    made_in : Mapping[str, TableRecords], optional
        By column that is not named there, the records in which it got its values, where it is not these.
    beside : tuple[str, ...], default ()
        Columns that are only carried along: draws do not depend on what they hold.
    made_of : TableRecords, optional
        The records that these were made of by a change, where there are such.
    again : Callable[[TableRecords], TableRecords], optional
        The same change of other records, which have the columns of ``made_of`` and perhaps more.
    """

    table: ir.Table
    orders: Mapping[str, np.ndarray] = field(default_factory=dict)
    made_in: Mapping[str, TableRecords] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    made_of: TableRecords | None = None
    again: Callable[[TableRecords], TableRecords] | None = None

    def __post_init__(self) -> None:
        check_cells_have_text(self.table)
        object.__setattr__(self, "orders", MappingProxyType(dict(self.orders)))
        object.__setattr__(self, "made_in", MappingProxyType(dict(self.made_in)))

    @property
    def columns(self) -> list[str]:
        return list(self.table.columns)

    @cached_property
    def n_records(self) -> int:
        return int(fetched(self.table.aggregate(n=self.table.count()))["n"][0].as_py())

    @cached_property
    def found(self) -> dict[Hashable, Any]:
        """What those who asked about these records have found and keep with them."""
        return {}

    def cell(self, column: str) -> ir.StringColumn:
        """The text of a column's cells, NULL where they are missing."""
        return cell_text(self.table[column])

    def head(self, n: int) -> pd.DataFrame:
        first_rows = fetched(self.table.limit(n).select(**{name: self.cell(name) for name in self.columns}))
        return pd.DataFrame({name: text_categorical(first_rows[name].to_pylist()) for name in self.columns})

    def order(self, column: str) -> np.ndarray | tuple[()]:
        """The order of a column's values, where it is not that which is natural to those that are left.

        It stays when records are left out, as it does in memory: without its texts a column may be one of numbers.
        """
        if column in self.orders or column not in self.made_in:
            return self.orders.get(column, ())
        try:
            return self.made_in[column].values(column)
        except InputError:  # too many to be recoded, or to be in an order that matters
            return ()

    def _count(self, column: str) -> ValueCounts:
        counts = self.counts_if_few(column)
        if counts is None:
            raise InputError(
                f"“{column}” has more than {MOST_VALUES:,} different values, too many to decide on each of them while "
                "the records stay in a database. Coarsen it there, or drop it.",
                code="too-many-values",
                column=column,
            )
        return counts

    def counts_if_few(self, column: str) -> ValueCounts | None:
        """As :meth:`counts_of`; None where there are more than a million different values."""
        if column not in self._few:
            self._few[column] = self._count_if_few(column)
        return self._few[column]

    @cached_property
    def _few(self) -> dict[str, ValueCounts | None]:
        return {}

    def _count_if_few(self, column: str) -> ValueCounts | None:
        values = self.table.select(value=countable(self.table[column]))
        if self._has_far_too_many(values):
            return None
        counted = values.group_by("value").aggregate(records=values.count())
        most = MOST_VALUES + 3  # NULL and blanks are one value more
        counts = fetched(counted.select(value=cell_text(counted["value"]), records="records").limit(most))
        texts, records = counts["value"].to_numpy(), counts["records"].to_numpy()
        present = np.array([text is not None for text in texts], dtype=bool)
        if len(counts) == most or present.sum() > MOST_VALUES:
            return None
        rank = order_of(texts[present], self.order(column))
        return ValueCounts(texts[present][rank], records[present][rank], int(records[~present].sum()))

    @property
    def _is_vast(self) -> bool:
        """Whether it pays to look at records quickly first, where the engine has a way to."""
        return engines.engine_of(self.table) == engines.PLAIN and self.n_records >= _LOOKED_AT_FIRST

    def _has_far_too_many(self, values: ir.Table) -> bool:
        """Whether so many are different, as can be seen quickly: to count each of them would take much memory."""
        if not self._is_vast:
            return False
        about = fetched(values.aggregate(n=values["value"].approx_nunique()))["n"][0].as_py()
        return int(about) > 2 * MOST_VALUES

    def sizes_of(self, column: str) -> ValueSizes:
        counts = self.counts_if_few(column)
        if counts is not None:
            return ValueSizes.of(counts)
        cells = self.table.select(value=as_key(self.cell(column)))
        sizes = cells.group_by("value").aggregate(records=cells.count())
        of_size = sizes.group_by("records").aggregate(values=sizes.count(), missing=(sizes["value"] == "").sum())
        rows = fetched(of_size.order_by("records"))
        records, values, missing = (rows[name].to_numpy() for name in ("records", "values", "missing"))
        return ValueSizes(records, values, int(records @ missing))

    def profile(self, column: str) -> Profile:
        # What is counted for a profile alone is not kept: every column is looked at once.
        counts = self._few[column] if column in self._few else self._count_if_few(column)
        return self._estimated(column) if counts is None else profile_of(counts)

    def _estimated(self, column: str) -> Profile:
        texts = self.table.select(text=self.cell(column))
        text = texts["text"]
        counts = fetched(
            texts.aggregate(records=texts.count(), missing=text.isnull().sum(), distinct=text.approx_nunique())
        ).to_pylist()[0]
        known = texts.filter(text.notnull())
        if self._is_vast:  # the slow hash, which draws, takes a minute for a hundred million
            known = known.filter(known["text"].hash() % max(1, self.n_records // _LEFT_BY_QUICK_HASH) == 0)
        drawn = fetched(known.order_by(in_order(hash_of(known["text"]))).limit(_DRAWN_FROM))
        looked_at = pd.unique(drawn["text"].to_numpy())[:MOST_LOOKED_AT]
        looked_at = looked_at[order_of(looked_at, self.order(column))]
        distinct = max(counts["distinct"], MOST_VALUES + 1)  # for so many there are
        return estimated(counts["records"], counts["missing"], distinct, looked_at)

    def persons_of_several_rows(self, person: str) -> tuple[int, int]:
        """How many persons have several rows, of how many; a row without an id is a person."""
        ids = self.table.select(id=self.cell(person))
        rows = ids.group_by("id").aggregate(rows=ids.count())
        known = rows["id"].notnull()
        counted = rows.aggregate(
            several=(known & (rows["rows"] > 1)).sum(), persons=known.ifelse(1, rows["rows"]).sum()
        )  # fmt: skip
        totals = fetched(counted).to_pylist()[0]
        return int(totals["several"] or 0), int(totals["persons"] or 0)

    def tell_the_same(self, one: str, other: str) -> bool:
        cells = self.table.select(one=as_key(self.cell(one)), other=as_key(self.cell(other))).distinct()
        pairs = cells.aggregate(pairs=cells.count(), ones=cells["one"].nunique(), others=cells["other"].nunique())
        counts = fetched(pairs).to_pylist()[0]
        return counts["pairs"] == counts["ones"] == counts["others"]

    def with_missing(self, texts: Mapping[str, Sequence[str]]) -> TableRecords:
        """The records in which some texts mean that a cell is missing, by column; what is natural is made again."""
        blank = {name: self.cell(name).isin(list(missing_texts)) for name, missing_texts in texts.items()}
        changed = {name: is_blank.ifelse(None, self.table[name]) for name, is_blank in blank.items()}
        after = TableRecords(self.table.mutate(**changed), _without(self.orders, texts), _without(self.made_in, texts))
        after._few.update(_without(self._few, texts))
        return after

    def recode(self, column: str, labels: Labels, person: str | None = None) -> TableRecords:
        after = self._recoded(column, labels, person)
        if labels.gone is not None or labels.needs_value:
            return after
        after._knows(self.n_records, _without(self._few, [column]))
        counts = self._few.get(column)
        if counts is not None and (labels.missing is None or person is None):
            after._few[column] = counts.relabelled(labels)
        return after

    def _knows(self, n_records: int, few: Mapping[str, ValueCounts | None]) -> None:
        """Take what was counted of records of which none has left, and of columns that are as they were."""
        vars(self)["n_records"] = n_records
        self._few.update(few)

    @_remembered
    def _recoded(self, column: str, labels: Labels, person: str | None) -> TableRecords:
        key, new = unused_name("key", self.columns), unused_name("label", self.columns)
        keys, new_labels = [*labels.values[labels.stays], ""], [*labels.labels[labels.stays], labels.missing]
        table = looked_up(self.table, [as_key(self.cell(column))], texts_of({key: keys, new: new_labels}))
        if labels.missing is not None:
            table = without_adding(table, column, new, person)
        if labels.needs_value:
            known = unused_name("known", table.columns)
            table = table.mutate(**{known: known_of_person(table, column, person)})
            table = table.filter(table[known])
        return self._replaced(table, {column: new}, {column: labels.order})

    @_remembered
    def label(
        self,
        groups: Groups,
        kept: np.ndarray,
        cells: Mapping[str, CellLabels] | None = None,
        counted_by: CountedBy = RECORDS_ALONE,
    ) -> TableRecords:
        cells, new = cells or {}, dict[str, str]()
        levels = {column: unused_name(f"level {i}", self.columns) for i, column in enumerate(cells)}
        class_levels = {levels[column]: labels.level for column, labels in cells.items()}
        table = in_classes(self.table, groups, kept, class_levels, counted_by)
        for i, (column, cell_labels) in enumerate(cells.items()):
            level, key, label = (unused_name(name, table.columns) for name in ("level", "key", "label"))
            keys = [table[levels[column]], as_key(cell_text(table[column]))]
            table = looked_up(table, keys, _of_levels(cell_labels, level, key, label))
            new[column] = unused_name(f"label {i}", table.columns)
            table = without_adding(table.rename({new[column]: label}), column, new[column], counted_by.person)
        return self._replaced(table, new, {})

    @_remembered
    def first(self, groups: Groups, stays: np.ndarray, counted_by: CountedBy = RECORDS_ALONE) -> TableRecords:
        if counted_by.weight is not None or ((stays == 0) | (stays == groups.counts)).all():
            return self.label(groups, stays > 0, counted_by=counted_by)
        most, number = unused_name("most", self.columns), unused_name("class", self.columns)
        class_numbers = {most: stays, number: np.arange(len(stays))}
        table = in_classes(self.table, groups, stays > 0, class_numbers, counted_by)
        drawn_by = [name for name in self.columns if name not in self.beside]
        return self._replaced(first_of_classes(table, drawn_by, self.beside, number, most, counted_by.person), {}, None)

    @_remembered
    def first_of_persons(self, profiles: Profiles, persons: np.ndarray, times: np.ndarray, person: str) -> TableRecords:
        drawn_by = [name for name in self.columns if name not in self.beside]
        table = first_of_persons(self.table, drawn_by, self.beside, profiles, persons, times, person)
        return self._replaced(table, {}, None)

    @_remembered
    def first_rows(
        self,
        person: str,
        most: int,
        secret: bytes,
        by: str | None = None,
        places: np.ndarray | None = None,
        apart: Collection[str] = (),
    ) -> TableRecords:
        drawn_by = [name for name in self.columns if name not in self.beside and name not in apart]
        put = None if by is None or places is None else (by, self.values(by), places)
        return self._replaced(first_rows(self.table, drawn_by, self.beside, person, most, secret, put), {}, None)

    def label_persons(
        self, profiles: Profiles, kept: np.ndarray, cells: Mapping[str, CellLabels], person: str
    ) -> TableRecords:
        raise InputError(
            "Rows of persons in a database cannot be recoded one by one. Recode each column alike for everyone, or "
            "open a file.",
            code="persons-in-a-database",
        )

    @_remembered
    def with_person_keys(self, name: str, person: str | None) -> TableRecords:
        drawn_by = [column for column in self.columns if column not in self.beside]
        table = with_person_keys(self.table, drawn_by, self.beside, person, name)
        return TableRecords(table, self.orders, self.made_in, (*self.beside, name))

    @_remembered
    def paired(self, column: str, other: str) -> TableRecords:
        table, new = paired_cells(self.table, column, other)
        return self._replaced(table, {column: new}, {})

    @_remembered
    def since_first(self, days: Mapping[str, np.ndarray], person: str | None) -> TableRecords:
        of_values = {name: (self.values(name), day_numbers) for name, day_numbers in days.items()}
        return self._replaced(*days_since_first(self.table, of_values, person), {})

    def changing_within(self, person: str, columns: Collection[str]) -> dict[str, int]:
        by = unused_name("person", columns)
        cells = self.table.select(**{name: self.cell(name) for name in columns}, **{by: self.cell(person)})
        cells = cells.filter(cells[by].notnull())
        values = {name: cells[name].nunique() + cells[name].isnull().ifelse(1, 0).max() for name in columns}
        if not values:
            return {}
        most = cells.group_by(by).aggregate(**values)
        changing = fetched(most.aggregate(**{name: (most[name] > 1).sum() for name in columns})).to_pylist()[0]
        return {name: int(changing[name] or 0) for name in columns}

    def drop(self, columns: Collection[str]) -> TableRecords:
        after = self._without(columns)
        vars(after)["found"] = self.found  # the others are as they were, and so is what was counted of them
        if "n_records" in vars(self):
            after._knows(self.n_records, _without(self._few, columns))
        return after

    @_remembered
    def _without(self, columns: Collection[str]) -> TableRecords:
        beside = tuple(name for name in self.beside if name not in columns)
        orders, made_in = _without(self.orders, columns), _without(self.made_in, columns)
        return TableRecords(self.table.drop(*columns), orders, made_in, beside)

    @_remembered
    def copy_column(self, column: str, name: str) -> TableRecords:
        table, few = self.table.mutate(**{name: self.table[column]}), self.counts_if_few(column)
        orders = {} if few is None else {name: few.values}  # of too many values the order does not matter
        return TableRecords(table, {**self.orders, **orders}, self.made_in, (*self.beside, name))

    def with_columns_of(self, before: Records, names: Mapping[str, str]) -> TableRecords:
        changes, records = list[Callable[[TableRecords], TableRecords]](), self
        while not (isinstance(before, TableRecords) and records._is_same(before)):
            if records.made_of is None or records.again is None:
                raise InputError(UNKNOWN_ROWS, code="rows-not-known")
            changes.append(records.again)
            records = records.made_of
        for column, name in names.items():
            records = records.copy_column(column, name)
        for change in reversed(changes):
            records = change(records)
        return replace(records, made_in=self.made_in)  # where values are counted already

    def _is_same(self, other: TableRecords) -> bool:
        return self is other or self.table.equals(other.table)

    def settled(self, layout: TablesLayout, recoded: str | None = None) -> TableRecords:
        if recoded is None:
            return self._settled(layout, recoded)
        if recoded not in self.columns:
            return self
        after = self._settled(layout, recoded)
        after._knows(self.n_records, _without(self._few, [recoded]))
        return after

    @_remembered
    def _settled(self, layout: TablesLayout, recoded: str | None) -> TableRecords:
        return replace(self, table=settled_table(self.table, layout, recoded))

    @_remembered
    def with_row_keys(self, name: str) -> TableRecords:
        table = with_row_keys(self.table, self.columns, name)
        return TableRecords(table, self.orders, self.made_in, (*self.beside, name))

    def in_any(
        self,
        others: Sequence[tuple[Records, Mapping[str, str], str]],
        on: str,
        absent: Mapping[str, str],
        inside: tuple[str, str],
    ) -> TableRecords:
        """The records that are in some others at least, with columns of all of those.

        Parameters
        ----------
        others : Sequence[tuple[Records, Mapping[str, str], str]]
            The others, in the same engine, each with the names here, which are not taken, by column there, and with the
            name of a column that says whether a record is in it.
        on : str
            A column of all that tells records apart.
        absent : Mapping[str, str]
            By name here, what stands in it for a record that is not in those it is of; missing where it is not named.
        inside : tuple[str, str]
            What stands for a record that is in one of them, and for one that is not.
        """
        taken = [*self.columns, *(new for _, names, flag in others for new in (*names.values(), flag))]
        table, orders, flags = self.table, dict(self.orders), list[str]()
        for other, names, flag in others:
            if not isinstance(other, TableRecords):
                raise TypeError("records in an engine cannot be joined with others elsewhere")
            flags.append(unused_name("same", [*taken, *flags]))
            theirs = other.table.select(
                **{flags[-1]: other.table[on]}, **{new: other.table[column] for column, new in names.items()}
            ).view()  # of the same table: distinguished by name
            both = table.left_join(theirs, table[on] == theirs[flags[-1]])
            lacks = theirs[flags[-1]].isnull()
            cells = {
                new: lacks.ifelse(absent[new], theirs[new]) if new in absent else theirs[new] for new in names.values()
            }
            cells[flag] = lacks.ifelse(inside[1], inside[0])
            table = both.select(*(table[name] for name in table.columns), theirs[flags[-1]], **cells)
            for column, new in names.items():
                if len(order := other.order(column)):
                    orders[new] = np.append(np.asarray(order), [absent[new]] if new in absent else [])
            orders[flag] = np.array(inside, dtype=object)
        table = table.filter(reduce(or_, (table[flag].notnull() for flag in flags))).drop(*flags)
        return TableRecords(table, orders, self.made_in, self.beside)

    @_remembered
    def renumber(self, person: str, secret: bytes) -> TableRecords:
        table, new = numbered(self.table, person, secret)
        return self._replaced(table, {person: new}, {})

    def _replaced(
        self, table: ir.Table, new: Mapping[str, str], orders: Mapping[str, np.ndarray] | None
    ) -> TableRecords:
        """The records of a table, without helping columns, with new columns in the place of old ones."""
        chosen = table.select(**{name: table[new.get(name, name)] for name in self.columns})
        made_in = {name: self.made_in.get(name, self) for name in self.columns if name not in new}
        return TableRecords(chosen, {**_without(self.orders, new), **(orders or {})}, made_in, self.beside)


def _without(by_column: Mapping[str, T], columns: Collection[str]) -> dict[str, T]:
    return {name: value for name, value in by_column.items() if name not in columns}


def _of_levels(cells: CellLabels, level: str, key: str, new: str) -> pa.Table:
    """Level, value ("" where it is missing) and label."""
    n_levels, n_values = cells.labels.shape
    keys = np.tile(np.append(cells.values, [""]), n_levels)
    texts = texts_of({key: keys, new: cells.labels.ravel()})
    return pa.table({level: np.repeat(np.arange(n_levels), n_values), key: texts[key], new: texts[new]})
