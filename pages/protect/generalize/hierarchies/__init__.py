"""The hierarchy editor: how each column is made coarser, level by level."""

from pages.protect.generalize.hierarchies.editor import chosen, edit

__all__ = ["chosen", "edit"]
