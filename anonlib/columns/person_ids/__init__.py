"""Whose row it is: what is doubtful about a column of person ids, in counts and in words."""

from anonlib.columns.person_ids.doubts import IdDoubts, id_column, id_doubts, placeholders_of
from anonlib.columns.person_ids.wording import in_words, without_settings

__all__ = ["IdDoubts", "id_column", "id_doubts", "in_words", "placeholders_of", "without_settings"]
