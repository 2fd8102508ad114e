"""The public example of somebody who knows the method: a made-up clinic, protected and attacked by this library.

Five people of a ZIP code have one diagnosis. The release puts them together with six others, whose diagnoses differ, so
that the diagnosis is not certain of anybody there. That it did so shows whose it is, to somebody who knows how many
people live where.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pandas as pd

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import Mask
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally
from anonlib.verdict.method import Method, MethodFindings, method_findings

ZIP, DIAGNOSIS, K = "ZIP", "diagnosis", 5
_MIXED = ("flu", "asthma", "angina", "gout", "eczema", "flu")
PATIENTS: tuple[tuple[str, str], ...] = (
    *(("60119", "HIV") for _ in range(5)),
    *(("60110", diagnosis) for diagnosis in ("flu", "asthma", "angina", "gout", "eczema", "cold")),
    *((code, diagnosis) for code in ("60215", "60216", "60311") for diagnosis in _MIXED),
)
"""ZIP code and diagnosis of each: made up."""


@dataclass(frozen=True)
class PeopleAlike:
    """People of the clinic who share a label.

    Attributes
    ----------
    label : str
        The ZIP code, or what is left of it.
    persons : int
        How many they are.
    diagnoses : tuple[tuple[str, int], ...]
        Each with how many have it, the commonest first.
    """

    label: str
    persons: int
    diagnoses: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Clinic:
    """What happens in the example.

    Attributes
    ----------
    released : tuple[PeopleAlike, ...]
        What everybody sees in the release, by its labels.
    mixed : PeopleAlike
        Of these, those whose label was made coarser.
    refused : tuple[tuple[str, int, tuple[str, ...]], ...]
        The ZIP codes that are together under that label: each with its people, whom a register counts, and the
        diagnoses that all of them can have by what the release shows.
    findings : MethodFindings
        What somebody who knows the method learns of it.
    with_coin : MethodFindings
        The same where a coin refuses as values do.
    coin : Coin
        That coin.
    """

    released: tuple[PeopleAlike, ...]
    mixed: PeopleAlike
    refused: tuple[tuple[str, int, tuple[str, ...]], ...]
    findings: MethodFindings
    with_coin: MethodFindings
    coin: Coin


@cache
def clinic() -> Clinic:
    """The example, made and attacked when it is first asked for."""
    frame = pd.DataFrame(PATIENTS, columns=[ZIP, DIAGNOSIS])
    data = Dataset.from_frame(frame, roles={ZIP: Role.QUASI_IDENTIFIER, DIAGNOSIS: Role.SENSITIVE})
    hierarchy = Hierarchy((Mask(4, fill="*", length=5),)).with_top()
    guarantees = KAnonymity(columns=(ZIP,), least=K), AttributeDisclosure(columns=(ZIP,), sensitive=DIAGNOSIS, p=0.0)
    method = Method(guarantees, {ZIP: hierarchy})
    coin = Coin()
    recipe, by_coin = (
        Recipe.of([GeneralizeLocally(((ZIP, hierarchy),), guarantees, coin=refuses)]) for refuses in (None, coin)
    )
    applied = recipe.apply(data)
    released = _alike(applied.released)
    assert applied.released.frame is not None
    places = dict(zip(frame[ZIP], applied.released.frame[ZIP].astype(str), strict=True))
    mixed = next(group for group in released if group.label not in places)
    refused = tuple(
        (group.label, group.persons, tuple(name for name, having in mixed.diagnoses if having >= group.persons))
        for group in _alike(data)
        if places[group.label] == mixed.label
    )
    return Clinic(
        released,
        mixed,
        refused,
        method_findings(applied, recipe, method),
        method_findings(by_coin.apply(data), by_coin, method),
        coin,
    )


def _alike(data: Dataset) -> tuple[PeopleAlike, ...]:
    """Those who share a ZIP code or what is left of it, by that."""
    both = data.classes([ZIP, DIAGNOSIS])
    by_label: dict[str, dict[str, int]] = {}
    for label, diagnosis, persons in zip(both.column(ZIP), both.column(DIAGNOSIS), both.counts.tolist(), strict=True):
        by_label.setdefault(label, {})[diagnosis] = persons
    return tuple(
        PeopleAlike(label, sum(having.values()), tuple(sorted(having.items(), key=lambda pair: (-pair[1], pair[0]))))
        for label, having in sorted(by_label.items())
    )
