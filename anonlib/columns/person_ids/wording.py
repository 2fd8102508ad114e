"""What is doubtful about person ids, in sentences that quote no id."""

from __future__ import annotations

import re

from anonlib.basics.words import count, quoted, share
from anonlib.columns.person_ids.doubts import IdDoubts

_SETTING = re.compile(r" on Data \((?:person_ids: \w+|marks_of_columns)\)")


def in_words(doubts: IdDoubts | None) -> tuple[str, ...]:
    """Sentences on what is doubtful, each with what it does to counts of persons and with the way out.

    Parameters
    ----------
    doubts : IdDoubts, optional
        What is doubtful; None where a file has no column of person ids.

    Returns
    -------
    tuple of str
        Empty where nothing is doubtful. The settings that they name stand on the page Data and, for projects in TOML,
        under ``[read]``.
    """
    if doubts is None or not doubts:
        return ()
    sentences = [
        _repeated(doubts),
        _blanks(doubts),
        _spellings(doubts),
        _placeholders(doubts),
        _several(doubts),
        _visits(doubts),
    ]
    if doubts.too_many:
        sentences.append(
            f"“{doubts.column}” has more than a million different values in a database, which are not compared: check "
            "there that each is one person."
        )
    return tuple(sentence for sentence in sentences if sentence)


def without_settings(sentence: str) -> str:
    """A sentence of :func:`in_words` for the page that has a switch in the place of the setting that it names.

    Parameters
    ----------
    sentence : str
        One of them.

    Returns
    -------
    str
    """
    return _SETTING.sub(" below", sentence)


def _repeated(doubts: IdDoubts) -> str:
    if not doubts.repeated:
        return ""
    named = doubts.rows - doubts.without
    return (
        f"“{doubts.column}” has {doubts.ids:,} different ids in {count(named, 'rows')}, and each row counts as a "
        "person. If rows of one id are of one person, k is lower than it looks: give it the role Person id on Data."
    )


def _blanks(doubts: IdDoubts) -> str:
    rows = share(doubts.without, doubts.rows, "rows")
    if doubts.fill:
        others = [name for name in doubts.fill if name != doubts.column]
        beside = f", as do {quoted(others)}" if others else ""
        way = (
            "Fill them down on Data (person_ids: fill_down) if the rows below are of the person above."
            if doubts.in_order
            else "Of a database or of several tables that cannot be done here: fill them down before they are opened."
        )
        return (
            f"“{doubts.column}” seems to stand in the first row of each person alone{beside}: {rows} have no id, and "
            f"each counts as a person of its own. k may be far lower than it looks. {way}"
        )
    if not doubts.without or not doubts.counts:
        return ""
    return (
        f"In “{doubts.column}”, {rows} have no id, and each counts as a person of its own. If some are of one person, "
        "k is lower than it looks."
    )


def _spellings(doubts: IdDoubts) -> str:
    if not doubts.spellings:
        return ""
    return (
        f"In “{doubts.column}”, {doubts.spellings:,} ids are {count(doubts.spelled, 'numbers')} written in several "
        "ways, and each spelling counts as a person. k may be far lower than it looks. Let spellings of one "
        "number be one id on Data (person_ids: one_spelling)."
    )


def _placeholders(doubts: IdDoubts) -> str:
    if not doubts.placeholder_rows:
        return ""
    marks = count(doubts.n_placeholders, "placeholders")
    return (
        f"In “{doubts.column}”, {share(doubts.placeholder_rows, doubts.rows, 'rows')} have a placeholder in the place "
        f"of an id ({marks} in all), and all rows of one count as one person. k may be wrong. Let it mean “no id” on "
        "Data (marks_of_columns): then each such row is a person of its own."
    )


def _visits(doubts: IdDoubts) -> str:
    if not doubts.beginnings:
        return ""
    return (
        f"Ids of “{doubts.column}” end in a visit: {doubts.ids:,} ids have {count(doubts.beginnings, 'beginnings')}. "
        "If a beginning is a person, k is far lower than it looks: make a column of the beginnings before the file is "
        "opened."
    )


def _several(doubts: IdDoubts) -> str:
    if not doubts.differing and not doubts.site:
        return ""
    if doubts.differing:
        differ = share(doubts.n_differing, doubts.n_compared, "ids of several rows")
        says = (
            f"By “{doubts.column}”, {differ} have rows that differ in {quoted(doubts.differing, last='or')}, more than "
            "slips of typing would: several persons may count as one, and k may be wrong."
        )
    else:
        says = (
            f"Ids of “{doubts.column}” are running numbers that several values of “{doubts.site}” have: several "
            "persons may count as one, and k may be wrong."
        )
    if doubts.site:
        persons = count(doubts.persons_by_site, "persons")
        return (
            f"{says} Beside “{doubts.site}” there are {persons}: if each gives its own numbers, let both together be "
            "the id on Data (person_ids: within)."
        )
    return f"{says} Check whether “{doubts.column}” is the number of a person."
