# SPDX-License-Identifier: BSD-3-Clause
"""The commands whose results are kept: {name: [words of each command]}, run one after the other in a folder of their own.

Words are as a user types them, inputs by their names in the folder. The first word is a command of ionwell, or cionize.
"""
COARSE = "--spacing 1.5 --border 8 --method direct"  # which method is faster differs between machines
IONS = "--ion MG:3 --ion NA:neutralize"

CASES = {
    "place": [f"place duplex.pqr {IONS} {COARSE} -o ions.pdb --report run.json --html page.html --save-map map.dx"
              " --save-map-after after.mrc", "compare ions.pdb ions.pdb --random-around duplex.pqr"],
    "place-views": [f"place rod.pqr --ion MG:2 {COARSE} -o ions.pdb --with-solute --save-map map.dx --view vmd",
                    f"place rod.pqr --ion MG:2 {COARSE} -o ions.cif --view pymol",
                    f"place rod.pqr --ion MG:2 {COARSE} -o more.pdb --view chimerax"],
    "place-formats": [f"place rod.pqr --ion MG:3 --ion CL:1 --ion XX:1:+1.5 {COARSE} --with-solute --quiet -o ions{ending}"
                      for ending in (".cif", ".gro", ".pqr", ".crd", ".rst7", ".xyz", ".pdb.gz")],
    "place-names": [f"place rod.pqr --ion MG:2 --ion NA:1 --ion CL:1 {COARSE} --quiet --ion-names {names} -o {names}.pdb"
                    " --pdb-serials hybrid36" for names in ("charmm", "amber", "gromacs")],
    "place-water-shells": [f"place duplex.pqr --ion MG:2 --ionic-strength 0.15 {COARSE} --hydrate MG {more}"
                           for more in ("-o waters.pdb", "--hydrate-as residue -o residue.cif", "--for amber -o folder")],
    "place-physics": [f"place duplex.pqr --ion MG:2 {COARSE} {more}" for more in (
        "--ddd 3 -o ddd.pdb", "--ionic-strength 0.1 --temperature 310 -o dh.pdb",
        "--tune no-refine -o not-refined.pdb", "--model site-terms -o terms.pdb",
        "--ion NA:40 --max-energy -600 --allow-fewer -o fewer.pdb")] +
                     ["place duplex.pqr --ion MG:2 --spacing 1.5 --method direct --box -5,-15,-15,30,15,15 -o box.pdb",
                      "place duplex.pqr --ion MG:2 --spacing 1.5 --border 8 --method msm -o msm.pdb"],
    "place-pb": [f"place rod.pqr --ion MG:2 --ion NA:4 --pb own --pb-every 3 --pb-energy --spacing 1.5 --border 16 -o ions.pdb"
                 " --report run.json", f"map rod.pqr --pb own --spacing 1.5 -o pb.dx",
                 "place rod.pqr --map pb.dx --ion NA:5 -o in-map.pdb --report in-map.json",
                 "place rod.pqr --map pb.dx --tune map-interpolation=tricubic --update coulomb --spacing 1 --ion NA:3 -o cubic.pdb"],
    "place-selection": [f"place duplex.pqr --solute 'resname DA or resname DT' --ignore 'name P' --ion NA:2 {COARSE}"
                        " -o part.pdb"],
    "refused": ["place rod.pqr --ion QQ:1 -o no.pdb", "place none.pqr --ion MG:1 -o no.pdb", "place rod.pqr",
                "info place.in", "place rod.pqr --ion MG:900 --spacing 3 -o no.pdb", "map rod.pqr -o no.xyz"],
    **{f"place-for-{engine}": [f"place duplex.pqr {IONS} {COARSE} --for {engine} -o folder"]
       for engine in ("amber", "charmm", "openmm", "vmd")},
    "place-for-charmm-psf": [f"place dna.psf dna.pdb {IONS} {COARSE} --for charmm -o folder"],
    "place-for-gromacs": [f"place topol.top conf.gro --input-water ignore --ion MG:2 --ion NA:1 {COARSE} --for gromacs"
                          " -o folder"],
    "solvate": ["solvate rod.pqr --padding 6 -o wet.pqr --report wet.json", "info wet.pqr --input-water solute",
                f"place wet.pqr --ion MG:2 --salt NaCl:0.2 -o salted.pdb --report salted.json"],
    "solvate-formats": [f"solvate rod.pqr --padding 5 --quiet {more}" for more in (
        "--water-model spce -o wet.gro", "--water-model opc --cell-shape octahedron -o wet.cif", "--orient -o wet.crd",
        "--cell-shape dodecahedron -o wet.rst7", "--water-model tip5p -o wet.xyz")] +
                       ["solvate rod.pqr --cell 50,24,24 --quiet -o wet.pdb.gz"],
    **{f"solvate-for-{engine}": [f"solvate duplex.pqr --padding 5 --for {engine} -o folder"]
       for engine in ("amber", "charmm", "openmm", "vmd")},
    "solvate-for-gromacs": ["solvate topol.top conf.gro --padding 5 --for gromacs -o folder"],
    "prepare": ["prepare duplex.pqr --ion MG:4 --salt NaCl:0.15 --padding 6 -o system.gro --report run.json"
                " --html page.html"],
    **{f"prepare-for-{engine}": [f"prepare duplex.pqr --ion MG:2 --salt NaCl:0.3 --padding 7 --cell-shape {shape} --for {engine}"
                                 " -o folder"]
       for engine, shape in (("amber", "octahedron"), ("charmm", "hexagonal"), ("openmm", "cube"), ("vmd", "cube"))},
    "prepare-for-gromacs": ["prepare topol.top conf.gro --ion MG:1 --salt NaCl:0.3 --padding 7 --for gromacs -o folder"
                            " --salt-by energy"],
    "prepare-sites": ["prepare duplex.pqr --model sites --ion MG:3 --hydrate MG:6 --salt NaCl:0.15 --padding 6 -o system.pdb"
                      " --report run.json --html page.html --save-preset preset.json",
                      "prepare duplex.pqr --preset preset.json --water-model opc -o system.cif --quiet"],
    **{f"prepare-sites-for-{engine}": [f"prepare duplex.pqr --model sites --ion MG:2 --hydrate MG:6 --ion NA:neutralize --padding 5"
                                       f" --for {engine} -o folder"] for engine in ("amber", "charmm", "openmm", "vmd")},
    "place-around-sites": ["place duplex.pqr --model sites --ion MG:likely:0.07 --ion NA:neutralize --ionic-strength 0.15"
                           " --hydrate MG:6 -o ions.pdb --report run.json",
                           "prepare duplex.pqr --model sites --ion MG:likely:0.07 --hydrate MG:6 --ion NA:neutralize --padding 5"
                           " --for amber -o folder"],
    "prepare-sites-for-gromacs": ["prepare topol.top conf.gro --model sites --ion MG:1 --hydrate MG:6 --salt NaCl:0.3 --padding 7"
                                  " --for gromacs -o folder"],
    "map-formats": [f"map rod.pqr --method direct --spacing 2 --border 6 --quiet -o rod{ending}"
                    for ending in (".dx", ".dx.gz", ".dxbin", ".h5", ".cmap", ".mrc", ".ccp4", ".cube", ".grd")],
    "map": [f"map duplex.pqr {COARSE} --to-unit mV -o duplex.dx --report run.json", "info duplex.dx",
            "map duplex.pqr --spacing 1.5 --method msm --tune msm-basis=cubic -o msm.mrc"],
    "convert-maps": ["map rod.pqr --method direct --spacing 2 -o a.dx", "convert a.dx b.mrc", "convert b.mrc c.cube",
                     "convert c.cube d.grd --to-unit kcal/mol/e", "convert d.grd e.dx"],
    "convert-structures": [f"convert {names} {out}" for names, out in (
        ("duplex.pqr", "a.pdb"), ("duplex.pqr", "b.cif"), ("dna.psf dna.pdb", "c.pqr"), ("dna.psf dna.pdb", "d.crd"),
        ("b.cif", "e.gro"), ("topol.top conf.gro", "f.pqr"), ("duplex.pqr run.dcd --frame 3", "g.rst7"), ("duplex.pqr", "h.xyz"))],
    "info": ["info duplex.pqr --report info.json", "info dna.psf dna.pdb", "info topol.top conf.gro"],
    "info-seeds": [f"info seeds/{names}" for names in (
        "structures/seed-blanks.pqr", "structures/seed-columns.pqr", "structures/seed-touching.pqr",
        "structures/seed-two-members.pqr.gz", "amber/seed.mol2", "maps/seed-apbs.dx", "maps/seed-cmap.h5",
        "maps/seed-ionwell.ccp4", "maps/seed-ionwell.cube", "maps/seed-ionwell.grd", "maps/seed-ionwell.dxbin")],
    "compare": ["compare rod.pqr set/one.sites.pdb --ion MG:2 --protocol coulomb --protocol ddd --protocol iterated --pb own"
                " --report table.json"],
    "potential": [f"potential rod.pqr --at points.csv {more}" for more in (
        "--method direct -o values.csv --report run.json", "--method direct --ionic-strength 0.15 --alpb -o alpb.csv",
        "--method hcp -o hcp.csv", "--method msm -o multilevel.csv")] +
                 ["potential rod.pqr --at points.xyz --method direct -o values.xyz", "potential rod.pqr --at rod.pqr --method direct --dielectric 80 -o at.pqr",
                  "potential duplex.pqr --at dna.pdb --method direct --ionic-strength 0.15 -o at.pdb"],
    "potential-surfaces": [f"potential rod.pqr --method direct --ionic-strength 0.15 --surface {kind} --edge-length 1.5 -o {kind}{ending}"
                           for kind, ending in (("ses", ".ply"), ("sas", ".obj"), ("vdw", ".vtk"), ("gaussian", ".pml"),
                                                ("ses", ".csv"))],
    "average": ["average duplex.pqr run.dcd --method direct --spacing 2 --border 6 --statistics mean,sd,se --blocks 3 -o mean.dx --report run.json",
                "average dna.psf run.dcd --method direct --fit 'name P' --first 2 --every 2 --spacing 2 --border 6 -o fitted.mrc"],
    "sample": ["sample rod.pqr --ion NA:neutralize --spacing 2 --wall-distance 9 --replicas 2 --sweeps 400 --equilibration 40 --sample-every 5"
               " --blocks 2 -o ions.pdb --report run.json --rdf rdf.csv --around 'name P' --density density.dx",
               "sample rod.pqr --ion NA:4 --salt NaCl:0.1 --tune bulk-sweeps=100 --spacing 2 --wall-distance 9 --replicas 2 --sweeps 300"
               " --equilibration 40 --blocks 2 -o salt.pdb",
               "sample rod.pqr --ion NA:neutralize --sampler bd --steps 400 --equilibration 40 --spacing 2 --wall-distance 9 --replicas 2"
               " --blocks 2 -o bd.pdb"],
    "cionize": ["cionize -i place.in -m multigrid rod.pqr", "map rod.pqr --method direct --spacing 1 --border 6 -o rod.dx",
                "cionize -i gridfile.in rod.pqr"],
    "completion": ["completion bash", "completion zsh", "completion fish"],
}
