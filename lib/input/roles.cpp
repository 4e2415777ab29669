// SPDX-License-Identifier: BSD-3-Clause
#include "input/roles.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

bool is_acting(AtomRole role) {
  return role == AtomRole::acts;
}

}  // namespace

std::vector<AtomRole> selected_roles(std::span<const Atom> atoms, const std::string& solute,
                                     const std::string& ignore, const std::string& path, Absent absent) {
  if (solute.empty() && ignore.empty()) return {};
  std::vector<AtomRole> roles(atoms.size(), AtomRole::acts);
  if (!solute.empty()) {
    const std::vector<std::uint8_t> selected = select(atoms, solute, absent);
    for (std::size_t i = 0; i < roles.size(); ++i)
      if (!selected[i]) roles[i] = AtomRole::stays;
  }
  if (!ignore.empty()) {
    const std::vector<std::uint8_t> selected = select(atoms, ignore, absent);
    for (std::size_t i = 0; i < roles.size(); ++i)
      if (selected[i]) roles[i] = AtomRole::ignored;
  }
  if (std::ranges::none_of(roles, is_acting))
    fail<UsageError>("--solute and --ignore select none of the ", count_of(std::ssize(atoms), "atom"), " of ",
                     path, "; correct them");
  if (std::ranges::all_of(roles, is_acting)) roles.clear();
  return roles;
}

void take_waters_out(std::span<const Atom> atoms, std::span<const Atom> acting, std::vector<AtomRole>& roles,
                     InputWater water) {
  const AtomRole taken = water == InputWater::ignore ? AtomRole::left_out : AtomRole::stays;
  const bool others_stay = std::ranges::find(roles, AtomRole::stays) != roles.end();
  if (roles.empty()) roles.assign(atoms.size(), AtomRole::acts);
  std::size_t at = 0;  // the next that acts
  for (std::size_t begin = 0; begin < acting.size();) {
    const Residue residue = residue_at(acting, begin);
    for (; begin < residue.end; ++begin, ++at) {
      while (roles[at] != AtomRole::acts) ++at;
      if (residue.kind == ResidueKind::water) roles[at] = taken;
    }
  }
  if (taken == AtomRole::stays || !others_stay) return;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    for (; begin < residue.end; ++begin)
      if (residue.kind == ResidueKind::water && roles[begin] == AtomRole::stays)
        roles[begin] = AtomRole::left_out;
  }
}

}  // namespace ionwell
