"""How Anonscope refuses to serve where Streamlit is not the one it knows."""

from __future__ import annotations

from importlib.metadata import version
from typing import NoReturn


def refuse(name: str, otherwise: str) -> NoReturn:
    """End with a sentence: Streamlit's ``name`` is gone or does something else, and without it, so and so."""
    raise SystemExit(
        f"Anonscope does not start: Streamlit {version('streamlit')} has changed ({name}), and {otherwise}. "
        "Install the versions of requirements.lock."
    )
