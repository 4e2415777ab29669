#include "ionwell/ion_arguments.hpp"

#include "cli/options.hpp"
#include "files/output_file.hpp"
#include "ionwell/commands.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/run.hpp"
#include "output/chemistry_report.hpp"

namespace ionwell {
namespace {

/// The report is written although the ions are not: it tells what was placed and why no more. Says so, for
/// the end of a message.
std::string report_too_few(const std::string& reason, const std::optional<std::string>& report,
                           std::span<const ChemistryRow> chemistry, Result& result, const Stages& stages) {
  if (!report) return "; nothing was written";
  result.run.warnings.push_back(reason);
  update_costs(result, stages);
  try {
    write_file(*report, with_chemistry(json_report(result), chemistry));
  } catch (const Error& error) {
    return std::string("; nothing was written, not even the report: ") + error.what();
  }
  return "; nothing was written but the report, " + *report;
}

}  // namespace

ExclusionOptions exclusion_of(const IonArguments& arguments) {
  const ExclusionOptions usual;
  return {arguments.ion_solute_A.value_or(usual.ion_solute_A), arguments.ion_ion_A.value_or(usual.ion_ion_A)};
}

void add_ion_options(OptionGroup& group, IonArguments& arguments) {
  group.add(
      "ion", arguments.ions, "NAME:COUNT[:CHARGE]",
      "ions to place, in this order when repeated; COUNT is a number or 'neutralize', CHARGE is for names "
      "that are not known");
  const ExclusionOptions usual;
  group.add("ion-solute", arguments.ion_solute_A, "A", "ions stay farther than this from solute atoms",
            Default{default_text(usual.ion_solute_A)});
  group.add("ion-ion", arguments.ion_ion_A, "A", "no ion is nearer than this to another",
            Default{default_text(usual.ion_ion_A)});
  group.add("max-energy", arguments.max_energy_kT, "KT",
            "stop before an ion of a higher energy, for example 0");
  group.add_flag("allow-fewer", arguments.allow_fewer,
                 "write the ions placed even when not all found room (the exit code is still 3)");
}

bool placed_too_few(const IonArguments& arguments, const std::optional<std::string>& report,
                    std::span<const ChemistryRow> chemistry, const std::string& reason, Result& result,
                    Stages& stages) {
  if (std::ssize(result.placement.ions) >= result.placement.requested) return false;
  if (!arguments.allow_fewer || result.placement.ions.empty())
    fail<TooFewPlaced>(reason, report_too_few(reason, report, chemistry, result, stages),
                       result.placement.ions.empty() ? "" : " (--allow-fewer writes the ions that did)");
  warn(result.run, stages.observer(), {reason});
  return true;
}

}  // namespace ionwell
