"""The roles that a column can have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum


class Role(StrEnum):
    """The part a column plays in re-identification."""

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi_identifier"
    SENSITIVE = "sensitive"
    PLACE = "place"
    PERSON_ID = "person_id"
    WEIGHT = "weight"
    OTHER = "other"

    @property
    def label(self) -> str:
        """The role's name on screen, such as ``Quasi-identifier``."""
        return _LABELS[self]

    @property
    def answer(self) -> str:
        """What giving the role says of a column: whether somebody outside could know it, and the role's name."""
        says = _ANSWERS.get(self, self.label)
        return says if says == self.label else f"{says} ({self.label.lower()})"

    @property
    def meaning(self) -> str:
        """One sentence that tells an officer what the role means and does."""
        return _MEANINGS[self]


_LABELS = {
    Role.IDENTIFIER: "Identifier",
    Role.QUASI_IDENTIFIER: "Quasi-identifier",
    Role.SENSITIVE: "Sensitive",
    Role.PLACE: "Place",
    Role.PERSON_ID: "Person id",
    Role.WEIGHT: "Weight",
    Role.OTHER: "Neither",
}
_ANSWERS = {
    Role.QUASI_IDENTIFIER: "Known outside",
    Role.PLACE: "Known outside",
    Role.SENSITIVE: "Not known, would harm",
}
_MEANINGS = {
    Role.IDENTIFIER: "Names one person by itself, such as a name or a record number; it never leaves in a release.",
    Role.QUASI_IDENTIFIER: "An outsider may know it and, with others of its kind, single a person out: age, sex, "
    "postcode.",
    Role.SENSITIVE: "Would harm a person if an outsider learned it, such as a diagnosis: what an attacker is after.",
    Role.PLACE: "Where a person lives or was seen, as coordinates or small-area codes; "
    "it counts as a quasi-identifier and can be merged into regions.",
    Role.PERSON_ID: "Says which rows belong to the same person, so that persons are counted and not rows; "
    "it leaves as a number drawn at random.",
    Role.WEIGHT: "The whole number of persons of the file that the row stands for, as in a table of counts; a row of 0 "
    "does not leave. Not for the weights of a survey, where each row is one person.",
    Role.OTHER: "Kept as it is and not counted as a risk: only for what no outsider can know.",
}


SAVED_ROLES = frozenset({Role.QUASI_IDENTIFIER, Role.PLACE, Role.WEIGHT, Role.OTHER})
"""The roles of columns whose values a saved project names where a step, a hierarchy or an order is made of them."""


def undecided(columns: Iterable[str], roles: Mapping[str, Role | str]) -> list[str]:
    """The columns of which nobody has decided what they are: they have no role and take part in no analysis.

    Parameters
    ----------
    columns : Iterable[str]
        Names of columns, such as ``Dataset.columns``.
    roles : Mapping[str, Role | str]
        Column -> role. The role *neither* is a decision like any other.

    Returns
    -------
    list of str
        In the order given.

    Examples
    --------
    >>> undecided(["age", "ward", "note"], {"age": Role.QUASI_IDENTIFIER, "note": Role.OTHER})
    ['ward']
    """
    return [column for column in columns if column not in roles]
