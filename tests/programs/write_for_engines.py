#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Has an engine take the folder that 'ionwell place --for ENGINE' writes, from the user's structure to steps of dynamics.

    write_for_engines.py PROGRAM IONWELL STRUCTURE.pqr [STEPS]

PROGRAM: gromacs, openmm, mdanalysis (which reads what is written for AMBER, CHARMM and VMD). STEPS of dynamics: 100, or
as many as are given. Prints "skipped: " and why, and ends with 77, where PROGRAM is not installed.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness import check, need, skip
from peptide import make_peptide
from read_our_ions import Gromacs, solutes

MDP = """integrator = {integrator}
nsteps = {steps}
dt = 0.002
constraints = h-bonds
coulombtype = PME
rcoulomb = 1.0
rvdw = 1.0
cutoff-scheme = Verlet
tcoupl = {thermostat}
tc-grps = System
tau-t = 0.5
ref-t = 300
gen-vel = yes
gen-temp = 300
gen-seed = 1
"""


def ionwell_place(ionwell, folder, *words):
    subprocess.run([ionwell, "place", *words, "--spacing", "1", "--quiet"], cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)


def inputs(folder, ionwell, structure):
    """A name, a PDB file, and what is asked of it, for DNA, RNA and a protein."""
    found = {}
    for name, pqr in solutes(folder, structure).items():
        path = os.path.join(folder, f"{name}.pdb")
        subprocess.run([ionwell, "convert", pqr, path, "--quiet"], check=True)
        found[name] = (path, ["--ion", "MG:4", "--ion", "NA:neutralize"])
    path = os.path.join(folder, "protein.pdb")
    make_peptide(path, 12)
    found["protein"] = (path, ["--ion", "MG:1", "--ion", "CL:2"])
    return found


def counts_of(topology):
    """The last entries of [ molecules ] by name."""
    with open(topology) as file:
        lines = file.read().split("[ molecules ]")[1].splitlines()
    return [tuple(line.split()[:2]) for line in lines if line.strip() and not line.strip().startswith(";")]


def with_gromacs(folder, ionwell, structure, steps):
    gmx = Gromacs(folder)
    gromacs_tree(folder, ionwell, structure)
    for name, (pdb, ions) in inputs(folder, ionwell, structure).items():
        for field in ("amber99sb-ildn", "charmm27"):
            strands = 2 if name != "protein" else 0
            termini = ("-ter",) if field == "charmm27" and strands else ()
            gmx.run("pdb2gmx", "-f", pdb, "-ff", field, "-water", "tip3p", "-ignh", "-o", "conf.gro", "-p", "topol.top",
                    *termini, answers="2\n4\n" * strands)  # 5' and 3'
            with open(gmx.path("topol.top")) as file:
                before = file.read()
            out = f"{name}-{field}"
            ionwell_place(ionwell, folder, "topol.top", "conf.gro", *ions, "--for", "gromacs", "-o", out)
            with open(gmx.path("topol.top")) as file:
                check(file.read() == before, "the user's topology was changed")
            top, gro = os.path.join(out, "topol.top"), os.path.join(out, "conf.gro")
            for step, integrator, thermostat in (("min", "steep", "no"), ("md", "md", "v-rescale")):
                with open(gmx.path(f"{step}.mdp"), "w") as file:
                    file.write(MDP.format(integrator=integrator, thermostat=thermostat,
                                          steps=200 if step == "min" else steps))
            gmx.run("editconf", "-f", gro, "-o", "box.gro", "-d", "1.1")
            gmx.run("solvate", "-cp", "box.gro", "-p", top, "-o", "solvated.gro")
            said = gmx.run("grompp", "-f", "min.mdp", "-c", "solvated.gro", "-p", top, "-o", "min.tpr")
            check("WARNING" not in said and "total charge" not in said, f"grompp, {out}: " + said[-3000:])
            check("atom name" not in said, f"grompp, {out}: names differ: " + said[-3000:])
            gmx.run("mdrun", "-nt", "2", "-deffnm", "min")
            gmx.run("grompp", "-f", "md.mdp", "-c", "min.gro", "-p", top, "-o", "md.tpr", "-maxwarn", "0")
            said = gmx.run("mdrun", "-nt", "2", "-deffnm", "md")
            check("LINCS WARNING" not in said and "Finished mdrun" in open(gmx.path("md.log")).read(), f"mdrun, {out}")
            index = gmx.run("check", "-n", os.path.join(out, "index.ndx"))
            check("PlacedIons" in index, "index.ndx: " + index[-800:])
            print(f"gmx mdrun, {out}: {steps} steps of {counts_of(gmx.path(top))}")


def gromacs_tree(folder, ionwell, structure):
    """A force field in a folder of the user, whose files include each other, and [ molecules ] in an included file."""
    gmx = Gromacs(folder)
    pdb, ions = inputs(folder, ionwell, structure)["DNA"]
    gmx.run("pdb2gmx", "-f", pdb, "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh", "-o", "tree.gro", "-p", "made.top")
    field = "amber99sb-ildn.ff"
    found = [os.path.join(path, field) for path in (os.path.join(os.environ.get("GMXDATA", ""), "top"), "/usr/share/gromacs/top",
                                                    "/usr/local/gromacs/share/gromacs/top")]
    shutil.copytree(next(path for path in found if os.path.isdir(path)), gmx.path("user/toppar/" + field))
    os.mkdir(gmx.path("user/sys"))
    with open(gmx.path("made.top")) as file:
        text = file.read()
    for name in set(re.findall(r'#include "(?!amber)(\S+)"', text)):
        os.rename(gmx.path(name), gmx.path("user/sys/" + name))
    head, molecules = text.replace(f'#include "{field}/', f"#include \"../toppar/{field}/").split("[ system ]")
    with open(gmx.path("user/toppar/molecules.itp"), "w") as file:
        file.write("[ system ]" + molecules)
    with open(gmx.path("user/sys/topol.top"), "w") as file:
        file.write(head + "#include <molecules.itp>\n")
    ionwell_place(ionwell, folder, "user/sys/topol.top", "tree.gro", *ions, "--include", "user/toppar", "--for", "gromacs", "-o", "tree")
    os.rename(gmx.path("user"), gmx.path("gone"))
    with open(gmx.path("tree.mdp"), "w") as file:
        file.write(MDP.format(integrator="steep", thermostat="no", steps=5))
    gmx.run("editconf", "-f", "tree/conf.gro", "-o", "tree_box.gro", "-d", "1.1")
    said = gmx.run("grompp", "-f", "tree.mdp", "-c", "tree_box.gro", "-p", "tree/topol.top", "-o", "tree.tpr")
    check("WARNING" not in said and "total charge" not in said, "grompp, tree: " + said[-3000:])
    print("gmx grompp: a topology with its tree of includes, and [ molecules ] in one of them")


def with_openmm(folder, ionwell, structure, steps):
    need("openmm")
    for name, (pdb, ions) in inputs(folder, ionwell, structure).items():
        # CHARMM36 of OpenMM 7.7 has no free ends of DNA and RNA.
        for field in ("amber14", "charmm36") if name == "protein" else ("amber14",):
            out = f"{name}-{field}"
            source = pdb if name == "protein" else os.path.join(folder, "rna.pqr") if name == "RNA" else structure
            if name == "protein":
                with_hydrogens(pdb)
                source = os.path.join(folder, "protein.pqr")
                make_charges(pdb, source)
            ionwell_place(ionwell, folder, source, *ions, "--for", "openmm", "-o", out)
            said = subprocess.run([sys.executable, "run.py", field, str(steps)], cwd=os.path.join(folder, out),
                                  capture_output=True, text=True)
            check(said.returncode == 0, f"openmm, {out}: " + said.stderr[-2000:])
            energies = [float(e) for e in re.findall(r"(\S+) kJ/mol", said.stdout)]
            check(len(energies) == 2 and all(e == e for e in energies), f"openmm, {out}: {said.stdout}")
            print(f"openmm, {out}: {said.stdout.split()}")


def with_hydrogens(pdb):
    """Adds the protein's hydrogens."""
    from openmm import app
    structure = app.PDBFile(pdb)
    model = app.Modeller(structure.topology, structure.positions)
    model.addHydrogens(app.ForceField("amber14-all.xml"))
    with open(pdb, "w") as file:
        app.PDBFile.writeFile(model.topology, model.positions, file, keepIds=True)


def make_charges(pdb, pqr):
    """A PQR with the charges of AMBER14."""
    from openmm import NonbondedForce, app, unit
    structure = app.PDBFile(pdb)
    system = app.ForceField("amber14-all.xml").createSystem(structure.topology)
    force = next(f for f in system.getForces() if isinstance(f, NonbondedForce))
    with open(pqr, "w") as file:
        for atom, position in zip(structure.topology.atoms(), structure.positions.value_in_unit(unit.angstrom)):
            charge = force.getParticleParameters(atom.index)[0].value_in_unit(unit.elementary_charge)
            file.write(f"ATOM {atom.index + 1} {atom.name} {atom.residue.name} A {atom.residue.id} {position[0]:.3f} "
                       f"{position[1]:.3f} {position[2]:.3f} {charge:.6f} 1.5\n")


def with_mdanalysis(folder, ionwell, structure, _steps):
    universe = need("MDAnalysis").Universe
    ions = ["--ion", "MG:4", "--ion", "NA:neutralize"]
    for engine in ("amber", "charmm", "vmd"):
        ionwell_place(ionwell, folder, structure, *ions, "--for", engine, "-o", engine)
        path = os.path.join(folder, engine)
        parts = [universe(os.path.join(path, name)) for name in sorted(os.listdir(path)) if name.endswith(".pdb")]
        atoms = sum(len(part.atoms) for part in parts)
        with open(structure) as file:
            solute = sum(line.startswith(("ATOM", "HETATM")) for line in file)
        check(atoms == solute + 18, f"{engine}: {atoms} atoms instead of {solute + 18}")
        names = [residue.resname for part in parts for residue in part.residues if len(residue.atoms) == 1]
        expected = {"amber": ["MG", "Na+"], "charmm": ["MG", "SOD"], "vmd": ["MG", "SOD"]}[engine]
        check(names == [expected[0]] * 4 + [expected[1]] * 14, f"{engine}: ions {names}")
        if engine == "charmm":
            for part in parts:
                check(len(part.segments) == 1 and len(part.segments[0].segid) <= 4, f"segments {part.segments}")
                ids = [(r.resid, r.icode) for r in part.residues]
                check(len(set(ids)) == len(ids) and max(ids)[0] <= 9999, "residue numbers are not unique")
        scripts = {"amber": "leap.in", "charmm": "psfgen.tcl", "vmd": "view.tcl"}
        with open(os.path.join(path, scripts[engine])) as file:
            script = file.read()
        for name in os.listdir(path):
            check(name == scripts[engine] or name in script, f"{scripts[engine]} does not read {name}")
        print(f"{engine}: {atoms} atoms in {len(parts)} files")


def main():
    program, ionwell, structure = sys.argv[1:4]
    steps = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    engines = {"gromacs": with_gromacs, "openmm": with_openmm, "mdanalysis": with_mdanalysis}
    if program not in engines:
        skip(f"no test for {program}")
    with tempfile.TemporaryDirectory() as folder:
        engines[program](folder, ionwell, structure, steps)


if __name__ == "__main__":
    main()
