"""What refuses an input is asked for by its code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from anonlib.basics.errors import InputError


@contextmanager
def refused(code: str, column: str | None = None) -> Iterator[pytest.ExceptionInfo[InputError]]:
    """Within it an error of this code is raised; of this column, where one is named."""
    with pytest.raises(InputError) as caught:
        yield caught
    assert caught.value.code == code
    assert column is None or caught.value.column == column
