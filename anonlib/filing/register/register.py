"""The register of releases: who got what, when, for what purpose, under which contract and until when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.filing.case import MOST_CHARACTERS, ReleaseCase
from anonlib.filing.project import Opened
from anonlib.filing.register import database, rows
from anonlib.filing.register.earlier import Earlier, earlier_of, matters
from anonlib.filing.register.entry import (
    Change,
    Due,
    EntryFacts,
    RegisterEntry,
    a_year_after,
    due_of,
    entries_csv,
    has_words,
    plain_name,
)
from anonlib.filing.register.folder import RegisterKey, called, existing, make_key, read_key
from anonlib.filing.register.people import PersonsOfRelease, people_of
from anonlib.filing.register.rows import Rows
from anonlib.release.pseudonyms import KeyOfPseudonyms

NOBODY = PersonsOfRelease()
"""Persons of a release that is found again by its file alone."""
_NO_NUMBER = 2**62  # larger than any that SQLite gives, and not too large for it


class Register(ABC):
    """A register of releases, wherever its tables are."""

    @property
    @abstractmethod
    def key(self) -> RegisterKey:
        """By which persons are found again."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Rows]:
        """Its tables in one state, to be read. Raises InputError where they cannot be."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Rows]:
        """The same to be changed: all that is done becomes so in the end, or nothing where anything fails."""

    # ---- a release that leaves ----

    def people_of(self, opened: Opened) -> PersonsOfRelease:
        """The persons of a release under the register's key (:func:`anonlib.filing.register.people.people_of`)."""
        return people_of(opened, self.key)

    def enter(self, facts: EntryFacts, people: PersonsOfRelease = NOBODY, now: datetime | None = None) -> RegisterEntry:
        """Enter a release.

        Files of a release that is entered already, and open, are added to its entry, which then says what the case and
        the verdict say now. It is the same release where original, recipe, recipient, title and reference are the
        same, and no format has another file.

        Parameters
        ----------
        facts : EntryFacts
            What is entered (:func:`anonlib.filing.register.entry.facts_of`).
        people : PersonsOfRelease
            Its persons (:meth:`people_of`).
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        RegisterEntry

        Raises
        ------
        InputError
            When the persons were read with the key of another register.
        """
        if people.sets and people.key_id != self.key.id:
            raise InputError(
                "These persons were read with the key of another register. Read them again.", code="register-key-wrong"
            )
        moment = (now or datetime.now(UTC)).astimezone(UTC)
        text = moment.isoformat(timespec="seconds")
        with self.writing() as tables:
            entry = _entered_already(tables, facts)
            if entry is None:
                number = rows.insert(tables, facts, people, text, a_year_after(moment.date()).isoformat())
            else:
                number = entry.number
                rows.replace_facts(tables, number, _together(entry, facts))
                until = facts.case.until if facts.case.until != entry.case.until else entry.until
                rows.update(tables, number, latest=max(text, entry.latest), return_by=until)
            rows.add_files(tables, number, facts.formats, text)
            entered = _entry(tables, number)
            tables.note(replace(entered, formats=facts.formats), "entered")
            return entered

    def earlier(self, opened: Opened, case: ReleaseCase | None = None) -> tuple[Earlier, ...]:
        """Earlier releases that matter for a new one, the newest first.

        They are of the same file or the same persons, and somebody may hold both: the same recipient, or a recipient
        and the public. The release itself is none of them.

        Parameters
        ----------
        opened : Opened
            The new release: the project on its file.
        case : ReleaseCase, optional
            What it is for; the project's when left out.

        Returns
        -------
        tuple of Earlier
        """
        this_case = opened.project.case if case is None else case
        people, releases = self.people_of(opened), list[Earlier]()
        with self.reading() as tables:
            for entry in rows.entries_of(tables):
                if matters(entry, opened, this_case):
                    stored = rows.digests_of(tables, entry.number)
                    if (release := earlier_of(entry, opened, this_case, people, stored)) is not None:
                        releases.append(release)
        return tuple(releases)

    # ---- looked up ----

    def entries(self, text: str = "", due_by: date | None = None, open_only: bool = False) -> tuple[RegisterEntry, ...]:
        """The entries, the newest first.

        Parameters
        ----------
        text : str
            Words that must all occur (:func:`anonlib.filing.register.entry.has_words`).
        due_by : date, optional
            Those alone whose data are to be returned or deleted by then, and were not.
        open_only : bool
            Those alone whose data were not returned or deleted.

        Returns
        -------
        tuple of RegisterEntry
        """
        with self.reading() as tables:
            entries = rows.entries_of(tables)
        return tuple(
            entry
            for entry in entries
            if has_words(entry, text)
            and not (open_only and entry.closed)
            and (due_by is None or (not entry.closed and "" < entry.until <= due_by.isoformat()))
        )

    def entry(self, number: int) -> RegisterEntry:
        """The entry of a number. Raises InputError where there is none."""
        with self.reading() as tables:
            return _entry(tables, number)

    def due(self, today: date, within_days: int = 30) -> tuple[Due, ...]:
        """What is due until so many days from today, and what is over, what waits longest first."""
        return due_of(self.entries(open_only=True), today, checks.whole(within_days, "The number of days", 0))

    def to_csv(self, entries: Iterable[RegisterEntry]) -> bytes:
        """Entries as CSV (:func:`anonlib.filing.register.entry.entries_csv`)."""
        return entries_csv(entries)

    # ---- what becomes of it ----

    def close(self, number: int, day: date | str, note: str = "") -> RegisterEntry:
        """Note that the data of a release were returned or deleted, on which day and how.

        Raises
        ------
        InputError
            For an unknown number, what is no day, or a note that is too long.
        """
        return self._change(number, "closed", closed=_day(day, "The day of return"), closing_note=_note(note))

    def reopen(self, number: int) -> RegisterEntry:
        """Take back that the data were returned or deleted. Raises InputError for an unknown number."""
        return self._change(number, "reopened", closed="", closing_note="")

    def change_until(self, number: int, day: date | str) -> RegisterEntry:
        """Change until when the recipient may keep the data; "" for no day.

        Raises
        ------
        InputError
            For an unknown number, or what is no day.
        """
        return self._change(number, "until", return_by="" if day == "" else _day(day, "“May be kept until”"))

    def change_reassessment(self, number: int, day: date | str) -> RegisterEntry:
        """Change by when the release is assessed again, as after it was. Raises InputError as :meth:`change_until`."""
        return self._change(number, "reassessment", reassess=_day(day, "The day of the next assessment"))

    def _change(self, number: int, change: Change, **values: str) -> RegisterEntry:
        with self.writing() as tables:
            _entry(tables, number)
            rows.update(tables, number, **values)
            changed = _entry(tables, number)
            tables.note(changed, change)
            return changed


def _entered_already(tables: Rows, facts: EntryFacts) -> RegisterEntry | None:
    where = "original = :original AND recipe = :recipe AND kind = :kind AND closed = ''"
    entries = rows.entries_of(tables, where, original=facts.original, recipe=facts.recipe, kind=facts.kind)
    return next((entry for entry in entries if _is_same_release(entry, facts)), None)


def _entry(tables: Rows, number: int) -> RegisterEntry:
    wanted = min(checks.whole(number, "The number of an entry", 0), _NO_NUMBER)
    entries = rows.entries_of(tables, "number = :number", number=wanted)
    if not entries:
        raise InputError(f"The register has no entry {number}. Choose one that is listed.", code="entry-unknown")
    return entries[0]


def _is_same_release(entry: RegisterEntry, facts: EntryFacts) -> bool:
    same_case = all(
        plain_name(getattr(entry.case, name)) == plain_name(getattr(facts.case, name))
        for name in ("recipient", "title", "reference")
    )
    same_names = entry.pseudonyms == facts.pseudonyms
    same_files = all(entry.formats.get(kind, sha256) == sha256 for kind, sha256 in facts.formats.items())
    same_data = entry.decided in ("", facts.decided)
    return same_case and same_names and same_files and same_data


def _together(entry: RegisterEntry, facts: EntryFacts) -> EntryFacts:
    """The facts as they are now; what left once against its verdict stays so, with every reason that was given."""
    if entry.may_leave:
        return facts
    reasons = dict.fromkeys([*entry.leaves_anyway.split("\n"), *facts.leaves_anyway.split("\n")])
    reason = "\n".join(filter(None, reasons))
    return replace(facts, verdict=entry.verdict, project=entry.project, may_leave=False, leaves_anyway=reason)


def _day(day: date | str, what: str) -> str:
    text = day.date().isoformat() if isinstance(day, datetime) else str(day).strip()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise InputError(f"{what} must be a day such as 2027-11-25.", code="not-a-day") from None


def _note(note: str) -> str:
    text = checks.text(note, "The note").strip()
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"The note is longer than {MOST_CHARACTERS:,} characters. Shorten it.", code="text-too-long")
    return text


# ---- at a desk ----


@dataclass(frozen=True)
class FolderRegister(Register):
    """A register in a folder that the officer chose: a database and a key, and nothing elsewhere.

    The files are opened for each question and each change alone, so that several programs may use a register.

    Attributes
    ----------
    folder : Path
        Where it is.
    """

    folder: Path
    _key: RegisterKey = field(repr=False)

    @classmethod
    def is_in(cls, folder: Path | str) -> bool:
        """Whether there is a register in a folder."""
        return bool(str(folder).strip()) and database.is_in(Path(folder))

    @classmethod
    def create(cls, folder: Path | str) -> FolderRegister:
        """Make a register in a folder; before this nothing is written.

        A key that is in the folder already is used, and never replaced.

        Raises
        ------
        InputError
            When the folder is not there, has a register, or cannot be written into.
        """
        path = existing(folder)
        if database.is_in(path):
            raise InputError(f"There is a register in “{called(path)}” already. Open it.", code="register-exists")
        key = make_key(path)
        database.make(path, key.id)
        return cls(path, key)

    @classmethod
    def open(cls, folder: Path | str) -> FolderRegister:
        """The register in a folder; one that an earlier version made is brought to this one.

        Raises
        ------
        InputError
            When there is none, its key is missing or another one, or its file is damaged, none of ours or newer.
        """
        path = existing(folder)
        database.check_is_in(path)
        register = cls(path, read_key(path))
        with register.reading():
            return register

    @property
    def key_of_pseudonyms(self) -> KeyOfPseudonyms:
        """The register's key, for pseudonyms (:attr:`anonlib.filing.register.folder.RegisterKey.of_pseudonyms`)."""
        return self._key.of_pseudonyms

    @property
    def key(self) -> RegisterKey:
        return self._key

    def reading(self) -> AbstractContextManager[Rows]:
        return database.reading(self.folder, self._key.id)

    def writing(self) -> AbstractContextManager[Rows]:
        return database.writing(self.folder, self._key.id)
