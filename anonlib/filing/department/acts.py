"""What people do that a department notes, by which name: known without its database, which a desk lacks."""

from __future__ import annotations

from enum import Enum


class Act(Enum):
    """What can be in an audit line, as it is written there."""

    STARTED = "server started"
    SIGNED_IN = "signed in"
    SIGNED_OUT = "signed out"
    REFUSED = "refused"
    OPENED = "file opened"
    RELEASED = "released"
    REPORTED = "reported"
    SUBMITTED = "request submitted"
    CLAIMED = "request claimed"
    APPROVED = "request approved"
    RETURNED = "request returned"
    GIVEN_BACK = "request given back"
    WITHDRAWN = "request withdrawn"
    COMMENTED = "request commented"
    SETTLED = "comment settled"
    EXPIRED = "request expired"
    REGISTER_CHANGED = "register changed"
    REGISTER_IMPORTED = "register imported"
    KEY_MADE = "key made"
    KEY_ROTATED = "key rotated"
    REIDENTIFICATION_ASKED = "re-identification asked"
    REIDENTIFICATION_APPROVED = "re-identification approved"
    REIDENTIFICATION_REFUSED = "re-identification refused"
    REIDENTIFIED = "re-identified"
