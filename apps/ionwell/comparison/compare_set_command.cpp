#include "ionwell/comparison/compare_set_command.hpp"

#include <iostream>

#include "cli/outputs.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/set_table.hpp"
#include "ionwell/terminal_observer.hpp"
#include "jobs/compare/set_report.hpp"

namespace ionwell {
namespace {

SetOptions set_options(const CompareArguments& arguments) {
  SetOptions options;
  if (!arguments.requests.empty()) options.ions = arguments.requests;
  if (arguments.per_site) options.ions_per_site = *arguments.per_site;
  options.protocols = choose_protocols(arguments.protocols, arguments.solver.value_or(PbSolvedBy::own),
                                       ComparedWith::set, options.ions);
  options.placed_folder = arguments.placed;
  options.sites = arguments.choice;
  options.weight = arguments.weight;
  if (arguments.seed) options.bootstrap.seed = std::uint64_t(*arguments.seed);
  options.threads = usable_threads(arguments.threads.value_or(0));
  return options;
}

/// The files of the set that an output must not be.
std::vector<std::string> files_of(const SiteSet& set) {
  std::vector<std::string> files;
  files.reserve(2 * set.entries.size());
  for (const SetEntry& entry : set.entries) {
    files.push_back(entry.structure);
    files.push_back(entry.sites);
  }
  return files;
}

/// Those, and the ions of files: all that scores depend on.
std::vector<std::string> all_files_of(const SiteSet& set, const SetOptions& options) {
  std::vector<std::string> files = files_of(set);
  if (!options.placed_folder) return files;
  for (const PlacedFiles& placed : find_placed(set, *options.placed_folder))
    for (const std::string& file : placed.by_entry)
      if (!file.empty()) files.push_back(file);
  return files;
}

}  // namespace

int compare_set_command(const CompareArguments& arguments, std::ostream& out) {
  const RunArguments& run = arguments.run;
  const std::string folder = arguments.set.value_or("");
  const SetOptions options = set_options(arguments);
  const std::vector<RequestedOutput> outputs = {
      {"--report", run.report}, {"--csv", arguments.csv}, requested_checkpoint(arguments.checkpoint)};
  const SiteSet set = read_site_set(folder);
  check_outputs(files_of(set), outputs);
  std::ostream& summary = summary_stream(outputs, out);
  const auto checkpoint =
      open_checkpoint(arguments.checkpoint, "compare", {{}, {}, all_files_of(set, options)});
  if (!run.quiet) print_checkpoint(summary, checkpoint.get());
  const SetComparison comparison = run_noting(checkpoint.get(), {}, [&] {
    return compare_set(folder, options, terminal_observer(progress_style(run.quiet)), checkpoint.get());
  });
  print_warnings(std::cerr, comparison.warnings);
  OutputFiles files;
  if (run.report) files.add(*run.report).write(json_set(comparison, options));
  if (arguments.csv) files.add(*arguments.csv).write(csv_set(comparison));
  files.commit();
  if (!run.quiet) print_set(summary, comparison);
  if (comparison.problems.empty()) return done;
  summary.flush();
  for (const SetProblem& problem : comparison.problems)
    print_message(std::cerr, problem.entry + ": " + problem.what);
  fail(count_of(std::ssize(comparison.problems), "problem"), " in ", folder,
       ", told above; what could be scored was, and the rest is not in the table");
}

}  // namespace ionwell
