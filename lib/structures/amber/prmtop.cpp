// SPDX-License-Identifier: BSD-3-Clause
#include "structures/amber/prmtop.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/chemistry/atomic_mass.hpp"
#include "core/chemistry/elements.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {
namespace {

// Of POINTERS.
constexpr std::size_t natom = 0, nbonh = 2, nres = 11, nbona = 12, ifbox = 27;
constexpr int rectangular_box = 1, truncated_octahedron = 2;

// Charges are in units that make them energies in kcal/mol: AMBER's factor, and that of CHARMM, whose CHAMBER
// makes topologies with a CTITLE.
constexpr double amber_charge_factor = 18.2223;
const double charmm_charge_factor = std::sqrt(332.0716);

void read_atoms(const PrmtopSections& sections, std::vector<Atom>& atoms) {
  const std::int64_t count = sections.pointers()[natom];
  const std::vector<double> charges = sections.numbers("CHARGE", count);
  const double per_e = sections.has("CTITLE") ? charmm_charge_factor : amber_charge_factor;
  atoms.resize(charges.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    atoms[i].charge_e = charges[i] / per_e;
    if (std::abs(atoms[i].charge_e) > largest_charge_e)
      sections.complain("CHARGE", std::int64_t(i),
                        "a charge is too large for an atom; write the topology again");
  }
  const std::vector<Label> names = sections.labels("ATOM_NAME", count);
  for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].name = names[i];
  if (sections.has("ATOMIC_NUMBER")) {
    const std::vector<int> numbers = sections.integers("ATOMIC_NUMBER", count);
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].element = element_of_number(numbers[i]);
  } else if (sections.has("MASS")) {
    const std::vector<double> masses = sections.numbers("MASS", count);
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].element = element_of_mass(masses[i]);
  }
  if (!sections.has("RADII")) return;
  const std::vector<double> radii = sections.numbers("RADII", count);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    atoms[i].radius_A = radii[i];
    if (!(radii[i] >= 0.0 && radii[i] <= largest_radius_A))
      sections.complain("RADII", std::int64_t(i),
                        "a radius is negative, or too large for an atom; set the radii again, for example "
                        "with changeRadii of ParmEd");
  }
}

/// One behind the last atom of each residue.
std::vector<std::size_t> read_residue_ends(const PrmtopSections& sections, std::size_t atoms) {
  const std::vector<int> starts = sections.integers("RESIDUE_POINTER", sections.pointers()[nres]);
  std::vector<std::size_t> ends;
  ends.reserve(starts.size());
  for (std::size_t r = 0; r < starts.size(); ++r) {
    const int least = r == 0 ? 1 : starts[r - 1] + 1;
    if (starts[r] < least || (r == 0 && starts[r] > 1) || std::size_t(starts[r]) > atoms)
      sections.complain("RESIDUE_POINTER", std::int64_t(r),
                        "residue " + std::to_string(r + 1) + " cannot begin with atom " +
                            std::to_string(starts[r]) +
                            " (residues contain all atoms, in their order); write the topology again");
    if (r > 0) ends.push_back(std::size_t(starts[r]) - 1);
  }
  if (starts.empty())
    sections.complain("POINTERS", nres, "NRES is 0: there are no residues; write the topology again");
  ends.push_back(atoms);
  return ends;
}

void read_residues(const PrmtopSections& sections, const std::vector<std::size_t>& ends,
                   std::vector<Atom>& atoms) {
  const auto count = std::int64_t(ends.size());
  const auto labels = [&](std::string_view name) {
    return sections.has(name) ? sections.labels(name, count) : std::vector<Label>(ends.size());
  };
  const std::vector<Label> names = sections.labels("RESIDUE_LABEL", count),
                           chains = labels("RESIDUE_CHAINID"), codes = labels("RESIDUE_ICODE");
  const std::vector<int> numbers =
      sections.has("RESIDUE_NUMBER") ? sections.integers("RESIDUE_NUMBER", count) : std::vector<int>();
  for (std::size_t r = 0, i = 0; r < ends.size(); ++r) {
    for (; i < ends[r]; ++i) {
      atoms[i].residue = names[r];
      atoms[i].chain = chains[r];
      atoms[i].residue_number = numbers.empty() ? int(r + 1) : numbers[r];
      if (!codes[r].empty()) atoms[i].insertion_code = codes[r].view().front();
    }
  }
}

/// Of a section of bonds; `count` is the number of its value in POINTERS.
std::vector<AtomLink> read_bonds(const PrmtopSections& sections, std::string_view section,
                                 std::size_t count) {
  const auto atoms = std::size_t(sections.pointers()[natom]);
  const std::vector<int> values = sections.integers(section, 3 * std::int64_t(sections.pointers()[count]));
  std::vector<AtomLink> bonds;
  bonds.reserve(values.size() / 3);
  for (std::size_t b = 0; b + 2 < values.size(); b += 3) {  // two atoms, as 3 times their index, and a type
    for (const std::size_t at : {b, b + 1})
      if (values[at] < 0 || std::size_t(values[at]) / 3 >= atoms || values[at] % 3 != 0)
        sections.complain(section, std::int64_t(at),
                          "a bond has an atom that does not exist; write the topology again");
    bonds.push_back({std::uint32_t(values[b] / 3), std::uint32_t(values[b + 1] / 3)});
  }
  return bonds;
}

/// By the bonds between one residue and the next, which all have no hydrogen. Returns all between residues.
std::vector<AtomLink> end_chains(const PrmtopSections& sections, const std::vector<std::size_t>& ends,
                                 std::vector<Atom>& atoms) {
  std::vector<AtomLink> links;
  std::vector<std::size_t> residue_of(atoms.size());
  for (std::size_t r = 0, i = 0; r < ends.size(); ++r)
    while (i < ends[r]) residue_of[i++] = r;
  std::vector<char> joins_next(ends.size(), 0);
  for (const AtomLink& bond : read_bonds(sections, "BONDS_WITHOUT_HYDROGEN", nbona)) {
    const auto [first, last] = std::minmax({residue_of[bond.first], residue_of[bond.second]});
    if (last - first == 1) joins_next[first] = 1;
    if (last != first) links.push_back(bond);
  }
  for (std::size_t r = 1; r < ends.size(); ++r)
    atoms[ends[r] - 1].ends_chain = joins_next[r - 1] != 0 && joins_next[r] == 0;
  return links;
}

std::optional<UnitCell> read_cell(const PrmtopSections& sections) {
  const int shape = sections.pointers()[ifbox];
  if ((shape != rectangular_box && shape != truncated_octahedron) || !sections.has("BOX_DIMENSIONS"))
    return {};
  const std::vector<double> box = sections.numbers("BOX_DIMENSIONS", 4);  // beta, a, b, c
  const double other_angles_deg = shape == truncated_octahedron ? box[0] : 90.0;
  return possible_cell({{box[1], box[2], box[3]}, {other_angles_deg, box[0], other_angles_deg}},
                       CellKind::simulation);
}

/// AMBER's addles divides the charge of an atom among its copies, whose numbers begin with 1.
std::int64_t count_copies(const PrmtopSections& sections) {
  if (!sections.has("LES_CNUM")) return 0;
  const std::vector<int> copies = sections.integers("LES_CNUM", sections.pointers()[natom]);
  return std::count_if(copies.begin(), copies.end(), [](int copy) { return copy > 0; });
}

}  // namespace

Topology read_prmtop(std::string_view text, const std::string& path) {
  const PrmtopSections sections(text, path);
  if (sections.has("AMOEBA_FORCEFIELD") || sections.has("AMOEBA_ATOM_TYPE_INDEX"))
    fail(path,
         ": is a topology of the AMOEBA force field, whose atoms have multipoles instead of the point "
         "charges that ionwell needs; give a topology of another force field (ff19SB, OL3, OL15, CHARMM36), "
         "or a PQR file");
  if (sections.pointers()[natom] == 0)
    sections.complain("POINTERS", natom, "NATOM is 0: there are no atoms; write the topology again");
  Topology topology;
  read_atoms(sections, topology.atoms);
  const std::vector<std::size_t> ends = read_residue_ends(sections, topology.atoms.size());
  read_residues(sections, ends, topology.atoms);
  topology.links = end_chains(sections, ends, topology.atoms);
  topology.cell = read_cell(sections);
  if (const std::int64_t copies = count_copies(sections); copies > 0) {
    topology.has_copies = true;
    topology.warnings.push_back(
        path + ": is a topology of locally enhanced sampling (LES): " + count_of(copies, "atom") +
        " are copies, which share the charges of the atoms that they represent; all count");
  }
  if (!sections.has("RADII") && !sections.is_old())
    topology.warnings.push_back(
        path + ": has no section RADII, so all radii are 0; LEaP writes one: is the file truncated?");
  return topology;
}

std::vector<AtomLink> read_bonds_to_hydrogen(std::string_view text, const std::string& path) {
  return read_bonds(PrmtopSections(text, path), "BONDS_INC_HYDROGEN", nbonh);
}

}  // namespace ionwell
