// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/written_system.hpp"

#include <algorithm>

#include "core/geometry/standard_cell.hpp"
#include "structures/pdb/pdb_header.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t piece_atoms = 1 << 14;  // 1 MB of text

}  // namespace

WrittenSystem::WrittenSystem(const PlacedSystem& system, const TextFormat& format)
    : system_(system), own_(written_atoms(system)) {
  if (system.cell && format.has_cell) {
    const StandardCell standard(*system.cell);
    system_.cell = standard.cell();
    if (standard.is_rotated()) {
      rotation_ = standard.rotation();
      system_.remarks.emplace_back(rotation_remark);
      system_.records = records_without_places(system.records);
      rotate(own_);
    }
  }
  std::int64_t residues = 0;
  for (std::int64_t n = 0; n < own_atoms(); ++n) {
    const Atom& atom = own_[std::size_t(n)];
    if (n % piece_atoms == 0) residues_.push_back(residues);
    residues += n == 0 || begins_residue(atom, own_[std::size_t(n) - 1]);
    has_chains_ &= !atom.chain.empty();
  }
  residues_.push_back(residues);
  if (solvent().count == 0) return;
  first_of_solvent_.resize(solvent().atoms_each);
  solvent().make(0, first_of_solvent_);
  has_chains_ &= !first_of_solvent_.front().chain.empty();
}

std::int64_t WrittenSystem::own_pieces() const {
  return (own_atoms() + piece_atoms - 1) / piece_atoms;
}

std::int64_t WrittenSystem::solvent_pieces() const {
  if (solvent().count == 0) return 0;
  const std::int64_t molecules = piece_atoms / std::int64_t(solvent().atoms_each);
  return (solvent().count + molecules - 1) / molecules;
}

AtomPiece WrittenSystem::piece(std::int64_t number, std::vector<Atom>& made) const {
  if (number < own_pieces()) {
    const std::int64_t begin = number * piece_atoms, end = std::min(begin + piece_atoms, own_atoms());
    const Atom* const behind = end < own_atoms()
                                   ? &own_[std::size_t(end)]
                                   : (first_of_solvent_.empty() ? nullptr : first_of_solvent_.data());
    return {std::span(own_).subspan(std::size_t(begin), std::size_t(end - begin)), begin,
            residues_[std::size_t(number)], begin > 0 ? &own_[std::size_t(begin) - 1] : nullptr, behind};
  }
  // With one molecule more on each side, whose atoms are the neighbours.
  const auto each = std::int64_t(solvent().atoms_each), molecules = piece_atoms / each;
  const std::int64_t begin = (number - own_pieces()) * molecules;
  const std::int64_t end = std::min(begin + molecules, solvent().count);
  const std::int64_t from = std::max<std::int64_t>(begin - 1, 0), to = std::min(end + 1, solvent().count);
  made.resize(std::size_t((to - from) * each));
  solvent().make(from, made);
  rotate(made);
  const Atom* const before =
      begin > from ? &made[std::size_t(each) - 1] : (own_.empty() ? nullptr : &own_.back());
  const Atom* const behind = to > end ? &made[std::size_t((end - from) * each)] : nullptr;
  return {std::span(made).subspan(std::size_t((begin - from) * each), std::size_t((end - begin) * each)),
          own_atoms() + begin * each, residues_.back() + begin, before, behind};
}

void WrittenSystem::rotate(std::span<Atom> atoms) const {
  if (!rotation_) return;
  for (Atom& atom : atoms) atom.position_A = (*rotation_)(atom.position_A);
}

bool begins_residue(const Atom& atom, const Atom& before) {
  return atom.residue_number != before.residue_number || atom.insertion_code != before.insertion_code ||
         atom.residue != before.residue || atom.chain != before.chain || atom.segment != before.segment;
}

std::string text_of(const PlacedSystem& system, const TextFormat& format) {
  const WrittenSystem written(system, format);
  std::string text = format.head(written);
  text.reserve(text.size() + format.bytes_per_atom * std::size_t(written.atoms()) + 256);
  std::vector<Atom> made;
  for (std::int64_t number = 0; number < written.pieces(); ++number)
    format.append(text, written, written.piece(number, made));
  return text += format.tail(written);
}

}  // namespace ionwell
