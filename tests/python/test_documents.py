# SPDX-License-Identifier: BSD-3-Clause
"""What is written about the package is true: docstrings, type stubs, README, notebook."""
import ast
import doctest
import importlib
import inspect
import os
import re
import tempfile
import unittest
from pathlib import Path

import ionwell
from support import SOURCE, IonwellTest, imported, main


class Documents(IonwellTest):
    def test_docstrings(self):
        attempted = 0
        for name in ["ionwell", "ionwell.structures", "ionwell.griddata", "ionwell.errors"]:
            result = doctest.testmod(importlib.import_module(name))
            self.assertEqual(result.failed, 0, name)
            attempted += result.attempted
        self.assertGreater(attempted, 10)

    def test_all_that_is_public_has_a_docstring(self):
        for name in ionwell.__all__:
            if name == "__version__":
                continue
            thing = getattr(ionwell, name)
            self.assertTrue(thing.__doc__, name)
            if inspect.isclass(thing) and not issubclass(thing, Exception):
                for member in vars(thing):
                    if not member.startswith("_"):
                        self.assertTrue(inspect.getdoc(getattr(thing, member)), f"{name}.{member}")

    def test_type_stubs_have_what_there_is(self):
        stub = ast.parse((Path(ionwell.__file__).parent / "__init__.pyi").read_text())
        functions = [node for node in stub.body if isinstance(node, ast.FunctionDef)]
        classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
        self.assertEqual({f.name for f in functions} | set(classes) | {"__version__"}, set(ionwell.__all__))
        for function in functions:
            signature = inspect.signature(getattr(ionwell, function.name))
            arguments = function.args
            names = [a.arg for a in arguments.args + ([arguments.vararg] if arguments.vararg else []) + arguments.kwonlyargs]
            self.assertEqual(names, list(signature.parameters), function.name)
            for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
                if default is None:  # what tells one overload from another
                    self.assertTrue(function.decorator_list, argument.arg)
                    continue
                self.assertEqual(ast.literal_eval(default), signature.parameters[argument.arg].default, argument.arg)
        for name in ["Structure", "Map", "DeviceMap", "Result", "System", "Average", "Sample"]:
            members = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
            there = {member for member in vars(getattr(ionwell, name)) if not member.startswith("_")}
            self.assertEqual({member for member in members if not member.startswith("_")}, there)

    def test_the_lines_of_the_readme(self):
        text = (SOURCE / "README.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        self.assertEqual(len(blocks), 1)
        code = blocks[0]
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                os.symlink(SOURCE / "examples", "examples")
                exec(compile(code, "README.md", "exec"), {})
                written = {path.name for path in Path(folder).iterdir()} - {"examples"}
            finally:
                os.chdir(before)
        self.assertEqual(written, {"ions.pdb", "potential.dx"})

    def test_the_notebook_runs(self):
        nbformat, nbclient = imported("nbformat"), imported("nbclient")
        for package in ["ipykernel", "pandas", "matplotlib"]:
            imported(package)
        path = SOURCE / "examples/notebook/compare_protocols.ipynb"
        notebook = nbformat.read(path, as_version=4)
        client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                         resources={"metadata": {"path": str(path.parent)}})
        client.execute()  # raises what a cell raises
        outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        pictures = sum("image/png" in output.get("data", {}) for output in outputs)
        self.assertEqual(pictures, 4)  # ions, energies, a slice with the ions near it, and with all
        self.assertTrue(any("<table>" in output.get("data", {}).get("text/html", "") for output in outputs))
        for kept in nbformat.read(path, as_version=4).cells:
            self.assertFalse(kept.get("outputs"), "the notebook is kept without outputs")


if __name__ == "__main__":
    main()
