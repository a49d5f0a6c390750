"""What kernelbench needs of data sets: Parquet files, and the Hub's data sets as a folder.

    datasets.py read FILE.parquet ROWS.jsonl
    datasets.py write ROWS.jsonl COLUMNS.json FILE.parquet
    datasets.py fetch OWNER/NAME

Parquet goes through DuckDB's Python package: the interpreter's own, or the one that scripts/setup
put into lib/duckdb. `fetch` prints the folder. Exit code 4: a package is missing.
"""

import json
import os
import sys
from pathlib import Path

MISSING_PACKAGE = 4
# Only tables: data sets also hold what is no problem.
TABLES = ["*.parquet", "*.jsonl"]


def quoted(text: str) -> str:
    """As an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def run_sql(statement: str) -> None:
    """In a database of its own in memory; no extension is fetched."""
    sys.path.append(str(Path(__file__).parent.parent / "lib/duckdb"))
    import duckdb

    settings = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "preserve_insertion_order": "true",
    }
    with duckdb.connect(":memory:", config=settings) as connection:
        connection.execute(statement)


def read(parquet: str, lines: str) -> None:
    """Rows as JSON objects, one a line."""
    rows = f"SELECT * FROM read_parquet({quoted(parquet)})"
    run_sql(f"COPY ({rows}) TO {quoted(lines)} (FORMAT json)")


def write(lines: str, columns: str, parquet: str) -> None:
    """The other way. COLUMNS.json: {"name": "VARCHAR", ...}, as types are not guessed."""
    types = json.loads(Path(columns).read_text(encoding="utf-8"))
    typed = ", ".join(f"{quoted(name)}: {quoted(kind)}" for name, kind in types.items())
    largest = max(1 << 24, 2 * os.path.getsize(lines))
    rows = (
        f"SELECT * FROM read_json({quoted(lines)}, format = 'newline_delimited', "
        f"columns = {{{typed}}}, maximum_object_size = {largest})"
    )
    run_sql(f"COPY ({rows}) TO {quoted(parquet)} (FORMAT parquet, COMPRESSION zstd)")


def fetch(name: str) -> None:
    """What is in the cache is not fetched again."""
    os.environ.setdefault("HF_HUB_ETAG_TIMEOUT", "15")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    from huggingface_hub import snapshot_download

    print(snapshot_download(name, repo_type="dataset", allow_patterns=TABLES))


def main() -> int:
    """The error's last line says what is wrong."""
    command, *arguments = sys.argv[1:]
    try:
        {"read": read, "write": write, "fetch": fetch}[command](*arguments)
    except ModuleNotFoundError as error:
        print(error.name, file=sys.stderr)
        return MISSING_PACKAGE
    except Exception as error:
        first = str(error).strip().split("\n")[0]
        print(f"{first or type(error).__name__}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
