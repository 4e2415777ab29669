// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/force_field_files.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

namespace ionwell::test {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream in(text_of_file(path));
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string upper(std::string word) {
  for (char& c : word) c = char(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

/// What a patch of several residues says of the first or another one: 1CB is CB of '1'. Empty for the rest of
/// them, and for neighbours (+N).
std::string of_residue(char which, const std::string& name) {
  if (name.size() < 2) return name;
  if (name[0] == '+' || name[0] == '-') return {};
  const bool is_numbered = name[0] >= '1' && name[0] <= '4';
  if (!is_numbered) return name;
  return name[0] == which ? name.substr(1) : std::string();
}

}  // namespace

std::string text_of_file(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error(path + " cannot be read");
  std::string text;
  std::array<char, 65536> piece;
  for (int got; (got = gzread(file, piece.data(), unsigned(piece.size()))) > 0;)
    text.append(piece.data(), std::size_t(got));
  gzclose(file);
  return text;
}

double LibraryResidue::charge_e() const {
  double sum_e = 0.0;
  for (const auto& [name, charge_e] : charges_e) sum_e += charge_e;
  return sum_e;
}

Library read_leap_library(const std::string& path) {
  Library library;
  std::map<std::string, std::vector<std::string>> atoms;
  std::string unit, table;
  for (const std::string& line : lines_of(path)) {
    if (line.starts_with("!entry.")) {
      const std::size_t at = line.find(".unit.");
      if (at == line.npos) continue;
      unit = line.substr(7, at - 7);
      table = words_of(line.substr(at + 6))[0];
      continue;
    }
    if (line.starts_with("!")) {
      table.clear();
      continue;
    }
    const auto words = words_of(line);
    if (table == "atoms") {
      const std::string name = words.at(0).substr(1, words[0].size() - 2);
      atoms[unit].push_back(name);
      library[unit].charges_e[name] = std::stod(words.at(7));
    } else if (table == "connectivity") {
      const auto& names = atoms[unit];
      library[unit].bond(names.at(std::stoul(words.at(0)) - 1), names.at(std::stoul(words.at(1)) - 1));
    }
  }
  return library;
}

Library read_charmm_topology(const std::string& path) {
  Library library;
  LibraryResidue* residue = nullptr;
  for (const std::string& line : lines_of(path)) {
    const auto words = words_of(line.substr(0, line.find('!')));
    if (words.empty()) continue;
    const std::string what = upper(words[0]);
    if (what == "RESI" || what == "PRES") residue = &library[words.at(1)];
    if (residue == nullptr) continue;
    if (what == "ATOM") residue->charges_e[words.at(1)] = std::stod(words.at(3));
    if (what.starts_with("DELE") && upper(words.at(1)) == "ATOM") residue->deleted.push_back(words.at(2));
    if (what == "BOND" || what.starts_with("DOUB"))
      for (std::size_t n = 1; n + 1 < words.size(); n += 2) residue->bond(words[n], words[n + 1]);
  }
  return library;
}

Library read_gromacs_residues(const std::string& path) {
  Library library;
  LibraryResidue* residue = nullptr;
  std::string table;
  for (const std::string& line : lines_of(path)) {
    const auto words = words_of(line.substr(0, line.find(';')));
    if (words.empty()) continue;
    if (words[0] == "[") {
      static const std::set<std::string> tables = {"atoms",     "bonds", "angles",      "dihedrals",
                                                   "impropers", "cmap",  "bondedtypes", "exclusions"};
      table = words.at(1);
      if (!tables.contains(table)) residue = &library[table];
    } else if (residue != nullptr && table == "atoms") {
      residue->charges_e[words.at(0)] = std::stod(words.at(2));
    } else if (residue != nullptr && table == "bonds") {
      residue->bond(words.at(0), words.at(1));
    }
  }
  return library;
}

LibraryResidue patched(LibraryResidue residue, const LibraryResidue& patch, char which) {
  for (const std::string& deleted : patch.deleted) {
    const std::string name = of_residue(which, deleted);
    residue.charges_e.erase(name);
    std::erase_if(residue.bonds, [&](const auto& bond) { return bond.first == name || bond.second == name; });
  }
  for (const auto& [atom, charge_e] : patch.charges_e)
    if (const std::string name = of_residue(which, atom); !name.empty()) residue.charges_e[name] = charge_e;
  for (const auto& [first, second] : patch.bonds)
    if (const std::string a = of_residue(which, first), b = of_residue(which, second);
        !a.empty() && !b.empty())
      residue.bond(a, b);
  return residue;
}

}  // namespace ionwell::test
