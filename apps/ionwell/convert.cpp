// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/pending_messages.hpp"
#include "compute/stages.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/map_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "maps/map_file.hpp"
#include "output/structure_file.hpp"
#include "potential/request/temperature_warnings.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {
namespace {

struct ConvertArguments {
  StructureArguments input;  // or a map
  std::string output;
  std::optional<MapUnit> unit, to_unit;
  std::optional<double> temperature_K;
  int threads = 0;
  bool quiet = false;
};

bool parse(const std::vector<std::string>& words, ConvertArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "convert",
       .synopsis = "MAP MAP | STRUCTURE [COORDINATES] FILE",
       .about =
           "Writes a map in another format, given by the ending of the last file; the format of the first "
           "file is detected from its content. The geometry and provenance stay the same, and so do the "
           "values, with the digits that the format has. - as the second name is OpenDX on standard output. "
           "A structure is written as .pqr (charges and positions exactly as read), .pdb, .cif, .gro, .crd, "
           ".rst7 or .xyz.",
       .examples = "  ionwell convert pot.dx pot.mrc\n"
                   "      an APBS map for ChimeraX or PyMOL; pot.ccp4 is for Coot\n"
                   "  ionwell convert pot-PE0.dxbin pot.h5 --to-unit mV\n"
                   "      in mV, compressed\n"
                   "  ionwell convert rna.prmtop rna.rst7 rna.pqr\n"
                   "      charges and positions of any topology, for programs that read PQR\n",
       .common = {"solute", "ignore", "charges", "map-unit", "to-unit", "temperature"}});
  line.add_files("the file to read or to write", arguments.input.files, 2, most_structure_files + 1);
  add_structure_options(line, arguments.input);
  OptionGroup& unit = line.group("Units");
  add_map_unit_option(unit, arguments.unit, "unit of the first map if the file does not state it");
  add_to_unit_option(unit, arguments.to_unit);
  unit.add("temperature", arguments.temperature_K, "K",
           "temperature, for units of kT, if the map does not state it",
           Default{default_text(room_temperature_K)});
  OptionGroup& run = line.group("Computing");
  add_threads_option(run, arguments.threads);
  run.add_flag("quiet", arguments.quiet, "print warnings and errors only");
  line.add_rules(convert_rules());
  if (!line.parse(words, out)) return false;
  arguments.output = arguments.input.files.back();
  arguments.input.files.pop_back();
  return true;
}

int convert_structure(const ConvertArguments& arguments, std::ostream& out) {
  const std::vector<RequestedOutput> outputs = {{"the last file", arguments.output}};
  check_inputs(arguments.input.files);
  check_outputs(arguments.input.files, outputs);
  StructureArguments read = arguments.input;
  read.options.may_be_uncharged = true;
  if (arguments.quiet) hide_notes();
  const Input input = read_input(read.files, read.options);
  const Structure& structure = input.system.acting();
  add_messages(structure.warnings);
  const SystemOutput output{.path = arguments.output, .engine = {}, .water_names = {}, .with_solute = true};
  add_messages(structure_file_warnings(output, structure));
  OutputFiles files;
  files.add(arguments.output).write(structure_file(output, {.input = input, .structure = structure}));
  files.commit();
  if (arguments.quiet) return done;
  std::ostream& summary = summary_stream(outputs, out);
  print_structure(summary, structure);
  print_files(summary, {arguments.output});
  return done;
}

/// The temperature that the user names, for a map in kT/e that does not say its own, or is to be in kT/e.
void state_temperature(Map& map, double kelvin, std::optional<MapUnit> to_unit) {
  if (map.temperature_K && *map.temperature_K != kelvin)
    fail<UsageError>(map.path, ": states a temperature of ", *map.temperature_K, " K, but --temperature is ",
                     kelvin, " K; leave --temperature out, or correct the file's first lines");
  if (map.unit != MapUnit::kT_e && to_unit != MapUnit::kT_e)
    fail<UsageError>("--temperature is for maps in kT/e, but neither ", map.path,
                     " nor the new map is in kT/e; leave it out");
  map.temperature_K = kelvin;
}

}  // namespace

int convert_command(const std::vector<std::string>& words, std::ostream& out, const Backends&) {
  ConvertArguments arguments;
  if (!parse(words, arguments, out)) return done;
  if (is_system_name(arguments.output)) return convert_structure(arguments, out);
  check_map_name(arguments.output);
  if (arguments.input.files.size() > 1)
    fail<UsageError>("'", arguments.output, "' is one file too many; usage: ionwell convert MAP MAP");
  arguments.threads = usable_threads(arguments.threads);
  if (arguments.temperature_K) {
    check_temperature(*arguments.temperature_K);
    add_messages(temperature_warnings(*arguments.temperature_K));
  }
  const std::vector<RequestedOutput> outputs = {{"the second MAP", arguments.output}};
  check_outputs(arguments.input.files, outputs);
  std::ostream& summary = summary_stream(outputs, out);
  Stages stages(terminal_observer(progress_style(arguments.quiet)));
  Map map = stages.run("read",
                       [&](const Progress&) { return read_map(arguments.input.path(), arguments.threads); });
  state_unit(map, arguments.unit);
  if (arguments.temperature_K) state_temperature(map, *arguments.temperature_K, arguments.to_unit);
  if (arguments.to_unit)
    convert_unit(map, *arguments.to_unit, arguments.temperature_K.value_or(room_temperature_K));
  if (!arguments.quiet) print_map(summary, map);
  OutputFiles files;
  stages.run("write", [&](const Progress& progress) {
    write_map(files.add(arguments.output), map, map.all(), arguments.threads, progress);
  });
  files.commit();
  if (const auto warning = placement_warning(arguments.output, map.lattice)) add_message(*warning);
  if (!arguments.quiet) print_files(summary, {arguments.output});
  return done;
}

}  // namespace ionwell
