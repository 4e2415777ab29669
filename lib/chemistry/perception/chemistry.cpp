// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/chemistry.hpp"

#include <algorithm>

#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/chain_pieces.hpp"
#include "chemistry/perception/residue_links.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "chemistry/perception/shared_places.hpp"
#include "chemistry/perception/working_residues.hpp"

namespace ionwell {
namespace {

static_assert(Chemistry::no_atom == ResidueMatch::no_atom);

bool has_hydroxyls(const WorkingResidues& working) {
  bool is_any = false;
  for (const WorkingResidue& residue : working.residues()) {
    if (residue.match == nullptr || residue.role != ResidueRole::amino_acid) continue;
    const Label& name = residue.found()->residue;
    const char* const hydrogen = name == Label("SER") ? "HG" : name == Label("THR") ? "HG1" : nullptr;
    if (hydrogen == nullptr) continue;
    if (working.named(residue, hydrogen) != nothing) return true;
    is_any = true;
  }
  return !is_any;
}

std::vector<ResidueState> residue_states(const WorkingResidues& working, const FoundLinks& found) {
  std::vector<ResidueState> states(working.residues().size());
  for (const ResidueLink& link : found.links)
    for (const std::uint32_t atom : {link.first, link.second}) {
      ResidueState& state = states[working.residue_of(atom)];
      const WorkingResidue& residue = working.of_atom(atom);
      if (working.element(atom) == "S") state.is_bridged = true;
      if (link.kind == LinkKind::isopeptide) continue;
      if (atom == residue.first_atom) state.is_bound_before = true;
      if (atom == residue.last_atom) state.is_bound_after = true;
    }
  for (const MetalSite& site : found.metals)
    for (const std::uint32_t ligand : site.ligands)
      if (working.element(ligand) == "S" && takes_proton_of_thiol(working.element(site.metal)))
        states[working.residue_of(ligand)].is_metal_bound = true;
  const bool has_file_hydroxyls = has_hydroxyls(working);
  for (ResidueState& state : states) state.has_file_hydroxyls = has_file_hydroxyls;
  return states;
}

}  // namespace

std::string_view to_string(ResidueRole role) {
  constexpr std::string_view words[] = {"amino acid", "nucleotide", "cap",   "water",  "ion", "additive",
                                        "cofactor",   "sugar",      "lipid", "ligand", "bead"};
  return words[std::size_t(role)];
}

std::string_view to_string(LinkKind kind) {
  constexpr std::string_view words[] = {"disulfide", "isopeptide", "glycosidic", "phosphodiester",
                                        "covalent"};
  return words[std::size_t(kind)];
}

std::uint32_t Chemistry::residue_of(std::uint32_t atom) const {
  const auto behind =
      std::upper_bound(residues.begin(), residues.end(), atom,
                       [](std::uint32_t wanted, const PerceivedResidue& r) { return wanted < r.begin; });
  return std::uint32_t(behind - residues.begin()) - 1;
}

std::int64_t Chemistry::standard_charge_e() const {
  std::int64_t sum_e = 0;
  for (const PerceivedResidue& residue : residues)
    if (residue.standard != nullptr) sum_e += residue.standard->charge_e();
  return sum_e;
}

Chemistry perceive(std::span<const Atom> atoms, const EntryRecords& records) {
  Chemistry chemistry;
  if (atoms.empty()) return chemistry;
  WorkingResidues working(atoms);
  link_chains(working);
  FoundLinks found = find_links(working, records);
  FoundPieces pieces = find_pieces(working, found.links, records);
  chemistry.bonds = all_bonds(working, found.links, records);
  const std::vector<ResidueState> states = residue_states(working, found);
  for (std::size_t r = 0; r < working.residues().size(); ++r) {
    const WorkingResidue& residue = working.residues()[r];
    chemistry.residues.push_back({residue.begin, residue.end, residue.role, residue.found(),
                                  standard_template(working, pieces.pieces, residue, states[r]),
                                  residue.piece, residue.before, residue.after});
    ++chemistry.counts[std::size_t(residue.role)];
  }
  chemistry.found_atoms.resize(atoms.size());
  for (std::uint32_t n = 0; n < atoms.size(); ++n) chemistry.found_atoms[n] = working.template_atom(n);
  chemistry.pieces = std::move(pieces.pieces);
  chemistry.gaps = std::move(pieces.gaps);
  chemistry.links = std::move(found.links);
  chemistry.metals = std::move(found.metals);
  chemistry.shared_places = find_shared_places(working);
  chemistry.notes = std::move(found.notes);
  add_notes(working, records, chemistry);
  return chemistry;
}

std::vector<std::uint32_t> residues_along_bonds(const Chemistry& chemistry) {
  std::vector<std::uint32_t> order;
  order.reserve(chemistry.residues.size());
  std::vector<std::uint8_t> is_there(chemistry.pieces.size(), 0);
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r) {
    const std::uint32_t piece = chemistry.residues[r].piece;
    if (piece == nothing) {
      order.push_back(r);
    } else if (!is_there[piece]) {
      is_there[piece] = 1;
      const std::vector<std::uint32_t>& residues = chemistry.pieces[piece].residues;
      order.insert(order.end(), residues.begin(), residues.end());
    }
  }
  return order;
}

}  // namespace ionwell
