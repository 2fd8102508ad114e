"""The files of a release in two folders: what leaves, and what stays inside; a zip of them, or on a disk together."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import io
import json
import os
import re
import secrets
import shutil
import stat
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from anonlib.basics import disk, exhausted
from anonlib.basics.errors import InputError

try:
    import fcntl
except ImportError:  # not on Windows, where nobody waits for another writer
    fcntl = None  # type: ignore[assignment]

LEAVES, STAYS = "leaves", "stays"
WRITTEN = f"{STAYS}/written.json"
"""The list of the files that were written, by release, each with its SHA-256: nothing else there is replaced."""
WHAT_THEY_ARE = (
    f"What is in “{LEAVES}” may go to the recipient; what is in “{STAYS}” holds values of the original or tells of few "
    "people, and is for you alone."
)
Written = dict[str, dict[str, str]]
_MOST_LISTED = 10_000_000  # bytes of the list
_EXCHANGE, _AT_CWD = 2, -100  # RENAME_EXCHANGE and AT_FDCWD of Linux
_NOT_HERE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_MADE = (1980, 1, 1, 0, 0, 0)  # of members of a zip, which are the same each time


@dataclass(frozen=True)
class TwoFolders:
    """The files of one release.

    Attributes
    ----------
    release : str
        What the release is called: written again, it takes the place of all files of the one before.
    leaves, stays : Mapping[str, bytes]
        By name, without a folder: what may go to the recipient, and what may not.
    """

    release: str
    leaves: Mapping[str, bytes]
    stays: Mapping[str, bytes]

    @property
    def files(self) -> dict[str, bytes]:
        """All files by their name with the folder: what leaves first."""
        return {
            f"{folder}/{name}": data
            for folder, files in ((LEAVES, self.leaves), (STAYS, self.stays))
            for name, data in files.items()
        }

    def to_zip(self) -> bytes:
        """Both folders as a zip; what stays is readable by its owner alone, where the system knows of that."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for folder, mode in ((LEAVES, 0o755), (STAYS, 0o700)):
                archive.writestr(_member(f"{folder}/", stat.S_IFDIR | mode), b"")
            for name, data in self.files.items():
                archive.writestr(_member(name, stat.S_IFREG | (0o600 if _stays(name) else 0o644)), data)
        return packed.getvalue()

    def write_into(self, folder: Path, inputs: Sequence[Path] = ()) -> None:
        """Write both folders into one, all files together: on any failure it is as it was before.

        Files are made in a folder beside it, which takes its place as one act. Other releases that were written there
        before stay, and this one is replaced. The folder with what stays, and its files, are for their owner alone.

        Parameters
        ----------
        folder : Path
            A new folder, an empty one, or one that this wrote before.
        inputs : Sequence[Path], default ()
            Files that were read, none of which may be in it.

        Raises
        ------
        InputError
            Where the folder holds anything that was not written by this, or that was changed since, or one of the
            inputs; or where it cannot be written.
        """
        place = _place(folder)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with _alone(place.parent) as alone:
                if alone:
                    _clear(place)
                self._write(place, before_of(folder, inputs))
        except OSError as error:
            if why := exhausted.sentence(error):
                raise InputError(
                    f"“{place.name}” cannot be written, and is as it was before. {why}", code="machine-exhausted"
                ) from None
            raise InputError(
                f"“{place.name}” cannot be written, and is as it was before. Check the space left, and that you may "
                "write in the folder that it is in.",
                code="folder-not-usable",
            ) from None

    def _write(self, place: Path, before: Written) -> None:
        """Make the whole folder again beside the place, with the other releases there, and put it there."""
        new_folder = place.with_name(f"{_stem(place)}{secrets.token_hex(4)}{disk.LEFT_OVER}")
        try:
            new_folder.mkdir(mode=0o700)  # nobody else looks into what is not finished
            (new_folder / LEAVES).mkdir()
            (new_folder / STAYS).mkdir(mode=0o700)
            if (place / LEAVES).is_dir():
                shutil.copymode(place / LEAVES, new_folder / LEAVES)
            for name, data in self.files.items():
                disk.fill(new_folder / name, data, 0o600 if _stays(name) else 0o666)
            written = {self.release: {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}}
            for release, files in before.items():
                if release != self.release:
                    carried = {name: files[name] for name in files if _carried(place / name, new_folder / name)}
                    written[release] = carried
            disk.fill(new_folder / WRITTEN, json.dumps({"releases": written}, indent=1).encode(), 0o600)
            shutil.copymode(place if place.is_dir() else new_folder / LEAVES, new_folder)
            _put(new_folder, place)
        finally:
            shutil.rmtree(new_folder, ignore_errors=True)


def before_of(folder: Path, inputs: Sequence[Path] = ()) -> Written:
    """What was written into a folder before and is there: by release, each file by its name with its SHA-256.

    Raises
    ------
    InputError
        As :meth:`TwoFolders.write_into` does, so that it can be asked before a release is made.
    """
    place = _place(folder)
    if not place.exists():
        return {}
    if not place.is_dir():
        raise InputError(f"“{place.name}” is a file. Name a new folder.", code="folder-not-usable")
    if place.is_mount():
        raise InputError(
            f"“{place.name}” is where a disk begins. Name a new folder, which is made on it.", code="folder-not-usable"
        )
    try:
        here = Path.cwd().resolve()
        if place == here or place in here.parents:
            raise InputError(
                f"“{place.name}” is the folder you are in. Name a new folder, which is made in it.",
                code="folder-not-usable",
            )
        names = [name for name in _names(place) if name != WRITTEN]
        written = _written(place) if (place / WRITTEN).is_file() else {}
        listed = {name: digest for files in written.values() for name, digest in files.items()}
        for name in names:
            if (read := disk.is_one_of(place / name, list(inputs))) is not None:
                raise InputError(
                    f"“{place.name}” holds “{read.name}”, which is read here. Name a new folder.",
                    code="folder-not-usable",
                )
            if name not in listed or not stat.S_ISREG((place / name).lstat().st_mode):
                raise InputError(
                    f"“{place.name}” holds “{name}”, which was not written by this command, and nothing there is "
                    "replaced. Name a new folder.",
                    code="folder-not-usable",
                )
            if _digest(place / name) != listed[name]:
                raise InputError(
                    f"“{place.name}” holds “{name}”, which was changed since it was written, and nothing there is "
                    "replaced. Name a new folder.",
                    code="folder-not-usable",
                )
    except OSError:
        raise InputError(
            f"“{place.name}” cannot be looked into. Name a new folder.", code="folder-not-usable"
        ) from None
    return {release: {name: files[name] for name in names if name in files} for release, files in written.items()}


def _place(folder: Path) -> Path:
    """Where a folder is, through links."""
    place = Path(os.path.realpath(folder))
    if not place.name:
        raise InputError("A release needs a folder of its own. Name a new one.", code="folder-not-usable")
    return place


def _names(place: Path) -> Iterator[str]:
    """All that is in a folder but its two, however deep; a folder in them is something by itself."""
    for entry in sorted(os.scandir(place), key=lambda entry: entry.name):
        if entry.name in (LEAVES, STAYS) and entry.is_dir(follow_symlinks=False):
            yield from (f"{entry.name}/{name}" for name in sorted(os.listdir(entry.path)))
        else:
            yield entry.name


def _written(place: Path) -> Written:
    """The list in a folder; empty where it is none."""
    with disk.opened_to_read(place / WRITTEN) as file:
        data = file.read(_MOST_LISTED)
    try:
        return {release: dict(files.items()) for release, files in json.loads(data)["releases"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _digest(path: Path) -> str:
    with disk.opened_to_read(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stays(name: str) -> bool:
    return name.startswith(f"{STAYS}/")


def _carried(old: Path, new: Path) -> bool:
    """Have a file that was there before there again; not where its name is taken but for upper and lower case."""
    try:
        os.link(old, new)
    except FileExistsError:
        return False
    except OSError:  # no links here
        if new.exists():
            return False
        shutil.copy2(old, new)
    return True


def _stem(place: Path) -> str:
    """How the names begin of what is made for a folder, which no other folder's do."""
    return f".{place.name[:40]}-{hashlib.sha256(os.fsencode(place.name)).hexdigest()[:8]}-"


@contextmanager
def _alone(parent: Path) -> Iterator[bool]:
    """Wait until no other process writes a release into this folder; False where the file system cannot say."""
    if fcntl is None:
        yield False
        return
    handle = os.open(parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)  # which lets the next one go on, as the end of the process does


def _clear(place: Path) -> None:
    """Take away what processes that were killed left beside a folder, and what it was is it again."""
    ours = re.compile(re.escape(_stem(place)) + r"[0-9a-f]{8}\.(part|before)")
    for entry in list(os.scandir(place.parent)):
        if ours.fullmatch(entry.name):
            if entry.name.endswith(".before") and not place.exists():
                os.rename(entry.path, place)
            else:
                shutil.rmtree(entry.path, ignore_errors=True)


def _put(new_folder: Path, place: Path) -> None:
    """Let a folder take the place of another as one act, where the system can; ``new_folder`` is then the other one."""
    for folder in (new_folder / LEAVES, new_folder / STAYS, new_folder):
        _to_disk(folder)
    if not place.exists():
        os.rename(new_folder, place)
    elif not _exchanged(new_folder, place):
        before = new_folder.with_suffix(".before")
        os.rename(place, before)
        try:
            os.rename(new_folder, place)
        except BaseException:
            os.rename(before, place)
            raise
        shutil.rmtree(before, ignore_errors=True)
    _to_disk(place.parent)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders as one act; False where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    if rename(_AT_CWD, os.fsencode(one), _AT_CWD, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        return False
    raise OSError(number, "folders cannot be exchanged")


def _to_disk(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can be asked to."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _member(name: str, mode: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, _MADE)
    member.create_system = 3  # Unix, or the mode is not read
    member.external_attr = mode << 16
    member.compress_type = zipfile.ZIP_DEFLATED
    return member
