"""The build enforces the module graph: what a module does not declare it cannot
include, and what lies above it, it cannot declare.

Run by CTest with the source folder, the build folder and cmake."""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD, CMAKE = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

# Decide a score from plain values: no file, process, network or device.
PURE_MODULES = ("base", "stats", "record", "source_check", "html", "report")
IMPURE_MODULES = {"os", "jail", "device", "wire", "store", "lane"}
# All that may share an address space with foreign code.
CANDIDATE_MODULES = {"base", "record", "os", "wire", "device", "provenance", "candidate"}

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(graph LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH {cmake_folder})
set(CMAKE_CXX_STANDARD 20)
set(BUILD_TESTING OFF)
add_library(kb_settings INTERFACE)
include(Module)
add_subdirectory(low)
add_subdirectory(middle)
add_subdirectory(top)
"""


def run(*command):
    return subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class FakeGraph:
    """Three modules, lowest first: low, middle (uses low), top (uses neither,
    unless told)."""

    def __init__(self, folder):
        self.folder = Path(folder)
        text = PROJECT.format(cmake_folder=SOURCE / "cmake")
        self.write("CMakeLists.txt", text)
        for name, dependencies in {
            "low": "",
            "middle": "PUBLIC_DEPS low",
            "top": "",
        }.items():
            self.write(
                f"{name}/CMakeLists.txt", f"kb_module({name} {dependencies})\n"
            )
            self.write(
                f"{name}/include/{name}/{name}.h",
                f"#pragma once\nint {name.title()}();\n",
            )
            self.write(f"{name}/hidden.h", "#pragma once\n")
            self.write(f"{name}/{name}.cc", f'#include "{name}/{name}.h"\n')

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def configure(self):
        return run(
            *(CMAKE, "-G", "Ninja", "-S", self.folder),
            *("-B", self.folder / "build"),
            "-DCMAKE_CXX_COMPILER_LAUNCHER=",
        )

    def build(self, target):
        return run(CMAKE, "--build", self.folder / "build", "--target", target)


class ModuleFunction(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=BUILD)
        self.addCleanup(folder.cleanup)
        self.graph = FakeGraph(folder.name)

    def expect_missing(self, header, done):
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{header}: No such file or directory", done.stdout)

    def test_only_declared_public_headers_can_be_included(self):
        self.assertEqual(self.graph.configure().returncode, 0)

        self.graph.write("middle/middle.cc", '#include "low/low.h"\n')
        done = self.graph.build("middle")
        self.assertEqual(done.returncode, 0, done.stdout)

        self.graph.write("top/top.cc", '#include "low/low.h"\n')
        self.expect_missing("low/low.h", self.graph.build("top"))

        self.graph.write("low/low.cc", '#include "middle/middle.h"\n')
        self.expect_missing("middle/middle.h", self.graph.build("low"))
        self.graph.write("low/low.cc", '#include "low/low.h"\n')

        # Private, although its module is declared. Every module has a hidden.h
        # of its own, so that of another one is reached through its folder only.
        self.graph.write("middle/middle.cc", '#include "low/hidden.h"\n')
        self.expect_missing("low/hidden.h", self.graph.build("middle"))

    def test_dependency_on_a_module_above_is_refused_at_configure(self):
        self.graph.write("low/CMakeLists.txt", "kb_module(low DEPS middle)\n")
        done = self.graph.configure()
        self.assertNotEqual(done.returncode, 0)
        said = re.sub(r"\s+", " ", done.stdout)
        self.assertIn("low may not depend on middle: src/CMakeLists.txt", said)


def declared_modules(module):
    """What kb_module() in this module's CMakeLists.txt declares."""
    text = (SOURCE / "src" / module / "CMakeLists.txt").read_text()
    words = re.search(r"kb_module\(([^)]*)\)", text)[1].split()
    found, reading = set(), False
    for word in words[1:]:
        if word.isupper():
            reading = word in ("PUBLIC_DEPS", "DEPS")
        elif reading:
            found.add(word)
    return found


class ThisRepository(unittest.TestCase):
    def compile_in(self, module, text):
        """Compiles `text` as if it were a source of `module`."""
        commands = json.loads((BUILD / "compile_commands.json").read_text())
        made = f"/{module}.dir/"  # not of its tests
        entry = next(entry for entry in commands if made in entry["command"])
        words = shlex.split(entry["command"])
        flags = [
            word for word in words if re.match(r"-(I|isystem|D|std)", word)
        ]
        with tempfile.NamedTemporaryFile("w", suffix=".cc") as file:
            file.write(text)
            file.flush()
            return run(words[0], *flags, "-fsyntax-only", file.name)

    def test_verify_does_not_see_store(self):
        self.assertTrue((SOURCE / "src/store/include/store/store.h").exists())
        done = self.compile_in("verify", '#include "record/policy.h"\n')
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.compile_in("verify", '#include "store/store.h"\n')
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("store/store.h: No such file", done.stdout)

    def test_pure_modules_touch_nothing_outside(self):
        for module in PURE_MODULES:
            with self.subTest(module):
                self.assertFalse(declared_modules(module) & IMPURE_MODULES)

    def test_what_runs_foreign_code_contains_nothing_that_judges(self):
        for target in ("kernelbench-candidate", "kb_candidate_host"):
            with self.subTest(target):
                done = run("ninja", "-C", BUILD, "-t", "inputs", target)
                linked = set(
                    re.findall(r"libkb_(?!third_party_)(\w+)\.a", done.stdout)
                )
                self.assertIn("candidate", linked, done.stdout)
                self.assertEqual(linked - CANDIDATE_MODULES, set())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
