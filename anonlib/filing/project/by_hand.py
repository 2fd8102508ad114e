"""A project written by hand, in TOML: for those who assess files without the app."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import bounds, upgrades
from anonlib.filing.project.files import FileRead
from anonlib.filing.project.project import Project
from anonlib.reading.sources import DEFAULT_MARKS, ReadOptions
from anonlib.verdict.criteria import BLANK_CELLS, BY_KEY, PARTS, WHOLE_COLUMNS, Aim

MOST_IN_TOML = 5_000_000
"""The largest project in TOML, in bytes; what is larger was not written by hand."""
MOST_KEYS = 100_000
"""Most keys, each part of a dotted one counted: the parser takes up to a kilobyte of memory for one."""
DEEPEST = 16
"""Most parts of a key, and most brackets within one another."""

# Strings and comments as a whole, so that nothing in them counts; then what parts keys and nests values. Without going
# back (``*+``), so that no text takes more than one pass.
_TOKENS = re.compile(
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}+(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+"
    r"|[.=,\n\[\]{}]"
)


def refuse_beyond_bounds(text: str) -> None:
    """Refuses a text in TOML that is larger, deeper or of more keys than a project.

    Raises
    ------
    InputError
        Before anything is made of it.
    """
    if len(text) > MOST_IN_TOML:
        raise InputError(
            f"This is no project in TOML: it is larger than {MOST_IN_TOML // 1_000_000} MB. A project of so many "
            "values is saved as JSON, by “Save project”.",
            code="project-too-large",
        )
    n_keys = n_parts = depth = 0
    for token in _TOKENS.finditer(text):
        match token.group():
            case ".":
                n_keys += 1
                n_parts += 1
            case "=":
                n_keys += 1
                n_parts = 0
            case "[" | "{":
                depth += 1
                n_parts = 0
            case "]" | "}":
                depth -= 1
                n_parts = 0
            case "," | "\n":
                n_parts = 0
            case _:
                continue
        if depth > DEEPEST or n_parts >= DEEPEST:
            line = text.count("\n", 0, token.start()) + 1
            raise InputError(
                f"Line {line:,} of the project in TOML is nested more deeply than a project is.",
                code="file-nested-too-deeply",
            )
        if n_keys > MOST_KEYS:
            raise InputError(
                f"The project in TOML has more than {MOST_KEYS:,} keys. A project of so many is saved as JSON, by "
                "“Save project”.",
                code="project-too-large",
            )


_SETTINGS = (
    "case", "recipient", "k", "threshold", "missing", "seed", "unknowable", "fixed", "droppable", "roles", "weights",
    "harmless", "criteria", "accepted", "purposes", "steps", "population_columns", "read", "pseudonyms", "ways",
    "coarsenable", "leaves_anyway", "hierarchies", "orders", "year", "limit_what_is_learned",
)  # fmt: skip
_OF_AIM = (
    "criteria", "harmless", "fixed", "weights", "droppable", "purposes", "coarsenable", "accepted", "leaves_anyway",
    "year",
)  # fmt: skip
_WAYS = {"whole": WHOLE_COLUMNS, "blanks": BLANK_CELLS, "parts": PARTS}
"""The ways to protect a file, in short."""
_READ = ("marks", "marks_of_columns", "merge_spellings", "labels", "person_ids")
_NOT_BY_HAND: dict[str, Any] = {
    "file": None, "population": None, "areas": None, "variants": [], "earlier_releases": [],
}  # fmt: skip
"""What a saved project holds of its table, and nobody writes by hand."""


def from_toml(text: str | bytes) -> Project:
    """The project of a text in TOML.

    Only ``[roles]`` must be there. The recipient's own criteria hold where ``[[criteria]]`` gives none, and its k where
    ``k`` is not given. Without a seed one is drawn, so that each release has an order of its own.

    Parameters
    ----------
    text : str | bytes
        TOML, as text or in UTF-8: ``recipient``, ``k``, ``threshold``, ``missing``, ``seed``, ``unknowable``,
        ``fixed``, ``droppable``, ``coarsenable``, ``ways`` (``whole``, ``blanks``, ``parts``), ``leaves_anyway``,
        ``year`` (of the case), ``limit_what_is_learned`` (true: what the recipient measures of what may be learned of
        somebody is limited too); the tables ``[case]`` (what :class:`anonlib.filing.case.ReleaseCase` says, such as
        ``title``; ``until`` as a date or a text), ``[roles]``, ``[weights]``, ``[harmless]``, ``[hierarchies]``,
        ``[orders]``, ``[population_columns]``, ``[pseudonyms]`` (what
        :meth:`anonlib.release.pseudonyms.Pseudonyms.from_dict` reads) and ``[read]``; the lists ``[[criteria]]``,
        ``[[purposes]]`` and ``[[steps]]``, whose items are those of a saved project; and ``[[accepted]]``, with the
        ``kind`` of a criterion that is asked, or a ``criterion`` with its limits, the ``reason``, and ``columns``,
        ``who`` and ``when`` where they are given.

    Returns
    -------
    Project

    Raises
    ------
    InputError
        When it is no TOML, larger or deeper than a project is, or a setting is unknown or wrong; the sentence names it.
    """
    given = _table(text)
    if unknown := [name for name in given if name not in _SETTINGS]:
        known = ", ".join(_SETTINGS)
        raise InputError(
            f"The project has {len(unknown)} settings that are not known. There are: {known}.", code="setting-unknown"
        )
    if not isinstance(given.get("roles"), Mapping) or not given["roles"]:
        raise InputError(
            'The project gives no roles. Write a table [roles] with a line such as: age = "quasi_identifier".',
            code="roles-missing",
        )
    recipient = given.get("recipient", Aim().recipient)
    if not isinstance(recipient, str) or recipient not in BY_KEY:
        raise InputError(f"The recipient is none of: {', '.join(BY_KEY)}.", code="recipient-unknown")
    if {"criteria", "limit_what_is_learned"} <= set(given):
        raise InputError(
            "The project gives both [[criteria]] and “limit_what_is_learned”: leave the second out, since the criteria "
            "say whether what is learned is limited.",
            code="setting-unknown",
        )
    aim = _begun(recipient, given.get("limit_what_is_learned")).to_dict()
    aim |= {name: given[name] for name in _OF_AIM if name in given}
    if "accepted" in given:
        aim["accepted"] = _accepted(given["accepted"], aim["criteria"])
    if "ways" in given:
        aim["ways"] = list(ways_of(given["ways"]))
    table = {
        **_NOT_BY_HAND,
        "roles": given["roles"],
        "missing": given.get("missing", "category"),
        "population_columns": given.get("population_columns", {}),
        "unknowable": given.get("unknowable", []),
        "hierarchies": given.get("hierarchies", {}),
        "orders": given.get("orders", {}),
        "recipe": given.get("steps", []),
    }
    document = {
        "format": upgrades.FORMAT,
        "version": upgrades.FORMAT_VERSION,
        "case": ReleaseCase.from_dict(given.get("case", {})).to_dict(),  # in which a date is a text, as JSON has it
        "tables": [table],
        "aim": aim,
        "k": given.get("k", BY_KEY[recipient].k),
        "threshold": given.get("threshold"),
        "pseudonyms": given.get("pseudonyms"),
        "keep_inside": {"seed": given.get("seed", f"{Project().seed:x}")},
    }
    project = Project.from_json(_as_json(document))
    _refuse_other_roles(project)
    return replace(project, file=_read(given.get("read", {}), tuple(project.roles)))


def _begun(recipient: str, is_limited: Any) -> Aim:
    """The aim for a recipient, with what may be learned limited or not where that is given."""
    aim = Aim.for_recipient(recipient)
    if is_limited is None:
        return aim
    if not isinstance(is_limited, bool):
        raise InputError("“limit_what_is_learned” is true or false.", code="not-a-flag")
    if not aim.of.measured:
        raise InputError(
            f"“limit_what_is_learned” cannot be set for “{aim.of.name}”, whose criteria say what may be learned. Leave "
            "it out, or write [[criteria]].",
            code="setting-unknown",
        )
    return aim.limiting_what_is_learned(is_limited)


def ways_of(given: Any) -> tuple[str, ...]:
    """The ways to protect a file, of a list of them as they are called in short or in a saved project.

    Parameters
    ----------
    given : Any
        Such as ``["whole", "parts"]``.

    Returns
    -------
    tuple[str, ...]
        Of :data:`anonlib.verdict.criteria.WAYS`.

    Raises
    ------
    InputError
        When it is none, or one is not known.
    """
    known = {**_WAYS, **{way: way for way in _WAYS.values()}}
    if not isinstance(given, list) or not given or not all(isinstance(way, str) and way in known for way in given):
        raise InputError(f"The ways to protect a file are a list of: {', '.join(_WAYS)}.", code="choice-unknown")
    return tuple(known[way] for way in given)


def _accepted(given: Any, criteria: Any) -> list[dict[str, Any]]:
    """What is accepted with a reason: a criterion with its limits, or each that is asked of a kind."""
    if not isinstance(given, list) or not all(isinstance(accepted, Mapping) for accepted in given):
        raise InputError("What is accepted is written as [[accepted]], with a kind and a reason.", code="not-a-table")
    accepted = []
    for item in given:
        if unknown := set(item) - {"kind", "criterion", "reason", "who", "when", "columns", "values"}:
            raise InputError(
                f"[[accepted]] has {len(unknown)} settings that are not known. There are: kind, criterion, reason, "
                "columns, values, who, when.",
                code="setting-unknown",
            )
        asked_criteria = criteria if isinstance(criteria, list) else []
        mappings = (criterion for criterion in asked_criteria if isinstance(criterion, Mapping))
        of_kind = [criterion for criterion in mappings if criterion.get("kind") == item.get("kind")]
        named = [item["criterion"]] if "criterion" in item else of_kind
        if not named:
            raise InputError("[[accepted]] names the kind of no criterion that is asked.", code="kind-unknown")
        why = {"reason": item.get("reason", ""), "who": item.get("who", ""), "when": _day(item.get("when", ""))}
        values = bounds.mapping(item.get("values", {}), "the values of [[accepted]]")
        columns = item.get("columns", list(values))
        accepted += [{"criterion": criterion, **why, "columns": columns, "values": values} for criterion in named]
    return accepted


def _day(value: Any) -> Any:
    """A day of TOML as a saved project has it."""
    is_day = isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)
    return value.isoformat() if is_day else value


def _refuse_other_roles(project: Project) -> None:
    """Refuses columns that may be coarsened and are not sensitive: they would be passed over."""
    aim, roles = project.aim, project.roles
    for name in aim.coarsenable or ():
        if roles.get(name) is not Role.SENSITIVE:
            raise InputError(
                f"“coarsenable” names “{name}”, which [roles] does not call sensitive.",
                code="column-of-other-role",
                column=name,
            )


def _table(text: str | bytes) -> dict[str, Any]:
    try:
        decoded = text if isinstance(text, str) else text.decode()
        refuse_beyond_bounds(decoded)
        return tomllib.loads(decoded)
    except InputError as error:
        raise error
    except (ValueError, RecursionError):
        raise InputError(
            "This project is neither JSON as “Save project” writes it nor valid TOML. Look for a missing quotation "
            "mark or bracket.",
            code="file-not-of-this-kind",
        ) from None


def _as_json(document: dict[str, Any]) -> str:
    try:
        return json.dumps(document)
    except (TypeError, ValueError, RecursionError):
        raise InputError(
            "A setting of the project is a date or a time. Put it in quotation marks.", code="not-a-text"
        ) from None


def _read(given: Any, columns: tuple[str, ...]) -> FileRead:
    """How the file is read, of any file: as ``[read]`` says, else by its content."""
    options = [option.name for option in fields(ReadOptions)]
    if not isinstance(given, Mapping) or set(given) - {*options, *_READ}:
        raise InputError(
            f"[read] has a setting that is not known. There are: {', '.join((*options, *_READ))}.",
            code="setting-unknown",
        )
    described = {
        "sha256": "0" * 64,
        "name": "any file",
        "records": 0,
        "columns": list(columns),
        "read": {name: given[name] for name in options if name in given},
        "missing_marks": given.get("marks", list(DEFAULT_MARKS)),
        "missing_marks_of_columns": _pairs(given.get("marks_of_columns", {})),
        "merged_spellings": given.get("merge_spellings", []),
        "with_labels": given.get("labels", False),
        "person_ids": given.get("person_ids"),
    }
    return replace(FileRead.from_dict(described, "[read]"), digest="", name="")


def _pairs(given: Any) -> list[list[str]]:
    """A column and a mark each, of a table of columns with lists of marks."""
    what = 'The marks of columns, as in: marks_of_columns = { age = ["99"] },'
    if not isinstance(given, Mapping) or not all(isinstance(marks, list) for marks in given.values()):
        raise InputError(f"{what} must be a table of lists.", code="not-a-table")
    return [[column, mark] for column, marks in given.items() for mark in marks]


def project_of(text: bytes) -> Project:
    """The project of a file: as “Save project” writes it, or written by hand in TOML.

    Parameters
    ----------
    text : bytes
        The file.

    Returns
    -------
    Project
    """
    is_saved = text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return Project.from_json(text) if is_saved else from_toml(text)
