#include "ionwell/summaries/chemistry_summary.hpp"

#include <utility>

#include "chemistry/chemistry_lines.hpp"
#include "chemistry/pdb_records.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"

namespace ionwell {
namespace {

void print_rows(std::ostream& out, const Chemistry& chemistry, const std::vector<Atom>& atoms) {
  constexpr std::size_t most = 10;
  std::string label = "chemistry";
  if (const std::string chains = chain_summary(chemistry); !chains.empty()) {
    print_row(out, label, chains);
    label.clear();
  }
  for (const std::string& line : chemistry_lines(chemistry, atoms, most)) {
    print_row(out, label, line);
    label.clear();
  }
}

}  // namespace

void print_chemistry(std::ostream& out, const std::string& path) {
  InputFile file(path);
  const auto format = format_of_file(file);
  if (format == FileFormat::pdb) {
    const PdbFile read = read_pdb(std::move(file));
    print_rows(out, perceive(read.structure.atoms, pdb_entry_records(read.header_records)),
               read.structure.atoms);
  } else if (format == FileFormat::mmcif) {
    const Structure read = read_mmcif(std::move(file));
    print_rows(out, perceive(read.atoms), read.atoms);
  }
}

}  // namespace ionwell
