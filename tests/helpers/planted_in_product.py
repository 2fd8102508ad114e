"""Planted files as the product takes them, and its releases as an attack reads them."""

from __future__ import annotations

from anonlib.coarsening.hierarchies import Hierarchy, from_labels
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, PrivacyModel
from anonlib.dataset import Dataset
from tests.helpers.planted_files import PlantedFile, Rows
from tests.helpers.small_release import column


def dataset_of(file: PlantedFile) -> Dataset:
    known = dict.fromkeys(file.hierarchies, Role.QUASI_IDENTIFIER)
    return Dataset.from_frame(file.frame, roles=known | dict.fromkeys(file.sensitive, Role.SENSITIVE))


def hierarchies_of(file: PlantedFile) -> dict[str, Hierarchy]:
    """The same labels on the same levels."""
    of_column = {}
    for name, ladder in file.hierarchies.items():
        _, *levels = map(list, zip(*ladder.values(), strict=True))
        of_column[name] = from_labels(list(ladder), levels, top=False)
    return of_column


def asked_of(file: PlantedFile) -> tuple[PrivacyModel, ...]:
    """What the release of the file must meet."""
    known = tuple(file.hierarchies)
    return (
        KAnonymity(columns=known, least=file.k),
        *(
            AttributeDisclosure(columns=known, sensitive=name, harmless=tuple(file.harmless.get(name, ())))
            for name in file.sensitive
        ),
    )


def rows_released(file: PlantedFile, released: Dataset) -> Rows:
    """Labels and sensitive values of each record that leaves."""
    labels, values = (
        zip(*(column(released, n) for n in names), strict=True) for names in (file.hierarchies, file.sensitive)
    )
    return list(zip(labels, values, strict=True))
