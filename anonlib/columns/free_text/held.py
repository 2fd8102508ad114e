"""The texts of a column of records, in memory or in an engine."""

from __future__ import annotations

from anonlib.columns.free_text.column import FreeText, holds_sentences, look_inside
from anonlib.reading.records import Records


def is_text(held: Records, column: str) -> bool:
    """Whether a column is one of free text, as :func:`holds_sentences` has it, looked at once.

    Parameters
    ----------
    held : Records
        The records; the texts of the column's profile are looked at.
    column : str
        Its name.

    Returns
    -------
    bool
    """
    key = "is text", column
    if key not in held.remembered:
        held.remembered[key] = holds_sentences(held.profile(column).texts.tolist())
    return held.remembered[key]


def texts_in(held: Records, column: str) -> FreeText | None:
    """What the texts of a column hold, looked at once; None for a column of other things.

    Parameters
    ----------
    held : Records
        The records. Of an engine's that has too many texts to be fetched, those of the column's profile are looked at.
    column : str
        Its name.

    Returns
    -------
    FreeText or None
    """
    key = "texts in", column
    if key not in held.remembered:
        held.remembered[key] = _texts(held, column) if is_text(held, column) else None
    return held.remembered[key]


def _texts(held: Records, column: str) -> FreeText:
    profile = held.profile(column)
    if not profile.exact:
        return look_inside(profile.texts, n_texts=profile.distinct)
    counts = held.counts_of(column)
    return look_inside(counts.values, counts.records)
