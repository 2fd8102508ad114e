"""Bytes or tables in, records out."""
