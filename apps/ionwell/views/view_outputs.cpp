// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/views/view_outputs.hpp"

#include <filesystem>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "output/structure_file.hpp"
#include "output/views/html_report.hpp"
#include "solvation/simulation_cell.hpp"
#include "structures/writers/pdb_writer.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {
namespace {

std::string lower_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return ending;
}

bool viewers_open(const std::string& structure) {
  const std::string ending = lower_ending(structure);
  return ending == ".pdb" || ending == ".cif" || ending == ".mmcif";
}

/// ions.pdb with another ending.
std::string beside(const std::string& output, const std::string& ending) {
  return std::filesystem::path(output).replace_extension(ending).string();
}

std::string solute_path(const SystemOutput& output) {
  return beside(output.path, ".solute.pdb");
}

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// Whether the input is a file of positions that a viewer opens, under names that it knows.
bool input_can_be_shown(const ViewedRun& viewed) {
  return viewed.input.files.size() == 1 && viewers_open(viewed.input.files.front()) &&
         viewed.options.assembly.empty();
}

}  // namespace

void add_html_option(OptionGroup& group, ViewArguments& views) {
  group.add(
      "html", views.html, "FILE",
      "write a page for a web browser with a 3-D view, tables and charts; one file that needs no network");
}

void add_view_options(OptionGroup& group, ViewArguments& views) {
  add_html_option(group, views);
  group.add_choice<std::optional<ViewProgram>>(
      "view", views.program,
      {{"vmd", ViewProgram::vmd}, {"pymol", ViewProgram::pymol}, {"chimerax", ViewProgram::chimerax}},
      "write a script next to -o that shows the structure, the ions by energy, and the map if one is saved, "
      "in this program");
}

void validate(const ViewArguments& views, const SystemOutput& output, const std::optional<std::string>& map) {
  if (!views.program) return;
  const std::string program = to_string(*views.program);
  if (output.engine)
    fail<UsageError>("--view writes a script for a single file, and --for writes a folder; leave --view out",
                     *output.engine == Engine::vmd ? ": the folder has view.tcl" : ", or --for");
  if (is_standard_output(output.path) || !viewers_open(output.path))
    fail<UsageError>("--view ", program, " shows the ions of a .pdb or .cif file, but -o is ", output.path,
                     "; use one of these formats");
  const std::string ending = map ? lower_ending(*map) : ".dx";
  if (ending != ".dx" && ending != ".ccp4" && ending != ".mrc" && ending != ".cube")
    fail<UsageError>("--view ", program, " shows .dx, .ccp4, .mrc or .cube maps, but the map is ", *map,
                     "; use one of these formats");
}

void check_view_of_map(const ViewArguments& views, const SystemOutput& output,
                       const std::optional<std::string>& map, const Structure& structure) {
  if (!views.program || !map || !output.with_solute) return;
  if (system_warnings(written_cell(structure), output.path).empty()) return;
  fail<UsageError>("--view ", to_string(*views.program), " would show ", output.path, " and ", *map,
                   " in different orientations: the atoms are rotated together with the cell of ",
                   structure.path,
                   ", but the map is not; leave out --with-solute, so that nothing is rotated, or --view");
}

std::vector<RequestedOutput> requested_views(const ViewArguments& views, const SystemOutput& output) {
  std::vector<RequestedOutput> outputs = {{"--html", views.html}};
  if (!views.program || output.engine || is_standard_output(output.path)) return outputs;
  outputs.push_back({"--view", beside(output.path, script_ending(*views.program))});
  if (!output.with_solute) outputs.push_back({"--view", solute_path(output)});
  return outputs;
}

std::vector<std::string> add_viewer_script(const ViewArguments& views, const ViewedRun& viewed,
                                           const Result& result, OutputFiles& files) {
  if (!views.program) return {};
  const SystemOutput& output = viewed.output;
  std::vector<std::string> added = {beside(output.path, script_ending(*views.program))};
  ViewedFiles shown{.solute = {},
                    .ions = absolute(output.path),
                    .map = {},
                    .energies_kT = {},
                    .level_kT_e = surface_level_kT_e(result.placement)};
  if (viewed.map) shown.map = absolute(*viewed.map);
  if (result.box) {
    shown.first_ion = result.box->ions_before;
  } else if (output.with_solute) {
    shown.first_ion = result.structure.atoms.size();
  } else if (input_can_be_shown(viewed)) {
    shown.solute = absolute(viewed.input.files.front());
  } else {
    added.push_back(solute_path(output));
    shown.solute = absolute(added.back());
    files.add(added.back())
        .write(pdb_text({.solute = result.structure.atoms, .names = solute_names(viewed.input)}));
  }
  for (const std::size_t n : viewed.hydrated.ions)
    shown.energies_kT.push_back(result.placement.ions[n].energy_kT);
  files.add(added.front()).write(viewer_script(*views.program, shown));
  return added;
}

CoarseMap prepare_page(const ViewArguments& views, const Job& job, Stages& stages, const Backends& backends) {
  if (!views.html) return {};
  return stages.run("picture", [&](const Progress&) { return coarse_map(job, backends); });
}

void add_page(const ViewArguments& views, const Result& result, const CoarseMap& map,
              std::span<const ChemistryRow> chemistry, OutputFiles& files) {
  if (views.html) files.add(*views.html).write(html_report(result, map, chemistry));
}

}  // namespace ionwell
