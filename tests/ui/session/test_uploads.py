"""What an uploader holds, after its bytes were dropped too."""

from types import SimpleNamespace

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec

from ui.session import keep


@pytest.mark.parametrize("dropped", [None, DeletedFile("1")])
def test_a_file_whose_bytes_were_dropped_is_no_file(monkeypatch, dropped) -> None:
    upload = UploadedFile(UploadedFileRec("1", "people.csv", "text/csv", b"a\n1\n"), FileURLs())
    monkeypatch.setattr(keep, "st", SimpleNamespace(session_state={"held": upload, "other": dropped}))
    assert keep.uploaded("held") is upload
    assert keep.uploaded("other") is None
