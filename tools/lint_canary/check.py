"""Proves that our lint rules fire: every file here that says "Fires RULE: TEXT"
in its first line must make RULE complain with TEXT, a file that says "Fires
nothing" must pass, and every rule must have such a file.

tidy/ is for .clang-tidy, rules/ for scripts/source_rules.py. Prints what does
not hold and returns 1 then."""

import fnmatch
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import source_rules  # noqa: E402  (found by the line above)

EXPECTATION = re.compile(r"^(?://|#) Fires (?:nothing|([\w-]+): (.+))")


def expectations(folder):
    """(file, rule or None, text or None) of each file with an expectation."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".cc", ".h"):
            match = EXPECTATION.match(path.read_text().partition("\n")[0])
            if match:
                yield path, match[1], match[2]


def tidy_output(path):
    done = subprocess.run(
        ["clang-tidy-19", "-quiet", path, "--", "-std=c++20", "-Wno-everything", "-Wthread-safety"],
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1):
        return f"clang-tidy ended with {done.returncode}: {done.stderr}"
    return done.stdout


def rules_output(path):
    """A rule over all files sees all those of the same name."""
    alike = sorted((HERE / "rules").rglob(path.name))
    return "\n".join(source_rules.check(alike))


def complaint(path, rule, text, output):
    """What is wrong with the output for this file, or None."""
    name = path.relative_to(HERE)
    if rule is None:
        return f"{name}: must pass, but:\n{output}" if output.strip() else None
    # The rule's name stands in brackets at the end of what it says.
    fired = re.compile(rf"{re.escape(text)}.*\[{rule}[,\]]")
    if not fired.search(output):
        return f"{name}: {rule} does not say '{text}', but:\n{output}"
    return None


def tidy_rules():
    config = (ROOT / ".clang-tidy").read_text()
    listed = re.search(r"^Checks: >\n((?:  .+\n)+)", config, re.MULTILINE)[1]
    names = [name.strip() for name in listed.split(",")]
    return [name for name in names if not name.startswith("-")]


def naming_options():
    """ "identifier-naming" has a rule per option; each wants its own canary."""
    config = (ROOT / ".clang-tidy").read_text()
    found = re.findall(
        r"identifier-naming\.(\w+?)(?:Case|Prefix|Suffix):", config
    )
    return sorted(set(found))


def main():
    tidy = list(expectations(HERE / "tidy"))
    rules = list(expectations(HERE / "rules"))
    failures = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outputs = pool.map(tidy_output, [path for path, _, _ in tidy])
        for expectation, output in zip(tidy, outputs):
            failures.append(complaint(*expectation, output))
    for path, rule, text in rules:
        failures.append(complaint(path, rule, text, rules_output(path)))

    fired = [rule for _, rule, _ in tidy if rule]
    for rule in tidy_rules():
        if not fnmatch.filter(fired, rule):
            failures.append(f".clang-tidy: {rule} has no canary in tidy/")
    texts = "".join(
        text.replace(" ", "").lower() for _, _, text in tidy if text
    )
    for option in naming_options():
        if f"for{option.lower()}'" not in texts:
            failures.append(f".clang-tidy: naming.{option} has no canary")
    for rule in source_rules.RULES + source_rules.RULES_OVER_ALL:
        if rule.__name__ not in [name for _, name, _ in rules]:
            failures.append(f"source_rules.py: {rule.__name__} has no canary")

    failures = [failure for failure in failures if failure]
    for failure in failures:
        print(failure)
    print(f"{len(tidy) + len(rules)} canaries, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
