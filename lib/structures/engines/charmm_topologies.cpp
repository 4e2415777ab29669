// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/charmm_topologies.hpp"

#include <algorithm>

namespace ionwell {

std::string_view path_of(CharmmTopology topology) {
  switch (topology) {
    case CharmmTopology::protein:
      return "top_all36_prot.rtf";
    case CharmmTopology::nucleic_acid:
      return "top_all36_na.rtf";
    case CharmmTopology::lipid:
      return "top_all36_lipid.rtf";
    case CharmmTopology::cgenff:
      return "top_all36_cgenff.rtf";
    case CharmmTopology::modified_rna:
      return "stream/na/toppar_all36_na_rna_modified.str";
    case CharmmTopology::phosphorylated:
      return "stream/prot/toppar_all36_prot_na_combined.str";
    case CharmmTopology::water_and_ions:
      return "toppar_water_ions.str";
    case CharmmTopology::other_ions:
      return "stream/misc/toppar_ions_won.str";
  }
  return {};
}

CharmmTopology topology_of_ion(std::string_view charmm_name) {
  constexpr std::string_view others[] = {"SR2P", "MN2P", "CO2P"};
  const bool is_other = std::find(std::begin(others), std::end(others), charmm_name) != std::end(others);
  return is_other ? CharmmTopology::other_ions : CharmmTopology::water_and_ions;
}

std::vector<CharmmTopology> topologies_of(ResidueRole role, const ResidueTemplate* residue) {
  if (role == ResidueRole::water) return {CharmmTopology::water_and_ions};
  if (role == ResidueRole::lipid) return {CharmmTopology::lipid};
  if (residue == nullptr) return {};
  const bool is_modified = residue->parent != residue->residue;
  switch (residue->kind) {
    case ResidueClass::amino_acid:
      if (is_modified)
        return {CharmmTopology::protein, CharmmTopology::nucleic_acid, CharmmTopology::phosphorylated};
      return {CharmmTopology::protein};
    case ResidueClass::cap:
      return {CharmmTopology::protein};
    case ResidueClass::rna:
    case ResidueClass::dna:
      if (is_modified)
        return {CharmmTopology::nucleic_acid, CharmmTopology::cgenff, CharmmTopology::modified_rna};
      return {CharmmTopology::nucleic_acid};
    case ResidueClass::water:
      return {CharmmTopology::water_and_ions};
    case ResidueClass::ion:
    case ResidueClass::polyatomic_ion:
      break;
  }
  const std::optional<ProgramName>& called = residue->called_in(NamingScheme::charmm);
  if (!called) return {};
  return {topology_of_ion(called->residue.view())};
}

std::string topology_lines(std::span<const std::string> paths) {
  std::string text =
      "set toppar [expr {[info exists env(TOPPAR)] ? $env(TOPPAR) : {.}}]\n"
      "foreach file {\n";
  for (const std::string& path : paths) text.append("  ").append(path) += '\n';
  return text +
         "} {\n"
         "  set path [file join $toppar $file]\n"
         "  if {![file exists $path]} {set path [file join $toppar [file tail $file]]}\n"
         "  if {![file exists $path]} {\n"
         "    puts stderr \"there is no $file in the folder [file normalize $toppar]; set the environment "
         "variable "
         "TOPPAR to the folder that has CHARMM's topology files\"\n"
         "    exit 1\n"
         "  }\n"
         "  topology $path\n"
         "}\n";
}

}  // namespace ionwell
