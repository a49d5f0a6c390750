"""Options that candidates were seen to give are taken, those that do harm are not.

    compiler_options_test.py FOLDER_OF_HOSTS
"""

import os
import subprocess
import sys
import tempfile
from typing import Any

sys.path.insert(0, sys.argv[1])
import compiler_options  # noqa: E402

Call = dict[str, Any]

HONEST: list[Call] = [
    {"extra_cflags": ["-O3", "-march=native", "-ffast-math", "-fopenmp", "-Wno-unused"]},
    {"extra_cflags": "-O2 -std=c++17 -funroll-loops -fvisibility=hidden -DNDEBUG"},
    {"extra_cflags": ["-mavx2", "-mfma", "-mtune=native", "-D_GLIBCXX_USE_CXX11_ABI=1", "-g"]},
    {"extra_cuda_cflags": ["-O3", "--use_fast_math", "-lineinfo", "-std=c++17"]},
    {"extra_cuda_cflags": ["-arch=sm_90a", "-gencode", "arch=compute_90a,code=sm_90a"]},
    {"extra_cuda_cflags": ["-gencode=arch=compute_80,code=[sm_80,compute_80]", "-rdc=true"]},
    {"extra_cuda_cflags": ["-Xptxas", "-O3,-v", "--ptxas-options=-v", "-Xptxas=-dlcm=ca"]},
    {"extra_cuda_cflags": ["-Xptxas", "--warn-on-spills", "-Xptxas", '"-v -O3"']},
    {"extra_cuda_cflags": ["-Xcompiler", "-fPIC", "--compiler-options", "'-fPIC -fopenmp'"]},
    {"extra_cuda_cflags": ["--expt-relaxed-constexpr", "--expt-extended-lambda", "--ftz=true"]},
    {"extra_cuda_cflags": ["-U__CUDA_NO_HALF_OPERATORS__", "-DTILE=32", '-DNAME=\\"a\\"']},
    {"extra_cuda_cflags": ["-maxrregcount=64", "--threads", "4", "-fmad=false", "-diag-suppress=177"]},
    {"extra_cuda_cflags": ["-Xcudafe", "--diag_suppress=unrecognized_gcc_pragma", "-w"]},
    {"extra_cuda_cflags": ["-I/usr/local/cutlass-3.5/include", "-I", "include", "-lcublasLt"]},
    {"extra_ldflags": ["-lcublas", "-lcudnn -lcufft", "-lcuda", "-L/usr/local/cuda-12.4/lib64"]},
    {"extra_ldflags": ["-Wl,-rpath,/usr/lib/x86_64-linux-gnu", "-Wl,-rpath,$ORIGIN/lib"]},
    {"extra_ldflags": ["-Wl,--no-as-needed", "-Wl,-z,now", "-fopenmp", "/usr/lib/libgomp.so.1"]},
    {"extra_include_paths": ["/usr/local/ThunderKittens/include", "."]},
    {"sources": ["/tmp/torch_extensions/my-kernel/main.cpp"], "build_directory": "/tmp/build_1"},
]
HOSTILE: list[Call] = [
    {"extra_cflags": ["-fplugin=/tmp/plugin.so"]},
    {"extra_cflags": ["-O3 -fplugin=/tmp/plugin.so"]},
    {"extra_cflags": ["-fplugin-arg-a-b=c"]},
    {"extra_cflags": ["-wrapper", "/bin/true"]},
    {"extra_cflags": ["@/tmp/options"]},
    {"extra_cflags": ["-I", "@/tmp/options"]},
    {"extra_cflags": ["-O3; id"]},
    {"extra_cflags": ["-DX=$(id)"]},
    {"extra_cflags": ["-DX=`id`"]},
    {"extra_cflags": ["-O3\nid"]},
    {"extra_cflags": ["'-O3"]},
    {"extra_cflags": ["-B", "/tmp"]},
    {"extra_cflags": ["-B/tmp"]},
    {"extra_cflags": ["-specs=/tmp/specs"]},
    {"extra_cflags": ["-include", "/etc/passwd"]},
    {"extra_cflags": ["-fmodule-mapper=|id"]},
    {"extra_cflags": ["-fdump-tree-all=/tmp/dump"]},
    {"extra_cflags": ["-fprofile-use=/tmp/profile"]},
    {"extra_cflags": ["-save-temps"]},
    {"extra_cflags": ["-o", "/tmp/other"]},
    {"extra_cflags": ["/etc/passwd"]},
    {"extra_cflags": ["-Wa,-I/tmp"]},
    {"extra_cflags": ["-Wp,-MD,/tmp/x"]},
    {"extra_cuda_cflags": ["-ccbin", "/tmp/g++"]},
    {"extra_cuda_cflags": ["--compiler-bindir=/tmp"]},
    {"extra_cuda_cflags": ["-Xcompiler", "-fplugin=/tmp/plugin.so"]},
    {"extra_cuda_cflags": ["--compiler-options=-wrapper,/bin/true"]},
    {"extra_cuda_cflags": ["-Xcompiler", "-O3,@/tmp/options"]},
    {"extra_cuda_cflags": ["-optf", "/tmp/options"]},
    {"extra_cuda_cflags": ["-Xptxas", "-o=/tmp/other"]},
    {"extra_cuda_cflags": ["--keep", "--keep-dir=/tmp"]},
    {"extra_ldflags": ["-Wl,--wrap=memcmp"]},
    {"extra_ldflags": ["-Wl,-rpath,/tmp,-T,/tmp/script"]},
    {"extra_ldflags": ["-Wl,--version-script=/etc/passwd"]},
    {"extra_ldflags": ["-Wl,@/tmp/options"]},
    {"extra_ldflags": ["-fuse-ld=/tmp/ld"]},
    {"extra_ldflags": ["-T", "/tmp/script"]},
    {"extra_include_paths": ["/usr/include; id"]},
    {"extra_include_paths": ["-fplugin=/tmp/plugin.so"]},
    {"name": "x; id"},
    {"name": "../x"},
    {"sources": ["/tmp/a b.cpp"]},
    {"sources": ["-x"]},
]
# A variable, whether it may be set to that while a candidate is imported.
VARIABLES = (
    ("CXX", "g++", True),
    ("CXX", "/tmp/g++", False),
    ("CC", "ccache gcc", False),
    ("NVCC_APPEND_FLAGS", "-O3 --use_fast_math", True),
    ("NVCC_APPEND_FLAGS", "-ccbin /tmp/g++", False),
    ("LD_PRELOAD", "/tmp/preload.so", False),
    ("GCC_EXEC_PREFIX", "/tmp/", False),
    ("CUDA_HOME", "/usr/local/cuda", True),
)


def refused(call: Call) -> bool:
    """Whether torch's builder may not be called so."""
    try:
        compiler_options.check_call({"name": "kernel", **call})
    except compiler_options.OptionRefused:
        return True
    return False


def variable_refused(name: str, value: str) -> bool:
    """Whether a build is refused after the variable has been set."""
    before = {name: os.environ.get(name)} if name in compiler_options.KNOWN else {}
    os.environ[name] = value
    try:
        compiler_options.check_environment(before)
    except compiler_options.OptionRefused:
        return True
    finally:
        os.environ.pop(name)
        if before.get(name) is not None:
            os.environ[name] = str(before[name])
    return False


# As isolation reduced lets a program: it reads the files of ours, and lists no folder.
LISTS_NOTHING = """
import runpy, sys
folder, candidate = sys.argv[1:]
def refuse(event, arguments):
    if event in ("os.listdir", "os.scandir") and str(arguments[0]) == folder:
        raise PermissionError(folder)
sys.addaudithook(refuse)
sys.argv = [folder + "/build_host.py", candidate]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def builds_without_listing() -> bool:
    """Whether the host of builds finds what it needs then."""
    with tempfile.NamedTemporaryFile(suffix=".py") as candidate:
        folder = os.path.abspath(sys.argv[1])
        command = [sys.executable, "-I", "-c", LISTS_NOTHING, folder, candidate.name]
        return subprocess.run(command, check=False).returncode == 0


def main() -> int:
    wrong = [f"refused: {call}" for call in HONEST if refused(call)]
    wrong += [f"taken: {call}" for call in HOSTILE if not refused(call)]
    for name, value, may in VARIABLES:
        if variable_refused(name, value) == may:
            wrong.append(f"{name}={value} is {'refused' if may else 'taken'}")
    if not builds_without_listing():
        wrong.append("build_host.py lists the folder that it lies in")
    print("\n".join(wrong) or f"{len(HONEST)} honest and {len(HOSTILE)} hostile calls")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
