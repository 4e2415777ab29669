#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the pages are what the scripts make, but for times and a few pixels; badges are true.

    test_pictures.py PROGRAM
"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
import zlib
from pathlib import Path

from pages import FOLDER, SOURCE

KEPT = FOLDER / "pictures"
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else str(SOURCE / "build/ionwell")


def pixels(path):
    """(width, height, [(red, green, blue)]) of a PNG as make-pictures writes it."""
    data, at, parts = path.read_bytes(), 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        parts[kind] = parts.get(kind, b"") + data[at + 8:at + 8 + size]
        at += 12 + size
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows, palette = zlib.decompress(parts[b"IDAT"]), parts[b"PLTE"]
    colours = [palette[n:n + 3] for n in range(0, len(palette), 3)]
    return width, height, [colours[n] for y in range(height) for n in rows[y * (width + 1) + 1:(y + 1) * (width + 1)]]


def numbers_and_words(path):
    text = path.read_text()
    if path.name == "rdf.svg":  # its curve; where nothing was seen there is no error, and another mark
        text = "".join(re.findall(r'points="[^"]*"|<text [^>]*>[^<]*', text))
    return [float(n) for n in re.findall(r"-?\d+\.?\d*", text)], re.sub(r"-?\d+\.?\d*", "#", text)


def lines_of_film(path):
    root = xml.parse(path).getroot()
    texts = ["".join(element.itertext()).rstrip() for element in root.iter("{http://www.w3.org/2000/svg}text")]
    kept, varies = [], False
    for text in texts:  # a row that goes on in the next line begins with blanks there
        varies = text.startswith(("time", "computed on", "method")) or varies and text.startswith(" ")
        if not varies:
            kept.append(text)
    return kept


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="ionwell-pictures-")
        cls.made = Path(cls.folder.name)
        environment = dict(os.environ, IONWELL=PROGRAM, OMP_WAIT_POLICY="passive")
        subprocess.run([sys.executable, SOURCE / "examples/docs/make-pictures", cls.made], check=True, env=environment)
        subprocess.run([sys.executable, SOURCE / "examples/docs/record-terminal", cls.made / "terminal.svg"], check=True,
                       env=environment, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_maps(self):
        paths = sorted(self.made.glob("*.png"))
        self.assertEqual([path.name for path in paths], ["placement.png", "potentials.png"])
        for path in paths:
            made, kept = pixels(path), pixels(KEPT / path.name)
            self.assertEqual(made[:2], kept[:2], path.name)
            different = sum(one != other for one, other in zip(made[2], kept[2]))
            self.assertLess(different, 0.005 * len(kept[2]), f"{path.name} is another picture; run examples/docs/make-pictures")
            self.assertGreater(len(set(made[2])), 10)
            self.assertLess((KEPT / path.name).stat().st_size, 100_000)

    def test_charts_and_badges(self):
        names = sorted(path.name for path in self.made.glob("*.svg") if path.name != "terminal.svg")
        self.assertEqual(names, ["badge-language.svg", "badge-licence.svg", "badge-platforms.svg", "energies.svg", "rdf.svg"])
        for name in names:
            xml.parse(KEPT / name)
            made, kept = numbers_and_words(self.made / name), numbers_and_words(KEPT / name)
            self.assertEqual(made[1], kept[1], f"{name} is another; run examples/docs/make-pictures")
            for one, other in zip(made[0], kept[0]):
                # Points of the picture; ions that move go other ways with other instructions, within their errors.
                self.assertAlmostEqual(one, other, delta=15 if name == "rdf.svg" else 0.5, msg=name)

    def test_what_badges_say(self):
        said = {path.stem: "".join(xml.parse(path).getroot().itertext()) for path in KEPT.glob("badge-*.svg")}
        self.assertIn("BSD-3-Clause", said["badge-licence"])
        self.assertIn("license: BSD-3-Clause", (SOURCE / "CITATION.cff").read_text())
        self.assertIn("BSD 3-Clause", (SOURCE / "LICENSE").read_text())
        self.assertIn("C++20", said["badge-language"])
        self.assertIn("cxx_std_20", (SOURCE / "CMakeLists.txt").read_text())
        tested = (SOURCE / ".github/workflows/ci.yml").read_text()
        for system in ("debian:12", "debian:13", "ubuntu:24.04"):
            self.assertIn(system, tested)
        for word in ("Debian 12, 13", "Ubuntu 24.04"):
            self.assertIn(word, said["badge-platforms"])

    def test_the_terminal(self):
        kept = KEPT / "terminal.svg"
        self.assertLess(kept.stat().st_size, 60_000)
        text = kept.read_text()
        self.assertIn("animation-duration:20s", text)
        self.assertNotRegex(text, "<script|href|url\\(")
        self.assertEqual(lines_of_film(self.made / "terminal.svg"), lines_of_film(kept),
                         "ionwell prints something else now; run examples/docs/record-terminal")


if __name__ == "__main__":
    unittest.main()
