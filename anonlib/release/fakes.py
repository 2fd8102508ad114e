"""A release with fake records among the real ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonlib.analyses.generalization import Injection
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.values.cells import text_categorical


def with_fakes(released: Dataset, injection: Injection, rng: np.random.Generator) -> Dataset:
    """The released records and the fake ones in an order drawn at random, so that no place tells which is which.

    Parameters
    ----------
    released : Dataset
        The real records.
    injection : Injection
        The fake ones. Where there is a weight, each stands for one person.
    rng : np.random.Generator
        numpy.random.Generator Draws the order; to be as secret as the injection's seed.

    Returns
    -------
    Dataset
        Both together.

    Raises
    ------
    InputError
        Where there is a person id: a fake has one row, and persons may have several.
    """
    if released.person_id is not None:
        raise InputError(
            "Fake records can be added where each person has one row, not where there is a person id.",
            code="persons-have-several-rows",
        )
    fakes = injection.to_frame()
    if released.weight is not None:
        fakes[released.weight] = "1"
    order = rng.permutation(released.n_records + len(fakes))
    columns = {}
    for name in released.records.columns:  # what is withheld too: it goes on counting persons
        together = [_texts(released.records[name]), _texts(pd.Series(fakes[name]))]
        columns[name] = text_categorical(pd.Series(np.concatenate(together)[order], dtype=object))
    return released.with_frame(pd.DataFrame(columns, index=range(len(order))), f"with {len(fakes)} fake records")


def _texts(column: pd.Series) -> np.ndarray:
    return column.astype(object).where(column.notna(), None).to_numpy(dtype=object)
