#include "chemistry/perception/chain_pieces.hpp"

#include <algorithm>

#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/residue_runs.hpp"

namespace ionwell {
namespace {

/// What takes part in a chain: residues with a chain bond, and lone ones that by name could have one.
bool is_of_chain(const WorkingResidue& residue) {
  return residue.before != nothing || residue.after != nothing ||
         (is_polymer(residue.role) && residue.first_atom != nothing) ||
         (is_polymer(residue.role) && residue.last_atom != nothing);
}

class PieceFinder {
 public:
  PieceFinder(WorkingResidues& working, const EntryRecords& records)
      : working_(working), residues_(working.residues()), records_(records) {}

  FoundPieces find() {
    for (std::uint32_t r = 0; r < residues_.size(); ++r)
      if (is_of_chain(residues_[r]) && residues_[r].before == nothing) walk(r);
    for (std::uint32_t r = 0; r < residues_.size(); ++r)  // what is left goes round
      if (is_of_chain(residues_[r]) && residues_[r].piece == nothing) walk(r);
    take_roles_of_neighbours();
    find_gaps();
    return std::move(found_);
  }

 private:
  void walk(std::uint32_t start) {
    ChainPiece piece;
    const auto number = std::uint32_t(found_.pieces.size());
    for (std::uint32_t r = start; r != nothing && residues_[r].piece == nothing; r = residues_[r].after) {
      residues_[r].piece = number;
      piece.residues.push_back(r);
    }
    piece.is_ring = residues_[start].before != nothing;
    found_.pieces.push_back(std::move(piece));
  }

  /// A residue without a template is an amino acid or a nucleotide when it is among such; GTP by itself is a
  /// ligand.
  void take_roles_of_neighbours() {
    for (ChainPiece& piece : found_.pieces) {
      const auto counts = [&](ResidueRole role) {
        return std::count_if(piece.residues.begin(), piece.residues.end(),
                             [&](std::uint32_t r) { return residues_[r].role == role; });
      };
      const ResidueRole role = counts(ResidueRole::nucleotide) > counts(ResidueRole::amino_acid)
                                   ? ResidueRole::nucleotide
                                   : ResidueRole::amino_acid;
      for (const std::uint32_t r : piece.residues) {
        WorkingResidue& residue = residues_[r];
        const bool is_modified =
            residue.match == nullptr || residue.found()->parent != residue.found()->residue;
        if (piece.residues.size() > 1 && !is_polymer(residue.role)) residue.role = role;
        if (piece.residues.size() == 1 && is_modified) {
          const std::string_view name = first_atom_of(r).residue.view();
          residue.role =
              residue_table().is_known("cofactor", name) ? ResidueRole::cofactor : ResidueRole::ligand;
          residue.piece = nothing;
        }
      }
    }
    // Pieces of ligands are none; the others keep their order.
    std::erase_if(found_.pieces,
                  [&](const ChainPiece& piece) { return residues_[piece.residues[0]].piece == nothing; });
    for (std::uint32_t n = 0; n < found_.pieces.size(); ++n)
      for (const std::uint32_t r : found_.pieces[n].residues) residues_[r].piece = n;
  }

  const Atom& first_atom_of(std::uint32_t r) const { return working_.atoms()[residues_[r].begin]; }

  void find_gaps() {
    std::uint32_t last = nothing;  // the last residue of a chain above, unless a TER came
    for (std::uint32_t r = 0; r < residues_.size(); ++r) {
      const WorkingResidue& residue = residues_[r];
      if (residue.piece != nothing) {
        const bool begins = residue.before == nothing;
        if (last != nothing && begins && is_gap(last, r)) found_.gaps.push_back(gap(last, r));
        last = r;
      }
      if (working_.atoms()[residue.end - 1].ends_chain) last = nothing;
    }
  }

  bool is_gap(std::uint32_t before, std::uint32_t after) const {
    const Atom &a = first_atom_of(before), &b = first_atom_of(after);
    const bool go_on = b.residue_number > a.residue_number ||
                       (b.residue_number == a.residue_number && b.insertion_code != a.insertion_code);
    return residues_[before].after == nothing && residues_[before].role == residues_[after].role &&
           a.chain == b.chain && a.segment == b.segment && go_on;
  }

  ChainGap gap(std::uint32_t before, std::uint32_t after) const {
    const std::uint32_t a = residues_[before].last_atom, b = residues_[after].first_atom;
    return {before, after, a == nothing || b == nothing ? 0.0 : working_.distance_A(a, b),
            missing(before, after)};
  }

  std::vector<Label> missing(std::uint32_t before, std::uint32_t after) const {
    const Atom &a = first_atom_of(before), &b = first_atom_of(after);
    std::vector<Label> names;
    for (const MissingResidue& residue : records_.missing)
      if (residue.residue.chain == a.chain && residue.residue.number >= a.residue_number &&
          residue.residue.number <= b.residue_number)
        names.push_back(residue.name);
    if (!names.empty()) return names;
    for (const ChainSequence& sequence : records_.sequences)
      if (sequence.chain == a.chain) return missing_in(sequence, before, after);
    return names;
  }

  /// What the sequence has between the last residues before the gap and the first behind it.
  std::vector<Label> missing_in(const ChainSequence& sequence, std::uint32_t before,
                                std::uint32_t after) const {
    constexpr std::size_t compared = 4;
    std::vector<Label> head, tail;
    for (std::uint32_t r = before; r != nothing && head.size() < compared; r = residues_[r].before)
      head.insert(head.begin(), first_atom_of(r).residue);
    for (std::uint32_t r = after; r != nothing && tail.size() < compared; r = residues_[r].after)
      tail.push_back(first_atom_of(r).residue);
    const auto& names = sequence.residues;
    const auto from = std::search(names.begin(), names.end(), head.begin(), head.end());
    if (from == names.end()) return {};
    const auto end_of_head = from + std::ptrdiff_t(head.size());
    const auto to = std::search(end_of_head, names.end(), tail.begin(), tail.end());
    return to == names.end() ? std::vector<Label>{} : std::vector<Label>(end_of_head, to);
  }

  WorkingResidues& working_;
  std::vector<WorkingResidue>& residues_;
  const EntryRecords& records_;
  FoundPieces found_;
};

bool has_hydrogens(const WorkingResidues& working, const WorkingResidue& residue) {
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (working.is_hydrogen(n)) return true;
  return false;
}

Label standard_name(const WorkingResidues& working, const WorkingResidue& residue, CysteineState state) {
  const ResidueTemplate& found = *residue.found();
  if (found.residue == Label("CYS")) {
    if (state.is_bridged) return "CYX";
    if (state.is_metal_bound) return "CYM";
    if (found.name == Label("CYX")) return "CYS";
  }
  return has_hydrogens(working, residue) ? found.name : found.residue;
}

}  // namespace

FoundPieces find_pieces(WorkingResidues& working, const EntryRecords& records) {
  return PieceFinder(working, records).find();
}

const ResidueTemplate* standard_template(const WorkingResidues& working,
                                         const std::vector<ChainPiece>& pieces, const WorkingResidue& residue,
                                         CysteineState state) {
  if (residue.match == nullptr) return nullptr;
  const ResidueTable& table = residue_table();
  const Label name = standard_name(working, residue, state);
  if (residue.piece == nothing || !is_polymer(residue.role)) return table.find(name.view());
  const bool is_nucleotide = residue.role == ResidueRole::nucleotide;
  const bool is_ring = pieces[residue.piece].is_ring;
  ChainEnds ends;
  if (residue.before == nothing && !is_ring) {
    ends.first = is_nucleotide ? ChainEnd::five_hydroxyl : ChainEnd::n_terminal;
    if (residue.found()->ends.first == ChainEnd::n_terminal_neutral)
      ends.first = ChainEnd::n_terminal_neutral;
  }
  if (residue.after == nothing && !is_ring) {
    ends.last = is_nucleotide ? ChainEnd::three_hydroxyl : ChainEnd::c_terminal;
    if (residue.found()->ends.last == ChainEnd::c_terminal_neutral) ends.last = ChainEnd::c_terminal_neutral;
  }
  // Caps have no ends, GTP begins a chain as it is, and a cyclic phosphate ends it.
  for (const ChainEnds& tried : {ends, ChainEnds{ends.first, {}}, ChainEnds{{}, ends.last}, ChainEnds{}})
    if (const ResidueTemplate* const found = table.find(name.view(), tried)) return found;
  return nullptr;
}

}  // namespace ionwell
