#!/usr/bin/env python3
"""The recipes of other package managers: their grammar, and what they say of this project.

    test_recipes.py SOURCE_DIR VERSION
"""
import ast
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

    def check_options(self, recipe):
        """Each option of the build that a recipe names is one."""
        built = "".join(path.read_text() for path in [SOURCE / "CMakeLists.txt", SOURCE / "gpu/CMakeLists.txt",
                                                      *(SOURCE / "cmake").glob("*.cmake")])
        for option in re.findall(r"IONWELL_[A-Z]+", recipe.read_text()):
            self.assertRegex(built, rf"(option|set)\({option}\b")


if __name__ == "__main__":
    unittest.main()
