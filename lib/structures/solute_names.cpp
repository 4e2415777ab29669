// SPDX-License-Identifier: BSD-3-Clause
#include "structures/solute_names.hpp"

#include <algorithm>
#include <span>

namespace ionwell {
namespace {

struct Renamed {
  std::string_view from, to;
};

// PDB2PQR's H2'' sits on O2' in a ribose, and on C2' in a deoxyribose.
constexpr Renamed of_ribonucleotides[] = {{"H2''", "HO2'"}, {"HO'2", "HO2'"}, {"H2'1", "H2'"}};
constexpr Renamed of_deoxyribonucleotides[] = {{"H2'1", "H2'"}, {"H2'2", "H2''"}};
constexpr Renamed of_nucleotides[] = {{"H5T", "HO5'"},  {"H3T", "HO3'"}, {"H5'1", "H5'"},
                                      {"H5'2", "H5''"}, {"O1P", "OP1"},  {"O2P", "OP2"}};

/// Whether `residue` is `sugar`, one of the `bases`, and nothing or an end of the chain: RG, RG5, RG3, RGN.
bool is_nucleotide(std::string_view residue, char sugar, std::string_view bases) {
  return (residue.size() == 2 ||
          (residue.size() == 3 && std::string_view("53N").find(residue[2]) != std::string_view::npos)) &&
         residue[0] == sugar && bases.find(residue[1]) != std::string_view::npos;
}

std::string_view rename(std::string_view name, std::span<const Renamed> names) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const Renamed& n) { return n.from == name; });
  return found == names.end() ? name : found->to;
}

}  // namespace

PdbName pdb_name(const Atom& atom) {
  const std::string_view residue = atom.residue.view(), name = atom.name.view();
  const bool rna = is_nucleotide(residue, 'R', "ACGU");
  if (!rna && !is_nucleotide(residue, 'D', "ACGT")) return {residue, name};
  const std::span<const Renamed> of_sugar =
      rna ? std::span<const Renamed>(of_ribonucleotides) : std::span<const Renamed>(of_deoxyribonucleotides);
  return {rna ? residue.substr(1, 1) : residue.substr(0, 2), rename(rename(name, of_sugar), of_nucleotides)};
}

}  // namespace ionwell
