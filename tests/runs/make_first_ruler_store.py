"""Writes a store as kernelbench 0.1 with store version 2 left it: two samples that
the first ruler timed, one fast and one slow.

    python make_first_ruler_store.py OUT.db
"""
import hashlib
import sqlite3
import sys
from pathlib import Path

OUT = Path(sys.argv[1])
SCHEMAS = Path(__file__).resolve().parents[2] / "src/store"
APPLICATION_ID = 0x4B427374

for suffix in ("", "-wal", "-shm"):
    Path(f"{OUT}{suffix}").unlink(missing_ok=True)
store = sqlite3.connect(OUT)
for schema in ("schema.sql", "schema_2.sql"):
    store.executescript((SCHEMAS / schema).read_text())


def add(table, **values):
    marks = ", ".join("?" * len(values))
    store.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})",
                  list(values.values()))


def keep(text):
    digest = hashlib.sha256(text).hexdigest()
    add("blobs", hash=digest, bytes=text)
    return digest


policy, source, log = map(keep, (b'{"name": "kernelbench"}', b"// kept\n", b""))
for row, (problem, speedup) in enumerate([("level1/19", 2.0), ("level1/23", 0.5)], 1):
    add("evaluations", id=row, problem_id=problem, problem_hash=f"hash of {problem}",
        candidate_name="loop.cpp", candidate_path="loop.cpp", candidate_hash="hash",
        track="native", backend="cpp", builds_extension=0, source_hash=source,
        size="full", precision="fp32", policy="kernelbench", policy_hash=policy,
        device="cpu", device_name="some cpu", driver="", torch="2.11.0", arch="x86-64",
        isolation="full", version="0.1.0", verdict="correct", reason="",
        log_hash=log, interpreted=0, atol=1e-4, rtol=1e-4, speedup=speedup,
        speedup_low=0.9 * speedup, speedup_high=1.1 * speedup, mismatch=None,
        compile_seconds=1, compile_cached=0, wall_seconds=2, started_at="")
    for position, timed in enumerate((0, 1, 1)):
        add("trials", evaluation=row, position=position, seed=position, timed=timed,
            reference_us=10 * speedup, claimed_us=10, copy_us=0, certified_us=160,
            stage_us=3, settle_us=4, overhead_us=5, in_band=timed)
    for side, median in (("reference", 10 * speedup), ("candidate", 10)):
        add("times", evaluation=row, side=side, count=2, median=median, mean=median,
            stddev=0, min=median, max=median, q25=median, q75=median)
store.execute("PRAGMA user_version = 2")
store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
store.commit()
