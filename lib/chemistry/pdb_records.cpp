// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/pdb_records.hpp"

#include <charconv>
#include <optional>

#include "core/text/lines.hpp"

namespace ionwell {
namespace {

std::string_view part(std::string_view line, std::size_t first, std::size_t count) {
  return trim(columns(line, first, count));
}

/// A residue's number in four columns and its insertion code behind them; nothing where there is no number.
std::optional<RecordedResidue> residue_id(std::string_view line, std::size_t chain, std::size_t digits) {
  const std::string_view text = part(line, digits, 4), code = part(line, digits + 4, 1);
  RecordedResidue id{.chain = part(line, chain, 1), .insertion_code = code.empty() ? ' ' : code[0]};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id.number);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(id)
                                                                                   : std::nullopt;
}

/// Columns 60-65 and 67-72 have the operators of symmetry of both atoms.
bool is_across_symmetry(std::string_view line) {
  return part(line, 59, 6) != part(line, 66, 6);
}

/// Of an entry of several models each lists its own.
bool is_first_model(std::string_view model) {
  return model.empty() || model == "1";
}

void add_bond(EntryRecords& records, std::string_view line) {
  const bool is_disulfide = line.starts_with("SSBOND");
  const auto first = is_disulfide ? residue_id(line, 15, 17) : residue_id(line, 21, 22);
  const auto second = is_disulfide ? residue_id(line, 29, 31) : residue_id(line, 51, 52);
  if (!first || !second) return;
  const Label a = is_disulfide ? Label("SG") : Label(part(line, 12, 4)),
              b = is_disulfide ? a : Label(part(line, 42, 4));
  records.bonds.push_back({*first, *second, a, b, is_across_symmetry(line)});
}

void add_sequence(EntryRecords& records, std::string_view line) {
  const Label chain = part(line, 11, 1);
  if (records.sequences.empty() || !(records.sequences.back().chain == chain))
    records.sequences.push_back({chain, {}});
  for (std::string_view names = columns(line, 19, 60); !trim(names).empty();)
    records.sequences.back().residues.emplace_back(take_token(names));
}

}  // namespace

EntryRecords pdb_entry_records(std::span<const std::string> lines) {
  EntryRecords records;
  for (const std::string_view line : lines) {
    const std::string_view record = part(line, 0, 6);
    if (record == "SSBOND" || record == "LINK") {
      add_bond(records, line);
    } else if (record == "MODRES") {
      if (const auto id = residue_id(line, 16, 18)) records.modifications.push_back({*id, part(line, 24, 3)});
    } else if (record == "SEQRES") {
      add_sequence(records, line);
    } else if (line.starts_with("REMARK 465") && !part(line, 15, 3).empty() &&
               is_first_model(part(line, 10, 4))) {
      if (const auto id = residue_id(line, 19, 22)) records.missing.push_back({*id, part(line, 15, 3)});
    } else if (line.starts_with("REMARK 375") && line.find("LIES ON A SPECIAL POSITION") != line.npos) {
      if (const auto id = residue_id(line, 20, 21)) records.on_axes.push_back(*id);
    }
  }
  return records;
}

}  // namespace ionwell
