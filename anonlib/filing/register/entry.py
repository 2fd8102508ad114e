"""An entry of the register: who got which release, what for, and under which terms; what is due; a table of entries."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Literal

import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.filing.case import ITEMS, ReleaseCase
from anonlib.filing.project import Opened
from anonlib.filing.register.people import FoundBy, found_again
from anonlib.release.export import table_csv
from anonlib.release.files.rows import neutralise
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.verdict.criteria import Verdict

PUBLIC = "public"
"""The kind of recipient that is everybody, and what a case calls it."""
_LETTERS_AND_NUMBERS = "LMN"  # first letters of Unicode's categories


@dataclass(frozen=True, kw_only=True)
class EntryFacts:
    """What is entered of a release.

    Attributes
    ----------
    case : ReleaseCase
        What it was decided for, as typed.
    kind, kind_name : str
        Of the recipient: a key of :data:`anonlib.verdict.criteria.RECIPIENTS`, and its name.
    file, original : str
        The original's name, and its digest, 64 hexadecimal digits.
    original_columns, columns : tuple[str, ...]
        Names of the columns of the original, and of those that left.
    records : int
        Rows of what left.
    persons : int | None
        Persons, or summed weights, of what left; None where records are counted.
    unit : str
        What counts are of: "persons" or "records".
    formats : Mapping[str, str]
        By format the SHA-256 of the file that left; empty where it is a table in a database.
    recipe, project : str
        Digests of the recipe and of the saved project.
    verdict : str
        The verdict in a sentence.
    may_leave : bool
        Whether nothing stood against it.
    leaves_anyway : str
        Why it left although the verdict was against it, as typed; "" where it was not.
    decided : str, default ""
        What names the original as it was read, with its roles and what a missing value counts as
        (:attr:`anonlib.dataset.Dataset.key`); "" in an entry that an earlier version made.
    pseudonyms : Pseudonyms, optional
        The label under which its persons have pseudonyms by a key; None where numbers were drawn.
    released_by : str, default ""
        Who took it home, in a department, where people sign in; "" at a desk.
    """

    case: ReleaseCase
    kind: str
    kind_name: str
    file: str
    original: str
    original_columns: tuple[str, ...]
    columns: tuple[str, ...]
    records: int
    persons: int | None
    unit: str
    formats: Mapping[str, str]
    recipe: str
    project: str
    verdict: str
    may_leave: bool
    leaves_anyway: str
    decided: str = ""
    pseudonyms: Pseudonyms | None = None
    released_by: str = ""

    def __post_init__(self) -> None:
        for what, digest in {"original": self.original, "recipe": self.recipe, "project": self.project}.items():
            _check_digest(digest, f"The digest of the {what}")
        for name, digest in self.formats.items():
            _check_digest(digest, f"The digest of what left as {checks.text(name, 'The format')}")
        texts = (self.kind, self.kind_name, self.file, self.unit, self.verdict, self.leaves_anyway, self.released_by)
        for text in (*texts, *self.original_columns, *self.columns):
            checks.text(text, "What is entered in the register")
        checks.whole(self.records, "The number of records", 0)
        if self.persons is not None:
            checks.whole(self.persons, "The number of persons", 0)
        object.__setattr__(self, "formats", MappingProxyType(dict(self.formats)))

    @property
    def who(self) -> str:
        """Who assessed the release."""
        return self.case.author

    @property
    def is_public(self) -> bool:
        """Whether it is for everybody: by the kind of recipient, or by what the case calls it."""
        return self.kind == PUBLIC or plain_name(self.case.recipient) == PUBLIC


@dataclass(frozen=True, kw_only=True)
class RegisterEntry(EntryFacts):
    """A release in the register.

    Attributes
    ----------
    number : int
        Counts from 1; none is given twice.
    entered, latest : str
        When it left first, and when a file of it left last: UTC, as ``2026-11-22T10:15:00+00:00``.
    until : str
        The day by which the recipient returns or deletes the data, as ``2027-11-25``; "" where there is none.
    reassess : str
        The day by which it is assessed again.
    closed, closing_note : str, default ""
        The day on which the data were returned or deleted, and what was noted; "" while open.
    found_by : tuple[FoundBy, ...], default ()
        The columns by which its persons are found again.
    not_found_by : tuple[str, ...], default ()
        Why others were not looked at, in sentences.
    """

    number: int
    entered: str
    latest: str
    until: str
    reassess: str
    closed: str = ""
    closing_note: str = ""
    found_by: tuple[FoundBy, ...] = ()
    not_found_by: tuple[str, ...] = ()

    @property
    def found_again(self) -> str:
        """How its persons are found in other files, in sentences."""
        return found_again(self.found_by, self.not_found_by)

    @property
    def in_a_line(self) -> str:
        """Which release it is, as one line."""
        to = self.case.recipient or self.kind_name
        title = f"{self.case.reference} {self.case.title}".strip() or self.file
        return f"No. {self.number} of {self.entered[:10]}: {title}, to {to}"


def facts_of(
    opened: Opened,
    released: Mapping[str, str],
    *,
    case: ReleaseCase | None = None,
    verdict: Verdict | None = None,
) -> EntryFacts:
    """What is entered of a release.

    Parameters
    ----------
    opened : Opened
        The project on its file.
    released : Mapping[str, str]
        By format the SHA-256 of each file that left.
    case : ReleaseCase, optional
        What it was decided for; the project's when left out.
    verdict : Verdict, optional
        The verdict on this very release, where it is at hand.

    Returns
    -------
    EntryFacts

    Raises
    ------
    InputError
        For a digest that is none, or a project that names too much to be saved.
    """
    project, data, leaving = opened.project, opened.data, opened.applied.released
    verdict = verdict or opened.verdict
    return EntryFacts(
        case=project.case if case is None else case,
        kind=project.aim.recipient,
        kind_name=project.aim.of.name,
        file=data.name,
        original=data.digest,
        original_columns=tuple(data.columns),
        columns=tuple(neutralise(leaving.columns)),
        records=leaving.n_records,
        persons=leaving.classes([]).n_records if data.unit == "persons" else None,
        unit=data.unit,
        formats=released,
        recipe=project.recipe.digest,
        project=hashlib.sha256(project.to_json().encode()).hexdigest(),
        verdict=verdict.decision,
        may_leave=verdict.may_leave,
        leaves_anyway="" if verdict.may_leave else project.aim.leaves_anyway,
        decided=data.key,
        pseudonyms=opened.pseudonyms,
    )


def plain_name(name: str) -> str:
    """A name without what differs only in how it is written: capitals, punctuation and blanks.

    Examples
    --------
    >>> plain_name(" University  Hospital, Basel "), plain_name("UNIVERSITY-HOSPITAL BASEL")
    ('university hospital basel', 'university hospital basel')
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    characters = (char if unicodedata.category(char)[0] in _LETTERS_AND_NUMBERS else " " for char in text)
    return " ".join("".join(characters).split())


def _check_digest(digest: str, what: str) -> None:
    if not isinstance(digest, str) or len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise InputError(f"{what} must be 64 hexadecimal digits.", code="digest-wrong")


Change = Literal["entered", "closed", "reopened", "until", "reassessment"]
"""What can become of an entry."""
What = Literal["return", "reassess"]
WHAT_IS_DUE: dict[What, str] = {
    "return": "The recipient returns or deletes the data",
    "reassess": "The release is assessed again",
}
"""What can be due, as shown."""


@dataclass(frozen=True)
class Due:
    """Something that is due.

    Attributes
    ----------
    entry : RegisterEntry
        Of which release.
    what : What
        One of :data:`WHAT_IS_DUE`.
    day : date
        By when.
    is_over : bool
        Whether that day is past.
    """

    entry: RegisterEntry
    what: What
    day: date
    is_over: bool


def due_of(entries: Iterable[RegisterEntry], today: date, within_days: int) -> tuple[Due, ...]:
    """What is due of entries that are open until so many days from today, what waits longest first."""
    last = today + timedelta(days=within_days)
    due = [
        Due(entry, what, day, day < today)
        for entry in entries
        if not entry.closed
        for what, day in _days_of(entry)
        if day <= last
    ]
    return tuple(sorted(due, key=lambda item: (item.day, item.entry.number, item.what)))


def _days_of(entry: RegisterEntry) -> list[tuple[What, date]]:
    days: list[tuple[What, date]] = [("reassess", date.fromisoformat(entry.reassess))]
    if entry.until:
        days.append(("return", date.fromisoformat(entry.until)))
    return days


def a_year_after(day: date) -> date:
    """The same day of the next year; of 29 February it is the 28th."""
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return day.replace(year=day.year + 1, day=28)


_SEARCHED = ("title", "reference", "recipient", "requester", "purpose", "contract", "author")


def has_words(entry: RegisterEntry, text: str) -> bool:
    """Whether all words of a text occur in what an entry says, in capitals or small letters.

    Looked at are title, reference, recipient, requester, purpose, contract and author of its case, the kind of
    recipient, the name of the file, and the columns.
    """
    parts = [getattr(entry.case, name) for name in _SEARCHED]
    whole = _folded("\n".join([*parts, entry.kind_name, entry.file, *entry.columns, *entry.original_columns]))
    return all(word in whole for word in _folded(text).split())


def entries_csv(entries: Iterable[RegisterEntry]) -> bytes:
    """Entries as CSV in UTF-8, a row each under a header in plain words; what would be a formula is plain text.

    Parameters
    ----------
    entries : Iterable[RegisterEntry]
        In the order in which they are to stand.
    """
    listed = list(entries)
    columns = {name: pd.Series([of(entry) for entry in listed], dtype=object) for name, of in _columns().items()}
    return table_csv(pd.DataFrame(columns))


def _columns() -> dict[str, Callable[[RegisterEntry], object]]:
    """By header, what stands below it."""
    return {
        "Number": lambda entry: entry.number,
        "First released (UTC)": lambda entry: entry.entered,
        "Last released (UTC)": lambda entry: entry.latest,
        **{item.label: _of_case(item.name) for item in ITEMS},
        "Kind of recipient": lambda entry: entry.kind_name,
        "Public": lambda entry: _yes(entry.is_public),
        "Returned or deleted": lambda entry: entry.closed,
        "Note on that": lambda entry: entry.closing_note,
        "Assess again by": lambda entry: entry.reassess,
        "File": lambda entry: entry.file,
        "SHA-256 of the file": lambda entry: entry.original,
        "Columns of the file": lambda entry: ", ".join(entry.original_columns),
        "Columns released": lambda entry: ", ".join(entry.columns),
        "Records released": lambda entry: entry.records,
        "Persons released": lambda entry: entry.persons,
        "SHA-256 of what was released": lambda entry: ", ".join(f"{kind} {sha}" for kind, sha in entry.formats.items()),
        "Digest of the recipe": lambda entry: entry.recipe,
        "Digest of the project": lambda entry: entry.project,
        "Verdict": lambda entry: entry.verdict,
        "Met all criteria": lambda entry: _yes(entry.may_leave),
        "Left anyway, because": lambda entry: entry.leaves_anyway,
        "Released by": lambda entry: entry.released_by,
        "Pseudonyms by key": lambda entry: "" if entry.pseudonyms is None else entry.pseudonyms.in_words,
        "Persons found again by": lambda entry: ", ".join(by.column for by in entry.found_by),
    }


def _of_case(name: str) -> Callable[[RegisterEntry], object]:
    if name == "until":  # as it is in the register, where it may have been changed
        return lambda entry: entry.until
    return lambda entry: getattr(entry.case, name)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
