"""What a report for anybody counts: of the rows that leave alone, as somebody who has nothing else would count them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anonlib.analyses.risk import SensitiveRisk, assess, sensitive_risk
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.evidence.evidence import AloneFacts, AsReleased, ColumnAsReleased
from anonlib.filing.evidence.measures import alone_facts, risk
from anonlib.filing.project import Opened
from anonlib.release.alone import alone_by_what_leaves
from anonlib.release.recipe import Recipe
from anonlib.values.cells import natural_order
from anonlib.verdict.criteria import Criterion

MOST_LABELS = 40
"""Labels of a column that are listed; of more only how many there are."""


def as_released(opened: Opened, criteria: Sequence[Criterion], progress: Progress | None = None) -> AsReleased | None:
    """Count the rows that leave.

    Parameters
    ----------
    opened : Opened
        The project on its files. Of the original nothing is looked at.
    criteria : Sequence[Criterion]
        What the verdict is about.
    progress : Progress, optional
        Called with the share that is done; may raise to stop.

    Returns
    -------
    AsReleased | None
        None where no file leaves.
    """
    applied, project = opened.applied, opened.project
    if applied.why_not or opened.why_no_key or not applied.released.n_records:
        return None
    data = what_leaves(applied.released)
    recipe = project.recipe
    known = data.quasi_identifiers if data.tables is None else []
    counted = assess(data.classes(known), k=project.aim.k, threshold=project.asked_threshold) if known else None
    return AsReleased(
        data.n_rows,
        data.classes([]).n_records if data.unit == "persons" and _are_persons_known(data) else None,
        tuple(_column(data, name) for name in data.columns),
        None if counted is None else risk(counted),
        () if counted is None else tuple((name, _of_classes(data, name)) for name in data.sensitive),
        _alone(data, opened, progress) if data.tables is None else None,
        data.has_several_rows and _are_persons_known(data),
        tuple(dict.fromkeys(_for_anybody(recipe))),
        tuple(name for name in recipe.recoded_by("text") if name in data.columns),
        # Not whether some person has several rows in the original.
        tuple(criterion.describe_in(opened.data.unit, opened.data.person_id is not None) for criterion in criteria),
    )


def what_leaves(released: Dataset) -> Dataset:
    """The rows that leave as a data set of their own: persons are those whose ids leave, none else.

    Parameters
    ----------
    released : Dataset
        What a recipe made, with what is withheld.

    Returns
    -------
    Dataset
        Several tables as they are: whose rows are whose is known of them where ids leave, or rows are persons.
    """
    if released.tables is not None:
        return released
    roles = {name: role for name, role in released.roles.items() if name in released.columns}
    held = released.held.drop([*released.withheld])  # ids by which persons were counted do not leave, nor how many
    return Dataset(released.name, released.digest, held, roles, prepared=f"{released.prepared} as it leaves")


def _for_anybody(recipe: Recipe) -> Iterator[str]:
    """What anybody may know of the steps, besides which texts were redacted."""
    for step in recipe.enabled:
        if step.for_anybody and step.labels_by != "text":
            yield step.for_anybody


def _are_persons_known(data: Dataset) -> bool:
    """Whether who has the rows knows whose they are."""
    return data.tables is None or data.is_linked or data.tables.rows_are_persons


def _alone(data: Dataset, opened: Opened, progress: Progress | None) -> AloneFacts | None:
    project = opened.project
    return alone_facts(
        alone_by_what_leaves(
            Recipe().apply(data), Recipe(), k=project.aim.small, unknowable=project.unknowable, progress=progress
        )
    )


def _column(data: Dataset, name: str) -> ColumnAsReleased:
    try:
        counts = data.held.counts_of(name)
    except InputError:  # an engine has too many of them to be fetched
        return ColumnAsReleased(name, None, (), 0)
    labels = [str(value) for value in counts.values[counts.records > 0]]
    lists = data.roles.get(name) in (Role.QUASI_IDENTIFIER, Role.PLACE) and len(labels) <= MOST_LABELS
    in_order = tuple(labels[i] for i in natural_order(labels)) if lists else ()
    return ColumnAsReleased(name, len(labels), in_order, int(counts.missing))


def _of_classes(data: Dataset, name: str) -> SensitiveRisk:
    known = data.quasi_identifiers
    return sensitive_risk(data.classes([*known, name]), known, name)
