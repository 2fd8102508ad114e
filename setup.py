"""What pyproject.toml cannot say: which requirements are the app's, and which files are part of the package."""

from pathlib import Path

from setuptools import find_packages, setup


def named(part: str) -> list[str]:
    """The requirements of a part of requirements.txt."""
    return [line for line in part.splitlines() if line and not line.startswith("#")]


library, app = Path(__file__).with_name("requirements.txt").read_text(encoding="utf-8").split("# ---- The app")

setup(
    install_requires=named(library),
    extras_require={"app": named(app.partition("\n")[2])},
    packages=[*find_packages(include=["anonlib*"]), "anonlib.reading.samples.files"],
    package_dir={"anonlib.reading.samples.files": "data/samples"},
    package_data={
        "anonlib.reading.samples.files": ["*"],
        "anonlib.columns.codes": ["tables/*"],
        "anonlib.columns.free_text": ["words/*"],
        "anonlib.filing.languages": ["*.po"],
        "anonlib.filing.report": ["templates/*"],
    },
)
