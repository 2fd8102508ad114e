"""The compiled loops of packing: targets that are filled one after the other, each exactly, or by the roomiest."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from anonlib.basics.machine_code import compiled


@compiled
def fill(pool, size, targets, turn, enough, looked, a_part, state, work, sums, target_of_part):
    """Fill targets in turn, from the end of a pool of parts; whether all could be.

    A target takes parts as they come until ``enough`` or less is left of it, and is closed by some of the next parts
    whose sizes sum to what is left, or to a little less. The sets of sums are bits: bit s says that some of the parts
    looked at sum to s.

    Parameters
    ----------
    pool : int64, parts, those taken first at its end; in it parts give way to those behind them.
    size : int64, a part each.
    targets, turn : int64, what each target holds, and the targets that are filled.
    enough, looked, a_part : what is left of a target when it is closed, the parts at most that are looked at for it,
        and the work of one.
    state : int64, written: how many parts are in the pool, and the places to spare that are left.
    work : float64, written: one number, the work done.
    sums : uint64, room for the sets of sums: (looked + 1) x words of 64 bits that hold the largest target.
    target_of_part : int64, a part each, written: its target.
    """
    chosen = np.empty(looked, np.bool_)
    n_pool, spare = state[0], state[1]
    for target in turn:
        left, n_taken = targets[target], 0
        while n_pool > 0 and left > enough and size[pool[n_pool - 1]] <= left:
            n_pool -= 1
            n_taken += 1
            target_of_part[pool[n_pool]] = target
            left -= size[pool[n_pool]]
        total = np.int64(0)
        if left > 0:
            words = (left >> 6) + 1
            sums[0, :words] = 0
            sums[0, 0] = 1
            n_sums = 1
            for i in range(min(n_pool, looked)):
                part = size[pool[n_pool - 1 - i]]
                shift, bits = part >> 6, part & 63
                for word in range(words):
                    moved = np.uint64(0)
                    if word >= shift:
                        moved = sums[i, word - shift] << np.uint64(bits)
                        if bits and word > shift:
                            moved |= sums[i, word - shift - 1] >> np.uint64(64 - bits)
                    sums[i + 1, word] = sums[i, word] | moved
                n_sums += 1
                if sums[i + 1, left >> 6] >> np.uint64(left & 63) & np.uint64(1):
                    break
            work[0] += a_part * n_sums * (1 + left / 2_000)
            total = left
            while not sums[n_sums - 1, total >> 6] >> np.uint64(total & 63) & np.uint64(1):
                total -= 1
            if left - total > spare:
                work[0] += a_part * (1 + n_taken)
                return False
            spare -= left - total
            first = n_pool
            for i in range(n_sums - 1, 0, -1):
                chosen[i - 1] = not sums[i - 1, total >> 6] >> np.uint64(total & 63) & np.uint64(1)
                if chosen[i - 1]:
                    first = min(first, n_pool - i)
                    target_of_part[pool[n_pool - i]] = target
                    total -= size[pool[n_pool - i]]
            n_left = first
            for place in range(first, n_pool):
                if not chosen[n_pool - place - 1]:
                    pool[n_left] = pool[place]
                    n_left += 1
            n_pool = n_left
        work[0] += a_part * (1 + n_taken)
    state[0], state[1] = n_pool, spare
    return True


@compiled
def apart(people, order, loads, slots):
    """Give values a slot each, in an order: one that has just as many places left, else the one with most of them.

    Parameters
    ----------
    people : int64, those of each value, at least one.
    order : int64, the values in their order.
    loads : int64, the places of each slot.
    slots : int64, a value each, written: its slot.

    Returns
    -------
    bool
        Whether there was room for all.
    """
    n_slots, most = len(loads), max(0, loads.max())
    left = loads.copy()
    roomiest = [slot - left[slot] * n_slots for slot in range(n_slots) if left[slot] > 0]  # the least, of equals too
    heapify(roomiest)
    # The slots that had so many places left at some time, the latest first: ``latest`` by places, then ``before``.
    latest, n_kept = np.full(most + 1, -1), 0
    slot_kept, before = np.empty(n_slots + len(people), np.int64), np.empty(n_slots + len(people), np.int64)
    for slot in range(n_slots):
        slot_kept[n_kept], before[n_kept], latest[left[slot]] = slot, latest[left[slot]], n_kept
        n_kept += 1
    for value in order:
        size, slot = people[value], -1
        while slot < 0 and size <= most and latest[size] >= 0:
            other, latest[size] = slot_kept[latest[size]], before[latest[size]]
            if left[other] == size:  # else it was used since
                slot = other
        while slot < 0:
            if not roomiest:
                return False
            first = heappop(roomiest)
            other = first % n_slots
            if left[other] * n_slots == other - first:
                slot = other
        if left[slot] < size:
            return False
        left[slot] -= size
        if left[slot]:
            heappush(roomiest, slot - left[slot] * n_slots)
            slot_kept[n_kept], before[n_kept], latest[left[slot]] = slot, latest[left[slot]], n_kept
            n_kept += 1
        slots[value] = slot
    return True
