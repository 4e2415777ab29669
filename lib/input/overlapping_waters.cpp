// SPDX-License-Identifier: BSD-3-Clause
#include "input/overlapping_waters.hpp"

#include <cmath>
#include <string>

#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "core/cell_list.hpp"
#include "core/chemistry/composition.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

constexpr double shortest_A = 1.7;  // from a water's oxygen: ligands of metals begin at 1.8 A

}  // namespace

void leave_out_overlapping(std::vector<Atom>& waters, std::span<const Atom> others,
                           std::vector<ChemistryRow>& rows) {
  if (waters.empty()) return;
  std::vector<Vec3<double>> places_A;  // of heavy atoms: the others', then the waters'
  std::vector<const Atom*> atoms;
  std::vector<std::size_t> water_of;  // its first atom; for the others none
  const auto add = [&](const Atom& atom, std::size_t water) {
    if (element_by_name(atom, false) == ElementSymbol("H")) return;
    places_A.push_back(atom.position_A);
    atoms.push_back(&atom);
    water_of.push_back(water);
  };
  for (const Atom& atom : others) add(atom, waters.size());
  const std::size_t first_of_waters = atoms.size();
  for (std::size_t begin = 0; begin < waters.size();) {
    const std::size_t end = residue_at(waters, begin).end;
    for (std::size_t n = begin; n < end; ++n) add(waters[n], begin);
    begin = end;
  }
  const CellList cells(places_A, shortest_A);
  std::vector<std::uint8_t> is_left_out(waters.size(), 0);  // by a water's first atom
  std::int64_t count = 0;
  std::string why;
  for (std::size_t n = first_of_waters; n < atoms.size(); ++n) {
    if (is_left_out[water_of[n]]) continue;
    const auto is_earlier = [&](std::uint32_t m) {
      return m < first_of_waters || (water_of[m] < water_of[n] && !is_left_out[water_of[m]]);
    };
    double nearest2_A2 = shortest_A * shortest_A;
    const Atom* nearest = nullptr;
    cells.near({places_A[n], places_A[n]}, shortest_A, [&](std::uint32_t m) {
      const double d2 = distance_squared(places_A[m], places_A[n]);
      if (d2 >= nearest2_A2 || !is_earlier(m)) return;
      nearest2_A2 = d2;
      nearest = atoms[m];
    });
    if (nearest == nullptr) continue;
    is_left_out[water_of[n]] = 1;
    if (count++ == 0)
      why = describe_residue(*atoms[n]) + " is " + distance_text(std::sqrt(nearest2_A2)) + " from " +
            describe(*nearest);
  }
  if (count == 0) return;
  rows.push_back({count_of(count, "water"), "left out", why + (count > 1 ? ", the first of them" : ""), {}});
  std::vector<Atom> kept;
  for (std::size_t begin = 0; begin < waters.size();) {
    const std::size_t end = residue_at(waters, begin).end;
    if (!is_left_out[begin])
      kept.insert(kept.end(), waters.begin() + std::ptrdiff_t(begin), waters.begin() + std::ptrdiff_t(end));
    begin = end;
  }
  waters = std::move(kept);
}

}  // namespace ionwell
