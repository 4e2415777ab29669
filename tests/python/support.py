# SPDX-License-Identifier: BSD-3-Clause
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
# Two nucleotides in a simulation's cell, and the water of their force field.
TOPOLOGY = """\
[ moleculetype ]
RNA 3
[ atoms ]
 1 P   1 G P   1 -0.9 30.97
 2 O2  1 G OP1 1 -0.7 16.0
 3 C   2 U C1' 2  0.1 12.01
 4 P   2 U P   2 -1.5 30.97
[ bonds ]
 1 2
 2 3
 3 4
[ moleculetype ]
SOL 2
[ atoms ]
 1 OW 1 SOL OW  1 -0.834 16.0
 2 HW 1 SOL HW1 1  0.417 1.008
 3 HW 1 SOL HW2 1  0.417 1.008
[ system ]
two nucleotides
[ molecules ]
RNA 1
"""
COORDINATES = """\
two nucleotides
    4
    1G        P    1   0.100   0.200   0.300
    1G      OP1    2   0.150   0.320   0.301
    2U      C1'    3   0.700   0.210   0.300
    2U        P    4   1.103   0.250   0.450
   5.00000   5.00000   5.00000
"""
PROGRAM = os.environ.get("IONWELL_PROGRAM", SOURCE / "build/ionwell")  # as built


def run_program(*words):
    subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def files_in(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def gromacs_files(folder):
    """The paths of a topology and its coordinates, which it writes there."""
    paths = Path(folder) / "rna.top", Path(folder) / "rna.gro"
    for path, text in zip(paths, [TOPOLOGY, COORDINATES]):
        path.write_text(text)
    return paths


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
