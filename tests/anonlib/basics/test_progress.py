"""How far long work is."""

from __future__ import annotations

import pytest

from anonlib.basics.progress import nobody, share_alone, share_of


def test_a_part_of_the_work_goes_from_one_share_to_another() -> None:
    shares: list[float] = []
    part = share_of(shares.append, 0.2, 0.6)
    for share in (0, 0.5, 1):
        part(share)
    assert shares == pytest.approx([0.2, 0.4, 0.6])


def test_a_part_hands_on_what_there_is_so_far_and_may_hand_on_the_share_alone() -> None:
    reports: list[tuple] = []
    part = share_of(lambda *given: reports.append(given), 0.0, 0.5)
    part(1, "the best"), part(1, None), part(1), share_alone(part)(1, "the best")
    assert reports == [(0.5, "the best"), (0.5, None), (0.5,), (0.5,)]
    nobody(0.5), nobody(0.5, "the best")
