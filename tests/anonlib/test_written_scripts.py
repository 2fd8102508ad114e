"""What scripts import that were written by earlier versions, and by this one."""

from __future__ import annotations

import importlib
import re

import pytest

from anonlib.filing.evidence import script

EARLIER = {  # by module, what any version ever wrote
    "anonlib.evidence": ("PARTS", "gather", "released_file", "to_json"),
    "anonlib.project": ("LoadedFile", "Project", "open_project", "read_population"),
    "anonlib.two_folders": ("TwoFolders",),
}


@pytest.mark.parametrize("module", EARLIER)
def test_names_that_written_scripts_import_keep_their_place(module: str) -> None:
    imported = importlib.import_module(module)
    assert set(EARLIER[module]) <= set(imported.__all__)
    assert all(hasattr(imported, name) for name in imported.__all__)


def test_a_script_imports_nothing_else_of_the_library() -> None:
    """So that modules can move without breaking the scripts of earlier versions."""
    text = script._SCRIPT.replace("{key_class}", "KeyOfPseudonyms, ")
    text = text.replace("{loaded_class}", "LoadedFile, LoadedTables")
    imports = re.findall(r"^from (anonlib[\w.]*) import (.*)$", text, re.MULTILINE)
    assert {module for module, _ in imports} == {"anonlib.evidence", "anonlib.project"}
    for module, names in imports:
        assert set(names.split(", ")) <= set(importlib.import_module(module).__all__)
