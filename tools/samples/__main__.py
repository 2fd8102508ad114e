"""Write every sample file: ``python -m tools.samples [folder]``."""

from __future__ import annotations

import sys
from pathlib import Path

from anonlib.reading.samples import FOLDER
from tools.samples import generate


def main(folder: Path) -> None:
    """Write the files into ``folder``, made if need be, and print each one's name and size in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in generate().items():
        (folder / name).write_bytes(content)
        print(f"{name}  {len(content):,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
