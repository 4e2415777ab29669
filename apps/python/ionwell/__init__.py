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
program `ionwell`, with _ for -; what is None is as there. What a function does it does on all cores and without
Python's lock, in a process made by fork, too, but for GPUs, which a process may use that has not inherited them in use:
with multiprocessing take the start method "spawn" for those. Ctrl-C ends it. Warnings come as ionwell.IonwellWarning.
"""

import os as _os

from ionwell import _core
from ionwell._core import Map, Result, Structure, __version__
from ionwell.errors import ArrayError, Error, IonwellWarning, TooFewPlaced, UsageError
from ionwell.griddata import from_griddata, to_griddata
from ionwell.structures import structure

__all__ = ["ArrayError", "Error", "IonwellWarning", "Map", "Result", "Structure", "TooFewPlaced", "UsageError", "place",
           "potential", "read", "read_map", "structure", "__version__"]

Map.to_griddata = to_griddata
Map.from_griddata = staticmethod(from_griddata)


def _command(function, source, arguments, options):
    """The call, for reports and maps."""
    texts = [repr(source.path)] + [repr(one) for one in arguments]
    texts += [f"{name}={value!r}" for name, value in options.items() if value is not None]
    return f"ionwell.{function}({', '.join(texts)})"


def read(*paths, input_water="warn", solute="", ignore="", charges=None, assembly="", frame=1, define=(), include=(),
         progress=None):
    """Reads a structure with charges.

    paths: one file that has all (PQR, mol2, .tpr), one without charges (PDB, mmCIF), for which PDB2PQR is run, or a
    topology (PSF, prmtop, .top) and a file of coordinates. solute, ignore: selections of the atoms that act, and of
    those that do not, such as 'nucleic' and 'resname CLA'. charges: force field whose charges PDB2PQR gives ('amber').
    input_water: what waters in it are; 'ignore' leaves them out, 'solute' means them, 'warn' takes them for solute
    with a warning. frame: of a trajectory, from 1; -1 is the last. define, include: for a GROMACS topology.

    Raises Error for a file that cannot be read or is damaged; the message has the file and the line.
    """
    return _core.read([_os.fspath(path) for path in paths], input_water=input_water, solute=solute, ignore=ignore,
                      charges=charges, assembly=assembly, frame=frame, define=list(define),
                      include=[_os.fspath(folder) for folder in include], progress=progress)


def place(structure, ions, *, spacing=None, border=None, box=None, ion_solute=None, ion_ion=None, max_energy=None,
          allow_fewer=False, dielectric=None, ddd=None, ionic_strength=None, temperature=None, method=None,
          msm_cutoff=None, msm_spacing=None, msm_basis=None, map=None, map_unit=None, map_interpolation=None,
          update=None, update_dielectric=None, pb=None, pb_every=None, pb_options=None, model=None, model_file=None,
          backend="auto", devices=None, gpu_memory=None, threads=None, refine=None, ion_names="pdb", maps=False,
          progress=None):
    """Places ions, one after the other, where their energy is lowest, and gives a Result.

    structure: what read gives, or anything that ionwell.structure takes. ions: a dict of names and counts, in the order
    of placement, such as {"MG": 12, "NA": "neutralize"}, or (count, charge) for a name that is not known; or texts
    such as ["MG:12"]. ion_names: whose names these are.

    Lattice: spacing [A], border around the solute [A], or box, the lowest and highest corner, ((x, y, z), (x, y, z)).
    Distances: ion_solute, ion_ion [A]. max_energy [kT] stops before an ion of a higher one; allow_fewer: no error when
    not all find room. Potential of the solute: dielectric, or ddd [1/A], ionic_strength [M], temperature [K]; or map,
    the path of a map or several, with map_unit and map_interpolation; or pb, 'own' or 'apbs', solved again for every
    pb_every ions, with pb_options, a dict of APBS's words; with map or pb, update and update_dielectric say how ions
    act. Or model='sites': Mg2+ where crystals have it. Computing: method, 'auto', 'direct' or 'msm' with msm_cutoff [A],
    msm_spacing [A], msm_basis; backend, 'auto', 'cpu' or 'gpu', with devices, a list of numbers, and gpu_memory [GB];
    threads; refine=False for choosing by single precision. maps=True keeps the potential before and after the ions as
    solute_map and map, four bytes a point each. What they mean, and defaults: `ionwell place --help`.

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
    source = _structure(structure)
    extra = {"allow_fewer": allow_fewer or None, "maps": maps or None,
             "ion_names": None if ion_names == "pdb" else ion_names}
    command = _command("place", source, [ions], {**options, "backend": None if backend == "auto" else backend, **extra})
    return _core.place(source, ions, options, allow_fewer=bool(allow_fewer), maps=bool(maps), ion_names=ion_names,
                       command=command, progress=progress)


def potential(structure, at=None, *, unit="kT/e", spacing=None, border=None, box=None, dielectric=None, ddd=None,
              ionic_strength=None, temperature=None, method=None, error=None, msm_cutoff=None, msm_spacing=None,
              msm_basis=None, map=None, map_unit=None, map_interpolation=None, pb=None, pb_options=None, backend="auto",
              devices=None, gpu_memory=None, threads=None, progress=None):
    """The electrostatic potential: a Map around the structure, or an array of the values at points.

    structure: as of place. at: points, (n, 3) [A]; without them a Map is made, on a lattice as of place. unit: of the
    values, 'kT/e', 'kcal/(mol e)', 'kJ/(mol e)', 'mV' or 'V'. The rest is as of place; at points, method is 'auto',
    'direct', 'hcp' or 'multilevel', error is the relative one that an approximation may have, and the potential may
    come from map, the path of a map or several; the values are doubles, and NaN where no map reaches.

    Raises as place does.

    >>> import ionwell
    >>> ionwell.potential(([[0, 0, 0]], [1]), at=[[10, 0, 0]], unit="V").round(3)
    array([1.44])
    >>> ionwell.potential(([[0, 0, 0]], [1]), spacing=1.0, border=3)
    <ionwell.Map (7, 7, 7), [1. 1. 1.] A apart, in kT/e>
    """
    options = {name: value for name, value in locals().items() if name not in ("structure", "at", "unit", "progress")}
    source = _structure(structure)
    points = [] if at is None else ["points"]
    command = _command("potential", source, points, {**options, "backend": None if backend == "auto" else backend})
    if at is None:
        return _core.potential_map(source, options, unit=unit, command=command, progress=progress)
    return _core.potential_at(source, at, options, unit=unit, command=command, progress=progress)


def read_map(path, *, threads=0, progress=None):
    """Reads a map of a potential, a Map in double precision: OpenDX, HDF5, CCP4/MRC, cube or UHBD, also gzipped."""
    return _core.read_map(_os.fspath(path), threads=threads, progress=progress)


_structure = structure  # place and potential have a parameter of that name
