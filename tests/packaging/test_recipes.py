#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of other package managers, the metadata and the paper: their grammar, and what they say of this project.

    test_recipes.py SOURCE_DIR VERSION
"""
import ast
import json
import re
import sys
import unittest
from pathlib import Path

VERSION = sys.argv.pop()
SOURCE = Path(sys.argv.pop())
RECIPES = SOURCE / "examples/packaging"


class Recipes(unittest.TestCase):
    def test_spack(self):
        tree = ast.parse((RECIPES / "spack/packages/ionwell/package.py").read_text())
        calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
        self.assertIn(f"version('{VERSION}')", calls)
        self.check_options(RECIPES / "spack/packages/ionwell/package.py")

    def test_conda(self):
        self.check_options(RECIPES / "conda/meta.yaml")
        try:
            import yaml
        except ImportError:
            self.skipTest("there is no python3-yaml here")
        recipe = yaml.safe_load((RECIPES / "conda/meta.yaml").read_text())
        self.assertEqual(recipe["package"], {"name": "ionwell", "version": VERSION})
        self.assertTrue((RECIPES / "conda" / recipe["source"]["path"] / "CMakeLists.txt").resolve().is_file())
        self.assertTrue(all(isinstance(line, str) for line in recipe["build"]["script"]))
        yaml.safe_load((RECIPES / "spack/repo.yaml").read_text())

    def test_docker(self):
        text = (RECIPES / "docker/Dockerfile").read_text().replace("\\\n", " ")
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        known = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "ENTRYPOINT", "CMD"}
        self.assertEqual({line.split()[0] for line in lines} - known, set())
        for script in re.findall(r"scripts/[a-z-]+", text):
            self.assertTrue((SOURCE / script).is_file(), script)

    def test_dependencies(self):
        """Each library that CMake requires is in both recipes, and no other one."""
        names = {"Boost": ("libboost-devel", "boost"), "HDF5": ("hdf5", "hdf5"), "NetCDF": ("libnetcdf", "netcdf-c"),
                 "nlohmann_json": ("nlohmann_json", "nlohmann-json"), "ZLIB": ("zlib", "zlib-api")}
        required = set(re.findall(r"^ *find_package\((\w+).*REQUIRED", (SOURCE / "CMakeLists.txt").read_text(), re.M)) - {"OpenMP", "MPI", "doctest"}
        self.assertEqual(required, set(names))
        host = re.search(r"  host:\n((?:    - .*\n)+)", (RECIPES / "conda/meta.yaml").read_text())[1]
        self.assertEqual(set(re.findall(r"- (\S+)", host)), {conda for conda, _ in names.values()})
        spack = (RECIPES / "spack/packages/ionwell/package.py").read_text()
        self.assertEqual({name for name in re.findall(r'depends_on\("([\w-]+)[^"]*"\)', spack)}, {spack for _, spack in names.values()})

    def test_mdakit(self):
        text = (RECIPES / "mdakits/metadata.yaml").read_text()
        keys = set(re.findall(r"^(\w+):", text, re.M))
        self.assertLessEqual({"project_name", "authors", "maintainers", "description", "keywords", "license", "documentation_type"}, keys)
        for script in re.findall(r"tests/\S+\.py", text):
            self.assertTrue((SOURCE / script).is_file(), script)

    def check_options(self, recipe):
        """Each option of the build that a recipe names is one."""
        built = "".join(path.read_text() for path in [SOURCE / "CMakeLists.txt", SOURCE / "gpu/CMakeLists.txt",
                                                      *(SOURCE / "cmake").glob("*.cmake")])
        for option in re.findall(r"IONWELL_[A-Z]+", recipe.read_text()):
            self.assertRegex(built, rf"(option|set)\({option}\b")


class Metadata(unittest.TestCase):
    def test_versions_and_licences(self):
        about = json.loads((SOURCE / "codemeta.json").read_text())
        citation = (SOURCE / "CITATION.cff").read_text()
        self.assertEqual(about["version"], VERSION)
        self.assertIn(f"\nversion: {VERSION}\n", citation)
        date = re.search(r"^date-released: (\d{4}-\d\d-\d\d)$", citation, re.M)[1]
        self.assertEqual(about["dateModified"], date)
        self.assertIn(f"\n## [{VERSION}] - {date}\n", (SOURCE / "CHANGELOG.md").read_text())
        self.assertTrue(about["license"].endswith("/BSD-3-Clause"))
        self.assertIn("\nlicense: BSD-3-Clause\n", citation)
        self.assertEqual({re.sub("https://doi.org/", "", article["@id"]) for article in about["referencePublication"]},
                         set(re.findall(r"doi: (\S+)", citation)))

    def test_paper_has_its_sections_and_references(self):
        folder = SOURCE / "examples/docs/paper"
        paper, library = (folder / "paper.md").read_text(), (folder / "paper.bib").read_text()
        sections = re.findall(r"^# (.*)", paper, re.M)
        for section in ("Summary", "Statement of need", "State of the field", "Software design", "Research impact statement"):
            self.assertIn(section, sections)
        words = len(paper.split("---", 2)[2].split())
        self.assertTrue(750 <= words <= 1750, f"{words} words; JOSS asks for 750 to 1750")
        self.assertEqual(set(re.findall(r"@([A-Z]\w+\d{4})", paper)), set(re.findall(r"@article\{(\w+),", library)))
        self.assertEqual(library.count("@article"), library.count("doi     = {10."))


if __name__ == "__main__":
    unittest.main()
