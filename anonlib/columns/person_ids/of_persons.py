"""What is one of a person, compared within each id: where it differs, several persons may have one number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.counting.classes import ClassTable
from anonlib.reading.labelled import few_values
from anonlib.reading.records import Records
from anonlib.values.cells import to_numbers
from anonlib.values.dates import to_dates
from anonlib.values.missing_words import means_missing
from anonlib.values.naming import fold, name_tokens

_SLIPS = 0.01  # share of the persons of several rows who may differ in sex by a slip of typing
_MOST_SITES = 500
_RESOLVED = 0.8  # share of the ids that no longer differ beside a site
_AGAIN = 0.3  # share of the ids that several sites have, where each numbers its persons from 1
_DENSE = 1.5  # numbers up to the largest, for each that there is
_SITES = frozenset(
    """
    site sites hospital hospitals hosp clinic clinics centre center centres centers facility institution institute
    practice trust organisation organization org source study trial cohort project lab laboratory campus branch
    registry register system database db klinik kliniken klinikum krankenhaus standort zentrum haus einrichtung praxis
    traeger studie kohorte quelle labor hopital hospitalier etablissement clinique cabinet centro hospital clinica
    sede instituto ospedale presidio azienda struttura ziekenhuis locatie instelling szpital osrodek placowka
    sjukhus mottagning enhet vardcentral estudio etude bron
    """.split()
)
_MEN = frozenset(
    """
    m male man men mann mannlich maennlich masculin masculino masculine maschile homme h hombre uomo varon masc
    mannelijk mezczyzna manlig herr
    """.split()
)
_WOMEN = frozenset(
    """
    f female woman w weiblich frau feminin femme femenino feminino femminile fem mujer donna mulher vrouw vrouwelijk v
    kvinna kobieta k kvinnlig
    """.split()
)


@dataclass(frozen=True)
class Several:
    """Ids that several persons may have.

    Attributes
    ----------
    columns : tuple[str, ...], default ()
        Those in which rows of one id differ for more than slips of typing.
    n_differing, n_compared : int, default 0
        Ids whose rows differ so, and ids of several rows with such values.
    site : str, default ""
        A column beside which they do not differ.
    persons_by_site : int, default 0
        Persons by both, those without an id aside.
    """

    columns: tuple[str, ...] = ()
    n_differing: int = 0
    n_compared: int = 0
    site: str = ""
    persons_by_site: int = 0


def several_persons(
    records: Records,
    column: str,
    ones: Sequence[str],
    kinds: Mapping[str, tuple[str, str]],
    nobody: np.ndarray,
    alike: Sequence[Sequence[int]],
) -> Several:
    """Compare what is one of a person within each id, and look for a site beside which it is one.

    Parameters
    ----------
    records : Records
        The file, in memory or in an engine.
    column : str
        The column of person ids; there are at most a million.
    ones : Sequence[str]
        The columns of what is one of a person.
    kinds : Mapping[str, tuple[str, str]]
        By other column, the key and the group of its kind.
    nobody : np.ndarray
        Ids that name nobody, which are not compared.
    alike : Sequence[Sequence[int]]
        Places of ids, in their order, that are one written in several ways.
    """
    ids_of = _Ids.of(records, column, nobody, alike)
    differing = {name: _differing(records, column, name, kinds[name][0], ids_of) for name in ones}
    compared = set().union(*(difference.compared for difference in differing.values())) if differing else set[int]()
    beyond = {
        name: difference.differing
        for name, difference in differing.items()
        if difference.is_beyond_slips(len(compared))
    }
    ids = set().union(*beyond.values()) if beyond else set[int]()
    sites = [name for name, (key, _) in kinds.items() if key == "facility" or _SITES & set(name_tokens(name))]
    best, persons, left = "", 0, len(ids)
    for site in sites if ids or not ones else ():
        if not 2 <= len(few_values(records, site)) <= _MOST_SITES:
            continue
        by_site = _BySite.of(records, column, site, ids_of)
        unresolved = {
            number
            for name in beyond
            for number in by_site.differing(records, column, name, kinds[name][0], ids_of) & ids
        }
        resolves = ids and len(ids) - len(unresolved) >= _RESOLVED * len(ids) and len(unresolved) < left
        if resolves or (not ones and not best and by_site.numbers_again):
            best, persons, left = site, by_site.n_persons, len(unresolved)
    return Several(tuple(beyond), len(ids), len(compared), best, persons)


@dataclass(frozen=True)
class _Ids:
    """Ids that name somebody.

    Attributes
    ----------
    values : pd.Index
        All different ids.
    number : np.ndarray
        int64, per id a number, the same for spellings of one; -1 for what names nobody.
    """

    values: pd.Index
    number: np.ndarray

    @classmethod
    def of(cls, records: Records, column: str, nobody: np.ndarray, alike: Sequence[Sequence[int]]) -> _Ids:
        values = pd.Index(few_values(records, column))
        number = np.arange(len(values))
        for group in alike:
            number[list(group)] = group[0]
        number[values.get_indexer(pd.Index(nobody))] = -1
        return cls(values, number)

    def of_classes(self, table: ClassTable) -> np.ndarray:
        """Per class the number of its id, the first attribute; -1 where there is none, or it names nobody."""
        ids = self.values.get_indexer(pd.Index(table.categories[0], dtype=object))
        return np.where(ids >= 0, self.number[ids], -1)[table.codes[:, 0]]


@dataclass(frozen=True)
class _Differing:
    """Ids of several rows, and those whose rows differ in a column."""

    key: str
    differing: set[int]
    compared: set[int]

    def is_beyond_slips(self, n_compared: int) -> bool:
        if self.key == "birth_date":  # a slip in one figure is no difference there
            return bool(self.differing)
        return len(self.differing) > max(1, _SLIPS * n_compared)


def _differing(records: Records, column: str, name: str, key: str, ids_of: _Ids) -> _Differing:
    table = ClassTable.from_records(records, [column, name])
    ids, codes, values = _ids_and_values(table, ids_of, name, key)
    known = (ids >= 0) & (codes >= 0)
    n_rows = np.bincount(ids[known], weights=table.counts[known])
    differing_ids = _with_several_values(ids[known], codes[known], values, key)
    return _Differing(key, differing_ids, set(np.flatnonzero(n_rows > 1).tolist()))


def _ids_and_values(table: ClassTable, ids_of: _Ids, name: str, key: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per class the number of its id, -1 for none; the place of its value among those given, -1 for none; and these."""
    place = table.attributes.index(name)
    plain = _plain_values(table.categories[place], key)
    codes, values = pd.factorize(np.array([*plain, None], dtype=object)[:-1])
    return ids_of.of_classes(table), codes[table.codes[:, place]], values


def _with_several_values(keys: np.ndarray, codes: np.ndarray, values: np.ndarray, key: str) -> set[int]:
    """The keys (int64, 0 or more) of whose values some differ for more than a slip of typing."""
    order = np.lexsort((codes, keys))
    keys, codes = keys[order], codes[order]
    changes = np.flatnonzero((keys[1:] == keys[:-1]) & (codes[1:] != codes[:-1]))
    of_key = defaultdict[int, set[str]](set)
    for place in changes.tolist():
        of_key[int(keys[place])].update((values[codes[place]], values[codes[place + 1]]))
    return {key_number for key_number, different in of_key.items() if _differ(sorted(different), key)}


def _plain_values(values: np.ndarray, key: str) -> list[str | None]:
    """Each value of a column as it is compared; None where it says nothing."""
    texts = ["" if value is None else str(value).strip() for value in values]
    if key == "birth_date":
        dates = to_dates(texts)
        return [
            None if not text or means_missing(text) else text if np.isnat(date) else str(date)[:10]
            for text, date in zip(texts, dates, strict=True)
        ]
    return [_plain_sex(text) for text in texts]


def _plain_sex(text: str) -> str | None:
    plain = fold(text).casefold().rstrip(".")
    if not plain or means_missing(text):
        return None
    if plain in _MEN or plain in _WOMEN:
        return "man" if plain in _MEN else "woman"
    number = to_numbers([plain])[0]
    return plain if np.isnan(number) else f"{number:g}"


def _differ(values: Sequence[str], key: str) -> bool:
    """Whether two values differ for more than a slip of typing."""
    if key != "birth_date":
        return len(values) > 1
    return any(not _is_slip(one, other) for i, one in enumerate(values) for other in values[:i])


def _is_slip(one: str, other: str) -> bool:
    """Whether two dates or years differ in one figure, in two exchanged ones, or by day and month exchanged."""
    if one.startswith(other) or other.startswith(one):
        return True  # a year beside a whole date of it
    a, b = ("".join(filter(str.isdigit, text)) for text in (one, other))
    if len(a) != len(b) or not a:
        return False
    if len(a) == 8 and a[:4] == b[:4] and (a[4:6], a[6:]) == (b[6:], b[4:6]):
        return True
    places = [i for i in range(len(a)) if a[i] != b[i]]
    if len(places) < 2:
        return True
    exchanged = len(places) == 2 and places[1] == places[0] + 1
    return exchanged and (a[places[0]], a[places[1]]) == (b[places[1]], b[places[0]])


@dataclass(frozen=True)
class _BySite:
    """Ids beside a column such as a hospital."""

    site: str
    n_persons: int
    numbers_again: bool

    @classmethod
    def of(cls, records: Records, column: str, site: str, ids_of: _Ids) -> _BySite:
        table = ClassTable.from_records(records, [column, site])
        ids, without_site = ids_of.of_classes(table), table.is_missing(1)
        known = (ids >= 0) & ~without_site
        n_sites = len(table.categories[1])
        ids_with_site = np.unique(ids[known] * n_sites + table.codes[known, 1]) // n_sites
        of_id = np.bincount(ids_with_site)
        n_ids, n_several = int((of_id > 0).sum()), int((of_id > 1).sum())
        again = n_ids > 1 and n_several >= _AGAIN * n_ids and _are_running(table, known)
        return cls(site, len(ids_with_site) + len(np.unique(ids[(ids >= 0) & without_site])), again)

    def differing(self, records: Records, column: str, name: str, key: str, ids_of: _Ids) -> set[int]:
        """The ids whose rows differ in a column within one site."""
        table = ClassTable.from_records(records, [column, self.site, name])
        ids, codes, values = _ids_and_values(table, ids_of, name, key)
        known = (ids >= 0) & (codes >= 0)
        n_sites = len(table.categories[1])
        both = ids[known] * n_sites + table.codes[known, 1]
        return {id_and_site // n_sites for id_and_site in _with_several_values(both, codes[known], values, key)}


def _are_running(table: ClassTable, known: np.ndarray) -> bool:
    """Whether the ids of most sites are numbers that run from the first to the last."""
    numbers = to_numbers([value or "" for value in table.categories[0]])
    running = []
    for site in np.unique(table.codes[known, 1]):
        of_site = numbers[np.unique(table.codes[known & (table.codes[:, 1] == site), 0])]
        if np.isnan(of_site).any():
            return False
        running.append(of_site.max() - of_site.min() + 1 <= _DENSE * len(of_site))
    return bool(np.mean(running) > 0.5)
