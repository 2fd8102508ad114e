"""A session on the Generalize page."""

from __future__ import annotations

import pytest

from tests.helpers.app import GENERALIZE, App, loaded


@pytest.fixture
def app(file) -> App:
    return loaded(file, page=GENERALIZE)
