#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page of measurements is what its rows say, the rows name benchmarks that exist, and ionwell-bench writes such rows.

    test_benchmarks.py SOURCE_DIR IONWELL_BENCH
"""
import csv
import importlib.machinery
import importlib.util
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv.pop()
SOURCE = Path(sys.argv.pop())


def script(name):
    """The names in a script that makes a page."""
    loader = importlib.machinery.SourceFileLoader(name, str(SOURCE / "examples/docs" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


make, entries = script("make-benchmarks"), script("make-entries")
BENCHMARKS = set(re.findall(r'Benchmark\{"([a-z-]+)"', (SOURCE / "apps/bench/main.cpp").read_text()))
ROW = dict(table="cores", what="a sum", result="1 s", commit="1234567", machine="a processor", command="ionwell-bench direct", status="ok")
PAGE = "# Page\n\n<!-- table cores -->\n<!-- end -->\n\nText.\n"


class Page(unittest.TestCase):
    def test_is_made_of_the_rows(self):
        text = make.PAGE.read_text()
        self.assertEqual(make.made_page(text, make.read_rows()), text, "run examples/docs/make-benchmarks")

    def test_has_no_table_of_results_by_hand(self):
        outside = make.TABLE.sub("", make.PAGE.read_text())
        self.assertNotRegex(outside, r"(?m)^\|")

    def test_a_failed_row_stays(self):
        made = make.made_page(PAGE, [ROW, dict(ROW, result="", status="failed: no | memory")])
        self.assertIn("| a sum | 1 s | `1234567`; a processor; `ionwell-bench direct` |\n", made)
        self.assertIn(r"| a sum | **failed: no \| memory** |", made)
        made = make.made_page(PAGE, [dict(ROW, result="a\nb\n", status="failed: no memory")])
        self.assertIn("**failed: no memory** a sum (`1234567`; a processor; `ionwell-bench direct`):\n\n```text\na\nb\n```\n", made)
        self.assertEqual(make.made_page(made, [ROW]), make.made_page(PAGE, [ROW]))

    def test_rows_that_cannot_be_shown_are_refused(self):
        for row, part in [(dict(ROW, table="none"), "has no table none"), (dict(ROW, what="a | b"), "cannot be a cell")]:
            with self.assertRaisesRegex(make.RowError, part):
                make.made_page(PAGE, [row])
        for text, part in [("what,result\n", "its first line"), (",".join(make.COLUMNS) + "\ncores,a,b,,d,e,ok\n", "has no commit")]:
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
                file.write(text)
                file.flush()
                with self.assertRaisesRegex(make.RowError, part):
                    make.read_rows(file.name)


class Entries(unittest.TestCase):
    ROW = dict.fromkeys(entries.COLUMNS, "") | dict(entry="1abc.pdb", engine="amber", status="runs", charge_e="-3", disulfides="2",
                                                    longest_bond_A="2.04", commit="1234567")

    def test_the_page_is_made_of_the_rows(self):
        text = entries.PAGE.read_text()
        self.assertEqual(entries.made_page(text, entries.read_rows(entries.ROWS.read_text())), text, "run examples/docs/make-entries")

    def test_how_an_entry_runs(self):
        for change, shown in [({}, "-3 e, 2 S-S, 2.04 A"), (dict(charge_e="-0", disulfides="0"), "+0 e, 2.04 A"),
                              (dict(options="--replace-nonstandard --ignore '(additive)'"), "RI: -3 e, 2 S-S, 2.04 A"),
                              (dict(status="refused", message="no ADE"), "refused"),
                              (dict(status="FAILED", message="LEaP: a | b"), r"**failed: LEaP: a \| b**")]:
            self.assertEqual(entries.cell(self.ROW | change), shown)
        self.assertEqual(entries.cell(None), "-")

    def test_a_new_row_takes_the_place_of_the_old_one(self):
        printed = ["\t".join([self.ROW[c] or "0" for c in entries.COLUMNS[:-1]]) + "\n"]
        rows = entries.taken([self.ROW, self.ROW | dict(engine="charmm")], printed, "7654321")
        self.assertEqual([(row["engine"], row["commit"]) for row in rows], [("charmm", "1234567"), ("amber", "7654321")])
        self.assertEqual(entries.read_rows(entries.written(rows))[0]["entry"], "1abc.pdb")


class Rows(unittest.TestCase):
    def test_say_how(self):
        rows = make.read_rows()
        self.assertGreater(len(rows), 60)
        for number, row in enumerate(rows, 1):
            with self.subTest(number):
                self.assertRegex(row["commit"], r"\b[0-9a-f]{7,}|^not recorded$|^not an ionwell run$")
                self.assertRegex(row["status"], r"^(ok|failed: .+)$")
                for name in re.findall(r"ionwell-bench (?:--csv \S+ )?([a-z-]+)", row["command"]):
                    self.assertIn(name, BENCHMARKS)

    def test_names_of_benchmarks_are_found(self):
        self.assertLessEqual({"direct", "gpu", "pb"}, BENCHMARKS)


class Program(unittest.TestCase):
    def run_bench(self, *words):
        return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)

    def test_appends_a_row_for_each_run(self):
        duplex = SOURCE / "examples/nucleic_acid/duplex.pqr"
        with tempfile.TemporaryDirectory() as folder:
            rows = Path(folder) / "rows.csv"
            done = self.run_bench("--csv", rows, "read", duplex, "--repeats", 1)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            failed = self.run_bench("--csv", rows, "read", "no such file.pqr")
            self.assertEqual(failed.returncode, 1)
            self.assertEqual(self.run_bench("--csv", rows, "read", "--help").returncode, 0)
            self.assertEqual(self.run_bench("--csv", rows, "raed").returncode, 2)
            first, second = make.read_rows(rows)
            self.assertEqual(first["result"], done.stdout)
            self.assertIn("atoms/s", first["result"])
            self.assertEqual((first["table"], first["what"], first["status"]), ("printed", "read", "ok"))
            self.assertEqual(first["command"], f"ionwell-bench read {duplex} --repeats 1")
            self.assertRegex(first["machine"], r".+, \d+ threads?$")
            self.assertRegex(first["commit"], r"^([0-9a-f]{8,}(-dirty)?|not recorded)$")
            self.assertEqual(second["command"], "ionwell-bench read 'no such file.pqr'")
            self.assertRegex(second["status"], "^failed: .*no such file.pqr")
            with open(rows, newline="") as file:
                self.assertEqual(next(csv.reader(file)), make.COLUMNS)

    def test_refuses_what_it_cannot_append_to(self):
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder) / "other.csv"
            other.write_text("a,b\n")
            refused = self.run_bench("--csv", other, "read", "a.pqr")
            self.assertEqual(refused.returncode, 1)
            self.assertIn("its first line is not", refused.stderr)
            self.assertEqual(other.read_text(), "a,b\n")
            refused = self.run_bench("--csv", other)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--csv needs a file and a benchmark", refused.stderr)


if __name__ == "__main__":
    unittest.main()
