"""Runs of the original KernelBench, imported and exported: part of original_test.py."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from checks import Checks

KERNEL = "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    pass\n"
LOOP = """// problem: level1/{number}
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {{
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = {value};
  return 0;
}}
"""


def entry(sample: int, **changes: object) -> dict[str, Any]:
    """A correct sample as the original writes it."""
    metadata = {"hardware": "NVIDIA H100 PCIe", "device": "cuda:0"}
    found = {"sample_id": sample, "compiled": True, "correctness": True, "metadata": metadata}
    return found | {"runtime": 2.0, "runtime_stats": {"mean": 2.0}} | changes


def write_run(folder: Path, results: dict[str, list[dict[str, Any]]], level: int = 1) -> None:
    """With a kernel of each sample."""
    folder.mkdir(parents=True)
    (folder / "eval_results.json").write_text(json.dumps(results))
    for problem, entries in results.items():
        for each in entries:
            name = f"level_{level}_problem_{problem}_sample_{each['sample_id']}_kernel.py"
            (folder / name).write_text(KERNEL)


def rows(store: Path, columns: str, where: str = "1") -> list[tuple[Any, ...]]:
    """Of a store's evaluations, in order of problem and sample."""
    query = f"SELECT {columns} FROM evaluations WHERE {where} ORDER BY problem_id, sample"
    with sqlite3.connect(store) as connection:
        return connection.execute(query).fetchall()


def refused(checks: Checks, what: str, words: list[str], *said: str) -> None:
    """A usage error that says all of it."""
    done = checks.run("import", *words)
    found = (done.returncode, [each for each in said if each not in done.stderr])
    checks.expect(f"{what}: {done.stderr}", found, (2, []))


def imported(checks: Checks) -> None:
    """Numbers of samples, models, what has no baseline, and a second time."""
    results = {"3": [entry(2), entry(5)], "4": [entry(0)]}
    write_run(checks.folder / "runs/gpt", results)
    write_run(checks.folder / "runs/other", results)
    times = {"level1": {"3_Three.py": {"mean": 4.0}, "4_Four.py": None}}
    (checks.folder / "times.json").write_text(json.dumps(times))
    words = ["--level", "1", "--store", "o.db"]
    done = checks.run("import", "runs/gpt/", *words, "--baseline", "times.json")
    said = "1 of the 3 correct ones have no baseline in times.json" in done.stdout
    checks.expect(f"import: {done}", (done.returncode, said), (0, True))
    store = checks.folder / "o.db"
    columns = "problem_id, sample, model"
    wanted = [("level1/3", 2, "gpt"), ("level1/3", 5, "gpt"), ("level1/4", 0, "gpt")]
    checks.expect("samples", rows(store, columns, "verdict = 'correct'"), wanted)
    refused(checks, "the same again", ["runs/gpt", *words], "o.db has", '"gpt"', "--model")
    checks.expect("what is there then", len(rows(store, "1")), 101)
    for more in (["runs/other"], ["runs/gpt", "--model", "again"]):
        done = checks.run("import", *more, *words)
        checks.expect(f"another model: {done.stderr}", done.returncode, 0)
        checks.expect("without --baseline", "3 of the 3 correct ones" in done.stdout, True)
    models = {model for (model,) in rows(store, "model")}
    checks.expect("models", models, {"gpt", "other", "again"})
    checks.run("export", "o.db", "--out", "out")
    for model in models:
        text = (checks.folder / f"out/runs/o_{model}_level1/eval_results.json").read_text()
        numbers = [each["sample_id"] for each in json.loads(text)["3"]]
        checks.expect(f"numbers of {model}", numbers, [2, 5])


def other_levels(checks: Checks) -> None:
    """Are told from kernels and from problems."""
    write_run(checks.folder / "runs/second", {"9": [entry(0)]}, level=2)
    words = ["--store", "levels.db", "--level"]
    refused(checks, "kernels", ["runs/second", *words, "1"], "level_2_problem_9", "--level")
    write_run(checks.folder / "runs/many", {"70": [entry(0)]}, level=3)
    refused(checks, "problems", ["runs/many", *words, "3"], "problem 70", "level3", "--level")
    checks.expect("second", checks.run("import", "runs/second", *words, "2").returncode, 0)
    secret = checks.folder / "secret.py"
    secret.write_text("# not of the run")
    (checks.folder / "runs/second/level_2_problem_9_sample_0_kernel.py").unlink(missing_ok=True)
    (checks.folder / "runs/second/level_2_problem_9_sample_0_kernel.py").symlink_to(secret)
    linked = ["runs/second", "--store", "linked.db", "--level", "2"]
    refused(checks, "symbolic link", linked, "symbolic link", "level_2_problem_9_sample_0_kernel.py")


def exported(checks: Checks) -> None:
    """A run of ours: baselines, sources, what does not load, and back again."""
    answers = checks.folder / "answers"
    (answers / "a").mkdir(parents=True)
    good = LOOP.format(number=19, value="x[i] < 0.0f ? 0.0f : x[i]")
    for name in ("better.cpp", "good.cpp"):
        (answers / name).write_text(good)
    (answers / "bad.cpp").write_text(LOOP.format(number=20, value="1.0f"))
    (answers / "none.py").write_text("# problem: level1/20\nimport no_such_module\n")
    asked = f"Write it like this:\n```cpp\n{good}```\n"
    (answers / "a/level_1_problem_19_sample_0_prompt.txt").write_text(asked)
    two = ["--problem", "level1/19,level1/20", "--device", "cpu", "--trials", "3"]
    done = checks.run("run", "--model", "replay:answers", *two, "--samples", "2", "--store", "r.db")
    store = checks.folder / "r.db"
    found = sorted(verdict for (verdict,) in rows(store, "verdict"))
    wanted = ["correct", "correct", "incorrect", "load_error"]
    checks.expect(f"verdicts: {done.stderr}", found, wanted)
    names = [name for (name,) in rows(store, "candidate_name", "problem_id = 'level1/19'")]
    checks.expect("answers", [Path(name).name for name in names], ["better.cpp", "good.cpp"])

    baselines = Path("results/timing/this/baseline_time_torch.json")
    for out, known in (("first", {"19"}), ("second", {"19", "20"})):
        done = checks.run("export", "r.db", "--out", out)
        times = json.loads((checks.folder / out / baselines).read_text())["level1"]
        checks.expect(f"baselines in {out}", {name.split("_")[0] for name in times}, known)
        said = f"no time of {100 - len(known)} of the 100 problems of level1"
        checks.expect(f"{said}: {done.stderr}", said in done.stderr, True)
        checks.run("baseline", *two, "--mode", "eager", "--store", "r.db")

    run = checks.folder / "first/runs/r_level1"
    text = (run / "eval_results.json").read_text()
    compiled = sorted(each["compiled"] for each in json.loads(text)["20"])
    checks.expect("what does not load", compiled, [False, True])
    done = checks.run("import", str(run), "--store", "back.db")
    back = checks.folder / "back.db"
    columns = "problem_id, sample, model, verdict, candidate_hash"
    checks.expect(f"back: {done.stderr}", rows(back, columns), rows(store, columns))


def judged_again(checks: Checks) -> None:
    """What exported() left, when the original has judged it."""
    run = checks.folder / "first/runs/r_level1"
    text = (run / "eval_results.json").read_text()
    judged = json.loads(text)
    judged["19"][0] = entry(0, correctness=False, runtime=-1.0)
    (run / "eval_results.json").write_text(json.dumps(judged))
    changed = [str(run), "--store", "changed.db"]
    refused(checks, "judged again", changed, "problem 19", "remove kernelbench.json")
    (run / "kernelbench.json").unlink()
    done = checks.run("import", *changed, "--level", "1")
    checks.expect(f"without it: {done.stderr}", done.returncode, 0)
    found = rows(checks.folder / "changed.db", "verdict, model", "problem_id = 'level1/19'")
    checks.expect("its verdict", found, [("incorrect", "r_level1"), ("correct", "r_level1")])


def check(checks: Checks) -> None:
    """All of it."""
    imported(checks)
    other_levels(checks)
    exported(checks)
    judged_again(checks)
