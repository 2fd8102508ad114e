"""What a job is, from both sides: the server's, which waits for it, and its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Protocol

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress

Function = Callable[["Home"], None]
"""What a job does: it takes its orders from home, and reports what it comes to."""


class Home(Protocol):
    """What a job has of the server."""

    def progress(self, share: float, so_far: Any = None, /) -> None:
        """As :class:`anonlib.basics.progress.Progress`; of what is not fetched in time the newest is shown."""

    def ask(self, of: str, key: Hashable) -> Any:
        """What the session holds; None where it does not."""

    def order(self) -> Any:
        """The next order, waited for."""

    def newer_order(self, order: Any) -> Any:
        """The order that came last, where one came since; else the one given."""

    def report(self, value: Any) -> None:
        """What the order came to."""


@dataclass(frozen=True)
class Answers:
    """What a page does while it waits for a job.

    Attributes
    ----------
    progress : called every few hundredths of a second; what it raises ends the wait.
    ask : gives what the session holds of a key of a store, or None.
    queue : called with how many jobs are before it, where it has to wait for its turn, and with 0 once it has it.
    """

    progress: Progress
    ask: Callable[[str, Hashable], Any]
    queue: Callable[[int], None]


class Job(Protocol):
    """A job, as the page has it that waits for it."""

    def carry_out(self, order: Any, answers: Answers) -> Any:
        """What the job reports of an order.

        Raises
        ------
        InputError
            As the work raises it, and where the job was ended from outside.
        Failed
            Where the work raised anything else.
        """

    def close(self) -> None:
        """End it at once, whatever it does: nothing is left of it. Safe to call again."""


class Failed(Exception):
    """A fault in the work of a job. It has no text: that of the exception may quote a cell.

    Attributes
    ----------
    place : which exception, in which module and line.
    """

    def __init__(self, place: str) -> None:
        super().__init__()
        self.place = place


class Lost(InputError):
    """A job that was ended from outside, as for lack of memory."""
