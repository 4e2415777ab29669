#include "ionwell/summaries/chemistry_summary.hpp"

#include <utility>

#include "chemistry/chemistry_lines.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"

namespace ionwell {
namespace {

template <typename File>
PerceivedEntry perceived(File file) {
  Chemistry chemistry = perceive(file.structure.atoms, file.records);
  return {std::move(file.structure.atoms), std::move(chemistry)};
}

}  // namespace

bool is_entry(InputFile& file) {
  const auto format = format_of_file(file);
  return format == FileFormat::pdb || format == FileFormat::mmcif;
}

PerceivedEntry perceive_entry(InputFile file) {
  if (format_of_file(file) == FileFormat::mmcif) return perceived(read_mmcif_entry(std::move(file)));
  return perceived(read_pdb(std::move(file)));
}

void print_chemistry(std::ostream& out, const PerceivedEntry& entry) {
  constexpr std::size_t most = 10;
  std::string label = "chemistry";
  if (const std::string chains = chain_summary(entry.chemistry); !chains.empty()) {
    print_row(out, label, chains);
    label.clear();
  }
  for (const std::string& line : chemistry_lines(entry.chemistry, entry.atoms, most)) {
    print_row(out, label, line);
    label.clear();
  }
}

}  // namespace ionwell
