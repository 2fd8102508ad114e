"""The images that ``deploy/`` builds on and runs, each named with its digest, so that everybody gets the same bytes.

``python3 -m tools.images`` asks their registries whether each digest is there; with ``--renew`` it writes the digest
that each name has now. Both ask by Docker. Status 1: something is not there, or could not be asked for.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = ("deploy/Containerfile", "deploy/compose.yaml", "deploy/try/compose.yaml")
_IMAGE = re.compile(r"(?P<name>[a-z0-9.-]+\.[a-z]+/[a-z0-9._/-]+:[A-Za-z0-9._-]+)(?:@(?P<digest>sha256:[0-9a-f]{64}))?")
_INSPECT = ("docker", "buildx", "imagetools", "inspect")


def named_in(root: Path) -> dict[str, str]:
    """The digest by name of each image of a registry that the files name, "" where one has none."""
    texts = [(root / file).read_text(encoding="utf-8") for file in FILES if (root / file).exists()]
    return {match["name"]: match["digest"] or "" for text in texts for match in _IMAGE.finditer(text)}


def not_there(root: Path) -> list[str]:
    """A sentence for each image that has no digest, or whose digest its registry does not answer for."""
    sentences = []
    for name, digest in named_in(root).items():
        if not digest:
            sentences.append(f"{name} has no digest: run python3 -m tools.images --renew.")
        elif digest_of(f"{name}@{digest}") != digest:
            sentences.append(f"{name}: Docker does not get that digest from its registry, or is not here to be asked.")
    return sentences


def digest_of(image: str) -> str:
    """The digest that the registry gives for an image now; "" where there is no Docker, no registry or no image."""
    command = [*_INSPECT, "--format", "{{.Manifest.Digest}}", image]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    digest = asked.stdout.strip()
    return digest if asked.returncode == 0 and re.fullmatch(r"sha256:[0-9a-f]{64}", digest) else ""


def renew(root: Path) -> list[str]:
    """Write the digest that each name has now; a sentence for each image that could not be asked for."""
    newest = {name: digest_of(name) for name in named_in(root)}
    for file in FILES:
        path = root / file
        text = path.read_text(encoding="utf-8")
        path.write_text(
            _IMAGE.sub(
                lambda match: f"{match['name']}@{newest[match['name']]}" if newest[match["name"]] else match[0], text
            ),
            encoding="utf-8",
        )
    return [
        f"{name}: Docker gets no digest from its registry, or is not here to be asked."
        for name, digest in newest.items()
        if not digest
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """0 if every image has a digest that its registry answers for, else 1."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.images", description="Look after the images of deploy/.")
    parser.add_argument("--renew", action="store_true", help="write the digest that each image has now")
    sentences = renew(ROOT) if parser.parse_args(arguments).renew else not_there(ROOT)
    print("\n".join(sentences) or "Every image is there.")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
