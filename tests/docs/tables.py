"""Whether docs/store.md shows the store's tables as src/store/schema*.sql make them, and its
queries can be asked."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from documents import Document, Finding

Columns = dict[str, str]  # name -> type

HEADING = re.compile(r"##+ `(\w+)`$")
ROW = re.compile(r"\| (`\w+`(?:, `\w+`)*) \| ([A-Z, ]+) \| (.+) \|$")
QUERY = re.compile(r'"(SELECT [^"]*)"')


def _version(schema: Path) -> int:
    number = schema.stem.rpartition("_")[2]
    return int(number) if number.isdigit() else 1


def _newest(root: Path) -> sqlite3.Connection:
    """A new store without rows, of all steps in their order."""
    database = sqlite3.connect(":memory:")
    for schema in sorted((root / "src/store").glob("schema*.sql"), key=_version):
        database.executescript(schema.read_text())
    return database


def _made(database: sqlite3.Connection) -> dict[str, Columns]:
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    columns = "SELECT name, type FROM pragma_table_info(?)"
    return {
        table: dict(database.execute(columns, (table,))) for (table,) in database.execute(tables)
    }


def _shown(document: Document) -> Iterator[tuple[int, str, str, str]]:
    """Line, table, column and type. A row has one type for all its columns, or one for each."""
    table = ""
    for number, line in enumerate(document.lines, 1):
        if heading := HEADING.match(line):
            table = heading[1]
            yield number, table, "", ""
        elif row := ROW.match(line):
            names = re.findall(r"\w+", row[1])
            types = row[2].split(", ")
            for name, kind in zip(names, types * len(names) if len(types) == 1 else types):
                yield number, table, name, kind


def check(document: Document, root: Path) -> Iterator[Finding]:
    """Tables, columns and types that differ, and queries that fail."""
    database = _newest(root)
    made = _made(database)
    missing = {table: dict(columns) for table, columns in made.items()}
    heading_of: dict[str, int] = {}
    for line, table, column, kind in _shown(document):
        if table not in made:
            yield line, f"no table {table!r} in the store"
        elif not column:
            heading_of[table] = line
        elif missing[table].pop(column, None) is None:
            yield line, f"table {table!r} has no column {column!r}, or it was shown before"
        elif made[table][column] != kind:
            yield line, f"column {column!r} is {made[table][column]}, not {kind}"
    for table, columns in missing.items():
        if table not in heading_of:
            yield 1, f"table {table!r} is not shown"
            continue
        for column in columns:
            yield heading_of[table], f"column {column!r} of {table!r} is not shown"
    for code in document.code:
        for query in QUERY.findall(code.text):
            try:
                database.execute(query)
            except sqlite3.Error as error:
                yield code.line, f"{query}: {error}"
