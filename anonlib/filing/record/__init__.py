"""The record of a released data set: what a health data catalogue asks for, a data dictionary, a mock-up sample."""

from anonlib.filing.record.record import record_files, record_zip, what_lacks, why_no_record

__all__ = ["record_files", "record_zip", "what_lacks", "why_no_record"]
