# SPDX-License-Identifier: BSD-3-Clause
"""Maps to and from the Grid of GridDataFormats."""

from ionwell._core import Map
from ionwell.errors import UsageError


def to_griddata(map):
    """A gridData.Grid of the map. It is a view of the map's values, without a copy. Needs GridDataFormats."""
    from gridData import Grid

    grid = Grid(map.values, origin=map.origin, delta=map.spacing)
    grid.metadata["unit"] = map.unit
    return grid


def from_griddata(grid, unit=None, temperature=None):
    """A Map of a gridData.Grid with axes along x, y and z; the values are copied.

    unit and temperature as in Map; grid.metadata["unit"], where to_griddata puts it, is used if unit is not given.
    """
    import numpy

    delta = numpy.asarray(grid.delta, dtype=float)
    if delta.ndim == 2:
        if numpy.any(delta != numpy.diag(numpy.diag(delta))):
            raise UsageError("the grid has axes other than x, y and z; resample it along x, y and z")
        delta = numpy.diag(delta)
    if unit is None:
        unit = grid.metadata.get("unit")
    return Map(grid.grid, grid.origin, delta, unit, temperature)
