"""A file that was given is taken by the page, or its loss is noted; that some control asked for it is not enough."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from ui.server import lost


@pytest.mark.parametrize(("asked", "taken"), [(False, False), (True, False), (True, True)])
def test_a_file_that_a_control_asked_for_and_no_page_took_is_lost_too(monkeypatch, asked, taken) -> None:
    reruns: list[object] = []
    app = SimpleNamespace(get_app_session=lambda session: SimpleNamespace(request_rerun=reruns.append))
    monkeypatch.setattr(lost, "runtime", SimpleNamespace(get_instance=lambda: app))
    monkeypatch.setattr(lost, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="s"))
    monkeypatch.setattr(lost, "_BETWEEN", 0.001)
    manager = MemoryUploadedFileManager("/files")

    async def give() -> None:
        (place,) = lost._give_addresses(manager, "s", ["visits.csv"])
        manager.add_file("s", UploadedFileRec(place.file_id, "visits.csv", "text/csv", b"age"))
        if asked:
            assert lost._give_files(manager, "s", [place.file_id])
        if taken:
            lost.take(place.file_id)
        await asyncio.sleep(0.1)
        assert len(manager.get_files("s", [place.file_id])) == taken

    try:
        with ThreadPoolExecutor(1) as beside:  # a browser of another test may have a loop of its own in this thread
            beside.submit(asyncio.run, give()).result()
        assert lost.names_of_lost() == ([] if taken else ["visits.csv"]) and len(reruns) == (not taken)
    finally:
        lost._forget("s")
