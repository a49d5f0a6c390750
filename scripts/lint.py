"""Checks all our sources: format, our own rules, Python and shell syntax, that
each public header compiles alone, and clang-tidy. Exit code 1 when one fails.
Needs a configured build/release, for the compile commands."""

import argparse
import ast
import subprocess
import sys
import time
from pathlib import Path

import deploy_rules
import source_rules
import tidy

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/release"
CPP_FOLDERS = ("apps", "share/include", "src", "tests", "tools")
PYTHON_FOLDERS = ("bench", "hosts", "python", "scripts", "tests", "tools")
# Planted violations; tools/lint_canary/check.py looks at them.
CANARIES = ROOT / "tools/lint_canary"
# Problems of other people, broken ones among them.
PACKS = ROOT / "tests/packs"


def files(folders, *suffixes):
    found = []
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                found.append(path)
    return found


def cpp_files():
    return files(CPP_FOLDERS, ".cc", ".h")


def ours(path):
    """Whether our rules hold there: not in canaries, and not in the interface
    for candidates, which is C."""
    return CANARIES not in path.parents and "share" not in path.parts


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


def check_format():
    paths = cpp_files()
    command = ["clang-format-19", "--dry-run", "-Werror", *paths]
    first_of_file = {}
    for line in "".join(output_of(command)).splitlines():
        place, found, _ = line.partition(": error: code should be")
        if found:
            first_of_file.setdefault(place.split(":")[0], place)
    return [
        f"{place}: not in our format (`make format` corrects it)"
        for place in first_of_file.values()
    ], len(paths)


def check_rules():
    paths = [path for path in cpp_files() if ours(path)]
    return list(source_rules.check(paths)), len(paths)


def check_python():
    paths, complaints = files(PYTHON_FOLDERS, ".py"), []
    paths = [path for path in paths if PACKS not in path.parents]
    for path in paths:
        try:
            # The oldest Python that hosts PyTorch code for us.
            ast.parse(path.read_text(), path, feature_version=(3, 10))
        except SyntaxError as error:
            complaints.append(f"{path}:{error.lineno}: {error.msg}")
    return complaints, len(paths)


def check_shell():
    candidates = [ROOT / ".ci/run", *(ROOT / "scripts").iterdir()]
    paths = [
        path
        for path in candidates
        if path.is_file()
        and path.read_bytes().splitlines()[:1] == [b"#!/usr/bin/env bash"]
    ]
    return output_of(["shellcheck", *paths]), len(paths)


def check_deploy():
    return deploy_rules.check(ROOT)


def check_headers():
    headers = files(["src"], ".h")
    target = "all_verify_interface_header_sets"
    return output_of(["ninja", "-C", BUILD, "-k0", target]), len(headers)


def compiled_sources():
    return files(["src", "apps"], ".cc")


def check_tidy(sources=None):
    if not (BUILD / "compile_commands.json").exists():
        return ["no build/release: run `make build` first"], 0
    sources = compiled_sources() if sources is None else sources
    return tidy.Tidy(ROOT, BUILD, ROOT / "build/lint").check(sources)


def paths_of(*arguments):
    """What a command of git prints, as paths; None when it fails."""
    done = subprocess.run(
        ["git", *arguments, "-z"], capture_output=True, text=True, cwd=ROOT
    )
    if done.returncode != 0:
        return None
    return {ROOT / name for name in done.stdout.split("\0") if name}


def check_changed():
    """clang-tidy over the sources that the last commit, or work that is not
    committed yet, has touched, or whose header of the same name it has."""
    committed = paths_of("diff", "--name-only", "HEAD~1")
    written = paths_of("ls-files", "--others", "--exclude-standard")
    if committed is None or written is None:
        return [], 0  # no history: a tarball, or a clone of one commit
    touched = committed | written
    headers = {path.stem for path in touched if path.suffix == ".h"}
    return check_tidy(
        [
            path
            for path in compiled_sources()
            if path in touched or path.stem in headers
        ]
    )


STEPS = {
    "format": check_format,
    "rules": check_rules,
    "python": check_python,
    "shell": check_shell,
    "deploy": check_deploy,
    "headers": check_headers,
    "tidy": check_tidy,
    "changed": check_changed,
}
# What `make lint` runs: all of it.
WHOLE = [name for name in STEPS if name != "changed"]


def run_step(name):
    start = time.monotonic()
    complaints, number = STEPS[name]()
    passed = True
    for complaint in complaints:
        print(complaint, flush=True)
        passed = False
    verdict = "passed" if passed else "FAILED"
    seconds = time.monotonic() - start
    print(
        f"lint: {name:8}{verdict}  {number} files {seconds:6.1f} s", flush=True
    )
    return passed


def main():
    parser = argparse.ArgumentParser(prog="scripts/lint", description=__doc__)
    parser.add_argument(
        "--format",
        action="store_true",
        help="rewrite C++ sources in the one format, and check nothing",
    )
    parser.add_argument(
        "steps",
        nargs="*",
        metavar="STEP",
        help=f"what to check: {', '.join(STEPS)}; changed is tidy over what the "
        "last commit touched (default: all others)",
    )
    arguments = parser.parse_args()
    unknown = set(arguments.steps) - set(STEPS)
    if unknown:
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    if arguments.format:
        subprocess.run(["clang-format-19", "-i", *cpp_files()], check=True)
        return 0
    passed = [run_step(name) for name in arguments.steps or WHOLE]
    return 0 if all(passed) else 1


sys.exit(main())
