// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/outputs.hpp"
#include "compute/stages.hpp"
#include "input/read_input.hpp"
#include "jobs/place/job/job.hpp"
#include "output/hydrated_atoms.hpp"
#include "output/views/coarse_map.hpp"
#include "output/views/viewer_script.hpp"

/// What a run leaves to look at: a page, and a script of a viewer.
namespace ionwell {

struct ViewArguments {
  std::optional<std::string> html;
  std::optional<ViewProgram> program;
};

/// --html.
void add_html_option(OptionGroup& group, ViewArguments& views);

/// --html and --view.
void add_view_options(OptionGroup& group, ViewArguments& views);

/// Throws UsageError for a script without files that its program can open: `map` is what a map of the
/// potential goes to.
void validate(const ViewArguments& views, const SystemOutput& output, const std::optional<std::string>& map);

/// Throws UsageError where the script would show a map beside atoms that are rotated with their cell in the
/// file of this output.
void check_view_of_map(const ViewArguments& views, const SystemOutput& output,
                       const std::optional<std::string>& map, const Structure& structure);

/// The page, the script, and the solute's own file beside the script where it may need one: for
/// check_outputs.
std::vector<RequestedOutput> requested_views(const ViewArguments& views, const SystemOutput& output);

/// A run that has been done, and where its files are.
struct ViewedRun {
  const Job& job;
  const Input& input;
  const InputOptions& options;
  const SystemOutput& output;
  const HydratedAtoms& hydrated;
  std::optional<std::string> map;
};

/// Adds script and solute to the files; gives the names of what was added.
std::vector<std::string> add_viewer_script(const ViewArguments& views, const ViewedRun& viewed,
                                           const Result& result, OutputFiles& files);

/// What the page needs besides the result, as a stage of its own: a coarse map. Nothing without --html.
CoarseMap prepare_page(const ViewArguments& views, const Job& job, Stages& stages, const Backends& backends);

/// Adds the page, once times and memory are known. Nothing without --html.
void add_page(const ViewArguments& views, const Result& result, const CoarseMap& map,
              std::span<const ChemistryRow> chemistry, OutputFiles& files);

}  // namespace ionwell
