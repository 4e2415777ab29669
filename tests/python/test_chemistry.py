# SPDX-License-Identifier: BSD-3-Clause
"""What was decided about entries of the PDB: in structures, in reports, and before a folder is written."""
import pickle
import tempfile
from pathlib import Path

import ionwell
from support import IonwellTest, files_in, main
from test_systems import PSF, PSF_COORDINATES

LIGAND = """\
HETATM    1  C1  LIG A   1       0.000   0.000   0.000  1.00 20.00           C
HETATM    2  O1  LIG A   1       1.400   0.000   0.000  1.00 20.00           O
END
"""
CHARGES = """\
@<TRIPOS>MOLECULE
LIG
2 1 1 0 0
SMALL
USER_CHARGES
@<TRIPOS>ATOM
1 C1 0.0 0.0 0.0 C.3 1 LIG1 1.5
2 O1 1.4 0.0 0.0 O.3 1 LIG1 -0.5
@<TRIPOS>BOND
1 1 2 1
"""
CELL = "# NAMD extended system configuration output file\n#$LABELS step a_x a_y a_z b_x b_y b_z c_x c_y c_z o_x o_y o_z\n0 40 0 0 0 40 0 0 0 40 7 8 9\n"


class Chemistry(IonwellTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def structure(self):
        (self.folder / "ligand.pdb").write_text(LIGAND)
        (self.folder / "ligand.mol2").write_text(CHARGES)
        return ionwell.read(self.folder / "ligand.pdb", ligands=[self.folder / "ligand.mol2"])

    def test_rows_are_in_the_structure_and_in_reports(self):
        structure = self.structure()
        self.assertEqual(structure.charges.tolist(), [1.5, -0.5])
        row = structure.chemistry[0]
        self.assertEqual((row["residue"], row["what"]), ("LIG 1 A", "kept, with the charges in its file"))
        self.assertEqual(pickle.loads(pickle.dumps(structure)).chemistry, structure.chemistry)
        self.assertEqual(ionwell.place(structure, {"CL": 1}, spacing=2).report["chemistry"], structure.chemistry)

    def test_a_folder_that_would_be_wrong_is_refused(self):
        result = ionwell.place(self.structure(), {"CL": 1}, spacing=2)
        with self.assertRaisesRegex(ionwell.Error, "CHARMM's force fields have no LIG 1 A"):
            result.save(self.folder / "charmm", engine="charmm")
        self.assertFalse((self.folder / "charmm").exists())
        result.save(self.folder / "amber", engine="amber")  # its mol2 file is for LEaP, too
        self.assertIn(b"loadMol2", files_in(self.folder / "amber")["leap.in"])
        again = pickle.loads(pickle.dumps(self.structure()))
        ionwell.place(again, {"CL": 1}, spacing=2).save(self.folder / "again", engine="amber")
        self.assertEqual(files_in(self.folder / "again"), files_in(self.folder / "amber"))

    def test_a_structure_that_was_pickled_keeps_the_centre_of_its_cell(self):
        names = {"a.psf": PSF, "a.pdb": PSF_COORDINATES, "a.xsc": CELL}
        for name, text in names.items():
            (self.folder / name).write_text(text)
        structure = ionwell.read(*(self.folder / name for name in names))
        again = pickle.loads(pickle.dumps(structure))
        for one, folder in [(structure, "own"), (again, "again")]:
            ionwell.place(one, {"NA": 1}, spacing=2, boundary="open").save(self.folder / folder, engine="charmm")
        self.assertEqual(files_in(self.folder / "own"), files_in(self.folder / "again"))
        self.assertRegex(files_in(self.folder / "again")["cell.namd"], rb"cellOrigin +7.0+ +8.0+ +9.0+")


if __name__ == "__main__":
    main()
