// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/entry_file.hpp"

#include <cstdlib>
#include <map>
#include <sstream>

#include "chemistry/force_field_files.hpp"
#include "chemistry/pdb_records.hpp"
#include "core/text/lines.hpp"

namespace ionwell::test {
namespace {

std::string_view part(std::string_view line, std::size_t first, std::size_t count) {
  return trim(columns(line, first, count));
}

int number(std::string_view line, std::size_t first, std::size_t count) {
  return std::atoi(std::string(part(line, first, count)).c_str());
}

double coordinate_A(std::string_view line, std::size_t first) {
  return std::atof(std::string(part(line, first, 8)).c_str());
}

RecordedResidue residue_id(std::string_view line, std::size_t chain, std::size_t digits) {
  const std::string_view code = part(line, digits + 4, 1);
  return {part(line, chain, 1), number(line, digits, 4), code.empty() ? ' ' : code[0]};
}

}  // namespace

EntryFile read_entry_text(const std::string& text) {
  EntryFile entry;
  std::map<std::string, char> locations;  // by residue
  std::map<int, std::uint32_t> by_serial;
  std::vector<std::string> header;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::string_view record = part(line, 0, 6);
    if (record == "ENDMDL") break;
    if (entry.atoms.empty()) header.push_back(line);
    if (record == "ATOM" || record == "HETATM") {
      const char location = line.size() > 16 ? line[16] : ' ';
      const auto known = locations.try_emplace(line.substr(17, 10), location).first;
      if (location != ' ' && known->second == ' ') known->second = location;
      if (location != ' ' && known->second != location) continue;
      Atom atom;
      atom.name = part(line, 12, 4);
      atom.residue = part(line, 17, 4);
      const RecordedResidue id = residue_id(line, 21, 22);
      atom.chain = id.chain;
      atom.residue_number = id.number;
      atom.insertion_code = id.insertion_code;
      atom.position_A = {coordinate_A(line, 30), coordinate_A(line, 38), coordinate_A(line, 46)};
      atom.element = part(line, 76, 2);
      by_serial[number(line, 6, 5)] = std::uint32_t(entry.atoms.size());
      entry.atoms.push_back(atom);
    } else if (record == "TER" && !entry.atoms.empty()) {
      entry.atoms.back().ends_chain = true;
    } else if (record == "CONECT") {
      const auto from = by_serial.find(number(line, 6, 5));
      for (std::size_t at = 11; at < 31; at += 5)
        if (const auto to = by_serial.find(number(line, at, 5));
            from != by_serial.end() && to != by_serial.end())
          entry.records.connected_atoms.emplace_back(from->second, to->second);
    }
  }
  const auto connected = std::move(entry.records.connected_atoms);
  entry.records = pdb_entry_records(header);
  entry.records.connected_atoms = connected;
  return entry;
}

EntryFile read_entry_file(const std::string& path) {
  return read_entry_text(text_of_file(path));
}

}  // namespace ionwell::test
