"""What Streamlit's server is made to do before it serves, and that Anonscope refuses to serve where it cannot be."""

from __future__ import annotations

import gc
import logging
import weakref
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

from anonlib.reading.sources import ibis_table
from ui import server


def test_a_table_in_duckdb_has_no_folder_to_spill_to(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("age,sex\n44,F\n")
    connection = ibis_table(path).get_backend()
    ((folder,),) = connection.raw_sql("SELECT current_setting('temp_directory')").fetchall()
    assert not folder


def test_preparing_twice_is_preparing_once() -> None:
    server.prepare_server()
    factory = logging.getLogRecordFactory()
    server.prepare_server()
    assert logging.getLogRecordFactory() is factory
    assert PagesManager.uses_pages_directory is False


@pytest.mark.parametrize("name", server.MUST_BE)
def test_where_an_option_on_which_privacy_rests_is_another_it_refuses_to_serve(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    option, before = st.get_option, server.MUST_BE[name]
    other = not before if isinstance(before, bool) else [*before, "elsewhere"] if isinstance(before, list) else "full"
    monkeypatch.setattr(st, "get_option", lambda asked: other if asked == name else option(asked))
    with pytest.raises(SystemExit, match=f"option {name} is not as it must be.*{server.variable_of(name)}"):
        server.prepare_server()


def test_the_variable_of_an_option_is_the_one_that_streamlit_reads() -> None:
    assert {server.variable_of(name) for name in server.MUST_BE} == {
        config.get_config_options()[name].env_var for name in server.MUST_BE
    }


def test_the_program_is_left_out_of_garbage_collection_and_what_comes_later_is_not() -> None:
    server.leave_program_out_of_collection()
    assert gc.get_freeze_count() > 10_000 > len(gc.get_objects())

    class Later:
        pass

    later = Later()
    later.itself = later  # type: ignore[attr-defined]
    alive = weakref.ref(later)
    del later
    gc.collect()
    assert alive() is None
