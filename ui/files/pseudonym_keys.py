"""The key of pseudonyms that a session has at hand: of a file that was given, or of the register in use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from ui.files import registers
from ui.server.keeping import forget_uploads
from ui.session import keep, state

UPLOAD = "pseudonyms-key-file"
UNTIL = "until you forget the data or close this tab"
"""How long the key of a file is at hand."""


@dataclass(frozen=True)
class Given:
    """The key of a file that was given, in this session's memory and nowhere else; None before."""

    OF_NO_FILE: ClassVar = True
    key: KeyOfPseudonyms | None = field(default=None, repr=False)

    @property
    def dropped(self) -> str:
        """What is to be known of it where the session drops it, in a sentence; "" for nothing."""
        return "" if self.key is None else f"The key {self.key.id} is at hand no more."


def given() -> KeyOfPseudonyms | None:
    """The key of the file that was given."""
    return state.part(Given).key


def of_register() -> KeyOfPseudonyms | None:
    """The key of the register in use."""
    register = registers.current()
    return None if register is None else register.key_of_pseudonyms


def at_hand(pseudonyms: Pseudonyms | None) -> KeyOfPseudonyms | None:
    """The key that a label is of, where one of both is; else the one that was given, or the register's."""
    both = [key for key in (given(), of_register()) if key is not None]
    wanted = "" if pseudonyms is None else pseudonyms.key_id
    return next((key for key in both if key.id == wanted), both[0] if both else None)


def take_upload(key: str) -> None:
    """Use the key in an uploader. Raises InputError where it is none, and the one before stays."""
    upload = keep.uploaded(key)
    if upload is None:
        return
    content = upload.getvalue()
    forget_uploads()
    keep.renew(UPLOAD)
    found = KeyOfPseudonyms.of(content)
    state.change_part(Given, key=found)
    state.session().notice = f"The key {found.id} is at hand {UNTIL}. It is in nothing that is saved."
