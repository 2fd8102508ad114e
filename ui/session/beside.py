"""Earlier releases of other files, such as of another month, that are held beside the one of this session."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from anonlib.filing.project import Opened
from anonlib.verdict.together import Release


@dataclass(frozen=True)
class HeldBeside:
    """The earlier releases, each by its project on its file; at first none."""

    DECIDED: ClassVar = {"opened": "earlier releases"}

    opened: tuple[Opened, ...] = ()

    @property
    def key(self) -> str:
        """Names all of them."""
        return hashlib.sha256("".join(each.key for each in self.opened).encode()).hexdigest()

    @property
    def releases(self) -> tuple[Release, ...]:
        """As criteria look at them."""
        return tuple(each.as_release for each in self.opened)
