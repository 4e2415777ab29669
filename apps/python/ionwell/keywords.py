"""What the keywords mean, by function. Made by scripts/update-stubs from the program's table of options."""

KEYWORDS = {
    "place": {
        "ion_solute":
            "ions stay farther than this from solute atoms [A] (default: 5)",
        "ion_ion":
            "no ion is nearer than this to another [A] (default: 5)",
        "max_energy":
            "stop before an ion of a higher energy, for example 0 [kT]",
        "allow_fewer":
            "write the ions placed even when not all found room (the exit code is still 3)",
        "hydrate":
            "put waters around the ions of this name once they are placed, N of them, turned for their lowest "
            "energy; acceptors of the solute within 2.6 A of an ion are in the places of waters (default: 6 for MG,"
            " ZN and NA, 7 for CA and K)",
        "hydrate_as":
            "how such an ion is written: behind all ions its waters, or, of an MG with six, one residue MO6 as in "
            "the PDB, without hydrogens: 'waters', 'residue' (default: waters)",
        "boundary":
            "whether the box repeats, for distances and potential: 'periodic', 'open' (default: periodic in a "
            "simulation's cell)",
        "spacing":
            "distance between lattice points [A] (default: 0.5; with pb 1)",
        "border":
            "how far the lattice reaches beyond the solute's atoms, on every side [A] (default: 10; with pb 8)",
        "box":
            "lattice between two corners [A], in place of border",
        "dielectric":
            "constant dielectric (default: 1, a vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric of this times the distance; 3 is usual [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of M mol/L [mol/L]",
        "temperature":
            "temperature of the kT in energies and potentials [K] (default: 298.15)",
        "map":
            "potential to place in, in place of the solute's charges; repeated, the finest map wins where several "
            "reach",
        "map_unit":
            "unit of the maps, where they do not say: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V'",
        "update":
            "how a placed ion acts on those after it: 'debye-hueckel', 'coulomb', 'none' (default: debye-hueckel, "
            "at ionic_strength, or 0.15 M; with pb coulomb, until the next solve)",
        "pb":
            "who solves the Poisson-Boltzmann equation; none: it is not solved: None, 'own', 'apbs' (default: None)",
        "pb_every":
            "ions placed before the equation is solved again: 5 is the published hybrid protocol, 1 the iterated "
            "one (default: 5)",
        "pb_options":
            "word of the equation in place of the usual one, as APBS's input has it: pdie=2, npbe, srfm=mol, "
            "etol=1e-5; may be repeated",
        "pb_energy":
            "report the energy of solvation [kJ/mol], the charges' in the solution less that in a medium of the "
            "solute's dielectric without salt (pb own)",
        "radii":
            "radius of a placed ion in A, in place of Shannon's; may be repeated",
        "model":
            "where ions are placed: by their energy in the potential, or where crystals of RNA show Mg2+ (ions "
            "MG:COUNT, or with 'sites' also MG:likely[:P] as the first ions: while each ion has a site within 3 A "
            "with the probability P or more, usually 0.2), by a learned score or by the three terms beneath it; "
            "these have a solution and distances of their own, and are placed first; other ions go around them by "
            "their energy: None, 'sites', 'site-terms' (default: None)",
        "ion_names":
            "whose residue and atom names ions get: 'pdb', 'charmm', 'amber', 'gromacs' (default: pdb)",
        "method":
            "direct sum or multilevel summation, auto for the faster one; the ions are the same: 'auto', 'direct', "
            "'msm' (default: auto)",
        "backend":
            "where to compute, auto for a GPU where that is faster; the ions are the same: 'auto', 'cpu', 'gpu' "
            "(default: auto)",
        "devices":
            "GPUs to use, as 'ionwell info' numbers them: the first keeps the lattice and the others help with the "
            "potential; a lattice too large for one is shared by all",
        "threads":
            "threads to compute with, at most one for each core; 0: as OMP_NUM_THREADS says, or else one for each "
            "(default: 0)",
        "hydrate_water":
            "geometry and charges of these waters: tip3p, spce (default: tip3p)",
        "map_interpolation":
            "interpolation between the points of a map, where the lattice is not its own: 'trilinear', 'tricubic' "
            "(default: trilinear)",
        "update_dielectric":
            "dielectric that a placed ion acts through (default: 78.54, water; for coulomb 40)",
        "pb_timeout":
            "longest time that one solve of APBS may take, 0 for no limit [s] (default: 7200)",
        "pb_program":
            "the program APBS (default: apbs)",
        "keep_scratch":
            "keep the files of APBS's last solve in this folder; if it is not empty, in a new subfolder run-N",
        "model_file":
            "with model sites: a model in place of the built-in one; scripts/fit-sites makes them",
        "msm_cutoff":
            "reach of the part that multilevel summation sums pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis of multilevel summation; cubic was published, with msm_cutoff=12 msm_spacing=2: 'cubic', "
            "'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "memory to use of each GPU at most; a lattice that does not fit stays in host memory, and the GPUs "
            "compute it part by part [GB] (default: what is free)",
        "simd":
            "instruction set of the inner loops; results agree but for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
        "refine":
            "False: choose on the lattice's single-precision values, not on double-precision sums",
    },
    "potential": {
        "unit":
            "unit of the values that are written: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V' (default: kT/e)",
        "spacing":
            "distance between lattice points [A] (default: 0.5; with pb 1)",
        "border":
            "how far the lattice reaches beyond the solute's atoms, on every side [A] (default: 10; with pb 8)",
        "box":
            "lattice between two corners [A], in place of border",
        "dielectric":
            "constant dielectric (default: 1, a vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric of this times the distance; 3 is usual [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of M mol/L [mol/L]",
        "temperature":
            "temperature of the kT in energies and potentials [K] (default: 298.15)",
        "pb":
            "who solves the Poisson-Boltzmann equation; none: it is not solved: None, 'own' (default: None)",
        "pb_options":
            "word of the equation in place of the usual one, as APBS's input has it: pdie=2, npbe, srfm=mol, "
            "etol=1e-5; may be repeated",
        "pb_energy":
            "report the energy of solvation [kJ/mol], the charges' in the solution less that in a medium of the "
            "solute's dielectric without salt (pb own)",
        "method":
            "direct sum or multilevel summation, auto for the faster one; values agree within multilevel "
            "summation's error: 'auto', 'direct', 'msm' (default: auto)",
        "backend":
            "where to compute, auto for a GPU where that is faster; values agree but for rounding: 'auto', 'cpu', "
            "'gpu' (default: auto)",
        "devices":
            "GPUs to use, as 'ionwell info' numbers them: the first keeps the lattice and the others help with the "
            "potential; a lattice too large for one is shared by all",
        "threads":
            "threads to compute with, at most one for each core; 0: as OMP_NUM_THREADS says, or else one for each "
            "(default: 0)",
        "msm_cutoff":
            "reach of the part that multilevel summation sums pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis of multilevel summation; cubic was published, with msm_cutoff=12 msm_spacing=2: 'cubic', "
            "'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "memory to use of each GPU at most; a lattice that does not fit stays in host memory, and the GPUs "
            "compute it part by part [GB] (default: what is free)",
        "simd":
            "instruction set of the inner loops; results agree but for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
        "alpb":
            "the analytic linearised Poisson-Boltzmann potential outside of the solute (Gordon, Fenley and Onufriev"
            " 2008); dielectric is the solvent's then, water's if not given",
        "solute_dielectric":
            "dielectric of the solute for alpb (default: 4)",
        "map":
            "interpolate in this map, in place of summing charges; repeated, the finest map wins where several "
            "reach",
        "map_unit":
            "unit of the maps, where they do not say: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V'",
        "error":
            "relative error (no unit) that an approximation may have: root mean square of its differences from "
            "exact sums, over that of the potential, both at sample points; the summary gives it (default: 0.001)",
        "map_interpolation":
            "interpolation between the points of a map, or of the solution of pb: 'trilinear', 'tricubic' (default:"
            " trilinear)",
    },
    "solvate": {
        "padding":
            "distance from the solute to the faces of the cell, so that images are twice as far apart [A] (default:"
            " 12)",
        "cell_shape":
            "shape of the smallest cell with that padding; a dodecahedron or an octahedron holds a round solute "
            "that may turn in the least water: 'cube', 'rectangular', 'dodecahedron', 'octahedron', 'hexagonal' "
            "(default: cube)",
        "cell":
            "periodic cell: lengths in A, angles in degrees, 90 where none are given (default: the smallest with "
            "padding)",
        "orient":
            "turn the solute so that the cell becomes as small as it can be",
        "cutoff":
            "cutoff of the simulation's forces: a warning when the solute is nearer to its own image [A] (default: "
            "12)",
        "water_model":
            "tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p: CHARMM's TIP3P, whose hydrogens have Lennard-"
            "Jones terms, 3 % denser (default: tip3p)",
        "solute":
            "the atoms to take, for example 'nucleic or segid PROA' (default: all)",
        "ignore":
            "atoms to remove: they are neither counted nor written, for example 'resname SO4'",
        "input_water":
            "what waters in STRUCTURE are: left out, or kept however many there are: 'ignore', 'solute' (default: "
            "crystal waters are kept, bulk water is refused)",
        "charges":
            "force field whose charges and hydrogens PDB2PQR gives a PDB or mmCIF file: 'amber', 'charmm', 'parse',"
            " 'tyl06', 'peoepb', 'swanson' (default: the file's atoms are used as they are)",
        "ligands":
            "file with the charges of a residue that PDB2PQR does not know, for all residues of its name: mol2, or "
            "a topology without coordinates (prmtop, PSF, GROMACS .itp or .top); repeated for several; with engine "
            "amber also LEaP's libraries and parameters (.lib, .off, .frcmod), and leap.in loads these and mol2 "
            "files, with GAFF's types; with engine charmm topologies and parameters of CGenFF (.rtf, .str, .prm), "
            "which psfgen.tcl reads; with engine openmm force fields (.xml), which run.py reads. The charges of "
            "hydrogens that the entry lacks go to their heavy atoms; of an .xml, and of an .itp with engine "
            "gromacs, the hydrogens are built",
        "ph":
            "protonation of proteins at this pH, by PROPKA (propka3); not given: standard states, and histidines by"
            " their hydrogen bonds",
        "five_phosphate":
            "what becomes of a phosphate that begins a nucleic acid: it is removed, which leaves a hydroxyl, or "
            "kept as HPO4-, charge -1: 'remove', 'keep' (default: remove)",
        "crystal_ions":
            "what becomes of the crystal's ions: 'keep', 'ignore' (default: keep)",
        "gap_ends":
            "how a protein ends where residues are missing in a chain: with NH3+ and COO-, as at the ends of the "
            "chain, or neutral, with caps that are built: NME before the gap, ACE behind it: 'charged', 'capped' "
            "(default: charged)",
        "replace_nonstandard":
            "build what modified residues were made from: U for PSU, TYR for PTR, MET for MSE",
        "allow_missing":
            "leave out residues of chains that have no charges, and atoms that PDB2PQR drops, instead of stopping "
            "with their list",
        "assembly":
            "biological assembly to build from a PDB or mmCIF file, for example 1",
        "frame":
            "frame of a trajectory; -1 is the last (default: 1)",
        "define":
            "word defined for a GROMACS topology, as behind -D",
        "include":
            "folder of a GROMACS topology's includes, as behind -I",
        "engine":
            "program that the system is for: what it needs is checked and made when files are read, and "
            "System.save(folder) writes its files, with the names of its force field: 'gromacs', 'amber', 'charmm',"
            " 'openmm', 'vmd'",
        "force_field":
            "GROMACS's force field of the topology that pdb2gmx makes where engine gromacs gets a PDB or mmCIF "
            "file: an amber... or charmm27. Debian's GROMACS has no OL3, OL15 or CHARMM36 (default: amber99sb-ildn)",
        "threads":
            "threads to compute with, at most one for each core; 0: as OMP_NUM_THREADS says, or else one for each "
            "(default: 0)",
        "smallest_cavity":
            "waters that a cavity without a way to the bulk must have room for to get any (default: 3)",
    },
    "prepare": {
        "ion_solute":
            "ions stay farther than this from solute atoms [A] (default: 5)",
        "ion_ion":
            "no ion is nearer than this to another [A] (default: 5)",
        "max_energy":
            "stop before an ion of a higher energy, for example 0 [kT]",
        "allow_fewer":
            "write the ions placed even when not all found room (the exit code is still 3)",
        "model":
            "where ions are placed: by their energy in the potential, or where crystals of RNA show Mg2+ (ions "
            "MG:COUNT, or with 'sites' also MG:likely[:P] as the first ions: while each ion has a site within 3 A "
            "with the probability P or more, usually 0.2), by a learned score or by the three terms beneath it; "
            "these have a solution and distances of their own, and are placed before the water; other ions go by "
            "their energy: None, 'sites', 'site-terms' (default: None)",
        "hydrate":
            "put waters around the ions of this name once they are placed, N of them, turned for their lowest "
            "energy; acceptors of the solute within 2.6 A of an ion are in the places of waters (default: 6 for MG,"
            " ZN and NA, 7 for CA and K)",
        "salt":
            "salt of so many mol/L of the box's water, in exact balance with the solute's charge: NaCl:0.15, "
            "MgCl2:0.01; repeated for several, which add up; with 'below' or 'above' for the water on one side of a"
            " membrane",
        "scheme":
            "how a charged solute changes the number of ions: half more counter-ions and half fewer co-ions, as in "
            "equilibrium with a bath of that salt, or counter-ions in addition: 'split', 'sltcap', 'add' (default: "
            "split)",
        "salt_by":
            "how the other salt ions are placed: at random, or by energy like the counter-ions: 'random', 'energy' "
            "(default: random)",
        "seed":
            "seed of the random numbers that place salt; the same seed gives the same places (default: 1)",
        "boundary":
            "whether the box repeats, for distances and potential: 'periodic', 'open' (default: periodic in a "
            "simulation's cell)",
        "water_acts":
            "the charges of waters act as well, in place of a dielectric",
        "near":
            "only waters this near to one of these atoms, as 'nucleic:12'",
        "not_near":
            "no water this near to one of these",
        "inside_z":
            "only waters at these heights along z [A]",
        "padding":
            "distance from the solute to the faces of the cell, so that images are twice as far apart [A] (default:"
            " 12)",
        "cell_shape":
            "shape of the smallest cell with that padding; a dodecahedron or an octahedron holds a round solute "
            "that may turn in the least water: 'cube', 'rectangular', 'dodecahedron', 'octahedron', 'hexagonal' "
            "(default: cube)",
        "cell":
            "periodic cell: lengths in A, angles in degrees, 90 where none are given (default: the smallest with "
            "padding)",
        "orient":
            "turn the solute so that the cell becomes as small as it can be",
        "cutoff":
            "cutoff of the simulation's forces: a warning when the solute is nearer to its own image [A] (default: "
            "12)",
        "water_model":
            "tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p: CHARMM's TIP3P, whose hydrogens have Lennard-"
            "Jones terms, 3 % denser (default: tip3p)",
        "solute":
            "the atoms that act and keep ions away, for example 'nucleic or segid PROA' (default: all)",
        "ignore":
            "atoms to remove: they are neither counted nor written, for example 'resname SO4'",
        "input_water":
            "what waters in STRUCTURE are: left out, or kept however many there are: 'ignore', 'solute' (default: "
            "crystal waters are kept, bulk water is refused)",
        "charges":
            "force field whose charges PDB2PQR gives a PDB or mmCIF file: 'amber', 'charmm', 'parse', 'tyl06', "
            "'peoepb', 'swanson' (default: amber)",
        "ligands":
            "file with the charges of a residue that PDB2PQR does not know, for all residues of its name: mol2, or "
            "a topology without coordinates (prmtop, PSF, GROMACS .itp or .top); repeated for several; with engine "
            "amber also LEaP's libraries and parameters (.lib, .off, .frcmod), and leap.in loads these and mol2 "
            "files, with GAFF's types; with engine charmm topologies and parameters of CGenFF (.rtf, .str, .prm), "
            "which psfgen.tcl reads; with engine openmm force fields (.xml), which run.py reads. The charges of "
            "hydrogens that the entry lacks go to their heavy atoms; of an .xml, and of an .itp with engine "
            "gromacs, the hydrogens are built",
        "ph":
            "protonation of proteins at this pH, by PROPKA (propka3); not given: standard states, and histidines by"
            " their hydrogen bonds",
        "five_phosphate":
            "what becomes of a phosphate that begins a nucleic acid: it is removed, which leaves a hydroxyl, or "
            "kept as HPO4-, charge -1: 'remove', 'keep' (default: remove)",
        "crystal_ions":
            "what becomes of the crystal's ions: 'keep', 'ignore' (default: keep)",
        "gap_ends":
            "how a protein ends where residues are missing in a chain: with NH3+ and COO-, as at the ends of the "
            "chain, or neutral, with caps that are built: NME before the gap, ACE behind it: 'charged', 'capped' "
            "(default: charged)",
        "replace_nonstandard":
            "build what modified residues were made from: U for PSU, TYR for PTR, MET for MSE",
        "allow_missing":
            "leave out residues of chains that have no charges, and atoms that PDB2PQR drops, instead of stopping "
            "with their list",
        "assembly":
            "biological assembly to build from a PDB or mmCIF file, for example 1",
        "frame":
            "frame of a trajectory; -1 is the last (default: 1)",
        "define":
            "word defined for a GROMACS topology, as behind -D",
        "include":
            "folder of a GROMACS topology's includes, as behind -I",
        "dielectric":
            "constant dielectric (default: 1, a vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric of this times the distance; 3 is usual [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of M mol/L [mol/L]",
        "temperature":
            "temperature of the kT in energies and potentials [K] (default: 298.15)",
        "engine":
            "program that the system is for: what it needs is checked and made when files are read, and "
            "System.save(folder) writes its files, with the names of its force field: 'gromacs', 'amber', 'charmm',"
            " 'openmm', 'vmd'",
        "force_field":
            "GROMACS's force field of the topology that pdb2gmx makes where engine gromacs gets a PDB or mmCIF "
            "file: an amber... or charmm27. Debian's GROMACS has no OL3, OL15 or CHARMM36 (default: amber99sb-ildn)",
        "ion_names":
            "whose residue and atom names ions get: 'pdb', 'charmm', 'amber', 'gromacs' (default: pdb)",
        "backend":
            "where to compute, auto for a GPU where that is faster; the ions are the same: 'auto', 'cpu', 'gpu' "
            "(default: auto)",
        "devices":
            "GPUs to use, as 'ionwell info' numbers them: the first keeps the lattice and the others help with the "
            "potential; a lattice too large for one is shared by all",
        "threads":
            "threads to compute with, at most one for each core; 0: as OMP_NUM_THREADS says, or else one for each "
            "(default: 0)",
        "model_file":
            "with model sites: a model in place of the built-in one; scripts/fit-sites makes them",
        "salt_solute":
            "ions of random salt stay farther than this from solute atoms [A] (default: as ion_solute)",
        "keep_water":
            "waters this near to heavy atoms of the solute stay: its first shell [A] (default: 3.5)",
        "replace_crystal_water":
            "ions may replace the crystal's waters, too",
        "in_membrane":
            "also waters between lipid tails and in pores",
        "smallest_cavity":
            "waters that a cavity without a way to the bulk must have room for to get any (default: 3)",
        "gpu_memory":
            "memory to use of each GPU at most; a lattice that does not fit stays in host memory, and the GPUs "
            "compute it part by part [GB] (default: what is free)",
        "simd":
            "instruction set of the inner loops; results agree but for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
    },
    "average": {
        "unit":
            "unit of the values that are written: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V' (default: kT/e)",
        "blocks":
            "equal blocks of frames, in their order, whose means tell the standard error; each should be far longer"
            " than the time over which frames resemble each other (default: 10)",
        "first":
            "first frame, counted from 1 over all files; -1 is the last, -2 the one before it (default: 1)",
        "last":
            "last frame (default: -1)",
        "every":
            "take every Nth of them (default: 1)",
        "fit":
            "turn and shift each frame so that these atoms lie on those of the reference (least squares, without "
            "weights), for example 'name CA or name P' (default: frames stay)",
        "reference":
            "coordinates of the same atoms to fit to (default: the first frame)",
        "keep_images":
            "leave atoms in the periodic images that the trajectory has them in (default: where frames have a cell,"
            " molecules that lie across its boundary are put together)",
        "skip_bad_frames":
            "go on without frames that are damaged or have atoms where none can be",
        "solute":
            "the atoms whose potential is averaged, for example 'nucleic or segid PROA' (default: all)",
        "ignore":
            "atoms whose potential is left out, for example 'water or resname CLA'",
        "input_water":
            "what waters are: left out, or sources: 'ignore', 'solute' (default: sources, with a warning)",
        "define":
            "word defined for a GROMACS topology, as behind -D",
        "include":
            "folder of a GROMACS topology's includes, as behind -I",
        "spacing":
            "distance between lattice points [A] (default: 0.5)",
        "border":
            "how far the lattice reaches beyond the solute's atoms, on every side [A] (default: 10)",
        "box":
            "lattice between two corners [A], in place of border",
        "lattice_from":
            "whose sources it encloses: those of the first frame, or of all, which are then read twice: 'first', "
            "'all' (default: first)",
        "dielectric":
            "constant dielectric (default: 1, a vacuum; with ionic_strength 78.54, water)",
        "ddd":
            "distance-dependent dielectric of this times the distance; 3 is usual [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by a 1:1 salt of M mol/L [mol/L]",
        "temperature":
            "temperature of the kT in energies and potentials [K] (default: 298.15)",
        "boundary":
            "the sources stand alone, or with all images of each frame's cell, in a neutralising background if they"
            " are charged: 'periodic', 'open' (default: open)",
        "ewald_factor":
            "with boundary periodic: only the smooth part of the sum over images, that of charges spread as "
            "Gaussians with this Ewald factor, as maps made of the grid of smooth particle-mesh Ewald have it; 0.25"
            " is usual there [1/A] (default: all)",
        "method":
            "direct sum or multilevel summation, auto for the faster one; values agree within multilevel "
            "summation's error: 'auto', 'direct', 'msm' (default: auto)",
        "backend":
            "where to compute, auto for a GPU where that is faster; values agree but for rounding: 'auto', 'cpu', "
            "'gpu' (default: auto)",
        "devices":
            "GPUs to use, as 'ionwell info' numbers them: the first keeps the lattice and the others help with the "
            "potential; a lattice too large for one is shared by all",
        "threads":
            "threads to compute with, at most one for each core; 0: as OMP_NUM_THREADS says, or else one for each "
            "(default: 0)",
        "msm_cutoff":
            "reach of the part that multilevel summation sums pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis of multilevel summation; cubic was published, with msm_cutoff=12 msm_spacing=2: 'cubic', "
            "'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "memory to use of each GPU at most; a lattice that does not fit stays in host memory, and the GPUs "
            "compute it part by part [GB] (default: what is free)",
        "simd":
            "instruction set of the inner loops; results agree but for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
    },
    "sample": {
        "salt":
            "ions that come and go, in equilibrium with a solution of M mol/L: NaCl:0.15, MgCl2:0.01; repeated for "
            "a mixture. With sampler bd their number is that at the end of the equilibration",
        "radii":
            "radius of an ion, in place of its ionic radius (Shannon's): 2.1 or so stands for one that keeps its "
            "water",
        "repulsion":
            "what keeps ions, and solute atoms, apart by the sum of their radii: 1 kT there, rising as 1/r^12, or a"
            " hard wall: 'soft', 'hard' (default: soft)",
        "start":
            "where ions of ions begin: greedy, as 'place' would put them; random; or a PDB file of ions (default: "
            "greedy)",
        "sampler":
            "Metropolis Monte Carlo, or Brownian dynamics (Ermak and McCammon) after it: 'mc', 'bd' (default: mc)",
        "sweeps":
            "length of Monte Carlo, in tried moves for each ion (default: 20000)",
        "steps":
            "length of Brownian dynamics (default: 200000)",
        "time_step":
            "time step of Brownian dynamics [ps] (default: 0.01)",
        "diffusions":
            "diffusion constant of an ion [A^2/ps], in place of that in water at 298.15 K (0.133 of Na+)",
        "equilibration":
            "sweeps of Monte Carlo before that, not counted (default: 2000)",
        "sample_every":
            "sweeps or steps from one sample to the next (default: 10 or 100)",
        "replicas":
            "independent runs side by side, whose samples are joined; threads share them, and a GPU takes a "
            "thousand at a time (default: 4)",
        "blocks":
            "blocks of each replica, whose means tell the errors (default: 5)",
        "seed":
            "what is drawn; the same seed gives the same numbers, whatever the threads, and others on a GPU "
            "(default: 1)",
        "ion_names":
            "whose residue and atom names ions get: 'pdb', 'charmm', 'amber', 'gromacs' (default: pdb)",
        "density":
            "density of each ion [mol/L], a map file: OpenDX (.dx, .dx.gz, .dxbin), HDF5 (.h5, .cmap), CCP4 (.mrc "
            "for ChimeraX and PyMOL, .ccp4 for Coot), cube (.cube) or UHBD (.grd); ions.dx becomes ions.NA.dx and "
            "so on",
        "around":
            "atoms that radial distributions of the ions are taken around, for example 'name P'; repeated for "
            "several",
        "rdf_reach":
            "how far they go [A] (default: 20)",
        "within":
            "distances from the nearest atom of the solute within which ions and their charge are counted (default:"
            " 3,5,10)",
        "boundary":
            "walls that turn ions back, or all images of a rectangular cell (Ewald): 'periodic', 'open' (default: "
            "open)",
        "cell":
            "periodic cell: lengths in A, angles in degrees, 90 where none are given (default: the structure's; its"
            " angles must be 90)",
        "wall_distance":
            "distance from the solute's atoms to the walls of the open box, on every side [A] (default: 20; with "
            "map as far as the maps reach)",
        "box":
            "open box between two corners [A], in place of wall_distance",
        "spacing":
            "distance between lattice points [A] (default: 0.5; with pb 1; with map that of the map)",
        "dielectric":
            "constant dielectric (default: 78.54, water: ions that move by kT need a solvent)",
        "ddd":
            "distance-dependent dielectric of this times the distance; 3 is usual [1/A]",
        "ionic_strength":
            "Debye-Hueckel screening by M mol/L of salt that is not there as ions [mol/L]",
        "temperature":
            "temperature of all kT [K] (default: 298.15)",
        "map":
            "potential to place in, in place of the solute's charges; repeated, the finest map wins where several "
            "reach",
        "map_unit":
            "unit of the maps, where they do not say: 'kT/e', 'kcal/mol/e', 'kJ/mol/e', 'mV', 'V'",
        "update":
            "how ions act on each other: 'debye-hueckel', 'coulomb', 'none' (default: debye-hueckel, at "
            "ionic_strength, or 0.15 M)",
        "pb":
            "who solves the Poisson-Boltzmann equation; none: it is not solved: None, 'own' (default: None)",
        "pb_options":
            "word of the equation in place of the usual one, as APBS's input has it: pdie=2, "
            "ion=charge,conc,radius; may be repeated",
        "method":
            "direct sum or multilevel summation, auto for the faster one; averages agree within their errors: "
            "'auto', 'direct', 'msm' (default: auto)",
        "backend":
            "where to compute, auto for a GPU where that is faster; averages agree within their errors: 'auto', "
            "'cpu', 'gpu' (default: auto)",
        "devices":
            "GPUs to use, as 'ionwell info' numbers them: the first keeps the lattice and the others help with the "
            "potential; a lattice too large for one is shared by all",
        "threads":
            "threads to compute with, at most one for each core; 0: as OMP_NUM_THREADS says, or else one for each "
            "(default: 0)",
        "bulk_sweeps":
            "length of the run that finds the chemical potential of salt (default: 1000)",
        "density_spacing":
            "edge of the cells of density and occupancy [A] (default: 1)",
        "rdf_step":
            "width of the bins of rdf [A] (default: 0.25)",
        "interpolation":
            "interpolation of potential and force between the lattice's points: from 8, or smooth, from 64: "
            "'trilinear', 'bspline' (default: trilinear)",
        "map_interpolation":
            "interpolation between the points of a map, where the lattice is not its own: 'trilinear', 'tricubic' "
            "(default: trilinear)",
        "update_dielectric":
            "dielectric that a placed ion acts through (default: 78.54, water; for coulomb 40)",
        "msm_cutoff":
            "reach of the part that multilevel summation sums pair by pair [A] (default: 6)",
        "msm_spacing":
            "spacing of the finest grid of multilevel summation [A] (default: 1)",
        "msm_basis":
            "basis of multilevel summation; cubic was published, with msm_cutoff=12 msm_spacing=2: 'cubic', "
            "'bspline4', 'bspline6', 'bspline8' (default: bspline8)",
        "gpu_memory":
            "memory to use of each GPU at most; a lattice that does not fit stays in host memory, and the GPUs "
            "compute it part by part [GB] (default: what is free)",
        "simd":
            "instruction set of the inner loops; results agree but for rounding: 'auto', 'baseline', 'avx2', "
            "'avx512' (default: auto)",
    },
}
