"""Class tables with values relabelled or classes left out, against counting the changed frame again."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes import ClassTable
from anonlib.values.cells import text_categorical
from tests.helpers.errors import refused
from tests.helpers.tables import check_form, text_frame
from tests.reference.generalization import counted

CELLS = st.sampled_from(["a", "b", "c", "d", None])
LABELS = st.sampled_from(["x", "y", "a", None])


@st.composite
def frames(draw) -> pd.DataFrame:
    n = draw(st.integers(0, 25))
    return text_frame({name: draw(st.lists(CELLS, min_size=n, max_size=n)) for name in ("one", "two")})


@given(frames(), st.dictionaries(CELLS, LABELS))
def test_recoding_classes_is_recoding_records(frame, label_of):
    classes = ClassTable.from_frame(frame)
    values = classes.categories[0]
    labels = np.array([*(label_of.get(value, value) for value in values), None], dtype=object)[:-1]
    made = classes.recode({"one": labels})
    changed = [label_of.get(v, v) for v in (None if pd.isna(v) else v for v in frame["one"])]
    again = ClassTable.from_frame(frame.assign(one=text_categorical(changed)))
    assert counted(made) == counted(again)
    assert made.size_of_record.tolist() == again.size_of_record.tolist()
    assert [made.column("one")[place] for place in made.class_of_record] == changed
    assert made.n_records == classes.n_records
    check_form(made)


def test_a_table_without_records_is_recoded_as_well():
    frame = pd.DataFrame({"one": text_categorical(["a", "b", "b"]), "n": [2, 3, 4]})
    classes = ClassTable.from_frame(frame, ["one"], weights="n")
    bare = ClassTable(classes.attributes, classes.categories, classes.codes, classes.counts)
    assert bare.recode({"one": np.array(["x", "x"], dtype=object)}).counts.tolist() == [9]
    assert bare.keep(np.array([False, True])).counts.tolist() == [7]
    assert bare.keep(np.array([False, True])).class_of_record is None


def test_a_column_that_is_not_there():
    with refused("column-unknown", "two"):
        ClassTable.from_frame(pd.DataFrame({"one": ["a"]})).recode({"two": np.array(["x"], dtype=object)})
