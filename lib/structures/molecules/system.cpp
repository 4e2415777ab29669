#include "structures/molecules/system.hpp"

#include <algorithm>
#include <utility>

namespace ionwell {

System::System(SystemParts parts)
    : acting_(std::move(parts.whole)),
      links_(std::move(parts.links)),
      header_records_(std::move(parts.header_records)),
      cell_centre_A_(parts.cell_centre_A) {
  const auto count = [&](AtomRole role) {
    return std::size_t(std::count(parts.roles.begin(), parts.roles.end(), role));
  };
  const std::size_t acting = count(AtomRole::acts), ignored = count(AtomRole::ignored);
  if (acting == parts.roles.size()) return;
  roles_ = std::move(parts.roles);
  std::vector<Atom> atoms = std::exchange(acting_.atoms, {});
  acting_.atoms.reserve(acting);
  ignored_.reserve(ignored);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (roles_[i] == AtomRole::acts) acting_.atoms.push_back(atoms[i]);
    if (roles_[i] == AtomRole::ignored)
      ignored_.push_back(atoms[i]);
    else
      atoms[kept++] = atoms[i];
  }
  atoms.resize(kept);
  if (kept > acting) atoms_ = std::move(atoms);
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
  for (std::size_t i = 0; i < roles_.size(); ++i)
    has[i] = std::find(roles.begin(), roles.end(), roles_[i]) != roles.end();
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
