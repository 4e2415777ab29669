// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/engine_ligand.hpp"

#include <algorithm>
#include <charconv>

#include "core/chemistry/elements.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

constexpr std::string_view library_head = "!!index";

std::string_view unquoted(std::string_view word) {
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
  return word;
}

/// Of a file's name, whatever its case; the file may be gzipped.
bool has_ending(std::string_view path, std::string_view ending) {
  const std::string lower = lower_case(path);
  std::string_view name = lower;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(ending);
}

/// The tables of each unit that are asked for: atoms and connectivity.
class LibraryReader {
 public:
  LibraryReader(std::string_view text, const std::string& path) : lines_(text), path_(path) {}

  LeapLibrary read() {
    for (std::string_view line; lines_.next(line);) {
      if (line.starts_with("!entry."))
        begin(line.substr(std::string_view("!entry.").size()));
      else if (table_ == Table::atoms)
        add_atom(line);
      else if (table_ == Table::bonds)
        add_bond(line);
    }
    if (library_.atoms.empty()) fail(path_, ": is a LEaP library without atoms; give one of a residue");
    return std::move(library_);
  }

 private:
  enum class Table { other, atoms, bonds };

  /// "LIG.unit.atoms table  str name  str type ..."
  void begin(std::string_view head) {
    const std::string_view name = take_token(head);
    const std::size_t dot = name.find(".unit.");
    const std::string_view table = dot == name.npos ? std::string_view() : name.substr(dot + 6);
    table_ = table == "atoms" ? Table::atoms : table == "connectivity" ? Table::bonds : Table::other;
    if (table_ != Table::atoms) return;
    unit_ = std::string(name.substr(0, dot));
    first_ = library_.atoms.size();
    ++units_;
  }

  template <typename Number>
  Number number(std::string_view& line, const char* what) {
    const std::string_view token = take_token(line);
    const std::optional<double> value = parse_number(token);
    if (!value) fail(path_, ':', lines_.number(), ": ", quote(token), " is no ", what);
    return Number(*value);
  }

  /// Name, type, type index, residue, flags, number, element, charge.
  void add_atom(std::string_view line) {
    Atom atom;
    atom.name = unquoted(take_token(line));
    for (int skipped = 0; skipped < 5; ++skipped) take_token(line);
    const int element = number<int>(line, "atomic number");
    atom.charge_e = number<double>(line, "charge");
    if (element > 0) atom.element = element_of_number(element);
    atom.residue = std::string_view(unit_);
    atom.residue_number = units_;
    library_.atoms.push_back(atom);
  }

  void add_bond(std::string_view line) {
    const auto atom = [&] {
      const int n = number<int>(line, "number of an atom");
      const std::size_t count = library_.atoms.size() - first_;
      if (n < 1 || std::size_t(n) > count)
        fail(path_, ':', lines_.number(), ": a bond of atom ", n, ", and ", unit_, " has ", count);
      return std::uint32_t(first_) + std::uint32_t(n) - 1;
    };
    const std::uint32_t first = atom(), second = atom();
    library_.bonds.push_back({first, second});
  }

  LineScanner lines_;
  const std::string& path_;
  LeapLibrary library_;
  Table table_ = Table::other;
  std::string unit_;
  int units_ = 0;
  std::size_t first_ = 0;
};

}  // namespace

std::optional<LigandKind> leap_kind(std::string_view path, std::string_view head) {
  if (head.starts_with(library_head)) return LigandKind::leap_library;
  if (has_ending(path, ".frcmod")) return LigandKind::leap_parameters;
  return std::nullopt;
}

std::optional<LigandKind> charmm_kind(std::string_view path) {
  if (has_ending(path, ".rtf") || has_ending(path, ".str")) return LigandKind::charmm_topology;
  if (has_ending(path, ".prm")) return LigandKind::charmm_parameters;
  return std::nullopt;
}

std::optional<LigandKind> openmm_kind(std::string_view path) {
  return has_ending(path, ".xml") ? std::optional(LigandKind::openmm_force_field) : std::nullopt;
}

std::optional<LigandKind> gromacs_kind(std::string_view path) {
  return has_ending(path, ".itp") ? std::optional(LigandKind::gromacs_topology) : std::nullopt;
}

bool has_only_gromacs_parameters(std::string_view text) {
  bool has_directive = false;
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = trim(line);
    if (rest.starts_with("#include")) return false;
    if (!rest.starts_with('[')) continue;
    rest.remove_prefix(1);
    has_directive = true;
    if (take_token(rest).starts_with("moleculetype")) return false;
  }
  return has_directive;
}

LigandsOf reader_of(LigandKind kind) {
  switch (kind) {
    case LigandKind::charmm_topology:
    case LigandKind::charmm_parameters:
      return LigandsOf::charmm;
    case LigandKind::openmm_force_field:
      return LigandsOf::openmm;
    case LigandKind::gromacs_topology:
      return LigandsOf::gromacs;
    case LigandKind::mol2:
    case LigandKind::leap_library:
    case LigandKind::leap_parameters:
      break;
  }
  return LigandsOf::leap;
}

std::vector<EngineLigand> ligands_of(const std::vector<EngineLigand>& ligands, LigandsOf engine) {
  std::vector<EngineLigand> own;
  for (const EngineLigand& ligand : ligands)
    if (reader_of(ligand.kind) == engine) own.push_back(ligand);
  return own;
}

bool has_residue(const std::vector<EngineLigand>& ligands, std::string_view residue) {
  return std::any_of(ligands.begin(), ligands.end(), [residue](const EngineLigand& ligand) {
    return std::find(ligand.residues.begin(), ligand.residues.end(), residue) != ligand.residues.end();
  });
}

LeapLibrary read_leap_library(std::string_view text, const std::string& path) {
  return LibraryReader(text, path).read();
}

}  // namespace ionwell
