"""What scripts that version 0.2 wrote import; the type itself is in `anonlib.basics.two_folders`."""

from anonlib.basics.two_folders import TwoFolders

__all__ = ["TwoFolders"]
