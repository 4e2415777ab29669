// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/whole_molecules.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "core/cell_list.hpp"
#include "solvation/images_near_cell.hpp"
#include "structures/molecules/residue_bonds.hpp"

namespace ionwell {
namespace {

constexpr double farthest_link_A = 10.0;

using Shift = Vec3<int>;  // multiples of the cell's vectors

/// Sets of atoms, and the images in which atoms of one set lie together.
class ShiftedSets {
 public:
  explicit ShiftedSets(std::size_t atoms) : parent_(atoms), shift_(atoms), size_(atoms, 1) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  std::uint32_t root(std::uint32_t atom) {
    if (parent_[atom] == atom) return atom;
    std::vector<std::uint32_t> path;
    std::uint32_t top = atom;
    for (; parent_[top] != top; top = parent_[top]) path.push_back(top);
    for (std::size_t n = path.size() - 1; n-- > 0;) {  // the last has the root as its parent already
      shift_[path[n]] = shift_[path[n]] + shift_[path[n + 1]];
      parent_[path[n]] = top;
    }
    return top;
  }

  /// By how much the atom is to be shifted, from the place that it has, to lie with its root.
  Shift shift(std::uint32_t atom) {
    root(atom);
    return shift_[atom];
  }

  std::uint32_t size(std::uint32_t root) const { return size_[root]; }

  /// Joins the sets of a and b so that b, shifted so, lies with a where it is. False when they are one
  /// already.
  bool join(std::uint32_t a, std::uint32_t b, const Shift& shift_of_b) {
    std::uint32_t root_a = root(a), root_b = root(b);
    if (root_a == root_b) return false;
    Shift move = shift_[a] + shift_of_b - shift_[b];  // of b's root, into the frame of a's
    if (size_[root_a] < size_[root_b]) {
      std::swap(root_a, root_b);
      move = Shift{} - move;
    }
    parent_[root_b] = root_a;
    shift_[root_b] = move;
    size_[root_a] += size_[root_b];
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<Shift> shift_;  // relative to the parent
  std::vector<std::uint32_t> size_;
};

/// Two atoms and the shift that brings the second one near the first.
struct Link {
  double distance2_A2;
  std::uint32_t a, b;
  Shift shift_of_b;
};

class Joiner {
 public:
  Joiner(std::span<Atom> atoms, const PeriodicCell& cell, std::span<const AtomLink> topology)
      : atoms_(atoms),
        cell_(cell),
        bonds_(atoms, topology),
        sets_(atoms.size()),
        images_(images_near_cell(positions_of(atoms), cell, farthest_link_A)) {}

  std::int64_t run() {
    const Shift none{};
    constexpr double bond_A = ResidueBonds::longest_A;
    std::vector<Link> links = links_within(bond_A);
    std::erase_if(links,
                  [&](const Link& link) { return !bonds_.are_bonded(link.a, link.b, link.distance2_A2); });
    for (const Link& link : links)
      if (link.shift_of_b == none) sets_.join(link.a, link.b, none);
    bool is_broken = false;
    for (const Link& link : links) is_broken |= sets_.join(link.a, link.b, link.shift_of_b);
    if (!is_broken) return 0;
    for (double reach_A = 2 * bond_A; reach_A <= farthest_link_A; reach_A += bond_A) {
      links = links_within(reach_A);
      std::stable_sort(links.begin(), links.end(),
                       [](const Link& x, const Link& y) { return x.distance2_A2 < y.distance2_A2; });
      for (const Link& link : links) sets_.join(link.a, link.b, link.shift_of_b);
    }
    return move_atoms();
  }

 private:
  static std::vector<Vec3<double>> positions_of(std::span<const Atom> atoms) {
    std::vector<Vec3<double>> positions;
    for (const Atom& atom : atoms) positions.push_back(atom.position_A);
    return positions;
  }

  /// Between atoms of sets that are not one yet.
  std::vector<Link> links_within(double reach_A) {
    const CellList list(images_.positions_A, reach_A);
    std::vector<Link> links;
    for (std::uint32_t a = 0; a < atoms_.size(); ++a) {  // the images in the cell come first
      const Vec3<double>& p = images_.positions_A[a];
      list.near({p, p}, reach_A, [&](std::uint32_t image) {
        const std::uint32_t b = images_.point[image];
        if (b <= a || sets_.root(a) == sets_.root(b)) return;
        const double d2 = distance_squared(p, images_.positions_A[image]);
        if (d2 <= reach_A * reach_A) links.push_back({d2, a, b, images_.shift[image] - images_.shift[a]});
      });
    }
    return links;
  }

  /// The largest set stays, and each of the others comes as a whole to the image whose middle is nearest to
  /// its.
  std::int64_t move_atoms() {
    std::uint32_t largest = 0;
    for (std::uint32_t n = 0; n < atoms_.size(); ++n)
      if (sets_.size(sets_.root(n)) > sets_.size(sets_.root(largest))) largest = n;
    largest = sets_.root(largest);
    std::vector<Vec3<double>> sums(atoms_.size());
    for (std::uint32_t n = 0; n < atoms_.size(); ++n)
      sums[sets_.root(n)] = sums[sets_.root(n)] + moved(n, sets_.shift(n));
    const auto middle = [&](std::uint32_t root) { return (1.0 / sets_.size(root)) * sums[root]; };
    std::int64_t count = 0;
    for (std::uint32_t n = 0; n < atoms_.size(); ++n) {
      const std::uint32_t root = sets_.root(n);
      Vec3<double> p = moved(n, sets_.shift(n));
      if (root != largest) {
        const Vec3<double> apart = middle(root) - middle(largest);
        p = p + (cell_.shortest(apart) - apart);
      }
      constexpr double unmoved_A = 1e-6;
      if (distance_squared(p, atoms_[n].position_A) > unmoved_A * unmoved_A) ++count;
      atoms_[n].position_A = p;
    }
    return count;
  }

  Vec3<double> moved(std::uint32_t atom, const Shift& by) const {
    return atoms_[atom].position_A + cell_.cartesian_A({double(by.x), double(by.y), double(by.z)});
  }

  std::span<Atom> atoms_;
  const PeriodicCell& cell_;
  ResidueBonds bonds_;
  ShiftedSets sets_;
  ImagesNearCell images_;
};

}  // namespace

std::int64_t make_whole(std::span<Atom> atoms, const PeriodicCell& cell, std::span<const AtomLink> links) {
  return atoms.empty() ? 0 : Joiner(atoms, cell, links).run();
}

}  // namespace ionwell
