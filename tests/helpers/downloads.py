"""Downloads as pages offer them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Offered:
    """A download as a page last offered it."""

    label: str
    make: Callable[[], bytes]
    disabled: bool
    help: str

    @property
    def stays_inside(self) -> bool:
        return self.help.startswith("**Stays inside.**")
