"""How far long work is."""

from __future__ import annotations

import pytest

from anonlib.basics.progress import Steps, nobody, share_of


def test_a_part_of_the_work_goes_from_one_share_to_another() -> None:
    shares: list[float] = []
    part = share_of(shares.append, 0.2, 0.6)
    for share in (0, 0.5, 1):
        part(share)
    assert shares == pytest.approx([0.2, 0.4, 0.6])


def test_steps_count_by_their_work_and_end_at_one() -> None:
    shares: list[float] = []
    steps = Steps(10, shares.append)
    first, second, beyond = steps.next(4), steps.next(6), steps.next(5)
    assert first and second and beyond
    first(0.5), first(1), second(0.5), second(1), beyond(1)
    assert shares == pytest.approx([0.2, 0.4, 0.7, 1, 1])
    assert Steps(10, None).next(4) is None
    nobody(0.5)
