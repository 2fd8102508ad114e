"""Searches find the same whatever number of threads the libraries beneath them may use."""

from __future__ import annotations

import json

import pytest

from tests.helpers import other_threads


@pytest.mark.slow
def test_one_thread_and_two_find_the_same():
    here = other_threads.found()
    assert all(here.values()), "each found something"
    assert not here["schedule"][0], "what is not proven depends on how far the search went"
    assert json.loads(json.dumps(here)) == other_threads.found_by_others()
