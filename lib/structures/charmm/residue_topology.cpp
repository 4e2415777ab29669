// SPDX-License-Identifier: BSD-3-Clause
#include "structures/charmm/residue_topology.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

/// CHARMM tells commands apart by their first four letters.
bool is_command(std::string_view word, std::string_view command) {
  return lower_case(word.substr(0, 4)) == command;
}

class ResidueReader {
 public:
  ResidueReader(std::string_view text, const std::string& path) : lines_(text), path_(path) {}

  CharmmResidues read() {
    for (std::string_view line; lines_.next(line);) {
      line = line.substr(0, line.find('!'));
      const std::string_view command = take_token(line);
      if (is_command(command, "read"))
        is_skipped_ = !is_command(take_token(line), "rtf");
      else if (!is_skipped_)
        read(command, line);
    }
    if (residues_.atoms.empty())
      fail(path_, ": has no CHARMM residue (RESI); give the topology of a ligand from CGenFF");
    return std::move(residues_);
  }

 private:
  void read(std::string_view command, std::string_view line) {
    if (is_command(command, "resi"))
      begin(take_token(line));
    else if (is_command(command, "pres") || is_command(command, "end"))
      is_in_residue_ = false;
    else if (is_in_residue_ && is_command(command, "atom"))
      add_atom(line);
    else if (is_in_residue_ &&
             (is_command(command, "bond") || is_command(command, "doub") || is_command(command, "trip")))
      add_bonds(line);
  }

  void begin(std::string_view name) {
    if (name.empty()) fail(path_, ':', lines_.number(), ": RESI has no name");
    is_in_residue_ = true;
    name_ = name;
    first_ = residues_.atoms.size();
    ++count_;
  }

  /// Name, type, charge.
  void add_atom(std::string_view line) {
    Atom atom;
    atom.name = take_token(line);
    take_token(line);
    const std::string_view token = take_token(line);
    const std::optional<double> charge_e = parse_number(token);
    if (!charge_e) fail(path_, ':', lines_.number(), ": ", quote(token), " is not a charge");
    atom.charge_e = *charge_e;
    atom.residue = name_;
    atom.residue_number = count_;
    residues_.atoms.push_back(atom);
  }

  std::optional<std::uint32_t> find(std::string_view name) const {
    for (std::size_t n = first_; n < residues_.atoms.size(); ++n)
      if (residues_.atoms[n].name == Label(name)) return std::uint32_t(n);
    return std::nullopt;
  }

  void add_bonds(std::string_view line) {
    for (;;) {
      const std::string_view first = take_token(line), second = take_token(line);
      if (second.empty()) return;
      const std::optional<std::uint32_t> a = find(first), b = find(second);
      if (a && b) residues_.bonds.push_back({*a, *b});
    }
  }

  LineScanner lines_;
  const std::string& path_;
  CharmmResidues residues_;
  Label name_;
  std::size_t first_ = 0;
  int count_ = 0;
  bool is_in_residue_ = false, is_skipped_ = false;
};

}  // namespace

CharmmResidues read_charmm_residues(std::string_view text, const std::string& path) {
  return ResidueReader(text, path).read();
}

}  // namespace ionwell
