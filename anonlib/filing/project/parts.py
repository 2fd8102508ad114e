"""The parts of a saved project, read from plain values and checked."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from typing import Any, get_args

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.hierarchies.arx import MOST_LEVELS
from anonlib.columns.roles import Role
from anonlib.counting.classes import Missing
from anonlib.filing.project.bounds import WRONG, damaged, listed, mapping, optional, text
from anonlib.filing.project.upgrades import (
    from_first,
    from_second,
    with_earlier_steps,
    with_stricter_criteria,
    with_what_is_learned,
)
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps.recode import recoding_from_dict, recoding_to_dict
from anonlib.verdict.criteria import Aim, Then

FORMAT, FORMAT_VERSION = "anonscope-project", 3
MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: from_first, 2: from_second}
"""By the version of the format, what makes a document of it one of the next version."""
_BY_MIGRATIONS = ("upgraded", "stricter")
"""What no saved project has: migrations say it."""
_MOST_STEPS = 1_000
_MOST_EARLIER = 500
_SEED_DIGITS = 64


def of_this_version(document: dict[str, Any]) -> dict[str, Any]:
    """The document as one of this version of the format.

    Raises
    ------
    InputError
        When it is no project, of a newer version, or of one that cannot be read any more.
    """
    if document.get("format") != FORMAT:
        raise InputError(
            "This JSON is no project. Choose a file saved with “Save project”.", code="file-not-of-this-kind"
        )
    version = document.get("version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise damaged("the version of its format must be a whole number")
    if version > FORMAT_VERSION:
        raise InputError(
            "This project was saved by a newer version of Anonscope. Open it with that version.", code="version-unknown"
        )
    document = {name: value for name, value in document.items() if name not in _BY_MIGRATIONS}
    while version < FORMAT_VERSION:
        if version not in MIGRATIONS:
            raise InputError(
                "This project was saved by a version whose files cannot be read. Decide it again.",
                code="version-unknown",
            )
        document, version = MIGRATIONS[version](document), version + 1
    return with_stricter_criteria(with_what_is_learned(with_earlier_steps(document)))


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
    releases = [mapping(each, "an earlier release") for each in listed(value, "the earlier releases", _MOST_EARLIER)]
    return [
        (
            recipe(each.get("recipe"), "an earlier release"),
            each.get("sha256"),
            optional(each.get("of"), text, "the original of an earlier release"),
            _then(each) if "roles" in each else None,
        )
        for each in releases
    ]


def _then(value: Mapping[str, Any]) -> Then:
    """What was decided on data when they were released."""
    reading = text(value.get("reading", ""), "how the data of an earlier release were read")
    return Then.of(roles(value["roles"]), missing(value.get("missing")), reading)


def roles(value: Any) -> dict[str, Role]:
    """By column, its role."""
    found = {}
    for column, role in mapping(value, "the roles").items():
        if role not in list(Role):
            raise damaged(f"the role of a column is not one of: {', '.join(Role)}")
        found[column] = Role(role)
    return found


def missing(value: Any) -> Missing:
    """The policy for missing values."""
    if value not in list(get_args(Missing)):
        raise damaged(f"the policy for missing values must be one of: {', '.join(get_args(Missing))}")
    return value


def hierarchies(value: Any) -> dict[str, Hierarchy]:
    """By column, its hierarchy."""
    return {column: _hierarchy(levels) for column, levels in mapping(value, "the hierarchies").items()}


def _hierarchy(levels: Any) -> Hierarchy:
    found = []
    for level in listed(levels, "the levels of a hierarchy", MOST_LEVELS):
        try:
            found.append(recoding_from_dict(level))
        except InputError as error:
            raise error
        except (KeyError, TypeError, ValueError, AttributeError):
            raise damaged("a hierarchy lacks a part or has one of the wrong kind") from None
    return Hierarchy(tuple(found))


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
    found = Aim.from_dict(given, earlier, earlier_of, earlier_then)
    for criterion in (*found.criteria, *found.measured, *(each.criterion for each in found.accepted)):
        text(criterion.source, "the source of a criterion")
    return found


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
