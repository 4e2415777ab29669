#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every command of ionwell on small inputs, with each of its formats and engines, and compares what it writes with what
is stored: where text is stored with a difference that can be read, elsewhere by digests.

    golden.py PROGRAM [CASE ...]       names of cases as in cases.py; all of them where none is given
    golden.py --update PROGRAM         stores what PROGRAM writes, as what is expected from now on

    --threads N, --simd WORD           compute so; the results are the same
    --keep DIR                         leave the files of the runs in DIR, a new folder

The program cionize lies beside PROGRAM. Expectations are files in `expected`, and digests and statistics in `digests.json`.
"""
import argparse
import concurrent.futures
import difflib
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the files beside this one are run from the source tree

from cases import CASES
from inputs import make_inputs
from lasting import lasting

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
EXPECTED, DIGESTS = os.path.join(HERE, "expected"), os.path.join(HERE, "digests.json")
READ_BY_PEOPLE = ("leap.in", "psfgen.tcl", "run.py", "cell.py", "cell.namd", "view.tcl", "topol.top", ".txt")
LONGEST_KEPT = 12_000  # characters; of longer texts, as of other files, there is the digest
WITH_SIMD = ("average", "map", "place", "potential", "prepare", "sample")
TOLERANCE = 2e-4  # of a map's values, by its largest: single precision, and five digits of them kept


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--simd")
    parser.add_argument("--keep")
    given = parser.parse_intermixed_args()
    given.program = os.path.abspath(given.program)
    for name in given.cases:
        if name not in CASES:
            parser.error(f"there is no case {name}; cases.py has {', '.join(CASES)}")
    if given.update and given.cases:
        parser.error("--update stores all cases; name none")
    return given


def run_command(given, words, folder):
    """Exit code and all that was printed."""
    program = given.program
    if words[0] == "cionize":
        program = os.path.join(os.path.dirname(program), words.pop(0))
    elif given.simd and words[0] in WITH_SIMD:
        words += ["--tune", "simd=" + given.simd]
    environment = {**os.environ, "OMP_NUM_THREADS": given.threads, "CUDA_VISIBLE_DEVICES": "", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([program, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    return f"exit code {done.returncode}\n{done.stdout.decode()}--- standard error\n{done.stderr.decode()}"


def run_case(given, name, inputs, root, replaced):
    """{name of a file: (text, numbers)} of all that the commands wrote and printed."""
    folder = os.path.join(root, name)
    os.mkdir(folder)
    for entry in os.listdir(inputs):
        os.symlink(os.path.join(inputs, entry), os.path.join(folder, entry))
    for number, command in enumerate(CASES[name], 1):
        with open(os.path.join(folder, f"{number}.txt"), "w", encoding="utf-8") as out:
            out.write(f"{command}\n{run_command(given, shlex.split(command), folder)}")
    found = {}
    for below, _, files in os.walk(folder):
        for file in sorted(files):
            path = os.path.join(below, file)
            if os.path.islink(path):
                continue
            with open(path, "rb") as opened:
                data = opened.read()
            relative = os.path.relpath(path, folder)
            found[relative] = lasting(relative, data, replaced, is_exact=not name.startswith("potential"))
    return found


def run_all(given, root):
    inputs = os.path.join(root, "inputs")
    os.mkdir(inputs)
    make_inputs(SOURCE, inputs)
    version = subprocess.run([given.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1].rstrip(",")
    replaced = [(root, "FOLDER"), (f"ionwell {version}", "ionwell VERSION")]
    names = given.cases or list(CASES)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda name: run_case(given, name, inputs, root, replaced), names)
        return dict(zip(names, results))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def store(results):
    shutil.rmtree(EXPECTED, ignore_errors=True)
    digests = {}
    for case, files in results.items():
        digests[case] = {}
        for file, (text, numbers) in sorted(files.items()):
            digests[case][file] = [digest(text), *numbers]
            if file.endswith(READ_BY_PEOPLE) and len(text) < LONGEST_KEPT:
                path = os.path.join(EXPECTED, case, file)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text)
    rows = [f" {json.dumps(case)}: {{\n" + ",\n".join(f"  {json.dumps(file)}: {json.dumps(kept)}" for file, kept in files.items()) + "}"
            for case, files in digests.items()]
    with open(DIGESTS, "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(rows) + "\n}\n")


def differs(numbers, expected):
    largest = max((abs(x) for x in expected), default=0.0)
    return len(numbers) != len(expected) or any(not abs(a - b) <= TOLERANCE * largest for a, b in zip(numbers, expected))


def difference(case, file, text, numbers, expected):
    """What is to be said of one file; nothing where it is as expected."""
    if expected[0] == digest(text):
        return f"{case}/{file}: values are {numbers}, expected {expected[1:]}" if differs(numbers, expected[1:]) else ""
    lines, path = [], os.path.join(EXPECTED, case, file)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stored:
            lines = list(difflib.unified_diff(stored.read().splitlines(), text.splitlines(), f"expected/{case}/{file}",
                                              f"{case}/{file}", lineterm=""))
    return "\n".join(lines) or f"{case}/{file}: the digest is {digest(text)}, expected {expected[0]}"


def compare(results):
    with open(DIGESTS, encoding="utf-8") as stored:
        expected = json.load(stored)
    found = []
    for case, files in results.items():
        kept = expected.get(case, {})
        found += [f"{case}/{file}: was not written" for file in kept if file not in files]
        found += [f"{case}/{file}: is not expected; golden.py --update stores it" for file in files if file not in kept]
        found += [difference(case, file, *files[file], kept[file]) for file in files if file in kept]
    return [text for text in found if text]


def run_in_folder(given):
    root = os.path.realpath(given.keep or tempfile.mkdtemp(prefix="ionwell-golden-"))
    if given.keep:
        os.makedirs(root)
    try:
        return run_all(given, root)
    finally:
        if not given.keep:
            shutil.rmtree(root)


def report(results):
    """Prints what differs; whether anything does."""
    differences = compare(results)
    for text in differences:
        print(text)
    print(f"{sum(len(files) for files in results.values())} files of {len(results)} cases, {len(differences)} differ")
    return bool(differences)


def update(given):
    """Stores the results, once they are the same with all instruction sets that there are."""
    store(run_in_folder(given))
    given.keep, given.threads, failed = None, "2", False
    with open("/proc/cpuinfo", encoding="ascii") as info:
        has = info.read()
    for given.simd in ("baseline", *(["avx2"] if "avx2" in has else []), *(["avx512"] if "avx512f" in has else [])):
        print(f"two threads, {given.simd}: ", end="")
        failed |= report(run_in_folder(given))
    if failed:
        print("results depend on threads or vector instructions: a bug, or a number that is rounded either way; then change the case")
    return failed


def main():
    given = arguments()
    sys.exit(update(given) if given.update else report(run_in_folder(given)))


if __name__ == "__main__":
    main()
