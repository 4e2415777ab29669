#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""MkDocs renders the pages without a warning, with their equations and pictures, and with nothing from another host."""
import html.parser
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import FOLDER, SOURCE, all_pages


class Addresses(html.parser.HTMLParser):
    """What a browser would fetch to show a page."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        names = {"img": ("src",), "script": ("src",), "link": ("href",), "iframe": ("src",)}.get(tag, ())
        self.found += [value for name, value in attributes if name in names and value]


def check(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def main():
    if not shutil.which("mkdocs"):
        print("skipped: there is no mkdocs here; Debian's and Ubuntu's package is called so")
        return 77
    with tempfile.TemporaryDirectory(prefix="ionwell-site-") as name:
        done = subprocess.run(["mkdocs", "build", "--strict", "--config-file", SOURCE / "examples/docs/mkdocs.yml",
                               "--site-dir", name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check(done.returncode == 0, f"mkdocs ended with {done.returncode}: {done.stdout}")
        site, equations = Path(name), 0
        for page in all_pages():
            if FOLDER not in page.path.parents:
                continue
            path = site / page.path.relative_to(FOLDER).with_suffix(".html")
            text = path.read_text()
            equations += text.count("<math")
            check("```" not in text, f"{path.name} has a block that was not rendered")
            there = sum(block.language == "math" for block in page.blocks)
            check(text.count("<math") == there, f"{path.name} has not its {there} equations")
            addresses = Addresses()
            addresses.feed(text)
            for address in addresses.found:
                check(not re.match(r"(https?:)?//", address), f"{path.name} fetches {address}")
                check((path.parent / address.split("?")[0]).exists(), f"{path.name}: {address} is not there")
        check(equations > 5, f"there are {equations} equations")
    print("the site is rendered, and complete")
    return 0


if __name__ == "__main__":
    sys.exit(main())
