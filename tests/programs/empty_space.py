# SPDX-License-Identifier: BSD-3-Clause
"""The largest sphere without an atom's centre in a cell that repeats, of any shape; for tests that look for bubbles."""


def largest_empty_radius(numpy, positions, vectors, spacing=0.7, step=0.1):
    """Radius of the largest sphere with no position in it, within `spacing`. Lengths in any unit of one kind; `vectors`
    are the rows of the cell. Atoms are rounded to the points of a lattice, and a sphere of growing radius is laid around
    each until none is free: one convolution a radius, so O(points log points) each."""
    vectors = numpy.asarray(vectors, dtype=float)
    counts = [max(4, int(numpy.ceil(numpy.linalg.norm(v) / spacing))) for v in vectors]
    fractional = numpy.asarray(positions, dtype=float) @ numpy.linalg.inv(vectors)
    points = numpy.rint((fractional - numpy.floor(fractional)) * counts).astype(int) % counts
    occupied = numpy.zeros(counts)
    occupied[tuple(points.T)] = 1.0
    occupied = numpy.fft.rfftn(occupied)
    distance = shortest_lengths(numpy, vectors, counts)
    low, high = 0.0, float(distance.max())
    while high - low > step:
        radius = 0.5 * (low + high)
        near = numpy.fft.irfftn(occupied * numpy.fft.rfftn((distance < radius).astype(float)), counts)
        if near.min() < 0.5:  # a point with no atom within the radius
            low = radius
        else:
            high = radius
    return low


def shortest_lengths(numpy, vectors, counts):
    """Distance of each lattice point of the cell from the nearest image of the first."""
    grids = numpy.meshgrid(*(numpy.arange(n) / n for n in counts), indexing="ij")
    fractional = numpy.stack(grids, axis=-1)
    best = numpy.full(counts, numpy.inf)
    for i in (-2, -1, 0, 1):
        for j in (-2, -1, 0, 1):
            for k in (-2, -1, 0, 1):
                best = numpy.minimum(best, numpy.linalg.norm((fractional + (i, j, k)) @ vectors, axis=-1))
    return best
