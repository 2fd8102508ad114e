"""What written scripts import, so that it keeps its place; evidence itself is in `anonlib.filing.evidence`."""

from anonlib.basics.two_folders import TwoFolders
from anonlib.filing.evidence import PARTS, gather, released_file, to_json

__all__ = ["PARTS", "TwoFolders", "gather", "released_file", "to_json"]
