// SPDX-License-Identifier: BSD-3-Clause
#include "programs/propka.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "programs/pdb_columns.hpp"
#include "programs/scratch_folder.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr std::string_view propka_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr double propka_timeout_s = 7200.0;

class PropkaWriter {
 public:
  PropkaWriter(const Structure& structure, const Chemistry& chemistry)
      : structure_(structure), chemistry_(chemistry), shift_A_(shift_into_pdb_columns(structure.atoms)) {}

  PropkaInput write() {
    const auto is_amino_acid = [](const PerceivedResidue& residue) {
      return residue.role == ResidueRole::amino_acid;
    };
    if (std::none_of(chemistry_.residues.begin(), chemistry_.residues.end(), is_amino_acid)) return {};
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r)
      if (is_amino_acid(chemistry_.residues[r]) || is_bound_cap(chemistry_.residues[r])) add_of_chain(r);
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const ResidueRole role = chemistry_.residues[r].role;
      if (!is_polymer(role) && role != ResidueRole::water && role != ResidueRole::bead) add_other(r);
    }
    input_.pdb_text += "END\n";
    return std::move(input_);
  }

 private:
  /// One that PROPKA sees no end behind.
  static bool is_bound_cap(const PerceivedResidue& residue) {
    return residue.role == ResidueRole::cap && (residue.before != nothing || residue.after != nothing);
  }

  void add_of_chain(std::uint32_t r) {
    const std::uint32_t piece = chemistry_.residues[r].piece;
    if (input_.residues.empty() || piece != piece_) {
      if (!input_.residues.empty()) input_.pdb_text += "TER\n";
      ++chain_;
      number_ = 0;
      piece_ = piece;
    }
    ++number_;
    input_.residues.push_back(r);
    write_residue(r, "ATOM  ");
    input_.chains += letter();
    input_.numbers.push_back(number_);
  }

  void add_other(std::uint32_t r) {
    if (!has_others_) {
      input_.pdb_text += "TER\n";
      ++chain_;
      number_ = 0;
      has_others_ = true;
    }
    ++number_;
    write_residue(r, "HETATM");
  }

  char letter() const { return propka_letters[chain_ - 1]; }

  void write_residue(std::uint32_t r, const char* record) {
    constexpr int most_residues = 9'999, most_atoms = 99'999;
    const PerceivedResidue& residue = chemistry_.residues[r];
    const bool fits = chain_ <= propka_letters.size() && number_ <= most_residues &&
                      atoms_ + int(residue.end - residue.begin) <= most_atoms;
    if (!fits)
      fail(structure_.path, ": --pH: PROPKA reads at most ", propka_letters.size(), " pieces of chains with ",
           grouped(most_residues), " residues each and ", grouped(most_atoms),
           " atoms in all; set the states by residue names (ASH, GLH, HIP, LYN), without --pH");
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) {
      const Atom& atom = structure_.atoms[n];
      const Vec3<double> p = atom.position_A + shift_A_;
      const std::string_view element = element_of(atom);
      if (element == "H") continue;
      const std::string name(atom.name.view().substr(0, 4)), called(atom.residue.view().substr(0, 3));
      char line[128];
      std::snprintf(line, sizeof line, "%s%5d %-4s %3s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2.2s\n",
                    record, ++atoms_, (name.size() < 4 && element.size() < 2 ? ' ' + name : name).c_str(),
                    called.c_str(), letter(), number_, p.x, p.y, p.z, std::string(element).c_str());
      input_.pdb_text += line;
    }
  }

  const Structure& structure_;
  const Chemistry& chemistry_;
  Vec3<double> shift_A_;
  PropkaInput input_;
  std::uint32_t piece_ = nothing;
  std::size_t chain_ = 0;
  int number_ = 0, atoms_ = 0;
  bool has_others_ = false;
};

std::string read_if_there(const std::string& path) {
  try {
    return std::string(read_input_file(path).text());
  } catch (const Error&) {
    return {};  // nothing was written
  }
}

/// The last line that says something.
std::string last_line(std::string_view printed) {
  std::string_view last;
  LineScanner lines(printed);
  for (std::string_view line; lines.next(line);)
    if (!trim(line).empty()) last = trim(line);
  return last.empty() ? std::string() : "; its last output: " + quote(last);
}

}  // namespace

PropkaInput propka_input(const Structure& structure, const Chemistry& chemistry) {
  return PropkaWriter(structure, chemistry).write();
}

std::vector<ResiduePka> read_pkas(std::string_view text, const PropkaInput& input) {
  constexpr double no_pka = 90.0;  // PROPKA writes 99.99 for the cysteines of a disulfide
  constexpr std::size_t name_at = 3, number_at = 6, chain_at = 11, pka_at = 12;
  std::vector<ResiduePka> pkas;
  bool is_in_summary = false;
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("SUMMARY OF THIS PREDICTION")) is_in_summary = true;
    if (line.starts_with("---")) is_in_summary = false;
    if (!is_in_summary || line.size() <= pka_at) continue;
    const auto number = parse_integer(trim(line.substr(number_at, chain_at - number_at)));
    std::string_view rest = line.substr(pka_at);
    std::string_view value = take_token(rest);
    if (value.ends_with('*')) value.remove_suffix(1);
    const auto pka = parse_number(value);
    if (!number || !pka || *pka > no_pka) continue;
    for (std::size_t n = 0; n < input.residues.size(); ++n)
      if (input.numbers[n] == *number && input.chains[n] == line[chain_at])
        pkas.push_back({input.residues[n], Label(trim(line.substr(name_at, number_at - name_at))), *pka});
  }
  return pkas;
}

std::vector<ResiduePka> predict_pkas(const Structure& structure, const Chemistry& chemistry,
                                     const SignalNotes& notes,
                                     const std::function<void(double seconds)>& progress) {
  const PropkaInput input = propka_input(structure, chemistry);
  if (input.residues.empty()) return {};
  const std::string found = find_program("propka3");
  if (found.empty())
    fail(
        "--pH: there is no program propka3 to predict protonation states; on Debian and Ubuntu install the "
        "package python3-propka (elsewhere: pip install propka), or set the states by residue names (ASH, "
        "GLH, HIP, LYN), without --pH");
  remove_left_scratch();
  const ScratchFolder folder(std::nullopt);
  write_file(folder / "solute.pdb", input.pdb_text);
  const std::string printed_path = folder / "solute.out";
  const ChildResult result = run_child({std::filesystem::absolute(found).string(), "solute.pdb"},
                                       {.folder = folder.path(),
                                        .removes_folder = true,
                                        .output_path = printed_path,
                                        .timeout_s = propka_timeout_s},
                                       notes, progress);
  const std::string which = structure.path + ": PROPKA (" + found + ") ";
  const std::string printed = read_if_there(printed_path);
  if (result.timed_out) fail(which, "was stopped after ", propka_timeout_s, " s", last_line(printed));
  const std::vector<ResiduePka> pkas = read_pkas(read_if_there(folder / "solute.pka"), input);
  if (result.exit_code != 0 || result.signal != 0 || pkas.empty())
    fail(which, "gave no pKa", last_line(printed),
         "; set the states by residue names (ASH, GLH, HIP, LYN), without --pH");
  return pkas;
}

}  // namespace ionwell
