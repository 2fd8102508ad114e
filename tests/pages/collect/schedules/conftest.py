"""Sessions on the Schedules page."""

from __future__ import annotations

import pytest

from tests.helpers.app import SCHEDULES, App, sampled
from tests.helpers.schedules import QUASI, TWELVE, of_file


@pytest.fixture
def county() -> App:
    """The sample of a county to invite, with its slots."""
    return sampled("screening_county", SCHEDULES)


@pytest.fixture
def twelve() -> App:
    """Twelve people without slots of their own: these are made up."""
    return of_file(TWELVE, {"age": QUASI, "sex": QUASI})
