"""A file as the officer brought it, and how it is prepared before any analysis sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from anonlib.classes import Missing
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.project.files import FileRead
from anonlib.records import FrameRecords
from anonlib.sources import (
    AS_FOUND,
    DEFAULT_MARKS,
    ReadOptions,
    Source,
    apply_missing_marks,
    merge_lookalikes,
    open_source,
)


@dataclass(frozen=True)
class Loaded:
    """A file as the officer brought it, and how it is prepared: reading options, missing marks, merged spellings.

    Attributes
    ----------
    data : the file's bytes.
    source : how they are read.
    options, marks, column_marks, merged : as of :class:`FileRead`.
    """

    data: bytes
    source: Source
    options: ReadOptions = AS_FOUND
    marks: tuple[str, ...] = DEFAULT_MARKS
    column_marks: tuple[tuple[str, str], ...] = ()
    merged: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: bytes, name: str) -> Loaded:
        """A file read as its content suggests. Raises InputError where it cannot be read."""
        return cls(data, open_source(data, name))

    @cached_property
    def key(self) -> str:
        """Names what :meth:`frame` gives: the same key, the same cells."""
        return self.source.digest + self.prepared

    @cached_property
    def prepared(self) -> str:
        """How it is prepared, as text."""
        return repr((self.options, self.marks, self.column_marks, self.merged))

    def frame(self) -> pd.DataFrame:
        """The cells as text with the missing marks applied and the chosen columns' spellings merged."""
        frame = apply_missing_marks(self.source.frame, self.marks)
        for column, mark in self.column_marks:
            frame = apply_missing_marks(frame, {column: (mark,)})
        for column in self.merged:
            frame = merge_lookalikes(frame, column)
        return frame

    def dataset(self, frame: pd.DataFrame, missing: Missing) -> Dataset:
        """The data set of :meth:`frame`, without roles."""
        held = FrameRecords(frame)
        return Dataset(self.source.name, self.source.digest, held, prepared=self.prepared, missing=missing)

    @property
    def as_read(self) -> FileRead:
        """Which file it is and how it is read, for a project."""
        frame = self.source.frame
        return FileRead(
            self.source.digest, self.source.name, len(frame), tuple(frame.columns),
            self.options, self.marks, self.column_marks, self.merged,
        )  # fmt: skip

    def read_as(self, file: FileRead | None) -> tuple[Loaded, str]:
        """The file read and prepared as a project has it.

        Returns
        -------
        tuple of Loaded and str
            Where it cannot be read so: as it is read now, but for marks and spellings, and why in a sentence; else "".
        """
        if file is None:
            return self, ""
        loaded, why_not = self, ""
        if file.options != self.options:
            try:
                source = open_source(self.data, self.source.name, file.options)
                loaded = replace(self, source=source, options=file.options)
            except InputError as error:
                why_not = f"It is not read as the project says: {error}"
        columns = set(loaded.source.frame.columns)
        marks = tuple(pair for pair in file.column_marks if pair[0] in columns)
        merged = tuple(name for name in file.merged if name in columns)
        if (file.marks, marks, merged) != (loaded.marks, loaded.column_marks, loaded.merged):
            loaded = replace(loaded, marks=file.marks, column_marks=marks, merged=merged)
        return loaded, why_not
