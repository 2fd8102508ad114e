"""Earlier releases of other files: opened by their project and their month's file, and let go."""

from __future__ import annotations

from collections.abc import Sequence

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.filing.earlier import open_earlier
from anonlib.filing.project import Loaded, LoadedFile, LoadedTables, Opened, project_of
from ui.files import pseudonym_keys
from ui.server.keeping import forget_uploads
from ui.session import keep, state
from ui.session.beside import HeldBeside
from ui.session.state import session

_PROJECTS = (".json", ".toml")


def open_uploads(key: str) -> None:
    """Hold an earlier release beside this one, of the project and the data in an uploader.

    Raises InputError where they are none, or do not belong together, and then nothing changes.
    """
    uploads = [(upload.name, upload.getvalue()) for upload in keep.all_uploaded(key)]
    if not uploads:
        return
    keep.renew("earlier-release")
    projects, files = _apart(uploads)
    if len(projects) != 1 or not files:
        raise InputError(
            "Give the project of the earlier release (JSON or TOML) and its month’s file together: "
            f"{words.count(len(projects), 'projects')} and {words.count(len(files), 'files')} came.",
            code="earlier-release-incomplete",
        )
    project = project_of(projects[0])
    opened = open_earlier(project, _loaded(files), pseudonym_keys.at_hand(project.pseudonyms))
    others = tuple(each for each in state.part(HeldBeside).opened if each.key != opened.key)
    state.change_part(HeldBeside, opened=(*others, opened))
    session().notice = "The earlier release is held beside this one: the verdict looks at both together."
    forget_uploads()


def let_go(opened: Opened) -> None:
    """Hold an earlier release beside this one no more."""
    others = tuple(each for each in state.part(HeldBeside).opened if each is not opened)
    state.change_part(HeldBeside, opened=others)


def _apart(uploads: Sequence[tuple[str, bytes]]) -> tuple[list[bytes], list[tuple[str, bytes]]]:
    """Projects, and files of data."""
    projects, files = list[bytes](), list[tuple[str, bytes]]()
    for name, content in uploads:
        if name.lower().endswith(_PROJECTS) and _is_project(content):
            projects.append(content)
        else:
            files.append((name, content))
    return projects, files


def _is_project(content: bytes) -> bool:
    try:
        project_of(content)
    except InputError:
        return False
    return True


def _loaded(files: Sequence[tuple[str, bytes]]) -> Loaded:
    if len(files) > 1:
        return LoadedTables.of(files)
    name, content = files[0]
    return LoadedFile.of(content, name)
