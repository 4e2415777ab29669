"""Places ions around charged biomolecules.

    >>> import ionwell
    >>> structure = ionwell.structure(([[0, 0, 0], [6, 0, 0], [0, 6, 0]], [-1, -1, -1]))
    >>> result = ionwell.place(structure, {"MG": 1, "NA": "neutralize"}, spacing=1.0)
    >>> result.names.tolist()
    ['MG', 'NA']
    >>> result.positions.shape, result.energies.shape
    ((2, 3), (2,))
    >>> result.report["net_charge_after_e"]
    0.0

Positions are in A, charges in e, energies in kT, in the frame of the structure. The keywords are the options of the
program `ionwell`, with _ for -; what is None is as there. Arrays are NumPy's, or what has __dlpack__ (torch, CuPy, JAX),
which is copied where it is on a GPU; maps have __dlpack__, too. What a function does it does on all cores and without
Python's lock, in a process made by fork, too, but for GPUs, which a process may use that has not inherited them in use:
with multiprocessing take the start method "spawn" for those. Ctrl-C ends it. Warnings come as ionwell.IonwellWarning.
"""

import json as _json
import os as _os

from ionwell import _core
from ionwell._core import Average, DeviceMap, Map, Result, Sample, Structure, System, __version__
from ionwell.errors import ArrayError, Error, ExportError, IonwellWarning, TooFewPlaced, UsageError
from ionwell.griddata import from_griddata, to_griddata
from ionwell.keywords import KEYWORDS as _KEYWORDS
from ionwell.structures import structure

__all__ = ["ArrayError", "Average", "DeviceMap", "Error", "ExportError", "IonwellWarning", "Map", "Result", "Sample", "Structure",
           "System", "TooFewPlaced", "UsageError", "average", "compare", "place", "potential", "prepare", "read", "read_map", "read_sites",
           "sample", "solvate", "structure", "__version__"]

Map.to_griddata = to_griddata
Map.from_griddata = staticmethod(from_griddata)


def _command(function, source, arguments, options):
    """The call, for reports and maps."""
    texts = [repr(source.path)] + [repr(one) for one in arguments]
    texts += [f"{name}={value!r}" for name, value in options.items() if value is not None]
    return f"ionwell.{function}({', '.join(texts)})"


def read(*paths, input_water="warn", solute="", ignore="", charges=None, assembly="", frame=1, define=(), include=(),
         ligands=(), ph=None, five_phosphate=None, crystal_ions=None, gap_ends=None, replace_nonstandard=False,
         allow_missing=False, progress=None):
    """Reads a structure with charges.

    paths: one file that has all (PQR, mol2, .tpr), one without charges (PDB, mmCIF), for which PDB2PQR is run, or a
    topology (PSF, prmtop, .top) and a file of coordinates. solute, ignore: selections of the atoms that act, and of
    those that do not, such as 'nucleic' and 'resname CLA'. charges: force field whose charges PDB2PQR gives ('amber').
    input_water: what waters in it are; 'ignore' leaves them out, 'solute' means them, 'warn' takes them for solute
    with a warning. frame: of a trajectory, from 1; -1 is the last. define, include: for a GROMACS topology.

    For PDB and mmCIF files: ligands, files (mol2, prmtop, PSF, GROMACS .itp or .top) with charges of residues that
    PDB2PQR does not know; ph, at which PROPKA protonates proteins; five_phosphate, 'remove' (usual) or 'keep';
    crystal_ions, 'keep' (usual) or 'ignore'; gap_ends, how proteins end at gaps, 'charged' (usual) or 'capped' with
    ACE and NME; replace_nonstandard builds what modified residues were made from; allow_missing leaves out what has
    no charges. What was decided is in the result's chemistry; `ionwell help chemistry` says more.

    Raises Error for a file that cannot be read or is damaged; the message has the file and the line.
    """
    return _core.read([_os.fspath(path) for path in paths], input_water=input_water, solute=solute, ignore=ignore,
                      charges=charges, assembly=assembly, frame=frame, define=list(define),
                      include=[_os.fspath(folder) for folder in include],
                      chemistry={"ligands": ligands or None, "ph": ph,
                                 "five_phosphate": five_phosphate, "crystal_ions": crystal_ions, "gap_ends": gap_ends,
                                 "replace_nonstandard": replace_nonstandard, "allow_missing": allow_missing},
                      progress=progress)


def place(structure, ions, *, ion_solute=None, ion_ion=None, max_energy=None, allow_fewer=False, hydrate=(),
          hydrate_as=None, boundary=None, spacing=None, border=None, box=None, dielectric=None, ddd=None,
          ionic_strength=None, temperature=None, map=None, map_unit=None, update=None, pb=None, pb_every=None,
          pb_options=None, pb_energy=None, radii=None, model=None, ion_names="pdb", method=None, backend="auto",
          devices=None, threads=None, hydrate_water=None, map_interpolation=None, update_dielectric=None,
          pb_timeout=None, pb_program=None, keep_scratch=None, model_file=None, msm_cutoff=None, msm_spacing=None,
          msm_basis=None, gpu_memory=None, simd=None, refine=None, maps=False, progress=None):
    """Places ions, one after the other, where their energy is lowest, and gives a Result.

    structure: what read gives, or anything that ionwell.structure takes. ions: a dict of names and counts, in the order
    of placement, such as {"MG": 12, "NA": "neutralize"}, or (count, charge) for a name that is not known; or texts
    such as ["MG:12"]. ion_names: whose names these are.

    Lattice: spacing [A], border around the solute [A], or box, the lowest and highest corner, ((x, y, z), (x, y, z)).
    Distances: ion_solute, ion_ion [A]. max_energy [kT] stops before an ion of a higher one; allow_fewer: no error when
    not all find room. boundary: whether images of the structure's cell act and keep ions away, too, 'periodic' or 'open'
    (not given: periodic in a simulation's cell that a solvent fills, or whose images are near). Potential of the solute: dielectric, or ddd [1/A], ionic_strength [M], temperature [K]; or map,
    the path of a map or several, with map_unit and map_interpolation; or pb, 'own' or 'apbs', solved again for every
    pb_every ions, with pb_options, a dict of APBS's words; with map or pb, update and update_dielectric say how ions
    act: 'debye-hueckel' (usual with map), 'coulomb' (usual with pb, with dielectric 40) or 'none'. Or model='sites':
    Mg2+ where crystals have it; with {"MG": "likely"} or {"MG": ("likely", 0.3)} as many as have a site within 3 A with
    that probability (usual: 0.2) or more. Ions of other names, such as {"MG": "likely", "NA": "neutralize"}, are placed
    around these in the summed potential, with the distances that are given. hydrate: waters around the ions that are placed, a dict of names and numbers, such as
    {"MG": 6}, None for the usual number, or texts such as ["MG:6"]; hydrate_as: 'waters' (usual) or 'residue', one MO6 for
    such an ion; hydrate_water, their model, 'tip3p' (usual) or 'spce'. They are in files, not in arrays. Computing: method, 'auto', 'direct' or 'msm' with msm_cutoff [A], msm_spacing [A],
    msm_basis; backend, 'auto', 'cpu' or 'gpu', with devices, a list of numbers, and gpu_memory [GB]; threads;
    refine=False for choosing by single precision. maps=True keeps the potential before and after the ions as solute_map
    and map, four bytes a point each. What they mean, and defaults: `ionwell place --help`.

    progress: called as progress(stage, done), done from 0 to 1, now and then; what it raises ends the run. With tqdm:

        with tqdm(total=1.0) as bar:
            def show(stage, done):
                bar.set_description(stage, refresh=False)
                bar.update(done - bar.n)
            ionwell.place(structure, {"MG": 12}, progress=show)

    Raises UsageError for what makes no sense, TooFewPlaced when not all ions find room, and Error when a solver or a
    device fails.

    >>> import ionwell
    >>> ionwell.place(([[0, 0, 0]], [-2]), {"MG": 1}, spacing=1.0).nearest_atom_distances.round(3)
    array([5.099])
    """
    options = {name: value for name, value in locals().items()
               if name not in ("structure", "ions", "allow_fewer", "maps", "ion_names", "progress")}
    options["hydrate"] = hydrate or None
    source = _structure(structure)
    extra = {"allow_fewer": allow_fewer or None, "maps": maps or None,
             "ion_names": None if ion_names == "pdb" else ion_names}
    command = _command("place", source, [ions], {**options, "backend": None if backend == "auto" else backend, **extra})
    return _core.place(source, ions, options, allow_fewer=bool(allow_fewer), maps=bool(maps), ion_names=ion_names,
                       command=command, progress=progress)


def potential(structure, at=None, *, unit="kT/e", spacing=None, border=None, box=None, dielectric=None, ddd=None,
              ionic_strength=None, temperature=None, pb=None, pb_options=None, pb_energy=None, method=None,
              backend="auto", devices=None, threads=None, msm_cutoff=None, msm_spacing=None, msm_basis=None,
              gpu_memory=None, simd=None, alpb=None, solute_dielectric=None, map=None, map_unit=None, error=None,
              map_interpolation=None, keep_on_device=False, progress=None):
    """The electrostatic potential: a Map around the structure, or an array of the values at points.

    structure: as of place. at: points, (n, 3) [A]; without them a Map is made, on a lattice as of place. unit: of the
    values, 'kT/e', 'kcal/(mol e)', 'kJ/(mol e)', 'mV' or 'V'. The rest is as of place; at points, method is 'auto',
    'direct', 'hcp' or 'msm', error is the relative one that an approximation may have (no unit: root mean square
    of its differences from exact sums over that of the potential, at up to 256 of the points; 1e-3 if not given), and
    the potential may come from map, the path of a map or several; the values are doubles, and NaN where no map reaches.
    keep_on_device=True computes on a GPU and leaves the map there, a DeviceMap, for CuPy and torch.

    Raises as place does.

    >>> import ionwell
    >>> ionwell.potential(([[0, 0, 0]], [1]), at=[[10, 0, 0]], unit="V").round(3)
    array([1.44])
    >>> ionwell.potential(([[0, 0, 0]], [1]), spacing=1.0, border=3)
    <ionwell.Map (7, 7, 7), [1. 1. 1.] A apart, in kT/e>
    """
    options = {name: value for name, value in locals().items()
               if name not in ("structure", "at", "unit", "keep_on_device", "progress")}
    source = _structure(structure)
    points = [] if at is None else ["points"]
    command = _command("potential", source, points, {**options, "backend": None if backend == "auto" else backend,
                                                     "keep_on_device": bool(keep_on_device) or None})
    if keep_on_device and at is not None:
        raise UsageError("keep_on_device=True is for a map; leave out at, or this")
    if keep_on_device:
        return _core.potential_on_device(source, options, unit=unit, command=command, progress=progress)
    if at is None:
        return _core.potential_map(source, options, unit=unit, command=command, progress=progress)
    return _core.potential_at(source, at, options, unit=unit, command=command, progress=progress)


def _given(structure):
    """A Structure, or the paths of the files to read one from, as a list."""
    if isinstance(structure, (str, _os.PathLike)):
        return [_os.fspath(structure)]
    if isinstance(structure, list) and all(isinstance(path, (str, _os.PathLike)) for path in structure):
        return [_os.fspath(path) for path in structure]
    return _structure(structure)


def _made(function, structure, options, more, progress, **settings):
    """What solvate and prepare have in common; `more` is for the command."""
    given = _given(structure)
    texts = [repr(path) for path in given] if isinstance(given, list) else [repr(given.path)]
    options = {name: None if isinstance(value, tuple) and not value else value for name, value in options.items()}
    texts += [f"{name}={value!r}" for name, value in {**options, **more}.items() if value is not None and value is not False]
    return getattr(_core, function)(given, options=options, command=f"ionwell.{function}({', '.join(texts)})",
                                    progress=progress, **settings)


def solvate(structure, *, padding=None, cell_shape=None, cell=None, orient=False, cutoff=None, water_model=None,
            solute=None, ignore=None, input_water=None, charges=None, ligands=(), ph=None, five_phosphate=None,
            crystal_ions=None, gap_ends=None, replace_nonstandard=False, allow_missing=False, assembly=None,
            frame=None, define=(), include=(), engine=None, force_field=None, threads=None, smallest_cavity=None,
            progress=None):
    """Puts a structure into a periodic cell of equilibrated water, and gives a System.

    structure: the path of a file that has it, or a list of paths (charges do not matter, and where there are none a PDB
    file is taken as it is); or what read gives, or anything that ionwell.structure takes.

    The cell: padding between the solute and its faces [A] (12) and cell_shape, 'cube' (usual), 'rectangular',
    'dodecahedron', 'octahedron' or 'hexagonal'; or cell, (a, b, c) [A] or with three angles [degrees] behind, or three vectors, (3, 3) [A], the
    first along x and the second in the plane of x and y. orient
    turns the solute so that the cell becomes as small as it can be. cutoff [A] of the simulation: a warning when the
    solute is nearer to its own image. Water: water_model, 'tip3p' (usual), 'tips3p', 'spce', 'opc', 'tip4pew',
    'tip4p2005' or 'tip5p'; smallest_cavity, waters that a closed cavity must have room for to get any. How files are
    read: as of read; input_water: 'ignore' leaves waters of the input out, 'solute' keeps them however many they are,
    None keeps those of a crystal and refuses bulk water. engine, force_field: as of prepare. threads: the result does not
    depend on them. What they mean, and defaults: `ionwell solvate --help`.

    Raises UsageError for what makes no sense, and Error for files that cannot be read, a solute larger than its cell,
    and one that stands in bulk water already.

    >>> import ionwell
    >>> system = ionwell.solvate(([[0, 0, 0], [4, 0, 0]], [-1, -1]), padding=10)
    >>> len(system) == system.solute_atoms + 3 * system.waters, system.positions.shape == (len(system), 3)
    (True, True)
    >>> system.cell.round(3)
    array([24., 24., 24., 90., 90., 90.])
    """
    options = {name: value for name, value in locals().items() if name not in ("structure", "progress")}
    return _made("solvate", structure, options, {}, progress)


def prepare(structure, ions=None, *, ion_solute=None, ion_ion=None, max_energy=None, allow_fewer=False, model=None,
            hydrate=(), salt=None, scheme=None, salt_by=None, seed=None, boundary=None, water_acts=False, near=(),
            not_near=(), inside_z=None, padding=None, cell_shape=None, cell=None, orient=False, cutoff=None,
            water_model=None, solute=None, ignore=None, input_water=None, charges=None, ligands=(), ph=None,
            five_phosphate=None, crystal_ions=None, gap_ends=None, replace_nonstandard=False, allow_missing=False,
            assembly=None, frame=None, define=(), include=(), dielectric=None, ddd=None, ionic_strength=None,
            temperature=None, engine=None, force_field=None, ion_names="pdb", backend="auto", devices=None,
            threads=None, model_file=None, salt_solute=None, keep_water=None, replace_crystal_water=False,
            in_membrane=False, smallest_cavity=None, gpu_memory=None, simd=None, progress=None):
    """Makes a structure ready for a simulation: water, ions in the places of waters, and salt. Gives a System.

    structure and how it is read, the cell and its water: as of solvate, but with charges: those of the files, or
    PDB2PQR's. Waters of files stay as a crystal's and do not act; all atoms of a Structure do. ions: as of place. salt: a dict of formulas and concentrations of the box's water [mol/L], such as
    {"NaCl": 0.15}, or texts such as "KCl:0.15:above", for one side of a membrane. At least one of the two is given.

    Salt: scheme, 'split' (usual), 'sltcap' or 'add', by which the solute's charge changes the numbers of ions; salt_by,
    'random' (usual) or 'energy'; salt_solute [A] for random salt; seed. Waters that ions replace: none within
    keep_water [A] of heavy atoms of the solute (3.5), none of a crystal without replace_crystal_water, none among lipid
    tails without in_membrane; near, not_near: texts such as 'nucleic:12' [A]; inside_z: a pair of heights [A].
    boundary: 'periodic' (usual) or 'open'; water_acts: the charges of waters act, too, in place of a dielectric. The
    rest is as of place. What they mean, and defaults: `ionwell prepare --help`. The same files, options and seed give the
    same system.

    model='sites': the Mg2+ of ions is placed first, before the water, where crystals of RNA have it, a number or as
    many as are likely ({"MG": "likely", "NA": "neutralize"}, as of place), and hydrate, as of place, puts waters around
    it; the other ions and the salt replace waters. engine: the program that the system is for,
    'gromacs', 'amber', 'charmm', 'openmm' or 'vmd': what it lacks is refused at once, and System.save(folder) writes its
    files. A PDB or mmCIF file for 'gromacs' gets its topology by pdb2gmx, with force_field ('amber99sb-ildn'). What was
    decided about such a file is in System.chemistry.

    Raises as solvate does, and TooFewPlaced when not all ions find room.

    >>> import ionwell
    >>> system = ionwell.prepare(([[0, 0, 0], [4, 0, 0]], [-1, -1]), {"NA": "neutralize"}, salt={"KCl": 0.2}, padding=10)
    >>> system.ion_names.tolist().count("NA"), system.ion_positions.shape == (len(system.ion_names), 3)
    (2, True)
    >>> system.structure.net_charge.__round__(6)
    0.0
    """
    options = {name: value for name, value in locals().items()
               if name not in ("structure", "ions", "allow_fewer", "ion_names", "progress")}
    more = {"ions": ions, "allow_fewer": allow_fewer, "ion_names": None if ion_names == "pdb" else ion_names,
            "backend": None if backend == "auto" else backend}
    return _made("prepare", structure, options, more, progress, ions=ions, allow_fewer=bool(allow_fewer),
                 ion_names=ion_names)


def average(topology, *trajectories, unit="kT/e", blocks=None, first=None, last=None, every=None, fit=None,
            reference=None, keep_images=False, skip_bad_frames=False, solute=None, ignore=None, input_water=None,
            define=(), include=(), spacing=None, border=None, box=None, lattice_from=None, dielectric=None, ddd=None,
            ionic_strength=None, temperature=None, boundary=None, ewald_factor=None, method=None, backend="auto",
            devices=None, threads=None, msm_cutoff=None, msm_spacing=None, msm_basis=None, gpu_memory=None, simd=None,
            sd=False, se=False, progress=None):
    """The mean potential of a simulation: that of every frame at every point of one lattice. Gives an Average.

    topology: path of a file with charges (PSF, prmtop, .top, .tpr, PQR, mol2); trajectories: one path or more (DCD, XTC,
    TRR, NetCDF, .gro, PDB ...), in their order. first, last, every: frames, from 1 over all files; -1 is the last. fit:
    a selection whose atoms each frame is turned and shifted by onto those of reference, the path of coordinates, or of
    the first frame. keep_images leaves atoms in the periodic images that the files have them in; skip_bad_frames goes on
    without damaged frames. solute, ignore, input_water: whose potential it is, as of read, 'ignore' or 'solute'.

    sd=True also gives the standard deviation over frames, se=True the standard error of the mean, from so many blocks of
    frames (10). lattice_from: 'first' or 'all' frames, whose atoms the lattice encloses. boundary: 'open', or 'periodic'
    for all images of each frame's cell (Ewald), of which ewald_factor [1/A] leaves the smooth part. The rest is as of
    potential. What they mean, and defaults: `ionwell average --help`. Ctrl-C ends it without a result.

    Raises as potential does.
    """
    options = {name: value for name, value in locals().items()
               if name not in ("topology", "trajectories", "sd", "se", "unit", "progress")}
    options = {name: None if isinstance(value, tuple) and not value else value for name, value in options.items()}
    paths = [_os.fspath(path) for path in (topology, *trajectories)]
    if len(paths) < 2:
        raise UsageError("average was given no trajectory; give the path of one behind the topology")
    shown = {**options, "sd": sd, "se": se, "backend": None if backend == "auto" else backend}
    texts = [repr(path) for path in paths]
    texts += [f"{name}={value!r}" for name, value in shown.items() if value is not None and value is not False]
    return _core.average(paths, options, deviation=bool(sd), error=bool(se), unit=unit,
                         command=f"ionwell.average({', '.join(texts)})", progress=progress)


def sample(structure, ions=None, *, salt=None, radii=None, repulsion=None, start=None, sampler=None, sweeps=None,
           steps=None, time_step=None, diffusions=None, equilibration=None, sample_every=None, replicas=None,
           blocks=None, seed=None, ion_names="pdb", density=False, around=(), rdf_reach=None, within=None,
           boundary=None, cell=None, wall_distance=None, box=None, spacing=None, dielectric=None, ddd=None,
           ionic_strength=None, temperature=None, map=None, map_unit=None, update=None, pb=None, pb_options=None,
           method=None, backend="auto", devices=None, threads=None, bulk_sweeps=None, density_spacing=None,
           rdf_step=None, interpolation=None, map_interpolation=None, update_dielectric=None, msm_cutoff=None,
           msm_spacing=None, msm_basis=None, gpu_memory=None, simd=None, progress=None):
    """Lets ions move around a structure and tells where, and how many, they are. Gives a Sample.

    structure, ions: as of place; ions stay in their number. salt: a dict of formulas and concentrations [mol/L], such as
    {"NaCl": 0.15}, whose ions come and go, in equilibrium with that solution. At least one of the two is given. Ions are
    charged spheres in a solvent without molecules; radii [A], diffusions [A^2/ps]: dicts of names, in place of the usual
    ones; repulsion: 'soft' (usual) or 'hard'; start: 'greedy' (usual), 'random' or the path of a PDB file of ions.

    sampler: 'mc' (usual), Monte Carlo of so many sweeps, or 'bd', Brownian dynamics of so many steps of time_step [ps];
    equilibration, sweeps before; sample_every, from one sample to the next; replicas, independent runs; blocks of each, whose
    means tell the errors; seed; bulk_sweeps, for the salt's chemical potential. Box: boundary, 'open' (usual) with
    wall_distance or box, or 'periodic' with cell; interpolation of the potential, 'trilinear' (usual) or 'bspline'. Observed: within,
    distances [A] in which ions are counted; around, selections that radial distributions are taken around, to rdf_reach in
    bins of rdf_step [A]; density=True, or density_spacing [A]: density and occupancy of cells. Potential: as of place, in
    water where dielectric is None. What they mean, and defaults: `ionwell sample --help`. The same seed gives the same
    numbers, whatever the threads, and others on a GPU. Ctrl-C ends it without a result.

    Raises as place does.

    >>> import ionwell
    >>> sample = ionwell.sample(([[0, 0, 0], [6, 0, 0]], [-1, -1]), {"NA": 2}, sweeps=200, equilibration=50)
    >>> sample.names.tolist(), sample.positions.shape, [kind["count"]["mean"] for kind in sample.report["species"]]
    (['NA', 'NA'], (2, 3), [2.0])
    """
    options = {name: value for name, value in locals().items() if name not in ("structure", "ions", "ion_names", "progress")}
    options = {name: None if isinstance(value, tuple) and not value else value for name, value in options.items()}
    source = _structure(structure)
    shown = {**options, "density": bool(density) or None, "ion_names": None if ion_names == "pdb" else ion_names,
             "backend": None if backend == "auto" else backend}
    command = _command("sample", source, [ions], shown)
    return _core.sample(source, ions, options, ion_names=ion_names, command=command, progress=progress)


def read_sites(path, *, which="ions", weights="none"):
    """Known sites, for example a crystal's ions: positions [A], (n, 3), and their weights, (n,), or None.

    path: a PDB, mmCIF, PQR, .gro, .g96 or CHARMM file. which: 'ions', by residue, element or charge, or 'all' atoms.
    weights: 'none', 'occupancy', or 'bfactor' for the inverse of the B-factors.

    Raises Error for a file that cannot be read, that has no sites, or sites without the weights asked for.
    """
    return _core.read_sites(_os.fspath(path), which=which, weights=weights)


def compare(ions, sites, *, weights=None, distances=None, random_around=None, ion_solute=None, seed=None, threads=None):
    """How many of the known sites have an ion, as a dict: what `ionwell compare --report` writes.

    ions, sites: positions [A], (n, 3), such as Result.positions and what read_sites gives, with its weights. distances
    [A] within which a site counts as found (1, 2, 3, 4, 5, 8). random_around: a structure, as of place; also what as many
    ions find at random places around its atoms, from ion_solute (5) to 8 A away and 5 A apart, the mean of 100 draws,
    which seed (1) chooses. threads: the result does not depend on them. What the numbers mean: `ionwell compare --help`.

    Raises Error for weights that do not fit, and UsageError for what makes no sense.

    >>> import ionwell
    >>> report = ionwell.compare([[0, 0, 0], [9, 0, 0]], [[0, 0, 1.5]], distances=[1, 2])
    >>> [(row["distance_A"], row["matched"]) for row in report["within"]]
    [(1.0, 0), (2.0, 1)]
    """
    options = {"weights": weights, "distances": distances, "ion_solute": ion_solute, "seed": seed, "threads": threads}
    around = None if random_around is None else _structure(random_around)
    return _json.loads(_core.compare(ions, sites, around, options))


def read_map(path, *, threads=0, progress=None):
    """Reads a map of a potential, a Map in double precision: OpenDX, HDF5, CCP4/MRC, cube or UHBD, also gzipped."""
    return _core.read_map(_os.fspath(path), threads=threads, progress=progress)


_structure = structure  # place and potential have a parameter of that name


def _with_keywords(function):
    """Adds to its documentation what its keywords mean; what Python runs with -OO has none."""
    if function.__doc__:
        rows = "\n".join(f"    {name}: {meaning}" for name, meaning in _KEYWORDS[function.__name__].items())
        function.__doc__ = f"{function.__doc__.rstrip()}\n\n    Keywords:\n\n{rows}\n    "


for _function in (place, potential, solvate, prepare, average, sample):
    _with_keywords(_function)
