# SPDX-License-Identifier: BSD-3-Clause
"""Tables, pictures and HTML of results, systems and maps; pandas and matplotlib need not be there."""
import contextlib
import math
import sys
import unittest
from html.parser import HTMLParser
from unittest import mock

import ionwell
import numpy as np
from support import IonwellTest, imported, main, small_structure


def uneven_map():
    """2 x 3 x 4 points, other spacings and values everywhere."""
    return ionwell.Map(np.arange(24.0).reshape(2, 3, 4) - 11, origin=(1, -2, 3), spacing=(0.5, 1, 2), unit="mV")


def placed():
    return ionwell.place(small_structure(), {"MG": 1, "NA": 1}, spacing=1, border=8, maps=True)


def made():
    return ionwell.prepare(small_structure(), {"NA": "neutralize"}, salt={"KCl": 0.2}, padding=10)


@contextlib.contextmanager
def without(package):
    """As where it is not installed."""
    hidden = {name: None for name in [package, *sys.modules] if name.partition(".")[0] == package}
    with mock.patch.dict(sys.modules, hidden):
        yield


class Cells(HTMLParser):
    """The texts of a table's cells, and its tags."""

    def __init__(self, html):
        super().__init__()
        self.texts, self.tags = [], set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts += [data] if data.strip() else []


class Html(IonwellTest):
    def test_ions_are_counted_and_listed(self):
        result = placed()
        cells = Cells(result._repr_html_())
        self.assertEqual(cells.texts[0], "2 ions around arrays: 1 MG (+2), 1 NA (+1)")
        self.assertEqual(cells.texts[1:8], ["ion", "name", "charge [e]", "x [A]", "y [A]", "z [A]", "energy [kT]"])
        self.assertEqual(cells.texts[8:15], ["0", "MG", "+2", *(f"{x:.2f}" for x in result.positions[0]),
                                             f"{result.energies[0]:.2f}"])
        many = ionwell.place(small_structure(), {"NA": 11}, spacing=1, border=12)
        texts = Cells(many._repr_html_()).texts
        self.assertEqual(texts[-2:], ["...", "3 more"])
        self.assertEqual(texts.count("NA"), 8)

    def test_a_result_without_all_ions_says_so(self):
        with self.assertRaises(ionwell.TooFewPlaced) as raised:
            ionwell.place(small_structure(), {"NA": 500}, spacing=1, box=((-8, -8, -8), (16, 8, 8)))
        result = raised.exception.result
        self.assertLess(len(result), 500)
        self.assertIn(f"{len(result)} of 500 ions around", result._repr_html_())

    def test_names_are_not_taken_for_html(self):
        structure = ionwell.Structure([[0, 0, 0]], [-1], name="<script>&")
        result = ionwell.place(structure, {"NA": 1}, spacing=1)
        cells = Cells(result._repr_html_())
        self.assertIn("<script>&", cells.texts[0])
        self.assertEqual(cells.tags, {"table", "caption", "thead", "tbody", "tr", "th", "td"})

    def test_maps(self):
        texts = Cells(uneven_map()._repr_html_()).texts
        self.assertEqual(texts, ["Map of a potential", "points", "2 x 3 x 4", "spacing", "0.5, 1, 2 A", "extents",
                                 "(1, -2, 3) to (1.5, 0, 9) A", "values", "-11 to 12, mean 0.5 mV"])
        solute = placed().solute_map
        self.assertIn("arrays", Cells(solute._repr_html_()).texts)

    def test_systems(self):
        system = made()
        texts = Cells(system._repr_html_()).texts
        self.assertEqual(texts[texts.index("atoms") + 1], f"{len(system):,}")
        self.assertEqual(texts[texts.index("waters") + 1], f"{system.waters:,}")
        self.assertRegex(texts[texts.index("ions") + 1], r"^3 NA \(\+1\), \d+ K \(\+1\), \d+ CL \(-1\)$")
        dry = ionwell.solvate(small_structure(), padding=8)
        self.assertIn("none", Cells(dry._repr_html_()).texts)


class Tables(IonwellTest):
    def setUp(self):
        imported("pandas")

    def test_of_ions(self):
        result = placed()
        frame = result.to_dataframe()
        self.assertEqual(list(frame.columns), ["name", "charge_e", "x_A", "y_A", "z_A", "energy_kT", "nearest_atom",
                                               "nearest_atom_A", "nearest_ion_A", "lattice_index"])
        self.assertEqual((frame.shape, frame.index.name, list(frame.index)), ((2, 10), "ion", [0, 1]))
        self.assertEqual(frame["name"].tolist(), ["MG", "NA"])
        np.testing.assert_array_equal(frame[["x_A", "y_A", "z_A"]].to_numpy(), result.positions)
        for column, values in [("charge_e", result.charges), ("energy_kT", result.energies), ("nearest_atom", result.nearest_atoms),
                               ("nearest_atom_A", result.nearest_atom_distances), ("nearest_ion_A", result.nearest_ion_distances),
                               ("lattice_index", result.lattice_indices)]:
            np.testing.assert_array_equal(frame[column].to_numpy(), values)

    def test_of_the_ions_of_a_system(self):
        system = made()
        frame = system.to_dataframe()
        self.assertEqual(list(frame.columns), ["name", "charge_e", "x_A", "y_A", "z_A", "energy_kT"])
        self.assertEqual(frame["name"].tolist(), system.ion_names.tolist())
        np.testing.assert_array_equal(frame[["x_A", "y_A", "z_A"]].to_numpy(), system.ion_positions)
        np.testing.assert_array_equal(frame["charge_e"].to_numpy(), system.ion_charges)
        np.testing.assert_array_equal(frame["energy_kT"].to_numpy(), system.ion_energies)
        self.assertEqual(frame["energy_kT"].isna().sum(), sum(system.ion_names != "NA"))  # salt at random
        self.assertEqual(len(ionwell.solvate(small_structure(), padding=8).to_dataframe()), 0)

    def test_of_points(self):
        map = uneven_map()
        frame = map.to_dataframe()
        self.assertEqual((list(frame.columns), len(frame), frame.attrs["unit"]), (["x_A", "y_A", "z_A", "value"], 24, "mV"))
        for (i, j, k), value in np.ndenumerate(map.values):
            row = frame.iloc[i + 2 * (j + 3 * k)]
            self.assertEqual(row.tolist(), [1 + 0.5 * i, -2 + j, 3 + 2 * k, value])
        profile = frame.groupby("z_A")["value"].mean()
        np.testing.assert_allclose(profile.to_numpy(), map.values.mean(axis=(0, 1)))


class Pictures(IonwellTest):
    def setUp(self):
        imported("matplotlib").use("Agg")
        self.pyplot = imported("matplotlib.pyplot")
        self.addCleanup(self.pyplot.close, "all")

    def image(self, ax):
        self.assertEqual(len(ax.images), 1)
        return ax.images[0]

    def test_a_slice_is_the_plane_asked_for(self):
        map = uneven_map()
        for axis, at, values, extents, labels in [
                ("x", None, map.values[1], (-2.5, 0.5, 2, 10), ("y [A]", "z [A]")),
                ("y", -1.6, map.values[:, 0], (0.75, 1.75, 2, 10), ("x [A]", "z [A]")),
                ("z", 9.9, map.values[:, :, 3], (0.75, 1.75, -2.5, 0.5), ("x [A]", "y [A]"))]:
            ax = map.plot(axis=axis, at=at)
            np.testing.assert_array_equal(self.image(ax).get_array(), values.T)
            self.assertEqual(tuple(self.image(ax).get_extent()), extents)
            self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), labels)
            self.assertEqual(self.image(ax).origin, "lower")
        self.assertEqual(map.plot().get_title(), "x = 1.5 A")  # along which it is shortest
        self.assertEqual(map.plot(axis="y", at=-1.6).get_title(), "y = -2 A")

    def test_colours_are_symmetric_and_have_a_unit(self):
        map = uneven_map()
        image = self.image(map.plot(axis="z", limit=4))
        self.assertEqual(image.get_clim(), (-4, 4))
        self.assertEqual(image.colorbar.ax.get_ylabel(), "potential [mV]")
        self.assertEqual(image.colorbar.extend, "both")
        low, high = image.get_clim()
        self.assertLess(image.cmap(0.0)[2], image.cmap(0.0)[0])  # negative is red
        self.assertGreater(image.cmap(1.0)[2], image.cmap(1.0)[0])
        values = np.zeros((20, 20, 3))
        values[:, :, 1] = 1
        values[:19, 0, 1] = -1e6  # on top of atoms
        low, high = self.image(ionwell.Map(values, (0, 0, 0), 1).plot()).get_clim()
        self.assertEqual((low, high), (-1, 1))
        self.assertEqual(self.image(ionwell.Map(np.zeros((2, 2, 2)), (0, 0, 0), 1).plot()).get_clim(), (-1, 1))

    def test_what_a_slice_cannot_be(self):
        map = uneven_map()
        self.fails(ionwell.UsageError, ["axis is 'w'", "'x', 'y' or 'z'"], map.plot, axis="w")
        self.fails(ionwell.UsageError, ["at is 10.1", "from 3 to 9 A along z"], map.plot, axis="z", at=10.1)
        self.fails(ionwell.UsageError, "at is nan", map.plot, at=math.nan)
        for limit in (0, -1, math.nan):
            self.fails(ionwell.UsageError, f"limit is {limit}", map.plot, limit=limit)

    def test_ions_over_their_solute(self):
        for thing, solute, positions, names in [(placed(), small_structure().positions, None, None),
                                                (made(), small_structure().positions, None, None)]:
            is_system = isinstance(thing, ionwell.System)
            positions = thing.ion_positions if is_system else thing.positions
            names = thing.ion_names if is_system else thing.names
            ax = thing.plot(axis="y")
            atoms, *kinds = ax.collections
            solute = thing.positions[:3] if is_system else solute
            np.testing.assert_allclose(atoms.get_offsets(), solute[:, [0, 2]])
            drawn = [name for name in dict.fromkeys(names.tolist())]
            self.assertEqual(len(kinds), len(drawn))
            for kind, name in zip(kinds, drawn):
                np.testing.assert_allclose(kind.get_offsets(), positions[names == name][:, [0, 2]])
                self.assertRegex(kind.get_label(), rf"^{sum(names == name)} {name} \([+-]\d\)$")
            self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("x [A]", "z [A]"))
            colours = {tuple(kind.get_facecolor()[0]) for kind in kinds}
            self.assertEqual(len(colours), len(kinds))
        self.fails(ionwell.UsageError, "axis is 3", placed().plot, axis=3)

    def test_ions_over_a_slice(self):
        result = placed()
        ax = result.solute_map.plot(axis="z")
        title = ax.get_title()
        self.assertIs(result.plot(axis="z", solute=False, ax=ax), ax)
        self.assertEqual(ax.get_title(), title)
        self.assertEqual((len(ax.images), len(ax.collections)), (1, 2))

    def test_a_result_without_ions_is_drawn(self):
        with self.assertRaises(ionwell.TooFewPlaced) as raised:
            ionwell.place(small_structure(), {"NA": 3}, spacing=1, max_energy=-1e6)
        result = raised.exception.result
        self.assertEqual((len(result), len(result.plot().collections)), (0, 1))
        self.assertIn("no ions around", result._repr_html_())


class Missing(IonwellTest):
    def test_the_message_names_the_package(self):
        result, map = placed(), uneven_map()
        for package, functions in [("pandas", [result.to_dataframe, map.to_dataframe]), ("matplotlib", [result.plot, map.plot])]:
            for function in functions:
                with without(package), self.assertRaises(ImportError) as raised:
                    function()
                self.assertEqual(raised.exception.name, package)
                self.assertIn(f"needs the package {package}", str(raised.exception))
                self.assertIn(f"python3-{package}", str(raised.exception))

    def test_html_needs_neither(self):
        with without("pandas"), without("matplotlib"):
            self.assertIn("<table>", placed()._repr_html_())


if __name__ == "__main__":
    main()
