"""What is one of a person, compared within each id: where it differs, several persons may have one number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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
        The records.
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
    of_id = _ids(records, column, nobody, alike)
    differing = {name: _differing(records, column, name, kinds[name][0], of_id) for name in ones}
    compared = set().union(*(found.compared for found in differing.values())) if differing else set[int]()
    beyond = {name: found.differing for name, found in differing.items() if found.is_beyond_slips(len(compared))}
    ids = set().union(*beyond.values()) if beyond else set[int]()
    sites = [name for name, (key, _) in kinds.items() if key == "facility" or _SITES & set(name_tokens(name))]
    best, persons, left = "", 0, len(ids)
    for site in sites:
        if not 2 <= len(few_values(records, site)) <= _MOST_SITES:
            continue
        found = _BySite.of(records, column, site, of_id)
        unresolved = {
            each for name in beyond for each in found.differing(records, column, name, kinds[name][0], of_id) & ids
        }
        resolves = ids and len(ids) - len(unresolved) >= _RESOLVED * len(ids) and len(unresolved) < left
        if resolves or (not ones and not best and found.numbers_again):
            best, persons, left = site, found.n_persons, len(unresolved)
    return Several(tuple(beyond), len(ids), len(compared), best, persons)


def _ids(records: Records, column: str, nobody: np.ndarray, alike: Sequence[Sequence[int]]) -> dict[str, int]:
    """By id that names somebody, a number; spellings of one id have the same."""
    values = few_values(records, column)
    number = np.arange(len(values))
    for group in alike:
        number[list(group)] = group[0]
    without = set(nobody.tolist())
    return {value: int(each) for value, each in zip(values.tolist(), number, strict=True) if value not in without}


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


def _differing(records: Records, column: str, name: str, key: str, of_id: Mapping[str, int]) -> _Differing:
    table = ClassTable.from_records(records, [column, name])
    ids, values = _ids_and_values(table, of_id, name, key)
    known = (ids >= 0) & np.array([value is not None for value in values], dtype=bool)
    n_rows = np.bincount(ids[known], weights=table.counts[known])
    found = _with_several_values(ids[known].tolist(), values[known].tolist(), key)
    return _Differing(key, found, set(np.flatnonzero(n_rows > 1).tolist()))


def _ids_and_values(table: ClassTable, of_id: Mapping[str, int], name: str, key: str) -> tuple[np.ndarray, np.ndarray]:
    """Per class the number of its id, -1 for none, and its value in one way to write it, None where it says nothing."""
    place = table.attributes.index(name)
    plain = np.array([*_plain_values(table.categories[place], key), None], dtype=object)[:-1]
    return _numbers_of_ids(table, of_id), plain[table.codes[:, place]]


def _numbers_of_ids(table: ClassTable, of_id: Mapping[str, int]) -> np.ndarray:
    """Per class the number of its id, the first attribute; -1 where there is none, or it names nobody."""
    ids = [-1 if value is None else of_id.get(value, -1) for value in table.categories[0]]
    return np.array(ids, dtype=np.int64)[table.codes[:, 0]]


def _with_several_values(ids: Sequence[Hashable], values: Sequence[str], key: str) -> set[Any]:
    """Those ids whose values differ for more than a slip of typing."""
    of_id = defaultdict[Hashable, set[str]](set)
    for each, value in zip(ids, values, strict=True):
        of_id[each].add(value)
    return {each for each, different in of_id.items() if len(different) > 1 and _differ(sorted(different), key)}


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
    def of(cls, records: Records, column: str, site: str, of_id: Mapping[str, int]) -> _BySite:
        table = ClassTable.from_records(records, [column, site])
        ids, without_site = _numbers_of_ids(table, of_id), table.is_missing(1)
        known = (ids >= 0) & ~without_site
        pairs = set(zip(ids[known].tolist(), table.codes[known, 1].tolist(), strict=True))
        n_sites = Counter(each for each, _ in pairs)
        n_several = sum(n > 1 for n in n_sites.values())
        again = len(n_sites) > 1 and n_several >= _AGAIN * len(n_sites) and _are_running(table, known)
        return cls(site, len(pairs) + len(set(ids[(ids >= 0) & without_site].tolist())), again)

    def differing(self, records: Records, column: str, name: str, key: str, of_id: Mapping[str, int]) -> set[int]:
        """The ids whose rows differ in a column within one site."""
        table = ClassTable.from_records(records, [column, self.site, name])
        ids, values = _ids_and_values(table, of_id, name, key)
        known = (ids >= 0) & np.array([value is not None for value in values], dtype=bool)
        both = list(zip(ids[known].tolist(), table.codes[known, 1].tolist(), strict=True))
        return {each for each, _ in _with_several_values(both, values[known].tolist(), key)}


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
