"""``--earlier`` and ``--register``: earlier releases that are held beside this one, and its own entry."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.command import files, shown
from anonlib.filing.earlier import held_beside, open_earlier
from anonlib.filing.project import Opened
from anonlib.filing.register import Earlier, FolderRegister, Register, facts_of
from anonlib.verdict.criteria import Verdict

_DIGITS = 12  # of a digest, as shown


@dataclass(frozen=True, eq=False)
class WithEarlier:
    """What is known of earlier releases that could be held beside this one.

    Attributes
    ----------
    opened : Opened
        The release, with those that were given.
    register : Register, optional
        The register that was named.
    listed : tuple[Earlier, ...], default ()
        Those of the register that matter.
    """

    opened: Opened
    register: Register | None = None
    listed: tuple[Earlier, ...] = ()

    @property
    def not_counted(self) -> tuple[Earlier, ...]:
        """Those of the register that the verdict does not look at, since they were not given."""
        return tuple(release for release in self.listed if not release.counted)

    @property
    def as_values(self) -> dict[str, object]:
        """For JSON; nothing where there are none and no register was named."""
        if self.register is None and not self.opened.beside:
            return {}
        given = [_of_project(other) for other in self.opened.beside]
        return {"earlier_releases": {"given": given, "register": [_of_entry(release) for release in self.listed]}}

    def say(self) -> None:
        """What of the register is not counted, each with what has to be given; nothing where all are."""
        if self.listed:
            n = len(self.not_counted)
            beside = (
                f"{words.count(len(self.listed), 'earlier releases')} of the register could be held beside this one"
            )
            shown.say(f"\n{beside}; " + (f"{n:,} of them not counted with it:" if n else "all counted with it."))
        for release in self.not_counted:
            entry = release.entry
            shown.say(f"  {entry.in_a_line}. {release.why}")
            shown.say(
                f"    To count it, give its project (SHA-256 {entry.project[:_DIGITS]}…) and its file “{entry.file}” "
                f"(SHA-256 {entry.original[:_DIGITS]}…) with --earlier."
            )

    def enter(self, opened: Opened, formats: Mapping[str, str], verdict: Verdict) -> str:
        """Enter the release with the digests of its files, by format, where a register was named.

        Parameters
        ----------
        opened : Opened
            The release, with the project that is kept with it.
        formats : Mapping[str, str]
            The SHA-256 of each file.
        verdict : Verdict
            The verdict on it.

        Returns
        -------
        str
            Which entry it is, in a line; "" without a register.

        Raises
        ------
        InputError
            Where the register cannot be changed; its files are written by then.
        """
        if self.register is None:
            return ""
        facts = facts_of(opened, formats, verdict=verdict)
        try:
            return self.register.enter(facts, self.register.people_of(opened)).in_a_line
        except InputError as error:
            raise InputError(
                "The files of the release are written, but it is not entered in the register: release it again into "
                f"the same folder. {error}",
                code=error.code,
            ) from None


def opened(asked: argparse.Namespace) -> WithEarlier:
    """The project that is asked for, on its files, with the earlier releases that are given or entered in a register.

    Raises
    ------
    InputError
        Where one of them is not what left, or the register cannot be opened.
    """
    register = None if asked.register is None else FolderRegister.open(asked.register)
    release, listed = held_beside(files.opened(asked), given(asked), register)
    return WithEarlier(release, register, listed)


def given(asked: argparse.Namespace) -> Sequence[Opened]:
    """The earlier releases that are given, each by its project on its file."""
    key = files.pseudonym_key(asked)
    releases = []
    for project, file in asked.earlier:
        with files.notes_of_upgrades(decided := files.project(project)):
            releases.append(open_earlier(decided, files.loaded(file), key))
    return releases


def _of_project(other: Opened) -> dict[str, object]:
    return {"file": other.data.name, "sha256": other.data.digest, "recipe": other.project.recipe.digest}


def _of_entry(release: Earlier) -> dict[str, object]:
    entry = release.entry
    return {
        "number": entry.number,
        "entered": entry.entered,
        "recipient": entry.case.recipient,
        "file": entry.file,
        "sha256": entry.original,
        "project": entry.project,
        "recipe": entry.recipe,
        "same_file": release.same_file,
        "persons_of_both": release.persons if release.of else None,
        "new": release.new,
        "gone": release.gone,
        "counted": release.counted,
        "why": release.why,
    }
