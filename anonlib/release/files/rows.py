"""What leaves, row by row: order is drawn, persons are numbers or pseudonyms, columns of numbers known as such.

First come texts that a spreadsheet would run as a formula, made plain text; then come the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from anonlib.dataset import Dataset
from anonlib.reading.sources import Described
from anonlib.release.meanings import stand_for
from anonlib.release.pseudonyms import PersonsByKey
from anonlib.values.cells import is_code, natural_order, to_numbers

# Characters that take no room, which a spreadsheet may drop as it imports: of control and of format, and fillers,
# joiners of marks and selectors of variants.
_UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd"
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Spreadsheets take the full-width signs for the plain ones.
_FORMULA = re.compile(rf"[\t\r\n]|[\s{_UNSEEN}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]")
MAY_NEED_IT = "[;\t\r\n=+@\\-\uff1d\uff0b\uff0d\uff20]"
"""What is found in every text that :func:`neutralise` changes, among others, for an engine to search for."""
_SEPARATOR = re.compile(r"(;|(?<=[\s\S])[\t\r\n])")  # a tab or line end in front has its apostrophe already


def neutralise(texts: Iterable[str]) -> list[str]:
    """Texts that a spreadsheet would run as a formula get an apostrophe in front; numbers stay numbers.

    So do parts of a text behind a semicolon, a tab or a line end: a spreadsheet whose lists are separated by semicolons
    begins a cell there.
    """
    listed = [str(text) for text in texts]
    numeric = ~np.isnan(to_numbers(listed)) if listed else []
    return [text if number else _harmless(text) for text, number in zip(listed, numeric, strict=True)]


def _harmless(text: str) -> str:
    first = "'" if _FORMULA.match(text) else ""
    if not _SEPARATOR.search(text):
        return first + text
    parts = _SEPARATOR.split(text)  # a text, then a separator and a text each time
    for i in range(2, len(parts), 2):
        if _FORMULA.match(parts[i]) and np.isnan(to_numbers([parts[i]])[0]):
            parts[i] = "'" + parts[i]
    return first + "".join(parts)


_PLAIN_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_RANGE = re.compile(r"[\[(<>≤≥]?-?[0-9.]+(?:(?:-|, | to )-?[0-9.]+)?[\])+]?")
_MOST_READ = 1_000  # labels whose order is that of what they say: of more nobody goes through them
_EXACT_DIGITS = 15  # so many decimal digits a float keeps


@dataclass(frozen=True, eq=False)
class ReleasedColumn:
    """One column of a release.

    Attributes
    ----------
    name : str
        Its name in the release.
    labels : np.ndarray
        Object array, the different texts that occur in it, in an order that they have by themselves.
    codes : np.ndarray
        Intp, per row a position in ``labels``, -1 where the cell is missing.
    numbers : np.ndarray | None
        float64, per label its number, where the column is one of numbers; else None.
    is_person : bool
        Whether the labels are the numbers drawn for persons, or their pseudonyms.
    meanings : Mapping[str, str], optional
        What labels mean, by label, and under "" what an empty cell does; empty where that is not known.
    described : Described, optional
        What the original's file or a dictionary says of the column.
    of_codes : Mapping[str, str], optional
        By label that is a code of the original, or that a value of the original was labelled as, what it stands for.
    """

    name: str
    labels: np.ndarray
    codes: np.ndarray
    numbers: np.ndarray | None
    is_person: bool
    meanings: Mapping[str, str] = field(default_factory=dict)
    described: Described | None = None
    of_codes: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What it is, in words; its name where that is not known."""
        return (self.described.in_words if self.described is not None else "") or self.name

    def in_words(self, label: str) -> str:
        """What a label stands for: a code by what it is a code of, a range with its unit."""
        if label in self.of_codes:
            return self.of_codes[label]
        return with_unit(label, self.described)

    @property
    def texts(self) -> np.ndarray:
        """object array, per row its text; None where the cell is missing."""
        return np.append(self.labels, [None])[self.codes]

    @property
    def floats(self) -> np.ndarray:
        """float64, per row its number, for a column of numbers; NaN where the cell is missing."""
        assert self.numbers is not None
        return np.append(self.numbers, np.nan)[self.codes]


@dataclass(frozen=True, eq=False)
class ReleasedRows:
    """A release in the order in which its rows leave.

    Attributes
    ----------
    columns : tuple[ReleasedColumn, ...]
        Its columns.
    n_rows : int
        Its rows.
    order : np.ndarray, optional
        int64, per row the record of the data set that it is; None where that is not known any more.
    """

    columns: tuple[ReleasedColumn, ...]
    n_rows: int
    order: np.ndarray | None = None


def release_rows(
    released: Dataset,
    rng: np.random.Generator,
    meanings: Mapping[str, Mapping[str, str]] | None = None,
    by_key: PersonsByKey | None = None,
) -> ReleasedRows:
    """The rows of a release in an order drawn at random, with numbers drawn likewise for person ids.

    Parameters
    ----------
    released : Dataset
        What is to leave; identifiers are gone already.
    rng : np.random.Generator
        numpy.random.Generator Draws the order first and then, column by column, the numbers; to be as secret as the
        original.
    meanings : Mapping[str, Mapping[str, str]], optional
        By column what its labels mean (:attr:`ReleasedColumn.meanings`).
    by_key : PersonsByKey, optional
        What names persons; numbers are drawn when left out. A row without a person id has none in either.

    Returns
    -------
    ReleasedRows
        A label that no row has is forgotten. Types, codes and orders are those of the labels that leave: they do not
        tell which columns were recoded, nor of what a label was made.

    Raises
    ------
    InputError
        When two persons would get one pseudonym.
    """
    order = rng.permutation(released.n_records)
    columns = []
    coded = released.in_codes()
    for name in released.columns:
        column = coded.records[name].cat
        codes, is_person = column.codes.to_numpy()[order], name == released.person_id
        labels = column.categories.to_numpy(dtype=object)
        if is_person and by_key is None:
            labels = np.array([*map(str, rng.permutation(len(labels)) + 1), None], dtype=object)[:-1]
        labels, codes = _used(labels, codes)
        if is_person and by_key is not None:
            labels = by_key.of(labels, name)
        labels, codes = _in_order(labels, codes)
        numbers = None if is_person else as_numbers(labels)
        of_labels = (meanings or {}).get(name, {})
        described = released.described.get(name)
        of_codes = {code: label for label, code in coded.codes.get(name, {}).items() if code in {*labels}}
        if not of_codes and described is not None and not is_person:
            of_codes = stand_for(described, labels.tolist())  # of a scale, or of codes that are shown as they are
        columns.append(ReleasedColumn(name, labels, codes, numbers, is_person, of_labels, described, of_codes))
    return ReleasedRows(tuple(columns), released.n_records, order)


def _in_order(labels: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels in their own order, in which nothing is left of that of what they were made of, and the codes for them."""
    order = natural_order(labels) if len(labels) <= _MOST_READ else np.argsort(labels)
    place = np.full(len(labels) + 1, -1)
    place[order] = np.arange(len(labels))
    return labels[order], place[codes]


def with_unit(label: str, described: Described | None) -> str:
    """A range of numbers, or a number, with the unit of its column: ``30-39 years``."""
    unit = "" if described is None else described.unit
    return f"{label} {unit}" if unit and unit not in label and _RANGE.fullmatch(label) else label


def as_numbers(labels: np.ndarray) -> np.ndarray | None:
    """The numbers that a column's different texts are, where each is written as one and none loses by being one.

    Parameters
    ----------
    labels : np.ndarray
        Different texts, missing ones left out.

    Returns
    -------
    float64 array or None
        None where a text is no plain decimal number of at most 15 digits, has a zero in front, or is equal to another
        as a number; and for codes such as postcodes (:func:`anonlib.values.cells.is_code`).

    Examples
    --------
    >>> as_numbers(np.array(["7", "12.50"], dtype=object)), as_numbers(np.array(["02138", "90210"], dtype=object))
    (array([ 7. , 12.5]), None)
    """
    texts = [str(label) for label in labels]
    plain = all(_PLAIN_NUMBER.fullmatch(text) and sum(map(str.isdigit, text)) <= _EXACT_DIGITS for text in texts)
    if not texts or not plain or is_code(texts):
        return None
    numbers = np.array([float(text) for text in texts])
    return numbers if len(np.unique(numbers)) == len(numbers) else None


def _used(labels: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Only the labels that a row has, and the codes for them."""
    used = np.bincount(codes[codes >= 0], minlength=len(labels)) > 0
    place = np.append(np.cumsum(used) - 1, -1)
    return labels[used], place[codes]
