"""What is read from the code as a message, and what an update of a language's file keeps."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from anonlib.filing.languages import FOLDER
from tools import messages

SOURCE = '''
"""A docstring of the module."""

__all__ = ["Release", "Step"]

def says(n: int, name: str) -> str:
    """What it says."""
    if not name:
        raise InputError("Give it a name.", code="name-missing")
    counted = words.count(n, "rows")
    key = {"smallest_class": "kept"}
    return f"Of {n:,} rows " f"“{name}” has none." + "Nothing is left."
'''


def test_sentences_and_counts_are_messages_and_nothing_else_is() -> None:
    found = {message for _, message in messages.messages(SOURCE)}
    assert found == {"Of {0} rows “{1}” has none.", "Nothing is left.", "{0} rows", "1 row"}


def test_an_update_keeps_what_was_added_by_hand_and_drops_what_is_gone(tmp_path, monkeypatch) -> None:
    template = Catalog(charset="utf-8")
    template.add("Still here", locations=[("a.py", 1)])
    monkeypatch.setattr(messages, "template", lambda: template)
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    old = Catalog(locale="de", charset="utf-8")
    old.add("Still here", "Noch da", locations=[("a.py", 1)])
    old.add("Gone", "Fort", locations=[("a.py", 2)])
    old.add("{0} records", "{0} Datensätzen", context="dative")
    old.add("By hand", "Von Hand")
    with (tmp_path / "de.po").open("wb") as file:
        write_po(file, old)
    messages.main()
    with (tmp_path / "de.po").open("rb") as file:
        new = read_po(file, locale="de")
    kept = {(entry.context, entry.id): entry.string for entry in new if entry.id}
    assert kept == {
        (None, "Still here"): "Noch da", ("dative", "{0} records"): "{0} Datensätzen", (None, "By hand"): "Von Hand",
    }  # fmt: skip


def test_messages_are_there_once_with_the_kinds_of_columns_and_of_codes() -> None:
    found = [str(entry.id) for entry in messages.template() if entry.id]
    assert len(found) == len({*found})
    assert {"birth dates", "ICD-10 diagnosis codes", "chapters of ICD-10 diagnosis codes", "{0} records"} <= {*found}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.po")), ids=lambda path: path.stem)
def test_the_file_of_a_language_is_up_to_date(path, tmp_path, monkeypatch) -> None:
    """Else a change of one sentence would come with those of others: ``python -m tools.messages`` writes it."""
    (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    messages.main()
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()
