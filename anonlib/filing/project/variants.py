"""Versions of a recipe that an officer keeps beside the one in use, each by a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.filing.project import parts
from anonlib.filing.project.bounds import listed, mapping
from anonlib.release.recipe import Recipe

MOST_VARIANTS = 20
"""Most versions that a project keeps."""
LONGEST_NAME = 40
"""Characters of a version's name, at most."""
_WHAT = "the versions kept"


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


def check(variants: Sequence[Variant]) -> None:
    """Raises InputError where there are too many, or two of one name, capitals as small letters."""
    if len(variants) > MOST_VARIANTS:
        raise InputError(f"{MOST_VARIANTS} versions can be kept. Remove one first.", code="too-many-versions")
    names = [variant.name.casefold() for variant in variants]
    for name, variant in zip(names, variants, strict=True):
        if names.count(name) > 1:
            raise InputError(
                f"A version named “{variant.name}” is kept already. Choose another name.", code="name-taken"
            )


def to_list(variants: Sequence[Variant]) -> list[dict[str, Any]]:
    """The versions as plain values for JSON."""
    return [{"name": variant.name, "recipe": variant.recipe.to_list()} for variant in variants]


def from_list(value: Any) -> tuple[Variant, ...]:
    """The versions of such values. Raises InputError when one is missing or wrong."""
    given = [mapping(each, "a version kept") for each in listed(value, _WHAT, MOST_VARIANTS)]
    return tuple(Variant(each.get("name", ""), parts.recipe(each.get("recipe"), "a version kept")) for each in given)
