"""Who violates a privacy model: looked at by everything that somebody may know.

First l-diversity and t-closeness, of what those who share what is known have of a sensitive column. Then all models:
who violates one (:func:`violating`), by which sets of columns (:func:`violations`), and how it is seen in one set of
peers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonlib.basics.progress import Progress
from anonlib.basics.thresholds import is_at_least, is_at_most, mean_risk
from anonlib.counting.classes.coding import group, tally
from anonlib.counting.classes.table import distinct_values, entropy, equal_distance, ordered_distance
from anonlib.counting.privacy_models.coded import Coded, CodedPersons, CodedRows, Groups, Peers, nearly_all, sure
from anonlib.counting.privacy_models.marking import Violators, can_walk, side_by_side, walk
from anonlib.counting.privacy_models.models import (
    ONE,
    VALUES,
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    RowsKnown,
    TCloseness,
    is_finer_stricter,
    sensitive_of,
)

# ---- diversity and closeness ----

Measure = Literal["distinct", "entropy", "equal", "ordered"]
"""Distinct values; the entropy of values as a number of equally likely ones; distances from all values, either all
equally far apart or in their order."""


def worst(coded: Coded, columns: Iterable[str], sensitive: str, measure: Measure, rows: RowsKnown) -> float:
    """The least diversity, or the largest distance, of those who share something that may be known; 0 of nobody.

    A missing value is a value. Spellings that a person reads as one value are counted as one and as several: the worse
    figure counts.

    Parameters
    ----------
    coded : Coded
        Those who are counted, with all columns that are named.
    columns : Iterable[str]
        The columns that may be known.
    sensitive : str
        The sensitive column.
    measure : Measure
        What is measured.
    rows : RowsKnown
        What may be known of the rows of a person.

    Returns
    -------
    float
        For "distinct" and "entropy" the least, 1 or more; for "equal" and "ordered" the largest, in [0, 1].

    References
    ----------
    Machanavajjhala et al. 2007; Li et al. 2007.
    """
    names = tuple(columns)
    # Of records the worst of finer classes is never better; of persons it may be.
    known = coded.as_read(names) if isinstance(coded, CodedPersons) else coded
    by_reading = []
    for reading in dict.fromkeys((coded, known)):
        peers = reading.peers(names, rows)
        things = peers.thing if peers.asked is None else peers.thing[peers.asked]
        by_reading.append(_of_things(reading, peers, sensitive, measure)[things])
    figures = np.concatenate(by_reading)
    if not len(figures):
        return 0.0
    return float(figures.max() if measure in ("equal", "ordered") else figures.min())


def sensitive_readings(coded: Coded, guarantee: AttributeDisclosure | LDiversity | TCloseness) -> list[Coded]:
    """Those who are counted, with spellings of a sensitive value as one or as several, whichever is stricter.

    Parameters
    ----------
    coded : CodedRows or CodedPersons
        With the sensitive column.
    guarantee : AttributeDisclosure | LDiversity | TCloseness
        What must hold.

    Returns
    -------
    list of CodedRows or CodedPersons
        Both where neither always is the stricter: the guarantee holds where it holds of each.
    """
    if isinstance(guarantee, AttributeDisclosure):
        return [coded.as_read([guarantee.sensitive])]
    return list(_readings(coded, guarantee.sensitive, _measure(guarantee)))


def lacking(coded: Coded, peers: Peers, guarantee: LDiversity | TCloseness) -> np.ndarray:
    """bool, a holder each: those who share something that may be known of it lack l-diversity or t-closeness."""
    bad = _is_short(guarantee, _of_things(coded, peers, guarantee.sensitive, _measure(guarantee)))
    return peers.any_of(bad[peers.thing])


def lacking_groups(
    guarantee: LDiversity | TCloseness,
    ids: np.ndarray,
    sizes: np.ndarray,
    value: np.ndarray,
    counts: np.ndarray,
    overall: np.ndarray,
) -> np.ndarray:
    """Which groups have records and lack l-diversity or t-closeness.

    Parameters
    ----------
    guarantee : LDiversity | TCloseness
        What must hold.
    ids : np.ndarray
        int, per row its group.
    sizes : np.ndarray
        int, per group its records.
    value : np.ndarray
        int, per row the code of its sensitive value, by one of :func:`sensitive_readings`.
    counts : np.ndarray
        int, per row its records; rows of none do not count.
    overall : np.ndarray
        float, per value its share of the records that leave.

    Returns
    -------
    bool array, one item a group
    """
    measure = _measure(guarantee)
    return (sizes > 0) & _is_short(guarantee, _of_groups(measure, ids, sizes, value, counts, overall))


def _measure(guarantee: LDiversity | TCloseness) -> Measure:
    return guarantee.by if isinstance(guarantee, LDiversity) else guarantee.distance


def _is_short(guarantee: LDiversity | TCloseness, figures: np.ndarray) -> np.ndarray:
    """bool each: the figure is too low a diversity, or too large a distance."""
    if isinstance(guarantee, LDiversity):
        return ~is_at_least(figures, guarantee.l)
    return ~is_at_most(figures, guarantee.t)


def _of_things(coded: Coded, peers: Peers, sensitive: str, measure: Measure) -> np.ndarray:
    """float, a thing each: the measure of those of whom it is true.

    A person's value is the set of those in their rows. Where one value is everybody's, there is one value.
    """
    read = [_of_read_things(reading, peers, sensitive, measure) for reading in _readings(coded, sensitive, measure)]
    return read[0] if len(read) == 1 else np.maximum(*read)


def _readings(coded: Coded, sensitive: str, measure: Measure) -> Iterator[Coded]:
    """Whether spellings of a value are one or several, whichever is stricter; both where neither always is.

    Values that become one are fewer and have less entropy, and are no further apart where all are equally far. In order
    they can be: there are fewer steps from one end to the other.
    """
    if measure in ("equal", "ordered"):
        yield coded
    if measure != "equal" and ((read := coded.as_read([sensitive])) is not coded or measure != "ordered"):
        yield read


def _of_read_things(coded: Coded, peers: Peers, sensitive: str, measure: Measure) -> np.ndarray:
    """float, a thing each: the measure of those of whom it is true, by the codes that values have."""
    value, span = coded.alike(sensitive)
    holder = peers.of_item
    overall = np.bincount(value, weights=coded.counts, minlength=span) / max(1, coded.counts.sum())
    figures = _of_groups(measure, peers.thing, peers.sizes, value[holder], coded.counts[holder], overall)
    if measure in ("distinct", "entropy"):
        held = coded.held(sensitive) if isinstance(coded, CodedPersons) else coded.held_in_sets(sensitive)
        if held is not None:
            certain = sure(peers, coded.counts, held, np.ones(held.span, dtype=bool), 0.0)
            figures[peers.thing[certain.item]] = 1.0
    return figures


def _of_groups(
    measure: Measure, ids: np.ndarray, sizes: np.ndarray, value: np.ndarray, counts: np.ndarray, overall: np.ndarray
) -> np.ndarray:
    """float, per group: the measure of its values; 0 where it has no records. As :func:`lacking_groups`."""
    figures = np.zeros(len(sizes))
    used = np.flatnonzero(sizes > 0)
    if not len(used):
        return figures
    occupied = np.flatnonzero(counts > 0)
    number = np.zeros(len(sizes), dtype=np.intp)
    number[used] = np.arange(len(used))
    pairs, first = group(np.column_stack([number[ids[occupied]], value[occupied]]), [len(used), len(overall)])
    of_group, of_value = number[ids[occupied[first]]], value[occupied[first]]
    share = np.bincount(pairs, weights=counts[occupied]) / sizes[used][of_group]
    match measure:
        case "distinct":
            figures[used] = distinct_values(of_group, len(used))
        case "entropy":
            figures[used] = np.exp(entropy(of_group, share, len(used)))
        case "equal":
            figures[used] = equal_distance(of_group, of_value, share, overall, len(used))
        case _:
            occurs = overall > 0  # values that do not occur are no step between others
            rank = np.cumsum(occurs) - 1
            figures[used] = ordered_distance(of_group, rank[of_value], share, overall[occurs])
    return figures


# ---- who violates a model ----


@dataclass(frozen=True)
class Violation:
    """Who violates a guarantee.

    Attributes
    ----------
    guarantee : PrivacyModel
        What is looked at.
    records : int
        How many records (persons, summed weights) violate it by some set of columns.
    n_records : int
        All of them.
    by_set : tuple[tuple[tuple[str, ...], int], ...]
        How many violate it by each set of columns looked at, most first; of equal ones the smaller set.
    """

    guarantee: PrivacyModel
    records: int
    n_records: int
    by_set: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def share(self) -> float:
        """Of all records, in [0, 1]."""
        return self.records / self.n_records if self.n_records else 0.0

    @property
    def is_met(self) -> bool:
        """Whether no more violate than may: compared by division, so that 7 of 100 are a share of 0.07."""
        return self.share <= self.guarantee.share


def violating(coded: Coded, guarantee: PrivacyModel) -> np.ndarray:
    """Who violates a guarantee by something that may be known.

    Parameters
    ----------
    coded : CodedRows or CodedPersons
        Those who are counted, with all columns that the guarantee names.
    guarantee : PrivacyModel
        All but :class:`AverageRiskLimit`, which is of all records at once.

    Returns
    -------
    ndarray of bool, an item a row of CodedRows, or a profile of CodedPersons
    """
    violates = np.zeros(len(coded.counts), dtype=bool)
    for _, mask in _by_set(coded, guarantee):
        violates |= mask
    return violates


def number_of_any(coded: Coded, masks: Iterable[np.ndarray]) -> int:
    """How many records (persons, summed weights) are in some of several masks, each of them counted once.

    Parameters
    ----------
    coded : CodedRows or CodedPersons
        Those who are counted.
    masks : Iterable[np.ndarray]
        bool, as of :func:`violating`.

    Returns
    -------
    int
    """
    in_any = np.zeros(len(coded.counts), dtype=bool)
    for mask in masks:
        in_any |= mask
    return int(coded.counts[in_any].sum())


def violating_in(rows: CodedRows, guarantee: PrivacyModel, groups: Groups) -> np.ndarray:
    """bool, a row each: it violates a guarantee by what its group shares; the sensitive column is among the rows', and
    no other than those that the groups share.

    As :func:`violating` by one set of columns, whose groups are at hand. Not of :class:`AverageRiskLimit`.
    """
    ids, sizes = groups
    violates = _by_peers(rows, guarantee, (), Peers(None, ids, sizes, len(ids)))
    known = [name for name in rows.codes if name != sensitive_of(guarantee)]
    for read in _other_readings(rows, guarantee, known):
        violates = violates | _by_peers(read, guarantee, (), read.peers(known, VALUES))
    return violates


def violators(coded: Coded, guarantees: Sequence[PrivacyModel], progress: Progress | None = None) -> list[Violators]:
    """Who violates each of several guarantees, in their order; those that can be are looked at together.

    ``coded`` has all columns that they name, and none of them is an :class:`AverageRiskLimit`. Progress is called with
    the share done, and what it raises stops the work.
    """
    parts = _together(guarantees)
    work = [sum(n_sets(coded, guarantees[i]) for i in places) for places in parts]

    def violators_of_part(part: int, progress_of_part: Progress) -> list[Violators]:
        return _looked_at(coded, [guarantees[i] for i in parts[part]], progress_of_part)

    by_place = dict[int, Violators]()
    for places, of_part in zip(
        parts, side_by_side(violators_of_part, work, progress, coded.n_looked_at * sum(work)), strict=True
    ):
        by_place |= dict(zip(places, of_part, strict=True))
    return [by_place[i] for i in range(len(guarantees))]


def _together(guarantees: Sequence[PrivacyModel]) -> list[list[int]]:
    """The places of guarantees that are looked at together."""
    alone, together = list[list[int]](), dict[RowsKnown, list[int]]()
    for i, guarantee in enumerate(guarantees):
        if can_walk(guarantee):
            together.setdefault(guarantee.rows, []).append(i)
        else:
            alone.append([i])
    return [*alone, *together.values()]


def violation(coded: Coded, guarantee: PrivacyModel, progress: Progress | None = None) -> Violation:
    """Who violates a guarantee, and by which sets of columns.

    Parameters
    ----------
    coded : Coded
        Those who are counted, with all columns that the guarantee names.
    guarantee : PrivacyModel
        All but :class:`AverageRiskLimit`, which is of all records at once.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    Violation
    """
    return violations(coded, [guarantee], progress)[0]


def violations(
    coded: Coded, guarantees: Sequence[PrivacyModel], progress: Progress | None = None
) -> tuple[Violation, ...]:
    """The same of several guarantees; those against who knows a few columns are looked at together.

    Parameters
    ----------
    coded : Coded
        Those who are counted, with all columns that the guarantees name.
    guarantees : Sequence[PrivacyModel]
        All but :class:`AverageRiskLimit`, which is of all records at once.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    tuple of Violation
        In the order of the guarantees.
    """
    by_guarantee = []
    for who in violators(coded, guarantees, progress):
        ranked = sorted(who.by_set.items(), key=lambda item: (-item[1], len(item[0])))
        records = int(coded.counts[who.marked].sum())
        by_guarantee.append(Violation(who.guarantee, records, coded.n_records, tuple(ranked)))
    return tuple(by_guarantee)


def _looked_at(coded: Coded, guarantees: Sequence[PrivacyModel], progress: Progress) -> list[Violators]:
    """Those of guarantees that are looked at together, or of one."""
    if can_walk(guarantees[0]):
        return walk(coded, guarantees, progress)  # type: ignore[arg-type]  # all of them can
    (guarantee,) = guarantees
    marked, by_set = np.zeros(len(coded.counts), dtype=bool), dict[tuple[str, ...], int]()
    n_known = n_sets(coded, guarantee)
    for looked_at, (columns, mask) in enumerate(_by_set(coded, guarantee), start=1):
        marked |= mask
        by_set[columns] = max(by_set.get(columns, 0), int(coded.counts[mask].sum()))
        progress(looked_at / n_known)
    return [Violators(guarantee, marked, by_set)]


def n_sets(coded: Coded, guarantee: PrivacyModel) -> int:
    """How many things that may be known have to be looked at."""
    return coded.n_known(guarantee) if isinstance(guarantee, KAnonymity | AttributeDisclosure) else 1


def average_risk(coded: Coded, columns: Iterable[str], rows: RowsKnown) -> float:
    """The mean over those who are counted of 1 / how many share what is known: classes / records where that parts them.

    Where several things may be known of one, the rarest counts.

    Parameters
    ----------
    coded : Coded
        Those who are counted, with all columns that are named.
    columns : Iterable[str]
        The columns that may be known.
    rows : RowsKnown
        What may be known of the rows of a person.

    Returns
    -------
    float
        In [0, 1]; 0 of nobody.
    """
    return mean_risk(coded.counts, coded.peers(columns, rows).least_sizes())


def _by_set(coded: Coded, guarantee: PrivacyModel) -> Iterator[tuple[tuple[str, ...], np.ndarray]]:
    """Each set of columns to be looked at, and who violates the guarantee by it."""
    readings = (coded, *_other_readings(coded, guarantee, guarantee.columns))
    if isinstance(guarantee, KAnonymity | AttributeDisclosure):
        for known in zip(*(reading.known(guarantee) for reading in readings), strict=True):
            by_peers = [
                _by_peers(reading, guarantee, *columns_and_peers)
                for reading, columns_and_peers in zip(readings, known, strict=True)
            ]
            yield known[0][0], np.logical_or.reduce(by_peers)
    else:
        by_peers = [
            _by_peers(reading, guarantee, guarantee.columns, reading.peers(guarantee.columns, guarantee.rows))
            for reading in readings
        ]
        yield guarantee.columns, np.logical_or.reduce(by_peers)


def _other_readings(coded: Coded, guarantee: PrivacyModel, columns: Iterable[str]) -> Iterator[Coded]:
    """Those who are counted with known values as a person reads them, where more may violate the guarantee by it."""
    if not is_finer_stricter(guarantee, isinstance(coded, CodedRows)):
        read = coded.as_read(columns)
        if read is not coded:
            yield read


def _by_peers(coded: Coded, guarantee: PrivacyModel, columns: tuple[str, ...], peers: Peers) -> np.ndarray:
    """bool, a holder each: they violate the guarantee by something that they share with peers in these columns."""
    match guarantee:
        case KAnonymity():
            return peers.fewer_than(guarantee.least)
        case AttributeDisclosure():
            return _are_sure(coded, guarantee, columns, peers)
        case LDiversity() | TCloseness():
            return lacking(coded, peers, guarantee)
        case AverageRiskLimit():
            raise TypeError("An average is of all records; nobody violates it alone.")


def _are_sure(coded: Coded, guarantee: AttributeDisclosure, columns: tuple[str, ...], peers: Peers) -> np.ndarray:
    """bool, a holder each: somebody is sure of a value of theirs."""
    coded = coded.as_read([guarantee.sensitive])  # no fewer have a value then
    harms = coded.harms(guarantee.sensitive, guarantee.harmless)
    if isinstance(coded, CodedRows):
        value, span = coded.alike(guarantee.sensitive)
        key, having = tally([peers.thing, value], [len(peers.sizes), span], coded.counts)
        return nearly_all(having[key], peers.sizes[peers.thing], guarantee.p) & harms[value]
    if not coded.is_unlinked(guarantee):
        return sure(peers, coded.counts, coded.held(guarantee.sensitive), harms, guarantee.p).holders(peers)
    is_sure = np.zeros(len(coded.counts), dtype=bool)
    is_sure[coded.profile[_certain_by_row(coded, guarantee, columns)]] = True
    return is_sure


def _certain_by_row(coded: CodedPersons, guarantee: AttributeDisclosure, columns: tuple[str, ...]) -> np.ndarray:
    """bool, a row of a profile each: its value is certain to who knows it, and cannot tell which rows are one's.

    Persons are those whose sensitive values have the codes that they are read as.

    All rows like it have the value; with p above 0 nearly all persons who have such a row have it in one. It is at most
    what who links rows can say.
    """
    ids, both = (
        coded.rows.groups(columns)[0][coded.row],
        coded.rows.groups((*columns, guarantee.sensitive))[0][coded.row],
    )
    if guarantee.p == 0:
        certain = np.bincount(both)[both] == np.bincount(ids)[ids]
    else:
        alone, together = coded.of_one_row(columns, guarantee.sensitive)
        certain = nearly_all(together.sizes[both], alone.sizes[ids], guarantee.p)
    harms = coded.harms(guarantee.sensitive, guarantee.harmless)
    return certain & harms[coded.rows.codes[guarantee.sensitive][coded.row]]


def sure_values(
    coded: CodedPersons, guarantee: AttributeDisclosure, by: Collection[tuple[str, ...]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Of whom somebody is sure who knows one of some sets of columns, and of what.

    Returns
    -------
    tuple
        The profiles (intp) and the codes of the values as they are read (intp), each pair once or more; and where one
        row is known, bool per row of a profile: it is one by which a value is known.
    """
    read = coded.as_read([guarantee.sensitive])
    others = [
        reading for reading in _other_readings(read, guarantee, guarantee.columns) if isinstance(reading, CodedPersons)
    ]
    holders, values, by_row = [], [], np.zeros(len(coded.row), dtype=bool)
    for persons, columns, peers in (
        (reading, *known) for reading in (read, *others) for known in reading.known(guarantee, by)
    ):
        if persons.is_unlinked(guarantee):
            certain = _certain_by_row(persons, guarantee, columns)
            by_row |= certain
            holders.append(persons.profile[certain])
            values.append(persons.rows.codes[guarantee.sensitive][persons.row[certain]])
            continue
        harms = persons.harms(guarantee.sensitive, guarantee.harmless)
        sure_pairs = sure(peers, persons.counts, persons.held(guarantee.sensitive), harms, guarantee.p)
        items = sure_pairs.item if peers.asked is None else sure_pairs.item[peers.asked[sure_pairs.item]]
        holders.append(peers.of_item[items])
        values.append(sure_pairs.value if peers.asked is None else sure_pairs.value[peers.asked[sure_pairs.item]])
        if guarantee.rows == ONE:
            of_row, sizes = persons.rows.groups(columns)
            known = np.unique(holders[-1] * len(sizes) + peers.thing[items])
            by_row |= np.isin(persons.profile * len(sizes) + of_row[persons.row], known)
    return np.concatenate(holders), np.concatenate(values), by_row if guarantee.rows == ONE else None
