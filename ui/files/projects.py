"""The session's project: as a file that is saved, and opened again on the same file or on another one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from anonlib.dataset import Dataset
from anonlib.filing.project import (
    NONE,
    AreasBeside,
    Differences,
    Loaded,
    Opened,
    Project,
    TableBeside,
    as_decided,
    counted_by,
    differences,
)
from anonlib.filing.register import FolderRegister
from anonlib.release.files import FORMATS
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from ui.files import department, registers
from ui.server.keeping import forget_uploads
from ui.session import keep, state, view
from ui.session.companions import AreaTable
from ui.session.state import Waiting, session
from ui.text import stem

_ENDING = "-project.json"
RELEASE_FORMAT = "release-format"
"""The setting: in which format the release is taken home."""


def current() -> Project:
    """The session's project with the files that are loaded; files beside it that are not stay as they were opened."""
    now, project = session(), session().project
    areas = state.part(AreaTable)
    if now.loaded is not None:
        project = replace(project, file=now.loaded.as_read)
    if now.population is not None:
        table = now.population
        project = replace(project, population=TableBeside(table.digest, table.name, table.weight or NONE))
    if areas.file is not None:
        project = replace(
            project, areas=AreasBeside(areas.file.digest, areas.file.name, areas.columns, areas.crs)
        )  # fmt: skip
    return project


def opened() -> Opened:
    """The session's project on its file, as the verdict sees it."""
    now = view.now()
    assert now.data is not None and now.applied is not None
    key = at_hand(session().pseudonyms)
    return Opened(current(), now.data, now.applied, now.people, pseudonym_key=key, beside=now.beside.opened)


def release_format() -> str:
    """The format in which the release is taken home, a name of :data:`anonlib.release.files.FORMATS`."""
    return keep.value(RELEASE_FORMAT, next(iter(FORMATS)), FORMATS.__contains__)


def text(project: Project) -> bytes:
    """A project as the bytes of its file."""
    return project.to_json().encode()


def file_name() -> str:
    """What a saved project is called."""
    loaded = session().loaded
    return (stem(loaded.name) if loaded is not None else "data") + _ENDING


def open_upload(key: str) -> None:
    """Use the project in an uploader on the loaded file; without one it waits. Raises InputError: nothing changes."""
    upload = keep.uploaded(key)
    if upload is None:
        return
    project = Project.from_json(upload.getvalue())
    now = session()
    if now.loaded is None:
        now.waiting = Waiting(project, upload.name)
        request = f"load its file, {project.file.name}" if project.file is not None else "load its file"
        now.notice = f"The project {upload.name} waits for data: {request}, or another with such columns."
    else:
        use(project, upload.name)
    forget_uploads()


def use_waiting() -> None:
    """Use the project that waits, if one does, on the file that was loaded for it."""
    now = session()
    if now.waiting is not None and now.loaded is not None:
        waiting, now.waiting = now.waiting, None
        use(waiting.project, waiting.name)


def stop_waiting() -> None:
    """Let the project go that waits for its file."""
    session().waiting = None


def use(project: Project, name: str) -> None:
    """Make a project the session's, on the file that is loaded, and say what differs.

    Raises InputError where it cannot be used on the file, and then nothing changes.
    """
    now = session()
    assert now.loaded is not None
    loaded, why_not_read = as_decided(now.loaded, project.file)
    here = project.with_earlier_of_its_file.on(loaded.columns)
    _check(loaded, here)
    population = _counted_by(now.population, here.population)
    if population is not None and (here.population is None or population.digest != here.population.digest):
        here = replace(here, population_columns=now.population_columns)
    if project.file is None or project.file.digest != loaded.digest:
        here = replace(here, seed=now.seed)  # the lots that were drawn for one file are not drawn again for another
    if loaded.reading is not now.loaded.reading:
        now.settings, now.shown = {}, {}
    now.loaded, now.population, now.project = loaded, population, _without_loaded(here, population)
    _decide_areas(here.areas)
    now.offered = now.editing = None
    now.opened = (*now.opened, name)
    now.generation += 1
    differ = _differences(project).sentences
    sentences = (f"The project {name} is open.", *project.upgraded, why_not_read, *differ, opened().why_no_key)
    now.notice = " ".join(sentence for sentence in sentences if sentence)


def _check(loaded: Loaded, project: Project) -> None:
    """Raises InputError where the roles cannot stand together, or a column cannot be counted by."""
    loaded.dataset(view.records_of(loaded), project.missing).with_roles(project.roles).classes([])


def _counted_by(table: Dataset | None, decided: TableBeside | None) -> Dataset | None:
    """The loaded population table, its people counted as in a project that was decided with it."""
    if table is None or decided is None or table.digest != decided.digest:
        return table
    if decided.weight == (table.weight or NONE) or decided.weight not in {NONE, *table.columns}:
        return table
    return counted_by(table, decided.weight)


def _without_loaded(project: Project, population: Dataset | None) -> Project:
    """The project without the files that are loaded, which say of themselves what they are."""
    areas = state.part(AreaTable).file
    digests = {table.digest for table in (population, areas) if table is not None}
    return replace(
        project,
        file=None,
        population=None if project.population is None or project.population.digest in digests else project.population,
        areas=None if project.areas is None or project.areas.digest in digests else project.areas,
    )


def _decide_areas(decided: AreasBeside | None) -> None:
    """Take the columns of a project for the areas that are loaded, where these are the ones it was decided with."""
    areas = state.part(AreaTable)
    if decided is None or decided.columns is None or areas.file is None or areas.file.digest != decided.digest:
        return
    if (areas.columns, areas.crs) != (decided.columns, decided.crs):
        state.change_part(AreaTable, columns=decided.columns, crs=decided.crs)


def _differences(project: Project) -> Differences:
    data, applied = view.now().data, view.now().applied
    assert data is not None
    areas = state.part(AreaTable).file
    beside = [table.digest for table in (session().population, areas) if table is not None]
    return differences(project, data, applied=applied, beside=beside)


# ---- the key of pseudonyms that is at hand ----


UPLOAD = "pseudonyms-key-file"
UNTIL = "until you forget the data or close this tab"
"""How long the key of a file is at hand."""


@dataclass(frozen=True)
class GivenKey:
    """The key of a file that was given, in this session's memory and nowhere else; None before."""

    OF_NO_FILE: ClassVar = True
    key: KeyOfPseudonyms | None = field(default=None, repr=False)

    @property
    def dropped(self) -> str:
        """What is to be known of it where the session drops it, in a sentence; "" for nothing."""
        return "" if self.key is None else f"The key {self.key.id} is at hand no more."


def given() -> KeyOfPseudonyms | None:
    """The key of the file that was given."""
    return state.part(GivenKey).key


def of_register() -> KeyOfPseudonyms | None:
    """The key of the register in use at a desk."""
    register = registers.current()
    return register.key_of_pseudonyms if isinstance(register, FolderRegister) else None


def at_hand(pseudonyms: Pseudonyms | None) -> KeyOfPseudonyms | None:
    """The key that a label is of, where one of both is; else the one that was given, or the register's.

    At a department's server it is the department's, by its name: no file is given there.
    """
    if department.department() is not None:
        return None if pseudonyms is None else department.key_of(pseudonyms)
    both = [key for key in (given(), of_register()) if key is not None]
    wanted = "" if pseudonyms is None else pseudonyms.key_id
    return next((key for key in both if key.id == wanted), both[0] if both else None)


def take_upload(key: str) -> None:
    """Use the key in an uploader. Raises InputError where it is none, and the one before stays."""
    upload = keep.uploaded(key)
    if upload is None:
        return
    content = upload.getvalue()
    forget_uploads()
    keep.renew(UPLOAD)
    key_of_pseudonyms = KeyOfPseudonyms.of(content)
    state.change_part(GivenKey, key=key_of_pseudonyms)
    state.session().notice = f"The key {key_of_pseudonyms.id} is at hand {UNTIL}. It is in nothing that is saved."
