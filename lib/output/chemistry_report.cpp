#include "output/chemistry_report.hpp"

#include <nlohmann/json.hpp>

#include "compute/json_parts.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {

std::string with_chemistry(const std::string& report, std::span<const ChemistryRow> rows) {
  if (rows.empty()) return report;
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(report);
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const ChemistryRow& row : rows)
    table.push_back({{"residue", row.residue},
                     {"what", row.what},
                     {"why", row.why},
                     {"otherwise", row.otherwise.empty() ? nlohmann::ordered_json()
                                                         : nlohmann::ordered_json(row.otherwise)}});
  json["chemistry"] = std::move(table);
  return report_text(json);
}

void check_folder_chemistry(Engine engine, std::span<const ChemistryRow> rows) {
  if (engine != Engine::gromacs && engine != Engine::openmm) return;
  constexpr std::size_t most = 5;
  std::string text;
  std::size_t count = 0;
  for (const ChemistryRow& row : rows) {
    if (!row.hinders_folders) continue;
    if (count < most) text += (count == 0 ? "" : ", ") + row.residue + " (" + row.what + ')';
    ++count;
  }
  if (count == 0) return;
  if (count > most) text += " and " + grouped(std::int64_t(count - most)) + " more";
  fail("--for: a folder for an engine cannot have the chemistry of ", text,
       " yet; write a file of atoms by -o FILE, or make a topology with the engine's own tools and give it "
       "with its "
       "coordinates");
}

}  // namespace ionwell
