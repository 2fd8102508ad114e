"""Work that a page gives away, in a thread: all moves as pickles, and there is neither a session nor a page.

So each test of a page finds work that can not move, or that asks for what is not there. What it calls waits until the
page has taken note, so a test sees each of its steps.
"""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Hashable
from queue import SimpleQueue
from threading import Thread
from typing import Any

from anonlib.basics.errors import InputError
from ui.server.workers.jobs import Answers, Failed, Function
from ui.server.workers.moving import KnownToBoth, packed, unpacked


class Ended(BaseException):
    """The page has ended the job."""


class JobInAThread:
    """A job as the page has it; and its home, as the thread has it."""

    def __init__(self, function: Function) -> None:
        self._here, self._there = KnownToBoth(), KnownToBoth()
        self._to_job: SimpleQueue[Any] = SimpleQueue()
        self._to_page: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        moved = self._sent(function)
        self._thread = Thread(target=self._run, args=(moved,), daemon=True)
        self._thread.start()
        self._waits_for_answer = False

    # ---- the page's side ----

    def carry_out(self, order: Any, answers: Answers) -> Any:
        self._give("order", order)
        self._go_on()
        while True:
            kind, packed_value = self._to_page.get()
            if kind == "raised":
                raise packed_value
            value = self._brought(packed_value)
            if kind == "report":
                return value
            self._waits_for_answer = True
            answer = answers.ask(*value) if kind == "ask" else answers.progress(*value)
            self._give("answer", answer)
            self._waits_for_answer = False

    def close(self) -> None:
        self._to_job.put(("end", b""))
        self._thread.join()

    def _go_on(self) -> None:
        """Let it go on where the page left it: within progress."""
        if self._waits_for_answer:
            self._give("answer", None)
            self._waits_for_answer = False

    def _give(self, kind: str, value: Any) -> None:
        self._to_job.put((kind, self._sent(value)))

    def _sent(self, value: Any) -> bytes:
        return packed(value, self._here, adds=True).in_one()

    def _brought(self, moved: bytes) -> Any:
        return unpacked(memoryview(bytearray(moved)), self._here, adds=False, copies=True)

    # ---- the job's side ----

    def _run(self, moved: bytes) -> None:
        self._orders: list[Any] = []
        try:
            function = self._received(moved)
            function(self)
        except Ended:
            pass
        except InputError as error:
            self._to_page.put(("raised", pickle.loads(pickle.dumps(error))))
        except Exception as error:
            failed = Failed("".join(traceback.format_exception(error)))  # the text too: it is a test's
            failed.__cause__ = error
            self._to_page.put(("raised", failed))
        except BaseException as error:  # as a test stops a page from within its work
            self._to_page.put(("raised", error))

    def progress(self, share: float, so_far: Any = None, /) -> None:
        self._bring("progress", (share, so_far))
        self._answer()

    def ask(self, of: str, key: Hashable) -> Any:
        self._bring("ask", (of, key))
        return self._answer()

    def order(self) -> Any:
        while not self._orders:
            self._take()
        return self._orders.pop(0)

    def newer_order(self, order: Any) -> Any:
        while self._orders:
            order = self._orders.pop(0)
        return order

    def report(self, value: Any) -> None:
        self._bring("report", value)

    def _bring(self, kind: str, value: Any) -> None:
        self._to_page.put((kind, packed(value, self._there, adds=False).in_one()))

    def _answer(self) -> Any:
        while (taken := self._take()) is None:
            pass
        return taken[0]

    def _take(self) -> tuple[Any] | None:
        kind, moved = self._to_job.get()
        if kind == "end":
            raise Ended
        value = self._received(moved)
        if kind == "answer":
            return (value,)
        self._orders.append(value)
        return None

    def _received(self, moved: bytes) -> Any:
        return unpacked(memoryview(bytearray(moved)), self._there, adds=True, copies=False)


def begin(_session: str, function: Function, _first: bool) -> JobInAThread:
    """As :func:`ui.server.workers.begin`."""
    return JobInAThread(function)
