// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/label.hpp"

namespace ionwell {

/// A residue as records name it.
struct RecordedResidue {
  Label chain;
  int number = 0;
  char insertion_code = ' ';

  friend bool operator==(const RecordedResidue&, const RecordedResidue&) = default;
};

/// SSBOND, LINK or _struct_conn: a bond between two atoms.
struct RecordedBond {
  RecordedResidue first_residue, second_residue;
  Label first_atom, second_atom;
  bool is_across_symmetry = false;  // the second atom is one of another asymmetric unit
};

/// MODRES or _pdbx_struct_mod_residue.
struct RecordedModification {
  RecordedResidue residue;
  Label parent;
};

/// REMARK 465 or _pdbx_unobs_or_zero_occ_residues.
struct MissingResidue {
  RecordedResidue residue;
  Label name;
};

/// SEQRES or _entity_poly_seq of one chain.
struct ChainSequence {
  Label chain;
  std::vector<Label> residues;
};

/// What an entry says besides its atoms. TER is in Atom::ends_chain.
struct EntryRecords {
  std::vector<RecordedBond> bonds;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      connected_atoms;  // CONECT, by the atoms' numbers from 0
  std::vector<RecordedModification> modifications;
  std::vector<MissingResidue> missing;  // in the order of the file
  std::vector<ChainSequence> sequences;
  std::vector<RecordedResidue>
      on_axes;  // REMARK 375 or _pdbx_struct_special_symmetry: atoms on axes of symmetry
};

}  // namespace ionwell
