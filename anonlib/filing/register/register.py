"""The register of releases: who got what, when, for what purpose, under which contract and until when."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.filing.case import MOST_CHARACTERS, ReleaseCase
from anonlib.filing.project import Opened
from anonlib.filing.register import database, key, listed, rows
from anonlib.filing.register.due import Due, a_year_after, due_of
from anonlib.filing.register.earlier import Earlier, earlier_of, matters
from anonlib.filing.register.entry import Entry, EntryFacts, plain_name
from anonlib.filing.register.key import Key
from anonlib.filing.register.people import People, people_of
from anonlib.filing.register.places import called, existing
from anonlib.release.pseudonyms import KeyOfPseudonyms

NOBODY = People()
"""Persons of a release that is found again by its file alone."""
_NO_NUMBER = 2**62  # larger than any that SQLite gives, and not too large for it


@dataclass(frozen=True)
class Register:
    """A register in a folder that the officer chose: a database and a key, and nothing elsewhere.

    The files are opened for each question and each change alone, so that several programs may use a register.

    Attributes
    ----------
    folder : Path
        Where it is.
    """

    folder: Path
    _key: Key = field(repr=False)

    @classmethod
    def is_in(cls, folder: Path | str) -> bool:
        """Whether there is a register in a folder."""
        return bool(str(folder).strip()) and database.is_in(Path(folder))

    @classmethod
    def create(cls, folder: Path | str) -> Register:
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
        made = key.made_in(path)
        database.make(path, made.id)
        return cls(path, made)

    @classmethod
    def open(cls, folder: Path | str) -> Register:
        """The register in a folder; one that an earlier version made is brought to this one.

        Raises
        ------
        InputError
            When there is none, its key is missing or another one, or its file is damaged, none of ours or newer.
        """
        path = existing(folder)
        database.check_is_in(path)
        found = cls(path, key.read_in(path))
        with database.reading(path, found._key.id):
            return found

    @property
    def key_of_pseudonyms(self) -> KeyOfPseudonyms:
        """The register's key, for pseudonyms (:attr:`anonlib.filing.register.key.Key.of_pseudonyms`)."""
        return self._key.of_pseudonyms

    # ---- a release that leaves ----

    def people_of(self, opened: Opened) -> People:
        """The persons of a release under the register's key (:func:`anonlib.filing.register.people.people_of`)."""
        return people_of(opened, self._key)

    def enter(self, facts: EntryFacts, people: People = NOBODY, now: datetime | None = None) -> Entry:
        """Enter a release.

        Files of a release that is entered already, and open, are added to its entry, which then says what the case and
        the verdict say now. It is the same release where original, recipe, recipient, title and reference are the
        same, and no format has another file.

        Parameters
        ----------
        facts : EntryFacts
            What is entered (:func:`anonlib.filing.register.entry.facts_of`).
        people : People
            Its persons (:meth:`people_of`).
        now : datetime, optional
            With a time zone; this moment when left out.

        Returns
        -------
        Entry

        Raises
        ------
        InputError
            When the persons were read with the key of another register.
        """
        if people.sets and people.key_id != self._key.id:
            raise InputError(
                "These persons were read with the key of another register. Read them again.", code="register-key-wrong"
            )
        moment = (now or datetime.now(UTC)).astimezone(UTC)
        text = moment.isoformat(timespec="seconds")
        with database.writing(self.folder, self._key.id) as connection:
            there = self._entered_already(connection, facts)
            if there is None:
                number = rows.insert(connection, facts, people, text, a_year_after(moment.date()).isoformat())
            else:
                number = there.number
                rows.replace_facts(connection, number, _together(there, facts))
                until = facts.case.until if facts.case.until != there.case.until else there.until
                rows.update(connection, number, latest=max(text, there.latest), return_by=until)
            rows.add_files(connection, number, facts.formats, text)
            return self._entry(connection, number)

    def _entered_already(self, connection: sqlite3.Connection, facts: EntryFacts) -> Entry | None:
        where = "original = ? AND recipe = ? AND kind = ? AND closed = ''"
        given = (facts.original, facts.recipe, facts.kind)
        found = rows.entries_of(connection, called(self.folder), where, given)
        return next((entry for entry in found if _is_same_release(entry, facts)), None)

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
        asked = opened.project.case if case is None else case
        people, name, found = self.people_of(opened), called(self.folder), list[Earlier]()
        with database.reading(self.folder, self._key.id) as connection:
            for entry in rows.entries_of(connection, name):
                if matters(entry, opened, asked):
                    stored = rows.digests_of(connection, name, entry.number)
                    found += [each for each in [earlier_of(entry, opened, asked, people, stored)] if each is not None]
        return tuple(found)

    # ---- looked up ----

    def entries(self, text: str = "", due_by: date | None = None, open_only: bool = False) -> tuple[Entry, ...]:
        """The entries, the newest first.

        Parameters
        ----------
        text : str
            Words that must all occur (:func:`anonlib.filing.register.listed.has_words`).
        due_by : date, optional
            Those alone whose data are to be returned or deleted by then, and were not.
        open_only : bool
            Those alone whose data were not returned or deleted.

        Returns
        -------
        tuple of Entry
        """
        with database.reading(self.folder, self._key.id) as connection:
            found = rows.entries_of(connection, called(self.folder))
        return tuple(
            entry
            for entry in found
            if listed.has_words(entry, text)
            and not (open_only and entry.closed)
            and (due_by is None or (not entry.closed and "" < entry.until <= due_by.isoformat()))
        )

    def entry(self, number: int) -> Entry:
        """The entry of a number. Raises InputError where there is none."""
        with database.reading(self.folder, self._key.id) as connection:
            return self._entry(connection, number)

    def due(self, today: date, within_days: int = 30) -> tuple[Due, ...]:
        """What is due until so many days from today, and what is over, what waits longest first."""
        return due_of(self.entries(open_only=True), today, checks.whole(within_days, "The number of days", 0))

    def to_csv(self, entries: Iterable[Entry]) -> bytes:
        """Entries as CSV (:func:`anonlib.filing.register.listed.to_csv`)."""
        return listed.to_csv(entries)

    # ---- what becomes of it ----

    def close(self, number: int, day: date | str, note: str = "") -> Entry:
        """Note that the data of a release were returned or deleted, on which day and how.

        Raises
        ------
        InputError
            For an unknown number, what is no day, or a note that is too long.
        """
        return self._change(number, closed=_day(day, "The day of return"), closing_note=_note(note))

    def reopen(self, number: int) -> Entry:
        """Take back that the data were returned or deleted. Raises InputError for an unknown number."""
        return self._change(number, closed="", closing_note="")

    def change_until(self, number: int, day: date | str) -> Entry:
        """Change until when the recipient may keep the data; "" for no day.

        Raises
        ------
        InputError
            For an unknown number, or what is no day.
        """
        return self._change(number, return_by="" if day == "" else _day(day, "“May be kept until”"))

    def change_reassessment(self, number: int, day: date | str) -> Entry:
        """Change by when the release is assessed again, as after it was. Raises InputError as :meth:`change_until`."""
        return self._change(number, reassess=_day(day, "The day of the next assessment"))

    def _change(self, number: int, **values: str) -> Entry:
        with database.writing(self.folder, self._key.id) as connection:
            self._entry(connection, number)
            rows.update(connection, number, **values)
            return self._entry(connection, number)

    def _entry(self, connection: sqlite3.Connection, number: int) -> Entry:
        asked = min(checks.whole(number, "The number of an entry", 0), _NO_NUMBER)
        found = rows.entries_of(connection, called(self.folder), "number = ?", (asked,))
        if not found:
            raise InputError(f"The register has no entry {number}. Choose one that is listed.", code="entry-unknown")
        return found[0]


def _is_same_release(entry: Entry, facts: EntryFacts) -> bool:
    same_case = all(
        plain_name(getattr(entry.case, name)) == plain_name(getattr(facts.case, name))
        for name in ("recipient", "title", "reference")
    )
    same_names = entry.pseudonyms == facts.pseudonyms
    same_files = all(entry.formats.get(kind, sha256) == sha256 for kind, sha256 in facts.formats.items())
    same_data = entry.decided in ("", facts.decided)
    return same_case and same_names and same_files and same_data


def _together(entry: Entry, facts: EntryFacts) -> EntryFacts:
    """The facts as they are now; what left once against its verdict stays so, with every reason that was given."""
    if entry.may_leave:
        return facts
    reasons = dict.fromkeys([*entry.leaves_anyway.split("\n"), *facts.leaves_anyway.split("\n")])
    reason = "\n".join(each for each in reasons if each)
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
