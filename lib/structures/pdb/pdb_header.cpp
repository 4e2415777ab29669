// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/pdb_header.hpp"

#include <algorithm>
#include <array>

#include "core/text/lines.hpp"
#include "structures/pdb/pqr_record.hpp"

namespace ionwell {
namespace {

bool is_kept(std::string_view record) {
  constexpr std::array<std::string_view, 30> kept = {
      "HEADER", "OBSLTE", "TITLE",  "SPLIT", "CAVEAT", "COMPND", "SOURCE", "KEYWDS", "EXPDTA", "MDLTYP",
      "AUTHOR", "REVDAT", "SPRSDE", "JRNL",  "REMARK", "DBREF",  "SEQADV", "SEQRES", "MODRES", "HET",
      "HETNAM", "HETSYN", "FORMUL", "HELIX", "SHEET",  "SSBOND", "LINK",   "CISPEP", "SITE",   "CRYST"};
  while (!record.empty() && is_digit(record.back())) record.remove_suffix(1);
  return record == "ORIGX" || record == "SCALE" || record == "MTRIX" ||
         std::find(kept.begin(), kept.end(), record) != kept.end();
}

}  // namespace

bool is_pdb_header_record(std::string_view line) {
  constexpr std::size_t record_width = 6;
  return is_kept(trim(columns(line, 0, record_width)));
}

std::vector<std::string> pdb_header_records(std::string_view text) {
  std::vector<std::string> records;
  LineScanner lines(text);
  for (std::string_view line; lines.next(line) && !is_atom_record(line);)
    if (is_pdb_header_record(line)) records.emplace_back(line);
  return records;
}

std::vector<std::string> records_without_places(const std::vector<std::string>& records) {
  constexpr std::array<std::string_view, 8> of_places = {"CRYST1", "ORIGX",      "SCALE",      "MTRIX",
                                                         "EXPDTA", "REMARK 290", "REMARK 300", "REMARK 350"};
  std::vector<std::string> kept;
  for (const std::string& record : records)
    if (std::none_of(of_places.begin(), of_places.end(),
                     [&](std::string_view beginning) { return record.starts_with(beginning); }))
      kept.push_back(record);
  return kept;
}

}  // namespace ionwell
