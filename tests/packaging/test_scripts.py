#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/package and scripts/check-packages, as far as they come without a build or another system; and that
check_installed.sh tells what does not work.

    test_scripts.py SOURCE_DIR
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop())


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def tools(self, *names, user=0):
        """A PATH with these alone, and an `id` that tells this user."""
        where = self.folder / "tools"
        where.mkdir()
        for name in ("sh", "dirname", "sed", "readlink", *names):
            (where / name).symlink_to(shutil.which(name))
        (where / "id").write_text(f"#!/bin/sh\necho {user}\n")
        (where / "id").chmod(0o755)
        return str(where)

    def said(self, status, *words, path=os.environ["PATH"]):
        """What a script says, which ends with this status and leaves nothing in the folder."""
        there = set(self.folder.iterdir())
        result = subprocess.run(words, cwd=self.folder, capture_output=True, text=True,
                                env={**os.environ, "PATH": path, "TMPDIR": str(self.folder)})
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        self.assertEqual(set(self.folder.iterdir()), there)
        return result.stderr if status else result.stdout

    def test_usage(self):
        package, check = SOURCE / "scripts/package", SOURCE / "scripts/check-packages"
        for words in ([package, "rpm"], [package, "deb", "--gpu"], [package, "tarball", "--cuda"], [check], [check, "--gpu", "sid"],
                      [check, "--packages"], [check, "a", "b", "c"]):
            self.assertTrue(self.said(2, *words).startswith(f"usage: scripts/{Path(words[0]).name} "), words)
        for words in ([check, "--packages", "no-folder", "sid"], [check, "--tarball", "no-file", "sid"], [check, "./no-folder"]):
            self.assertIn("there is no such f", self.said(2, *words))
        self.assertIn("--cuda ", self.said(0, package, "--help"))
        self.assertIn("--tarball FILE ", self.said(0, check, "--help"))

    def test_check_packages_needs_root(self):
        self.assertIn("needs root", self.said(1, SOURCE / "scripts/check-packages", "bookworm", path=self.tools(user=1000)))

    def test_check_packages_needs_debootstrap(self):
        self.assertIn("there is no debootstrap", self.said(1, SOURCE / "scripts/check-packages", "bookworm", path=self.tools()))

    def test_package_needs_the_tools_of_debian(self):
        path = self.tools()
        self.assertIn("apt-get install dpkg-dev", self.said(1, SOURCE / "scripts/package", path=path))
        self.assertIn("there is no dpkg-query", self.said(1, SOURCE / "scripts/package", "tarball", path=path))

    def test_what_does_not_work_is_told(self):
        check = SOURCE / "tests/packaging/check_installed.sh"
        self.assertIn("there is no part 'progams'", self.said(2, check, "/usr", "progams"))
        result = subprocess.run([check, self.folder, "programs"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("FAILED  ionwell --version", result.stdout)


if __name__ == "__main__":
    unittest.main()
