"""What the keywords mean, by function. Made by scripts/update-stubs from the program's table of options."""

KEYWORDS = {
    "place": {
        "ion_solute":
            "distance that ions keep from solute atoms [A] (default: 5)",
        "ion_ion":
            "smallest distance between two ions [A] (default: 5)",
        "max_energy":
            "stop when the next ion would have a higher energy than this, for example 0 [kT]",
        "allow_fewer":
            "write the placed ions even if there was no room for all (the exit code is still 3)",
        "model":
            "how ions are placed: by their energy in the potential (electrostatics), or where crystals of RNA have "
            "Mg2+, by a learned score (sites) or the three terms that it is made of (site-terms). Sites are for "
            "ions MG:COUNT, or with 'sites' also ions MG:likely[:P] as the first ions: ions are placed while the "
            "next one has a site within 3 A with a probability of at least P (0.2 if not given). They use a "
            "solution and distances of their own and are placed first; other ions are placed around them by their "
            "energy: None, 'sites', 'site-terms' (default: None)",
        "hydrate":
            "put N waters around each placed ion of this name, oriented for the lowest energy; solute acceptors "
            "within 2.6 A of the ion take the places of waters. N is 6 for MG, ZN and NA, and 7 for CA and K if not"
            " given. May be repeated",
        "hydrate_as":
            "how hydrated ions are written: their waters after all ions, or an MG with six waters as one residue "
            "MO6 without hydrogens, as in the PDB: 'waters', 'residue' (default: waters)",
        "boundary":
            "boundary of the box for distances and the potential: 'periodic', 'open' (default: periodic in the cell"
            " of a simulation)",
        "ion_names":
            "residue and atom names of ions: 'pdb', 'charmm', 'amber', 'gromacs' (default: pdb)",
        "spacing":
            "distance between lattice points [A] (default: 0.5; with pb 1)",
        "border":
            "distance from the solute's atoms to the faces of the lattice [A] (default: 10; with pb 8)",
        "box":
            "lattice between two corners [A], instead of border (default: automatic, by border)",
        "dielectric":
            "constant dielectric (default: 1, vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric: this value times the distance; 3 is common [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of this concentration [mol/L]",
        "temperature":
            "temperature, for energies and potentials in units of kT [K] (default: 298.15)",
        "map":
            "use the potential of this map instead of the solute's charges; may be repeated, and the finest map is "
            "used where several overlap (default: none)",
        "map_unit":
            "unit of maps that do not state it: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V' (default: from the "
            "file)",
        "update":
            "potential that a placed ion adds for later ions: 'debye-hueckel', 'coulomb', 'none' (default: debye-"
            "hueckel, at ionic_strength or 0.15 M; with pb coulomb, until the next solution)",
        "pb":
            "solver of the Poisson-Boltzmann equation (none: it is not solved): None, 'own', 'apbs' (default: None)",
        "pb_every":
            "solve the equation again after every N ions: 5 is the published hybrid protocol, 1 the iterated "
            "protocol (default: 5)",
        "pb_options":
            "setting of the equation, named as in the input of APBS: pdie=2, npbe, srfm=mol, etol=1e-5; may be "
            "repeated (default: none)",
        "pb_energy":
            "report the solvation energy [kJ/mol]: the energy of the charges in the solution minus that in a medium"
            " of the solute's dielectric without salt (pb own)",
        "radii":
            "radius of a placed ion [A]; may be repeated (default: its ionic radius (Shannon))",
        "method":
            "direct sum or multilevel summation; auto chooses the faster one; the ions are the same: 'auto', "
            "'direct', 'msm' (default: auto)",
        "accuracy":
            "in place of method: the largest relative error (no unit) of values on the lattice, with the cheapest "
            "sum that keeps it; the root mean square difference from exact sums divided by that of the potential, "
            "where ions can go; the ions are the same (default: off)",
        "backend":
            "where to compute; auto uses a GPU if that is faster; the ions are the same: 'auto', 'cpu', 'gpu' "
            "(default: auto)",
        "devices":
            "GPUs that may be used, numbered as in 'ionwell info': the first one holds the lattice, and others help"
            " to compute the potential where that saves more time than their start takes; a lattice too large for "
            "one GPU is distributed over all (default: the first one)",
        "threads":
            "number of threads, at most one for each core; 0: OMP_NUM_THREADS if it is set, otherwise one for each "
            "core (default: 0)",
        "model_file":
            "with model sites: model to use instead of the built-in one, from scripts/fit-sites (default: built in)",
        "hydrate_water":
            "geometry and charges of these waters: tip3p, spce (default: tip3p)",
        "map_interpolation":
            "interpolation between the points of a map whose lattice differs from that of the run: 'trilinear', "
            "'tricubic' (default: trilinear)",
        "update_dielectric":
            "dielectric of the potential of update (default: 78.54, water; for coulomb 40)",
        "pb_timeout":
            "time limit for one solution by APBS, 0 for none [s] (default: 7200)",
        "pb_program":
            "path of the program APBS (default: apbs)",
        "keep_scratch":
            "keep the files of the last APBS run in this folder, or in a new subfolder run-N if it is not empty",
        "msm_cutoff":
            "cutoff of the short-range part of multilevel summation, which is summed pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis functions of multilevel summation; the published ones are cubic, with msm_cutoff=12 "
            "msm_spacing=2: 'cubic', 'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "largest amount of memory to use on each GPU; a lattice that does not fit stays in host memory, and the"
            " GPUs compute it in parts [GB] (default: all that is free)",
        "simd":
            "instruction set of the inner loops; results agree except for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
        "refine":
            "False: choose points by the single-precision values of the lattice instead of double-precision sums",
    },
    "potential": {
        "unit":
            "unit of the written values: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V' (default: kT/e)",
        "spacing":
            "distance between lattice points [A] (default: 0.5; with pb 1)",
        "border":
            "distance from the solute's atoms to the faces of the lattice [A] (default: 10; with pb 8)",
        "box":
            "lattice between two corners [A], instead of border (default: automatic, by border)",
        "dielectric":
            "constant dielectric (default: 1, vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric: this value times the distance; 3 is common [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of this concentration [mol/L]",
        "temperature":
            "temperature, for energies and potentials in units of kT [K] (default: 298.15)",
        "pb":
            "solver of the Poisson-Boltzmann equation (none: it is not solved): None, 'own' (default: None)",
        "pb_options":
            "setting of the equation, named as in the input of APBS: pdie=2, npbe, srfm=mol, etol=1e-5; may be "
            "repeated (default: none)",
        "pb_energy":
            "report the solvation energy [kJ/mol]: the energy of the charges in the solution minus that in a medium"
            " of the solute's dielectric without salt (pb own)",
        "method":
            "direct sum or multilevel summation; auto chooses the faster one; values agree within multilevel "
            "summation's error: 'auto', 'direct', 'msm' (default: auto)",
        "accuracy":
            "in place of method: the largest relative error (no unit) of values on the lattice, with the cheapest "
            "sum that keeps it; the root mean square difference from exact sums divided by that of the potential, "
            "more than 1 A from all atoms (default: off)",
        "backend":
            "where to compute; auto uses a GPU if that is faster; values agree except for rounding: 'auto', 'cpu', "
            "'gpu' (default: auto)",
        "devices":
            "GPUs that may be used, numbered as in 'ionwell info': the first one holds the lattice, and others help"
            " to compute the potential where that saves more time than their start takes; a lattice too large for "
            "one GPU is distributed over all (default: the first one)",
        "threads":
            "number of threads, at most one for each core; 0: OMP_NUM_THREADS if it is set, otherwise one for each "
            "core (default: 0)",
        "msm_cutoff":
            "cutoff of the short-range part of multilevel summation, which is summed pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis functions of multilevel summation; the published ones are cubic, with msm_cutoff=12 "
            "msm_spacing=2: 'cubic', 'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "largest amount of memory to use on each GPU; a lattice that does not fit stays in host memory, and the"
            " GPUs compute it in parts [GB] (default: all that is free)",
        "simd":
            "instruction set of the inner loops; results agree except for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
        "alpb":
            "use the analytic linearised Poisson-Boltzmann potential outside the solute (Gordon, Fenley and "
            "Onufriev 2008); dielectric is then that of the solvent (water if not given)",
        "solute_dielectric":
            "dielectric of the solute for alpb (default: 4)",
        "map":
            "interpolate in this map instead of summing charges; may be repeated, and the finest map is used where "
            "several overlap (default: none)",
        "map_unit":
            "unit of maps that do not state it: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V' (default: from the "
            "file)",
        "map_interpolation":
            "interpolation between the points of a map or of the solution of pb: 'trilinear', 'tricubic' (default: "
            "trilinear)",
    },
    "solvate": {
        "padding":
            "distance from the solute to the faces of the cell; images of the solute are twice as far apart [A] "
            "(default: 12)",
        "cell_shape":
            "shape of the cell; a dodecahedron or octahedron needs the least water around a round solute that can "
            "rotate: 'cube', 'rectangular', 'dodecahedron', 'octahedron', 'hexagonal' (default: cube)",
        "cell":
            "periodic cell: lengths [A] and angles [degrees], which are 90 if not given (default: the smallest with"
            " padding)",
        "orient":
            "rotate the solute so that the cell is as small as possible",
        "cutoff":
            "cutoff of the forces in the simulation; ionwell warns if the solute is nearer to its own image [A] "
            "(default: 12)",
        "water_model":
            "water model: tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p (CHARMM's TIP3P with Lennard-Jones"
            " terms on hydrogens, 3 % denser) (default: tip3p)",
        "solute":
            "the atoms to use, for example 'nucleic or segid PROA' (default: all)",
        "ignore":
            "atoms to remove: they are neither counted nor written, for example 'resname SO4' (default: none)",
        "input_water":
            "use of the waters in STRUCTURE: they are removed, or kept however many there are: 'ignore', 'solute' "
            "(default: crystal waters are kept, bulk water is refused)",
        "assembly":
            "biological assembly to build from a PDB or mmCIF file, for example 1 (default: the coordinates of the "
            "file)",
        "frame":
            "frame of a trajectory to read; -1 is the last (default: 1)",
        "define":
            "define this word for the preprocessor of a GROMACS topology, like -D; may be repeated (default: none)",
        "include":
            "search this folder for files that a GROMACS topology includes, like -I; may be repeated (default: "
            "none)",
        "charges":
            "force field whose charges and hydrogens PDB2PQR assigns to a PDB or mmCIF file: 'amber', 'charmm', "
            "'parse', 'tyl06', 'peoepb', 'swanson' (default: the atoms of the file are used as they are)",
        "ph":
            "protonate proteins for this pH by PROPKA (propka3); otherwise residues have their standard states, and"
            " hydrogen bonds decide the protonation of histidines",
        "ligands":
            "file with the charges of a residue that PDB2PQR does not know, used for all residues of that name: "
            "mol2, or a topology without coordinates (prmtop, PSF, GROMACS .itp or .top). With engine amber also "
            "LEaP libraries and parameters (.lib, .off, .frcmod); leap.in loads these, and mol2 files with GAFF "
            "types. With engine charmm also CGenFF topologies and parameters (.rtf, .str, .prm), which psfgen.tcl "
            "reads. With engine openmm also force fields (.xml), which run.py reads. Charges of hydrogens that the "
            "entry lacks are added to their heavy atoms, except that with an .xml, or an .itp with engine gromacs, "
            "the hydrogens are built. May be repeated (default: none)",
        "five_phosphate":
            "phosphate at the 5' end of a nucleic acid: remove it, which leaves a hydroxyl, or keep it as HPO4-, "
            "charge -1: 'remove', 'keep' (default: remove)",
        "crystal_ions":
            "keep or ignore the ions of the crystal: 'keep', 'ignore' (default: keep)",
        "gap_ends":
            "ends of a protein where residues of a chain are missing: charged (NH3+ and COO-), as at the ends of "
            "the chain, or capped, which builds neutral caps (NME before the gap, ACE after it): 'charged', "
            "'capped' (default: charged)",
        "replace_nonstandard":
            "replace modified residues by the residues that they were made from: PSU by U, PTR by TYR, MSE by MET",
        "allow_missing":
            "leave out chain residues that have no charges, and atoms that PDB2PQR drops, instead of stopping with "
            "a list of them",
        "engine":
            "program that the system is for: what it needs is checked and made when files are read, and "
            "System.save(folder) writes its files, with the names of its force field: 'gromacs', 'amber', 'charmm',"
            " 'openmm', 'vmd'",
        "force_field":
            "GROMACS force field for the topology that pdb2gmx makes of a PDB or mmCIF file with engine gromacs: "
            "amber... or charmm27. The GROMACS of Debian has no OL3, OL15 or CHARMM36 (default: amber99sb-ildn)",
        "threads":
            "number of threads, at most one for each core; 0: OMP_NUM_THREADS if it is set, otherwise one for each "
            "core (default: 0)",
        "smallest_cavity":
            "fill a closed cavity only if it has room for this many waters (default: 3)",
    },
    "prepare": {
        "ion_solute":
            "distance that ions keep from solute atoms [A] (default: 5)",
        "ion_ion":
            "smallest distance between two ions [A] (default: 5)",
        "max_energy":
            "stop when the next ion would have a higher energy than this, for example 0 [kT]",
        "allow_fewer":
            "write the placed ions even if there was no room for all (the exit code is still 3)",
        "model":
            "how ions are placed: by their energy in the potential (electrostatics), or where crystals of RNA have "
            "Mg2+, by a learned score (sites) or the three terms that it is made of (site-terms). Sites are for "
            "ions MG:COUNT, or with 'sites' also ions MG:likely[:P] as the first ions: ions are placed while the "
            "next one has a site within 3 A with a probability of at least P (0.2 if not given). They use a "
            "solution and distances of their own and are placed before the water; other ions are placed by their "
            "energy: None, 'sites', 'site-terms' (default: None)",
        "hydrate":
            "put N waters around each placed ion of this name, oriented for the lowest energy; solute acceptors "
            "within 2.6 A of the ion take the places of waters. N is 6 for MG, ZN and NA, and 7 for CA and K if not"
            " given. May be repeated",
        "salt":
            "add salt of M mol/L of the water in the box, exactly balanced with the charge of the solute: "
            "NaCl:0.15, MgCl2:0.01. SIDE is below or above: only the water on that side of a membrane. May be "
            "repeated; the salts add up (default: none)",
        "scheme":
            "how the charge of the solute changes the number of ions: half by more counter-ions and half by fewer "
            "co-ions (split), as in equilibrium with a bath of that salt (sltcap), or by counter-ions in addition "
            "to the salt (add): 'split', 'sltcap', 'add' (default: split)",
        "salt_by":
            "place the other salt ions at random, or by energy like the counter-ions: 'random', 'energy' (default: "
            "random)",
        "seed":
            "seed of the random numbers that place salt; the same seed gives the same positions (default: 1)",
        "water_model":
            "water model: tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p (CHARMM's TIP3P with Lennard-Jones"
            " terms on hydrogens, 3 % denser) (default: tip3p)",
        "boundary":
            "boundary of the box for distances and the potential: 'periodic', 'open' (default: periodic in the cell"
            " of a simulation)",
        "water_acts":
            "include the charges of waters in the potential, instead of a dielectric",
        "near":
            "replace only waters within this distance of the selected atoms, for example 'nucleic:12' (default: all"
            " waters)",
        "not_near":
            "replace no water within this distance of the selected atoms (default: none)",
        "inside_z":
            "replace only waters in this range of z [A] (default: all z)",
        "padding":
            "distance from the solute to the faces of the cell; images of the solute are twice as far apart [A] "
            "(default: 12)",
        "cell_shape":
            "shape of the cell; a dodecahedron or octahedron needs the least water around a round solute that can "
            "rotate: 'cube', 'rectangular', 'dodecahedron', 'octahedron', 'hexagonal' (default: cube)",
        "cell":
            "periodic cell: lengths [A] and angles [degrees], which are 90 if not given (default: the smallest with"
            " padding)",
        "orient":
            "rotate the solute so that the cell is as small as possible",
        "cutoff":
            "cutoff of the forces in the simulation; ionwell warns if the solute is nearer to its own image [A] "
            "(default: 12)",
        "solute":
            "the atoms whose charges count and that keep ions away, for example 'nucleic or segid PROA' (default: "
            "all)",
        "ignore":
            "atoms to remove: they are neither counted nor written, for example 'resname SO4' (default: none)",
        "input_water":
            "use of the waters in STRUCTURE: they are removed, or kept however many there are: 'ignore', 'solute' "
            "(default: crystal waters are kept, bulk water is refused)",
        "assembly":
            "biological assembly to build from a PDB or mmCIF file, for example 1 (default: the coordinates of the "
            "file)",
        "frame":
            "frame of a trajectory to read; -1 is the last (default: 1)",
        "define":
            "define this word for the preprocessor of a GROMACS topology, like -D; may be repeated (default: none)",
        "include":
            "search this folder for files that a GROMACS topology includes, like -I; may be repeated (default: "
            "none)",
        "charges":
            "force field whose charges PDB2PQR assigns to a PDB or mmCIF file: 'amber', 'charmm', 'parse', 'tyl06',"
            " 'peoepb', 'swanson' (default: amber)",
        "ph":
            "protonate proteins for this pH by PROPKA (propka3); otherwise residues have their standard states, and"
            " hydrogen bonds decide the protonation of histidines",
        "ligands":
            "file with the charges of a residue that PDB2PQR does not know, used for all residues of that name: "
            "mol2, or a topology without coordinates (prmtop, PSF, GROMACS .itp or .top). With engine amber also "
            "LEaP libraries and parameters (.lib, .off, .frcmod); leap.in loads these, and mol2 files with GAFF "
            "types. With engine charmm also CGenFF topologies and parameters (.rtf, .str, .prm), which psfgen.tcl "
            "reads. With engine openmm also force fields (.xml), which run.py reads. Charges of hydrogens that the "
            "entry lacks are added to their heavy atoms, except that with an .xml, or an .itp with engine gromacs, "
            "the hydrogens are built. May be repeated (default: none)",
        "five_phosphate":
            "phosphate at the 5' end of a nucleic acid: remove it, which leaves a hydroxyl, or keep it as HPO4-, "
            "charge -1: 'remove', 'keep' (default: remove)",
        "crystal_ions":
            "keep or ignore the ions of the crystal: 'keep', 'ignore' (default: keep)",
        "gap_ends":
            "ends of a protein where residues of a chain are missing: charged (NH3+ and COO-), as at the ends of "
            "the chain, or capped, which builds neutral caps (NME before the gap, ACE after it): 'charged', "
            "'capped' (default: charged)",
        "replace_nonstandard":
            "replace modified residues by the residues that they were made from: PSU by U, PTR by TYR, MSE by MET",
        "allow_missing":
            "leave out chain residues that have no charges, and atoms that PDB2PQR drops, instead of stopping with "
            "a list of them",
        "engine":
            "program that the system is for: what it needs is checked and made when files are read, and "
            "System.save(folder) writes its files, with the names of its force field: 'gromacs', 'amber', 'charmm',"
            " 'openmm', 'vmd'",
        "force_field":
            "GROMACS force field for the topology that pdb2gmx makes of a PDB or mmCIF file with engine gromacs: "
            "amber... or charmm27. The GROMACS of Debian has no OL3, OL15 or CHARMM36 (default: amber99sb-ildn)",
        "ion_names":
            "residue and atom names of ions: 'pdb', 'charmm', 'amber', 'gromacs' (default: pdb)",
        "dielectric":
            "constant dielectric (default: 1, vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric: this value times the distance; 3 is common [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of this concentration [mol/L]",
        "temperature":
            "temperature, for energies and potentials in units of kT [K] (default: 298.15)",
        "backend":
            "where to compute; auto uses a GPU if that is faster; the ions are the same: 'auto', 'cpu', 'gpu' "
            "(default: auto)",
        "devices":
            "GPUs that may be used, numbered as in 'ionwell info': the first one holds the lattice, and others help"
            " to compute the potential where that saves more time than their start takes; a lattice too large for "
            "one GPU is distributed over all (default: the first one)",
        "threads":
            "number of threads, at most one for each core; 0: OMP_NUM_THREADS if it is set, otherwise one for each "
            "core (default: 0)",
        "model_file":
            "with model sites: model to use instead of the built-in one, from scripts/fit-sites (default: built in)",
        "salt_solute":
            "distance that ions of random salt keep from solute atoms [A] (default: as ion_solute)",
        "smallest_cavity":
            "fill a closed cavity only if it has room for this many waters (default: 3)",
        "keep_water":
            "keep waters within this distance of heavy atoms of the solute, its first shell [A] (default: 3.5)",
        "replace_crystal_water":
            "allow ions to replace waters of the crystal",
        "in_membrane":
            "also replace waters between lipid tails and in pores",
        "gpu_memory":
            "largest amount of memory to use on each GPU; a lattice that does not fit stays in host memory, and the"
            " GPUs compute it in parts [GB] (default: all that is free)",
        "simd":
            "instruction set of the inner loops; results agree except for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
    },
    "average": {
        "unit":
            "unit of the written values: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V' (default: kT/e)",
        "blocks":
            "number of equal blocks of consecutive frames, whose means give the standard error; a block should be "
            "much longer than the correlation time (default: 10)",
        "first":
            "first frame, counted from 1 over all files; -1 is the last, -2 the one before it (default: 1)",
        "last":
            "last frame (default: -1)",
        "every":
            "use every Nth frame (default: 1)",
        "fit":
            "rotate and translate each frame to fit these atoms to the reference (least squares, without weights), "
            "for example 'name CA or name P'",
        "reference":
            "coordinates of the same atoms for fit (default: the first frame)",
        "keep_images":
            "keep the periodic images of the trajectory; otherwise molecules that are broken across the boundary of"
            " the cell are made whole",
        "skip_bad_frames":
            "skip frames that are damaged or have impossible positions, instead of stopping",
        "solute":
            "the atoms whose potential is averaged, for example 'nucleic or segid PROA' (default: all)",
        "ignore":
            "atoms whose potential is left out, for example 'water or resname CLA' (default: none)",
        "input_water":
            "use of the waters: they are ignored, or part of the solute: 'ignore', 'solute' (default: solute, with "
            "a warning)",
        "define":
            "define this word for the preprocessor of a GROMACS topology, like -D; may be repeated (default: none)",
        "include":
            "search this folder for files that a GROMACS topology includes, like -I; may be repeated (default: "
            "none)",
        "spacing":
            "distance between lattice points [A] (default: 0.5)",
        "border":
            "distance from the solute's atoms to the faces of the lattice [A] (default: 10)",
        "box":
            "lattice between two corners [A], instead of border (default: automatic, by border)",
        "lattice_from":
            "frames whose atoms the lattice encloses: the first, or all, which are then read twice: 'first', 'all' "
            "(default: first)",
        "dielectric":
            "constant dielectric (default: 1, vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric: this value times the distance; 3 is common [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of this concentration [mol/L]",
        "temperature":
            "temperature, for energies and potentials in units of kT [K] (default: 298.15)",
        "boundary":
            "sum over the atoms alone, or over all periodic images of each frame's cell, with a neutralising "
            "background if the cell is charged: 'periodic', 'open' (default: open)",
        "ewald_factor":
            "with boundary periodic: write only the smooth part of the sum, of charges spread as Gaussians with "
            "this Ewald factor, like maps made from the grid of smooth particle-mesh Ewald, where 0.25 is common "
            "[1/A] (default: the whole sum)",
        "method":
            "direct sum or multilevel summation; auto chooses the faster one; values agree within multilevel "
            "summation's error: 'auto', 'direct', 'msm' (default: auto)",
        "accuracy":
            "in place of method: the largest relative error (no unit) of values on the lattice, with the cheapest "
            "sum that keeps it; the root mean square difference from exact sums divided by that of the potential, "
            "more than 1 A from all atoms (default: off)",
        "backend":
            "where to compute; auto uses a GPU if that is faster; values agree except for rounding: 'auto', 'cpu', "
            "'gpu' (default: auto)",
        "devices":
            "GPUs that may be used, numbered as in 'ionwell info': the first one holds the lattice, and others help"
            " to compute the potential where that saves more time than their start takes; a lattice too large for "
            "one GPU is distributed over all (default: the first one)",
        "threads":
            "number of threads, at most one for each core; 0: OMP_NUM_THREADS if it is set, otherwise one for each "
            "core (default: 0)",
        "msm_cutoff":
            "cutoff of the short-range part of multilevel summation, which is summed pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis functions of multilevel summation; the published ones are cubic, with msm_cutoff=12 "
            "msm_spacing=2: 'cubic', 'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "largest amount of memory to use on each GPU; a lattice that does not fit stays in host memory, and the"
            " GPUs compute it in parts [GB] (default: all that is free)",
        "simd":
            "instruction set of the inner loops; results agree except for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
    },
    "sample": {
        "salt":
            "ions in exchange with a solution of M mol/L: NaCl:0.15, MgCl2:0.01; may be repeated for a mixture. "
            "With sampler bd their number stays that at the end of the equilibration (default: none)",
        "radii":
            "radius of an ion [A]; about 2.1 represents an ion that keeps its water; may be repeated (default: its "
            "ionic radius (Shannon))",
        "repulsion":
            "repulsion between ions, and between ions and solute atoms: soft, as 1/r^12 with 1 kT at the sum of "
            "their radii, or a hard wall there: 'soft', 'hard' (default: soft)",
        "start":
            "start positions of the ions of ions: greedy, as 'ionwell place' places them; random; or a PDB file of "
            "ions (default: greedy)",
        "sampler":
            "Metropolis Monte Carlo (mc), or Brownian dynamics (Ermak and McCammon) after it (bd): 'mc', 'bd' "
            "(default: mc)",
        "sweeps":
            "length of the Monte Carlo run, in trial moves of each ion (default: 20000)",
        "steps":
            "length of the Brownian dynamics run, in time steps (default: 200000)",
        "time_step":
            "time step of Brownian dynamics [ps] (default: 0.01)",
        "diffusions":
            "diffusion constant of an ion [A^2/ps]; may be repeated (default: its value in water at 298.15 K, 0.133"
            " for NA)",
        "equilibration":
            "Monte Carlo sweeps before sampling begins (default: 2000)",
        "sample_every":
            "sweeps or steps between two samples (default: 10 sweeps or 100 steps)",
        "replicas":
            "independent runs whose samples are combined; they run in parallel on threads, or a thousand at a time "
            "on a GPU (default: 4)",
        "blocks":
            "number of blocks of each replica, whose means give the errors (default: 5)",
        "seed":
            "seed of the random numbers; the same seed gives the same result with any number of threads, and a "
            "different one on a GPU (default: 1)",
        "ion_names":
            "residue and atom names of ions: 'pdb', 'charmm', 'amber', 'gromacs' (default: pdb)",
        "density":
            "write the density of each ion [mol/L] to a map file: OpenDX (.dx, .dx.gz, .dxbin), HDF5 (.h5, .cmap), "
            "CCP4 (.mrc for ChimeraX and PyMOL, .ccp4 for Coot), cube (.cube) or UHBD (.grd); ions.dx becomes "
            "ions.NA.dx, ions.CL.dx ...",
        "around":
            "atoms for radial distributions of the ions around them, for example 'name P'; may be repeated "
            "(default: none)",
        "rdf_reach":
            "largest distance of the radial distributions [A] (default: 20)",
        "within":
            "count ions and their charge within these distances [A] of the nearest solute atom (default: 3,5,10)",
        "boundary":
            "boundary of the box: walls that reflect ions (open), or all periodic images of a rectangular cell "
            "(periodic, by Ewald summation): 'periodic', 'open' (default: open)",
        "cell":
            "periodic cell: lengths [A] and angles [degrees], which are 90 if not given (default: that of the "
            "structure; its angles must be 90)",
        "wall_distance":
            "distance from the solute's atoms to the walls of the open box [A] (default: 20; with map the extent of"
            " the maps)",
        "box":
            "open box between two corners [A], instead of wall_distance (default: automatic, by wall_distance)",
        "spacing":
            "distance between lattice points [A] (default: 0.5; with pb 1; with map that of the map)",
        "dielectric":
            "constant dielectric (default: 78.54, water)",
        "ddd":
            "distance-dependent dielectric: this value times the distance; 3 is common [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of this concentration [mol/L], which is not present as ions",
        "temperature":
            "temperature of the ions, and for units of kT [K] (default: 298.15)",
        "map":
            "use the potential of this map instead of the solute's charges; may be repeated, and the finest map is "
            "used where several overlap (default: none)",
        "map_unit":
            "unit of maps that do not state it: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V' (default: from the "
            "file)",
        "update":
            "potential between ions: 'debye-hueckel', 'coulomb', 'none' (default: debye-hueckel, at ionic_strength "
            "or 0.15 M)",
        "pb":
            "solver of the Poisson-Boltzmann equation (none: it is not solved): None, 'own' (default: None)",
        "pb_options":
            "setting of the equation, named as in the input of APBS: pdie=2, or ion=charge 2 conc 0.05 radius 2.0; "
            "may be repeated (default: none)",
        "method":
            "direct sum or multilevel summation; auto chooses the faster one; averages agree within their errors: "
            "'auto', 'direct', 'msm' (default: auto)",
        "accuracy":
            "in place of method: the largest relative error (no unit) of values on the lattice, with the cheapest "
            "sum that keeps it; the root mean square difference from exact sums divided by that of the potential, "
            "more than 1 A from all atoms (default: off)",
        "backend":
            "where to compute; auto uses a GPU if that is faster; averages agree within their errors: 'auto', "
            "'cpu', 'gpu' (default: auto)",
        "devices":
            "GPUs that may be used, numbered as in 'ionwell info': the first one holds the lattice, and others help"
            " to compute the potential where that saves more time than their start takes; a lattice too large for "
            "one GPU is distributed over all (default: the first one)",
        "threads":
            "number of threads, at most one for each core; 0: OMP_NUM_THREADS if it is set, otherwise one for each "
            "core (default: 0)",
        "bulk_sweeps":
            "length of the run that finds the chemical potential of salt (default: 1000)",
        "density_spacing":
            "edge of the cells of density and occupancy [A] (default: 1)",
        "rdf_step":
            "width of the bins of rdf [A] (default: 0.25)",
        "interpolation":
            "interpolation of potential and force between lattice points: from 8 points, or smooth from 64: "
            "'trilinear', 'bspline' (default: trilinear)",
        "map_interpolation":
            "interpolation between the points of a map whose lattice differs from that of the run: 'trilinear', "
            "'tricubic' (default: trilinear)",
        "update_dielectric":
            "dielectric of the potential of update (default: 78.54, water; for coulomb 40)",
        "msm_cutoff":
            "cutoff of the short-range part of multilevel summation, which is summed pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis functions of multilevel summation; the published ones are cubic, with msm_cutoff=12 "
            "msm_spacing=2: 'cubic', 'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "largest amount of memory to use on each GPU; a lattice that does not fit stays in host memory, and the"
            " GPUs compute it in parts [GB] (default: all that is free)",
        "simd":
            "instruction set of the inner loops; results agree except for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
    },
}
