"""A column of a resource: its name, where it stands, and how its cell is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from anonlib.reading.tables.fhir.elements import Element, code, moment, part, reference, shown, system, text

Read = Callable[[Element], str | None]


@dataclass(frozen=True)
class Field:
    """A column of a resource.

    Attributes
    ----------
    column : str
        Its name.
    title : str
        What it is, in words.
    path : str
        Where it stands in the resource.
    read : Read
        The text of its cell; None where the resource has none.
    identifies : bool, default False
        Whether it names a person.
    """

    column: str
    title: str
    path: str
    read: Read
    identifies: bool = False

    @property
    def element(self) -> str:
        """The element of the resource that it stands in; of several types the common part of the name."""
        return self.path.partition(".")[0].removesuffix("[x]")


def at(*names: str) -> Read:
    """A primitive at a path."""
    return lambda resource: text(part(resource, *names))


def code_at(*names: str) -> Read:
    """The code of a concept at a path."""
    return lambda resource: code(part(resource, *names))


def shown_at(*names: str) -> Read:
    """What a concept at a path is called."""
    return lambda resource: shown(part(resource, *names))


def link(kind: str, *names: str) -> Read:
    """The id that a reference at a path names, of a resource of that kind."""
    return lambda resource: reference(part(resource, *names), kind)


def when(*names: str, end: bool = False) -> Read:
    """The first of some moments that is there; of a period its begin, or its end."""
    return lambda resource: next((found for name in names if (found := moment(resource, name, end))), None)


def coded(column: str, title: str, path: str, get: Callable[[Element], Any]) -> tuple[Field, ...]:
    """A code with what it is called and the system that it is of."""
    return (
        Field(column, f"{title}: code", path, lambda resource: code(get(resource))),
        Field(f"{column}_display", f"{title}: in words", path, lambda resource: shown(get(resource))),
        Field(f"{column}_system", f"{title}: code system", path, lambda resource: system(get(resource))),
    )


def owner(name: str) -> Field:
    """The person whom a resource is about."""
    return Field("patient_id", "Patient", name, link("Patient", name))


def own(resource: str, column: str) -> Field:
    """The id of the resource itself."""
    return Field(column, f"Id of the {resource}", "id", at("id"))
