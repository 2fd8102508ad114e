"""The time that a search for a schedule has."""

from __future__ import annotations

from anonlib.basics.budget import Stopwatch
from anonlib.basics.progress import Progress


class Deadline:
    """The time there is, in seconds, and where the share of it that is spent is reported."""

    def __init__(self, seconds: float, progress: Progress | None = None) -> None:
        self.seconds = seconds
        self._progress = progress
        self._stopwatch = Stopwatch()

    @property
    def spent(self) -> float:
        return self._stopwatch.seconds

    @property
    def left(self) -> float:
        return self.seconds - self.spent

    def report(self) -> None:
        """Say what share of the time is spent; what that raises stops the search."""
        if self._progress is not None:
            self._progress(min(1.0, self.spent / self.seconds) if self.seconds > 0 else 1.0)

    def look(self) -> bool:
        """Report, and whether there is time left."""
        self.report()
        return self.left > 0

    def part(self, seconds: float) -> Deadline:
        """For a part of the work, of at most so many seconds; it reports as the whole does."""
        return Deadline(max(0.0, min(seconds, self.left)), lambda _: self.report())
