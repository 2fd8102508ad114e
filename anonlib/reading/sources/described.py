"""What is known of a column besides its cells: what it is called, and what its codes stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonlib.values.cells import to_numbers

MEASURES = ("nominal", "ordinal", "scale")
"""Levels of measurement that a file can name."""
LONGEST_TITLE = 300
"""Most characters of a title."""
_ENOUGH = 0.5  # more of a column's values must have a label, or they are a scale with exceptions


@dataclass(frozen=True)
class Described:
    """What a file, or a dictionary beside it, says of a column.

    Attributes
    ----------
    name : str
        The column's name.
    title : str, default ""
        What it is, in words; "" where that is not known.
    unit : str, default ""
        Of its numbers, such as ``years``; "".
    labels : tuple[tuple[str, str], ...], default ()
        A code that its cells can have, and what it stands for.
    missing : tuple[str, ...], default ()
        Codes that mean that there is no value.
    measure : str, default ""
        One of :data:`MEASURES`; "".
    format : str, default ""
        The name of a list of labels that another file has (SAS); "".
    identifies : bool, default False
        Whether the column is declared to identify persons (REDCap).
    """

    name: str
    title: str = ""
    unit: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    measure: str = ""
    format: str = ""
    identifies: bool = False

    @property
    def in_words(self) -> str:
        """What it is, with the unit: ``Age, years``; "" where nothing is known."""
        has_unit = self.unit and self.unit.casefold() in self.title.casefold()
        return ", ".join(part for part in (self.title, "" if has_unit else self.unit) if part)

    @property
    def shown_name(self) -> str:
        """What the column is called on screen: ``Age, years (AGEP)``, and its name where that says as much."""
        words = self.in_words
        if not words or _plain(words) == _plain(self.name):
            return self.name
        return f"{words} ({self.name})"

    def over(self, other: Described | None) -> Described:
        """The same, with what only another description of the column says."""
        if other is None:
            return self
        own = {name: value for name, value in vars(self).items() if value}
        return replace(other, **own)


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def labels_of(described: Described, values: Sequence[str] | np.ndarray) -> dict[str, str]:
    """By value of a column, the label by which its cells are shown; empty where they are shown as they are.

    A value has the label of the code that it is, as text or as a number (``01`` is ``1``). Two codes of one label are
    shown with their codes. Where no more than half of the values have a label they are a scale with exceptions, as
    ages up to "90 or older" are, and stay as they are; so does a column where a label could be mistaken for a value.

    Parameters
    ----------
    described : Described
        What is known of the column.
    values : Sequence[str] | np.ndarray
        Its different values.

    Returns
    -------
    dict[str, str]
    """
    labels = known_labels(described, [str(value) for value in values])
    counted = [value for value in values if value not in described.missing]
    if sum(value in labels for value in counted) <= _ENOUGH * len(counted):
        return {}
    others = {str(value) for value in values if value not in labels}
    times: dict[str, int] = {}
    for label in labels.values():
        times[label] = times.get(label, 0) + 1
    shown = {
        value: f"{label} ({value})" if times[label] > 1 or label in others else label for value, label in labels.items()
    }
    distinct = len({*shown.values(), *others}) == len(shown) + len(others)
    return shown if distinct and any(value != label for value, label in shown.items()) else {}


def known_labels(described: Described, values: Sequence[str]) -> dict[str, str]:
    """By value that has one, its label, however few have one.

    Parameters
    ----------
    described : Described
        What is known of the column, its labels among it.
    values : Sequence[str]
        Its distinct values, as they stand in the file.

    Returns
    -------
    dict[str, str]
    """
    exact = {code: " ".join(label.split()) for code, label in described.labels if label.strip()}
    if not exact:
        return {}
    numbers = dict(zip(to_numbers(list(exact)).tolist(), exact.values(), strict=True))
    same_number = to_numbers(list(values))
    unique = dict(zip(*np.unique(same_number, return_counts=True), strict=True))
    labels = {}
    for value, number in zip(values, same_number.tolist(), strict=True):
        label = exact.get(value) or exact.get(value.strip())
        if label is None and number == number and unique[number] == 1:
            label = numbers.get(number)
        if label is not None:
            labels[value] = label
    return labels


def by_name(described: Iterable[Described], columns: Iterable[str]) -> dict[str, Described]:
    """By column, what is known of it: by its very name, else by one that differs in case and signs alone.

    A name with parts (``Patient.birthDate``) is that of its last part as well, where no other has it.

    Parameters
    ----------
    described : Iterable[Described]
        What is known, by its own names.
    columns : Iterable[str]
        The names of the file's columns.

    Returns
    -------
    dict[str, Described]
    """
    exact: dict[str, Described] = {}
    alike: dict[str, Described] = {}
    parts: dict[str, Described | None] = {}
    for description in described:
        exact.setdefault(description.name, description)
        alike.setdefault(_plain(description.name), description)
        part = _plain(description.name.rpartition(".")[2])
        parts[part] = None if part in parts else description
    by_column = {}
    for column in columns:
        known = exact.get(column) or alike.get(_plain(column)) or parts.get(_plain(column))
        if known is not None:
            by_column[column] = replace(known, name=column)
    return by_column
