# SPDX-License-Identifier: BSD-3-Clause
"""How well ions answer to sites, by the measures of those who predict sites: clusters, distances, kinds of sites."""
from dataclasses import dataclass

import numpy as np

TOLERANCE_A2 = 5e-7  # of three decimals, as in `ionwell compare`
CLUSTER_A = 5.0  # ions this near to each other are one prediction, and a hit is this near to a site
ACCEPTOR_A = 4.6  # O and N atoms of the solute this near to a site make its kind
KINDS = ((0, 0), (1, 2), (3, 4), (5, 7), (8, None))


def kind_text(kind):
    low, high = kind
    return f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"


def squared_distances(a, b):
    return ((np.reshape(a, (-1, 1, 3)) - np.reshape(b, (1, -1, 3))) ** 2).sum(2)


def cluster_centres(ions, reach_A=CLUSTER_A):
    """Means of the ions that are linked by distances up to reach_A."""
    near, group = squared_distances(ions, ions) <= reach_A**2 + TOLERANCE_A2, np.full(len(ions), -1)
    for first in range(len(ions)):
        waiting = [first] if group[first] < 0 else []
        while waiting:
            ion = waiting.pop()
            group[ion] = first
            waiting += [other for other in np.flatnonzero(near[ion]) if group[other] < 0]
    return np.array([np.mean(np.asarray(ions)[group == first], axis=0) for first in np.unique(group)]).reshape(-1, 3)


def found_sites(ions, sites, distance_A):
    """Which sites have an ion of their own, by a maximum matching."""
    near = [np.flatnonzero(row) for row in squared_distances(sites, ions) <= distance_A**2 + TOLERANCE_A2]
    site_of, found = {}, np.zeros(len(sites), bool)

    def match(site, tried):
        for ion in near[site]:
            if ion not in tried:
                tried.add(ion)
                if ion not in site_of or match(site_of[ion], tried):
                    site_of[ion] = site
                    return True
        return False

    for site in range(len(sites)):
        found[site] = match(site, set())
    return found


def acceptors_near(structure, sites):
    """How many O and N atoms of the structure each site has around it."""
    elements = np.array(["" if name == residue else name.lstrip("0123456789")[:1]  # not of ions
                         for name, residue in zip(structure.names, structure.residues)])
    positions = np.asarray(structure.positions)[np.isin(elements, ["O", "N"])]
    return np.array([(((positions - site) ** 2).sum(1) <= ACCEPTOR_A**2 + TOLERANCE_A2).sum() for site in sites])


@dataclass
class Hits:
    """What the ions of one entry, or of several, found of its sites."""
    clusters: int  # predictions
    near_site: int  # of them
    near_cluster: int  # of the sites
    distances_A: list  # of those sites to the nearest cluster
    by_kind: list  # (found, sites), as compare's matching has it

    def __add__(self, other):
        kinds = [(a + c, b + d) for (a, b), (c, d) in zip(self.by_kind, other.by_kind)]
        return Hits(self.clusters + other.clusters, self.near_site + other.near_site, self.near_cluster + other.near_cluster,
                    self.distances_A + other.distances_A, kinds)


def hits(ions, sites, acceptors, distance_A):
    centres = cluster_centres(ions)
    distance = np.sqrt(np.min(squared_distances(sites, centres), axis=1, initial=np.inf))
    ion_distance = np.sqrt(np.min(squared_distances(centres, sites), axis=1, initial=np.inf))
    reach_A, found, by_kind = np.sqrt(CLUSTER_A**2 + TOLERANCE_A2), found_sites(ions, sites, distance_A), []
    for low, high in KINDS:
        of_kind = (acceptors >= low) & (acceptors <= (np.inf if high is None else high))
        by_kind.append((int(found[of_kind].sum()), int(of_kind.sum())))
    return Hits(len(centres), int((ion_distance <= reach_A).sum()), int((distance <= reach_A).sum()),
                distance[distance <= reach_A].tolist(), by_kind)


def percent(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def table_lines(rows, width, distance_A):
    """A line for each (name, ions, sites, matched, Hits)."""
    kinds = "".join(f"{kind_text(kind):>6}" for kind in KINDS)
    lines = ["", f"{'':{width}} % within {distance_A:g} A     clustered, within {CLUSTER_A:g} A     % of sites by O and N around",
             f"{'protocol':{width}} recall precision  recall precision median [A] {kinds}"]
    for name, ions, sites, matched, found in rows:
        median = f"{np.median(found.distances_A):.2f}" if found.distances_A else "-"
        lines.append(f"{name:{width}} {percent(matched, sites):>6} {percent(matched, ions):>9} "
                     f"{percent(found.near_cluster, sites):>7} {percent(found.near_site, found.clusters):>9} {median:>10} "
                     + "".join(f"{percent(*kind):>6}" for kind in found.by_kind))
    return lines
