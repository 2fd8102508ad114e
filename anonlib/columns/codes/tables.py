"""Classifications written as tables: the block and the chapter of each category, and groups that are first characters.

A table has a line a chapter: its first and last category, a few words, and behind a colon its blocks. ``C43-C44+C4A``
is a block with one category more. A category that no block names is a block of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from anonlib.columns.codes.system import Groups

MOST = 0.5  # of the values, from which they are mostly of a form
_WITH_TEXT = re.compile(r"(\S+?):?\s+(?:[-–:|]\s+)?\(?[^\W\d].*", re.DOTALL)


def code_of(text: str) -> str:
    """What may be a code, in upper case: the text, or what stands in front of words (``E11 Diabetes`` -> ``E11``)."""
    text = text.strip()
    match = _WITH_TEXT.fullmatch(text)
    return (text if match is None else match[1]).upper()


def groups_of_table(table: str, order: Sequence[str]) -> dict[str, Groups]:
    """Category, block and chapter of each category, and of the labels of blocks and chapters themselves.

    Parameters
    ----------
    table : str
        As at the head of this module.
    order : Sequence[str]
        All categories that a range may reach over, in their order.

    Returns
    -------
    dict
        By category or label: the labels of its category, block and chapter.
    """
    place = {category: i for i, category in enumerate(order)}

    def between(span: str) -> Sequence[str]:
        first, _, last = span.partition("-")
        return order[place[first] : place[last or first] + 1]

    groups: dict[str, Groups] = {}
    for line in table.strip().splitlines():
        head, _, blocks = line.partition(":")
        chapter = head.split()[0]
        groups |= {category: (category, category, chapter) for category in between(chapter)}
        for block in blocks.split():
            label, *more = block.split("+")
            groups |= {category: (category, label, chapter) for category in (*between(label), *more)}
            if "-" in label:
                groups[label] = (label, label, chapter)
        if "-" in chapter:
            groups[chapter] = (chapter, chapter, chapter)
    return groups


def titles_of_table(table: str) -> dict[str, str]:
    """What each chapter of a table is about, by its label."""
    heads = (line.partition(":")[0].partition(" ") for line in table.strip().splitlines())
    return {label: title.strip() for label, _, title in heads}


def prefixes(code: str, lengths: Sequence[int]) -> Groups:
    """The first characters of a code, so many on each level.

    Examples
    --------
    >>> prefixes("C09AA05", (5, 4, 3, 1))
    ('C09AA', 'C09A', 'C09', 'C')
    """
    return tuple(code[:length] for length in lengths)


def mostly(form: str) -> Callable[[Sequence[str]], bool]:
    """Whether at least half of some texts have a form, given as a regular expression."""
    pattern = re.compile(form)

    def are(texts: Sequence[str]) -> bool:
        return sum(pattern.fullmatch(text.strip().upper()) is not None for text in texts) >= MOST * len(texts)

    return are
