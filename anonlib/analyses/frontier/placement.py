"""Where a release stands on the plane of policies, though it may be no policy: by what its labels cover.

A policy puts each value of a domain into one interval. A release may do otherwise: labels of several levels stand side
by side, cells are blank, records are left out. Its risk and loss are those of the plane's measures all the same, with
what a label covers in the place of an interval; of a release that is a policy they are that policy's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np
from scipy.special import xlogy

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.measures import ENTROPY, KL, KL_OBSERVED, ONE, SQUARE, WIDTH, terms
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.counting.classes.coding import group, sum_by

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class LabelledRecords:
    """Records that leave, each with its values and with the labels that it leaves with.

    Attributes
    ----------
    values : np.ndarray
        int64, rows x attributes: positions in the plane's domains; -1 for what is in none.
    labels : np.ndarray
        int64, rows x attributes: codes of labels.
    counts : np.ndarray
        int64, records of each row.
    covers : tuple[np.ndarray, ...]
        Per attribute bool, places x labels: whether a label covers a place, a value of the domain (2 i) or what lies
        between it and the next (2 i + 1).
    """

    values: np.ndarray
    labels: np.ndarray
    counts: np.ndarray
    covers: tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Placement:
    """A release on a plane.

    Attributes
    ----------
    risk, loss : float
        In [0, 1], by the plane's measures.
    k : int
        The fewest records that leave with the same labels.
    groups : int
        Different combinations of labels that leave.
    least_people : int
        The fewest people of the population that the labels of a record cover.
    left_out : int
        Records of the plane that do not leave.
    labels : dict[str, int]
        Attribute -> its different labels that leave.
    policy : np.ndarray | None, default None
        bool, a bit a boundary: the policy of the space that the release is; None where it is none.
    """

    risk: float
    loss: float
    k: int
    groups: int
    least_people: int
    left_out: int
    labels: dict[str, int]
    policy: np.ndarray | None = None


def place(plane: Plane, records: LabelledRecords, progress: Progress = nobody) -> Placement:
    """Risk and loss of a release, by what its labels cover.

    A record counts as many people as have values that all of its labels cover, and as many records as leave with the
    same labels. Of the loss, a class is spread evenly over the combinations of values that its labels cover, and who is
    left out over all there are; of single cells, a label is as wide as what it covers, and who is left out loses all.
    Shares of records (the average risk, records below k) are of those that leave.

    Parameters
    ----------
    plane : Plane
        The policies that it is compared with, and their measures.
    records : LabelledRecords
        What leaves. Rows with a value or a combination that no record of the plane has are passed over, as in each of
        its policies.
    progress : Progress, default nobody
        Called with the share done, in [0, 1]; may raise to stop.

    Returns
    -------
    Placement

    Raises
    ------
    InputError
        Where no record leaves, where a label does not cover the value of its record, where a combination leaves more
        often than it is in the plane, and where more is lost than with everybody in one class, so that no share says
        how much.

    References
    ----------
    Xia et al. 2013, Equations 2 to 4; docs/analyses/frontier.md, “On the map”.

    Examples
    --------
    Two records of age 30 and one of 60, which is left out: each of the others is one of two, and a third is lost.

    >>> import pandas as pd
    >>> from anonlib.analyses.frontier import PolicySpace
    >>> from anonlib.counting.classes import ClassTable
    >>> space = PolicySpace(ClassTable.from_frame(pd.DataFrame({"age": ["30", "30", "60"]})))
    >>> covers = np.array([[True], [False], [False]])
    >>> left = LabelledRecords(np.array([[0]]), np.array([[0]]), np.array([2]), (covers,))
    >>> placement = place(Plane(space, loss_key="ncp"), left)
    >>> placement.risk, round(placement.loss, 3), placement.k, placement.left_out
    (0.5, 0.333, 2, 1)
    """
    rows = _of_the_plane(plane, records)
    left_out = plane.space.n_records - int(rows.counts.sum())
    labelled = _groups(rows)
    labels = {name: len(np.unique(rows.labels[:, j])) for j, name in enumerate(plane.space.attributes)}
    n = labelled.records
    policy = _policy_of(plane, rows) if not left_out else None
    if policy is None:
        people, occupied, spread = _covered(plane, rows.covers, labelled, progress)
        risk = _risk(plane, n, people, occupied)
        loss = _loss(plane, rows, labelled, spread, left_out)
        (_, least), (_, most) = plane.ends
        if plane.loss.combined == "sum" and loss > most + _SAME * max(1.0, abs(most), abs(least)):
            raise InputError(
                f"It loses more by “{plane.loss.name}” than everybody in one class does, so that no share says how "
                "much. Choose another information loss.",
                code="release-not-on-plane",
            )
    else:
        risk, loss = plane.sums(policy)
        people = plane.groups(policy)[1]
    of_plane = plane.finish(risk, loss)
    return Placement(
        float(of_plane[0]), float(of_plane[1]), int(n.min()), len(n), int(people.min()), left_out, labels, policy
    )


def _of_the_plane(plane: Plane, records: LabelledRecords) -> LabelledRecords:
    """The rows whose combination of values some record of the plane has, equal ones as one."""
    cells, sizes = plane.space.cells, [len(domain) for domain in plane.space.domains]
    occupied = cells.occupied
    known = (records.values >= 0).all(axis=1)
    own = np.vstack([cells.places[occupied] // 2, records.values[known]])
    ids, _ = group(own, sizes)
    n_cells = int(occupied.sum())
    counted = np.bincount(ids, weights=np.append(cells.records[occupied], np.zeros(int(known.sum()))))
    within = counted[ids[n_cells:]] > 0
    kept = np.flatnonzero(known)[within]
    leaving = sum_by(ids[n_cells:][within], len(counted), records.counts[kept])
    if (leaving > counted).any():
        raise InputError(
            "Some combinations of values leave more often than they are counted here.", code="release-not-on-plane"
        )
    if not kept.size or not records.counts[kept].sum():
        raise InputError("None of the records that are counted here leaves.", code="release-not-on-plane")
    values, labels, counts = records.values[kept], records.labels[kept], records.counts[kept]
    for j, covers in enumerate(records.covers):
        if not covers[2 * values[:, j], labels[:, j]].all():
            raise InputError(
                f"It is not known what the labels of “{plane.space.attributes[j]}” cover.",
                code="release-not-on-plane",
                column=plane.space.attributes[j],
            )
    return LabelledRecords(values, labels, counts, records.covers)


@dataclass(frozen=True, eq=False)
class _Groups:
    """Rows of equal labels as one: ``labels`` (groups x attributes) and ``records`` of each."""

    labels: np.ndarray
    records: np.ndarray


def _groups(rows: LabelledRecords) -> _Groups:
    ids, first = group(rows.labels, [covers.shape[1] for covers in rows.covers])
    return _Groups(rows.labels[first], sum_by(ids, len(first), rows.counts))


# ---- what labels cover ----


def _policy_of(plane: Plane, rows: LabelledRecords) -> np.ndarray | None:
    """The policy that the labels are, where each value has one of them and each of them is an interval."""
    bits = []
    for j, covers in enumerate(rows.covers):
        used = np.unique(rows.labels[:, j])
        of_values = covers[::2, used]
        n_labels = of_values.sum(axis=1)
        # Values of the domain that no record leaves with a label of are each on their own.
        label = np.where(n_labels > 0, of_values.argmax(axis=1), -1 - np.arange(len(of_values)))
        parted = label[1:] != label[:-1]
        if (n_labels > 1).any() or parted.sum() + 1 > len(used) + (n_labels == 0).sum():
            return None
        # Who lies within an interval belongs to it, and who lies between two to none.
        between = covers[1::2, used]
        expected = of_values[1:] & of_values[:-1]
        has_people = np.array([bool(values) for values in plane.space.domains[j].between], dtype=bool)
        if (between != expected)[has_people].any():
            return None
        bits.append(parted)
    return np.concatenate(bits) if bits else None


def _covered(
    plane: Plane, covers: tuple[np.ndarray, ...], labelled: _Groups, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per group its people and its cells with records, both that its labels cover; and per cell with records how many
    are spread onto it by the loss of the plane, in the order of ``cells``."""
    cells = plane.space.cells
    occupied = np.flatnonzero(cells.occupied)
    rank = np.full(len(cells.records), -1, dtype=np.intp)
    rank[occupied] = np.arange(len(occupied))
    people = np.zeros(len(labelled.records), dtype=np.int64)
    within = np.zeros(len(labelled.records), dtype=np.int64)
    volume = np.ones(len(labelled.records))
    for j, covering in enumerate(covers):
        volume *= covering[::2].sum(axis=0)[labelled.labels[:, j]]
    pairs = []
    for cell, its_group in _matches(cells.places, covers, labelled.labels, progress):
        people += sum_by(its_group, len(people), cells.people[cell])
        own = rank[cell] >= 0
        within += np.bincount(its_group[own], minlength=len(within))
        pairs.append((rank[cell][own], its_group[own]))
    spread = np.zeros(len(occupied))
    share = labelled.records / (within if plane.loss.term == KL_OBSERVED else volume)
    for cell, its_group in pairs:
        spread += np.bincount(cell, weights=share[its_group], minlength=len(spread))
    return people, within, spread


def _matches(
    places: np.ndarray, covers: tuple[np.ndarray, ...], labels: np.ndarray, progress: Progress
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of a cell and a group whose labels cover it, each pair once.

    Labels of an attribute are put in layers, in each of which no two cover one place. Of groups whose labels are of one
    layer in each attribute a cell can be in one only, which is looked up; so it is for each combination of layers.
    """
    layers = [_layers(covering) for covering in covers]
    spans = [int(layer.max(initial=0)) + 1 for layer, _ in layers]
    of_group = np.column_stack([layer[labels[:, j]] for j, (layer, _) in enumerate(layers)])
    combination, first = group(of_group, spans)
    for i, start in enumerate(first.tolist()):
        progress(i / len(first))
        groups = np.flatnonzero(combination == i)
        columns = [label_of[of_group[start, j]][places[:, j]] for j, (_, label_of) in enumerate(layers)]
        covered = np.flatnonzero(np.logical_and.reduce([column >= 0 for column in columns]))
        both = np.vstack([labels[groups], np.column_stack([column[covered] for column in columns])])
        ids, _ = group(both, [covering.shape[1] for covering in covers])
        group_of_id = np.full(int(ids.max()) + 1, -1, dtype=np.intp)
        group_of_id[ids[: len(groups)]] = groups
        its_group = group_of_id[ids[len(groups) :]]
        yield covered[its_group >= 0], its_group[its_group >= 0]


def _layers(covers: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """Per label its layer, and per layer the label that covers each place, -1 where none does.

    Narrow labels come first, so that those of one level of a hierarchy share a layer.
    """
    layer = np.zeros(covers.shape[1], dtype=np.int64)
    label_of: list[np.ndarray] = []
    for label in np.argsort(covers.sum(axis=0), kind="stable").tolist():
        places = np.flatnonzero(covers[:, label])
        at = next((i for i, taken in enumerate(label_of) if (taken[places] < 0).all()), len(label_of))
        if at == len(label_of):
            label_of.append(np.full(len(covers), -1, dtype=np.int64))
        label_of[at][places] = label
        layer[label] = at
    return layer, label_of


# ---- the measures ----


def _risk(plane: Plane, n: np.ndarray, people: np.ndarray, occupied: np.ndarray) -> float:
    """As :meth:`Plane.sums`; a share of records is one of those that leave."""
    values = terms(plane.risk.term, n, people, occupied, plane.k)
    if plane.risk.combined == "max":
        return float(values.max())
    of_leaving = plane.space.n_records / n.sum() if plane.risk.key != "population" else 1.0
    return float(values.sum() * of_leaving)


def _loss(plane: Plane, rows: LabelledRecords, labelled: _Groups, spread: np.ndarray, left_out: int) -> float:
    """As :meth:`Plane.sums`."""
    n, n_all, cells = labelled.records, plane.space.n_records, plane.space.cells
    if plane.loss.term in (KL, KL_OBSERVED):
        whole = prod(float(len(domain)) for domain in plane.space.domains)
        onto_all = left_out / (whole if plane.loss.term == KL else len(spread))
        own = cells.records[cells.occupied]
        return -float((own * np.log(spread + onto_all)).sum())
    if plane.loss.term == SQUARE:
        return float((n.astype(float) ** 2).sum() + float(left_out) * n_all)
    if plane.loss.term == ONE:
        return float(len(n) + (left_out > 0))
    return sum(_loss_of_cells(plane, rows, j) for j in range(len(rows.covers)))


def _loss_of_cells(plane: Plane, rows: LabelledRecords, j: int) -> float:
    """The loss of one attribute's cells: of each pair of a value and a label, and of who is left out."""
    records, _ = plane.prefixes[j]
    m, covers, n_values = np.diff(records), rows.covers[j][::2], len(plane.space.domains[j])
    value, label, n = rows.values[:, j], rows.labels[:, j], rows.counts.astype(float)
    left_out = m - np.bincount(value, weights=n, minlength=n_values)
    if plane.loss.per_interval == WIDTH:
        lost = (covers.sum(axis=0)[label] - 1) / max(1, n_values - 1)
        return float((n * lost).sum() + left_out.sum() * (n_values > 1))
    assert plane.loss.per_interval == ENTROPY
    within = (m @ covers)[label]
    of_left_out = xlogy(left_out, m.sum()).sum() - xlogy(left_out, np.maximum(m, 1)).sum()
    return float((n * np.log(within / m[value])).sum() + of_left_out)
