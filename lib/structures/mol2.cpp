// SPDX-License-Identifier: BSD-3-Clause
#include "structures/mol2.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "core/chemistry/elements.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {
namespace {

constexpr std::string_view section_mark = "@<TRIPOS>";

/// By SYBYL: C.3, N.ar, O.co2, Cl, H. A force field's CA may be carbon.
std::string_view element_of_type(std::string_view type) {
  const std::string_view symbol = type.substr(0, type.find('.'));
  const bool is_mixed_case = symbol.size() == 2 && symbol[1] >= 'a' && symbol[1] <= 'z' && symbol[0] <= 'Z';
  return symbol.size() < type.size() || symbol.size() == 1 || is_mixed_case ? element_of_symbol(symbol)
                                                                            : std::string_view{};
}

/// A substructure's name, and the number that ends it in the files of SYBYL and Chimera: ALA12, but not U5,
/// the end of an RNA.
struct ResidueName {
  std::string_view name;
  std::optional<int> number;
};
ResidueName split_residue(std::string_view name) {
  std::size_t letters = name.size();
  while (letters > 0 && is_digit(name[letters - 1])) --letters;
  const std::string_view start = name.substr(0, letters);
  const auto is_residue = [](std::string_view text) { return residue_kind(text) != ResidueKind::unknown; };
  const auto is_ion = [](std::string_view text) { return find_ion(text) != nullptr; };
  const bool is_numbered =
      is_residue(start) ? !is_residue(name) : is_ion(start) && !is_residue(name) && !is_ion(name);
  if (!is_numbered || start == name) return {name, std::nullopt};
  return {start, parse_integer(name.substr(letters))};
}

class Mol2Reader {
 public:
  Mol2Reader(std::string_view text, const std::string& path, Mol2Charges charges)
      : text_(text), path_(path), charges_(charges), lines_(text) {}

  Structure read() {
    structure_.path = path_;
    for (std::string_view line; lines_.next(line);) {
      if (line.starts_with(section_mark)) {
        begin_section(trim(line.substr(section_mark.size())));
      } else if (molecules_ == 1 &&
                 (section_ == "MOLECULE" || !(trim(line).empty() || line.starts_with('#')))) {
        ++section_line_;
        read_line(line);
      }
    }
    check_count();
    if (std::all_of(structure_.atoms.begin(), structure_.atoms.end(),
                    [](const Atom& atom) { return atom.charge_e == 0.0; }))
      refuse_if_needed("all its charges are 0");
    add_chains();
    if (molecules_ > 1)
      structure_.warnings.push_back(path_ + ": contains " + count_of(molecules_, "molecule") +
                                    "; the first was used; make a file of another one to use that");
    return std::move(structure_);
  }

 private:
  void begin_section(std::string_view name) {
    section_ = name;
    section_line_ = 0;
    if (section_ == "MOLECULE") ++molecules_;
  }

  void read_line(std::string_view line) {
    if (section_ == "MOLECULE") {
      read_header(line);
    } else if (section_ == "ATOM") {
      structure_.atoms.push_back(read_atom(line));
    } else if (section_ == "SUBSTRUCTURE") {
      read_substructure(line);
    } else if (section_ == "CRYSIN" && section_line_ == 1) {
      read_cell(line);
    }
  }

  /// Name, counts, type of molecule, type of charges.
  void read_header(std::string_view line) {
    if (section_line_ == 2) {
      std::string_view rest = line;
      const auto count = parse_integer<std::int64_t>(take_token(rest));
      if (!count || *count < 1)
        complain("the line ",
                 "does not begin with the number of atoms (a mol2 file has it here); write it again", line);
      announced_ = *count;
      constexpr std::size_t least_bytes = 16;  // of an atom
      structure_.atoms.reserve(std::min(std::size_t(announced_), text_.size() / least_bytes));
    }
    if (section_line_ == 4 && trim(line) == "NO_CHARGES")
      refuse_if_needed("line 4 of the molecule is NO_CHARGES");
  }

  void refuse_if_needed(std::string_view why) const {
    if (charges_ == Mol2Charges::needed)
      fail(path_, ':', lines_.number(), ": is a mol2 file without charges (", why,
           "); assign them, for example with antechamber -c bcc or obabel --partialcharge eem");
  }

  /// Number, name, x, y, z, type, number and name of the substructure, charge.
  Atom read_atom(std::string_view line) {
    const std::size_t length = line.size();
    std::array<std::string_view, 9> fields;
    for (std::string_view& field : fields) field = take_token(line);
    Atom atom;
    atom.name = fields[1];
    atom.position_A = {number(fields[2], "x", largest_coordinate_A),
                       number(fields[3], "y", largest_coordinate_A),
                       number(fields[4], "z", largest_coordinate_A)};
    atom.element = element_of_type(fields[5]);
    const std::optional<int> substructure = parse_integer(fields[6]);
    if (!substructure)
      complain("the substructure's number ", "is not a whole number; write the file again", fields[6]);
    if (!lines_.line_is_ended() && (fields[8].empty() || length < length_before_))
      fail(path_, ':', lines_.number(),
           ": the file ends in the middle of this line; copy it again (or end the line, if it is complete)");
    length_before_ = length;
    if (fields[8].empty()) refuse_if_needed("this line ends before its ninth column, the charge");
    if (!fields[8].empty()) atom.charge_e = number(fields[8], "charge", largest_charge_e);
    if (fields[7] != substructure_name_) {
      substructure_name_ = fields[7];
      residue_ = split_residue(substructure_name_);
    }
    atom.residue = residue_.name;
    atom.residue_number = residue_.number.value_or(*substructure);
    substructures_.push_back(*substructure);
    return atom;
  }

  double number(std::string_view text, std::string_view what, double largest) {
    const std::optional<double> value = parse_number(text);
    if (!value) complain(std::string(what) + ' ', "is not a finite number; write the file again", text);
    if (!(std::abs(*value) <= largest))
      complain(std::string(what) + ' ', "is too large for an atom; check its unit", text);
    return *value;
  }

  /// Number, name, first atom, type, dictionary, chain; what is not known is ****.
  void read_substructure(std::string_view line) {
    std::array<std::string_view, 6> fields;
    for (std::string_view& field : fields) field = take_token(line);
    const std::optional<int> substructure = parse_integer(fields[0]);
    if (substructure && !fields[5].empty() && fields[5].find_first_not_of('*') != std::string_view::npos)
      chains_.try_emplace(*substructure, fields[5]);
  }

  void read_cell(std::string_view line) {
    std::array<double, 6> values{};
    for (double& value : values) {
      const std::optional<double> read = parse_number(take_token(line));
      if (!read || !(*read > 0.0)) return;
      value = *read;
    }
    const auto& [a, b, c, alpha, beta, gamma] = values;
    const std::string_view space_group = take_token(line);  // its number; 1 is P 1
    structure_.cell =
        possible_cell({{a, b, c}, {alpha, beta, gamma}},
                      space_group.empty() || space_group == "1" ? CellKind::undecided : CellKind::crystal);
  }

  void check_count() {
    if (molecules_ == 0) fail(path_, ": has no @<TRIPOS>MOLECULE, so it is not a mol2 file; give one");
    const auto count = std::int64_t(structure_.atoms.size());
    if (count == 0) fail(path_, ": has no atoms in @<TRIPOS>ATOM; is the file truncated? copy it again");
    if (count != announced_)
      fail(path_, ": has ", count_of(count, "atom"), ", but the line after the name of the molecule states ",
           announced_, "; is the file truncated? copy it again");
  }

  void add_chains() {
    if (chains_.empty()) return;
    auto& atoms = structure_.atoms;
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if (const auto chain = chains_.find(substructures_[i]); chain != chains_.end())
        atoms[i].chain = chain->second;
    for (std::size_t i = 1; i < atoms.size(); ++i)
      atoms[i - 1].ends_chain = atoms[i].chain != atoms[i - 1].chain;
  }

  [[noreturn]] void complain(std::string_view what, std::string_view problem, std::string_view text) const {
    fail(path_, ':', lines_.number(), ": ", what, quote(text), ' ', problem);
  }

  std::string_view text_;
  const std::string& path_;
  Mol2Charges charges_;
  LineScanner lines_;
  Structure structure_;
  std::string_view section_;
  std::int64_t section_line_ = 0, molecules_ = 0, announced_ = 0;
  std::size_t length_before_ = 0;   // of the atom's line before
  std::vector<int> substructures_;  // of each atom
  std::unordered_map<int, Label> chains_;
  std::string_view substructure_name_;  // the last one
  ResidueName residue_;                 // and what it says
};

}  // namespace

Structure read_mol2(std::string_view text, const std::string& path, Mol2Charges charges) {
  return Mol2Reader(text, path, charges).read();
}

bool is_mol2(std::string_view head) {
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);)
    if (!(trim(line).empty() || line.starts_with('#'))) return line.starts_with(section_mark);
  return false;
}

}  // namespace ionwell
