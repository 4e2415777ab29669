// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

/// The force fields that PDB2PQR has. All have proteins; nucleic acids have AMBER, TYL06 and PARSE.
enum class ChargeForceField { amber, charmm, parse, tyl06, peoepb, swanson };

/// "AMBER", as PDB2PQR's option --ff wants it.
std::string_view to_string(ChargeForceField force_field);

/// Who tells of what PDB2PQR leaves out and builds: warnings, or the caller, who compares.
enum class LossReport { warnings, caller };

/// An atom that was missing and that PDB2PQR built.
struct BuiltAtom {
  std::size_t first = 0;  // number of the first atom of its residue
  std::string name;
};

/// How PDB2PQR is run. It takes no pH: residues have the protonation of pH 7 or the one of their names.
struct Pdb2pqrOptions {
  std::string program;  // name or path; empty: pdb2pqr30 or else pdb2pqr
  ChargeForceField force_field = ChargeForceField::amber;
  double timeout_s = 7200.0;                // longest time for one file, 0 for no limit
  std::optional<std::string> keep_scratch;  // folder for its files; see make_kept_folder
  LossReport losses = LossReport::warnings;
};

/// A structure with charges, and where they are from, in one line.
struct ChargedStructure {
  Structure structure;
  std::string note;
  std::vector<BuiltAtom> built = {};
};

/// Gives a structure without charges (of a PDB or mmCIF file) those of PDB2PQR, which also adds hydrogens and
/// builds atoms that are missing. Waters are left out; ions come back with their formal charge, and where
/// there are only ions PDB2PQR is not run. What else it has no charges for is named in the structure's
/// warnings. `progress` gets the seconds so far. Throws Error when PDB2PQR is not installed, fails or takes
/// too long, with its own last words; Interrupted when a signal was noted. It takes a second, and one more
/// for each 2,000 atoms.
ChargedStructure assign_charges(const Structure& structure, const Pdb2pqrOptions& options,
                                const SignalNotes& notes,
                                const std::function<void(double seconds)>& progress);

}  // namespace ionwell
