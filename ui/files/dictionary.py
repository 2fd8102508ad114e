"""The dictionary beside the loaded file: taken in, and what is done with what it says."""

from __future__ import annotations

from anonlib.basics.errors import InputError
from anonlib.columns.dictionaries import MOST_LABELS, read_dictionary
from ui.files import data_file
from ui.server.keeping import forget_uploads
from ui.session.state import session


def take(data: bytes, name: str) -> None:
    """Use a dictionary for the loaded file. Raises InputError where it is none of it, and then nothing changes.

    What it says is added to what an earlier one says of the same columns.
    """
    now = session()
    assert now.loaded is not None
    columns = now.loaded.columns
    dictionary = read_dictionary(data, name)
    found = dictionary.on(columns, now.loaded.known)
    if not found:
        raise dictionary.is_of_other_columns()
    earlier = {each.name: each for each in now.loaded.described}
    together = {**earlier, **{each.name: each.over(earlier.get(each.name)) for each in found}}
    described = tuple(together[name] for name in columns if name in together)
    if sum(len(each.labels) for each in described) > MOST_LABELS:
        raise InputError(
            f"Together the dictionaries list more than {MOST_LABELS:,} codes. Forget the earlier one first.",
            code="dictionary-too-large",
        )
    data_file.prepare(described=described)
    now.notice = f"{dictionary.says(columns)} Suggested roles follow it; what you decided stays."
    forget_uploads()


def forget() -> None:
    """Let what dictionaries say go; what the file says of itself stays."""
    data_file.prepare(described=())


def show_labels(shown: bool) -> None:
    """Whether codes are shown by their labels."""
    data_file.prepare(with_labels=shown)


def show_codes_of(columns: list[str]) -> None:
    """Show the codes of these columns all the same."""
    data_file.prepare(in_codes=tuple(columns))
