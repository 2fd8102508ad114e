"""The version of Anonscope, as a saved recipe names it."""

VERSION = "0.2.0"
