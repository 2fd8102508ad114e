"""What leaves and what stays: two folders, written together or not at all, over nothing that is not ours."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from anonlib.basics import disk, two_folders
from anonlib.basics.errors import InputError
from anonlib.basics.two_folders import TwoFolders
from tests.helpers.errors import refused

ROOT = Path(__file__).resolve().parents[3]
MADE = TwoFolders("a", {"a-released.csv": b"age\r\n1\r\n"}, {"a-values.csv": b"secret", "a-project.json": b"{}"})
AGAIN = TwoFolders(
    "a", {"a-released.csv": b"age\r\n2\r\n" * 400}, {"a-values.csv": b"other" * 900, "a-new.json": b"[]"}
)


def bytes_in(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def run(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_what_stays_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        MADE.write_into(tmp_path / "july")
    finally:
        os.umask(before)
    july = tmp_path / "july"
    assert sorted(path.name for path in july.iterdir()) == ["leaves", "stays"]
    assert mode(july / "leaves") == 0o755 and mode(july / "leaves" / "a-released.csv") == 0o644
    assert mode(july / "stays") == 0o700 and {mode(path) for path in (july / "stays").iterdir()} == {0o600}
    assert [path.name for path in (july / "leaves").iterdir()] == ["a-released.csv"]


def test_what_is_not_finished_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[int] = []
    fill = disk.fill

    def filled(path: Path, data: bytes, given: int = 0o666) -> None:
        modes.append(mode(next(each for each in path.parents if each.suffix == disk.LEFT_OVER)))
        fill(path, data, given)

    monkeypatch.setattr(disk, "fill", filled)
    before = os.umask(0o022)
    try:
        MADE.write_into(tmp_path / "july")
        assert modes and {*modes} == {0o700} and mode(tmp_path / "july") == 0o755
        (tmp_path / "july").chmod(0o750)
        MADE.write_into(tmp_path / "july")
    finally:
        os.umask(before)
    assert {*modes} == {0o700} and mode(tmp_path / "july") == 0o750, "the mode of the folder stays"


def test_a_zip_has_the_same_folders_and_modes_and_is_the_same_each_time() -> None:
    data = MADE.to_zip()
    assert data == MADE.to_zip()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        modes = {member.filename: member.external_attr >> 16 & 0o777 for member in archive.infolist()}
        assert archive.read("leaves/a-released.csv") == b"age\r\n1\r\n" and archive.testzip() is None
    assert modes == {
        "leaves/": 0o755, "stays/": 0o700, "leaves/a-released.csv": 0o644, "stays/a-values.csv": 0o600,
        "stays/a-project.json": 0o600,
    }  # fmt: skip


def test_it_is_written_again_whole_and_other_releases_there_stay(tmp_path: Path) -> None:
    july = tmp_path / "july"
    july.mkdir()
    TwoFolders("b", {"b-released.csv": b"b"}, {"b-values.csv": b"bb"}).write_into(july)
    for folders in (MADE, MADE, AGAIN):
        folders.write_into(july)
        found = bytes_in(tmp_path)
        assert found.pop("july/stays/written.json")
        expected = {**folders.files, "leaves/b-released.csv": b"b", "stays/b-values.csv": b"bb"}
        assert found == {f"july/{name}": data for name, data in expected.items()}
    assert mode(july / "stays" / "b-values.csv") == 0o600


@pytest.mark.parametrize("name", ["notes.txt", "leaves/notes.txt", "stays/notes.txt", "deep/er/notes.txt", "leaves/x/"])
def test_what_it_did_not_write_is_not_replaced(tmp_path: Path, name: str) -> None:
    july = tmp_path / "july"
    MADE.write_into(july)
    (july / name).parent.mkdir(parents=True, exist_ok=True)
    (july / name).mkdir() if name.endswith("/") else (july / name).write_text("mine")
    before = bytes_in(july)
    with refused("folder-not-usable"):
        AGAIN.write_into(july)
    assert bytes_in(july) == before and (july / name).exists()


@pytest.mark.parametrize(
    "listed", [b"", b"[]", b'{"releases": 5}', b"[" * 100_000, b'{"releases": {"a": {"leaves/a": 5}}}']
)
def test_a_list_that_is_none_lists_nothing(tmp_path: Path, listed: bytes) -> None:
    (tmp_path / "leaves").mkdir()
    (tmp_path / "stays").mkdir()
    (tmp_path / "leaves" / "a").write_text("mine")
    (tmp_path / "stays" / "written.json").write_bytes(listed)
    with refused("folder-not-usable"):
        MADE.write_into(tmp_path)
    assert (tmp_path / "leaves" / "a").read_text() == "mine"


def test_what_was_changed_since_is_not_replaced_and_what_was_moved_away_is_not_missed(tmp_path: Path) -> None:
    MADE.write_into(tmp_path)
    (tmp_path / "leaves" / "a-released.csv").unlink()
    MADE.write_into(tmp_path)
    (tmp_path / "stays" / "a-project.json").write_text("by hand")
    with refused("folder-not-usable"):
        MADE.write_into(tmp_path)
    assert (tmp_path / "stays" / "a-project.json").read_text() == "by hand"


def test_a_folder_with_a_file_that_is_read_is_refused_whatever_the_file_is_called(tmp_path: Path) -> None:
    july = tmp_path / "july"
    MADE.write_into(july)
    os.link(july / "stays" / "a-project.json", tmp_path / "hard.json")
    (tmp_path / "soft.json").symlink_to(july / "stays" / "a-project.json")
    (tmp_path / "link").symlink_to(july)
    for read in (july / "stays" / "a-project.json", tmp_path / "hard.json", tmp_path / "soft.json"):
        for folder in (july, tmp_path / "link", tmp_path / "x" / ".." / "july"):
            with refused("folder-not-usable"):
                AGAIN.write_into(folder, [tmp_path / "gone.csv", read])


def test_a_folder_that_is_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "july").symlink_to("disk")
    MADE.write_into(tmp_path / "july")
    AGAIN.write_into(tmp_path / "july")
    assert (tmp_path / "july").is_symlink()
    assert (tmp_path / "disk" / "stays" / "a-new.json").read_bytes() == b"[]"


def test_what_is_no_folder_of_its_own_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")
    refused = {
        tmp_path / "file": "is a file",
        Path("/"): "of its own",
        Path(): "the folder you are in",
        Path(".."): "the folder you are in",
        tmp_path / "file" / "in": "cannot be written",
    }
    for folder, says in refused.items():
        with pytest.raises(InputError, match=says):
            MADE.write_into(folder)
    assert bytes_in(tmp_path) == {"file": b"mine"}


FULL = """
import resource, sys
from pathlib import Path
from anonlib.basics.errors import InputError
from anonlib.basics.two_folders import TwoFolders
limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limit))
try:
    made = TwoFolders("a", {"a-released.csv": b"short", "b": b"short"}, {"a-values.csv": b"x" * 20_000})
    made.write_into(Path(sys.argv[1]))
except InputError as error:
    print(error)
"""


@pytest.mark.parametrize("again", [False, True])
def test_where_the_system_takes_no_more_the_folder_is_as_it_was(tmp_path: Path, again: bool) -> None:
    if again:
        MADE.write_into(tmp_path / "july")
    before = bytes_in(tmp_path)
    done = run(FULL, tmp_path / "july")
    assert "is as it was before" in done.stdout and not done.stderr
    assert bytes_in(tmp_path) == before and (tmp_path / "july").exists() == again
    assert [path.name for path in tmp_path.iterdir()] == ["july"] * again


KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from anonlib.basics import two_folders
from anonlib.basics.two_folders import TwoFolders
before, again = eval(sys.argv[2])
os.fsync = lambda _: None  # the system goes on, and has what was written
if sys.argv[3] == "two renames":
    two_folders._exchanged = lambda one, other: False
acts = {"open", "os.rename", "os.link", "os.mkdir", "os.rmdir", "os.remove", "os.scandir", "os.chmod"}
for n in range(200):
    folder = Path(sys.argv[1], str(n))
    folder.mkdir()
    if before is not None:
        TwoFolders(*before).write_into(folder / "july")
    if not (child := os.fork()):
        left = n
        def kill(event, _):
            global left
            if event in acts:
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(kill)
        TwoFolders(*again).write_into(folder / "july")
        left = 10 ** 6
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        print(n)
        break
    assert os.WTERMSIG(status) == signal.SIGKILL
"""


@pytest.mark.parametrize("how", ["new", "again", "two renames"])
def test_killed_at_any_act_the_folder_is_as_it_was_or_whole(tmp_path: Path, how: str) -> None:
    before = None if how == "new" else (MADE.release, MADE.leaves, MADE.stays)
    done = run(KILLED, tmp_path, repr((before, (AGAIN.release, AGAIN.leaves, AGAIN.stays))), how)
    assert not done.returncode, done.stderr
    ended = int(done.stdout)
    assert ended > 15, "it is killed at many places"
    shutil.copytree(tmp_path / "0", tmp_path / "reference")
    AGAIN.write_into(tmp_path / "reference" / "july")
    new = bytes_in(tmp_path / "reference" / "july")
    old = bytes_in(tmp_path / "0" / "july")
    states = []
    for n in range(ended):
        folder = tmp_path / str(n)
        if how != "two renames" or (folder / "july").exists():
            states.append(bytes_in(folder / "july") == new)
            assert states[-1] or bytes_in(folder / "july") == old
        for left in folder.iterdir():
            assert left.name == "july" or re.fullmatch(r"\.july-.*\.(part|before)", left.name)
            assert left.name == "july" or not (left / "stays").exists() or mode(left / "stays") == 0o700
        AGAIN.write_into(folder / "july")
        assert [path.name for path in folder.iterdir()] == ["july"] and bytes_in(folder / "july") == new
    assert not states[0] and states == sorted(states)


WRITERS = """
import os, sys
from pathlib import Path
from anonlib.basics.two_folders import TwoFolders
name = sys.argv[2]
os.fsync = lambda _: None
for i in range(8):
    data = f"{name} {i}".encode() * 1000
    TwoFolders(name, {f"{name}-released.csv": data}, {f"{name}-values.csv": data}).write_into(Path(sys.argv[1]))
"""


def test_two_writers_into_one_folder_lose_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITERS, str(tmp_path / "july"), name], env=environment, stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b", "a")
    ]  # fmt: skip
    for process in started:
        assert process.communicate()[1] == "" and process.returncode == 0
    found = bytes_in(tmp_path)
    assert found.pop("july/stays/written.json") and len(found) == 4
    for name in ("a", "b"):
        assert found[f"july/leaves/{name}-released.csv"] == found[f"july/stays/{name}-values.csv"]
        assert found[f"july/leaves/{name}-released.csv"] == f"{name} 7".encode() * 1000


def test_folders_are_exchanged_as_one_act_here(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text(name)
    if sys.platform != "linux":
        pytest.skip("only Linux is known to")
    assert two_folders._exchanged(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one" / "other").exists() and (tmp_path / "other" / "one").exists()
