"""Our rules that no tool knows: each a function from a Source to complaints.

A complaint is (line number, text). RULES at the end is the list; each rule has
planted violations in tools/lint_canary/rules/.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

# Libraries that one module hides from all others, by how their headers start.
HIDDEN_LIBRARIES = (
    "CLI/",
    "curl/",
    "kainjow/",
    "nlohmann/",
    "openssl/",
    "seccomp.h",
    "sqlite3.h",
    "toml++/",
    "zlib.h",
)
# Unless these modules alone know it, for the reason given.
SHARED_LIBRARIES = {
    # All read files that people write and answer mistakes with the line; a
    # module between them and the library would only repeat its interface.
    "toml++/": {"llm", "problems", "prompt"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)')
# The tests' suites stand in for whole programs, so a test may be longer.
SOURCE_LINES, HEADER_LINES, MAIN_LINES = 800, 200, 100


@dataclass
class Source:
    path: Path
    lines: list[str]

    @property
    def code(self):
        """The lines without string contents and // comments."""
        for number, line in enumerate(self.lines, 1):
            line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
            yield number, re.sub(r"//.*", "", line)


def relative_include(source):
    """Would reach another module's private headers behind the build's back."""
    for number, line in enumerate(source.lines, 1):
        match = INCLUDE.match(line)
        if match and ".." in Path(match[1]).parts:
            yield number, (
                f'"{match[1]}" climbs out of its folder: include '
                '"module/header.h" and declare the module in CMakeLists.txt'
            )


def pragma_once(source):
    if source.path.suffix == ".h" and "#pragma once" not in source.lines:
        yield 1, "a header begins with #pragma once"


def file_length(source):
    limit = HEADER_LINES if source.path.suffix == ".h" else SOURCE_LINES
    if source.path.name == "main.cc" and "apps" in source.path.parts:
        limit = MAIN_LINES
    if len(source.lines) > limit:
        yield limit, (
            f"{len(source.lines)} lines, at most {limit}: split it by ideas"
        )


def raw_new_delete(source):
    """Every handle has an owner type (docs/style.md, rule 11). A new that goes
    straight into a unique_ptr is the way to a private constructor."""
    raw = re.compile(r"(?<![\w.])(new [A-Za-z_:]|delete(\[\])? +[a-z(*])")
    owned = re.compile(r"unique_ptr<.*\(new ")
    for number, line in source.code:
        comment = line.lstrip().startswith(("*", "/*"))
        if not comment and raw.search(line) and not owned.search(line):
            yield number, "no raw new or delete: std::make_unique or an owner"


def sole_destructor(source):
    """clang-tidy's special-member-functions, told to let interfaces have
    `virtual ~X() = default` alone, also lets `~X();` pass: the class that
    closes its handle twice when copied."""
    text = "\n".join(line for _, line in source.code)
    for number, line in source.code:
        match = re.search(r"(?<![\w:>.])~(\w+)\(\)(?!.*= default)", line)
        if not match or re.search(r"::~", line):
            continue
        name = match[1]
        if not re.search(rf"\b{name}\((const )?{name}&", text):
            yield number, f"~{name}() alone: delete or define copy and move"


def nolint_with_reason(source):
    pattern = re.compile(r"NOLINT(?!END)[A-Z]*(?!\([a-z][\w.,\- ]*\): \S)")
    for number, line in enumerate(source.lines, 1):
        if re.search(r"\bNOLINT", line) and pattern.search(line):
            yield number, "write NOLINT...(check-name): why it is wrong here"


def no_todo(source):
    for number, line in enumerate(source.lines, 1):
        if re.search(r"\b(TODO|FIXME|XXX)\b", line):
            yield number, "do it now or open an issue; sources say what is"


def one_module_per_library(sources):
    """A library that can be replaced is known to one module (rule over all)."""
    users = defaultdict(dict)
    for source in sources:
        if "src" not in source.path.parts:
            continue
        below = source.path.parts[source.path.parts.index("src") + 1 :]
        for number, line in enumerate(source.lines, 1):
            match = INCLUDE.match(line)
            for library in HIDDEN_LIBRARIES if match else ():
                if match[1].startswith(library):
                    users[library].setdefault(below[0], (source, number))
    for library, modules in users.items():
        shared = SHARED_LIBRARIES.get(library, set())
        if len(modules) > 1 and not set(modules) <= shared:
            source, number = modules[max(modules)]
            yield source, number, (
                f"{library} is included by {' and '.join(sorted(modules))}: "
                "one module hides it from the others"
            )


RULES = (
    relative_include,
    pragma_once,
    file_length,
    raw_new_delete,
    sole_destructor,
    nolint_with_reason,
    no_todo,
)
RULES_OVER_ALL = (one_module_per_library,)


def check(paths):
    """Yields "path:line: complaint [rule]" for the files `paths`."""
    sources = [Source(path, path.read_text().splitlines()) for path in paths]
    for source in sources:
        for rule in RULES:
            for number, text in rule(source):
                yield f"{source.path}:{number}: {text} [{rule.__name__}]"
    for rule in RULES_OVER_ALL:
        for source, number, text in rule(sources):
            yield f"{source.path}:{number}: {text} [{rule.__name__}]"
