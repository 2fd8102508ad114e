"""What a version saves, kept once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import keep_saved
from tools.keep_saved import KEPT, SAVED, VERSION


def test_what_is_saved_is_kept_once_and_of_projects_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    (kept,) = (each for each in KEPT if each.name == "weight-loss-blanks")
    monkeypatch.setattr(keep_saved, "SAVED", tmp_path)
    monkeypatch.setattr(keep_saved, "KEPT", (kept,))
    assert keep_saved.main() == 1 and "Copy the folder toml" in capsys.readouterr().out
    folder = tmp_path / VERSION
    (folder / "toml").mkdir(parents=True)
    project = (SAVED / "0.2.0" / "toml" / f"{kept.name}.toml").read_bytes()
    (folder / "toml" / f"{kept.name}.toml").write_bytes(project)
    assert keep_saved.main() == 0
    before = json.loads((SAVED / "0.2.0" / "expected.json").read_text(encoding="utf-8"))[kept.name]
    assert json.loads((folder / "expected.json").read_text(encoding="utf-8"))[kept.name] == before
    for kind in ("projects", "recipes", "evidence", "scripts"):
        assert len([*(folder / kind).iterdir()]) == 1
    assert keep_saved.main() == 1 and "never changed" in capsys.readouterr().out
