"""Which pictures of pages there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import pictures

ROOT = Path(__file__).resolve().parents[2]


def test_every_picture_of_the_readme_can_be_taken_again() -> None:
    shown = re.findall(r"\(docs/screenshots/(\w+)\.png\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    kept = {path.stem for path in pictures.FOLDER.iterdir()}
    assert set(shown) == kept == set(pictures.PICTURES) and len(shown) == len(kept)


def test_a_name_of_no_picture_is_refused(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        pictures.main(["rsik"])
    assert "there is no picture 'rsik'" in capsys.readouterr().err
