# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of results, systems and maps, by matplotlib."""

from ionwell.errors import UsageError
from ionwell.optional_packages import required

_AXES = "xyz"
_FULL_COLOUR_PERCENTILE = 95.0  # as of the program's --colour-limit
_ION_COLOURS = ("tab:green", "tab:purple", "tab:orange", "tab:cyan", "tab:pink", "tab:olive", "tab:brown")  # none of a map's


def _new_axes(ax, purpose):
    if ax is not None:
        return ax
    return required("matplotlib.pyplot", purpose).subplots(figsize=(6.4, 4.8), layout="constrained")[1]


def _normal_of(axis, extents):
    """0, 1 or 2: the axis asked for, or the shortest one; of equal ones the last."""
    if axis is None:
        return max(range(3), key=lambda one: (-extents[one], one))
    if axis not in tuple(_AXES):
        raise UsageError(f"axis is {axis!r}; it must be 'x', 'y' or 'z', the direction to look along")
    return _AXES.index(axis)


def _label(ax, across, up):
    ax.set_xlabel(f"{_AXES[across]} [A]")
    ax.set_ylabel(f"{_AXES[up]} [A]")
    ax.set_aspect("equal")


def map_plot(map, *, axis=None, at=None, limit=None, ax=None):
    """Draws a slice of the map, and gives the Axes of matplotlib.

    axis: 'x', 'y' or 'z', to which the slice is perpendicular; None is the axis along which the map is shortest. at: where
    the slice is along it [A]; the plane of points nearest to that is shown, the middle one for None, and the title says
    where it is. limit: value [Map.unit] at which red (negative) and blue (positive) are full, on a symmetric scale; None
    is what 95 % of the slice's values are within, since the potential on top of an atom would hide all else. ax: Axes to
    draw into; None makes new ones. One pixel is one point of the lattice, and nothing is interpolated; where the map has no
    value (NaN) nothing is drawn.

    Raises UsageError for another axis, a place outside of the map and a limit that is not positive; ImportError without
    matplotlib.
    """
    import numpy

    required("matplotlib", "Map.plot")
    counts, first, step = map.values.shape, map.origin, map.spacing
    normal = _normal_of(axis, [(n - 1) * h for n, h in zip(counts, step)])
    plane = counts[normal] // 2
    if at is not None:
        last = first[normal] + step[normal] * (counts[normal] - 1)
        if not first[normal] - step[normal] / 2 <= at <= last + step[normal] / 2:
            raise UsageError(f"at is {at!r}; the map is from {first[normal]:g} to {last:g} A along {_AXES[normal]}")
        plane = min(max(round((at - first[normal]) / step[normal]), 0), counts[normal] - 1)
    values = numpy.take(map.values, plane, axis=normal)
    if limit is None:
        sizes = numpy.abs(values[numpy.isfinite(values)])
        limit = float(numpy.percentile(sizes, _FULL_COLOUR_PERCENTILE)) if sizes.size else 0.0
        limit = limit or float(sizes.max(initial=0.0)) or 1.0  # zero where most values are, or all
    elif not limit > 0:
        raise UsageError(f"limit is {limit!r}; it must be greater than 0")

    ax = _new_axes(ax, "Map.plot")
    across, up = (one for one in range(3) if one != normal)
    edges = [first[one] + step[one] * (n - 0.5) for one in (across, up) for n in (0, counts[one])]
    image = ax.imshow(values.T, origin="lower", extent=edges, cmap="RdBu", vmin=-limit, vmax=limit, interpolation="nearest")
    beyond = numpy.nanmin(values, initial=0.0) < -limit, numpy.nanmax(values, initial=0.0) > limit
    unit = f"potential [{map.unit}]" if map.unit else "value"
    ax.figure.colorbar(image, ax=ax, label=unit, extend={(False, False): "neither", (True, False): "min", (False, True): "max",
                                                         (True, True): "both"}[beyond])
    _label(ax, across, up)
    ax.set_title(f"{_AXES[normal]} = {first[normal] + step[normal] * plane:.4g} A")
    return ax


def _plot_ions(atoms, names, charges, positions, axis, solute, ax, purpose):
    import numpy

    required("matplotlib", purpose)
    normal = _normal_of(axis, numpy.ptp(atoms, axis=0))
    if ax is None:
        ax = _new_axes(ax, purpose)
        ax.set_title(f"along {_AXES[normal]}")
    across, up = (one for one in range(3) if one != normal)
    if solute:
        ax.scatter(atoms[:, across], atoms[:, up], s=12, color="0.7", linewidths=0, rasterized=True, label="solute", zorder=2)
    kinds = list(dict.fromkeys(names.tolist()))
    for number, kind in enumerate(kinds):
        which = names == kind
        label = f"{which.sum()} {kind} ({charges[which][0]:+g})"
        ax.scatter(positions[which, across], positions[which, up], s=45, color=_ION_COLOURS[number % len(_ION_COLOURS)],
                   edgecolors="black", linewidths=0.6, label=label, zorder=3)
    _label(ax, across, up)
    if solute or kinds:
        ax.legend(loc="upper left", bbox_to_anchor=(0.0, -0.15), ncol=4, frameon=False)
    return ax


def result_plot(result, *, axis=None, solute=True, ax=None):
    """Draws the ions over a projection of the solute's atoms, and gives the Axes of matplotlib.

    This is the picture since where the ions went is what one looks at first: whether they are near the phosphates, on one
    side or all around. The energies in the order of placement are result.to_dataframe().plot(y="energy_kT").

    axis: 'x', 'y' or 'z' to look along; None is the axis along which the solute is shortest. solute=False leaves its atoms
    out, for ions over a slice: ax = result.solute_map.plot(axis="z"); result.plot(axis="z", solute=False, ax=ax). ax: Axes
    to draw into; None makes new ones. Lengths are in A; a kind of ion has one colour, and the legend has its number and
    charge [e].

    Raises UsageError for another axis; ImportError without matplotlib.
    """
    return _plot_ions(result.structure.positions, result.names, result.charges, result.positions, axis, solute, ax,
                      "Result.plot")


def system_plot(system, *, axis=None, solute=True, ax=None):
    """Draws the ions over a projection of the solute's atoms, without water, and gives the Axes of matplotlib.

    axis, solute, ax: as of Result.plot.

    Raises UsageError for another axis; ImportError without matplotlib.
    """
    return _plot_ions(system.positions[:system.solute_atoms], system.ion_names, system.ion_charges, system.ion_positions,
                      axis, solute, ax, "System.plot")
