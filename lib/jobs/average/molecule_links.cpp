// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/molecule_links.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/periodic/periodic_cell_list.hpp"
#include "structures/molecules/residue_bonds.hpp"

namespace ionwell {
namespace {

constexpr double linked_A = ResidueBonds::longest_A;
constexpr double kept_together_A = 10.0;

/// Sets of atoms that are linked.
class LinkedSets {
 public:
  explicit LinkedSets(std::size_t atoms) : parent_(atoms) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t root(std::uint32_t atom) {
    while (parent_[atom] != atom) atom = parent_[atom] = parent_[parent_[atom]];
    return atom;
  }

  /// False when they are one already.
  bool join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

struct CandidateLink {
  double distance2_A2;
  std::uint32_t a, b;
};

}  // namespace

MoleculeLinks::MoleculeLinks(std::span<const Atom> atoms, const PeriodicCell& cell,
                             std::span<const AtomLink> of_topology) {
  std::vector<Vec3<double>> positions_A;
  for (const Atom& atom : atoms) positions_A.push_back(atom.position_A);
  const ResidueBonds bonds(atoms, of_topology);
  LinkedSets sets(atoms.size());
  std::vector<std::vector<std::uint32_t>> linked(atoms.size());
  const auto join_within = [&](double reach_A, const auto& may_link) {
    const PeriodicCellList list(cell, positions_A, reach_A);
    std::vector<CandidateLink> links;
    for (std::uint32_t a = 0; a < atoms.size(); ++a)
      list.near(positions_A[a], reach_A, [&](std::uint32_t b, const Vec3<double>& difference_A) {
        const double d2 = dot(difference_A, difference_A);
        if (b > a && may_link(a, b, d2) && sets.root(a) != sets.root(b)) links.push_back({d2, a, b});
      });
    std::stable_sort(links.begin(), links.end(), [](const CandidateLink& x, const CandidateLink& y) {
      return x.distance2_A2 < y.distance2_A2;
    });
    for (const CandidateLink& link : links) {
      if (!sets.join(link.a, link.b)) continue;
      linked[link.a].push_back(link.b);
      linked[link.b].push_back(link.a);
    }
  };
  // Beyond this the nearest image would be a matter of chance.
  const double most_A = std::min(kept_together_A, cell.inscribed_radius_A());
  join_within(std::min(linked_A, most_A),
              [&](std::uint32_t a, std::uint32_t b, double d2) { return bonds.are_bonded(a, b, d2); });
  const auto moves_freely = [&](std::uint32_t n) { return bonds.is_ion(n) || bonds.is_water(n); };
  const auto are_apart = [&] {
    std::optional<std::uint32_t> set;
    for (std::uint32_t n = 0; n < atoms.size(); ++n) {
      if (moves_freely(n)) continue;
      if (set && *set != sets.root(n)) return true;
      set = sets.root(n);
    }
    return false;
  };
  for (double reach_A = 2 * linked_A; reach_A <= most_A && are_apart(); reach_A += linked_A)
    join_within(reach_A, [&](std::uint32_t a, std::uint32_t b, double) {
      return !moves_freely(a) && !moves_freely(b);
    });

  std::vector<std::uint8_t> is_reached(atoms.size(), 0);
  for (std::uint32_t first = 0; first < atoms.size(); ++first) {
    if (is_reached[first]) continue;
    is_reached[first] = 1;
    if (!moves_freely(first)) anchors_.push_back({first, positions_A[first]});
    for (std::vector<std::uint32_t> waiting = {first}; !waiting.empty();) {
      const std::uint32_t from = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t atom : linked[from]) {
        if (is_reached[atom]) continue;
        is_reached[atom] = 1;
        steps_.push_back({atom, from});
        waiting.push_back(atom);
      }
    }
  }
}

std::int64_t MoleculeLinks::make_whole(std::span<Vec3<double>> positions_A, const PeriodicCell& cell) const {
  std::int64_t moved = 0;
  const double near_A2 = cell.inscribed_radius_A() * cell.inscribed_radius_A();
  const auto bring = [&](std::uint32_t atom, const Vec3<double>& beside_A) {
    const Vec3<double> difference_A = positions_A[atom] - beside_A;
    if (dot(difference_A, difference_A) <= near_A2) return;  // no image is nearer
    const Vec3<double> shortest_A = cell.shortest(difference_A);
    constexpr double unmoved_A = 1e-6;
    if (distance_squared(shortest_A, difference_A) <= unmoved_A * unmoved_A) return;
    positions_A[atom] = beside_A + shortest_A;
    ++moved;
  };
  for (const Anchor& anchor : anchors_) bring(anchor.atom, anchor.position_A);
  for (const Step& step : steps_) bring(step.atom, positions_A[step.from]);
  return moved;
}

}  // namespace ionwell
