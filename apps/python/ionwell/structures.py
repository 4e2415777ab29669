# SPDX-License-Identifier: BSD-3-Clause
"""Structures of other packages, recognised by their attributes; the packages are not imported."""

from ionwell._core import Structure
from ionwell.errors import UsageError

_ANGSTROM = {"angstrom": 1.0, "nanometer": 10.0, "picometer": 0.01, "meter": 1e10}


def _unitless(quantity, units, what):
    """The numbers of an OpenMM or ParmEd quantity, whose unit must be one of `units`; other things as they are."""
    unit = getattr(quantity, "unit", None)
    if unit is None or not hasattr(quantity, "value_in_unit"):
        return quantity
    name = unit.get_name()
    if name not in units:
        raise UsageError(f"{what} are in {name}; they must be in one of {', '.join(units)}")
    value = quantity.value_in_unit(unit)
    if units[name] == 1.0:
        return value
    import numpy

    return numpy.asarray(value, dtype=float) * units[name]


def _positions_A(positions):
    positions = _unitless(positions, _ANGSTROM, "positions")
    if isinstance(positions, (list, tuple)) and positions and hasattr(positions[0], "value_in_unit"):
        positions = [_unitless(one, _ANGSTROM, "positions") for one in positions]
    return positions


def _optional(source, name):
    """An attribute of a group of atoms; None where its topology lacks it."""
    try:
        return getattr(source, name)
    except (AttributeError, ValueError):  # MDAnalysis' NoDataError is both
        return None


_LONGEST_NAME = 8


def _short(names):
    """Names as a Structure holds them; those that are longer are cut, and get a number where two would be one."""
    if names is None:
        return None
    names = [str(name) for name in names]
    short = {name: name for name in names if len(name) <= _LONGEST_NAME}
    taken = set(short.values())
    for name in names:
        if name in short:
            continue
        cut, number = name[:_LONGEST_NAME], 1
        while cut in taken:
            number += 1
            cut = name[:_LONGEST_NAME - len(str(number))] + str(number)
        short[name] = cut
        taken.add(cut)
    return [short[name] for name in names]


def _codes(codes):
    """Insertion codes, one letter or none each."""
    return None if codes is None else [str(code or "").strip()[:1] for code in codes]


# Formats of MDAnalysis whose cells are a simulation's; CRYST1 of a PDB file may be a crystal's.
_OF_SIMULATIONS = {"GRO", "XTC", "TRR", "DCD", "LAMMPS", "NCDF", "NC", "INPCRD", "RESTRT", "TRJ", "MDCRD", "NAMDBIN", "COOR",
                   "TNG", "H5MD", "CHAIN"}


def _cell_of_mdanalysis(group):
    """The cell of the frame that the trajectory is at."""
    dimensions = _optional(group, "dimensions")
    if dimensions is None or not all(length > 0 for length in dimensions[:3]):
        return {}
    trajectory = getattr(getattr(group, "universe", None), "trajectory", None)
    formats = getattr(trajectory, "format", "")
    formats = {formats} if isinstance(formats, str) else set(formats)
    return {"cell": [float(number) for number in dimensions],
            "cell_kind": "simulation" if formats & _OF_SIMULATIONS else "undecided"}


def _of_mdanalysis(group, options):
    charges = _optional(group, "charges")
    if charges is None:
        raise UsageError(
            f"{group!r} has no charges; read a topology that has them, set group.charges, or give "
            "ionwell.read(path), which lets PDB2PQR assign the charges of a PDB or mmCIF file")
    return Structure(
        group.positions, charges, _optional(group, "radii"), names=_short(_optional(group, "names")),
        residues=_short(_optional(group, "resnames")), residue_numbers=_optional(group, "resids"),
        insertion_codes=_codes(_optional(group, "icodes")), chains=_short(_optional(group, "chainIDs")),
        segments=_short(_optional(group, "segids")), elements=_optional(group, "elements"),
        **_cell_of_mdanalysis(group), **options)


def _symbol(atom):
    """Of an element that is an object (OpenMM), a name or a number (ParmEd)."""
    element = getattr(atom, "element", None)
    if isinstance(element, int):
        element = getattr(atom, "element_name", "") if element > 0 else ""
    return getattr(element, "symbol", element) or ""


def _number(residue):
    for name in ("number", "id"):
        try:
            return int(getattr(residue, name))
        except (AttributeError, TypeError, ValueError):
            pass
    return 0


def _of_atoms(atoms, positions, charges, options):
    """Of ParmEd's or OpenMM's atoms, which have residues, which have chains."""
    chains = [getattr(atom.residue, "chain", "") for atom in atoms]
    codes = [getattr(atom.residue, "insertion_code", getattr(atom.residue, "insertionCode", "")) for atom in atoms]
    return Structure(
        _positions_A(positions), charges, names=_short(atom.name for atom in atoms),
        residues=_short(atom.residue.name for atom in atoms),
        residue_numbers=[_number(atom.residue) for atom in atoms], insertion_codes=_codes(codes),
        chains=_short(getattr(chain, "id", chain) or "" for chain in chains),
        elements=[_symbol(atom) for atom in atoms], **options)


def _of_parmed(source, options):
    if getattr(source, "coordinates", None) is None:
        raise UsageError(f"{source!r} has no coordinates; also load coordinates, for example with xyz=")
    return _of_atoms(source.atoms, source.coordinates, [atom.charge for atom in source.atoms], options)


def _charges_of_system(system):
    """Of the particles of an OpenMM System, from the force that has their charges."""
    for force in system.getForces():
        if hasattr(force, "getParticleParameters") and hasattr(force, "getNonbondedMethod"):
            parameters = [force.getParticleParameters(n) for n in range(force.getNumParticles())]
            try:
                first = parameters[0][0]
            except (IndexError, TypeError):
                continue
            if getattr(getattr(first, "unit", None), "get_name", lambda: "elementary charge")() == "elementary charge":
                return [_unitless(one[0], {"elementary charge": 1.0}, "charges") for one in parameters]
    raise UsageError("the system has no NonbondedForce, whose particles have charges; give charges= instead")


def structure(source, *, positions=None, charges=None, system=None, input_water="warn", name=None):
    """A Structure of what another package has, known by its attributes.

    source:

    - a Structure, which is given back, or a pair of arrays, (positions, charges);
    - an AtomGroup or Universe of MDAnalysis whose topology has charges; names of more than 8 characters are
      shortened, and stay different; its dimensions are the cell, a simulation's unless they are a PDB file's, which
      is a simulation's where a solvent among these atoms fills it;
    - a Structure of ParmEd with coordinates;
    - a topology of OpenMM, or what has one (PDBFile, Modeller, Simulation), with `system`, whose NonbondedForce has
      the charges, or `charges`, (n,) [e]; `positions`, (n, 3), is a Quantity or in A, and the source's own where it
      has some.

    input_water: what waters are, as of Structure. name: what messages call it. Raises UsageError for what is none of
    these or lacks charges, and as Structure does.

    >>> import ionwell
    >>> ionwell.structure(([[0, 0, 0], [4, 0, 0]], [-1, -1])).net_charge
    -2.0
    """
    if isinstance(source, Structure):
        return source
    options = {"name": name or type(source).__name__, "input_water": input_water}
    if isinstance(source, tuple) and len(source) == 2:
        options["name"] = name or "arrays"
        return Structure(source[0], source[1], **options)
    if hasattr(source, "atoms") and hasattr(source.atoms, "positions"):
        return _of_mdanalysis(source.atoms, options)
    if isinstance(getattr(source, "atoms", None), list) and hasattr(source, "coordinates"):
        return _of_parmed(source, options)
    topology = getattr(source, "topology", source)
    if callable(getattr(topology, "atoms", None)):
        atoms = list(topology.atoms())
        system = system if system is not None else getattr(source, "system", None)
        if charges is None:
            if system is None:
                raise UsageError(f"a topology has no charges; give system=, or charges=, with {source!r}")
            charges = _charges_of_system(system)
        if positions is None:
            positions = getattr(source, "positions", None)
        if positions is None and hasattr(source, "context"):
            positions = source.context.getState(getPositions=True).getPositions()
        if positions is None:
            raise UsageError(f"a topology has no positions; give positions= with {source!r}")
        return _of_atoms(atoms, positions, charges, options)
    raise UsageError(
        f"structure is {source!r}; it must be what ionwell.read gives, a pair (positions, charges), or an object of "
        "MDAnalysis, ParmEd or OpenMM")
