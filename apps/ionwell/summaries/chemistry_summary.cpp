#include "ionwell/summaries/chemistry_summary.hpp"

#include <utility>

#include "chemistry/chemistry_lines.hpp"
#include "chemistry/pdb_records.hpp"
#include "core/text/count_text.hpp"
#include "input/entry_charges.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"

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

void print_entry(std::ostream& out, const Structure& entry, const EntryRecords& records,
                 const InputOptions& options) {
  std::string label = "chemistry";
  if (const std::string chains = chain_summary(perceive(entry.atoms, records)); !chains.empty())
    print_row(out, std::exchange(label, std::string()), chains);
  print_lines(out, label, chemistry_rows(entry, records, entry_options(entry.atoms, options)));
}

}  // namespace

void print_chemistry(std::ostream& out, const std::string& path, const InputOptions& options) {
  InputFile file(path);
  const auto format = format_of_file(file);
  if (format == FileFormat::pdb) {
    const PdbFile read = read_pdb(std::move(file));
    print_entry(out, read.structure, pdb_entry_records(read.header_records), options);
  } else if (format == FileFormat::mmcif) {
    print_entry(out, read_mmcif(std::move(file)), {}, options);
  }
}

void print_decisions(std::ostream& out, std::span<const ChemistryRow> rows) {
  print_lines(out, "chemistry", rows);
}

}  // namespace ionwell
