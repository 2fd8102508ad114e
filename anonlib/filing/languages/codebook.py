"""A codebook in another language: headings and what it says of columns; names, labels and codes stay as they are."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.filing.languages import ENGLISH, languages
from anonlib.filing.languages.translator import Translator
from anonlib.release.codebook import OWN_WORDS, THEN, WITH_NAMES, Codebook


def translated(book: Codebook, language: str) -> tuple[Codebook, tuple[str, ...]]:
    """A codebook in another language.

    Parameters
    ----------
    book : Codebook
        In English.
    language : str
        A code of :func:`anonlib.filing.languages.languages`.

    Returns
    -------
    Codebook, tuple of str
        The codebook, and its texts that stay English in part, since no message has them.

    Raises
    ------
    InputError
        For an unknown language.
    """
    if language not in languages():
        raise InputError(f"The language of a codebook is one of: {', '.join(languages())}.", code="choice-unknown")
    if language == ENGLISH:
        return book, ()
    plain, with_names = Translator(language), Translator(language, book.names)
    columns, levels = book.columns.copy(), book.levels.copy()
    then = f"; {plain.text(THEN.strip('; '))} "
    for heading in OWN_WORDS:
        columns[heading] = _each(columns[heading], plain)
    for heading in WITH_NAMES:
        columns[heading] = columns[heading].map(lambda text: then.join(map(with_names.text, text.split(THEN))))
    for is_empty, translator in ((True, plain), (False, with_names)):
        some = levels["level"].isna() == is_empty
        levels.loc[some, "meaning"] = _each(levels.loc[some, "meaning"], translator)
    translation = replace(
        book,
        columns=columns.rename(columns=plain.text),
        levels=levels.rename(columns=plain.text),
        notes=tuple(with_names.text(note) for note in book.notes),
        sheets=(plain.text(book.sheets[0]), plain.text(book.sheets[1]), plain.text(book.sheets[2])),
    )
    return translation, tuple(dict.fromkeys([*plain.missing, *with_names.missing]))


def _each(texts: pd.Series, translator: Translator) -> pd.Series:
    """Texts in the language, each looked for once."""
    return texts.map({text: translator.text(text) for text in texts.unique()})
