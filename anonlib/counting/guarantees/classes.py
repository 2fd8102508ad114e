"""What those who share what is known have of a sensitive column: l-diversity and t-closeness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np

from anonlib.basics.thresholds import is_at_least, is_at_most
from anonlib.counting.classes import table
from anonlib.counting.classes.coding import group
from anonlib.counting.guarantees.coded_persons import Coded, CodedPersons
from anonlib.counting.guarantees.kinds import AttributeDisclosure, LDiversity, TCloseness
from anonlib.counting.guarantees.knowing import RowsKnown
from anonlib.counting.guarantees.peers import Peers, sure

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
    found = []
    for reading in dict.fromkeys((coded, known)):
        peers = reading.peers(names, rows)
        asked = peers.thing if peers.asked is None else peers.thing[peers.asked]
        found.append(_of_things(reading, peers, sensitive, measure)[asked])
    figures = np.concatenate(found)
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
    read = [_of_read_things(each, peers, sensitive, measure) for each in _readings(coded, sensitive, measure)]
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
            figures[used] = table.distinct_values(of_group, len(used))
        case "entropy":
            figures[used] = np.exp(table.entropy(of_group, share, len(used)))
        case "equal":
            figures[used] = table.equal_distance(of_group, of_value, share, overall, len(used))
        case _:
            occurs = overall > 0  # values that do not occur are no step between others
            rank = np.cumsum(occurs) - 1
            figures[used] = table.ordered_distance(of_group, rank[of_value], share, overall[occurs])
    return figures
