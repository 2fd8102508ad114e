"""Values that somebody had in some release, whichever: certain where all of a signature had them in some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from anonlib.counting.classes.persons.multisets import distinct_pairs, starts_of
from anonlib.counting.privacy_models import RowsKnown
from anonlib.counting.privacy_models.coded import HeldValues, sure
from anonlib.values.spellings import read_as_one
from anonlib.verdict.together.joining import Together


def certain_in_some(all_of_them: Together, harmless: Mapping[str, tuple[str, ...]], rows: RowsKnown) -> np.ndarray:
    """Of whom it is certain that they had a value in some release, though maybe not in which.

    Of two persons of one signature, the illness of the first in March may be that of the second in April, and
    the other way round: both had both.

    Parameters
    ----------
    all_of_them : Together
        Who is in some of the releases.
    harmless : Mapping[str, tuple[str, ...]]
        By the name of a sensitive column there, labels that anybody may be sure of.
    rows : RowsKnown
        What is known of a person's rows.

    Returns
    -------
    ndarray of bool
        An item a row (profile) of ``all_of_them.coded``.
    """
    coded = all_of_them.coded
    names = defaultdict[str, list[str]](list)
    for of_release in all_of_them.sensitive:
        for name, column in of_release.items():
            names[column].append(name)
    certain = np.zeros(len(coded.counts), dtype=bool)
    several = [of_column for of_column in names.values() if len(of_column) > 1]
    peers = coded.peers(all_of_them.columns, rows) if several else None
    for of_column in several:
        assert peers is not None
        held, harms = _held_in_some(all_of_them, of_column, harmless)
        certain |= sure(peers, coded.counts, held, harms, 0.0).holders(peers)
    return certain


def _held_in_some(
    all_of_them: Together, names: list[str], harmless: Mapping[str, tuple[str, ...]]
) -> tuple[HeldValues, np.ndarray]:
    """The values that each has in some of several columns, by codes of all of their labels, and which of these harm."""
    coded = all_of_them.coded
    labels = {name: all_of_them.rows_labels(name) for name in names}
    texts = np.array([*dict.fromkeys(text for name in names for text in labels[name]), None], dtype=object)[:-1]
    first = read_as_one(texts)
    place = dict(zip(texts.tolist(), range(len(texts)) if first is None else first.tolist(), strict=True))
    harms = np.zeros(len(texts), dtype=bool)
    holder, value = list[np.ndarray](), list[np.ndarray]()
    for name in names:
        held, number = coded.held(name), np.array([place[text] for text in labels[name]], dtype=np.intp)
        harms[number[coded.harms(name, harmless[name])[: len(number)]]] = True
        holder.append(np.repeat(np.arange(len(coded.counts)), np.diff(held.start)))
        value.append(number[held.value])
    owner, once, _ = distinct_pairs(np.concatenate(holder), np.concatenate(value), max(1, len(texts)))
    return HeldValues(starts_of(owner, len(coded.counts)), once, max(1, len(texts))), harms
