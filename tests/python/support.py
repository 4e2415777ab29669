"""What the tests of the Python package share."""
import importlib
import os
import subprocess
import unittest
import warnings
from pathlib import Path

import ionwell

SOURCE = Path(__file__).resolve().parents[2]
DUPLEX = SOURCE / "examples/nucleic_acid/duplex.pqr"
PROGRAM = os.environ.get("IONWELL_PROGRAM", SOURCE / "build/ionwell")  # as built


def run_program(*words):
    subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def imported(name):
    """A package that need not be there; the test is skipped without it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        raise unittest.SkipTest(f"there is no {name} here")


class IonwellTest(unittest.TestCase):
    def fails(self, kind, parts, function, *arguments, **keywords):
        """That it raises `kind`, no subclass of it, with all of `parts` in its message; gives the exception."""
        with self.assertRaises(kind) as raised:
            function(*arguments, **keywords)
        self.assertIs(type(raised.exception), kind)
        for part in [parts] if isinstance(parts, str) else parts:
            self.assertIn(part, str(raised.exception))
        return raised.exception


def resident_bytes():
    """Memory of this process; the test is skipped where there is no /proc."""
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except FileNotFoundError:
        raise unittest.SkipTest("there is no /proc here")


def small_structure():
    """Three charges in a row: milliseconds."""
    return ionwell.Structure([[0, 0, 0], [4, 0, 0], [8, 0, 0]], [-1, -1, -1])


def main():
    """Runs the tests of the script; ends with 77, which CTest knows, when none failed and some were skipped."""
    program = unittest.main(exit=False, verbosity=2)
    if not program.result.wasSuccessful():
        raise SystemExit(1)
    for test, reason in program.result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    raise SystemExit(77 if program.result.skipped else 0)
