"""Records whose codes are shown by their labels, and the same in their codes again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from anonlib.reading.records import Labels, Records, TableRecords
from anonlib.reading.sources import Described, labels_of

LabelsOfColumns = Mapping[str, Mapping[str, str]]
"""By column, by value, its label."""


def shown_by_labels(records: Records, labels: LabelsOfColumns) -> Records:
    """The records with the cells of some columns shown by their labels, in the order of the values."""
    for column, of_value in labels.items():
        values = records.values(column)
        records = records.recode(column, _relabelling(values, of_value))
    return records


def few_values(records: Records, column: str) -> np.ndarray:
    """The different values of a column; none where an engine has too many of them to be fetched."""
    if isinstance(records, TableRecords) and records.counts_if_few(column) is None:
        return np.array([], dtype=object)
    return records.values(column)


def in_codes(records: Records, codes: LabelsOfColumns) -> tuple[Records, list[str]]:
    """The records with labels turned back into the codes that they stand for, wherever a cell still is one.

    Parameters
    ----------
    records : Records
        What became of records that :func:`shown_by_labels` made.
    codes : LabelsOfColumns
        By column, by label, its code. A column in which a code would be what another cell is stays as it is: two values
        would be one.

    Returns
    -------
    tuple of Records and list of str
        With the names of the columns that have codes again.
    """
    turned = []
    for column, of_label in codes.items():
        if column not in records.columns:
            continue
        values = records.values(column)
        relabelled = _relabelling(values, of_label)
        if len(set(relabelled.labels)) == len(values):
            records = records.recode(column, relabelled)
            turned.append(column)
    return records, turned


def shown_alike(records: Records, codes: LabelsOfColumns) -> Records:
    """Other records with the codes of some columns shown by the same labels; labels and other values stay.

    Parameters
    ----------
    records : Records
        Of another file, which has codes or labels.
    codes : LabelsOfColumns
        By column, by label, its code.
    """
    for column, of_label in codes.items():
        if column not in records.columns:
            continue
        values = few_values(records, column)
        others = [value for value in values if value not in of_label]
        labels = labels_of(Described(column, labels=tuple((code, label) for label, code in of_label.items())), others)
        if labels and not set(labels.values()) & set(values):
            records = records.recode(column, _relabelling(values, labels))
    return records


def _relabelling(values: np.ndarray, labels: Mapping[str, str]) -> Labels:
    return Labels.as_they_come(values, np.array([*(labels.get(value, value) for value in values), None], object)[:-1])
