#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""That the runner of pages fails where a page is wrong, and lets pass what may differ."""
import gzip
import os
import sys
import tempfile
import unittest
from pathlib import Path

from pages import Page, missing
from run_page import Failure, Runner, same_output

PROGRAMS = Path(sys.argv.pop(1)).parent if len(sys.argv) > 1 else Path("build")


def run(text, wanted=()):
    before = os.getcwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.md"
        path.write_text(text)
        try:
            return Runner(PROGRAMS, Path(folder), frozenset(wanted)).run(Page(path))
        finally:
            os.chdir(before[0])
            os.environ.clear()
            os.environ.update(before[1])


def console(*lines):
    return "```console\n" + "\n".join(lines) + "\n```\n"


class Runs(unittest.TestCase):
    def test_what_is_right_passes(self):
        self.assertEqual(run(console("$ echo one; echo two", "one", "two", "$ true")), 1)
        self.assertEqual(run(console("$ printf 'a\\nb\\nc\\n'", "a", "...", "c")), 1)
        self.assertEqual(run("```sh\nx=1\ntest $x = 1\n```\n```python\ny = 2\n```\n```pycon\n>>> y\n2\n```\n"), 3)
        self.assertEqual(run(console("$ cat <<END", "> a", "> END", "a")), 1)

    def test_what_is_wrong_fails(self):
        for text in (console("$ false"), console("$ echo one", "two"), console("$ printf 'a\\nb\\n'", "a"),
                     console("$ echo", "a", "..."), "```sh\nfalse\ntrue\n```\n", "```sh\nfalse | true\n```\n",
                     "```python\nraise KeyError\n```\n", "```pycon\n>>> 1\n2\n```\n", console("$ ionwell no-such-command"),
                     console("$ echo '1.25 A'", "1.21 A"), console("$ echo '18 ions'", "19 ions")):
            with self.assertRaises(Failure, msg=text):
                run(text)

    def test_codes_of_failures(self):
        self.assertEqual(run("<!-- fails: 2 -->\n" + console("$ exit 2")), 1)
        for text in (console("$ true"), console("$ exit 1"), console("$ exit 2", "$ exit 2")):
            with self.assertRaises(Failure):
                run("<!-- fails: 2 -->\n" + text)

    def test_what_is_not_wanted_is_not_run(self):
        self.assertEqual(run("<!-- needs: gmx -->\n" + console("$ false")), 0)
        with self.assertRaises(Failure):
            run("<!-- needs: gmx -->\n" + console("$ false"), ["gmx"])

    def test_entries_of_the_shared_data_are_at_hand(self):
        text = "<!-- needs: entry.none -->\n" + console("$ cat none.pdb", "END")
        with tempfile.TemporaryDirectory() as data:
            os.environ["IONWELL_SHARED_DATA"] = data
            try:
                self.assertIn("there is no", missing("entry.none"))
                os.mkdir(os.path.join(data, "entries"))
                with gzip.open(os.path.join(data, "entries/none.pdb.gz"), "wt") as file:
                    file.write("END\n")
                self.assertEqual(missing("entry.none"), "")
                self.assertEqual(run(text, ["entry.none"]), 1)
            finally:
                del os.environ["IONWELL_SHARED_DATA"]

    def test_what_may_differ(self):
        for shown, printed in (("time            0.10 s: read 0.00", "time            3.25 s: read 0.01"),
                               ("by ionwell 0.1.0 around x", "by ionwell 0.2.0 around x"), ("a  1.25", "a 1.26"),
                               ("method          direct", "method          multilevel sum"),
                               ("computed on     2 CPU threads", "computed on     16 CPU threads with avx512 instructions")):
            self.assertTrue(same_output([shown], [printed]), shown)
        for shown, printed in (("a 1.25", "a 1.28"), ("a 1.25", "b 1.25"), ("a 12", "a 13"), ("x", "")):
            self.assertFalse(same_output([shown], [printed]), shown)


if __name__ == "__main__":
    unittest.main()
