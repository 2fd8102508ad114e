"""Releases on the plane of policies from their definitions: record by record, person by person, value by value.

A release has for each record of a case the values that each of its labels covers. Nothing here is shared with what it
is to check.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import fsum, inf, log

from tests.reference.frontier import Case, rank

K = 3
Label = frozenset
"""The values of a domain that a label covers."""
Release = list[tuple[Label, ...] | None]
"""Per record of the case the labels that it leaves with; None where it is left out."""


def covered(case: Case, label: Label, j: int, value: str | None) -> bool:
    """A label covers its values, and who lies between two neighbours of the domain that it both covers."""
    domain = case.domain(j)
    if value in domain:
        return value in label
    below = [other for other in domain if rank(other) < rank(value)]
    above = [other for other in domain if rank(other) > rank(value) and other is not None]
    return bool(below) and bool(above) and below[-1] in label and above[0] in label


def slow(case: Case, release: Release, texts: list | None = None) -> tuple[dict[str, float], dict[str, float]]:
    """Every measure of risk and of loss as its definition says, the losses not yet as shares.

    ``texts`` are the labels as they are written, where two of them cover the same.
    """
    everybody = case.rows if case.people is None else case.people
    kept = [i for i, labels in enumerate(release) if labels is not None]
    leaving = [release[i] for i in kept]
    written = leaving if texts is None else [texts[i] for i in kept]
    sizes, names = Counter(written), range(len(case.names))
    out = len(case.rows) - len(leaving)

    def people(labels: tuple[Label, ...]) -> int:
        return sum(all(covered(case, labels[j], j, person[j]) for j in names) for person in everybody)

    original = fsum(
        1 / people(tuple(frozenset([value]) for value in row)) for row in case.rows
    )  # fmt: skip
    risks = {
        "population": fsum(1 / people(labels) for labels in leaving) / original,
        "average": len(sizes) / len(leaving),
        "highest": max(1 / size for size in sizes.values()),
        "below_k": sum(sizes[labels] < K for labels in written) / len(written),
    }
    if case.people is not None:
        risks["highest_population"] = max(1 / people(labels) for labels in leaving)
    cells, n = [*product(*case.domains())], len(case.rows)
    with_records = Counter(case.rows)

    def divergence(spread_over: list) -> float:
        """Equation 4, each record spread evenly over those of the combinations that its labels cover."""
        onto = Counter()
        for labels in release:
            over = [cell for cell in spread_over if labels is None or all(cell[j] in labels[j] for j in names)]
            for cell in over:
                onto[cell] += 1 / len(over) / n
        return fsum(count / n * log(count / n / onto[cell]) for cell, count in with_records.items())

    entropy, ncp = 0.0, 0.0
    for j, domain in enumerate(case.domains()):
        values = Counter(row[j] for row in case.rows)
        for row, labels in zip(case.rows, release, strict=True):
            label = frozenset(domain) if labels is None else labels[j]
            entropy -= log(values[row[j]] / sum(values[value] for value in label))
            ncp += (len(label) - 1) / (len(domain) - 1) if len(domain) > 1 else 0.0
    losses = {
        "kl": divergence(cells), "kl_observed": divergence([*with_records]), "entropy": entropy, "ncp": ncp,
        "discernibility": sum(size**2 for size in sizes.values()) + out * n,
        "class_size": n / (len(sizes) + (out > 0)),
    }  # fmt: skip
    return risks, losses


def shares(case: Case, release: Release, texts: list | None = None) -> dict[str, float]:
    """Every loss, 0 for the data as they are and 1 for one class; inf where one class loses nothing and it does."""
    as_it_is, together = (
        slow(case, [tuple(of(row)) for row in case.rows])[1]
        for of in (lambda row: [frozenset([value]) for value in row], lambda row: map(frozenset, case.domains()))
    )
    lost = slow(case, release, texts)[1]
    return {
        key: (lost[key] - least) / (together[key] - least)
        if together[key] - least > 1e-9
        else (inf if lost[key] - least > 1e-9 else 0.0)
        for key, least in as_it_is.items()
    }
