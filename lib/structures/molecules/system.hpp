// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// What part an atom of the files has.
enum class AtomRole : std::uint8_t {
  acts,      // its charge makes the potential, and ions keep their distance from it
  stays,     // in the system without that: not of --solute, or a water whose place an ion may take
  left_out,  // the same for a water that is left out; a box that is made lacks it
  ignored    // not in the system; a topology and the frames of a trajectory have it
};

/// The atoms that have one of these roles, in their order. O(atoms).
std::vector<Atom> atoms_with(std::span<const Atom> atoms, std::span<const AtomRole> roles,
                             std::initializer_list<AtomRole> wanted);

/// What a System is made of.
struct SystemParts {
  Structure whole;                            // all atoms of the files
  std::vector<AtomRole> roles;                // of each; empty: all act
  std::vector<AtomLink> links;                // of a topology, by the numbers of all atoms
  std::vector<std::string> header_records;    // of a PDB file
  std::optional<Vec3<double>> cell_centre_A;  // of the structure's cell, from an XSC file
};

/// The atoms of the files, in their order, and the role of each. Where all of those in the system act, what
/// acts is the list itself.
class System {
 public:
  System() = default;
  explicit System(SystemParts parts);

  /// What acts, as the numerics take it. Its radii and warnings may be completed.
  const Structure& acting() const { return acting_; }
  Structure& acting() { return acting_; }

  /// All that is in the system: what is not ignored.
  std::span<const Atom> atoms() const { return atoms_.empty() ? acting_.atoms : atoms_; }

  /// What is not, though the files have it.
  std::span<const Atom> ignored() const { return ignored_; }

  std::int64_t atoms_in_files() const { return std::int64_t(atoms().size() + ignored_.size()); }

  /// The atoms of the files, as a topology and a trajectory have them. O(atoms).
  std::vector<Atom> atoms_of_files() const;

  /// By atom of the files; empty: all act.
  const std::vector<AtomRole>& roles() const { return roles_; }

  /// By atom of the files: whether it has one of these roles; empty where all act. O(atoms).
  std::vector<std::uint8_t> has_role(std::initializer_list<AtomRole> roles) const;

  /// The number among the atoms of the files of each atom of the system. O(atoms).
  std::vector<std::size_t> numbers_in_files() const;

  /// By the numbers of the atoms of the files.
  const std::vector<AtomLink>& links() const { return links_; }

  const std::vector<std::string>& header_records() const { return header_records_; }
  const std::optional<Vec3<double>>& cell_centre_A() const { return cell_centre_A_; }

 private:
  Structure acting_;
  std::vector<Atom> atoms_;    // of the system, where some of them do not act; otherwise none
  std::vector<Atom> ignored_;  // in the order of the files
  std::vector<AtomRole> roles_;
  std::vector<AtomLink> links_;
  std::vector<std::string> header_records_;
  std::optional<Vec3<double>> cell_centre_A_;
};

}  // namespace ionwell
