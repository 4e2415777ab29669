# SPDX-License-Identifier: BSD-3-Clause
"""Structures of other packages, by their attributes; those that are not here are skipped, and OpenMM is played."""
import tempfile
import unittest
import warnings

import ionwell
import numpy as np
from support import DUPLEX, IonwellTest, imported, main, small_structure


class MDAnalysis(IonwellTest):
    def universe(self):
        package = imported("MDAnalysis")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return package.Universe(str(DUPLEX))

    def test_atom_groups_and_universes(self):
        universe, read = self.universe(), ionwell.read(DUPLEX)
        for source in [universe, universe.atoms]:
            structure = ionwell.structure(source)
            np.testing.assert_allclose(structure.positions, read.positions, atol=1e-5)  # single precision
            np.testing.assert_allclose(structure.charges, read.charges, atol=1e-12)
            self.assertEqual(structure.names.tolist(), read.names.tolist())
            self.assertEqual(structure.residues.tolist(), read.residues.tolist())
            self.assertEqual(structure.residue_numbers.tolist(), read.residue_numbers.tolist())
        placed = ionwell.place(universe, {"MG": 2}, spacing=1)
        self.assertEqual(len(ionwell.structure(universe.select_atoms("segid A"))), 379)
        np.testing.assert_allclose(placed.positions, ionwell.place(read, {"MG": 2}, spacing=1).positions, atol=1e-4)

    def test_cells(self):
        universe = self.universe()
        self.assertIsNone(ionwell.structure(universe).cell)
        universe.dimensions = [70, 60, 50, 90, 90, 60]
        cell = ionwell.structure(universe).cell
        np.testing.assert_allclose(cell, [[70, 0, 0], [30, 51.961524, 0], [0, 0, 50]], atol=1e-4)
        self.assertEqual(ionwell.structure(universe.atoms).cell_kind, "undecided")  # nothing says whose a PQR file's is
        package = imported("MDAnalysis")
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            universe.atoms.write(f"{folder}/cell.gro")
            frame = package.Universe(f"{folder}/cell.gro")
        frame.add_TopologyAttr("charges", universe.atoms.charges)
        structure = ionwell.structure(frame)
        self.assertEqual(structure.cell_kind, "simulation")
        np.testing.assert_allclose(structure.cell, cell, atol=2e-3)

    def test_a_group_without_charges(self):
        universe = self.universe()
        universe.del_TopologyAttr("charges")
        self.fails(ionwell.UsageError, "has no charges", ionwell.place, universe.atoms, {"MG": 2})
        self.fails(ionwell.UsageError, "ionwell.read(path)", ionwell.structure, universe)

    def test_long_segment_names_and_insertion_codes(self):
        package = imported("MDAnalysis")
        universe = package.Universe.empty(4, n_residues=4, n_segments=4, atom_resindex=range(4),
                                          residue_segindex=range(4), trajectory=True)
        segments = ["seg_0_Protein_chain_A", "seg_0_Protein_chain_B", "seg_0_Pr", "SYSTEM"]
        for name, values in [("charges", [-1, 1, 1, 1]), ("names", ["N"] * 4), ("resnames", ["GLY"] * 4),
                             ("resids", [7] * 4), ("icodes", ["", "A", "B", ""]), ("segids", segments)]:
            universe.add_TopologyAttr(name, values)
        universe.atoms.positions = [[5 * n, 0, 0] for n in range(4)]
        structure = ionwell.structure(universe)
        names = structure.segments.tolist()
        self.assertEqual(names[2:], ["seg_0_Pr", "SYSTEM"])
        self.assertEqual(len(set(names)), 4)
        self.assertTrue(all(name.startswith("seg_0_P") for name in names[:3]))
        self.assertEqual([structure.describe(n).split()[1] for n in range(4)], ["7", "7A", "7B", "7"])


class ParmEd(IonwellTest):
    def test_structures(self):
        parmed = imported("parmed")
        source = parmed.Structure()
        source.add_atom(parmed.Atom(name="P", charge=-1.0, atomic_number=15), "DA", 5, "A")
        source.add_atom(parmed.Atom(name="X", charge=-1.0), "LIG", 6, "A")
        self.fails(ionwell.UsageError, "no coordinates", ionwell.structure, source)
        source.coordinates = [[0, 0, 0], [7, 1, 2]]
        structure = ionwell.structure(source)
        self.assertEqual(structure.positions.tolist(), [[0, 0, 0], [7, 1, 2]])
        self.assertEqual(structure.names.tolist(), ["P", "X"])
        self.assertEqual(structure.residues.tolist(), ["DA", "LIG"])
        self.assertEqual(structure.residue_numbers.tolist(), [5, 6])
        self.assertEqual(structure.chains.tolist(), ["A", "A"])
        self.assertEqual(structure.net_charge, -2)
        source.residues[1].insertion_code = "C"
        self.assertEqual(ionwell.structure(source).describe(1), "LIG 6C A X")


class Unit:
    def __init__(self, name):
        self.name = name

    def get_name(self):
        return self.name


class Quantity:
    """As openmm.unit has it: numbers, or quantities, with a unit."""
    def __init__(self, value, name):
        self._value, self.unit = value, Unit(name)

    def value_in_unit(self, unit):
        assert unit.name == self.unit.name
        return self._value


class Named:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Topology:
    """As openmm.app has it."""
    def atoms(self):
        chain = Named(id="B")
        residue = Named(name="DA", id="12", chain=chain)
        yield Named(name="P", element=Named(symbol="P"), residue=residue)
        yield Named(name="EP", element=None, residue=residue)


class NonbondedForce:
    def getNonbondedMethod(self):
        return 0

    def getNumParticles(self):
        return 2

    def getParticleParameters(self, particle):
        return [Quantity(-1.0 - particle, "elementary charge"), None, None]


class OpenMM(IonwellTest):
    system = Named(getForces=lambda: [Named(), NonbondedForce()])

    def test_topologies_with_a_system(self):
        positions = Quantity([[0, 0, 0], [0.4, 0.5, 0]], "nanometer")
        each = [Quantity((0, 0, 0), "angstrom"), Quantity((4, 5, 0), "angstrom")]
        simulation = Named(topology=Topology(), system=self.system, context=Named(
            getState=lambda getPositions: Named(getPositions=lambda: positions)))
        for source, keywords in [(Topology(), {"positions": positions, "system": self.system}),
                                 (Topology(), {"positions": each, "charges": [-1, -2]}),
                                 (Named(topology=Topology(), positions=positions), {"system": self.system}),
                                 (simulation, {})]:
            structure = ionwell.structure(source, **keywords)
            np.testing.assert_allclose(structure.positions, [[0, 0, 0], [4, 5, 0]])
            self.assertEqual(structure.charges.tolist(), [-1, -2])
            self.assertEqual((structure.names.tolist(), structure.residues.tolist()), (["P", "EP"], ["DA", "DA"]))
            self.assertEqual((structure.residue_numbers.tolist(), structure.chains.tolist()), ([12, 12], ["B", "B"]))
            self.assertEqual(len(ionwell.place(structure, {"NA": "neutralize"}, spacing=2)), 3)

    def test_openmm_itself(self):
        openmm, app, unit = imported("openmm"), imported("openmm.app"), imported("openmm.unit")
        topology, system, force = app.Topology(), openmm.System(), openmm.NonbondedForce()
        residue = topology.addResidue("DA", topology.addChain("B"), "12")
        for name, charge in [("P", -1.0), ("O5'", -0.5)]:
            topology.addAtom(name, app.Element.getBySymbol(name[0]), residue)
            system.addParticle(16)
            force.addParticle(charge, 0.3, 0.1)
        system.addForce(force)
        positions = [openmm.Vec3(0, 0, 0), openmm.Vec3(0.4, 0.5, 0)] * unit.nanometer
        integrator = openmm.VerletIntegrator(0.001)
        simulation = app.Simulation(topology, system, integrator, openmm.Platform.getPlatformByName("Reference"))
        simulation.context.setPositions(positions)
        for structure in [ionwell.structure(topology, positions=positions, system=system),
                          ionwell.structure(app.Modeller(topology, positions), system=system),
                          ionwell.structure(simulation)]:
            np.testing.assert_allclose(structure.positions, [[0, 0, 0], [4, 5, 0]], atol=1e-6)
            self.assertEqual(structure.charges.tolist(), [-1, -0.5])
            self.assertEqual((structure.names.tolist(), structure.residues.tolist()), (["P", "O5'"], ["DA", "DA"]))
            self.assertEqual((structure.residue_numbers.tolist(), structure.chains.tolist()), ([12, 12], ["B", "B"]))

    def test_what_is_missing(self):
        positions = [[0, 0, 0], [4, 5, 0]]
        self.fails(ionwell.UsageError, "give system=", ionwell.structure, Topology(), positions=positions)
        self.fails(ionwell.UsageError, "give positions=", ionwell.structure, Topology(), system=self.system)
        self.fails(ionwell.UsageError, "no NonbondedForce", ionwell.structure, Topology(), positions=positions,
                   system=Named(getForces=lambda: []))
        self.fails(ionwell.UsageError, "positions are in second", ionwell.structure, Topology(), charges=[1, 2],
                   positions=Quantity(positions, "second"))


class Others(IonwellTest):
    def test_what_is_no_structure(self):
        for source in [5, "rna.pqr", None, [1, 2]]:
            self.fails(ionwell.UsageError, f"structure is {source!r}", ionwell.place, source, {"NA": 1})

    def test_a_structure_stays_what_it_is(self):
        structure = small_structure()
        self.assertIs(ionwell.structure(structure), structure)


if __name__ == "__main__":
    main()
