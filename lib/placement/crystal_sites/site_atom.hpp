// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/vec3.hpp"

namespace ionwell {

/// The kinds of atoms that a site model tells apart.
enum class SiteAtomClass : std::uint8_t {
  phosphate_oxygen,   // OP1, OP2, OP3
  carbonyl_oxygen,    // O6 of G, O4 of U
  pyrimidine_oxygen,  // O2 of C and U
  hydroxyl_oxygen,    // O2'
  sugar_oxygen,       // O3', O4', O5', and other oxygens of nucleic acids
  n7,                 // of A and G
  ring_nitrogen,      // that accepts: N3 of A, G and C, N1 of A
  amino_nitrogen,     // other nitrogens of nucleic acids
  base_carbon,
  sugar_carbon,
  phosphorus,
  other_oxygen,    // of proteins and of all else
  other_heavy,     // the rest of them
  polar_hydrogen,  // on nitrogen or oxygen
  nonpolar_hydrogen,
};

constexpr int site_atom_classes = 15;

/// As model files name the classes, in their order.
constexpr std::array<std::string_view, site_atom_classes> site_atom_class_names = {
    "phosphate_oxygen", "carbonyl_oxygen", "pyrimidine_oxygen",
    "hydroxyl_oxygen",  "sugar_oxygen",    "n7",
    "ring_nitrogen",    "amino_nitrogen",  "base_carbon",
    "sugar_carbon",     "phosphorus",      "other_oxygen",
    "other_heavy",      "polar_hydrogen",  "nonpolar_hydrogen"};

/// Classes as bits: bit n is class n.
using SiteAtomClasses = std::uint32_t;

constexpr SiteAtomClasses bit_of(SiteAtomClass kind) {
  return SiteAtomClasses(1) << int(kind);
}

constexpr SiteAtomClasses heavy_atoms = bit_of(SiteAtomClass::polar_hydrogen) - 1;

constexpr bool is_heavy(SiteAtomClass kind) {
  return (heavy_atoms & bit_of(kind)) != 0;
}

/// An atom of the solute as a site model sees it.
struct SiteAtom {
  Vec3<double> position_A;
  double charge_e = 0.0;
  SiteAtomClass kind = SiteAtomClass::other_heavy;
};

}  // namespace ionwell
