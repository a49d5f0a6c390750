"""tools/changelog --check sees what is not as CHANGES/ makes it.

Run by CTest with the source folder."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHANGELOG = Path(sys.argv[1]).resolve() / "tools/changelog"


class Changelog(unittest.TestCase):
    """One release and two entries that wait for the next."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "CHANGES/next").mkdir(parents=True)
        self.write("CHANGES/README.md", "How to write them.\n")
        self.write("CHANGES/0.9.md", "### New\n\n- It began.\n")
        self.write("CHANGES/0.10.md", "### New\n\n- It went on.\n")
        self.write("CHANGES/next/b.md", "`b` was new.\n\nSay `--b`.\n")
        self.write("CHANGES/next/a.md", "`a` was new.\n")
        self.assertEqual(self.run_it(), (0, ""))

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def run_it(self, *options: str) -> tuple[int, str]:
        command = [sys.executable, str(CHANGELOG), *options, "--root", str(self.root)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout.replace(f"{self.root}/", "")

    def test_entries_stand_by_name_and_releases_from_the_newest(self) -> None:
        text = (self.root / "CHANGELOG.md").read_text()
        said = [line for line in text.splitlines() if line.startswith(("- ", "## ", "  "))]
        waiting = ["## Next", "- `a` was new.", "- `b` was new.", "  Say `--b`."]
        self.assertEqual(said, [*waiting, "## 0.10", "- It went on.", "## 0.9", "- It began."])
        self.assertEqual(self.run_it("--check"), (0, ""))

    def test_entry_that_is_not_in_the_file_is_found(self) -> None:
        self.write("CHANGES/next/c.md", "`c` was new.\n")
        said = "CHANGELOG.md:11: not what CHANGES/ makes: run tools/changelog\n"
        self.assertEqual(self.run_it("--check"), (1, said))

    def test_missing_file_is_found(self) -> None:
        (self.root / "CHANGELOG.md").unlink()
        self.assertEqual(self.run_it("--check")[0], 1)
        self.assertFalse((self.root / "CHANGELOG.md").exists())

    def test_entry_that_is_no_sentence_is_refused(self) -> None:
        for text in ("- `c` was new.\n", "# c\n", "\n"):
            with self.subTest(text):
                self.write("CHANGES/next/c.md", text)
                code, said = self.run_it()
                self.assertEqual(code, 1)
                self.assertIn("CHANGES/next/c.md:1: ", said)

    def test_release_is_named_after_a_version(self) -> None:
        self.write("CHANGES/soon.md", "### New\n\n- All.\n")
        self.assertEqual(self.run_it()[0], 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
