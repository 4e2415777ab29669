// SPDX-License-Identifier: BSD-3-Clause
#include "structures/molecules/chain_ends.hpp"

namespace ionwell {

bool chain_ends_between(const Atom& atom, const Atom& next) {
  constexpr int residue_numbers = 10'000;
  const bool wrapped =
      next.residue_number == 0 && atom.residue_number % residue_numbers == residue_numbers - 1;
  return atom.ends_chain || atom.chain != next.chain || atom.segment != next.segment ||
         (next.residue_number < atom.residue_number && !wrapped);
}

}  // namespace ionwell
