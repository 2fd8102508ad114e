"""Earlier releases that are held beside a new one: each opened as what left, by its project on its own file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anonlib.basics.errors import InputError
from anonlib.filing.evidence.leaving import Digested, write_file
from anonlib.filing.project import Loaded, Opened, Project, open_project
from anonlib.filing.register import Earlier, Register
from anonlib.release.pseudonyms import KeyOfPseudonyms

_KEPT = "Take the project and the file that were kept with that release."


def open_earlier(project: Project, loaded: Loaded, pseudonym_key: KeyOfPseudonyms | None = None) -> Opened:
    """An earlier release, made again: its project on the file that it was made of.

    Where the project has on record the SHA-256 of the CSV that left by its recipe, the release made again has to have
    it. It is taken without that comparison where none is on record (a project that was saved before the release), and
    where its persons have pseudonyms by a key that is not at hand: who is in the release, and with which labels, does
    not depend on the key. A project that names no file, as one in TOML, is taken with the file that is given.

    Parameters
    ----------
    project : Project
        The project of that release.
    loaded : Loaded
        The file of that release.
    pseudonym_key : KeyOfPseudonyms, optional
        The key of its pseudonyms.

    Raises
    ------
    InputError
        Where the project names another file, the file is not read as then, the recipe cannot be applied to it, or what
        it makes of it is not what left.
    """
    opened = open_project(project, loaded, pseudonym_key=pseudonym_key)
    name = opened.data.name
    if project.file is not None and project.file.digest not in ("", opened.data.digest):
        raise InputError(
            f"“{name}” is not the file of the earlier release: its project was saved for another one, "
            f"“{project.file.name}”. {_KEPT}",
            code="earlier-of-another-file",
        )
    if opened.why_not_read:
        raise InputError(
            f"“{name}” is not read as it was for the earlier release, so that it is not known what left. "
            f"{opened.why_not_read}",
            code="earlier-not-made-again",
        )
    if opened.applied.why_not:
        raise InputError(
            f"The recipe of the earlier release cannot be applied to “{name}”, so that it is not known what left. "
            f"{opened.applied.why_not} {_KEPT}",
            code="earlier-not-made-again",
        )
    left = _sha256_on_record(opened)
    if left and not opened.why_no_key and _sha256_now(opened) != left:
        raise InputError(
            f"What the project of the earlier release makes of “{name}” is not what left: its SHA-256 is another one "
            f"than the project has on record. {_KEPT} A release that an earlier version of Anonscope made may have to "
            "be made again with that version.",
            code="earlier-not-made-again",
        )
    return opened


def held_beside(
    opened: Opened, earlier: Sequence[Opened] = (), register: Register | None = None
) -> tuple[Opened, tuple[Earlier, ...]]:
    """A release with earlier ones that can be held beside it, and how many more a register has.

    Parameters
    ----------
    opened : Opened
        The release.
    earlier : Sequence[Opened], default ()
        Earlier releases, each by its project on its file (:func:`open_earlier`); the release itself is none of them.
    register : Register, optional
        Where other releases were entered.

    Returns
    -------
    tuple
        The release with them, and the earlier releases of the register that matter for it, whether they are counted
        with it or not (:meth:`Register.earlier`).
    """
    beside = {other.key: other for other in earlier if not _is_of_the_same(other, opened)}
    opened = replace(opened, beside=tuple(beside.values()), elsewhere=0)
    listed = () if register is None else register.earlier(opened)
    # Of these the case counts by itself that they are not at hand.
    on_record = {(of, recipe) for recipe, of in opened.project.aim.earlier_of if of != opened.data.digest}
    entries = [release.entry for release in listed if not release.counted]
    elsewhere = sum((entry.original, entry.recipe) not in on_record for entry in entries)
    return replace(opened, elsewhere=elsewhere), listed


def _is_of_the_same(other: Opened, opened: Opened) -> bool:
    """Whether both are the same recipe on the same data with the same roles."""
    return other.data.key == opened.data.key and other.project.recipe.digest == opened.project.recipe.digest


def _sha256_on_record(opened: Opened) -> str:
    """Of the CSV that left by the recipe of this file; "" where none is on record."""
    project = opened.project
    recipe = project.recipe.digest
    if project.aim.released_of(recipe)[-1:] not in ((), (opened.data.digest,)):
        return ""  # it is of what the same recipe made of another file
    return project.released.get(recipe, "")


def _sha256_now(opened: Opened) -> str:
    file = Digested()
    write_file(file, opened)
    return file.digest.hexdigest()
