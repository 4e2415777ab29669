// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/residue_kind.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

// Sources: the PDB's chemical components (standard ones, and the modified ones of proteins, DNA and tRNA that
// its entries use most); LEaP's libraries of ff14SB, OL3, bsc1, modrna08 and lipid21; CHARMM36's topologies;
// the residuetypes.dat and residue databases of GROMACS; OpenMM's copies of AMBER's and CHARMM's; names that
// PDB2PQR writes.
constexpr std::string_view amino_acids =
    "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL "
    "ACE NME NMA NHE NH2 FOR NAC NTE CTE NTR CTR "        // ends of a chain
    "ASH GLH CYX CYM HID HIE HIP LYN TYM AR0 ARN "        // AMBER, PDB2PQR
    "HSD HSE HSP LSN ASPP GLUP CT3 CYSF CYSG CYSL CYSP "  // CHARMM
    "DALA DARG DASN DASP DCYS DGLN DGLU DHSD DHSE DHSP DILE DLEU DLYS DMET DPHE DPRO DSER DTHR DTRP DTYR "
    "DVAL "
    "NLN OLS OLT OLP "                                                             // GLYCAM: bound to a sugar
    "LYSH ARGN ASPH GLUH CYS1 CYS2 CYSH HISA HISB HISH HISD HISE HISP HIS1 HIS2 "  // GROMACS
    "ASN1 ASP1 LYSN LYP CYN QLN PGLU PHEH PHEU PHL TRPH TRPU TYRH TYRU ABU MELEU MEVAL MEBMT "
    "MSE SEC PYL SEP TPO PTR S1P S2P T1P T2P Y1P Y2P HYP CSO CSD CSS CME CAS OCS SCY SNC CCS CMT CSX SMC "
    "KCX MLY MLZ M2L M3L ALY LLP LYR HYL DM0 CGU PCA FME MHO SME NLE NVA ORN DAB DPR AIB ABA SAR BAL CIR AGM "
    "TPQ TYS TYI TRQ HIC NEP MHS DAL DAR DSG DAS DCY DGN DGL DHI DIL DLE DLY MED DPN DSN DTH DTR DTY DVA ";
constexpr std::string_view nucleotides =
    "A C G T U I N DA DC DG DT DU DI DN RA RC RG RU ADE CYT GUA THY URA INO "
    "DADE DCYT DGUA DTHY RT RT3 RT5 RTN OHE "  // GROMOS, GROMACS; a 5' end in LEaP
    "A3 A5 C3 C5 G3 G5 U3 U5 AN CN GN UN RA3 RA5 RC3 RC5 RG3 RG5 RU3 RU5 RAN RCN RGN RUN "
    "DA3 DA5 DC3 DC5 DG3 DG5 DT3 DT5 DAN DCN DGN DTN "
    "PSU H2U 4SU 5MU 5MC 1MA 2MA 6MA MA6 6MZ MIA T6A 12A 1MG 2MG M2G 7MG G7M YYG YG QUO OMA OMC OMG OMU A2M "
    "2MU "
    "4OC UR3 U8U 70U S4U MNU CM0 5HU 5FU FHU 5BU 5IU BRU CBR CBV 5CM 5HC 8OG 6OG 3DR P5P ONE UMS CCC G48 A23 "
    "23G CFZ "
    "U33 N6G PPU SSU CFL UFT GF2 AF2 ";
constexpr std::string_view lipids =
    "PA PC PE PS PGR PGS PH- SPM CHL AR DHA LA LAL MY OL SA ST "  // LEaP: heads and tails
    "CHL1 CHOL ERG PSM SSM NSM LSM OSM ASM BSM CER160 CER180 CER181 CER2 CER200 CER220 CER240 CER241 SITO "
    "STIG CAMP PIPI "  // CHARMM
    "LLPC LLPE LPPG LMPG LAUP MYRP PALP STEP OLEP LINP "
    "CLR CDL PLM OLA OLC MYR STE PEE PTY PEF PEV PGV PGT LHG 3PE PCW POV PX4 P5S PSC LPP LPC LPE LPPC LMG "
    "SQD DGD ";
constexpr std::string_view waters =
    "HOH WAT H2O DOD D2O SOL SPC SPCE SPF TIP TIP2 TIP3 TIP4 TIP5 TIP3P TIP4P TIP5P TIPS TP3 TP4 TP5 TPF T3P "
    "T4P "
    "T4E TP3M TP3B TP3F TP45 TP4E TP5E H2OE T5P T3H T4H OPC OPC3 SWM4 SWM6 WTR ";

struct CompoundIon {
  std::string_view residue, centre;
};
constexpr CompoundIon compound_ions[] = {
    {"NCO", "CO"}, {"SO4", "S"}, {"SO42-", "S"}, {"SO3", "S"},  {"SUL", "S"}, {"PO4", "P"},
    {"PI", "P"},   {"2HP", "P"}, {"PO3", "P"},   {"NO3", "N"},  {"NH4", "N"}, {"CO3", "C"},
    {"BCT", "C"},  {"VO4", "V"}, {"OHX", "OS"},  {"IRI", "IR"}, {"MO6", "MG"}};

using KindByName = std::unordered_map<std::string_view, ResidueKind>;

KindByName make_table() {
  KindByName table;
  const auto add = [&table](std::string_view names, ResidueKind kind) {
    while (!names.empty()) {
      if (const std::string_view name = take_token(names); !name.empty()) table.emplace(name, kind);
    }
  };
  add(amino_acids, ResidueKind::protein);
  add(nucleotides, ResidueKind::nucleic_acid);
  add(lipids, ResidueKind::lipid);
  add(waters, ResidueKind::water);
  for (const CompoundIon& ion : compound_ions) table.emplace(ion.residue, ResidueKind::ion);
  return table;
}

ResidueKind find(std::string_view name) {
  static const KindByName table = make_table();
  const auto found = table.find(name);
  return found == table.end() ? ResidueKind::unknown : found->second;
}

bool contains(std::string_view list, std::string_view word) {
  return list.find(' ' + std::string(word) + ' ') != list.npos;
}

/// CHARMM and the other force fields that follow it name a lipid by its two tails and its head: POPC, DPPE,
/// DLIPG, POPI24 (PIP2); a cardiolipin has a charge at the end, TOCL1.
bool is_named_by_tails_and_head(std::string_view name) {
  constexpr std::string_view tails =
      " DL DM DP DS DO DA DY DE DG DI DN DB DU DH DT DV DX PL PO PY PA PD PE PH PM PN PP PS PV QM SA SD SL "
      "SO YO OP "
      "OS DLI PDO ";
  constexpr std::string_view heads = " PC PE PS PG PA PI ";
  if (name.size() > 4 && (name.ends_with("CL1") || name.ends_with("CL2"))) return true;
  const std::size_t phosphates = name.size() == 6 && name.substr(2, 2) == "PI" ? 2 : 0;
  if (name.size() < 4 || name.size() - phosphates > 5) return false;
  const std::string_view lipid = name.substr(0, name.size() - phosphates);
  return contains(tails, lipid.substr(0, lipid.size() - 2)) &&
         contains(heads, lipid.substr(lipid.size() - 2));
}

/// FE of FE2 and CO of 3CO, which the PDB calls Fe2+ and Co3+.
std::string_view without_digits(std::string_view name) {
  while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  return name;
}

/// Of a residue of one atom. An unknown one with a whole charge is an ion too: what is bound to anything else
/// has a part of a charge.
bool is_lone_ion(const ResidueTraits& residue, ResidueKind kind_of_name) {
  if (!residue.first_atom.empty() && without_digits(residue.name) == residue.first_atom &&
      !element_of(residue.first_atom).empty())
    return true;  // I is iodide when its atom is, and inosine otherwise
  constexpr double whole_within_e = 1e-6;
  const double whole_e = std::round(residue.charge_e);
  return kind_of_name == ResidueKind::unknown &&
         (ion_component(residue.name) || !element_of(residue.name).empty() ||
          find_ion(residue.element) != nullptr ||
          (whole_e != 0.0 && std::abs(residue.charge_e - whole_e) < whole_within_e));
}

}  // namespace

std::string_view to_string(ResidueKind kind) {
  constexpr std::string_view words[] = {"protein", "nucleic acid", "lipid", "water", "ion", "unknown"};
  return words[std::size_t(kind)];
}

ResidueKind residue_kind(std::string_view name) {
  if (const ResidueKind kind = find(name); kind != ResidueKind::unknown) return kind;
  // PDB2PQR and AMBER mark the ends of a chain with N or C before an amino acid's name: NALA, CGLY, NASPH.
  if (name.size() > 3 && (name[0] == 'N' || name[0] == 'C') && find(name.substr(1)) == ResidueKind::protein)
    return ResidueKind::protein;
  return is_named_by_tails_and_head(name) ? ResidueKind::lipid : ResidueKind::unknown;
}

ResidueKind residue_kind(const ResidueTraits& residue) {
  const ResidueKind kind = residue_kind(residue.name);
  if (residue.atoms == 1 && kind != ResidueKind::water && is_lone_ion(residue, kind)) return ResidueKind::ion;
  return kind;
}

bool is_small_molecule(std::string_view name) {
  const ResidueKind kind = residue_kind(name);
  return kind == ResidueKind::water || kind == ResidueKind::ion ||
         (kind == ResidueKind::unknown && find_ion(name) != nullptr);
}

std::string_view ion_label(const ResidueTraits& ion) {
  const bool says_which = find_ion(ion.name) != nullptr || !element_of(ion.name).empty() ||
                          residue_kind(ion.name) == ResidueKind::ion;
  return says_which || element_of(ion.first_atom).empty() ? ion.name : ion.first_atom;
}

std::string_view central_atom(std::string_view residue) {
  const auto* const found = std::find_if(std::begin(compound_ions), std::end(compound_ions),
                                         [&](const CompoundIon& ion) { return ion.residue == residue; });
  return found == std::end(compound_ions) ? std::string_view{} : found->centre;
}

}  // namespace ionwell
