#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the blocks of a page in their order, in a folder of their own, and compares what they print with what is shown.

    run_page.py PROGRAM_FOLDER PAGE [NEED ...]    blocks that need nothing, or those that need some of these and nothing else
    run_page.py --list                            each page and set of needs, a line each, for CMake

A `console` block has commands behind `$ ` and what they print; a line `...` stands for any number of lines. Times, versions
and the rows of processor, method and memory are not compared, numbers with a decimal point to one unit of their last digit. Ends with
77 where what a block needs is not there.
"""
import contextlib
import doctest
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import sample_files
from pages import FOLDER, SOURCE, Page, PageError, all_pages, code_of, entry_file, missing

LIMIT_S = 120
SYSTEM = "/usr/bin/python3"
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?(?![\w.])")
PROGRESS = re.compile(r"\d+ %, (about )?\d+:\d\d left$")


class Failure(Exception):
    """What a block did that it should not."""


def masked(line):
    """A line without what differs from run to run and from machine to machine."""
    for row in ("time", "computed on", "memory", "method"):  # a faster machine may take another way to the same
        if re.match(row + r"\s", line.strip()):
            return row
    line = re.sub(r"\bionwell \d+\.\d+\.\d+\S*", "ionwell VERSION", line)
    line = re.sub(r"\b\d+(\.\d+)? (s|ms|seconds|minutes)\b", "TIME", line)
    line = re.sub(r"\b\d+(\.\d+)? (million a second|frames/s)", "SPEED", line)
    return " ".join(line.split())


def same_line(shown, printed, words_only=False):
    shown, printed = masked(shown), masked(printed)
    if shown == printed:
        return True
    if words_only:
        return re.sub(r"[-\d.,]+", "#", shown) == re.sub(r"[-\d.,]+", "#", printed)
    if NUMBER.sub("#", shown) != NUMBER.sub("#", printed):
        return False
    for one, other in zip(NUMBER.findall(shown), NUMBER.findall(printed)):
        digits = len(one.split(".")[1].split("e")[0])
        scale = 10.0 ** int(re.split("[eE]", one)[1]) if re.search("[eE]", one) else 1.0
        if abs(float(one) - float(other)) > 1.01 * scale * 10.0**-digits:
            return False
    return True


def same_output(shown, printed, words_only=False):
    """Whether the printed lines are those shown, `...` standing for any number of them."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(same_output(shown[1:], printed[n:], words_only) for n in range(len(printed) + 1))
    return bool(printed) and same_line(shown[0], printed[0], words_only) and same_output(shown[1:], printed[1:], words_only)


def commands_of(block):
    """(command, lines of output) of a console block."""
    found, open_command = [], False
    for line in block.lines:
        if open_command or line.startswith("> ") and found and not found[-1][1]:  # as the shell asks for more
            found[-1][0] += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            found.append([line[2:], []])
        elif not found:
            raise PageError(f"{block.where}: a block of console begins with '$ ' and a command")
        else:
            found[-1][1].append(line)
        open_command = line.endswith("\\") and (open_command or line.startswith("$ "))
    return found


class Runner:
    def __init__(self, programs, scratch, wanted):
        self.scratch, self.wanted = scratch, wanted
        self.names = {"__name__": "__main__"}
        tools = scratch / ".bin"  # python3 is the one with the modules that were looked for
        tools.mkdir()
        (tools / "python3").symlink_to(sys.executable)
        path = os.pathsep.join([str(programs), str(tools), os.environ["PATH"]])
        self.environment = dict(os.environ, PATH=path, LC_ALL="C.UTF-8",
                                OMP_WAIT_POLICY="passive", NO_COLOR="1", GMX_MAXBACKUP="-1")
        for name in ("COLUMNS", "IONWELL_SHARED_DATA"):
            self.environment.pop(name, None)

    def shell(self, text, folder):
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", text], cwd=folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S)
        lines = done.stdout.decode(errors="replace").splitlines()  # without how far a run is, which a slow machine is told
        return done.returncode, "".join(line + "\n" for line in lines if not PROGRESS.search(line))

    def expect_code(self, what, code, expected, printed):
        if code != expected:
            raise Failure(f"'{what}' ended with {code} instead of {expected}:\n{printed}")

    def console(self, block):
        commands = commands_of(block)
        for number, (command, shown) in enumerate(commands, 1):
            code, printed = self.shell(command, self.scratch)
            self.expect_code(command, code, block.exit_code if number == len(commands) else 0, printed)
            if shown and not same_output(shown, printed.splitlines(), block.words_only):
                raise Failure(f"'{command}' printed\n\n{printed}\nwhere the page has\n\n" + "\n".join(shown))

    def sh(self, block):
        folder = self.scratch
        if "install" in block.needs:
            folder = self.scratch / "ionwell"
            if not folder.exists():
                subprocess.run(["git", "clone", "--quiet", SOURCE, folder], check=True)
        code, printed = self.shell(block.text, folder)
        self.expect_code("the block", code, block.exit_code, printed)

    def python(self, block):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block.text, block.where, "exec"), self.names)

    def pycon(self, block):
        test = doctest.DocTestParser().get_doctest(block.text, self.names, block.where, block.page.name, block.line)
        said = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        result = runner.run(test, out=said.write, clear_globs=False)
        self.names.update(test.globs)
        if result.failed:
            raise Failure(said.getvalue())

    def tcl(self, block):
        """VMD's console, by the stand-in for its commands that the package's own tests use."""
        script = self.scratch / "block.tcl"
        script.write_text(f"source {SOURCE}/tests/vmd/vmd_stub.tcl\nset auto_path [linsert $auto_path 0 {SOURCE}/apps/vmd]\n"
                          + block.text)
        code, printed = self.shell("tclsh block.tcl", self.scratch)
        self.expect_code("the block", code, 0, printed)

    def run(self, page):
        count = 0
        os.chdir(self.scratch)
        os.environ.update(self.environment)
        for need in self.wanted:
            if need.startswith("entry."):
                (self.scratch / (need.removeprefix("entry.") + ".pdb")).write_bytes(gzip.decompress(entry_file(need).read_bytes()))
        for block in page.blocks:
            for name in block.samples:
                sample_files.make(name, self.scratch, SOURCE)
            if block.origin or block.language not in ("console", "sh", "python", "pycon", "tcl"):
                continue
            if not block.needs <= self.wanted or bool(block.needs) != bool(self.wanted):
                continue
            try:
                getattr(self, block.language)(block)
            except Exception as error:  # of whatever kind: the page is wrong
                raise Failure(f"{block.where}: {error if isinstance(error, Failure) else repr(error)}") from None
            count += 1
        return count


def main(words):
    if words == ["--list"]:
        for page in all_pages():
            runnable = [b for b in page.blocks if not b.origin and b.language in ("console", "sh", "python", "pycon", "tcl")]
            for needs in sorted({tuple(sorted(block.needs)) for block in runnable}):
                print(";".join([page.name, *needs]))
        return 0
    if len(words) < 2:
        print(__doc__)
        return 2
    wanted = frozenset(words[2:])
    for why in filter(None, map(missing, sorted(wanted))):
        if os.path.exists(SYSTEM) and os.path.realpath(SYSTEM) != os.path.realpath(sys.executable):
            os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])  # it has what the system's packages bring
        print("skipped:", why)
        return 77
    with tempfile.TemporaryDirectory(prefix="ionwell-docs-") as folder:
        scratch = Path(folder)
        (scratch / "examples").symlink_to(SOURCE / "examples")
        shutil.copy(SOURCE / "examples/nucleic_acid/duplex.pqr", scratch)
        try:
            count = Runner(Path(words[0]).resolve(), scratch, wanted).run(Page(SOURCE / words[1]))
        except Failure as error:
            print(error)
            return 1
        finally:
            os.chdir(SOURCE)
    if count == 0:
        print(f"{words[1]}: nothing was run")
        return 1
    print(f"{words[1]}: {count} blocks ran as they are shown")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
