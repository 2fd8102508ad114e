"""What marks a field of the evidence that earlier versions did not have."""

from __future__ import annotations

CAME_LATER = {"came later": True}
"""Of a field with a default, which evidence that was saved before it came lacks."""
