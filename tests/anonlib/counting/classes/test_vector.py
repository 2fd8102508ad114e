"""Anonymity vectors: how they are compared, and their table."""

from __future__ import annotations

from itertools import permutations

import pytest

from anonlib.counting.classes.vector import AnonymityVector, anonymity_vector


def sizes_of(vector: AnonymityVector) -> list[int]:
    return [size for size, n in zip(vector.sizes.tolist(), vector.classes.tolist(), strict=True) for _ in range(n)]


def test_the_table_has_a_row_a_size_and_the_records_in_its_classes():
    table = anonymity_vector([1, 3, 3, 1, 5]).to_frame()
    assert table.values.tolist() == [[1, 2, 2], [3, 2, 6], [5, 1, 5]]


@pytest.mark.parametrize(("worse", "better"), [([1, 5], [2, 4]), ([1, 1, 4], [1, 2, 3]), ([2, 2, 2], [2, 4])])
def test_a_vector_with_smaller_classes_is_worse(worse, better):
    assert anonymity_vector(better) < anonymity_vector(worse) and anonymity_vector(worse) > anonymity_vector(better)
    assert not anonymity_vector(worse) < anonymity_vector(worse) and anonymity_vector(worse) <= anonymity_vector(worse)


def test_the_order_of_classes_does_not_matter_and_what_is_empty_is_no_class():
    vectors = {anonymity_vector(sizes) for sizes in permutations([1, 2, 2, 0])}
    assert len(vectors) == 1 and sizes_of(vectors.pop()) == [1, 2, 2]
    assert anonymity_vector([1, 2]) != anonymity_vector([1, 2, 2]) != anonymity_vector([1, 1, 2])
    assert anonymity_vector([1]) != [1]
