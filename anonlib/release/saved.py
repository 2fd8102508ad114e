"""A recipe as a file: its steps, and what they were decided with, so that they can be judged and used again."""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar, get_args

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.version import VERSION
from anonlib.columns.roles import Role
from anonlib.counting.classes import Missing
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import counted_otherwise

_WRONG = "The recipe’s file is damaged: "
T = TypeVar("T")


@dataclass(frozen=True)
class SavedRecipe:
    """A recipe with what it was saved with; None or "" for what its file does not say, as that of an old version.

    Attributes
    ----------
    recipe : Recipe
        The steps.
    version : str
        Of Anonscope, as ``0.1.0``.
    saved_on : str
        Date, as ``2026-11-22``.
    digest, n_records : str, int
        Of the file it was made for: SHA-256 as hexadecimal digits, and records. Not its name, which may identify.
    population : str
        SHA-256 of the population table that was loaded; "" without one.
    roles : Mapping[str, Role], optional
        By column, as accepted.
    missing, k, threshold : Missing, int, float
        The policy for missing quasi-identifiers, and the thresholds that were looked at.
    seed : int
        Of the order of the released rows and of what else is drawn by lot. With it and a released file somebody can
        put its rows into the original's order: a saved recipe stays inside.
    upgraded : tuple[str, ...], default ()
        What its steps do otherwise today than in the version that saved them, in sentences.
    """

    recipe: Recipe
    version: str = ""
    saved_on: str = ""
    digest: str = ""
    n_records: int | None = None
    population: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    missing: Missing | None = None
    k: int | None = None
    threshold: float | None = None
    seed: int | None = None
    upgraded: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(
        cls, recipe: Recipe, data: Dataset, *, k: int, threshold: float, seed: int, population: Dataset | None = None
    ) -> SavedRecipe:
        """The recipe with what is decided now."""
        return cls(
            recipe, VERSION, date.today().isoformat(), data.digest, data.n_records,
            "" if population is None else population.digest, dict(data.roles), data.missing, k, threshold, seed,
        )  # fmt: skip

    def to_json(self) -> str:
        """The text that :meth:`from_json` reads."""
        document = json.loads(self.recipe.to_json())
        made_with = {
            "anonscope": self.version,
            "date": self.saved_on,
            "file": {"sha256": self.digest, "records": self.n_records},
            "population": {"sha256": self.population} if self.population else None,
            "roles": {column: str(role) for column, role in self.roles.items()},
            "missing": self.missing,
            "k": self.k,
            "threshold": self.threshold,
        }
        inside = {} if self.seed is None else {"keep_inside": {"seed": f"{self.seed:x}"}}
        steps = document.pop("steps")
        return json.dumps({**document, "made_with": made_with, **inside, "steps": steps}, indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> SavedRecipe:
        """The recipe of a file.

        Raises
        ------
        InputError
            When something is wrong with it; the sentence names it.
        """
        recipe = Recipe.from_json(text)
        document = json.loads(text)
        made_with = _mapping(document.get("made_with") or {}, "what it was made with")
        file = _mapping(made_with.get("file") or {}, "the file it was made for")
        population = _mapping(made_with.get("population") or {}, "the population table")
        inside = _mapping(document.get("keep_inside") or {}, "what is to be kept inside")
        roles = _roles(made_with.get("roles") or {})
        counts_persons = not roles or Role.PERSON_ID in roles.values()
        return cls(
            recipe,
            _or(made_with.get("anonscope"), _text, "the version") or "",
            _or(made_with.get("date"), _text, "the date") or "",
            _or(file.get("sha256"), _text, "the digest of the file") or "",
            _or(file.get("records"), _count, "the number of records"),
            _or(population.get("sha256"), _text, "the digest of the population table") or "",
            roles,
            _or(made_with.get("missing"), _missing, "the policy for missing values"),
            _or(made_with.get("k"), _count, "k"),
            _or(made_with.get("threshold"), _share, "the threshold"),
            _or(inside.get("seed"), _seed, "the seed"),
            tuple(counted_otherwise(document["steps"])) if counts_persons else (),
        )

    def other_roles(self, data: Dataset) -> dict[str, Role]:
        """column -> role as it was saved, for the columns of the data that have another one, or none, now."""
        return {
            column: role
            for column, role in self.roles.items()
            if column in data.columns and data.roles.get(column) != role
        }

    def absent(self, data: Dataset) -> list[str]:
        """Columns that had a role when the recipe was saved and that the data has not."""
        return [column for column in self.roles if column not in data.columns]


def _or(value: Any, read: Callable[[Any, str], T], what: str) -> T | None:
    return None if value is None else read(value, what)


def _mapping(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{_WRONG}{what} must be names with values. Choose one saved here.", code="recipe-damaged")
    return value


def _text(value: Any, what: str) -> str:
    return checks.text(value, _WRONG + what)


def _count(value: Any, what: str) -> int:
    return checks.whole(value, _WRONG + what, 1 if what == "k" else 0)


def _share(value: Any, what: str) -> float:
    if not 0 < checks.number(value, _WRONG + what) <= 1:
        raise InputError(f"{_WRONG}{what} must be above 0 and at most 1.", code="number-out-of-range")
    return float(value)


def _missing(value: Any, what: str) -> Missing:
    if value not in get_args(Missing):
        raise InputError(f"{_WRONG}{what} must be one of: {', '.join(get_args(Missing))}.", code="choice-unknown")
    return value


def _seed(value: Any, what: str) -> int:
    digits = _text(value, what)
    if not digits or not set(digits) <= set(string.hexdigits):
        raise InputError(f"{_WRONG}{what} must be hexadecimal digits.", code="recipe-damaged")
    return int(digits, 16)


def _roles(value: Any) -> dict[str, Role]:
    roles = {}
    for column, role in _mapping(value, "the roles").items():
        try:
            roles[checks.text(column, "The name of a column")] = Role(role)
        except ValueError:
            raise InputError(
                f"{_WRONG}the role of “{column}” is not one of: {', '.join(Role)}.", code="role-unknown", column=column
            ) from None
    return roles
