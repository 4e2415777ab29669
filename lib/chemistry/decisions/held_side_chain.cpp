// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/held_side_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "chemistry/decisions/metal_states.hpp"
#include "chemistry/templates/residue_match.hpp"
#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

/// The side chain of an amino acid, as its template has it, in two places.
class SideChain {
 public:
  SideChain(std::span<Atom> answer, const ResidueTemplate& residue, std::span<const Atom> file)
      : answer_(answer), residue_(residue), file_(file) {}

  void turn_back(std::string_view bound) {
    const std::vector<std::size_t> path = path_to(residue_.find(bound));
    for (std::size_t n = 0; n + 2 < path.size(); ++n) {
      const std::vector<std::uint8_t> behind = atoms_behind(path[n], path[n + 1]);
      if (behind.empty() || !turn(path[n], path[n + 1], path[n + 2], behind)) return;
    }
  }

 private:
  static constexpr std::size_t no_atom = ResidueTemplate::no_atom;

  std::vector<std::size_t> neighbours(std::size_t atom) const {
    std::vector<std::size_t> result;
    for (const TemplateBond& bond : residue_.bonds) {
      if (bond.first == atom) result.push_back(bond.second);
      if (bond.second == atom) result.push_back(bond.first);
    }
    return result;
  }

  /// From CA, by the fewest bonds; empty: there is none.
  std::vector<std::size_t> path_to(std::size_t end) const {
    const std::size_t begin = residue_.find("CA");
    if (begin == no_atom || end == no_atom) return {};
    std::vector<std::size_t> before(residue_.atoms.size(), no_atom), queue = {end};
    before[end] = end;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const std::size_t next : neighbours(queue[at]))
        if (before[next] == no_atom) {
          before[next] = queue[at];
          queue.push_back(next);
        }
    if (before[begin] == no_atom) return {};
    std::vector<std::size_t> path = {begin};
    while (path.back() != end) path.push_back(before[path.back()]);
    return path;
  }

  /// By atom of the template: whether it turns with `to` about the bond from `from`; empty: that is in a
  /// ring.
  std::vector<std::uint8_t> atoms_behind(std::size_t from, std::size_t to) const {
    std::vector<std::uint8_t> behind(residue_.atoms.size(), 0);
    std::vector<std::size_t> queue = {to};
    behind[to] = 1;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const std::size_t next : neighbours(queue[at])) {
        if (next == from && queue[at] != to) return {};
        if (next == from || behind[next]) continue;
        behind[next] = 1;
        queue.push_back(next);
      }
    return behind;
  }

  template <typename Atoms>
  static auto* named(Atoms& atoms, Label name) {
    const auto found =
        std::find_if(atoms.begin(), atoms.end(), [&](const Atom& atom) { return atom.name == name; });
    return found == atoms.end() ? nullptr : &*found;
  }

  /// What is left of `v` without its part along `axis`, which has the length 1.
  static Vec3<double> across(const Vec3<double>& v, const Vec3<double>& axis) {
    return v - dot(v, axis) * axis;
  }

  /// About the bond from `from` to `to`, until `end` has the torsion of the file.
  bool turn(std::size_t from, std::size_t to, std::size_t end, const std::vector<std::uint8_t>& behind) {
    const Atom* const a = named(answer_, residue_.atoms[from].name);
    const Atom* const b = named(answer_, residue_.atoms[to].name);
    const Atom* const c = named(answer_, residue_.atoms[end].name);
    const Atom* const goal = named(file_, residue_.atoms[end].name);
    if (a == nullptr || b == nullptr || c == nullptr || goal == nullptr) return false;
    const Vec3<double> origin_A = b->position_A, bond_A = origin_A - a->position_A;
    const Vec3<double> axis = (1.0 / std::sqrt(dot(bond_A, bond_A))) * bond_A;
    const Vec3<double> now = across(c->position_A - origin_A, axis),
                       wanted = across(goal->position_A - origin_A, axis);
    const double angle = std::atan2(dot(axis, cross(now, wanted)), dot(now, wanted));
    std::vector<std::uint8_t> turns(answer_.size());
    for (std::size_t n = 0; n < answer_.size(); ++n) {
      const std::size_t m = residue_.find(heavy_atom_of(answer_[n]).name.view());
      turns[n] = m != no_atom && behind[m];
    }
    for (std::size_t n = 0; n < answer_.size(); ++n) {
      if (!turns[n]) continue;
      const Vec3<double> v = answer_[n].position_A - origin_A;
      answer_[n].position_A = rounded_A(origin_A + std::cos(angle) * v + std::sin(angle) * cross(axis, v) +
                                        ((1.0 - std::cos(angle)) * dot(axis, v)) * axis);
    }
    return true;
  }

  /// Itself, or the one that a hydrogen is nearest to.
  const Atom& heavy_atom_of(const Atom& atom) const {
    const Atom* nearest = &atom;
    double least_A2 = std::numeric_limits<double>::infinity();
    if (!is_named_as_hydrogen(atom.name.view())) return atom;
    for (const Atom& other : answer_) {
      if (is_named_as_hydrogen(other.name.view())) continue;
      const double away_A2 = distance_squared(atom.position_A, other.position_A);
      if (away_A2 < least_A2) {
        least_A2 = away_A2;
        nearest = &other;
      }
    }
    return *nearest;
  }

  /// To the decimals that PDB2PQR writes.
  static Vec3<double> rounded_A(const Vec3<double>& p) {
    const auto round = [](double x) { return std::round(x * 1000.0) / 1000.0 + 0.0; };  // + 0.0: no -0
    return {round(p.x), round(p.y), round(p.z)};
  }

  std::span<Atom> answer_;
  const ResidueTemplate& residue_;
  std::span<const Atom> file_;
};

}  // namespace

std::vector<BoundAtom> bound_side_chain_atoms(std::span<const Atom> atoms, const Chemistry& chemistry,
                                              const ChemistryChoices& choices, const ResidueUse& use) {
  std::vector<BoundAtom> bound;
  const auto add = [&](std::uint32_t atom, std::uint32_t partner) {
    const std::string_view name = atoms[atom].name.view();
    const bool is_of_backbone = name == "N" || name == "C" || name == "O" || name == "OXT";
    if (chemistry.residues[chemistry.residue_of(atom)].role == ResidueRole::amino_acid && !is_of_backbone)
      bound.push_back({atom, partner});
  };
  for (const MetalSite& site : chemistry.metals)
    if (is_metal_there(site, chemistry, choices, use))
      for (const std::uint32_t ligand : site.ligands) add(ligand, site.metal);
  for (const ResidueLink& link : chemistry.links)
    for (const auto& [atom, partner] : {std::pair(link.first, link.second), {link.second, link.first}})
      if (!use.ignores(chemistry.residue_of(partner))) add(atom, partner);
  return bound;
}

void turn_back(std::span<Atom> answer, const ResidueTemplate& residue, std::span<const Atom> file,
               std::string_view bound) {
  SideChain(answer, residue, file).turn_back(bound);
}

}  // namespace ionwell
