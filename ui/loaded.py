"""A file as the officer brought it: read, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from anonlib.sources import DEFAULT_MARKS, ReadOptions, Source, apply_missing_marks, merge_lookalikes

AS_FOUND = ReadOptions()


@dataclass(frozen=True)
class Loaded:
    """A file as the officer brought it, and how it is prepared: reading options, missing marks, merged spellings."""

    data: bytes
    source: Source
    options: ReadOptions = AS_FOUND
    marks: tuple[str, ...] = DEFAULT_MARKS
    column_marks: tuple[tuple[str, str], ...] = ()  # column and mark: missing in that column only
    merged: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        return self.source.digest + self.prepared

    @cached_property
    def prepared(self) -> str:
        return repr((self.options, self.marks, self.column_marks, self.merged))

    def frame(self) -> pd.DataFrame:
        """The cells as text with the missing marks applied and the chosen columns' spellings merged."""
        frame = apply_missing_marks(self.source.frame, self.marks)
        for column, mark in self.column_marks:
            frame = apply_missing_marks(frame, {column: (mark,)})
        for column in self.merged:
            frame = merge_lookalikes(frame, column)
        return frame


@dataclass(frozen=True)
class Refused:
    """A file that could not be read as it is, kept so that the officer can say how to read it."""

    data: bytes
    name: str
    message: str
