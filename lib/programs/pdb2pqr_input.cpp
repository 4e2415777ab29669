// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <optional>

#include "chemistry/decisions/incomplete_residues.hpp"
#include "core/chemistry/composition.hpp"
#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "programs/pdb2pqr_files.hpp"
#include "programs/pdb_columns.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr std::string_view chain_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::size_t most_atoms = 99'999;  // serial numbers of the format
constexpr int most_residues = 9'999;

bool has_atom(std::span<const Atom> residue, std::string_view name) {
  return std::any_of(residue.begin(), residue.end(), [name](const Atom& atom) { return atom.name == name; });
}

/// A nucleotide's one-letter name of RNA or two-letter one of DNA, by its base and its sugar: ADE, RA5 and A3
/// are A. PDB2PQR knows no others, and of those only without the marks of a chain's end.
std::string nucleotide_name(std::span<const Atom> residue) {
  std::string_view name = residue.front().residue.view();
  constexpr std::string_view long_names[] = {"ADE", "CYT", "GUA", "URA", "THY"};
  if (std::find(std::begin(long_names), std::end(long_names), name) != std::end(long_names)) {
    name = name.substr(0, 1);
  } else {
    if (name.size() > 1 && (name.front() == 'R' || name.front() == 'D')) name.remove_prefix(1);
    if (name.size() == 2 && (name.back() == '5' || name.back() == '3' || name.back() == 'N'))
      name.remove_suffix(1);
  }
  if (name.size() != 1 || std::string_view("ACGTU").find(name) == std::string_view::npos)
    return std::string(residue.front().residue.view());
  const bool is_rna = has_atom(residue, "O2'") || has_atom(residue, "O2*") || name == "U";
  return (is_rna ? "" : "D") + std::string(name);
}

/// The name that PDB2PQR knows a residue by.
std::string name_to_send(std::span<const Atom> residue, ResidueKind kind) {
  struct Renamed {
    std::string_view from, to;
  };
  constexpr Renamed renamed[] = {{"MSE", "MET"},  {"HSD", "HID"},  {"HSE", "HIE"}, {"HSP", "HIP"},
                                 {"ASPP", "ASH"}, {"GLUP", "GLH"}, {"LSN", "LYN"}, {"CYS2", "CYX"}};
  if (kind == ResidueKind::nucleic_acid) return nucleotide_name(residue);
  std::string_view name = residue.front().residue.view();
  for (const Renamed& other : renamed)
    if (name == other.from) return std::string(other.to);
  // AMBER's ends of a chain: NALA, CGLY.
  const bool is_end = name.size() == 4 && (name.front() == 'N' || name.front() == 'C') &&
                      residue_kind(name.substr(1)) == ResidueKind::protein;
  return std::string(is_end ? name.substr(1) : name);
}

/// Makes the files residue by residue.
class InputWriter {
 public:
  explicit InputWriter(const Structure& structure) : structure_(structure) {
    input_.shift_A = shift_into_pdb_columns(structure.atoms);
  }

  Pdb2pqrInput write() {
    const std::span<const Atom> atoms = structure_.atoms;
    for (std::size_t begin = 0; begin < atoms.size();) {
      Residue found = residue_at(atoms, begin);
      for (std::size_t i = found.begin; i < found.end;
           ++i)  // two chains may meet in residues of one name and number
        if (atoms[i].ends_chain) found.end = i + 1;
      const std::span<const Atom> residue = atoms.subspan(found.begin, found.end - found.begin);
      Pdb2pqrResidue plan{.begin = found.begin, .end = found.end, .fate = fate_of(residue, found.kind)};
      if (starts_piece(found.begin)) ends_piece_ = true;
      if (plan.fate == Pdb2pqrFate::sent) send(residue, found.kind, plan);
      input_.residues.push_back(plan);
      begin = found.end;
    }
    const bool has_ions =
        std::any_of(input_.residues.begin(), input_.residues.end(),
                    [](const Pdb2pqrResidue& residue) { return residue.fate == Pdb2pqrFate::ion; });
    if (input_.pdb_texts.empty() && !has_ions)
      fail(structure_.path,
           ": has no amino acid or nucleotide that PDB2PQR could assign charges to; give a structure with "
           "charges (PQR, or a topology with coordinates)");
    for (std::string& text : input_.pdb_texts) text += "TER\nEND\n";
    return std::move(input_);
  }

 private:
  static Pdb2pqrFate fate_of(std::span<const Atom> residue, ResidueKind kind) {
    const std::string_view name = residue.front().residue.view();
    if (kind == ResidueKind::water) return Pdb2pqrFate::water;
    if (kind == ResidueKind::ion) {
      const bool is_whole = residue.size() == 1 || !central_atom(name).empty();
      const bool is_known =
          formal_ion({.name = name, .atoms = residue.size(), .first_atom = residue.front().name.view()})
              .has_value();
      return is_whole && is_known ? Pdb2pqrFate::ion : Pdb2pqrFate::unknown;
    }
    if (kind != ResidueKind::protein && kind != ResidueKind::nucleic_acid) return Pdb2pqrFate::unknown;
    const bool fits = name_to_send(residue, kind).size() <= 3 &&
                      std::all_of(residue.begin(), residue.end(),
                                  [](const Atom& atom) { return atom.name.view().size() <= 4; });
    if (!fits) return Pdb2pqrFate::unknown;
    return has_too_few_atoms(residue) ? Pdb2pqrFate::incomplete : Pdb2pqrFate::sent;
  }

  /// Whether a chain ended before atom `i`: at TER. Names and numbers may change along bonds.
  bool starts_piece(std::size_t i) const {
    if (i == 0) return true;
    return structure_.atoms[i - 1].ends_chain;
  }

  void send(std::span<const Atom> residue, ResidueKind kind, Pdb2pqrResidue& plan) {
    if (ends_piece_) start_piece(residue.size());
    if (++number_ > most_residues)
      fail(structure_.path, ": ", describe_residue(residue.front()), " is residue ", grouped(number_),
           " of its chain, but a PDB file for PDB2PQR has room for ", grouped(most_residues),
           "; end chains with TER, or give charges in another way");
    plan.file = input_.pdb_texts.size() - 1;
    plan.chain = chain_letters[piece_];
    plan.number = number_;
    const std::string name = name_to_send(residue, kind);
    if (residue.front().residue == Label("MSE")) ++input_.selenomethionines;
    for (const Atom& atom : residue) write_atom(atom, name, plan);
  }

  void start_piece(std::size_t atoms) {
    ends_piece_ = false;
    number_ = 0;
    ++piece_;
    const bool is_full = piece_ == chain_letters.size() || atoms_ + atoms > most_atoms;
    if (input_.pdb_texts.empty() || is_full) {
      input_.pdb_texts.emplace_back();
      piece_ = 0;
      atoms_ = 0;
    } else {
      input_.pdb_texts.back() += "TER\n";
    }
  }

  void write_atom(const Atom& atom, const std::string& residue, const Pdb2pqrResidue& plan) {
    const bool is_selenium = residue == "MET" && atom.name == Label("SE");
    const std::string name(is_selenium ? "SD" : atom.name.view()),
        element(is_selenium ? std::string_view("S") : element_of(atom));
    const Vec3<double> p = atom.position_A + input_.shift_A;
    atoms_ = atoms_ % most_atoms + 1;
    char line[128];
    std::snprintf(line, sizeof line,
                  "ATOM  %5d %-4s %3s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2.2s\n", int(atoms_),
                  (name.size() < 4 && element.size() < 2 ? ' ' + name : name).c_str(), residue.c_str(),
                  plan.chain, plan.number, p.x, p.y, p.z, element.c_str());
    input_.pdb_texts.back() += line;
  }

  const Structure& structure_;
  Pdb2pqrInput input_;
  bool ends_piece_ = false;
  std::size_t piece_ = 0, atoms_ = 0;  // in the present file
  int number_ = 0;
};

}  // namespace

Pdb2pqrInput pdb2pqr_input(const Structure& structure) {
  return InputWriter(structure).write();
}

std::vector<MissingAtom> missing_atoms(std::string_view printed, const Pdb2pqrInput& input,
                                       std::size_t file) {
  std::vector<MissingAtom> missing;
  LineScanner lines(printed);
  for (std::string_view line; lines.next(line);) {
    constexpr std::string_view words = "Missing atom ";
    const std::size_t at = line.find(words);
    if (at == line.npos) continue;
    line.remove_prefix(at + words.size());
    const std::string_view name = take_token(line);
    if (take_token(line) != "in" || take_token(line) != "residue" || take_token(line).empty()) continue;
    const std::string_view chain = take_token(line);
    const auto number = parse_integer(take_token(line));
    const auto found =
        std::find_if(input.residues.begin(), input.residues.end(), [&](const Pdb2pqrResidue& residue) {
          return residue.fate == Pdb2pqrFate::sent && residue.file == file && residue.number == number &&
                 chain == std::string_view(&residue.chain, 1);
        });
    if (found == input.residues.end()) continue;
    MissingAtom atom{std::string(name), std::size_t(found - input.residues.begin())};
    if (std::find(missing.begin(), missing.end(), atom) == missing.end()) missing.push_back(std::move(atom));
  }
  return missing;
}

}  // namespace ionwell
