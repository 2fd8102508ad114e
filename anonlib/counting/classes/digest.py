"""What names records by what they hold, wherever they are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

import numpy as np

from anonlib.counting.classes.coding import checked_names
from anonlib.counting.classes.table import ClassTable
from anonlib.reading.records import Records
from anonlib.reading.records.table import MOST_VALUES


def content_digest(records: Records, columns: Iterable[str]) -> str:
    """SHA-256 of some columns' cells: how many records share each combination, and how many there are.

    It is the same in memory and in every engine that gives the same texts; neither the order of the rows nor that of
    the columns changes it. A column of more than a million different values is in it by its name alone.

    Parameters
    ----------
    records : Records
        The records. In an engine one GROUP BY is fetched, as large as they are where every record is another.
    columns : Iterable[str]
        Their names.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    InputError
        For an unknown or repeated column.
    """
    names = sorted(checked_names(records.columns, list(columns)))
    counted = [name for name in names if (profile := records.profile(name)).exact and profile.distinct <= MOST_VALUES]
    classes = ClassTable.from_records(records, counted)
    digest = hashlib.sha256(json.dumps([names, counted, records.n_records]).encode())
    ranks = []
    for j, categories in enumerate(classes.categories):
        texts = categories.tolist()
        order = sorted(range(len(texts)), key=lambda i: (texts[i] is not None, texts[i] or ""))
        rank = np.empty(len(order), dtype="<i4")
        rank[order] = np.arange(len(order))
        ranks.append(rank[classes.codes[:, j]])
        digest.update(json.dumps([texts[i] for i in order]).encode())
    rows = np.lexsort(ranks[::-1]) if ranks else np.arange(classes.n_classes)
    for column in (*ranks, classes.counts.astype("<i8")):
        digest.update(column[rows].tobytes())
    return digest.hexdigest()
