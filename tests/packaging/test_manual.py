#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and the completion of shells, as the programs print them.

    test_manual.py IONWELL CIONIZE
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CIONIZE = sys.argv.pop()
IONWELL = sys.argv.pop()


def printed(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


COMMANDS = re.findall(r"^  ([a-z]+)  ", printed(IONWELL, "--help"), re.MULTILINE)


def options_of(help_text):
    return re.findall(r"^  (?:-., )?(--[a-zA-Z0-9-]+)", help_text, re.MULTILINE)


class ManPages(unittest.TestCase):
    def pages(self):
        """(name, page, help) of each."""
        yield "ionwell", printed(IONWELL, "help", "--man"), printed(IONWELL, "--help")
        yield "cionize", printed(CIONIZE, "--man"), printed(CIONIZE, "--help-all")
        yield "tune", printed(IONWELL, "help", "--man", "tune"), ""
        yield "chemistry", printed(IONWELL, "help", "--man", "chemistry"), ""
        for command in COMMANDS:
            yield command, printed(IONWELL, "help", "--man", command), printed(IONWELL, command, "--help-all")

    def test_each_option_and_command_is_in_its_page(self):
        self.assertIn("place", COMMANDS)
        for name, page, help_text in self.pages():
            plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
            for option in options_of(help_text):
                self.assertRegex(plain, rf"\n(-., )?{option}( |\n)", f"{name} {option}")
        for command in COMMANDS:
            self.assertIn(f"ionwell\\-{command}\\fR(1)", printed(IONWELL, "help", "--man"))

    def test_keys_of_tune_have_a_page(self):
        page = printed(IONWELL, "help", "--man", "tune").replace("\\-", "-")
        keys = re.findall(r"^  ([a-z-]+)(?:=|  )", printed(IONWELL, "help", "tune"), re.MULTILINE)
        self.assertIn("msm-basis", keys)
        for key in keys:
            self.assertRegex(page, rf"\n\\fB{key}\\fR")
        self.assertIn("\n.TH IONWELL-TUNE 1", "\n" + page)
        self.assertNotIn("--help", page)

    def test_man_reads_them_without_a_warning(self):
        if not shutil.which("groff"):
            self.skipTest("there is no groff here")
        for name, page, _ in self.pages():
            result = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True)
            warnings = [line for line in result.stderr.splitlines() if "can't break line" not in line and
                        "cannot break line" not in line and "cannot adjust line" not in line]
            self.assertEqual((result.returncode, warnings), (0, []), name)
            self.assertIn("DESCRIPTION", re.sub(".\x08", "", result.stdout))  # bold: each letter twice

    def test_what_makes_no_sense(self):
        for words, message in (([IONWELL, "help", "--man", "plcae"], "did you mean 'place'?"),
                               ([IONWELL, "completion"], "SHELL is missing; usage: ionwell completion bash|zsh|fish"),
                               ([IONWELL, "completion", "tcsh"], "SHELL is 'tcsh'; it must be one of bash, zsh, fish"),
                               ([CIONIZE, "--completion"], "--completion needs the name of a shell"),
                               ([CIONIZE, "--completion", "tcsh"], "the shell is 'tcsh'")):
            result = subprocess.run(words, capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(message, result.stderr)


class Completion(unittest.TestCase):
    def completed(self, program, *words):
        """What bash proposes for the last word."""
        with tempfile.TemporaryDirectory() as folder:
            script = printed(IONWELL, "completion", "bash") if program == "ionwell" else printed(
                CIONIZE, "--completion", "bash")
            Path(folder, "script").write_text(script)
            Path(folder, "my structure.pqr").touch()
            Path(folder, "maps").mkdir()
            run = (f"source ./script; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _{program}; "
                   "printf '%s\\n' \"${COMPREPLY[@]}\"")
            result = subprocess.run(["bash", "-c", run, "bash", program, *words], cwd=folder, capture_output=True,
                                    text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return result.stdout.split("\n")[:-1]

    def setUp(self):
        self.assertIsNotNone(shutil.which("bash"))

    def test_commands_and_options(self):
        self.assertEqual(self.completed("ionwell", "pl"), ["place"])
        self.assertEqual(sorted(self.completed("ionwell", "")), sorted([*COMMANDS, "help"]))
        for command in COMMANDS:
            proposed = self.completed("ionwell", command, "--")
            for option in options_of(printed(IONWELL, command, "--help-all")):
                self.assertIn(option, proposed)
        self.assertEqual(self.completed("ionwell", "place", "rna.pqr", "--spac"), ["--spacing"])
        self.assertEqual(self.completed("ionwell", "help", "sol"), ["solvate"])
        self.assertEqual(self.completed("cionize", "--mo"), ["--mode"])

    def test_words_of_options(self):
        self.assertEqual(self.completed("ionwell", "place", "--method", ""), ["auto", "direct", "msm"])
        self.assertEqual(self.completed("ionwell", "place", "--method", "=", "d"), ["direct"])
        self.assertEqual(self.completed("ionwell", "map", "--method", "="), ["auto", "direct", "msm"])
        self.assertEqual(self.completed("ionwell", "completion", "z"), ["zsh"])
        self.assertEqual(self.completed("cionize", "--backend", "g"), ["gpu"])

    def test_keys_of_tune(self):
        keys = self.completed("ionwell", "place", "--tune", "")
        self.assertIn("msm-cutoff=", keys)
        self.assertIn("no-refine", keys)
        self.assertIn("msm-basis=cubic", keys)
        self.assertEqual(self.completed("ionwell", "place", "--tune", "no-r"), ["no-refine"])
        self.assertEqual(self.completed("ionwell", "place", "--tune", "msm-basis", "=", "bspline"),
                         ["bspline4", "bspline6", "bspline8"])
        self.assertEqual(self.completed("ionwell", "place", "--tune", "=", "msm-basis", "=", "c"), ["cubic"])
        self.assertEqual(self.completed("ionwell", "place", "--tune", "simd", "="), ["auto", "baseline", "avx2", "avx512"])
        self.assertEqual(self.completed("ionwell", "place", "--tune", "pb-program", "=", "my"), ["my structure.pqr"])

    def test_files(self):
        self.assertEqual(self.completed("ionwell", "place", "my"), ["my structure.pqr"])
        self.assertEqual(self.completed("ionwell", "place", "-o", "my"), ["my structure.pqr"])
        self.assertEqual(self.completed("ionwell", "place", "--keep-pdb2pqr", "m"), ["maps"])
        self.assertEqual(self.completed("ionwell", "place", "--spacing", "m"), [""])
        self.assertEqual(self.completed("cionize", "-i", "my"), ["my structure.pqr"])

    def check_syntax(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"there is no {shell} here")
        for script in (printed(IONWELL, "completion", shell), printed(CIONIZE, "--completion", shell)):
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(script)
                file.flush()
                result = subprocess.run([shell, "-n", file.name], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("backend", script)

    def test_zsh_reads_it(self):
        self.check_syntax("zsh")

    def test_fish_reads_it(self):
        self.check_syntax("fish")

    def test_fish_proposes(self):
        if not shutil.which("fish"):
            self.skipTest("there is no fish here")
        with tempfile.NamedTemporaryFile("w", suffix=".fish") as file:
            file.write(printed(IONWELL, "completion", "fish"))
            file.flush()
            run = f"source {file.name}; complete -C 'ionwell pl'; complete -C 'ionwell place --method d'"
            result = subprocess.run(["fish", "--no-config", "-c", run], capture_output=True, text=True)
            self.assertEqual([line.split("\t")[0] for line in result.stdout.splitlines()], ["place", "direct"])


if __name__ == "__main__":
    unittest.main()
