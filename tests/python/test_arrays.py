# SPDX-License-Identifier: BSD-3-Clause
"""Structures and maps as arrays: what is taken, what is refused by name, and that nothing is copied."""
import pickle
import tempfile
import unittest
from pathlib import Path

import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, imported, main, small_structure


class Structures(IonwellTest):
    def test_any_order_and_type_of_real_numbers(self):
        expected = ionwell.place(small_structure(), {"NA": 2}, spacing=1).positions
        rows = np.array([[0, 0, 0], [4, 0, 0], [8, 0, 0]])
        wide = np.zeros((6, 5))
        wide[::2, 1:4] = rows
        for positions in [rows, rows.astype(np.float32), np.asfortranarray(rows, float), wide[::2, 1:4], rows.tolist(),
                          rows.astype(">f8"), rows[::-1][::-1], np.ma.masked_array(rows)]:
            for charges in [[-1, -1, -1], np.full(9, -1.0)[::3], np.full(3, -1, np.int8)]:
                placed = ionwell.place((positions, charges), {"NA": 2}, spacing=1)
                self.assertEqual(placed.positions.tolist(), expected.tolist())

    def test_wrong_arrays_are_named(self):
        right, ones = np.zeros((3, 3)) + [[0], [4], [8]], np.ones(3)
        nan, far = right.copy(), right.copy()
        nan[1, 2], far[2, 0] = np.nan, 1e6
        for parts, positions, charges in [
                ("positions has the shape (4, 2)", np.zeros((4, 2)), ones), ("transpose", np.zeros((3, 5)), ones),
                ("positions has the shape (9,)", np.zeros(9), ones), ("positions is empty", np.zeros((0, 3)), []),
                ("positions is empty", [], []), ("positions[1, 2] is nan", nan, ones),
                ("positions[2, 0] is 1e+06", far, ones), ("positions has the type complex128", right + 1j, ones),
                ("positions has the type bool", right > 1, ones), ("positions has the type <U1", [["a"] * 3], ones),
                ("positions is None", None, ones), ("positions", [[1, 2, 3], [1, 2]], ones),
                ("masked", np.ma.masked_greater(right, 5), ones),
                ("charges has the shape (2,); it must be (3,)", right, ones[:2]),
                ("charges has the shape (3, 1)", right, ones[:, None]),
                ("charges[0] is inf", right, [np.inf, 1, 1]), ("charges has the type object", right, [1, None, 1]),
                ("charges[2] is 2000", right, [1, 1, 2000])]:
            with self.subTest(parts):
                self.fails(ionwell.ArrayError, parts, ionwell.Structure, positions, charges)
        for parts, keywords in [("radii[1] is -1", {"radii": [1, -1, 1]}), ("names has 2 strings", {"names": ["A", "B"]}),
                                ("names is 'ABC'", {"names": "ABC"}), ("chains[0] is 'ABCDEFGHI'", {"chains": ["ABCDEFGHI", "", ""]}),
                                ("residue_numbers has the shape (1,)", {"residue_numbers": [1]})]:
            with self.subTest(parts):
                self.fails(ionwell.ArrayError, parts, ionwell.Structure, right, ones, **keywords)
        self.fails(ionwell.Error, "charges", ionwell.Structure, right, [0, 0, 0])

    def test_arrays_look_into_the_structure_and_keep_it(self):
        structure = ionwell.read(DUPLEX)
        first = structure.positions[0].tolist()
        for array in [structure.positions, structure.charges, structure.radii, structure.residue_numbers]:
            self.assertIs(array.base, structure)
            with self.assertRaises(ValueError):
                array[0] = 1
        positions = structure.positions
        del structure, array
        self.assertEqual(positions[0].tolist(), first)
        self.assertEqual(positions.shape, (758, 3))

    def test_waters_in_arrays(self):
        arrays = {"positions": [[0, 0, 0], [9, 0, 0], [9.6, 0.7, 0], [8.4, 0.7, 0]], "charges": [-1, -0.8, 0.4, 0.4],
                  "names": ["P", "O", "H1", "H2"], "residues": ["X", "HOH", "HOH", "HOH"],
                  "residue_numbers": [1, 2, 2, 2]}
        self.assertEqual(len(ionwell.Structure(**arrays, input_water="ignore")), 1)
        self.assertIn("1 water", ionwell.Structure(**arrays).warnings[0])
        self.assertEqual(ionwell.Structure(**arrays, input_water="solute").warnings, [])

    def test_names_that_are_not_printable(self):
        structure = ionwell.Structure([[0, 0, 0], [4, 0, 0]], [-1, -1], names=["A\n", "\x1b[2J"], residues=["U", "U"],
                                      name="odd\n\x1b")
        self.assertEqual(structure.names.tolist(), ["A_", "_[2J"])
        self.assertIn("2 atoms have names with characters other than printable ASCII", structure.notes[0])
        self.assertIn("'odd??'", repr(structure))

    def test_pickling(self):
        structure = ionwell.read(DUPLEX)
        again = pickle.loads(pickle.dumps(structure))
        self.assertEqual(again.path, structure.path)
        for name in ["positions", "charges", "radii", "names", "chains", "residue_numbers"]:
            self.assertEqual(getattr(again, name).tolist(), getattr(structure, name).tolist())
        one, other = (ionwell.place(s, {"MG": 1}, spacing=2) for s in (structure, again))
        self.assertEqual(one.to_pdb(), other.to_pdb())
        error = ionwell.TooFewPlaced("no room")
        error.result = one
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), str(again), again.result), (ionwell.TooFewPlaced, "no room", None))


class Maps(IonwellTest):
    def test_values_are_the_maps_own(self):
        potential = ionwell.potential(small_structure(), spacing=1)
        values = potential.values
        self.assertTrue(values.flags.f_contiguous)
        self.assertFalse(values.flags.owndata)
        self.assertEqual(values.dtype, np.float32)
        self.assertEqual(values.__array_interface__["data"], potential.values.__array_interface__["data"])
        corner = values[0, 0, 0]
        del potential
        self.assertEqual(values[0, 0, 0], corner)

    def test_what_is_written_to_the_values_is_saved(self):
        potential = ionwell.potential(small_structure(), spacing=2)
        potential.values[1, 2, 0] = 42
        with tempfile.TemporaryDirectory() as folder:
            for ending in ["dx", "dxbin", "h5", "mrc", "cube", "dx.gz"]:
                path = Path(folder) / f"x.{ending}"
                potential.save(path)
                again = ionwell.read_map(path)
                self.assertEqual(again.values[1, 2, 0], 42)
                self.assertEqual(again.values.shape, potential.values.shape)
                self.assertEqual(again.values.dtype, np.float64)
                np.testing.assert_allclose(again.origin, potential.origin)
                self.assertEqual(again.spacing.tolist(), [2, 2, 2])
                self.assertEqual(again.unit, "kT/e")
            self.assertIn(("structure", "arrays"), again.provenance)
            potential.values[0, 0, 0] = np.nan
            self.fails(ionwell.ArrayError, "values[0, 0, 0] is nan", potential.save, Path(folder) / "bad.dx")
            self.assertFalse((Path(folder) / "bad.dx").exists())
            self.fails(ionwell.UsageError, "x.txt", potential.save, Path(folder) / "x.txt")

    def test_maps_of_arrays(self):
        values = np.arange(24.0).reshape(2, 3, 4)
        for array in [values, np.asfortranarray(values), values.astype(np.float32), values.astype(np.int16),
                      np.arange(48.0).reshape(2, 3, 8)[..., ::2] / 2]:
            made = ionwell.Map(array, (1, 2, 3), [0.5, 0.6, 0.7], "mV", 300)
            self.assertEqual(made.values.tolist(), values.tolist())
            self.assertEqual((made.unit, made.temperature, made.report), ("mV", 300, None))
        self.assertEqual(ionwell.Map(values.astype(np.float32), (0, 0, 0), 1).values.dtype, np.float32)
        for parts, arguments in [("values has the shape (2, 3)", (values[..., 0], (0, 0, 0), 1)),
                                 ("values has the shape (0, 3, 4)", (values[:0], (0, 0, 0), 1)),
                                 ("origin has the shape (2,)", (values, (0, 0), 1)),
                                 ("values has the type complex128", (values + 1j, (0, 0, 0), 1))]:
            self.fails(ionwell.ArrayError, parts, ionwell.Map, *arguments)
        self.fails(ionwell.Error, "spacing", ionwell.Map, values, (0, 0, 0), -1)
        self.fails(ionwell.UsageError, "unit is 'K'", ionwell.Map, values, (0, 0, 0), 1, "K")
        values[1, 1, 1] = np.nan
        self.fails(ionwell.ArrayError, "values[1, 1, 1] is nan", ionwell.Map, values, (0, 0, 0), 1)

    def test_griddataformats(self):
        imported("gridData")
        potential = ionwell.potential(small_structure(), spacing=2)
        grid = potential.to_griddata()
        self.assertTrue(np.shares_memory(grid.grid, potential.values))
        again = ionwell.Map.from_griddata(grid)
        self.assertEqual(again.values.tolist(), potential.values.tolist())
        self.assertEqual(again.origin.tolist(), potential.origin.tolist())
        self.assertEqual(again.spacing.tolist(), potential.spacing.tolist())
        self.assertEqual(again.unit, "kT/e")


if __name__ == "__main__":
    main()
