"""The parts of a saved project, read from plain values and checked."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.hierarchies.arx import MOST_LEVELS
from anonlib.columns.roles import Role
from anonlib.counting.classes import Missing
from anonlib.filing.project.bounds import WRONG, damaged, listed, mapping, optional, text
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps.recode import recoding_from_dict, recoding_to_dict
from anonlib.verdict.criteria import Aim, Then

Way = Literal["natural", "scale", "frequent", "alphabetical", "safe harbor", "codes", "stated", "given"]
"""By number or date, by the first number in the text, the commonest first, by letters, ZIP codes with small areas
first, codes by the groups of their system, as the file states it, and as put by hand."""
MOST_BY_HAND = 200
"""Most values of a column that can be put in order by hand."""
MOST_VARIANTS = 20
"""Most versions of a recipe that a project keeps beside the one in use."""
LONGEST_NAME = 40
"""Characters of a version's name, at most."""
_MOST_STEPS = 1_000
_MOST_EARLIER = 500
_SEED_DIGITS = 64


@dataclass(frozen=True)
class ValueOrder:
    """The order of a column's values.

    Attributes
    ----------
    way : Way
        Which order.
    by_hand : tuple[str, ...], optional
        The values put first by hand, at most ``MOST_BY_HAND``, each once; None where none were. They stay while another
        way is chosen. Values of a file that are not among them follow in the order that they would have.
    """

    way: Way
    by_hand: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.way not in get_args(Way):
            raise InputError(f"The order of values is one of: {', '.join(get_args(Way))}.", code="choice-unknown")
        values = self.by_hand or ()
        if len(values) > MOST_BY_HAND or len(set(values)) < len(values):
            raise InputError(
                f"By hand at most {MOST_BY_HAND} values can be put in order, each once.", code="too-many-values"
            )

    @property
    def n_named(self) -> int:
        """How many values it names, 0 or more."""
        return len(self.by_hand or ())

    def without_named(self) -> ValueOrder:
        """The order without the values that it names."""
        return replace(self, by_hand=None)

    def to_dict(self) -> dict[str, Any]:
        """The order as plain values for JSON."""
        return {"way": self.way, "by_hand": None if self.by_hand is None else list(self.by_hand)}

    @classmethod
    def from_dict(cls, value: Any, what: str) -> ValueOrder:
        """The order of such values. Raises InputError when one is missing or wrong."""
        given = mapping(value, what)
        if given.get("way") not in list(get_args(Way)):
            raise damaged(f"{what} must be one of: {', '.join(get_args(Way))}")
        return cls(given["way"], optional(given.get("by_hand"), _values, f"the values of {what}"))


def orders(value: Any) -> dict[str, ValueOrder]:
    """By column, the order of its values."""
    return {
        column: ValueOrder.from_dict(order, "the order of a column’s values")
        for column, order in mapping(value, "the orders of values").items()
    }


def _values(value: Any, what: str) -> tuple[str, ...]:
    values = tuple(text(item, what) for item in listed(value, what, MOST_BY_HAND))
    if len(set(values)) < len(values):
        raise damaged(f"{what} name one twice")
    return values


@dataclass(frozen=True)
class Variant:
    """A recipe kept by a name.

    Attributes
    ----------
    name : str
        As typed, without blanks around it; 1 to :data:`LONGEST_NAME` characters.
    recipe : Recipe
        Its steps.

    Raises
    ------
    InputError
        When the name is empty, too long, or cannot be written.
    """

    name: str
    recipe: Recipe

    def __post_init__(self) -> None:
        name = checks.text(self.name, "The name of a version").strip()
        if not name:
            raise InputError("Give the version a name.", code="name-missing")
        if len(name) > LONGEST_NAME:
            raise InputError(
                f"The name of a version can have {LONGEST_NAME} characters at most. Shorten it.", code="text-too-long"
            )
        object.__setattr__(self, "name", name)


def check_variants(variants: Sequence[Variant]) -> None:
    """Raises InputError where there are too many, or two of one name, capitals as small letters."""
    if len(variants) > MOST_VARIANTS:
        raise InputError(f"{MOST_VARIANTS} versions can be kept. Remove one first.", code="too-many-versions")
    names = [variant.name.casefold() for variant in variants]
    for name, variant in zip(names, variants, strict=True):
        if names.count(name) > 1:
            raise InputError(
                f"A version named “{variant.name}” is kept already. Choose another name.", code="name-taken"
            )


def variants_to_list(variants: Sequence[Variant]) -> list[dict[str, Any]]:
    """The versions as plain values for JSON."""
    return [{"name": variant.name, "recipe": variant.recipe.to_list()} for variant in variants]


def variants(value: Any) -> tuple[Variant, ...]:
    """The versions of such values. Raises InputError when one is missing or wrong."""
    given = [mapping(item, "a version kept") for item in listed(value, "the versions kept", MOST_VARIANTS)]
    return tuple(Variant(item.get("name", ""), recipe(item.get("recipe"), "a version kept")) for item in given)


def only_table(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the document holds of its one table. Raises InputError where it holds none, or several."""
    tables = listed(document.get("tables"), "the tables")
    if len(tables) != 1:
        way_out = "Open it with the version that saved it." if tables else "Choose a file saved with “Save project”."
        raise InputError(
            f"This project holds {len(tables):,} tables; this version reads one. {way_out}",
            code="tables-of-other-number",
        )
    return mapping(tables[0], "a table")


def recipe(value: Any, what: str) -> Recipe:
    """A recipe of its steps."""
    return Recipe.from_list(listed(value, f"the steps of {what}", _MOST_STEPS))


def earlier_releases(value: Any) -> list[tuple[Recipe, Any, str | None, Then | None]]:
    """The recipe of each earlier release, with what names the file that was released and the data that it was of, and
    what was decided on these; None where nothing does."""
    releases = [mapping(item, "an earlier release") for item in listed(value, "the earlier releases", _MOST_EARLIER)]
    return [
        (
            recipe(item.get("recipe"), "an earlier release"),
            item.get("sha256"),
            optional(item.get("of"), text, "the original of an earlier release"),
            _then(item) if "roles" in item else None,
        )
        for item in releases
    ]


def _then(value: Mapping[str, Any]) -> Then:
    """What was decided on data when they were released."""
    reading = text(value.get("reading", ""), "how the data of an earlier release were read")
    return Then.of(roles(value["roles"]), missing(value.get("missing")), reading)


def roles(value: Any) -> dict[str, Role]:
    """By column, its role."""
    by_column = {}
    for column, role in mapping(value, "the roles").items():
        if role not in list(Role):
            raise damaged(f"the role of a column is not one of: {', '.join(Role)}")
        by_column[column] = Role(role)
    return by_column


def missing(value: Any) -> Missing:
    """The policy for missing values."""
    if value not in list(get_args(Missing)):
        raise damaged(f"the policy for missing values must be one of: {', '.join(get_args(Missing))}")
    return value


def hierarchies(value: Any) -> dict[str, Hierarchy]:
    """By column, its hierarchy."""
    return {column: _hierarchy(levels) for column, levels in mapping(value, "the hierarchies").items()}


def _hierarchy(levels: Any) -> Hierarchy:
    recodings = []
    for level in listed(levels, "the levels of a hierarchy", MOST_LEVELS):
        try:
            recodings.append(recoding_from_dict(level))
        except InputError as error:
            raise error
        except (KeyError, TypeError, ValueError, AttributeError):
            raise damaged("a hierarchy lacks a part or has one of the wrong kind") from None
    return Hierarchy(tuple(recodings))


def hierarchies_to_dict(chosen: Mapping[str, Hierarchy]) -> dict[str, list[dict[str, Any]]]:
    """By column, the levels of its hierarchy as plain values for JSON."""
    return {column: [recoding_to_dict(level) for level in hierarchy.recodings] for column, hierarchy in chosen.items()}


def pairs(value: Any, what: str) -> dict[str, str]:
    """By column, a text."""
    return {column: text(other, what) for column, other in mapping(value, what).items()}


def aim(
    value: Any,
    earlier: tuple[Recipe, ...],
    earlier_of: tuple[tuple[str, str], ...] = (),
    earlier_then: tuple[tuple[str, str, Then], ...] = (),
) -> Aim:
    """The aim, with the recipes of earlier releases, of which data they are and what was decided on these."""
    given = mapping(value, "what the release must meet")
    for name in ("criteria", "accepted", "fixed", "droppable"):
        listed(given.get(name), f"“{name}” of what the release must meet")
    for name in ("purposes", "measured"):
        listed(given.get(name, []), f"“{name}” of what the release must meet")
    for name in ("harmless", "weights"):
        mapping(given.get(name), f"“{name}” of what the release must meet")
    aimed = Aim.from_dict(given, earlier, earlier_of, earlier_then)
    for criterion in (*aimed.criteria, *aimed.measured, *(accepted.criterion for accepted in aimed.accepted)):
        text(criterion.source, "the source of a criterion")
    return aimed


def share(value: Any, what: str) -> float:
    """A probability above 0."""
    if not 0 < checks.number(value, WRONG + what) <= 1:
        raise damaged(f"{what} must be above 0 and at most 1")
    return float(value)


def pseudonyms(value: Any, what: str) -> Pseudonyms:
    """The label of pseudonyms."""
    return Pseudonyms.from_dict(mapping(value, what))


def seed(value: Any) -> int:
    """A secret of at most 256 bits, from its hexadecimal digits."""
    digits = text(value, "the seed")
    if not digits or len(digits) > _SEED_DIGITS or not set(digits) <= set(string.hexdigits):
        raise damaged(f"the seed must be 1 to {_SEED_DIGITS} hexadecimal digits")
    return int(digits, 16)
