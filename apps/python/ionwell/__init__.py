# SPDX-License-Identifier: BSD-3-Clause
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

Positions are in A, charges in e, energies in kT, in the coordinates of the structure. The keywords are the options of
the program `ionwell`, with _ instead of -; None means the default of the program. Arrays are NumPy arrays or objects
with __dlpack__ (torch, CuPy, JAX), which are copied from a GPU; maps have __dlpack__, too. Functions use all cores and
release Python's lock, also in a process made by fork; but a forked process must not use a GPU that its parent has used,
so use the start method "spawn" of multiprocessing with GPUs. Ctrl-C stops a function. Warnings are issued as
ionwell.IonwellWarning, and notes are in the property notes of the result.
"""

import json as _json
import os as _os

from ionwell import _core
from ionwell._core import Average, DeviceMap, Map, Result, Sample, Structure, System, __version__
from ionwell.dataframes import map_to_dataframe, result_to_dataframe, system_to_dataframe
from ionwell.errors import ArrayError, Error, ExportError, IonwellWarning, TooFewPlaced, UsageError
from ionwell.griddata import from_griddata, to_griddata
from ionwell.keywords import KEYWORDS as _KEYWORDS
from ionwell.notebooks import map_html, result_html, system_html
from ionwell.plots import map_plot, result_plot, system_plot
from ionwell.structures import structure

__all__ = ["ArrayError", "Average", "DeviceMap", "Error", "ExportError", "IonwellWarning", "Map", "Result", "Sample", "Structure",
           "System", "TooFewPlaced", "UsageError", "average", "compare", "place", "potential", "prepare", "read", "read_map", "read_sites",
           "sample", "solvate", "structure", "__version__"]

Map.to_griddata = to_griddata
Map.from_griddata = staticmethod(from_griddata)
Map.to_dataframe, Result.to_dataframe, System.to_dataframe = map_to_dataframe, result_to_dataframe, system_to_dataframe
Map.plot, Result.plot, System.plot = map_plot, result_plot, system_plot
Map._repr_html_, Result._repr_html_, System._repr_html_ = map_html, result_html, system_html


def _command(function, source, arguments, options):
    """The call, for reports and maps."""
    texts = [repr(source.path)] + [repr(one) for one in arguments]
    texts += [f"{name}={value!r}" for name, value in options.items() if value is not None]
    return f"ionwell.{function}({', '.join(texts)})"


def read(*paths, input_water="warn", solute="", ignore="", charges=None, assembly="", frame=1, define=(), include=(),
         ligands=(), ph=None, five_phosphate=None, crystal_ions=None, gap_ends=None, replace_nonstandard=False,
         allow_missing=False, progress=None):
    """Reads a structure with charges.

    paths: one file with charges (PQR, mol2, .tpr), one file without charges (PDB, mmCIF), for which PDB2PQR is run, or
    a topology (PSF, prmtop, .top) and a file of coordinates. solute, ignore: selections of the atoms to use and of
    those to leave out, such as 'nucleic' and 'resname CLA'. charges: force field whose charges PDB2PQR assigns
    (default: 'amber'). input_water: 'ignore' leaves the waters out, 'solute' makes them part of the solute, 'warn' does
    the same with a warning. frame: frame of a trajectory, counted from 1; -1 is the last. define, include: for a
    GROMACS topology.

    For PDB and mmCIF files: ligands, files (mol2, prmtop, PSF, GROMACS .itp or .top) with charges of residues that
    PDB2PQR does not know; ph, the pH at which PROPKA protonates proteins; five_phosphate, 'remove' (default) or 'keep';
    crystal_ions, 'keep' (default) or 'ignore'; gap_ends, the ends of proteins at gaps, 'charged' (default) or 'capped'
    with ACE and NME; replace_nonstandard replaces modified residues by those that they were made from; allow_missing
    leaves out residues without charges. The decisions are in Structure.chemistry; see also `ionwell help chemistry`.

    Raises Error for a file that cannot be read or is damaged; the message has the file and the line.
    """
    return _core.read([_os.fspath(path) for path in paths], input_water=input_water, solute=solute, ignore=ignore,
                      charges=charges, assembly=assembly, frame=frame, define=list(define),
                      include=[_os.fspath(folder) for folder in include],
                      chemistry={"ligands": ligands or None, "ph": ph,
                                 "five_phosphate": five_phosphate, "crystal_ions": crystal_ions, "gap_ends": gap_ends,
                                 "replace_nonstandard": replace_nonstandard, "allow_missing": allow_missing},
                      progress=progress)


def place(structure, ions, *, ion_solute=None, ion_ion=None, max_energy=None, allow_fewer=False, model=None,
          hydrate=(), hydrate_as=None, boundary=None, ion_names="pdb", spacing=None, border=None, box=None,
          dielectric=None, ddd=None, ionic_strength=None, temperature=None, map=None, map_unit=None, update=None,
          pb=None, pb_every=None, pb_options=None, pb_energy=None, radii=None, method=None, accuracy=None,
          backend="auto", devices=None, threads=None, model_file=None, hydrate_water=None, map_interpolation=None,
          update_dielectric=None, pb_timeout=None, pb_program=None, keep_scratch=None, msm_cutoff=None,
          msm_spacing=None, msm_basis=None, gpu_memory=None, simd=None, refine=None, maps=False, progress=None):
    """Places ions one at a time, each where its energy is lowest, and returns a Result.

    structure: a Structure, or anything that ionwell.structure accepts. ions: a dict of names and counts, in the order
    of placement, such as {"MG": 12, "NA": "neutralize"}, or (count, charge) for an unknown name; or strings such as
    ["MG:12"]. ion_names: the naming of the ions.

    Lattice: spacing [A], border around the solute [A], or box, the lowest and highest corner, ((x, y, z), (x, y, z)).
    Distances: ion_solute, ion_ion [A]. max_energy [kT] stops before an ion of a higher energy; with allow_fewer it is
    no error if there is no room for all ions. boundary: 'periodic' includes the images of the structure's cell in
    potential and distances, 'open' does not (default: periodic in the cell of a simulation that is filled with solvent
    or whose images are near). Potential of the solute: dielectric, or ddd [1/A], ionic_strength [M], temperature [K];
    or map, the path of a map or several, with map_unit and map_interpolation; or pb, 'own' or 'apbs', solved again
    after every pb_every ions, with pb_options, a dict of APBS settings. With map or pb, update and update_dielectric
    set the potential of placed ions: 'debye-hueckel' (default with map), 'coulomb' (default with pb, with dielectric
    40) or 'none'. Or model='sites': Mg2+ where crystals have it; with {"MG": "likely"} or {"MG": ("likely", 0.3)} as
    many ions as have a site within 3 A with at least that probability (default: 0.2). Ions of other names, such as
    {"MG": "likely", "NA": "neutralize"}, are placed around these in the summed potential, with the distances that are
    given. hydrate: waters around the placed ions, a dict of names and numbers, such as {"MG": 6}, with None for the
    default number, or strings such as ["MG:6"]; hydrate_as: 'waters' (default) or 'residue', one MO6 for such an ion;
    hydrate_water: their model, 'tip3p' (default) or 'spce'. These waters are in files, not in arrays. Computing:
    method, 'auto', 'direct' or 'msm' with msm_cutoff [A], msm_spacing [A], msm_basis, or in their place accuracy, the
    relative error of the values on the lattice (the ions do not depend on it); backend, 'auto', 'cpu' or 'gpu',
    with devices, a list of numbers, and gpu_memory [GB]; threads; refine=False chooses points in single precision.
    maps=True keeps the potential before and after placement as solute_map and map, four bytes per point each. All
    defaults: `ionwell place --help-all`.

    progress: called as progress(stage, done), with done from 0 to 1, at intervals; an exception in it stops the run.
    With tqdm:

        with tqdm(total=1.0) as bar:
            def show(stage, done):
                bar.set_description(stage, refresh=False)
                bar.update(done - bar.n)
            ionwell.place(structure, {"MG": 12}, progress=show)

    Raises UsageError for invalid arguments, TooFewPlaced if there is no room for all ions, and Error if a solver or a
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
              accuracy=None, backend="auto", devices=None, threads=None, msm_cutoff=None, msm_spacing=None,
              msm_basis=None, gpu_memory=None, simd=None, alpb=None, solute_dielectric=None, map=None, map_unit=None,
              map_interpolation=None, keep_on_device=False, progress=None):
    """Computes the electrostatic potential: a Map around the structure, or an array of the values at points.

    structure: as in place. at: points, (n, 3) [A]; without them the result is a Map, on a lattice as in place. unit:
    unit of the values, 'kT/e', 'kcal/(mol e)', 'kJ/(mol e)', 'mV' or 'V'. At points, method is 'auto', 'direct', 'hcp'
    or 'msm', accuracy is the largest relative error of an approximation (no unit: the root mean square difference from
    exact sums divided by that of the potential, at up to 256 of the points; default: 1e-3), and the potential may come
    from map, the path of a map or several; the values are in double precision, and NaN outside the maps.
    On a lattice accuracy=1e-5 replaces method and its parameters: the cheapest sum with this relative error is used, at
    points more than 1 A from all atoms. keep_on_device=True computes on a GPU and keeps the map there, a DeviceMap, for CuPy and torch. The other keywords
    are as in place.

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
        raise UsageError("keep_on_device=True is for a map; leave it out, or leave out at")
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
            solute=None, ignore=None, input_water=None, assembly=None, frame=None, define=(), include=(),
            charges=None, ph=None, ligands=(), five_phosphate=None, crystal_ions=None, gap_ends=None,
            replace_nonstandard=False, allow_missing=False, engine=None, force_field=None, threads=None,
            smallest_cavity=None, progress=None):
    """Puts a structure into a periodic cell of equilibrated water, and returns a System.

    structure: the path of a file, or a list of paths (no charges are needed, and a PDB file without charges is used as
    it is); or a Structure, or anything that ionwell.structure accepts.

    The cell: padding between the solute and the faces [A] (default: 12) and cell_shape, 'cube' (default),
    'rectangular', 'dodecahedron', 'octahedron' or 'hexagonal'; or cell, (a, b, c) [A], or these and three angles
    [degrees], or three vectors, (3, 3) [A], the first along x and the second in the plane of x and y. orient rotates
    the solute so that the cell is as small as possible. cutoff [A] of the simulation: a warning is issued if the solute
    is nearer to its own image. Water: water_model, 'tip3p' (default), 'tips3p', 'spce', 'opc', 'tip4pew', 'tip4p2005'
    or 'tip5p'; smallest_cavity: a closed cavity is filled only if it has room for this many waters. Reading: as in
    read; input_water: 'ignore' leaves out the waters of the input, 'solute' keeps them however many there are, None
    keeps those of a crystal and refuses bulk water. engine, force_field: as in prepare. threads: the result does not
    depend on it. All defaults: `ionwell solvate --help-all`.

    Raises UsageError for invalid arguments, and Error for files that cannot be read, a solute larger than its cell, and
    a solute that is in bulk water already.

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
            hydrate=(), salt=None, scheme=None, salt_by=None, seed=None, water_model=None, boundary=None,
            water_acts=False, near=(), not_near=(), inside_z=None, padding=None, cell_shape=None, cell=None,
            orient=False, cutoff=None, solute=None, ignore=None, input_water=None, assembly=None, frame=None,
            define=(), include=(), charges=None, ph=None, ligands=(), five_phosphate=None, crystal_ions=None,
            gap_ends=None, replace_nonstandard=False, allow_missing=False, engine=None, force_field=None,
            ion_names="pdb", dielectric=None, ddd=None, ionic_strength=None, temperature=None, backend="auto",
            devices=None, threads=None, model_file=None, salt_solute=None, smallest_cavity=None, keep_water=None,
            replace_crystal_water=False, in_membrane=False, gpu_memory=None, simd=None, progress=None):
    """Prepares a structure for a simulation: water, ions that replace waters, and salt. Returns a System.

    structure, its reading, the cell and the water: as in solvate, but with charges, from the files or from PDB2PQR.
    Waters of files are kept as crystal waters and their charges do not count; all atoms of a Structure count. ions: as
    in place. salt: a dict of formulas and concentrations in the water of the box [mol/L], such as {"NaCl": 0.15}, or
    strings such as "KCl:0.15:above", for one side of a membrane. At least one of ions and salt is needed.

    Salt: scheme, 'split' (default), 'sltcap' or 'add', is how the charge of the solute changes the numbers of ions;
    salt_by, 'random' (default) or 'energy'; salt_solute [A] for random salt; seed. Ions replace no waters within
    keep_water [A] of heavy atoms of the solute (default: 3.5), no crystal waters without replace_crystal_water, and
    none between lipid tails without in_membrane; near, not_near: strings such as 'nucleic:12' [A]; inside_z: a range of
    z [A]. boundary: 'periodic' (default) or 'open'; water_acts: include the charges of waters instead of a dielectric.
    The other keywords are as in place. All defaults: `ionwell prepare --help-all`. The same files, options and seed
    give the same system.

    model='sites': Mg2+ is placed first, before the water, where crystals of RNA have it, a number or as many as are
    likely ({"MG": "likely", "NA": "neutralize"}, as in place), and hydrate, as in place, puts waters around it; the
    other ions and the salt replace waters. engine: the program for the system, 'gromacs', 'amber', 'charmm', 'openmm'
    or 'vmd': residues that it does not have are refused at once, and System.save(folder) writes its files. A PDB or
    mmCIF file for 'gromacs' gets its topology from pdb2gmx, with force_field (default: 'amber99sb-ildn'). The decisions
    about such a file are in System.chemistry.

    Raises as solvate does, and TooFewPlaced if there is no room for all ions.

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
            ionic_strength=None, temperature=None, boundary=None, ewald_factor=None, method=None, accuracy=None,
            backend="auto", devices=None, threads=None, msm_cutoff=None, msm_spacing=None, msm_basis=None,
            gpu_memory=None, simd=None, sd=False, se=False, progress=None):
    """Computes the mean potential of a simulation: of every frame, at every point of one lattice. Returns an Average.

    topology: path of a file with charges (PSF, prmtop, .top, .tpr, PQR, mol2); trajectories: one or more paths (DCD,
    XTC, TRR, NetCDF, .gro, PDB ...), in order. first, last, every: frames, counted from 1 over all files; -1 is the
    last. fit: a selection of atoms by which each frame is rotated and translated onto reference, the path of
    coordinates, or onto the first frame. keep_images keeps the periodic images of the files; skip_bad_frames skips
    damaged frames. solute, ignore, input_water: the atoms whose potential is computed, as in read; input_water is
    'ignore' or 'solute'.

    sd=True also computes the standard deviation over frames, se=True the standard error of the mean, from this number
    of blocks of frames (default: 10). lattice_from: 'first' or 'all', the frames whose atoms the lattice encloses.
    boundary: 'open', or 'periodic' for all images of each frame's cell (Ewald), of which ewald_factor [1/A] keeps the
    smooth part. The other keywords are as in potential. All defaults: `ionwell average --help-all`. Ctrl-C stops it
    without a result.

    Raises as potential does.
    """
    options = {name: value for name, value in locals().items()
               if name not in ("topology", "trajectories", "sd", "se", "unit", "progress")}
    options = {name: None if isinstance(value, tuple) and not value else value for name, value in options.items()}
    paths = [_os.fspath(path) for path in (topology, *trajectories)]
    if len(paths) < 2:
        raise UsageError("average needs a trajectory; give the path of one after the topology")
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
           method=None, accuracy=None, backend="auto", devices=None, threads=None, bulk_sweeps=None,
           density_spacing=None, rdf_step=None, interpolation=None, map_interpolation=None, update_dielectric=None,
           msm_cutoff=None, msm_spacing=None, msm_basis=None, gpu_memory=None, simd=None, progress=None):
    """Samples moving ions around a structure: where they are, and how many. Returns a Sample.

    structure, ions: as in place; the number of these ions is constant. salt: a dict of formulas and concentrations
    [mol/L], such as {"NaCl": 0.15}, whose ions are exchanged with that solution. At least one of the two is needed.
    Ions are charged spheres in a continuum solvent; radii [A], diffusions [A^2/ps]: dicts by name that replace the
    defaults; repulsion: 'soft' (default) or 'hard'; start: 'greedy' (default), 'random' or the path of a PDB file of
    ions.

    sampler: 'mc' (default), Monte Carlo with this number of sweeps, or 'bd', Brownian dynamics with this number of
    steps of time_step [ps]; equilibration: sweeps before sampling; sample_every: sweeps or steps between samples;
    replicas: independent runs; blocks: blocks of each replica, whose means give the errors; seed; bulk_sweeps: length
    of the run for the chemical potential of the salt. Box: boundary, 'open' (default) with wall_distance or box, or
    'periodic' with cell; interpolation of the potential, 'trilinear' (default) or 'bspline'. Results: within, distances
    [A] in which ions are counted; around, selections for radial distributions, up to rdf_reach in bins of rdf_step [A];
    density=True, or density_spacing [A]: density and occupancy of cells. Potential: as in place, in water if dielectric
    is None. All defaults: `ionwell sample --help-all`. The same seed gives the same result with any number of threads,
    and a different one on a GPU. Ctrl-C stops it without a result.

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
    """Reads known sites, for example the ions of a crystal: positions [A], (n, 3), and weights, (n,), or None.

    path: a PDB, mmCIF, PQR, .gro, .g96 or CHARMM file. which: 'ions', by residue, element or charge, or 'all' atoms.
    weights: 'none', 'occupancy', or 'bfactor' for the inverse of the B-factors.

    Raises Error for a file that cannot be read, has no sites, or lacks the requested weights.
    """
    return _core.read_sites(_os.fspath(path), which=which, weights=weights)


def compare(ions, sites, *, weights=None, distances=None, random_around=None, ion_solute=None, seed=None, threads=None):
    """Counts the known sites that have an ion, and returns the report of `ionwell compare --report` as a dict.

    ions, sites: positions [A], (n, 3), such as Result.positions and the positions and weights of read_sites. distances
    [A] within which a site counts as found (default: 1, 2, 3, 4, 5, 8). random_around: a structure, as in place; the
    report also has the sites found by the same number of ions at random positions around its atoms, from ion_solute
    (default: 5) to 8 A away and 5 A apart, averaged over 100 draws with the given seed (default: 1). threads: the
    result does not depend on it. See also `ionwell compare --help-all`.

    Raises Error for weights that do not match, and UsageError for invalid arguments.

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
    """Adds the meanings of its keywords to the docstring, which Python lacks with -OO."""
    if function.__doc__:
        rows = "\n".join(f"    {name}: {meaning}" for name, meaning in _KEYWORDS[function.__name__].items())
        function.__doc__ = f"{function.__doc__.rstrip()}\n\n    Keywords:\n\n{rows}\n    "


for _function in (place, potential, solvate, prepare, average, sample):
    _with_keywords(_function)
