"""Files on a disk: read where they end, put where nothing is, by two processes too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anonlib.basics import disk
from tests.helpers.errors import refused

ROOT = Path(__file__).resolve().parents[3]
PUTS = """
import sys
from pathlib import Path
from anonlib.basics import disk
for i in range(200):
    place = Path(sys.argv[1], str(i))
    part = disk.beside(place)
    disk.fill(part, sys.argv[2].encode())
    try:
        disk.put(part, place)
        print(i)
    except FileExistsError:
        part.unlink()
"""


def test_of_two_processes_that_put_a_file_one_does(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PUTS, str(tmp_path)]
    started = {
        name: subprocess.Popen([*command, name], env=environment, stdout=subprocess.PIPE, text=True) for name in "ab"
    }
    put = {name: process.communicate()[0].split() for name, process in started.items()}
    assert sorted([*put["a"], *put["b"]]) == sorted(map(str, range(200))), "each name was given once"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        i: name for name, names in put.items() for i in names
    }


@pytest.mark.parametrize("links", [True, False])
def test_nothing_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError

    if not links:
        monkeypatch.setattr(os, "link", no_links)
    for name in ("part", "other"):
        disk.fill(tmp_path / name, name.encode())
    disk.put(tmp_path / "part", tmp_path / "place")
    with pytest.raises(FileExistsError):
        disk.put(tmp_path / "other", tmp_path / "place")
    (tmp_path / "nowhere").symlink_to("gone")
    with pytest.raises(FileExistsError):
        disk.put(tmp_path / "other", tmp_path / "nowhere")
    assert (tmp_path / "place").read_text() == "part" and not (tmp_path / "gone").exists()
    assert (tmp_path / "other").exists() and not (tmp_path / "part").exists()


def test_what_has_no_end_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", Path("/dev/zero"), Path("/dev/null")):
        with refused("file-not-regular"), disk.opened_to_read(path):
            pass
    for path, error in ((tmp_path / "gone", FileNotFoundError), (tmp_path, IsADirectoryError)):
        with pytest.raises(error), disk.opened_to_read(path):
            pass
