"""Several sessions at once, each with a value of its own in its file: none receives that of another."""

from __future__ import annotations

import pytest

from benchmarks.bench_team import LABEL_OF_K, Team, Waits, million, percentile
from tests.browser.app import Server
from tests.helpers import loops
from tests.helpers.visitor import Visitor, canary

SESSIONS = 4


def test_sessions_at_once_receive_nothing_of_each_other(server: Server) -> None:
    """Data, Risk and Release, and what is downloaded there; every byte is looked through."""
    waits = Waits()

    async def everything() -> list[bytes]:
        team, files = Team(server.url, SESSIONS, waits), list[bytes]()

        async def rest(visitor: Visitor, _: str) -> None:
            await waits.step("risk", visitor, visitor.go("risk"))
            await waits.step("k", visitor, visitor.move(LABEL_OF_K, 7))
            await waits.step("release", visitor, visitor.go("release"))
            await waits.step("drop", visitor, visitor.write("It leaves all the same", "Agreed in writing."))
            files.append(await visitor.download("Released CSV"))

        await team.arrive()
        await team.all_at_once(rest)
        await team.leave()
        for own in team.canaries:
            assert sum(own.encode() in file for file in files) == 1
        return files

    files = loops.run(everything())
    assert waits.problems == []
    assert len(files) == SESSIONS
    assert {len(seconds) for seconds in waits.seconds.values()} == {SESSIONS}, "no step of a session is missing"


def test_a_value_of_another_is_noticed_in_what_is_received() -> None:
    own, other = canary(), canary()
    visitor = Visitor("http://127.0.0.1:1", own)
    visitor._search(f"a,b\n{own},1\n".encode())
    assert (visitor.own_seen, visitor.problems) == (1, [])
    visitor._search(f"a,b\n{other},1\n".encode())
    assert visitor.problems == ["a value of another visitor was received"]


@pytest.mark.parametrize(("waited", "p95"), [([3.0], 3.0), ([*range(1, 101)], 96.0), ([1.0, 2.0], 2.0)])
def test_the_percentile_is_one_of_the_waits(waited: list[float], p95: float) -> None:
    assert percentile(waited) == p95


def test_the_million_holds_the_value_once_and_has_twelve_columns() -> None:
    own = canary()
    head, *rows = million(own, 1_000).decode().splitlines()
    assert (len(head.split(",")), len(rows), sum(own in row for row in rows)) == (12, 1_000, 1)
