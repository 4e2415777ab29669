// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/charmm_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "chemistry/naming/missing_hydrogens.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

constexpr std::string_view patches_of_first[] = {"NTER", "GLYP", "PROP", "NNEU", "NGNE",
                                                 "ACE",  "ACP",  "5TER", "5PHO"};
constexpr std::string_view patches_of_last[] = {"CTER", "CNEU", "CT2", "CT3", "3TER"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a PDB file, with its three decimals, has it at 0, where psfgen has atoms without a position.
bool is_written_at_origin(const Vec3<double>& position_A) {
  constexpr double rounded_A = 5.001e-4;
  return std::abs(position_A.x) < rounded_A && std::abs(position_A.y) < rounded_A &&
         std::abs(position_A.z) < rounded_A;
}

/// A residue of psfgen: one of a chain, with the caps beside it.
struct PatchedResidue {
  std::uint32_t residue = nothing;
  std::vector<std::uint32_t> parts;  // with it, in the order along the chain
};

class PieceWriter {
 public:
  PieceWriter(std::span<const Atom> atoms, const NamedResidues& named, SegmentNames& names)
      : atoms_(atoms), named_(named), names_(names), ids_(named.residues.size()) {}

  CharmmPieces written() {
    const std::vector<PerceivedResidue>& residues = named_.chemistry.residues;
    std::vector<bool> is_written(named_.chemistry.pieces.size());
    std::vector<Atom> others;
    check_links();
    for (std::uint32_t r = 0; r < residues.size(); ++r) {
      note_topologies(r);
      const std::uint32_t piece = residues[r].piece;
      if (piece == nothing && is_of_polymer(r))
        write_piece({.residues = {r}, .is_ring = false});
      else if (piece == nothing)
        take_other(r, others);
      else if (!is_written[piece]) {
        is_written[piece] = true;
        write_piece(named_.chemistry.pieces[piece]);
      }
    }
    write_disulfides();
    for (CharmmSegment& segment : segments_of_chains(others, names_)) {
      if (segment.is_loose) {
        result_.loose.push_back(std::move(segment));
        continue;
      }
      segment.first = segment.last = "none";
      result_.free_segments.push_back(upper_case(segment.name));
      result_.chains.push_back(std::move(segment));
    }
    return std::move(result_);
  }

 private:
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    const PerceivedResidue& residue = named_.chemistry.residues[r];
    return atoms_.subspan(residue.begin, residue.end - residue.begin);
  }

  std::string described(std::uint32_t r) const { return describe_residue(atoms_of(r).front()); }

  const ProgramName& name_of(std::uint32_t r) const {
    return *named_.residues[r].as->called_in(NamingScheme::charmm);
  }

  /// Also where it is alone, as a modified nucleotide that is a ligand.
  bool is_of_polymer(std::uint32_t r) const {
    if (named_.residues[r].as == nullptr) return false;
    const ResidueClass kind = named_.residues[r].as->kind;
    return kind == ResidueClass::amino_acid || kind == ResidueClass::rna || kind == ResidueClass::dna ||
           kind == ResidueClass::cap;
  }

  void note_topologies(std::uint32_t r) {
    for (const CharmmTopology topology :
         topologies_of(named_.chemistry.residues[r].role, named_.residues[r].as))
      result_.topologies.insert(topology);
  }

  void take_other(std::uint32_t r, std::vector<Atom>& others) const {
    const std::span<const Atom> atoms = atoms_of(r);
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      Atom atom = atoms[n];
      atom.name = named_.residues[r].atoms[n];
      if (named_.residues[r].as != nullptr) atom.residue = name_of(r).residue;
      others.push_back(atom);
    }
  }

  std::vector<PatchedResidue> with_caps(const ChainPiece& piece) const {
    std::vector<PatchedResidue> patched;
    std::vector<std::uint32_t> before;  // caps
    for (const std::uint32_t r : piece.residues) {
      const bool is_cap = name_of(r).residue.empty();
      const bool is_behind = is_cap && named_.residues[r].as->link_before != ResidueTemplate::no_atom;
      if (is_behind && !patched.empty()) {
        patched.back().parts.push_back(r);
        continue;
      }
      before.push_back(r);
      if (is_cap) continue;
      patched.push_back({r, std::move(before)});
      before.clear();
    }
    if (!before.empty())
      fail(described(before[0]),
           " is not bound to an amino acid that has a CHARMM patch for it; leave it out with --ignore");
    return patched;
  }

  void write_piece(const ChainPiece& piece) {
    for (const std::uint32_t r : piece.residues)
      if (named_.residues[r].as == nullptr)
        fail(described(r),
             " is in a chain, but only --ligand describes it: CHARMM has no bonds to it; leave it out with "
             "--ignore");
    const std::vector<PatchedResidue> residues = with_caps(piece);
    if (residues.size() > most_segment_residues)
      fail(described(residues[0].residue), " begins a chain of ", residues.size(),
           " residues, but a CHARMM segment has ", most_segment_residues,
           " at most; give the structure in parts");
    const Atom& first = atoms_of(residues[0].residue).front();
    segment_ = {.name = names_.unique(segment_name(first)),
                .atoms = {},
                .is_loose = false,
                .first = "none",
                .last = "none"};
    const bool keeps_numbers = has_numbers(residues);
    for (std::size_t n = 0; n < residues.size(); ++n)
      write_residue(residues[n], keeps_numbers ? 0 : int(n) + 1);
    check_places(residues);
    if (piece.is_ring)
      close(residues);
    else
      check_ends(residues.front(), residues.back());
    segment_.atoms.back().ends_chain = true;
    result_.chains.push_back(std::move(segment_));
  }

  /// Whether each has a number of its own that a PDB file has room for.
  bool has_numbers(std::span<const PatchedResidue> residues) const {
    std::set<std::pair<int, char>> numbers;
    return std::all_of(residues.begin(), residues.end(), [&](const PatchedResidue& residue) {
      const Atom& atom = atoms_of(residue.residue).front();
      return atom.residue_number > -1000 && atom.residue_number < 10'000 &&
             numbers.emplace(atom.residue_number, atom.insertion_code).second;
    });
  }

  void write_residue(const PatchedResidue& patched, int number) {
    Atom label = atoms_of(patched.residue).front();
    label.residue = name_of(patched.residue).residue;
    label.segment = std::string_view(segment_.name);
    if (number > 0) {
      label.residue_number = number;
      label.insertion_code = ' ';
    }
    ids_[patched.residue] = tcl_residue(segment_.name + ':', label);
    std::set<std::string_view> taken;
    for (const std::uint32_t r : patched.parts) {
      write_atoms(r, label);
      note_patches(r, patched.residue);
    }
    for (const std::uint32_t r : patched.parts)
      for (const Label& name : named_.residues[r].atoms)
        if (!taken.insert(name.view()).second)
          fail(described(patched.residue), " has two atoms that CHARMM's patches call ", name.view(),
               "; give it other ends");
  }

  void write_atoms(std::uint32_t r, const Atom& label) {
    const NamedResidue& named = named_.residues[r];
    const std::span<const Atom> atoms = atoms_of(r);
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      Atom atom = label;
      atom.position_A = atoms[n].position_A;
      atom.charge_e = atoms[n].charge_e;
      atom.radius_A = atoms[n].radius_A;
      atom.element = atoms[n].element;
      atom.name = named.atoms[n];
      atom.ends_chain = false;
      if (is_written_at_origin(atom.position_A)) note_unplaced(label, atom.name);
      segment_.atoms.push_back(atom);
    }
    write_missing(r, label);
  }

  /// Hydrogens that are not there, in the places that bonds give them: psfgen has none for many.
  void write_missing(std::uint32_t r, const Atom& label) {
    const NamedResidue& named = named_.residues[r];
    if (named.lacks.empty()) return;
    const std::vector<Label>& names = named.as->names[std::size_t(NamingScheme::charmm)];
    const auto number_of = [&](const Label& name) {
      return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
    };
    std::vector<std::optional<Vec3<double>>> positions_A(names.size());
    const std::span<const Atom> atoms = atoms_of(r);
    for (std::size_t n = 0; n < atoms.size(); ++n)
      positions_A[number_of(named.atoms[n])] = atoms[n].position_A;
    const std::vector<std::optional<Vec3<double>>> built_A = missing_hydrogens(*named.as, positions_A);
    for (const Label& name : named.lacks) {
      const std::optional<Vec3<double>>& place_A = built_A[number_of(name)];
      if (!place_A) {
        note_unplaced(label, name);
        continue;
      }
      Atom atom = label;
      atom.position_A = *place_A;
      atom.charge_e = 0.0;
      atom.element = "H";
      atom.name = name;
      atom.ends_chain = false;
      segment_.atoms.push_back(atom);
    }
  }

  void note_unplaced(const Atom& label, const Label& name) {
    result_.unplaced.push_back(upper_case(segment_.name) + ':' + upper_case(residue_id_text(label)) + ':' +
                               std::string(name.view()));
  }

  /// DEOX gives the phosphorus a type of DNA alone, which has no torsions with a ribose before it; DEO5, for
  /// 5' ends, is the same without it.
  bool keeps_phosphorus(const Label& patch, std::uint32_t of) const {
    const std::uint32_t before = named_.chemistry.residues[of].before;
    return patch == Label("DEOX") && before != nothing && named_.residues[before].as != nullptr &&
           named_.residues[before].as->kind == ResidueClass::rna;
  }

  /// Those of ends go with the segment, those of disulfides with the bonds.
  void note_patches(std::uint32_t r, std::uint32_t of) {
    for (const Label& patch : name_of(r).patches) {
      const std::string_view name = patch.view();
      if (is_one_of(patches_of_first, name)) {
        segment_.first = name == "ACE" && name_of(of).residue == Label("PRO") ? "ACP" : std::string(name);
        first_ = of;
      } else if (is_one_of(patches_of_last, name)) {
        segment_.last = name;
        last_ = of;
      } else if (name != "DISU")
        result_.patches.push_back("patch " + std::string(keeps_phosphorus(patch, of) ? "DEO5" : name) + ' ' +
                                  ids_[of]);
    }
  }

  /// A chain may begin or end with what it is bound to no more only where CHARMM has a patch for that.
  void check_places(std::span<const PatchedResidue> residues) {
    const bool is_first = first_ == nothing || first_ == residues.front().residue;
    const bool is_last = last_ == nothing || last_ == residues.back().residue;
    if (!is_first || !is_last)
      fail(described(is_first ? last_ : first_),
           " has the end of a chain, but is within a chain; correct the file");
    first_ = last_ = nothing;
  }

  /// A chain ends where CHARMM has a patch for that; its inner residues have whole charges only together.
  void check_ends(const PatchedResidue& first, const PatchedResidue& last) const {
    const auto fail_for = [&](const PatchedResidue& residue) {
      fail(described(residue.residue),
           " is at the end of a chain, and has the atoms of a residue within one, for which CHARMM has no "
           "patch; do not leave out a residue of a chain with --ignore, or build the missing residues");
    };
    if (segment_.first == "none" &&
        named_.residues[first.residue].as->link_before != ResidueTemplate::no_atom)
      fail_for(first);
    if (segment_.last == "none" && named_.residues[last.residue].as->link_after != ResidueTemplate::no_atom)
      fail_for(last);
  }

  /// The last residue's bond to the first.
  void close(std::span<const PatchedResidue> residues) {
    const auto id = [&](std::size_t n) { return ' ' + ids_[residues[n].residue]; };
    const std::size_t count = residues.size();
    if (named_.residues[residues[0].residue].as->kind != ResidueClass::amino_acid)
      return result_.patches.push_back("patch LKNA" + id(count - 1) + id(0));
    if (count < 4)
      fail(described(residues[0].residue), " is in a ring of ", count,
           " amino acids, but the CHARMM patch LINK needs four; leave it out with --ignore");
    result_.patches.push_back("patch LINK" + id(count - 2) + id(count - 1) + id(0) + id(1));
  }

  void check_links() const {
    for (const ResidueLink& link : named_.chemistry.links)
      if (link.kind != LinkKind::disulfide) fail_for(link);
  }

  [[noreturn]] void fail_for(const ResidueLink& link) const {
    fail("CHARMM's force field has no ", to_string(link.kind), " bond of ", describe(atoms_[link.first]),
         " to ", describe(atoms_[link.second]), "; leave one of these residues out with --ignore");
  }

  void write_disulfides() {
    for (const ResidueLink& link : named_.chemistry.links) {
      const Chemistry& chemistry = named_.chemistry;
      const std::string &first = ids_[chemistry.residue_of(link.first)],
                        &second = ids_[chemistry.residue_of(link.second)];
      if (first.empty() || second.empty()) fail_for(link);  // of a ligand
      result_.patches.push_back("patch DISU " + first + ' ' + second);
    }
  }

  std::span<const Atom> atoms_;
  const NamedResidues& named_;
  SegmentNames& names_;
  std::vector<std::string> ids_;  // by residue: "A:5" where it is in a segment of a piece
  CharmmSegment segment_;
  std::uint32_t first_ = nothing, last_ = nothing;  // residues with patches of ends
  CharmmPieces result_;
};

}  // namespace

CharmmPieces charmm_pieces(std::span<const Atom> atoms, const NamedResidues& named, SegmentNames& names) {
  return PieceWriter(atoms, named, names).written();
}

}  // namespace ionwell
