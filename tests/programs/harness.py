# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of this folder have in common: another program reads what ionwell wrote."""
import os
import sys


SKIPPED = 77  # the exit code that CTest and automake know


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def need(module):
    """Imports a module; the system's own Python has what Debian's packages bring."""
    try:
        __import__(module)
        return sys.modules[module]
    except ImportError:
        system = "/usr/bin/python3"
        if os.path.realpath(sys.executable) != os.path.realpath(system) and os.path.exists(system):
            os.execv(system, [system] + sys.argv)
        skip(f"there is no Python module {module} here")


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def check_vector(found, expected, tolerance, what):
    for f, e in zip(found, expected, strict=True):
        check(abs(f - e) <= tolerance, f"{what} is {tuple(found)} instead of {tuple(expected)}")
