"""Which column of one table is which of another, by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from anonlib.columns.identifiers.names import kind_of_name
from anonlib.values.naming import name_tokens

_PEOPLE = ("demographic", "place", "date")


def pair_columns(names: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """The column of another table that each column is.

    The same name first, then the same words whatever their case and the signs between them (``AgeGroup`` is
    ``age_group``), then the same kind of fact about people (``ZCTA5`` is ``zip``); the latter two only if a single
    column on each side is so.

    Parameters
    ----------
    names : Iterable[str]
        Columns of the one table.
    others : Iterable[str]
        Columns of the other.

    Returns
    -------
    dict of str by str
        Those of ``names`` that have a column among ``others``.

    Examples
    --------
    >>> pair_columns(["zip", "age_group", "sex"], ["ZCTA5", "AgeGroup", "people"])
    {'zip': 'ZCTA5', 'age_group': 'AgeGroup'}
    """
    left, candidates = list(dict.fromkeys(names)), list(dict.fromkeys(others))
    pairs = {name: name for name in left if name in candidates}
    for alike in (_words, _kind):
        open_names = [name for name in left if name not in pairs]
        open_others = [name for name in candidates if name not in pairs.values()]
        pairs |= _alone_alike(_by(alike, open_names), _by(alike, open_others))
    return {name: pairs[name] for name in left if name in pairs}


def _words(name: str) -> str | None:
    return "".join(name_tokens(name)) or None


def _kind(name: str) -> str | None:
    kind = kind_of_name(name)
    return kind.key if kind is not None and kind.group in _PEOPLE else None


def _by(alike: Callable[[str], str | None], names: list[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        if (key := alike(name)) is not None:
            groups.setdefault(key, []).append(name)
    return groups


def _alone_alike(names: dict[str, list[str]], others: dict[str, list[str]]) -> dict[str, str]:
    return {mine[0]: others[key][0] for key, mine in names.items() if len(mine) == 1 and len(others.get(key, ())) == 1}
