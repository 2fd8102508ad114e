"""Connected data: tables that stay where they are, offered by the person who runs Anonscope, and opened by the officer.

The files of a folder are opened by DuckDB in place (:func:`tables_in`), tables of databases by connections that the
administrator defines (:func:`tables_defined`). Nobody types a path, an address or a query in the browser.
"""

from anonlib.reading.connected.defined import tables_defined
from anonlib.reading.connected.folder import FolderListing, tables_in
from anonlib.reading.connected.offered import Offered, OpenedTable

__all__ = ["FolderListing", "Offered", "OpenedTable", "tables_defined", "tables_in"]
