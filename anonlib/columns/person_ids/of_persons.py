"""What is one of a person, compared within each id: where it differs, several persons may have one number."""

from __future__ import annotations

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
    classes = ClassTable.from_records(records, [column, name])
    pairs = _pairs(classes, of_id, name, key)
    size = np.bincount(pairs["id"], weights=pairs["rows"]) if len(pairs) else np.zeros(0)
    compared = set(np.flatnonzero(size > 1).tolist())
    several = pairs.groupby("id")["value"].nunique() if len(pairs) else pd.Series(dtype=int)
    candidates = several.index[several > 1]
    by_id = pairs[pairs["id"].isin(candidates)].groupby("id")["value"]
    found = {int(each) for each, values in by_id if _differ(values.unique().tolist(), key)}  # type: ignore[arg-type]
    return _Differing(key, found, compared)


def _pairs(classes: ClassTable, of_id: Mapping[str, int], name: str, key: str) -> pd.DataFrame:
    """Number of the id, value in one way to write it, and rows, of each class that has both."""
    ids = np.array([of_id.get(value, -1) if value is not None else -1 for value in classes.categories[0]], dtype=int)
    values = classes.categories[classes.attributes.index(name)]
    plain = np.array([*_plain_values(values, key), None], dtype=object)[:-1]
    found = pd.DataFrame(
        {
            "id": ids[classes.codes[:, 0]],
            "value": plain[classes.codes[:, classes.attributes.index(name)]],
            "rows": classes.counts,
        }
    )
    return found[(found["id"] >= 0) & found["value"].notna()]


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
        classes = ClassTable.from_records(records, [column, site])
        ids = np.array([of_id.get(value, -1) if value is not None else -1 for value in classes.categories[0]], int)
        number, codes = ids[classes.codes[:, 0]], classes.codes[:, 1]
        known = (number >= 0) & ~classes.is_missing(1)
        pairs = np.unique(np.column_stack([number[known], codes[known]]), axis=0)
        several = np.bincount(pairs[:, 0])
        n_ids = int((several > 0).sum())
        again = n_ids > 1 and (several > 1).sum() >= _AGAIN * n_ids and _are_running(classes, known)
        without_site = len(np.unique(number[(number >= 0) & classes.is_missing(1)]))
        return cls(site, len(pairs) + without_site, bool(again))

    def differing(self, records: Records, column: str, name: str, key: str, of_id: Mapping[str, int]) -> set[int]:
        """The ids whose rows differ in a column within one site."""
        classes = ClassTable.from_records(records, [column, self.site, name])
        pairs = _pairs(classes, of_id, name, key)
        pairs["site"] = classes.codes[pairs.index, 1]
        found = set[int]()
        for _, of_both in pairs.groupby(["id", "site"]):
            values = of_both["value"].unique().tolist()
            if len(values) > 1 and _differ(values, key):
                found.add(int(of_both["id"].iloc[0]))
        return found


def _are_running(classes: ClassTable, known: np.ndarray) -> bool:
    """Whether the ids of most sites are numbers that run from the first to the last."""
    numbers = to_numbers([value or "" for value in classes.categories[0]])
    running = []
    for site in np.unique(classes.codes[known, 1]):
        of_site = numbers[np.unique(classes.codes[known & (classes.codes[:, 1] == site), 0])]
        if np.isnan(of_site).any():
            return False
        running.append(of_site.max() - of_site.min() + 1 <= _DENSE * len(of_site))
    return bool(np.mean(running) > 0.5)
