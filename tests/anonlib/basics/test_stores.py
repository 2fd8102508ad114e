"""Stores: what was used longest ago gives way, and what several threads ask for is computed once."""

from __future__ import annotations

import pickle
import threading

import numpy as np

from anonlib.basics.stores import Store, TravellingStore


def store_of(limit: int) -> Store:
    """A store of arrays and texts, whose size is the number of their bytes or letters."""
    return Store(limit, lambda value, known: len(value) - sum(map(len, known)))


def block(size: int) -> np.ndarray:
    return np.zeros(size, np.uint8)


def test_what_was_used_longest_ago_gives_way_once_the_bound_is_passed():
    store = store_of(100)
    for key in "abc":
        store.get(key, lambda: block(30))
    assert len(store) == 3 and store.size == 90
    first = store.get("a", lambda: block(0))
    assert len(first) == 30, "it was held, and is now the one used last"
    store.get("d", lambda: block(30))
    assert store.size == 90
    assert [len(store.get(key, lambda: block(1))) for key in "acd"] == [30, 30, 30]
    assert len(store.get("b", lambda: block(1))) == 1, "this one had given way"


def test_the_newest_stays_however_large_and_nothing_else_beside_it():
    store = store_of(100)
    for key, size in (("a", 10), ("b", 1000)):
        store.get(key, lambda size=size: block(size))
    assert len(store) == 1 and store.size == 1000 and len(store.get("b", lambda: block(0))) == 1000
    store.get("c", lambda: block(10))
    assert len(store) == 1 and store.size == 10


# ---- several runs of one session at once -----------------------------------------------------------------------------


def test_what_another_run_computes_is_waited_for_and_computed_once():
    store, begun, go_on = store_of(1000), threading.Event(), threading.Event()
    computed: list[str] = []
    answers: list[str] = []

    def slowly() -> str:
        begun.set()
        assert go_on.wait(30)
        computed.append("slowly")
        return "answer"

    def at_once() -> str:
        computed.append("again")
        return "answer"

    threads = [threading.Thread(target=lambda: answers.append(store.get("a", slowly)))]
    threads[0].start()
    assert begun.wait(30)
    threads += [threading.Thread(target=lambda: answers.append(store.get("a", at_once))) for _ in range(3)]
    for thread in threads[1:]:
        thread.start()
    assert store.get("b", lambda: "other") == "other", "what is another question does not wait"
    assert not answers
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert answers == ["answer"] * 4 and computed == ["slowly"]


def test_where_another_run_fails_the_one_that_waited_computes():
    store, begun, go_on = store_of(1000), threading.Event(), threading.Event()
    failed: list[bool] = []
    answers: list[str] = []

    def fail() -> str:
        begun.set()
        assert go_on.wait(30)
        raise ValueError

    def first() -> None:
        try:
            store.get("a", fail)
        except ValueError:
            failed.append(True)

    threads = [threading.Thread(target=first), threading.Thread(target=lambda: answers.append(store.get("a", str)))]
    threads[0].start()
    assert begun.wait(30)
    threads[1].start()
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert failed == [True] and answers == [""]


def test_a_computation_may_ask_for_another():
    store = store_of(1000)
    assert store.get("a", lambda: store.get("b", lambda: "inner") + " and outer") == "inner and outer"
    assert len(store) == 2


def test_what_is_held_goes_to_another_process_only_of_a_store_that_travels():
    stores = Store(1000), TravellingStore(1000)
    for store in stores:
        store.put("a", "first")
        store.put("b", block(10))
    alone, travelling = pickle.loads(pickle.dumps(stores))
    assert (alone.limit, len(alone)) == (1000, 0)
    assert (travelling.limit, travelling.size) == (1000, stores[1].size)
    assert travelling.held("a") == "first" and travelling.get("b", list).tolist() == [0] * 10
    travelling.put("c", "here")
    assert stores[1].held("c") is None
