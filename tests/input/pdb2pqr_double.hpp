// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "chemistry/made_structure.hpp"
#include "input/entry_charges.hpp"

namespace ionwell::test {

/// What PDB2PQR would answer, without hydrogens: each residue that is no stand-in gets `charge_e`, in equal
/// parts.
class Pdb2pqrDouble {
 public:
  explicit Pdb2pqrDouble(double charge_e = 0.0) : charge_e_(charge_e) {}

  ChargedStructure operator()(const Structure& sent);

  std::string without;  // an atom that it loses
  Structure asked;

 private:
  double charge_e_;
};

Structure structure_of(const MadeStructure& made);

ChargedEntry charged(const MadeStructure& made, Pdb2pqrDouble& program, const EntryOptions& options = {});

double charge_of(const Structure& structure, int number);

/// "GLY ALA|SER": names of residues, with a bar where a chain ends.
std::string chains_of(const std::vector<Atom>& atoms);

}  // namespace ionwell::test
