# SPDX-License-Identifier: BSD-3-Clause
"""The water models as GROMACS topologies, written from the papers' numbers alone.

Lengths in nm, angles in degrees, energies in kJ/mol, charges in e, as GROMACS has them. All models are rigid: what is
not given follows from the geometry.
"""

import math
from dataclasses import dataclass

KCAL = 4.184  # kJ
BOLTZMANN = 0.0083144626  # kJ/(mol K), CODATA 2018
# Where a rigid molecule's mass sits changes how fast it turns, but no mean over positions. Hydrogens of 4 u double the
# step that its turning allows; the molecule's 18.0154 u stay.
OXYGEN_MASS, HYDROGEN_MASS = 10.0154, 4.0


@dataclass(frozen=True)
class Model:
    """A water whose Lennard-Jones centre is its oxygen; CHARMM's has them on its hydrogens, too."""

    name: str
    bond: float  # O-H
    angle: float  # H-O-H
    sigma: float
    epsilon: float
    hydrogen_charge: float
    kind: str  # where the negative charge sits: "O", "M" (on the bisector) or "L" (two lone pairs)
    off_oxygen: float = 0.0  # distance of M or of a lone pair from the oxygen
    lone_pair_angle: float = 0.0  # L-O-L
    hydrogen_sigma: float = 0.0
    hydrogen_epsilon: float = 0.0
    source: str = ""

    @property
    def sites(self):
        """Names of the sites in the order of the topology; oxygen and hydrogens come first."""
        return ("OW", "HW1", "HW2") + {"O": (), "M": ("MW",), "L": ("LP1", "LP2")}[self.kind]

    @property
    def hydrogen_distance(self):
        return 2.0 * self.bond * math.sin(math.radians(self.angle) / 2.0)


MODELS = {
    m.name: m
    for m in (
        Model("tip3p", 0.09572, 104.52, 0.31506, 0.1521 * KCAL, 0.417, "O",
              source="Jorgensen et al., J. Chem. Phys. 79:926, 1983"),
        Model("tips3p", 0.09572, 104.52, 0.315057, 0.1521 * KCAL, 0.417, "O",
              hydrogen_sigma=0.0400014, hydrogen_epsilon=0.046 * KCAL,
              source="MacKerell et al., J. Phys. Chem. B 102:3586, 1998"),
        Model("spce", 0.1, 109.47, 0.3166, 0.650, 0.4238, "O",
              source="Berendsen et al., J. Phys. Chem. 91:6269, 1987"),
        Model("opc", 0.08724, 103.6, 0.316655, 0.21280 * KCAL, 0.6791, "M", 0.01594,
              source="Izadi, Anandakrishnan, Onufriev, J. Phys. Chem. Lett. 5:3863, 2014"),
        Model("tip4pew", 0.09572, 104.52, 0.316435, 0.16275 * KCAL, 0.52422, "M", 0.0125,
              source="Horn et al., J. Chem. Phys. 120:9665, 2004"),
        Model("tip4p2005", 0.09572, 104.52, 0.31589, 93.2 * BOLTZMANN, 0.5564, "M", 0.01546,
              source="Abascal and Vega, J. Chem. Phys. 123:234505, 2005"),
        Model("tip5p", 0.09572, 104.52, 0.312, 0.16 * KCAL, 0.241, "L", 0.07, 109.47,
              source="Mahoney and Jorgensen, J. Chem. Phys. 112:8910, 2000"),
    )
}


def virtual_sites(model):
    """The section that says where GROMACS puts the sites that have no mass."""
    half = math.radians(model.angle) / 2.0
    on_bisector = 2.0 * model.bond * math.cos(half)  # length of rOH1 + rOH2
    if model.kind == "O":
        return ""
    if model.kind == "M":
        weight = model.off_oxygen / on_bisector
        return f"[ virtual_sites3 ]\n; site from funct a b\n4 1 2 3 1 {weight:.9f} {weight:.9f}\n"
    tilt = math.radians(model.lone_pair_angle) / 2.0
    weight = -model.off_oxygen * math.cos(tilt) / on_bisector
    across = model.off_oxygen * math.sin(tilt) / (model.bond**2 * math.sin(2.0 * half))  # times rOH1 x rOH2; 1/nm
    return ("[ virtual_sites3 ]\n; site from funct a b c\n"
            + "".join(f"{site} 1 2 3 4 {weight:.9f} {weight:.9f} {sign * across:.7f}\n" for site, sign in ((4, 1), (5, -1))))


def topology(model, molecules):
    """The text of a topology of that many molecules and nothing else."""
    extra = {"O": (), "M": (("MW", -2.0),), "L": (("LP", -1.0),)}[model.kind]
    oxygen_charge = -2.0 * model.hydrogen_charge if model.kind == "O" else 0.0
    lines = [f"; {model.name}: {model.source}",
             "[ defaults ]", "; nbfunc comb-rule gen-pairs fudgeLJ fudgeQQ", "1 2 no 1.0 1.0", "",
             "[ atomtypes ]", "; name at.num mass charge ptype sigma epsilon",
             f"OW 8 {OXYGEN_MASS} 0.0 A {model.sigma:.6f} {model.epsilon:.6f}",
             f"HW 1 {HYDROGEN_MASS} 0.0 A {model.hydrogen_sigma:.7f} {model.hydrogen_epsilon:.6f}"]
    lines += [f"{name} 0 0.0 0.0 V 0.0 0.0" for name, _ in extra]
    lines += ["", "[ moleculetype ]", "SOL 2", "", "[ atoms ]", "; nr type resnr residue atom cgnr charge mass"]
    charges = {"OW": oxygen_charge, "HW": model.hydrogen_charge}
    charges.update({name: factor * model.hydrogen_charge for name, factor in extra})
    masses = {"OW": OXYGEN_MASS, "HW": HYDROGEN_MASS}
    for number, site in enumerate(model.sites, 1):
        kind = site.rstrip("12")
        lines.append(f"{number} {kind} 1 SOL {site} 1 {charges[kind]:.6f} {masses.get(kind, 0.0):.4f}")
    lines += ["", "[ settles ]", "; O funct r_OH r_HH", f"1 1 {model.bond:.6f} {model.hydrogen_distance:.9f}", "",
              virtual_sites(model), "[ exclusions ]"]
    count = len(model.sites)
    lines += [" ".join(str(j) for j in [i, *(j for j in range(1, count + 1) if j != i)]) for i in range(1, count + 1)]
    lines += ["", "[ system ]", f"{model.name} water", "", "[ molecules ]", f"SOL {molecules}", ""]
    return "\n".join(lines)
