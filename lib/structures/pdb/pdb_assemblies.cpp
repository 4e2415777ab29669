// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/pdb/pqr_record.hpp"

namespace ionwell {
namespace {

constexpr std::string_view prefix = "REMARK 350";

/// "A, B,C" as three names.
void append_names(std::vector<std::string>& names, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(", \t"), list.size());
    if (end > 0) names.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

/// REMARK 350 line by line: BIOMOLECULE begins an assembly, APPLY a part of it, and BIOMT1 to BIOMT3 are the
/// rows of an operator.
class RemarkReader {
 public:
  explicit RemarkReader(const std::string& path) : path_(path) {}

  void read(std::string_view line, std::int64_t number) {
    line = trim(line.substr(prefix.size()));
    const std::size_t colon = line.find(':');
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = colon == line.npos ? std::string_view{} : trim(line.substr(colon + 1));
    if (key == "BIOMOLECULE") {
      assemblies_.push_back({.name = std::string(value), .parts = {}});
    } else if (assemblies_.empty()) {
      return;
    } else if (key.starts_with("APPLY THE FOLLOWING TO CHAINS")) {
      assemblies_.back().parts.emplace_back();
      append_names(assemblies_.back().parts.back().chains, value);
    } else if (key == "AND CHAINS" && !assemblies_.back().parts.empty()) {
      append_names(assemblies_.back().parts.back().chains, value);
    } else if (line.starts_with("BIOMT")) {
      read_row(line, path_ + ':' + std::to_string(number));
    }
  }

  std::vector<Assembly> assemblies() { return std::move(assemblies_); }

 private:
  void read_row(std::string_view line, const std::string& where) {
    const std::string_view record = take_token(line), name = take_token(line);
    double numbers[4] = {};
    for (double& number : numbers) {
      const std::string_view token = take_token(line);
      const auto value = parse_number(token);
      if (!value) fail(where, ": ", quote(token), " is not a number; ", record, " of REMARK 350 has four");
      number = *value;
    }
    const std::size_t row = record.size() == 6 ? std::size_t(record[5] - '1') : 3;
    if (row > 2 || row != rows_ || (row > 0 && name != operator_.name) || assemblies_.back().parts.empty())
      fail(where, ": ", record, ' ', name,
           " is out of place; REMARK 350 has BIOMT1, BIOMT2 and BIOMT3 of each operator after the chains "
           "that it moves");
    if (row == 0) operator_ = {.name = std::string(name)};
    operator_.rotation[row] = {numbers[0], numbers[1], numbers[2]};
    (row == 0 ? operator_.shift_A.x : row == 1 ? operator_.shift_A.y : operator_.shift_A.z) = numbers[3];
    rows_ = (row + 1) % 3;
    if (rows_ != 0) return;
    check_operator(operator_, where);
    assemblies_.back().parts.back().operators.push_back(operator_);
  }

  const std::string& path_;
  std::vector<Assembly> assemblies_;
  AssemblyOperator operator_;
  std::size_t rows_ = 0;  // of the present operator that were read
};

}  // namespace

std::vector<Assembly> pdb_assemblies(std::string_view text, const std::string& path) {
  RemarkReader remarks(path);
  LineScanner lines(text);
  for (std::string_view line; lines.next(line) && !is_atom_record(line);)
    if (line.starts_with(prefix)) remarks.read(line, lines.number());
  return remarks.assemblies();
}

}  // namespace ionwell
