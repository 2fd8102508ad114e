"""Packages are installed by uv, with their hashes checked, and by pip where uv cannot."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import install

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What is run instead of installers, each of which succeeds but uv where it is named `fails`."""
    seen: list[tuple[str, ...]] = []

    def run(*command: str, quiet: bool = False, variables: dict[str, str] | None = None) -> int:
        seen.append(command)
        return int(command[0] == "fails")

    monkeypatch.setattr(install, "_run", run)
    return seen


def test_uv_is_the_one_of_the_lock_with_its_hashes() -> None:
    entry = install.pinned_uv((ROOT / "requirements-dev.lock").read_text(encoding="utf-8"))
    assert entry.startswith("uv==") and entry.count("==") == 1
    assert entry.count("--hash=sha256:") > 5 and not entry.rstrip().endswith("\\")


def test_uv_installs_from_where_pip_is_set_up_to() -> None:
    settings = "global.index-url='https://mirror.example/simple'\n:env:.cert='/certs.pem'\nglobal.timeout='60'\n"
    assert install.variables_for_uv(settings) == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "SSL_CERT_FILE": "/certs.pem",
    }
    assert install.variables_for_uv("") == {}


@pytest.mark.parametrize(("packages", "hashes"), [("requirements.lock", True), ("requirements-engines.txt", False)])
@pytest.mark.parametrize("uv", ["uv", "fails", None])
def test_pip_installs_where_uv_cannot_and_hashes_are_checked_by_both(
    monkeypatch: pytest.MonkeyPatch, commands: list[tuple[str, ...]], packages: str, hashes: bool, uv: str | None
) -> None:
    monkeypatch.setattr(install, "find_uv", lambda: uv)
    assert install.install(Path(packages)) == 0
    assert len(commands) == 1 + (uv == "fails")
    assert all(("--require-hashes" in command) is hashes and command[-1] == packages for command in commands)
    assert commands[-1][0] == ("uv" if uv == "uv" else sys.executable)


def test_uv_that_cannot_be_had_is_none(
    monkeypatch: pytest.MonkeyPatch, commands: list[tuple[str, ...]], tmp_path: Path
) -> None:
    monkeypatch.setattr(install.sysconfig, "get_path", lambda name: str(tmp_path))
    assert install.find_uv() is None
    assert "--require-hashes" in commands[0]
    (tmp_path / ("uv.exe" if sys.platform == "win32" else "uv")).touch()
    assert install.find_uv() is not None and len(commands) == 1
