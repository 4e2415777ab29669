// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/tpr_dump.hpp"

#include <cmath>

#include "core/chemistry/elements.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/atom_limits.hpp"
#include "structures/gromacs/frames.hpp"
#include "structures/gromacs/molecules.hpp"

namespace ionwell {
namespace {

/// What is behind `key` up to `end`; nothing where the line has no such key.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key, std::string_view end) {
  const std::size_t at = line.find(key);
  if (at == line.npos) return {};
  const std::string_view rest = line.substr(at + key.size());
  return trim(rest.substr(0, rest.find(end)));
}

class DumpReader {
 public:
  DumpReader(std::string_view text, const std::string& path) : path_(path), lines_(text) {}

  Structure read() {
    while (lines_.next(line_)) {
      if (line_.ends_with(':') && line_[0] != ' ') section_ = line_.substr(0, line_.find_first_of(" :"));
      line_ = trim(line_);
      if (section_ == "topology") read_topology();
      if (section_ == "box" && line_.starts_with("box[") && box_lines_ < box_nm_.size())
        box_nm_[box_lines_++] = vector();
      if (section_ == "x" && line_.starts_with("x[")) coordinates_.positions_A.push_back(nm_A * vector());
    }
    return structure();
  }

 private:
  /// How the dump names an atom's residue.
  struct Residue {
    Label name;
    int number = 0;
    char insertion_code = ' ';
  };

  [[noreturn]] void complain() const {
    fail(path_, ": line ", lines_.number(), " of the output of gmx dump cannot be read: ", quote(line_),
         "; give the topology (.top) and coordinates instead");
  }

  template <typename Number>
  Number number(std::string_view key, std::string_view end = ",") const {
    const std::optional<std::string_view> text = value_of(line_, key, end);
    if constexpr (std::is_same_v<Number, double>) {
      if (const auto value = parse_number(text.value_or(""))) return *value;
    } else {
      if (const auto value = parse_integer<Number>(text.value_or(""))) return *value;
    }
    complain();
  }

  std::string_view text(std::string_view key, std::string_view end) const {
    const std::optional<std::string_view> value = value_of(line_, key, end);
    if (!value) complain();
    return *value;
  }

  /// x[    0]={ 6.21800e+00,  4.66700e+00,  3.35500e+00}
  Vec3<double> vector() const {
    Vec3<double> v;
    std::string_view rest = text("={", "}");
    for (double* x : {&v.x, &v.y, &v.z}) {
      const std::optional<double> value = parse_number(trim(rest.substr(0, rest.find(','))));
      if (!value) complain();
      *x = *value;
      rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
    }
    return v;
  }

  void read_topology() {
    if (line_.starts_with("molblock (")) {
      entries_.emplace_back();
    } else if (line_.starts_with("moltype (")) {
      finish_type();
      types_.emplace_back();
      names_ = 0;
    } else if (line_.starts_with("moltype ") && !entries_.empty()) {
      entries_.back().type = std::size_t(number<std::int64_t>("=", "\""));
    } else if (line_.starts_with("#molecules ") && !entries_.empty()) {
      entries_.back().count = number<std::int64_t>("=", "\"");
    } else if (!types_.empty()) {
      read_molecule_type();
    }
  }

  void read_molecule_type() {
    GromacsMoleculeType& type = types_.back();
    if (line_.starts_with("name=\"") && type.name.empty()) {
      type.name = text("name=\"", "\"");
    } else if (line_.starts_with("atom[") && line_.find("={name=") != line_.npos) {
      if (names_ == type.atoms.size()) complain();
      type.atoms[names_++].name = text("={name=\"", "\"}");
    } else if (line_.starts_with("atom[")) {
      const double charge_e = number<double>(", q=");
      if (!(std::abs(charge_e) <= largest_charge_e)) complain();
      Atom atom{.charge_e = charge_e, .chain = chain_of_molecule(type.name)};
      atom.residue_number = number<int>("resind=");  // for now: its residue's index
      atom.element = element_of_number(number<int>("atomnumber=", "}"));
      type.atoms.push_back(atom);
    } else if (line_.starts_with("residue[")) {
      const std::string_view code = text("ic='", "'}");  // empty for a blank
      residues_.push_back({text("={name=\"", "\", nr="), number<int>("nr="), code.empty() ? ' ' : code[0]});
    }
  }

  /// Gives the atoms of the last type their residues.
  void finish_type() {
    if (types_.empty()) return;
    for (Atom& atom : types_.back().atoms) {
      if (atom.residue_number < 0 || std::size_t(atom.residue_number) >= residues_.size()) complain();
      const Residue& residue = residues_[std::size_t(atom.residue_number)];
      atom.residue = residue.name;
      atom.residue_number = residue.number;
      atom.insertion_code = residue.insertion_code;
    }
    if (names_ != types_.back().atoms.size()) complain();
    residues_.clear();
  }

  Structure structure() {
    finish_type();
    std::int64_t atoms = 0;
    const std::int64_t positions = std::ssize(coordinates_.positions_A);
    for (const GromacsMoleculeEntry& entry : entries_) {
      if (entry.type >= types_.size() || types_[entry.type].atoms.empty() || entry.count < 0 ||
          entry.count > positions)
        complain();
      atoms += entry.count * std::ssize(types_[entry.type].atoms);
      if (atoms > positions) break;
    }
    if (atoms == 0 || atoms != positions)
      fail(path_, ": gmx dump prints ", count_of(positions, "position"), " for ",
           atoms > positions ? "more" : "", atoms > positions ? " atoms" : count_of(atoms, "atom"),
           "; make the file again with gmx grompp");
    check_positions(coordinates_, 0, path_);
    Structure result{
        .path = path_, .atoms = expand_molecules(types_, entries_), .cell = cell_of_box(box_nm_)};
    for (std::size_t i = 0; i < result.atoms.size(); ++i)
      result.atoms[i].position_A = coordinates_.positions_A[i];
    return result;
  }

  const std::string& path_;
  LineScanner lines_;
  std::string_view line_, section_;
  std::vector<GromacsMoleculeType> types_;
  std::vector<GromacsMoleculeEntry> entries_;
  std::vector<Residue> residues_;  // of the last type
  std::size_t names_ = 0;          // of its atoms
  std::array<Vec3<double>, 3> box_nm_;
  std::size_t box_lines_ = 0;
  Coordinates coordinates_;
};

}  // namespace

Structure read_tpr_dump(std::string_view text, const std::string& path) {
  return DumpReader(text, path).read();
}

bool is_tpr(std::string_view head) {
  constexpr std::size_t version_at = 8;  // behind the length of the text, twice
  return head.substr(0, 3) == std::string_view("\0\0\0", 3) &&
         head.substr(std::min(version_at, head.size())).starts_with("VERSION ");
}

}  // namespace ionwell
