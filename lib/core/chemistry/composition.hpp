// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/chemistry/residue_kind.hpp"
#include "core/label.hpp"

namespace ionwell {

struct Atom;

/// The residues of one kind in a structure.
struct KindCount {
  std::int64_t residues = 0, atoms = 0;
  double charge_e = 0.0;
};

/// Ions of one name and charge.
struct IonCount {
  Label name;
  std::string_view element;  // upper case; empty for an ion of several elements
  double charge_e = 0.0;     // of one of them, as the file has it, to four decimals
  std::int64_t count = 0;
};

/// Residues of one name.
struct NameCount {
  Label name;
  std::int64_t residues = 0;
};

/// What a structure consists of. Lists are in the order of first appearance.
struct Composition {
  KindCount protein, nucleic_acid, lipid, water, ions, unknown;
  std::vector<IonCount> ion_kinds;
  std::vector<NameCount> unknown_names;
  bool water_left_out = false;  // the waters that are counted here are not among the structure's atoms
};

/// O(atoms). A residue is a run of atoms of one name, number, insertion code and chain; each molecule of
/// water and each ion is a residue, even if several share a number.
Composition composition_of(std::span<const Atom> atoms);

/// A residue among atoms: [begin, end) and what it is.
struct Residue {
  std::size_t begin = 0, end = 0;
  ResidueKind kind = ResidueKind::unknown;
};

/// The residue that begins with atom `begin`.
Residue residue_at(std::span<const Atom> atoms, std::size_t begin);

}  // namespace ionwell
