"""A release as CSV in UTF-8."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonlib.release.files.rows import ReleasedRows, neutralise


def write_csv(rows: ReleasedRows) -> bytes:
    """Missing cells empty, texts that a spreadsheet would run as a formula with an apostrophe in front."""
    cells = {}
    for column in rows.columns:
        texts = column.labels if column.is_person else neutralise(column.labels)
        cells[column.name] = np.array([*texts, None], dtype=object)[column.codes]
    frame = pd.DataFrame(cells)
    frame.columns = pd.Index(neutralise(frame.columns))
    return frame.to_csv(index=False, lineterminator="\r\n").encode("utf-8")
