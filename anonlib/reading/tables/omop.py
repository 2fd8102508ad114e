"""Keys of the OMOP common data model, as it defines them (OHDSI, Common Data Model 5.4)."""

from __future__ import annotations

from anonlib.values.naming import words

_TABLES = words(
    "person observation_period visit_occurrence visit_detail condition_occurrence drug_exposure procedure_occurrence "
    "device_exposure measurement observation death note note_nlp specimen fact_relationship location care_site "
    "provider payer_plan_period cost drug_era dose_era condition_era episode episode_event cohort"
)
_BY_ANOTHER_NAME = {("cohort", "subject_id"): "person"}


def is_defined(table: str, column: str, parent: str, parent_column: str) -> bool | None:
    """Whether the model defines a key; None where one of the two is no table of it.

    >>> is_defined("measurement", "visit_occurrence_id", "visit_occurrence", "visit_occurrence_id")
    True
    >>> is_defined("visit_occurrence", "preceding_visit_occurrence_id", "visit_occurrence", "visit_occurrence_id")
    False
    """
    table, column, parent, parent_column = (name.lower() for name in (table, column, parent, parent_column))
    if table not in _TABLES or parent not in _TABLES:
        return None
    if parent_column != f"{parent}_id":
        return False
    return column == parent_column or _BY_ANOTHER_NAME.get((table, column)) == parent
