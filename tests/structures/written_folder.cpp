// SPDX-License-Identifier: BSD-3-Clause
#include "structures/written_folder.hpp"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

namespace ionwell::test {
namespace {

constexpr double longest_bond_A = 2.2, longest_to_hydrogen_A = 1.3, longest_to_sulfur_A = 1.42,
                 shortest_bond_A = 0.7;
constexpr std::size_t leap_columns = 3,
                      psfgen_columns = 4;  // of a residue's name; a chain's letter is in the fourth

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string trimmed(const std::string& text) {
  const auto words = words_of(text);
  return words.empty() ? std::string() : words[0];
}

bool is_hydrogen(const std::string& name) {
  const std::size_t at = name.find_first_not_of("0123456789");
  return at != name.npos && (name[at] == 'H' || name[at] == 'h');
}

/// Adds the residues of a PDB file, whose names have so many columns; those behind each TER are another
/// piece.
void add_residues(const std::string& file, const std::string& text, std::size_t columns,
                  WrittenFolder& folder) {
  std::istringstream in(text);
  std::string key;
  std::size_t piece = folder.residues.empty() ? 0 : folder.residues.back().piece + 1;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("TER")) {
      piece += columns == leap_columns ? 1 : 0;
      key.clear();
    }
    if (!line.starts_with("ATOM") && !line.starts_with("HETATM")) continue;
    if (line.substr(17, 10) != key) {
      key = line.substr(17, 10);
      const std::string number = trimmed(line.substr(22, 5));
      folder.residues.push_back({.unit = trimmed(line.substr(17, columns)),
                                 .patches = {},
                                 .place = file + ' ' + number,
                                 .piece = piece,
                                 .atoms = {}});
    }
    WrittenResidue& residue = folder.residues.back();
    const WrittenAtom atom{std::stod(line.substr(30, 8)), std::stod(line.substr(38, 8)),
                           std::stod(line.substr(46, 8))};
    if (!residue.atoms.emplace(trimmed(line.substr(12, 4)), atom).second)
      folder.faults.push_back(residue.place + ' ' + residue.unit + " has two atoms " + line.substr(12, 4));
  }
}

std::string file_of(const FolderFiles& files, const std::string& name) {
  const auto found = files.find(name);
  return found == files.end() ? std::string() : found->second;
}

double distance_A(const WrittenAtom& a, const WrittenAtom& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

class Checker {
 public:
  Checker(const WrittenFolder& folder, const UnitOf& unit_of) : folder_(folder), unit_of_(unit_of) {
    result_.faults = folder.faults;
  }

  FolderCheck checked() {
    for (std::size_t n = 0; n < folder_.residues.size(); ++n) {
      check_residue(folder_.residues[n]);
      if (n > 0 && folder_.residues[n].piece == folder_.residues[n - 1].piece)
        check_link(folder_.residues[n - 1], folder_.residues[n]);
    }
    for (const WrittenBond& bond : folder_.bonds)
      check_bond(folder_.residues[bond.first], bond.first_atom, folder_.residues[bond.second],
                 bond.second_atom);
    return std::move(result_);
  }

 private:
  void fault(const WrittenResidue& residue, const std::string& what) {
    std::string name = residue.unit;
    for (const auto& patch : residue.patches) name += '+' + patch.first;
    result_.faults.push_back(residue.place + ' ' + name + ' ' + what);
  }

  void check_residue(const WrittenResidue& residue) {
    const LibraryResidue unit = unit_of_(residue);
    ++result_.residues;
    if (unit.charges_e.empty()) return fault(residue, "is not in the library");
    for (const auto& [name, atom] : residue.atoms)
      if (!unit.charges_e.contains(name)) fault(residue, "has no " + name);
    for (const auto& [name, charge_e] : unit.charges_e)
      if (!is_hydrogen(name) && !residue.atoms.contains(name)) fault(residue, "lacks " + name);
    result_.charge_e += unit.charge_e();
    result_.piece_charges_e[residue.piece] += unit.charge_e();
    for (const auto& [first, second] : unit.bonds)
      if (residue.atoms.contains(first) && residue.atoms.contains(second) &&
          !(is_hydrogen(first) && is_hydrogen(second)))
        check_bond(residue, first, residue, second);
  }

  void check_bond(const WrittenResidue& first, const std::string& first_atom, const WrittenResidue& second,
                  const std::string& second_atom) {
    const auto a = first.atoms.find(first_atom), b = second.atoms.find(second_atom);
    if (a == first.atoms.end()) return fault(first, "has no " + first_atom + " for a bond");
    if (b == second.atoms.end()) return fault(second, "has no " + second_atom + " for a bond");
    ++result_.bonds;
    const bool has_hydrogen = is_hydrogen(first_atom) || is_hydrogen(second_atom);
    const bool has_sulfur = first_atom[0] == 'S' || second_atom[0] == 'S';
    const double longest_A = !has_hydrogen ? longest_bond_A
                             : has_sulfur  ? longest_to_sulfur_A
                                           : longest_to_hydrogen_A;
    const double length_A = distance_A(a->second, b->second);
    if (length_A > longest_A || length_A < shortest_bond_A) {
      char text[32];
      std::snprintf(text, sizeof text, " of %.2f A", length_A);
      fault(first, "has a bond " + first_atom + " to " + second_atom + " of " + second.place + text);
    }
  }

  /// A chain goes on from C to N, or from O3' to P.
  void check_link(const WrittenResidue& before, const WrittenResidue& behind) {
    if (before.atoms.contains("O3'") && behind.atoms.contains("P"))
      return check_bond(before, "O3'", behind, "P");
    const bool is_cap = before.unit == "ACE" || behind.unit == "NME";
    if (before.atoms.contains("C") && behind.atoms.contains("N") && (is_cap || before.atoms.contains("CA")))
      return check_bond(before, "C", behind, "N");
    if (before.atoms.size() > 4 && behind.atoms.size() > 4) fault(before, "is not bound to " + behind.place);
  }

  const WrittenFolder& folder_;
  const UnitOf& unit_of_;
  FolderCheck result_;
};

}  // namespace

WrittenFolder read_leap_folder(const FolderFiles& files) {
  WrittenFolder folder;
  add_residues("solute.pdb", file_of(files, "solute.pdb"), leap_columns, folder);
  const std::size_t of_solute = folder.residues.size();
  std::map<std::string, std::string> copies, ends;  // ends: "0ALA", "1ALA"
  std::istringstream in(file_of(files, "leap.in"));
  for (std::string line; std::getline(in, line);) {
    const auto words = words_of(line.substr(0, line.find('#')));
    if (words.size() == 4 && words[1] == "=" && words[2] == "copy") copies[words[0]] = words[3];
    if (words.size() == 5 && words[0] == "{" && words[4] == "}")
      ends[words[1] + words[2].substr(1, words[2].size() - 2)] = words[3].substr(1, words[3].size() - 2);
    if (words.size() == 3 && words[0] == "bond") {
      WrittenBond bond;
      for (const bool is_second : {false, true}) {  // mol.5.SG
        const std::string& name = words[is_second ? 2 : 1];
        const std::size_t dot = name.find('.', 4);
        const std::size_t number = std::stoul(name.substr(4, dot - 4));
        if (number < 1 || number > of_solute) {
          folder.faults.push_back(name + " is not there");
          continue;
        }
        (is_second ? bond.second : bond.first) = number - 1;
        (is_second ? bond.second_atom : bond.first_atom) = name.substr(dot + 1);
      }
      folder.bonds.push_back(bond);
    }
  }
  for (std::size_t n = 0; n < of_solute; ++n) {
    WrittenResidue& residue = folder.residues[n];
    const bool is_first = n == 0 || folder.residues[n - 1].piece != residue.piece;
    const bool is_last = n + 1 == of_solute || folder.residues[n + 1].piece != residue.piece;
    const auto end = ends.find((is_last ? '1' : is_first ? '0' : '-') + residue.unit);  // alone: a last one
    if (end != ends.end()) residue.unit = end->second;
    // AP5 is a copy of a unit that another library had under the name of A5.
    if (const auto copy = copies.find(residue.unit); copy != copies.end() && residue.unit[0] == 'X')
      residue.unit = copy->second;
  }
  add_residues("ions.pdb", file_of(files, "ions.pdb"), leap_columns, folder);
  add_residues("water.pdb", file_of(files, "water.pdb"), leap_columns, folder);
  return folder;
}

WrittenFolder read_psfgen_folder(const FolderFiles& files) {
  WrittenFolder folder;
  std::map<std::string, std::size_t> numbers;  // by segment and residue, "A:5"
  std::istringstream in(file_of(files, "psfgen.tcl"));
  std::string segment;
  std::vector<std::pair<std::string, std::string>> ends;  // "first" or "last", and the patch
  for (std::string line; std::getline(in, line);) {
    const auto words = words_of(line);
    if (words.size() == 3 && words[0] == "segment" && words[2] == "{") {
      segment = words[1];
      ends.clear();
    } else if (words.size() == 2 && !segment.empty() && (words[0] == "first" || words[0] == "last")) {
      ends.emplace_back(words[0], words[1]);
    } else if (words.size() == 2 && !segment.empty() && words[0] == "pdb") {
      const std::size_t begin = folder.residues.size();
      add_residues(words[1], file_of(files, words[1]), psfgen_columns, folder);
      for (std::size_t n = begin; n < folder.residues.size(); ++n)
        numbers[segment + folder.residues[n].place.substr(words[1].size()).replace(0, 1, ":")] = n;
      for (const auto& [which, patch] : ends)
        if (patch != "none" && begin < folder.residues.size())
          (which == "first" ? folder.residues[begin] : folder.residues.back())
              .patches.emplace_back(patch, '1');
    } else if (words.size() >= 3 && words[0] == "patch") {
      std::vector<std::size_t> of;
      for (std::size_t n = 2; n < words.size(); ++n) {
        const auto found = numbers.find(words[n]);
        if (found == numbers.end()) {
          folder.faults.push_back("patch " + words[1] + " of " + words[n] + ", which is not there");
          continue;
        }
        folder.residues[found->second].patches.emplace_back(words[1], char('1' + (n - 2)));
        of.push_back(found->second);
      }
      if (words[1] == "DISU" && of.size() == 2) folder.bonds.push_back({of[0], of[1], "SG", "SG"});
    }
    if (line == "}") segment.clear();
  }
  return folder;
}

FolderCheck check_folder(const WrittenFolder& folder, const UnitOf& unit_of) {
  return Checker(folder, unit_of).checked();
}

}  // namespace ionwell::test
