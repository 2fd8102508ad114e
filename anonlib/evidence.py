"""What scripts that version 0.1 and 0.2 wrote import; evidence itself is in `anonlib.filing.evidence`."""

from anonlib.filing.evidence import PARTS, gather, released_file, to_json

__all__ = ["PARTS", "gather", "released_file", "to_json"]
