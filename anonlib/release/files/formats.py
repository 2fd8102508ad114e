"""The formats that a release can be taken home in, and what stands in the way of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics.words import count
from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords
from anonlib.release.files.delimited import write_csv
from anonlib.release.files.parquet import write_parquet
from anonlib.release.files.rows import ReleasedRows, neutralise
from anonlib.release.files.statistical import (
    IN_MEMORY,
    SPSS_LONGEST_TEXT,
    spss_names,
    stata_names,
    write_spss,
    write_stata,
)
from anonlib.release.files.tables import split, zipped
from anonlib.release.files.workbook import LONGEST_TEXT, MOST_ROWS, NO_XML, write_excel, write_sheets


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes
    ----------
    name : str
        What officers call it.
    ending : str
        Of the file's name, without the dot.
    write : Callable[[ReleasedRows], bytes]
        From the rows to the bytes of the file.
    obstacle : Callable[[Dataset], str]
        From what is to leave, in memory, to a sentence on why this format cannot hold it; "" where it can.
    names : Callable[[Sequence[str]], list[str]]
        From the names of columns to those that stand in the file.
    read_as : str
        What :func:`anonlib.reading.sources.kind_of` calls such a file.
    streams : bool, default False
        Whether a release that is in an engine can be written in it: CSV and Parquet alone, by :func:`write_release`.
    together : Callable[[Mapping[str, ReleasedRows]], bytes], optional
        From the rows of several tables to one file that holds them all; None where each is a file in a zip.
    """

    name: str
    ending: str
    write: Callable[[ReleasedRows], bytes]
    obstacle: Callable[[Dataset], str]
    names: Callable[[Sequence[str]], list[str]]
    read_as: str
    streams: bool = False
    together: Callable[[Mapping[str, ReleasedRows]], bytes] | None = None

    def ending_of(self, released: Dataset) -> str:
        """The ending of the file's name: several tables leave as a zip, where one file cannot hold them."""
        several = released.tables is not None and len(released.tables.files) > 1
        return f"{self.ending}.zip" if several and self.together is None else self.ending

    def written(self, released: Dataset, rows: ReleasedRows, rng: np.random.Generator) -> bytes:
        """The bytes of the file that a release leaves as; ``rng`` draws the keys between its tables, if it has any."""
        if released.tables is None:
            return self.write(rows)
        tables = split(rows, released, rng)
        if len(tables) == 1:
            return self.write(next(iter(tables.values())))
        return zipped(tables, self.ending, self.write) if self.together is None else self.together(tables)

    def why_not(self, released: Dataset) -> str:
        """Why this format cannot hold what is to leave, in a sentence; "" where it can."""
        if isinstance(released.held, TableRecords):
            return "" if self.streams else "A table that stays where it is leaves as CSV or Parquet. Take one of them."
        return self.obstacle(released)


def _none(released: Dataset) -> str:
    return ""


def _of_excel(released: Dataset) -> str:
    if released.n_records >= MOST_ROWS:
        return (
            f"A sheet of Excel holds {count(MOST_ROWS - 1, 'records')}, and this release has "
            f"{count(released.n_records)}. Take it as CSV or Parquet."
        )
    for name, texts in _columns(released):
        if any(len(text) >= LONGEST_TEXT for text in texts):
            return f"“{name}” has texts longer than a cell of Excel can hold. Take the release as CSV or Parquet."
        if any(NO_XML.search(text) for text in texts):
            return f"“{name}” has control characters, which Excel cannot hold. Take the release as CSV or Parquet."
    return ""


def _of_stata(released: Dataset) -> str:
    return _null(released, "Stata")


def _of_spss(released: Dataset) -> str:
    if not IN_MEMORY:
        return (
            "On this computer a file for SPSS could only be made on the disk, which is not done. Take another format."
        )
    for name, texts in _columns(released):
        if any(len(text.encode()) > SPSS_LONGEST_TEXT for text in texts):
            return f"“{name}” has texts longer than SPSS can hold. Take the release as CSV or Parquet."
    return _null(released, "SPSS")


def _null(released: Dataset, program: str) -> str:
    """Texts end at a null character there, and a file has columns."""
    if not released.columns:
        return f"A file for {program} has columns, and no column of this release is left. Take it as CSV or Parquet."
    for name, texts in _columns(released):
        if any("\0" in text for text in texts):
            return f"“{name}” has null characters, at which {program} ends a text. Take the release as CSV or Parquet."
    return ""


def _columns(released: Dataset) -> Iterator[tuple[str, list[str]]]:
    """Every column with its different texts, its name among them; person ids leave as numbers."""
    for name in released.columns:
        texts = [] if name == released.person_id else list(released.records[name].cat.categories)
        yield name, [name, *texts]


FORMATS: dict[str, Format] = {
    file_format.name: file_format
    for file_format in (
        Format("CSV", "csv", write_csv, _none, neutralise, "text", streams=True),
        Format("Parquet", "parquet", write_parquet, _none, list, "parquet", streams=True),
        Format("Excel", "xlsx", write_excel, _of_excel, neutralise, "xlsx", together=write_sheets),
        Format("SPSS", "sav", write_spss, _of_spss, spss_names, "spss"),
        Format("Stata", "dta", write_stata, _of_stata, stata_names, "stata"),
    )
}
"""Every format by its name, CSV first."""


def format_of(kind: str) -> Format:
    """The format of a file by its kind (:func:`anonlib.reading.sources.kind_of`); CSV for what no release leaves as.

    Parameters
    ----------
    kind : str
        As :func:`anonlib.reading.sources.kind_of` names it.

    Returns
    -------
    Format
    """
    return next((file_format for file_format in FORMATS.values() if file_format.read_as == kind), FORMATS["CSV"])
