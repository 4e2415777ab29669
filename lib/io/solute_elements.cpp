#include "io/solute_elements.hpp"

#include <algorithm>
#include <string>

#include "core/ion_table.hpp"
#include "core/text.hpp"

namespace ionwell {
namespace {

constexpr std::string_view amino_acids =
    " ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL MSE ACE NME NMA NH2 "
    "FOR "
    "ASH GLH CYX CYM HID HIE HIP LYN HSD HSE HSP TYM AR0 PTR SEP TPO ";
constexpr std::string_view nucleotides =
    " A C G U T I DA DC DG DT DU DI RA RC RG RU ADE CYT GUA THY URA A3 A5 C3 C5 G3 G5 U3 U5 AN CN GN UN "
    "DA3 DA5 DC3 DC5 DG3 DG5 DT3 DT5 DAN DCN DGN DTN RA3 RA5 RC3 RC5 RG3 RG5 RU3 RU5 RAN RCN RGN RUN ";

// Elements of two letters whose symbol cannot be mistaken for a name that begins with another element.
constexpr std::string_view unmistakable = " CL BR FE ZN MG MN CU ";
constexpr std::string_view of_one_letter = "HCNOPSFIBK";

bool contains(std::string_view list, std::string_view word) {
  return !word.empty() && list.find(' ' + std::string(word) + ' ') != std::string_view::npos;
}

/// PDB2PQR and AMBER mark the ends of a chain with N or C before an amino acid's name: NALA, CGLY.
std::string_view without_terminus(std::string_view residue) {
  const bool marked = residue.size() == 4 && (residue[0] == 'N' || residue[0] == 'C');
  return marked ? residue.substr(1) : residue;
}

}  // namespace

bool is_polymer_residue(std::string_view residue) {
  return contains(amino_acids, residue) || contains(nucleotides, residue) ||
         contains(amino_acids, without_terminus(residue));
}

std::string_view element_of(const Atom& atom) {
  std::string_view letters = atom.name.view();
  while (!letters.empty() && !is_letter(letters.front())) letters.remove_prefix(1);  // 1HB
  letters = letters.substr(
      0, std::size_t(std::find_if_not(letters.begin(), letters.end(), is_letter) - letters.begin()));
  const std::string_view residue = atom.residue.view();
  if (residue == "MSE" && letters == "SE") return "SE";
  if (!is_polymer_residue(residue)) {
    const KnownIon* const ion = find_ion(residue);
    if (ion != nullptr && (find_ion(atom.name.view()) == ion || letters == ion->element)) return ion->element;
    if (contains(unmistakable, letters))
      return unmistakable.substr(unmistakable.find(letters), letters.size());
  }
  const std::size_t one = letters.empty() ? std::string_view::npos : of_one_letter.find(letters[0]);
  return one == std::string_view::npos ? std::string_view{} : of_one_letter.substr(one, 1);
}

}  // namespace ionwell
