"""A report as a plain value of blocks, set as one HTML file or as a tagged PDF."""

from anonlib.filing.report.blocks import (
    Block,
    Bullets,
    Callout,
    Cell,
    Code,
    Facts,
    Figure,
    Paragraph,
    Report,
    Section,
    Statement,
    Table,
)

__all__ = [
    "Block",
    "Bullets",
    "Callout",
    "Cell",
    "Code",
    "Facts",
    "Figure",
    "Paragraph",
    "Report",
    "Section",
    "Statement",
    "Table",
]
