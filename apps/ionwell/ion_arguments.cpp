// SPDX-License-Identifier: BSD-3-Clause
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
  group.add("ion", arguments.ions, "NAME:COUNT[:CHARGE]",
            "ions to place, in this order if repeated. COUNT is a number or 'neutralize'. CHARGE is needed "
            "only for names that ionwell does not know",
            Default{"none"});
  const ExclusionOptions usual;
  group.add("ion-solute", arguments.ion_solute_A, "A", "distance that ions keep from solute atoms",
            Default{default_text(usual.ion_solute_A)});
  group.add("ion-ion", arguments.ion_ion_A, "A", "smallest distance between two ions",
            Default{default_text(usual.ion_ion_A)});
  group.add("max-energy", arguments.max_energy_kT, "KT",
            "stop when the next ion would have a higher energy than this, for example 0");
  group.add_flag("allow-fewer", arguments.allow_fewer,
                 "write the placed ions even if there was no room for all (the exit code is still 3)");
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
