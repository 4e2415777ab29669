// SPDX-License-Identifier: BSD-3-Clause
#include "structures/molecules/system.hpp"

#include <algorithm>
#include <utility>

namespace ionwell {
namespace {

bool is_among(AtomRole role, std::initializer_list<AtomRole> roles) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

}  // namespace

std::vector<Atom> atoms_with(std::span<const Atom> atoms, std::span<const AtomRole> roles,
                             std::initializer_list<AtomRole> wanted) {
  std::vector<Atom> chosen;
  chosen.reserve(std::size_t(
      std::count_if(roles.begin(), roles.end(), [&](AtomRole role) { return is_among(role, wanted); })));
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (is_among(roles[i], wanted)) chosen.push_back(atoms[i]);
  return chosen;
}

System::System(SystemParts parts)
    : acting_(std::move(parts.whole)),
      links_(std::move(parts.links)),
      header_records_(std::move(parts.header_records)),
      cell_centre_A_(parts.cell_centre_A) {
  using enum AtomRole;
  if (std::ranges::all_of(parts.roles, [](AtomRole role) { return role == acts; })) return;
  roles_ = std::move(parts.roles);
  std::vector<Atom> all = std::exchange(acting_.atoms, {});
  acting_.atoms = atoms_with(all, roles_, {acts});
  ignored_ = atoms_with(all, roles_, {ignored});
  if (acting_.atoms.size() + ignored_.size() == all.size()) return;
  atoms_ = ignored_.empty() ? std::move(all) : atoms_with(all, roles_, {acts, stays, left_out});
}

std::vector<Atom> System::atoms_of_files() const {
  std::vector<Atom> all;
  all.reserve(std::size_t(atoms_in_files()));
  std::size_t next = 0, next_ignored = 0;
  for (std::size_t i = 0; i < std::size_t(atoms_in_files()); ++i)
    all.push_back(!roles_.empty() && roles_[i] == AtomRole::ignored ? ignored_[next_ignored++]
                                                                    : atoms()[next++]);
  return all;
}

std::vector<std::uint8_t> System::has_role(std::initializer_list<AtomRole> roles) const {
  std::vector<std::uint8_t> has(roles_.size());
  for (std::size_t i = 0; i < roles_.size(); ++i) has[i] = is_among(roles_[i], roles);
  return has;
}

std::vector<std::size_t> System::numbers_in_files() const {
  std::vector<std::size_t> numbers;
  numbers.reserve(atoms().size());
  for (std::size_t i = 0; i < std::size_t(atoms_in_files()); ++i)
    if (roles_.empty() || roles_[i] != AtomRole::ignored) numbers.push_back(i);
  return numbers;
}

}  // namespace ionwell
