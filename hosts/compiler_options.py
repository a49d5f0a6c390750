"""Which options of torch's extension builder a candidate may give, by allow-list.

Options decide what a compiler reads, runs and writes, and torch puts them into a
line of a shell. What is not listed here is refused with its name before anything
is compiled. The jail holds without this: a candidate is a program and can start a
compiler by itself. The list makes what is built predictable, and says what is wrong.

Grammar: GCC 14 manual, "Option Summary"; nvcc 13 manual, "Command Options".
"""

import functools
import inspect
import os
import re
import shlex
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

# Ends an option, starts a program or names a file, in a shell or for ninja.
SHELL = re.compile(r"[;&|`<>\n\r\0]|\$(?!\$?ORIGIN\b)")
ORIGIN = re.compile(r"\$?\$ORIGIN\b")

# Of g++: the name behind -f and -fno-. Not among them: plugins, profiles, dumps,
# another linker, a program that finds modules.
FEATURES = "|".join(
    """abi-version align-functions align-jumps align-labels align-loops aligned-new
    associative-math asynchronous-unwind-tables builtin char8_t common concepts
    constexpr-cache-depth constexpr-depth constexpr-loop-limit constexpr-ops-limit
    coroutines cx-limited-range data-sections delete-null-pointer-checks
    excess-precision exceptions fast-math finite-math-only fp-contract
    function-sections gcse gnu-unique graphite-identity inline
    inline-functions inline-limit inline-small-functions ipa-[a-z-]+
    ivopts loop-[a-z-]+ lto math-errno max-errors
    merge-all-constants merge-constants non-call-exceptions omit-frame-pointer openmp
    openmp-simd peel-loops permissive pic PIC pie PIE plt prefetch-loop-arrays
    reciprocal-math rename-registers rounding-math rtti schedule-insns2? section-anchors
    semantic-interposition short-enums signaling-nans signed-char signed-zeros
    sized-deallocation split-loops split-wide-types stack-protector
    stack-protector-strong strict-aliasing strict-overflow stringop-overflow
    template-backtrace-limit template-depth threadsafe-statics trapping-math trapv
    tree-[a-z-]+ unroll-all-loops unroll-loops unsafe-loop-optimizations unsafe-math-optimizations
    unsigned-char unswitch-loops unwind-tables use-linker-plugin vect-cost-model
    version-loops-for-strides visibility visibility-inlines-hidden web wrapv""".split()
)
WORD = r"[A-Za-z0-9_.+:-]+"
PLACE = r"[A-Za-z0-9_./+~:=,-]+"  # a folder, a macro with its value
LISTED = r"[A-Za-z0-9_.,=\[\]-]+"

HOST = (
    r"-O([0-3sgz]|fast)?|-m(32|64)",
    r"-std=(c|gnu)\+\+[0-9a-z]+",
    rf"-f(no-)?({FEATURES})(={WORD})?",
    rf"-m[a-z][A-Za-z0-9_-]*(={WORD})?",
    r"-W[a-z][a-z0-9+=-]*",
    r"-W",
    r"-w",
    r"-g[0-3]?|-ggdb[0-3]?|-gdwarf(-[2-5])?",
    r"-pthread|-pipe|-pedantic|-pedantic-errors|-ansi|-v",
    r"-D[A-Za-z_]\w*(\([\w, ]*\))?(=.*)?",
    r"-U[A-Za-z_]\w*",
    rf"-(I|isystem|iquote|idirafter){PLACE}",
)
# What stands behind -Wl, with the comma before each.
LINKER_WORDS = "|".join(
    (
        r"--(no-)?as-needed|--no-undefined|--(enable|disable)-new-dtags|--gc-sections",
        r"--(no-)?allow-shlib-undefined|--(start|end)-group|--(no-)?whole-archive|-O[0-3]",
        r"-Bsymbolic(-functions)?|-Bstatic|-Bdynamic|--strip-(all|debug)|-s|--build-id",
        r"-z,(now|lazy|relro|origin|defs|noexecstack)|--hash-style=(gnu|both|sysv)",
        r"--no-warn[a-z-]*|--exclude-libs[,=]ALL|--(push|pop)-state",
        r"-?-rpath(-link)?[,=][A-Za-z0-9_./+~:-]+",
    )
)
LINKER = (rf"({LINKER_WORDS})(,({LINKER_WORDS}))*",)
LINK = (
    rf"-Wl,({LINKER_WORDS})(,({LINKER_WORDS}))*",
    rf"-l{WORD}",
    rf"-L{PLACE}",
    r"-shared|-rdynamic|-s|-static-lib(gcc|stdc\+\+)|-fopenmp|-pthread|-no-pie",
    r"-flto(=auto|=[0-9]+)?|-O[0-3sg]?|-Wno-[a-z0-9+=-]+",
    r"[A-Za-z0-9_./+][A-Za-z0-9_./+-]*\.(so|a|o)(\.[0-9]+)*",
)
ASSEMBLER = (  # ptxas
    r"--?(v|verbose|w|disable-warnings|warn-[a-z-]+|suppress-[a-z-]+|preserve-relocs)",
    r"-?-?(O|opt-level=?)[0-4]",
    r"--?(d(lcm|scm)|def-(load|store)-cache)=[a-z]+",
    r"--?(allow-expensive-optimizations|a|fmad|device-debug|position-independent-code)=\w+",
    r"--?(maxrregcount|register-usage-level|r)=[0-9]+",
    r"--?Werror|--?lineinfo|--?generate-line-info",
)
CUDA = (
    r"-G|--device-debug|--?lineinfo|--generate-line-info",
    rf"--?(gpu-architecture|arch|gpu-code|code|generate-code|gencode)={LISTED}",
    rf"--?std=c\+\+[0-9]+",
    r"--?(use_fast_math|extra-device-vectorization|restrict|resource-usage|res-usage)",
    r"--?(expt-relaxed-constexpr|expt-extended-lambda|extended-lambda)",
    r"--?(allow-unsupported-compiler|no-compress|src-in-ptx|source-in-ptx)",
    r"--?(ftz|prec-div|prec-sqrt|fmad|dopt|relocatable-device-code|rdc)(=[a-z]+)",
    r"--?(maxrregcount|threads|t|split-compile|default-stream|cudart|optimize)=[a-z0-9-]+",
    r"-dlto|-lto|-dc|-m64|--?forward-unknown[a-z-]*|--disable-warnings|--verbose",
    r"--?(diag-suppress|diag-warn|diag-error|display-error-number|Werror)(=[a-z0-9,_-]+)?",
    r"--?no-(exceptions|device-link|host-device-[a-z-]+)",
)
FRONT_END = (r"--(diag_(suppress|warning|error)=\w+|display_error_number)",)
PACKER = (r"-?-(compress-all|compress-mode=\w+|compress=\w+)",)

# Options whose value is the next word, and what they are with it in one word.
SEPARATE = {
    **{name: name for name in ("-I", "-isystem", "-iquote", "-idirafter", "-D", "-U")},
    **{name: name for name in ("-L", "-l")},
}
SEPARATE_CUDA = {
    name: name + "="
    for name in (
        *("-arch", "--gpu-architecture", "-code", "--gpu-code", "-gencode"),
        *("--generate-code", "-std", "--std", "-ftz", "--ftz", "-prec-div", "--prec-div"),
        *("-prec-sqrt", "--prec-sqrt", "-fmad", "--fmad", "-maxrregcount"),
        *("--maxrregcount", "-t", "--threads", "-cudart", "--cudart", "-rdc"),
        *("--default-stream", "-default-stream", "-diag-suppress", "--diag-suppress"),
        *("--split-compile", "-split-compile", "--dopt", "-dopt"),
    )
}
# Options of nvcc that hand others on, and who gets them.
HANDED_ON = {
    "-Xcompiler": HOST,
    "--compiler-options": HOST,
    "-Xptxas": ASSEMBLER,
    "--ptxas-options": ASSEMBLER,
    "-Xcudafe": FRONT_END,
    "--cudafe-options": FRONT_END,
    "-Xfatbin": PACKER,
    "--fatbin-options": PACKER,
    "-Xlinker": LINKER,
    "--linker-options": LINKER,
}

# Variables with which a compiler takes options or other programs.
PROGRAMS = {"CC": "gcc cc", "CXX": "g++ c++", "PYTORCH_NVCC": "nvcc"}
OPTIONS = {"NVCC_PREPEND_FLAGS": CUDA, "NVCC_APPEND_FLAGS": CUDA}
NEVER = ("COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_PRELOAD", "NVCC_CCBIN", "DEPENDENCIES_OUTPUT")
KNOWN = (*PROGRAMS, *OPTIONS, *NEVER)


class OptionRefused(ValueError):
    """A candidate gave its compiler an option that is not allowed."""


def fits(word: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns is the whole word."""
    return any(re.fullmatch(pattern, word) for pattern in patterns)


def joined(words: list[str], separate: dict[str, str]) -> list[str]:
    """Options with a value in the next word, as one word each."""
    made = []
    rest = iter(words)
    for word in rest:
        value = next(rest, "") if word in separate or word in HANDED_ON else None
        # A compiler reads @file before it reads anything else.
        if value is not None and value.startswith("@"):
            return [value]
        if value is not None:
            word = separate[word] + value if word in separate else f"{word}={value}"
        made.append(word)
    return made


def bad_word(words: list[str], patterns: Iterable[str], cuda: bool) -> str | None:
    """The first word that is not allowed."""
    separate = {**SEPARATE, **SEPARATE_CUDA} if cuda else SEPARATE
    for word in joined(words, separate):
        name, _, values = word.partition("=")
        if cuda and name in HANDED_ON:
            whole = HANDED_ON[name] is LINKER
            inner = [values] if whole else shlex.split(values.replace(",", " "))
            if not all(fits(part, HANDED_ON[name]) for part in joined(inner, SEPARATE)):
                return word
        elif not fits(word, patterns):
            return word
    return None


def bad_option(options: Iterable[str], patterns: Iterable[str], cuda: bool = False) -> str | None:
    """The first option that is not allowed, of what torch writes behind one another."""
    words: list[str] = []
    for option in options:
        if SHELL.search(option):
            return option
        try:
            words += shlex.split(ORIGIN.sub("ORIGIN", option))
        except ValueError:  # a quotation without end
            return option
    return bad_word(words, patterns, cuda)


def listed(value: Any) -> list[str]:
    """An argument of the builder as a list of texts."""
    if value is None:
        return []
    return [str(item) for item in ([value] if isinstance(value, (str, os.PathLike)) else value)]


def check_call(arguments: dict[str, Any]) -> None:
    """Raises OptionRefused for what `load` or `load_inline` must not be called with."""
    kinds = (
        ("extra_cflags", HOST, False),
        ("extra_cuda_cflags", HOST + CUDA + LINK[:3], True),
        ("extra_sycl_cflags", HOST, False),
        ("extra_ldflags", LINK, False),
    )
    for name, patterns, cuda in kinds:
        bad = bad_option(listed(arguments.get(name)), patterns, cuda)
        if bad is not None:
            raise OptionRefused(f"{name}: the option {bad!r} is not allowed")
    for path in listed(arguments.get("extra_include_paths")):
        if not re.fullmatch(PLACE, path) or path.startswith("-"):
            raise OptionRefused(f"extra_include_paths: {path!r} is not allowed")
    name = str(arguments.get("name"))
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise OptionRefused(f"name: {name!r} is not allowed; it must be letters, digits and '_'")
    for path in [*listed(arguments.get("sources")), *listed(arguments.get("build_directory"))]:
        if not re.fullmatch(PLACE, path) or path.startswith("-"):
            raise OptionRefused(f"the path {path!r} is not allowed")


def check_environment(before: dict[str, str | None]) -> None:
    """Raises OptionRefused when a variable steers the compilers otherwise than before."""
    for name, value in before.items():
        now = os.environ.get(name)
        if now == value or now is None:
            continue
        if name in PROGRAMS and now in PROGRAMS[name].split():
            continue
        if name in OPTIONS and bad_option([now], HOST + OPTIONS[name], cuda=True) is None:
            continue
        raise OptionRefused(f"the environment's {name}={now!r} is not allowed")


def guard(builder: ModuleType) -> None:
    """Makes `load` and `load_inline` of torch's builder refuse what is not allowed."""
    before = {name: os.environ.get(name) for name in KNOWN}

    def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            check_environment(before)
            check_call(signature.bind(*args, **kwargs).arguments)
            return function(*args, **kwargs)

        return call

    for name in ("load", "load_inline"):
        setattr(builder, name, guarded(getattr(builder, name)))
