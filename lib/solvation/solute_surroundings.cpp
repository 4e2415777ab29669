// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/solute_surroundings.hpp"

#include <algorithm>
#include <cmath>

#include "core/chemistry/composition.hpp"
#include "core/chemistry/extra_particles.hpp"
#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/ion_table.hpp"
#include "solvation/hydration/coordination.hpp"
#include "solvation/images_near_cell.hpp"
#include "structures/assign_radii.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr double near_A = 5.0;
constexpr double tails_within_A = 6.0, polar_within_A = 3.5, bonded_A = 1.7;
constexpr int least_tail_carbons = 10;

/// An atom of no known element counts as carbon, unless its name says that it has no mass.
constexpr double unknown_radius_A = 1.7;

/// Lone pairs, extra points and Drude particles, which no file calls by an element.
bool is_massless(std::span<const Atom> atoms, std::size_t n) {
  const std::string_view name = atoms[n].name.view();
  return element_of(atoms[n]).empty() &&
         (name.starts_with("LP") || name.starts_with("EP") || name[0] == 'M' || is_drude_particle(atoms, n));
}

/// Files without charges leave ions without theirs, which their radius depends on.
void give_ions_charges(std::span<Atom> atoms) {
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    Atom& atom = atoms[begin];
    if (residue.kind == ResidueKind::ion && residue.end - begin == 1 && atom.charge_e == 0.0)
      if (const auto ion = formal_ion({.name = atom.residue.view(), .first_atom = atom.name.view()}))
        atom.charge_e = ion->charge_e;
    begin = residue.end;
  }
}

bool is_polar(std::string_view element) {
  return element == "N" || element == "O" || element == "P";
}

/// By its name; of a name that says nothing, by its carbons, three or more for each polar atom. What has no
/// polar atom, a nanotube, is none.
bool is_lipid(std::span<const Atom> residue, ResidueKind kind) {
  if (kind != ResidueKind::unknown) return kind == ResidueKind::lipid;
  constexpr std::int64_t least_carbons = 16, carbons_per_polar = 3;
  std::int64_t carbons = 0, polar = 0;
  for (const Atom& atom : residue) {
    carbons += element_of(atom) == "C";
    polar += is_polar(element_of(atom));
  }
  return polar > 0 && carbons >= least_carbons && carbons >= carbons_per_polar * polar;
}

/// Marks the carbons of lipids that no polar atom of their residue is bonded to.
void mark_tails(std::span<const Atom> atoms, std::span<std::uint8_t> tail) {
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const std::span<const Atom> members = atoms.subspan(begin, residue.end - begin);
    begin = residue.end;
    if (!is_lipid(members, residue.kind)) continue;
    std::vector<Vec3<double>> polar_A;
    for (const Atom& atom : members)
      if (is_polar(element_of(atom))) polar_A.push_back(atom.position_A);
    for (std::size_t n = residue.begin; n < residue.end; ++n)
      tail[n] = element_of(atoms[n]) == "C" &&
                std::none_of(polar_A.begin(), polar_A.end(), [&](const Vec3<double>& p) {
                  return distance_squared(p, atoms[n].position_A) < bonded_A * bonded_A;
                });
  }
}

/// Marks the polar atoms of nucleic acids.
void mark_polar_of_nucleic_acids(std::span<const Atom> atoms, std::span<std::uint8_t> marks) {
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if (residue.kind == ResidueKind::nucleic_acid)
      for (std::size_t n = begin; n < residue.end; ++n) marks[n] = is_polar(element_of(atoms[n]));
    begin = residue.end;
  }
}

}  // namespace

SoluteSurroundings::SoluteSurroundings(std::span<const Atom> solute, const PeriodicCell& cell,
                                       const OverlapRule& rule, double beyond_A) {
  if (solute.empty()) return;
  std::vector<Atom> atoms(solute.begin(), solute.end());
  give_ions_charges(atoms);
  assign_radii(atoms);
  std::vector<std::uint8_t> tail(atoms.size()), polar_of_nucleic_acid(atoms.size());
  mark_tails(atoms, tail);
  mark_polar_of_nucleic_acids(atoms, polar_of_nucleic_acid);
  std::vector<Vec3<double>> positions;
  positions.reserve(atoms.size());
  for (const Atom& atom : atoms) positions.push_back(atom.position_A);
  constexpr double rings_A = 2 * near_A;
  const ImagesNearCell images = images_near_cell(positions, cell, beyond_A + rings_A);
  std::vector<SoluteSphere> spheres;  // of each image
  spheres.reserve(images.point.size());
  for (const std::uint32_t n : images.point) {
    const Atom& atom = atoms[n];
    const std::string_view element = element_of(atom);
    const double radius_A = atom.radius_A > 0.0 || is_massless(atoms, n) ? atom.radius_A : unknown_radius_A;
    const double scale = polar_of_nucleic_acid[n] != 0 ? rule.nucleic_acid_scale : rule.scale;
    const double least_A = radius_A > 0.0 ? scale * (radius_A + rule.oxygen_A) : 0.0;
    spheres.push_back({.position_A = images.positions_A[spheres.size()],
                       .radius_A = float(radius_A),
                       .shell_A = float(first_shell_A(element).value_or(0.0)),
                       .least_A = float(least_A),
                       .is_polar = is_polar(element),
                       .is_tail = tail[n] != 0});
    reach_A_ = std::max(reach_A_, double(spheres.back().least_A));
  }
  has_tails_ = std::find(tail.begin(), tail.end(), 1) != tail.end();

  // Two cells more on each side, so that everything outside of the grid is far.
  CellGrid grid = cells_around(images.positions_A, near_A);
  const Vec3<double> margin = 2.0 * grid.edge_A;
  grid.box = {grid.box.lowest_A - margin, grid.box.highest_A + margin};
  grid.counts = grid.counts + Vec3<std::int64_t>{4, 4, 4};
  list_.emplace(grid, spheres.size(), [&](std::size_t n) { return spheres[n].position_A; });
  spheres_.reserve(spheres.size());
  for (const std::uint32_t n : list_->order()) spheres_.push_back(spheres[n]);
  nearness_.assign(std::size_t(grid.size()), Nearness::far);
  const auto mark = [&](std::int64_t around, Nearness nearness) {
    for (std::int64_t k = 2; k < grid.counts.z - 2; ++k)
      for (std::int64_t j = 2; j < grid.counts.y - 2; ++j)
        for (std::int64_t i = 2; i < grid.counts.x - 2; ++i) {
          const std::int64_t here = cell_number(grid.counts, {i, j, k});
          if (list_->begin(here) == list_->begin(here + 1)) continue;
          for (std::int64_t c = -around; c <= around; ++c)
            for (std::int64_t b = -around; b <= around; ++b)
              for (std::int64_t a = -around; a <= around; ++a)
                nearness_[std::size_t(cell_number(grid.counts, {i + a, j + b, k + c}))] = nearness;
        }
  };
  mark(2, Nearness::outer);
  mark(1, Nearness::near);
}

Place SoluteSurroundings::place_of(const Vec3<double>& p) const {
  if (!list_) return Place::far;
  const Box& box = list_->grid().box;
  if (!(p.x > box.lowest_A.x && p.x < box.highest_A.x && p.y > box.lowest_A.y && p.y < box.highest_A.y &&
        p.z > box.lowest_A.z && p.z < box.highest_A.z))
    return Place::far;
  const Nearness nearness = nearness_[std::size_t(list_->grid().cell_of(p))];
  if (nearness != Nearness::near) return nearness == Nearness::far ? Place::far : Place::outer;
  bool is_occupied = false;
  near(p, reach_A_, [&](const SoluteSphere& atom) {
    const double least_A = double(atom.least_A);
    is_occupied |= distance_squared(p, atom.position_A) < least_A * least_A;
  });
  if (is_occupied) return Place::occupied;
  return has_tails_ && is_among_tails(p) ? Place::among_tails : Place::near;
}

bool SoluteSurroundings::is_among_tails(const Vec3<double>& p) const {
  int carbons = 0;
  bool is_near_polar = false;
  near(p, tails_within_A, [&](const SoluteSphere& atom) {
    const double d2 = distance_squared(p, atom.position_A);
    carbons += atom.is_tail && d2 < tails_within_A * tails_within_A;
    is_near_polar |= atom.is_polar && d2 < polar_within_A * polar_within_A;
  });
  return carbons >= least_tail_carbons && !is_near_polar;
}

bool SoluteSurroundings::is_far(const Box& box) const {
  return !list_ || !overlap(box, list_->grid().box);
}

}  // namespace ionwell
