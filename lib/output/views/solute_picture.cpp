// SPDX-License-Identifier: BSD-3-Clause
#include "output/views/solute_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "compute/json_parts.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "structures/molecules/chain_ends.hpp"
#include "structures/solute_elements.hpp"
#include "structures/solute_names.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

constexpr double fine_A = 0.01, coarse_A = 0.1;  // steps of coordinates

/// A residue of a solute without waters.
struct DrawnResidue {
  std::span<const Atom> atoms;
  ResidueKind kind;
  bool begins_chain;
};

std::vector<DrawnResidue> drawn_residues(std::span<const Atom> atoms) {
  std::vector<DrawnResidue> residues;
  bool begins_chain = true;
  for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
    end = end_of_residue(atoms, begin);
    const std::span<const Atom> own = atoms.subspan(begin, end - begin);
    if (begin > 0 && chain_ends_between(atoms[begin - 1], own.front())) begins_chain = true;
    const ResidueKind kind = residue_kind(own.front().residue.view());
    if (kind == ResidueKind::water) continue;
    residues.push_back({own, kind, begins_chain});
    begins_chain = false;
  }
  return residues;
}

void append_xyz(Json& xyz, const Vec3<double>& position_A, const Vec3<double>& origin_A, double step_A) {
  const Vec3<double> r = position_A - origin_A;
  for (const double x : {r.x, r.y, r.z}) xyz.push_back(std::llround(x / step_A));
}

/// A nucleotide under the name that 3Dmol.js draws it by: A, C, G, U, DA, DC, DG or DT; other names stay.
std::string drawn_name(const Atom& atom, ResidueKind kind) {
  const std::string name(pdb_name(atom).residue);
  if (kind != ResidueKind::nucleic_acid) return name;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> long_names = {
      {{"ADE", "A"}, {"CYT", "C"}, {"GUA", "G"}, {"URA", "U"}, {"THY", "DT"}}};
  for (const auto& [full, letter] : long_names)
    if (name == full) return std::string(letter);
  std::string base = name;
  while (base.size() > 1 && (base.back() == '5' || base.back() == '3' || base.back() == 'N')) base.pop_back();
  if (base.size() == 2 && base[0] == 'R') base.erase(0, 1);
  return base;
}

Json in_full(std::span<const DrawnResidue> residues, const Vec3<double>& origin_A) {
  Json chains = Json::array(), rows = Json::array(), names = Json::array(), atoms = Json::array(),
       xyz = Json::array();
  std::map<std::pair<std::string, std::string>, std::size_t> numbers;
  for (const DrawnResidue& residue : residues) {
    const Atom& first = residue.atoms.front();
    if (residue.begins_chain) chains.push_back(first.chain.view());
    const bool polymer = residue.kind == ResidueKind::protein || residue.kind == ResidueKind::nucleic_acid;
    rows.push_back({drawn_name(first, residue.kind), first.residue_number, chains.size() - 1, polymer ? 1 : 0,
                    residue.atoms.size()});
    for (const Atom& atom : residue.atoms) {
      const std::pair name(std::string(pdb_name(atom).atom), std::string(element_of(atom)));
      const auto [found, is_new] = numbers.try_emplace(name, numbers.size());
      if (is_new) names.push_back({name.first, name.second});
      atoms.push_back(found->second);
      append_xyz(xyz, atom.position_A, origin_A, fine_A);
    }
  }
  return {{"detail", "atoms"}, {"origin_A", vector_json(origin_A)},
          {"chains", chains},  {"residues", rows},
          {"names", names},    {"atoms", atoms},
          {"xyz", xyz}};
}

const Atom* named(const DrawnResidue& residue, std::string_view name) {
  for (const Atom& atom : residue.atoms)
    if (atom.name.view() == name) return &atom;
  return nullptr;
}

/// Modified residues of a chain included.
ResidueKind kind_by_atoms(const DrawnResidue& residue) {
  if (residue.kind != ResidueKind::unknown) return residue.kind;
  if (named(residue, "P") && named(residue, "C1'")) return ResidueKind::nucleic_acid;
  return named(residue, "N") && named(residue, "CA") && named(residue, "C") ? ResidueKind::protein
                                                                            : ResidueKind::unknown;
}

Json as_trace(std::span<const DrawnResidue> residues, const Vec3<double>& origin_A) {
  constexpr std::size_t most_others = 3'000;        // a page stays small next to the structure
  constexpr double longest_step2_A2 = 10.0 * 10.0;  // P to P is at most 7.5 A, CA to CA 3.8 A
  std::string kinds, other_kinds;
  Json breaks = Json::array(), xyz = Json::array(), others = Json::array();
  const Atom* last = nullptr;
  for (const DrawnResidue& residue : residues) {
    if (residue.begins_chain) last = nullptr;
    const ResidueKind kind = kind_by_atoms(residue);
    if (kind == ResidueKind::ion || kind == ResidueKind::unknown) {
      for (const Atom& atom : residue.atoms) {
        if (element_of(atom) == "H" || other_kinds.size() == most_others) continue;
        other_kinds += kind == ResidueKind::ion || residue.atoms.size() == 1 ? 'i' : 'l';
        append_xyz(others, atom.position_A, origin_A, coarse_A);
      }
      continue;
    }
    const Atom* const atom = kind == ResidueKind::protein        ? named(residue, "CA")
                             : kind == ResidueKind::nucleic_acid ? named(residue, "P")
                                                                 : nullptr;
    if (atom == nullptr) continue;
    const Vec3<double> step = last == nullptr ? Vec3<double>{} : atom->position_A - last->position_A;
    if (last == nullptr || dot(step, step) > longest_step2_A2) breaks.push_back(kinds.size());
    kinds += kind == ResidueKind::protein ? 'p' : 'n';
    append_xyz(xyz, atom->position_A, origin_A, coarse_A);
    last = atom;
  }
  if (kinds.empty()) return nullptr;
  return {{"detail", "trace"}, {"origin_A", vector_json(origin_A)}, {"kinds", kinds},     {"breaks", breaks},
          {"xyz", xyz},        {"other_kinds", other_kinds},        {"other_xyz", others}};
}

Json sparse(std::span<const DrawnResidue> residues, std::size_t atoms, const Vec3<double>& origin_A) {
  const std::size_t every = (atoms + most_atoms_in_full - 1) / most_atoms_in_full;
  Json xyz = Json::array();
  std::size_t number = 0;
  for (const DrawnResidue& residue : residues)
    for (const Atom& atom : residue.atoms)
      if (number++ % every == 0) append_xyz(xyz, atom.position_A, origin_A, coarse_A);
  return {{"detail", "sparse"}, {"origin_A", vector_json(origin_A)}, {"xyz", xyz}};
}

}  // namespace

nlohmann::ordered_json solute_picture(const Structure& structure) {
  const std::vector<DrawnResidue> residues = drawn_residues(structure.atoms);
  std::size_t atoms = 0;
  for (const DrawnResidue& residue : residues) atoms += residue.atoms.size();
  if (atoms == 0) return nullptr;
  const Vec3<double> lowest_A = bounding_box(structure.atoms).lowest_A;
  const Vec3<double> origin_A = {std::floor(lowest_A.x), std::floor(lowest_A.y), std::floor(lowest_A.z)};
  if (atoms <= most_atoms_in_full) return in_full(residues, origin_A);
  Json trace = as_trace(residues, origin_A);
  return trace.is_null() ? sparse(residues, atoms, origin_A) : trace;
}

}  // namespace ionwell
