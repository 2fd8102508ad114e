"""What pyproject.toml cannot say: the files of data/samples are part of the package, as anonlib/samples/files."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["anonlib*"]), "anonlib.samples.files"],
    package_dir={"anonlib.samples.files": "data/samples"},
    package_data={"anonlib.samples.files": ["*"]},
)
