"""A data set: its cells as text, what each column is, and the digest that names it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonlib.classes import ClassTable, Missing
from anonlib.errors import InputError
from anonlib.roles import Role
from anonlib.values import text_categorical

if TYPE_CHECKING:
    import ibis.expr.types as ir

_SINGLE = (Role.PERSON_ID, Role.WEIGHT)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Person-level records with a role a column. Immutable: every change is a new data set.

    Attributes
    ----------
    name : what the officer calls it (a file name; text, never a path).
    digest : SHA-256 of the bytes it was read from (of the values, when made from a frame; of the query and
        its schema, when the records stay in a database), as 64 hexadecimal digits.
    frame : records x columns, every column a categorical of text, missing = code -1. None in a database.
    table : the Ibis table, when the records stay in a database.
    roles : column -> role, as accepted by the officer. A column without one takes part in nothing.
    missing : a missing quasi-identifier is a value of its own ("category") or leaves the record out ("drop").
    prepared : what was done to the file's text before this point (reading options, marks, a recipe), as text
        that enters ``key``.
    withheld : columns of persons or weights that were dropped: no longer among ``columns`` and never released, but
        counts go on being of persons.
    """

    name: str
    digest: str
    frame: pd.DataFrame | None = None
    table: ir.Table | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    missing: Missing = "category"
    prepared: str = ""
    withheld: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        roles = {column: _role(column, role) for column, role in self.roles.items()}
        known = {*self.columns, *self.withheld}
        for column in roles:
            if column not in known:
                raise InputError(f"There is no column named “{column}” to give a role to.")
        for role in _SINGLE:
            named = [column for column, given in roles.items() if given == role]
            if len(named) > 1:
                listed = " and ".join(f"“{column}”" for column in named)
                raise InputError(f"Only one column can be the {role.label.lower()}; {listed} are. Change one.")
        if {Role.PERSON_ID, Role.WEIGHT} <= set(roles.values()):
            raise InputError("A file has either a person id or a weight, not both. Change one of the two roles.")
        object.__setattr__(self, "roles", MappingProxyType(roles))

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, name: str = "data", digest: str | None = None, **fields) -> Dataset:
        """A data set of any frame: its columns become categoricals of text."""
        names = Counter(str(column) for column in frame.columns)
        for column, times in names.items():
            if times > 1:
                raise InputError(f"{times} columns are named “{column}”. Give each column a name of its own.")
        text = pd.DataFrame({str(column): _as_text(frame[column]) for column in frame.columns}, index=frame.index)
        return cls(name, digest or _digest_of(text), text.reset_index(drop=True), **fields)

    @classmethod
    def from_ibis(cls, table: ir.Table, name: str = "table", **fields) -> Dataset:
        """A data set whose records stay in a database; its classes are counted there."""
        import ibis

        described = f"{ibis.to_sql(table)}\n{table.schema()}"
        return cls(name, hashlib.sha256(described.encode()).hexdigest(), table=table, **fields)

    @property
    def columns(self) -> list[str]:
        """The names of the columns, without those withheld: what is shown, counted as columns and released."""
        held = self.table if self.frame is None else self.frame
        assert held is not None
        return [name for name in held.columns if name not in self.withheld]

    @property
    def n_records(self) -> int:
        if self.frame is not None:
            return len(self.frame)
        assert self.table is not None
        return int(self.table.count().execute())

    @property
    def records(self) -> pd.DataFrame:
        """The frame, with what is withheld: take ``columns`` of it for what is seen or leaves.

        Raises InputError when the records stay in a database.
        """
        if self.frame is None:
            raise InputError("The records of this data set stay in a database; this needs them in memory.")
        return self.frame

    @cached_property
    def key(self) -> str:
        """Names this data set's every input to an analysis: the same key, the same answers."""
        parts = [self.digest, self.prepared, self.missing, {c: str(r) for c, r in self.roles.items()}]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def columns_with(self, *roles: Role) -> list[str]:
        """The columns that have one of the roles, in the file's order."""
        return [column for column in self.columns if self.roles.get(column) in roles]

    @property
    def quasi_identifiers(self) -> list[str]:
        """Quasi-identifiers and places: what an attacker is taken to know."""
        return self.columns_with(Role.QUASI_IDENTIFIER, Role.PLACE)

    @property
    def sensitive(self) -> list[str]:
        return self.columns_with(Role.SENSITIVE)

    @property
    def identifiers(self) -> list[str]:
        return self.columns_with(Role.IDENTIFIER)

    @property
    def person_id(self) -> str | None:
        return self._counted_by(Role.PERSON_ID)

    @property
    def weight(self) -> str | None:
        return self._counted_by(Role.WEIGHT)

    def _counted_by(self, role: Role) -> str | None:
        return next((column for column, given in self.roles.items() if given == role), None)

    @property
    def unit(self) -> str:
        """What counts are of: persons when there is a person id or a weight, else records."""
        return "persons" if self.person_id or self.weight else "records"

    def with_roles(self, roles: Mapping[str, Role | str]) -> Dataset:
        return replace(self, roles={column: _role(column, role) for column, role in roles.items()})

    def with_missing(self, missing: Missing) -> Dataset:
        return replace(self, missing=missing)

    def with_frame(self, frame: pd.DataFrame, prepared: str) -> Dataset:
        """The data set after a change to its cells, rows or columns; ``prepared`` says which."""
        roles = {column: role for column, role in self.roles.items() if column in frame.columns}
        return replace(self, frame=frame, roles=roles, prepared=self.prepared + prepared)

    def with_records(self, kept: np.ndarray, prepared: str) -> Dataset:
        """The data set with the records kept (bool, a record each); values that no longer occur are forgotten."""
        frame = self.records.loc[kept].reset_index(drop=True)
        tidy = {name: frame[name].cat.remove_unused_categories() for name in frame.columns}
        return self.with_frame(pd.DataFrame(tidy, index=frame.index), prepared)

    def with_counted(self) -> Dataset:
        """The records that a search counts: under the missing-value policy "drop", those with every quasi-identifier.

        The others are in no release. What is missing elsewhere, in a sensitive column or one that only a requirement
        names, leaves no record out of the release, and is a value of its own to the search.
        """
        if self.missing != "drop" or not self.quasi_identifiers:
            return self
        kept = self.classes().size_of_record > 0
        return self if kept.all() else self.with_records(kept, "left out")

    def without_columns(self, columns: Iterable[str]) -> Dataset:
        """The data set without some columns. What persons are counted by is withheld: counts stay of persons."""
        gone = [column for column in columns if column not in self.withheld]
        if not gone:
            return self
        counting = tuple(column for column in gone if column in (self.person_id, self.weight))
        frame = self.records.drop(columns=[column for column in gone if column not in counting])
        return replace(self.with_frame(frame, f"without {gone}"), withheld=(*self.withheld, *counting))

    def classes(self, attributes: list[str] | None = None) -> ClassTable:
        """The class table of the given attributes (none: everyone is in one class), or of the quasi-identifiers.

        Raises InputError when it is to be of the quasi-identifiers and there are none.
        """
        names = self.quasi_identifiers if attributes is None else attributes
        if attributes is None and not names:
            raise InputError("No quasi-identifiers are chosen. Say on the Data page which columns an attacker knows.")
        if self.frame is None:
            return ClassTable.from_ibis(self.table, names, self.weight, self.missing, self.person_id)
        return ClassTable.from_frame(self.frame, names, self.weight, self.missing, self.person_id)


def _role(column: str, role: Role | str) -> Role:
    try:
        return Role(role)
    except ValueError:
        raise InputError(f"The role given to “{column}” is not one of: {', '.join(Role)}.") from None


def _as_text(column: pd.Series) -> pd.Categorical:
    """The column as text in natural order; an ordered categorical of text keeps the order it states."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return text_categorical(column)
    if column.cat.ordered and all(type(value) is str for value in column.cat.categories):
        return column.array
    return text_categorical(column.array.remove_unused_categories())


def _digest_of(frame: pd.DataFrame) -> str:
    digest = hashlib.sha256()
    for column in frame.columns:
        digest.update(json.dumps([column, frame[column].cat.categories.tolist()]).encode())
        digest.update(frame[column].cat.codes.to_numpy().astype("<i4").tobytes())
    return digest.hexdigest()
