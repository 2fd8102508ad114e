"""Which browser the tests are given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools import chromium

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-ins for browsers are shell scripts")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, on a machine that has no other browser."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium, "MAC_APPLICATIONS", ())
    monkeypatch.setattr(chromium, "_playwright_chromium", lambda: None)
    return tmp_path


def browser(folder: Path, name: str, status: int) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {status}\n")
    path.chmod(0o755)
    return str(path)


def test_a_stub_that_does_not_start_is_passed_over(folder: Path) -> None:
    browser(folder, "chromium-browser", 1)
    assert chromium.find() is None
    chrome = browser(folder, "google-chrome", 0)
    assert chromium.find() == chrome


def test_the_one_that_is_named_is_the_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser(folder, "chromium", 0)
    named = browser(folder, "mine", 0)
    monkeypatch.setenv(chromium.VARIABLE, named)
    assert chromium.find() == named


def test_a_named_one_that_does_not_start_is_stated_and_not_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    browser(folder, "chromium", 0)
    monkeypatch.setenv(chromium.VARIABLE, str(folder / "none"))
    assert chromium.main() == 1
    assert chromium.VARIABLE in capsys.readouterr().err


def test_without_one_it_is_installed_and_looked_for_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "install", lambda: browser(folder, "chromium", 0))
    assert chromium.main() == 0


def test_when_none_can_be_installed_it_is_stated_how_to_get_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[tuple[str, ...]] = []
    monkeypatch.setattr(chromium, "_run", lambda *command, **_: commands.append(command))
    browser(folder, "apt-get", 0)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert chromium.main() == 1
    assert [command[1] if command[0] == "apt-get" else command[2] for command in commands] == [
        "update",
        "install",
        "playwright",
    ]
    assert "apt-get install chromium" in capsys.readouterr().err
