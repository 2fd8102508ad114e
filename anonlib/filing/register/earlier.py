"""Earlier releases that matter for a new one: of the same persons or file, to somebody who may hold both."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from anonlib.basics import words
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import Opened
from anonlib.filing.register.entry import PUBLIC, RegisterEntry, plain_name
from anonlib.filing.register.people import FoundBy, PersonSet, PersonsOfRelease
from anonlib.release.files.rows import neutralise


@dataclass(frozen=True)
class Earlier:
    """An earlier release that matters for a new one.

    Attributes
    ----------
    entry : RegisterEntry
        Which one.
    same_file : bool
        Whether it was made of the same file.
    persons, of : int
        How many of the new release's persons are in it, and how many there are; both 0 where neither can be counted.
    new, gone : int, optional
        Persons of the new release who are not in it, and of it who are not in the new one; None where that is not
        known, since persons cannot be compared, or are those of a whole original.
    here, there : str
        The columns by which most were found, of this file and of that one; "".
    same_columns : bool
        Whether its original has the same columns, where persons cannot be compared and the file is another.
    counted : bool
        Whether the verdict looks at both releases together already.
    why : str
        Why it matters, in sentences.
    """

    entry: RegisterEntry
    same_file: bool
    persons: int
    of: int
    new: int | None
    gone: int | None
    here: str
    there: str
    same_columns: bool
    counted: bool
    why: str


@dataclass(frozen=True)
class _Shared:
    """The columns by which most persons of both were found."""

    persons: int
    here: FoundBy
    there: FoundBy

    @property
    def new(self) -> int | None:
        """Persons of this release who are not in the other; None where somebody of both may be in no release."""
        return self.here.persons - self.persons if self._of_releases else None

    @property
    def gone(self) -> int | None:
        """The same of the other release who are not in this one."""
        return self.there.persons - self.persons if self._of_releases else None

    @property
    def _of_releases(self) -> bool:
        return self.here.of_release and self.there.of_release


def matters(entry: RegisterEntry, opened: Opened, case: ReleaseCase) -> bool:
    """Whether somebody may hold this release and the new one, so that their persons are to be compared.

    A release to the public is held by every recipient. A recipient that is not named may be any.
    """
    return bool(_who_holds_both(entry, opened, case)) and not _is_the_same(entry, opened, case)


def earlier_of(
    entry: RegisterEntry,
    opened: Opened,
    case: ReleaseCase,
    people: PersonsOfRelease,
    stored: Iterable[tuple[str, np.ndarray]],
) -> Earlier | None:
    """What there is to know of one that :func:`matters`; None where nothing says that the persons are the same.

    The entry is of the earlier release, ``opened`` and ``case`` are the new one and ``people`` its persons. ``stored``
    has by column the digests of the persons of the earlier one.
    """
    shared = _most_shared(people.sets, {by.column: by for by in entry.found_by}, stored)
    same_file = entry.original == opened.data.digest
    same_columns = shared is None and not same_file and set(entry.original_columns) == set(opened.data.columns)
    maybe_same = same_columns or (shared is None and _has_same_label(entry, opened))
    if not same_file and not maybe_same and (shared is None or not shared.persons):
        return None
    persons = 0 if shared is None else shared.persons
    of = 0 if shared is None else shared.here.persons
    here, there = (shared.here.column, shared.there.column) if shared is not None and persons else ("", "")
    why = f"{_who_holds_both(entry, opened, case)} {_what_is_the_same(entry, shared, same_file, same_columns)}"
    new, gone = (None, None) if shared is None else (shared.new, shared.gone)
    counted = _is_counted(entry, opened)
    return Earlier(entry, same_file, persons, of, new, gone, here, there, same_columns, counted, why)


def _most_shared(
    sets: Collection[PersonSet], found_by: dict[str, FoundBy], stored: Iterable[tuple[str, np.ndarray]]
) -> _Shared | None:
    """None where one of both has no persons that could be compared."""
    most: _Shared | None = None
    for column, digests in stored:
        for person_set in sets:
            persons = person_set.shared_with(digests)
            if most is None or persons > most.persons:
                most = _Shared(persons, person_set.found_by, found_by[column])
    return most


def _is_the_same(entry: RegisterEntry, opened: Opened, case: ReleaseCase) -> bool:
    """Whether it is the very release that is looked at."""
    aim = opened.project.aim
    same_recipient = entry.kind == aim.recipient and plain_name(entry.case.recipient) == plain_name(case.recipient)
    same_names = entry.pseudonyms == opened.pseudonyms
    return same_recipient and same_names and _is_made_alike(entry, opened)


def _is_made_alike(entry: RegisterEntry, opened: Opened) -> bool:
    """Whether both are the same recipe on the same file, read alike and with the same roles.

    Of an entry that an earlier version made, which does not say how the file was read and with which roles: with the
    same columns and as many records.
    """
    released = opened.applied.released
    if entry.decided:
        return (entry.decided, entry.recipe) == (opened.data.key, opened.project.recipe.digest)
    same_recipe = (entry.original, entry.recipe) == (opened.data.digest, opened.project.recipe.digest)
    return same_recipe and (entry.columns, entry.records) == (tuple(neutralise(released.columns)), released.n_records)


def _has_same_label(entry: RegisterEntry, opened: Opened) -> bool:
    """Whether the same person has the same pseudonym in both."""
    return opened.pseudonyms is not None and opened.pseudonyms.is_same_label(entry.pseudonyms)


def _is_counted(entry: RegisterEntry, opened: Opened) -> bool:
    """Whether the verdict looks at both, which it does wherever a release is on record or at hand.

    Of the same file a recipe on record says all; a release made alike says nothing more. Of another file the register
    alone says nothing: not even that nobody is new or gone, since any cell may have changed.
    """
    if any(_is_made_alike(entry, release) for release in (opened, *opened.beside)):
        return True
    is_of_this_file = entry.original == opened.data.digest
    on_record = {recipe.digest for recipe in opened.project.aim.of_file(opened.data.digest)}
    return is_of_this_file and entry.recipe in on_record


# ---- in words ----


def _who_holds_both(entry: RegisterEntry, opened: Opened, case: ReleaseCase) -> str:
    """Who may hold both releases, in a sentence; "" where nobody is known to."""
    theirs, ours = plain_name(entry.case.recipient), plain_name(case.recipient)
    if _has_same_label(entry, opened) and opened.pseudonyms is not None:
        label = opened.pseudonyms.in_words
        return f"It left under the same label of pseudonyms ({label}): the same persons have the same ones in both."
    if entry.is_public:
        return "It is public, so that the recipient of this release can have it too."
    if opened.project.aim.recipient == PUBLIC or ours == PUBLIC:
        return "This release is for the public, so that the recipient of that one can have it too."
    if not theirs:
        return "Its recipient is not named in the register, and may be the same one."
    if not ours:
        return "The recipient of this release is not named in its case, and may be the same one."
    return "It went to the same recipient." if theirs == ours else ""


def _what_is_the_same(entry: RegisterEntry, shared: _Shared | None, same_file: bool, same_columns: bool) -> str:
    sentences = ["It was made of the same file."] if same_file else []
    if shared is None and not same_file:
        columns = "Its original has the same columns; whether" if same_columns else "Whether"
        sentences.append(f"{columns} it has the same persons cannot be counted.")
    if shared is not None:
        sentences.append(_persons_of_both(shared))
    if entry.closed:
        sentences.append(f"It was returned or deleted on {entry.closed}.")
    return " ".join(sentences)


def _persons_of_both(shared: _Shared) -> str:
    here, there = shared.here, shared.there
    of_this = "this release" if here.of_release else "this file"
    of_that = "it" if there.of_release else "its original"
    if not shared.persons:
        return f"None of the {words.count(here.persons, 'persons')} of {of_this} is in {of_that}."
    share = words.share(shared.persons, here.persons, "persons")
    columns = f"“{here.column}”" if here.column == there.column else f"“{here.column}” here and “{there.column}” there"
    text = f"{share} of {of_this} {'is' if shared.persons == 1 else 'are'} in {of_that}, by {columns}."
    if here.counts_up and there.counts_up:
        text += " These ids count up, so that they may be those of other persons."
    if shared.new is None or shared.gone is None:
        return f"{text} Who is new or gone is not known."
    if not shared.new and not shared.gone:
        return f"{text} Both have the same persons."
    of_these = f"{shared.new:,} of this release {'is' if shared.new == 1 else 'are'} not in it"
    return f"{text} {of_these}, and {shared.gone:,} of it {'is' if shared.gone == 1 else 'are'} not in this one."
