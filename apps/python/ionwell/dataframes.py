# SPDX-License-Identifier: BSD-3-Clause
"""Results, systems and maps as tables of pandas."""

from ionwell.optional_packages import required


def _ions(names, charges, positions, energies):
    """The columns that ions of a Result and of a System share."""
    return {"name": names, "charge_e": charges, "x_A": positions[:, 0], "y_A": positions[:, 1], "z_A": positions[:, 2],
            "energy_kT": energies}


def result_to_dataframe(result):
    """The ions as a DataFrame of pandas: a row for each, (n, 10), in the order of placement.

    The index, 'ion', is 0 for the ion that was placed first. Columns: name; charge_e [e]; x_A, y_A, z_A [A]; energy_kT [kT],
    when it was placed; nearest_atom, the index of an atom of the structure; nearest_atom_A and nearest_ion_A, distances
    [A], inf where there is no other ion; lattice_index. Each is the attribute of the Result of that meaning, a copy.

    Raises ImportError without pandas.
    """
    pandas = required("pandas", "Result.to_dataframe")
    columns = _ions(result.names, result.charges, result.positions, result.energies)
    columns.update(nearest_atom=result.nearest_atoms, nearest_atom_A=result.nearest_atom_distances,
                   nearest_ion_A=result.nearest_ion_distances, lattice_index=result.lattice_indices)
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(result), name="ion"))


def system_to_dataframe(system):
    """The ions that were placed as a DataFrame of pandas: a row for each, (m, 6), in the order of ion_names.

    The index, 'ion', counts from 0. Columns: name; charge_e [e]; x_A, y_A, z_A [A]; energy_kT [kT], NaN for salt at random
    places. A System that solvate made has no rows.

    Raises ImportError without pandas.
    """
    pandas = required("pandas", "System.to_dataframe")
    columns = _ions(system.ion_names, system.ion_charges, system.ion_positions, system.ion_energies)
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(system.ion_names), name="ion"))


def map_to_dataframe(map):
    """The points as a DataFrame of pandas: a row for each, (nx ny nz, 4), x fastest, as in the files of maps.

    Columns: x_A, y_A, z_A, where the point is [A], and value, in Map.unit, which DataFrame.attrs["unit"] names, too. It takes
    24 bytes a point besides the values, so that it is for maps of some million points. The profile along z, for example:
    map.to_dataframe().groupby("z_A")["value"].mean().

    Raises ImportError without pandas.
    """
    pandas = required("pandas", "Map.to_dataframe")
    import numpy

    nx, ny, nz = map.values.shape
    x, y, z = (origin + spacing * numpy.arange(count)
               for origin, spacing, count in zip(map.origin, map.spacing, map.values.shape))
    frame = pandas.DataFrame({"x_A": numpy.tile(x, ny * nz), "y_A": numpy.tile(numpy.repeat(y, nx), nz),
                              "z_A": numpy.repeat(z, nx * ny), "value": map.values.ravel(order="F")})
    frame.attrs["unit"] = map.unit
    return frame
