// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/chemistry_summary.hpp"

#include <utility>

#include "chemistry/chemistry_lines.hpp"
#include "core/text/count_text.hpp"
#include "input/entry_programs.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "structures/formats/file_format.hpp"

namespace ionwell {
namespace {

/// "PTR 527 A: kept ... (modified, made from TYR; otherwise by --replace-nonstandard)".
std::string line_of(const ChemistryRow& row) {
  return row.residue + ": " + row.what + " (" + row.why +
         (row.otherwise.empty() ? "" : "; otherwise by " + row.otherwise) + ')';
}

void print_lines(std::ostream& out, std::string label, std::span<const ChemistryRow> rows) {
  constexpr std::size_t most = 10;
  for (std::size_t n = 0; n < rows.size() && n < most; ++n)
    print_row(out, std::exchange(label, std::string()), line_of(rows[n]));
  if (rows.size() > most) print_row(out, "", "and " + grouped(std::int64_t(rows.size() - most)) + " more");
}

}  // namespace

bool is_entry(InputFile& file) {
  const auto format = format_of_file(file);
  return format == FileFormat::pdb || format == FileFormat::mmcif;
}

PerceivedEntry perceive_entry(InputFile file) {
  const FileFormat format = format_of_file(file).value_or(FileFormat::pdb);
  EntryFile entry = read_entry_file(std::move(file), format);
  Chemistry chemistry = perceive(entry.structure.atoms, entry.records);
  return {std::move(entry), std::move(chemistry)};
}

std::vector<ChemistryRow> decided_rows(const PerceivedEntry& entry, const InputOptions& options) {
  EntryOptions how = entry_options(entry.structure.atoms, options);
  how.waters = options.water == InputWater::ignore ? EntryWaters::ignored : EntryWaters::depends_on_command;
  return chemistry_rows(entry.structure, entry.records, entry.chemistry, how);
}

void print_chemistry(std::ostream& out, const PerceivedEntry& entry, std::span<const ChemistryRow> rows) {
  std::string label = "chemistry";
  if (const std::string chains = chain_summary(entry.chemistry); !chains.empty())
    print_row(out, std::exchange(label, std::string()), chains);
  print_lines(out, label, rows);
}

void print_decisions(std::ostream& out, std::span<const ChemistryRow> rows) {
  print_lines(out, "chemistry", rows);
}

}  // namespace ionwell
