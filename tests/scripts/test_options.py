#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of options that the program prints: one word has one meaning, and the Python package has the same.

    test_options.py IONWELL
"""
import json
import subprocess
import sys
import unittest
from pathlib import Path

IONWELL = sys.argv.pop()
SOURCE = Path(__file__).resolve().parents[2]
TABLES = {table["command"]: table["options"] for table in
          json.loads(subprocess.run([IONWELL, "help", "--json"], check=True, capture_output=True, text=True).stdout)}

# Options whose defaults or words differ between commands, and why. Their type and unit do not differ.
DIFFERENT = {
    "method": "charge partitioning (hcp) is for points",
    "pb": "APBS is run for ions that are placed; compare has protocols that need a solver, which is ionwell's",
    "spacing": "solutions of the Poisson-Boltzmann equation have a coarser lattice, and a map has its own",
    "border": "solutions of the Poisson-Boltzmann equation go as far as the published ones",
    "box": "a lattice has a border, and moving ions have walls",
    "dielectric": "placing in a vacuum is the published protocol, and ions that move by kT need a solvent",
    "boundary": "placing repeats the cell of a simulation; a mean and moving ions do so when asked",
    "accuracy": "on a lattice it chooses the method in place of --method; at points it is the error of an approximation",
    "blocks": "of all frames, and of each replica",
    "cell": "solvate and prepare make one, and sample takes the structure's",
    "input-water": "waters are places for ions in place, and kept where water is added",
    "charges": "a structure that gets water needs none",
    "to-unit": "convert leaves a map's unit as it is",
    "update": "between two solutions of place ions act by Coulomb's law",
}


class Options(unittest.TestCase):
    def by_name(self):
        names = {}
        for command, options in TABLES.items():
            for option in options:
                names.setdefault(option["name"], []).append((command, option))
        return names

    def test_a_word_means_the_same_in_each_command(self):
        differ = set()
        for name, uses in self.by_name().items():
            command, first = uses[0]
            for other, option in uses[1:]:
                for what in ("type", "tune", "repeated"):
                    self.assertEqual(first.get(what), option.get(what), f"--{name} of {command} and {other}: {what}")
                if first["type"] in ("number", "whole number"):
                    self.assertEqual(first["argument"], option["argument"], f"--{name} of {command} and {other}: unit")
                if any(first.get(what) != option.get(what) for what in ("default", "words")):
                    differ.add(name)
                    self.assertIn(name, DIFFERENT, f"--{name} has other words or another default in {command} and {other}; "
                                  "give it another name, or say here why")
        stale = {name for name in DIFFERENT if name not in differ}
        self.assertEqual(stale, set(), "these do not differ any more")

    def test_numbers_have_units(self):
        units = {"A", "A^-1", "A^-2", "K", "M", "KT", "KT/E", "S", "PS", "GB", "E", "PH"}
        count = 0
        for name, uses in self.by_name().items():
            for command, option in uses:
                if option["type"] == "number":
                    count += 1
                    self.assertIn(option["argument"], units, f"--{name} of {command}")
        self.assertGreater(count, 50)

    def test_what_options_need(self):
        def rules(command, name):
            return next(option for option in TABLES[command] if option["name"] == name).get("rules", [])

        self.assertEqual(rules("place", "pb-every"), [{"needs": ["pb=own", "pb=apbs"]}])
        self.assertEqual(rules("sample", "pb-option"), [{"needs": ["pb=own"]}])
        self.assertEqual(rules("map", "checkpoint-every"), [{"needs": ["checkpoint", "resume"]}])
        self.assertIn({"needs": ["pb=own"], "when": ["pb=apbs"]}, rules("place", "pb-energy"))
        self.assertIn({"useless_with": ["salt-by=energy"], "why": "they apply to salt at random positions"}, rules("prepare", "seed"))
        self.assertNotIn("for", [term for rule in rules("sample", "ion-names") for term in rule.get("useless_with", [])])
        self.assertEqual(rules("place", "temperature")[0]["useless_with"], ["model=sites", "model=site-terms"])

    def test_python_has_the_same(self):
        result = subprocess.run([sys.executable, SOURCE / "scripts/update-stubs", "--check", IONWELL], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_python_reads_each_keyword(self):
        sys.path.insert(0, str(SOURCE / "apps/python/ionwell"))
        import keywords
        code = "".join(path.read_text() for path in (SOURCE / "apps/python").rglob("*.cpp"))
        code += (SOURCE / "apps/python/ionwell/__init__.py").read_text().split("_with_keywords")[0]
        unread = {name for function in keywords.KEYWORDS.values() for name in function
                  if f'"{name}"' not in code and f"{name}={name}" not in code and f"bool({name})" not in code}
        self.assertEqual(unread, set())


if __name__ == "__main__":
    unittest.main()
