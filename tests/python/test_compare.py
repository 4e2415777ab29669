# SPDX-License-Identifier: BSD-3-Clause
"""Ions against known sites: the numbers of the program, and the script for a folder of structures."""
import contextlib
import csv
import io
import json
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import ionwell
import numpy as np
from ionwell import compare_set, site_hits
from support import DUPLEX, IonwellTest, main, run_program

TWO_ATOMS = "ATOM 1 O1 X 1 0.0 0.0 0.0 -1.0 1.5\nATOM 2 O2 X 1 9.0 0.0 0.0 -2.0 1.5\n"


def site(x, y, z, occupancy=1.0):
    return f"HETATM    1 MG    MG A   1    {x:8.3f}{y:8.3f}{z:8.3f}{occupancy:6.2f}  0.00          MG2+\n"


class Compare(IonwellTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_same_numbers_as_the_program(self):
        ions, sites, report = (self.folder / name for name in ("ions.pdb", "sites.pdb", "report.json"))
        run_program("place", DUPLEX, "--ion", "MG:6", "-o", ions, "--quiet")
        run_program("place", DUPLEX, "--ion", "MG:5", "--ionic-strength", "0.15", "-o", sites, "--quiet")
        run_program("compare", ions, sites, "--random-around", DUPLEX, "--seed", 4, "--site-weights", "occupancy", "--report",
                    report, "--quiet")
        known, weights = ionwell.read_sites(sites, weights="occupancy")
        found = ionwell.compare(ionwell.read_sites(ions)[0], known, weights=weights, random_around=ionwell.read(DUPLEX), seed=4)
        of_program = json.loads(report.read_text())
        self.assertEqual(of_program.pop("site_weights"), "occupancy")
        found.pop("site_weights")
        self.assertEqual(found, of_program)
        self.assertGreater(found["within"][-1]["matched_at_random"], 0)
        nearer = ionwell.compare(known, known, distances=(3.0,), random_around=ionwell.read(DUPLEX), ion_solute=3.5)
        self.assertGreater(nearer["within"][0]["matched_at_random"], 0)

    def test_what_is_refused(self):
        for parts, keywords in [("3 weights for 1 site", {"weights": [1, 2, 3]}), ("seed is -1", {"seed": -1}),
                                ("distances", {"distances": "near"}), ("have no room", {"ion_solute": 9.0})]:
            with self.subTest(parts), self.assertRaisesRegex(ionwell.Error, parts):
                ionwell.compare([[0, 0, 0]], [[1, 0, 0]], random_around=([[0, 0, 0]], [-1]), **keywords)
        self.fails(ionwell.UsageError, ["which is 'some'", "'ions', 'all'"], ionwell.read_sites, DUPLEX, which="some")
        self.fails(ionwell.Error, "none.pdb", ionwell.read_sites, "none.pdb")


class Sets(IonwellTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name, "set")
        self.folder.mkdir()

    def write(self, **texts):
        for name, text in texts.items():
            (self.folder / name.replace("__", ".")).write_text(text)

    def make_set(self):
        """Two entries, `b` with the very ion that Coulomb places there as its site."""
        self.write(a__pqr=TWO_ATOMS, a__sites__pdb=site(90, 0, 0) + site(90, 9, 0), b__pqr=TWO_ATOMS)
        ion = ionwell.place(ionwell.read(self.folder / "b.pqr"), {"MG": 1})
        self.write(b__sites__pdb=site(*ion.positions[0]))

    def run_script(self, *words):
        """Exit code, what it prints, messages, and the rows of its CSV by protocol, entry and distance."""
        out, messages, table = io.StringIO(), io.StringIO(), self.folder.parent / "table.csv"
        table.unlink(missing_ok=True)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(messages):
            code = compare_set.main([str(self.folder), "--csv", str(table), *map(str, words)])
        rows = {}
        if table.exists():
            with open(table, newline="") as file:
                rows = {(row["protocol"], row["entry"], float(row["distance_A"])): row for row in csv.DictReader(file)}
        return code, out.getvalue(), messages.getvalue(), rows

    def test_the_random_numbers_are_those_of_the_standard(self):
        random = compare_set.Random64(5489)  # the standard tells the 10,000th number of that seed
        for _ in range(9999):
            random.below(1)
        self.assertEqual(random.below(2**53), 9981545732273789042 >> 11)

    def test_the_protocols_are_those_of_the_program(self):
        report = self.folder / "report.json"
        run_program("compare", DUPLEX, "--ion", "MG:2", "--pb", "own", "--report", report, "--quiet",
                    *(word for name in compare_set.PROTOCOLS for word in ("--protocol", name)))
        rows = json.loads(report.read_text())["protocols"]
        self.assertEqual([row["name"] for row in rows], list(compare_set.PROTOCOLS))
        for row in rows:
            options = dict(compare_set.PROTOCOLS[row["name"]], **({"pb": "own"} if row["name"] in compare_set.SOLVED else {}))
            result = ionwell.place(ionwell.read(DUPLEX), {"MG": 2}, boundary="open", backend="cpu", **options)
            self.assertEqual(result.positions.tolist(), row["positions_A"], row["name"])

    def test_a_bad_entry_is_named_and_the_others_are_scored_whatever_the_threads(self):
        self.make_set()
        self.write(c__pqr=TWO_ATOMS.replace("0.0 0.0 0.0", "0.0 oops 0.0"), c__sites__pdb=site(0, 0, 0), d__pqr=TWO_ATOMS)
        results = [self.run_script("--protocol", "coulomb", "--threads", threads) for threads in (1, 3)]
        for code, out, messages, rows in results:
            self.assertEqual(code, 1)
            self.assertIn("2 problem(s) in ", messages)
            self.assertIn("compare_set: c: ", messages)
            self.assertIn("c.pqr:1: ", messages)
            self.assertIn("d: there is a structure but no sites; add d.sites.pdb", messages)
            self.assertTrue(out.startswith("3 entries, 3 sites\n"), out)
            self.assertEqual(rows["coulomb", "b", 2]["matched"], "1")
            self.assertEqual((rows["coulomb", "a", 2]["ions"], rows["coulomb", "a", 2]["matched"]), ("2", "0"))
            self.assertEqual((rows["coulomb", "all", 2]["sites"], rows["coulomb", "all", 2]["recall"]), ("3", "0.333333"))
            self.assertEqual(rows["random", "a", 8]["matched"], "0")  # its sites are far from everything
            self.assertNotIn(("coulomb", "c", 2.0), rows)
        times = [{key: {**row, "seconds": ""} for key, row in rows.items()} for *_, rows in results]
        self.assertEqual(*times)

    def test_a_solver_random_places_and_ions_of_files(self):
        duplex, folder = DUPLEX.read_text(), self.folder.parent / "placed"
        folder.mkdir()
        run_program("place", DUPLEX, "--ion", "MG:2", "-o", self.folder / "one.sites.pdb", "--quiet")
        self.write(one__pqr=duplex)
        (folder / "one.mine.pdb").write_text((self.folder / "one.sites.pdb").read_text())
        (folder / "one.other.cif").write_text("")
        code, out, messages, rows = self.run_script("--protocol", "coulomb", "--protocol", "hybrid", "--placed", folder)
        self.assertEqual(code, 1, messages)
        self.assertIn("one: placed:other: ", messages)
        self.assertEqual(list(dict.fromkeys(row[0] for row in rows)),
                         ["coulomb", "hybrid", "random", "random-3.5", "placed:mine", "placed:other"])
        self.assertEqual(rows["coulomb", "one", 3]["recall"], "1")
        self.assertEqual(rows["hybrid", "all", 3]["ions"], "2")
        self.assertLess(float(rows["random", "all", 2]["recall"]), 0.5)
        self.assertGreater(float(rows["random-3.5", "all", 8]["matched"]), 0)
        self.assertEqual(rows["placed:mine", "all", 2]["recall"], "1")
        more = self.run_script("--protocol", "coulomb", "--per-site", "1.5", "--ion", "MG:sites", "--ion", "NA:1")[3]
        self.assertEqual(more["coulomb", "one", 2]["ions"], "4")
        (folder / "one.mine.gro").write_text("")
        self.assertIn("are both the ions mine of one", self.run_script("--placed", folder)[2])

    def test_sites_count_by_their_occupancy_where_that_is_asked_for(self):
        placed = self.folder.parent / "placed"
        placed.mkdir()
        self.write(a__pqr=TWO_ATOMS, a__sites__pdb=site(20, 0, 0) + site(40, 0, 0, 0.25))
        (placed / "a.mine.pdb").write_text(site(40, 1, 0))
        words = "--protocol", "coulomb", "--placed", placed
        self.assertEqual(self.run_script(*words)[3]["placed:mine", "all", 2]["weighted_recall"], "")
        code, out, _, rows = self.run_script(*words, "--site-weights", "occupancy")
        self.assertEqual((code, rows["placed:mine", "all", 2]["weighted_recall"], rows["placed:mine", "all", 2]["recall"]),
                         (0, "0.2", "0.5"))
        self.assertEqual(rows["random", "all", 2]["weighted_recall"], "")
        self.assertIn("by weight, 3 A", out)
        self.assertIn("a: ", self.run_script(*words, "--site-weights", "bfactor")[2])

    def test_shares_are_of_all_sites_and_the_interval_keeps_families_together(self):
        entries = [compare_set.Entry(str(n), family=family) for n, family in enumerate("xyzx")]

        def score(sites, matched, ions):
            return compare_set.Score(ions, sites, [matched] * len(compare_set.DISTANCES_A))

        scores = {"0": score(10, 10, 20), "1": score(30, 0, 30), "3": score(10, 10, 10)}
        pool = compare_set.pooled(scores, entries, 1)
        self.assertEqual((pool["entries"], pool["sites"], pool["within"][1]["recall"]), (3, 50, 0.4))
        self.assertAlmostEqual(pool["within"][1]["precision"], 20 / 60)
        self.assertEqual(pool["within"][1]["recall_95"], [0.0, 1.0])  # both x, both y or one of each
        together = [compare_set.Entry(str(n), family="x") for n in range(4)]
        self.assertEqual(compare_set.pooled(scores, together, 1)["within"][1]["recall_95"], [0.4, 0.4])
        self.assertEqual(compare_set.pooled({}, entries, 1)["within"][0]["recall"], 0.0)
        alike = [compare_set.Entry(str(n), family=str(n)) for n in range(100)]
        pool = compare_set.pooled({e.name: score(1, int(n < 30), 1) for n, e in enumerate(alike)}, alike, 5)
        low, high = pool["within"][0]["recall_95"]
        sigma = np.sqrt(0.3 * 0.7 / 100)  # binomial; the ends are hundredths, and those of 2,000 draws within 0.015
        self.assertLess(abs(low - (0.3 - 1.96 * sigma)), 0.026)
        self.assertLess(abs(high - (0.3 + 1.96 * sigma)), 0.026)

    def test_hits_by_clusters_distances_and_acceptors(self):
        self.assertEqual(site_hits.cluster_centres([[0, 0, 0], [20, 0, 0], [4, 0, 0], [8, 0, 0]]).tolist(), [[4, 0, 0], [20, 0, 0]])
        self.assertEqual(site_hits.cluster_centres([[0, 0, 0], [5, 0, 0]]).tolist(), [[2.5, 0, 0]])  # exactly 5 A counts
        # One ion for two sites, and one that only the first site can leave to the second.
        self.assertEqual(site_hits.found_sites([[2, 0, 0]], [[0, 0, 0], [4, 0, 0]], 3.0).tolist(), [True, False])
        self.assertEqual(site_hits.found_sites([[1, 0, 0], [3, 0, 0]], [[1.5, 0, 0], [-1, 0, 0]], 2.0).tolist(), [True, True])
        found = site_hits.hits([[1, 0, 0], [50, 0, 0], [54, 0, 0]], np.array([[0, 0, 0], [52, 3, 0], [90, 0, 0]]), np.array([0, 4, 9]), 3.0)
        self.assertEqual((found.clusters, found.near_site, found.near_cluster, found.distances_A), (2, 2, 2, [1, 3]))
        self.assertEqual(found.by_kind, [(1, 1), (0, 0), (0, 1), (0, 0), (0, 1)])
        both = found + found
        self.assertEqual((both.clusters, both.by_kind[0], len(both.distances_A)), (4, (2, 2), 4))
        self.assertEqual(site_hits.hits(np.zeros((0, 3)), np.zeros((2, 3)), np.array([1, 2]), 3.0).by_kind[1], (0, 2))
        atoms = SimpleNamespace(names=["O1", "N7", "C1", "O2", "NA"], residues=["G", "G", "G", "G", "NA"],
                                positions=[[0, 0, 0], [4.6, 0, 0], [0, 1, 0], [0, 0, 4.7], [1, 0, 0]])
        self.assertEqual(site_hits.acceptors_near(atoms, [[0, 0, 0], [30, 0, 0]]).tolist(), [2, 0])

    def test_the_second_table_is_at_the_number_of_ions_that_a_row_has(self):
        placed = self.folder.parent / "placed"
        placed.mkdir()
        self.write(a__pqr=TWO_ATOMS, a__sites__pdb=site(20, 0, 0) + site(4, 0, 0))
        (placed / "a.mine.pdb").write_text(site(20, 1, 0) + site(60, 0, 0) + site(60, 3, 0) + site(60, 90, 0))
        out = self.run_script("--protocol", "coulomb", "--placed", placed)[1]
        row = [line.split() for line in out.splitlines() if line.startswith("placed:mine")][-1]
        self.assertEqual(row[1:], ["50.0", "25.0", "50.0", "33.3", "1.00", "100.0", "0.0", "-", "-", "-"])

    def test_families_and_files_that_make_no_set(self):
        self.write(a__pqr="x", a__sites__pdb="x", b__pqr__gz="x", b__sites__pdb="x", families__tsv="entry\tatoms\tfamily\na\t12\tF1\n")
        entries, families, problems, notes = compare_set.read_set(self.folder)
        self.assertEqual([(e.name, e.family, e.structure.name) for e in entries], [("a", "F1", "a.pqr"), ("b", "of b", "b.pqr.gz")])
        self.assertEqual((len(notes), problems, families), (1, [], {"a": "F1"}))
        for text, problem in (("name\tfamily\na\tF1\n", "families.tsv:1: there is no column 'entry'"),
                              ("entry\tfamily\n\nb\n", "families.tsv:3: the line has no entry")):
            self.write(families__tsv=text)
            self.assertIn(problem, self.run_script()[2])
        self.write(a__pqr__gz="x")
        self.assertIn("both the structure of one entry", self.run_script()[2])
        for words, problem in (("--per-site", "0"), "must be more than 0"), (("--ion", "MG:neutralize"), "COUNT is a number"), (
                ("--placed", "none"), "is not a folder"), (("--protocol", "hybird"), "invalid choice"):
            messages = io.StringIO()
            with self.subTest(words), self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(messages):
                compare_set.main([str(self.folder), *words])
            self.assertEqual(ended.exception.code, 2)
            self.assertIn(problem, messages.getvalue())


if __name__ == "__main__":
    main()
