"""A file that one process holds at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anonlib.basics.disk import held, is_held

HOLDS = """
import sys
from pathlib import Path
from anonlib.basics.disk import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_it_is_seen_that_another_process_holds_it_until_that_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_held(path) and not path.exists(), "looking makes no file"
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None and other.stdout.readline() == "held\n"
    assert is_held(path)
    other.kill()  # without a chance to clear up
    other.wait()
    assert not is_held(path)
    with held(path):
        assert is_held(path)
    assert not is_held(path) and path.exists()


def test_where_nothing_can_be_written_it_cannot_be_held(tmp_path: Path) -> None:
    with pytest.raises(OSError), held(tmp_path / "no folder" / "lock"):
        pass


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_what_is_held_is_for_its_owner_alone(tmp_path: Path) -> None:
    with held(tmp_path / "lock"):
        assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
