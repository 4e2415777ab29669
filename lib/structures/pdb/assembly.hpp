// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/structure.hpp"

/// Biological assemblies: the copies that make a virus's capsid or a dimer of what an entry of the PDB holds.
namespace ionwell {

/// Rotation and shift: x' = R x + t.
struct AssemblyOperator {
  std::string name;
  std::array<Vec3<double>, 3> rotation;  // its rows
  Vec3<double> shift_A;
};

/// Chains and what makes their copies.
struct AssemblyPart {
  std::vector<std::string> chains;  // of PDB files; of mmCIF files the label_asym_id
  std::vector<AssemblyOperator> operators;
};

struct Assembly {
  std::string name;  // "1"
  std::vector<AssemblyPart> parts;

  /// Copies of all chains together.
  std::size_t copies() const;
};

/// The assembly of that name. Throws UsageError, with the names that there are, when there is none.
const Assembly& find_assembly(const std::vector<Assembly>& assemblies, const std::string& name,
                              const std::string& path);

/// Throws Error when a rotation is none (its rows are not orthonormal within 0.01) or mirrors.
void check_operator(const AssemblyOperator& op, const std::string& where);

/// Puts the copies of an assembly in place of a structure's atoms: part by part and operator by operator,
/// each in the order of the file. The first copy of a chain keeps its name, the others get a number, A-2; all
/// have different names. `asym` says what assemblies call each atom's chain; empty where it is the chain's
/// name. The cell, which was the crystal's, goes. A warning says what was made. Throws Error where nothing or
/// too much would be left.
void expand_assembly(Structure& structure, std::span<const Label> asym, const Assembly& assembly);

}  // namespace ionwell
