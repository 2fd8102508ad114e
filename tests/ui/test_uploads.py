"""What an uploader holds, after its bytes were dropped too."""

from types import SimpleNamespace

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec

from ui import state


@pytest.mark.parametrize("dropped", [None, DeletedFile("1")])
def test_a_file_whose_bytes_were_dropped_is_no_file(monkeypatch, dropped) -> None:
    there = UploadedFile(UploadedFileRec("1", "people.csv", "text/csv", b"a\n1\n"), FileURLs())
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={"one": there, "other": dropped}))
    assert state.uploaded("one") is there
    assert state.uploaded("other") is None
