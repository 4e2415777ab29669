#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What pages say besides their commands is true: links lead somewhere, options exist, figures name their commands.

    check_pages.py PROGRAM_FOLDER
"""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from pages import FOLDER, RUN, SHOWN, SOURCE, PageError, all_pages
from run_page import commands_of

PROGRAMS = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else SOURCE / "build"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-zA-Z-]*")
PAGES = all_pages()


def options_of(*command):
    """Those that a help text names at the beginning of a row, and those that print help."""
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^  (?:-\w, )?(--[a-zA-Z-]+)", text, re.M)) | {"--help", "--help-all"}


COMMANDS = sorted(path.stem for path in (SOURCE / "examples/help").glob("*.txt") if path.stem not in ("ionwell", "cionize"))
OPTIONS = {name: options_of(PROGRAMS / "ionwell", name, "--help-all") for name in COMMANDS}
OPTIONS["cionize"] = options_of(PROGRAMS / "cionize", "--help")
OPTIONS["help"] = {"--man", "--json"}


def of_scripts():
    """What the scripts of the repository and of the Python package, ionwell-bench, CMake and SLURM are called with on the pages."""
    found = {"--install", "--build", "--prefix", "--preset", "--version", "--requeue", "--signal"}
    for path in list((SOURCE / "scripts").iterdir()) + [SOURCE / ".ci/run"]:
        if path.is_file():
            found |= set(OPTION.findall(path.read_text()))
    found |= set(OPTION.findall((SOURCE / "apps/python/ionwell/compare_set.py").read_text()))
    for path in (SOURCE / "apps/bench").rglob("*.cpp"):  # ionwell-bench, which is not built for this test
        text = path.read_text()
        found |= {"--" + name for name in re.findall(r'"([a-z][a-z-]+)"', text)} | set(OPTION.findall(text))
    return found


def section_lines(page):
    """Heading to the lines of its blocks that are commands or code."""
    counts, heading = {}, ""
    headings = [(n, line.lstrip("# ")) for n, line in page.prose if line.startswith("#")]
    for block in page.blocks:
        heading = [text for n, text in headings if n < block.line][-1]
        if block.language == "console":
            count = sum(command.count("\n") + 1 for command, _ in commands_of(block))
        else:
            count = sum(bool(line.strip()) for line in block.lines)
        counts[heading] = counts.get(heading, 0) + count
    return counts


class Pages(unittest.TestCase):
    def each(self, items):
        count = 0
        for where, problem in items:
            count += 1
            with self.subTest(where):
                self.assertFalse(problem, f"{where}: {problem}")
        self.assertGreater(count, 0)

    def test_every_block_is_run_or_is_from_a_file(self):
        def problem(block):
            if block.origin:
                text = (SOURCE / block.origin).read_text()
                return "" if block.text in text else f"{block.origin} has no such lines"
            if block.language in RUN or block.language in SHOWN and block.language in ("text", "math"):
                return ""
            return f"a block of '{block.language}' is neither run nor from a file"
        self.each((block.where, problem(block)) for page in PAGES for block in page.blocks)

    def test_no_command_stands_outside_of_what_is_run(self):
        def problem(page):
            for number, line in page.prose:
                if re.match(r" {4,}(\$ )?(ionwell|cionize|gmx|python3|cmake) ", line):
                    return f"line {number} is a command that no test sees; put it into a block"
            for block in page.blocks:
                if block.language == "text" and any(line.startswith("$ ") for line in block.lines):
                    return f"line {block.line} has a command in a block of text"
            return ""
        self.each((page.name, problem(page)) for page in PAGES)

    def test_links(self):
        anchors = {page.path: page.anchors() for page in PAGES}

        def problem(page, address):
            if re.match(r"https?:", address):
                return ""
            path, _, anchor = address.partition("#")
            target = (page.path.parent / path).resolve() if path else page.path
            if path == "html/index.html" and page.path == FOLDER / "cpp.md":
                return ""  # Doxygen's; scripts/docs puts it there
            if not target.exists():
                return f"{address} is not there"
            if anchor and target in anchors and anchor not in anchors[target]:
                return f"{address}: no heading is called so"
            return ""
        self.each((f"{page.name}:{n}", problem(page, address)) for page in PAGES for n, address in page.links())

    def test_every_page_is_in_the_site(self):
        listed = set(re.findall(r"(\S+\.md)$", (SOURCE / "examples/docs/mkdocs.yml").read_text(), re.M))
        self.assertEqual(listed, {os.path.relpath(page.path, FOLDER) for page in PAGES if FOLDER in page.path.parents})

    def test_every_picture_is_used(self):
        used = {(page.path.parent / address).resolve() for page in PAGES for _, address in page.links()}
        for path in (FOLDER / "pictures").iterdir():
            self.assertIn(path, used, f"no page shows {path.name}")

    def test_options_of_commands(self):
        def problem(command):
            words = re.findall(r"\b(ionwell|cionize)\b +([a-z]+)?([^|;&>\n]*)", command.replace("\\\n", " "))
            for program, name, rest in words:
                known = OPTIONS["cionize"] if program == "cionize" else OPTIONS.get(name)
                if known is None:
                    continue
                unknown = set(OPTION.findall(rest)) - known
                if unknown:
                    return f"{program} {name} has no {', '.join(sorted(unknown))}"
            return ""
        texts = [(block.where, command, block.exit_code) for page in PAGES for block in page.blocks
                 if block.language in ("console", "sh")
                 for command in ([c for c, _ in commands_of(block)] if block.language == "console" else [block.text])]
        self.each((where, problem(command)) for where, command, code in texts if code != 2)

    def test_options_in_the_text(self):
        known = set().union(*OPTIONS.values()) | of_scripts()

        def problem(line):
            unknown = set(OPTION.findall(line)) - known
            return f"no program here has {', '.join(sorted(unknown))}" if unknown else ""
        self.each((f"{page.name}:{n}", problem(line)) for page in PAGES for n, line in page.prose
                  if not line.startswith("<!--"))

    def test_every_option_is_on_a_page(self):
        shown = set()
        for page in PAGES:
            shown |= set(OPTION.findall(page.path.read_text()))

        def problem(name):
            return "" if name in shown else "is on no page; say on the page of its subject what it is good for"
        self.each((f"{command} {name}", problem(name)) for command, names in OPTIONS.items() for name in sorted(names)
                  if command not in ("cionize", "help") and name not in ("--help", "--help-all"))

    def test_ten_tasks_take_the_lines_that_are_said(self):
        page = next(page for page in PAGES if page.path.name == "ten_tasks.md")
        said = {name: int(count) for _, line in page.prose for name, count in re.findall(r"^\| \[(.*)\]\(#.*\) \| (\d+) \|", line)}
        self.assertEqual(len(said), 10)
        self.assertEqual(said, section_lines(page))

    def test_a_page_with_mistakes_is_refused(self):
        import tempfile
        for text, part in [("```console\nls\n```\n", "begins with '$ '"), ("```sh\nls\n", "has no end"),
                           ("<!-- nedds: gmx -->\n", "not one that the tests know"), ("<!-- needs: gmx -->\ntext\n", "for a block")]:
            with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
                file.write(text)
                file.flush()
                from pages import Page
                with self.assertRaisesRegex(PageError, re.escape(part)):
                    for block in Page(file.name).blocks:
                        commands_of(block)


if __name__ == "__main__":
    unittest.main()
