// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/charmm_segments.hpp"

#include "core/chemistry/ion_table.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "structures/molecules/chain_ends.hpp"

namespace ionwell {
namespace {

constexpr std::size_t longest_segment = 4;

bool is_loose_kind(ResidueKind kind) {
  return kind == ResidueKind::water || kind == ResidueKind::ion;
}

/// CHARMM's name for an ion of one atom.
void rename_ion(Atom& atom) {
  const KnownIon* const ion = find_ion(atom.residue.view());
  if (ion == nullptr) return;
  const IonName& name = ion->names[std::size_t(IonNaming::charmm)];
  if (name.residue.empty()) return;
  atom.residue = name.residue;
  atom.name = name.atom;
}

}  // namespace

std::string SegmentNames::unique(std::string_view own) {
  std::string wished(own);
  for (char& c : wished)
    if (!is_plain_word({&c, 1})) c = '_';
  std::string name = wished.substr(0, longest_segment);
  for (int n = 1; name.empty() || !taken_.insert(lower_case(name)).second; ++n) {
    const std::string number = std::to_string(n);
    name = wished.substr(0, longest_segment - number.size()) + number;
  }
  return name;
}

void SegmentNames::take(std::string_view name) {
  taken_.insert(lower_case(name));
}

std::string_view segment_name(const Atom& atom) {
  const Label& own = atom.segment.empty() ? atom.chain : atom.segment;
  return own.empty() ? "MOL" : own.view();
}

std::vector<CharmmSegment> segments_of_chains(std::span<const Atom> atoms, SegmentNames& names) {
  std::vector<CharmmSegment> segments;
  std::size_t residues = 0, last = atoms.size();  // of the present segment; its last atom so far
  ResidueKind kind = ResidueKind::unknown;        // of the present segment, where it is loose
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const Atom& first = atoms[begin];
    const bool is_loose = is_loose_kind(residue.kind);
    const bool goes_on = !segments.empty() && segments.back().is_loose == is_loose &&
                         residues < most_segment_residues &&
                         (is_loose ? residue.kind == kind : !chain_ends_between(atoms[last], first));
    if (!goes_on) {
      const std::string_view own = !is_loose                            ? segment_name(first)
                                   : residue.kind == ResidueKind::water ? "WT1"
                                                                        : "IN1";
      segments.push_back(
          {.name = names.unique(own), .atoms = {}, .is_loose = is_loose, .first = {}, .last = {}});
      residues = 0;
      kind = residue.kind;
    }
    ++residues;
    for (std::size_t i = begin; i < residue.end; ++i) {
      Atom& atom = segments.back().atoms.emplace_back(atoms[i]);
      atom.segment = std::string_view(segments.back().name);
      if (is_loose) atom.residue_number = int(residues);
      if (residue.kind == ResidueKind::ion && residue.end - begin == 1) rename_ion(atom);
    }
    last = residue.end - 1;
    begin = residue.end;
  }
  return segments;
}

std::vector<std::string> renamed_segments(std::span<const Atom> atoms) {
  std::set<std::string> renamed;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const std::string_view own = segment_name(atoms[begin]);
    if (!is_loose_kind(residue.kind) && !is_plain_word(own)) renamed.emplace(own);
    begin = residue.end;
  }
  return {renamed.begin(), renamed.end()};
}

std::string tcl_residue(const std::string& segment, const Atom& atom) {
  const std::string id = residue_id_text(atom), quoted = tcl_word(id);
  return quoted == id ? segment + id : tcl_quoted(segment + id);
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return upper;
}

}  // namespace ionwell
