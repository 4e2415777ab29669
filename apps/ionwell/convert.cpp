#include <iostream>

#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/map_summary.hpp"
#include "ionwell/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "maps/map_file.hpp"
#include "run/job.hpp"
#include "run/stages.hpp"

namespace ionwell {
namespace {

struct ConvertArguments {
  std::string input, output;
  std::optional<MapUnit> unit, to_unit;
  std::optional<double> temperature_K;
  int threads = 0;
  bool quiet = false;
};

bool parse(const std::vector<std::string>& words, ConvertArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "convert",
       .synopsis = "MAP MAP",
       .about = "Writes a map in another format, which the name of the second file tells; the first one's\n"
                "format is told by its bytes. Geometry and provenance stay, and the values to the digits\n"
                "that the format has. - as the second name is OpenDX on standard output.",
       .examples = "  ionwell convert pot.dx pot.mrc\n"
                   "      an APBS map for ChimeraX or PyMOL; pot.ccp4 is for Coot\n"
                   "  ionwell convert pot-PE0.dxbin pot.h5 --to-unit mV\n"
                   "      in mV, and packed\n"});
  line.add_file("MAP to read", arguments.input);
  line.add_file("MAP to write", arguments.output);
  OptionGroup& unit = line.group("Unit");
  add_map_unit_option(unit, arguments.unit, "unit of the first map, where it does not say");
  add_unit_choice(unit, "to-unit", arguments.to_unit, "unit to write");
  unit.add(
      "temperature", arguments.temperature_K, "K",
      "temperature of the kT, where the map does not say (default " + default_text(room_temperature_K) + ")");
  OptionGroup& run = line.group("Computing");
  run.add("threads", arguments.threads, "N", "threads to compute with, 0 for all of them");
  run.add_flag("quiet", arguments.quiet, "print warnings and errors only");
  return line.parse(words, out);
}

/// The temperature that the user names, for a map in kT/e that does not say its own, or is to be in kT/e.
void state_temperature(Map& map, double kelvin, std::optional<MapUnit> to_unit) {
  if (map.temperature_K && *map.temperature_K != kelvin)
    fail<UsageError>(map.path, ": says that its temperature is ", *map.temperature_K,
                     " K, but --temperature is ", kelvin,
                     " K; leave --temperature out, or correct the file's first lines");
  if (map.unit != MapUnit::kT_e && to_unit != MapUnit::kT_e)
    fail<UsageError>("--temperature is for maps in kT/e, and neither ", map.path,
                     " nor what is to be written is; "
                     "leave it out");
  map.temperature_K = kelvin;
}

}  // namespace

int convert_command(const std::vector<std::string>& words, std::ostream& out) {
  ConvertArguments arguments;
  if (!parse(words, arguments, out)) return done;
  check_map_name(arguments.output);
  arguments.threads = usable_threads(arguments.threads);
  if (arguments.temperature_K) {
    check_temperature(*arguments.temperature_K);
    print_warnings(std::cerr, temperature_warnings(*arguments.temperature_K));
  }
  const std::vector<RequestedOutput> outputs = {{"the second MAP", arguments.output}};
  check_outputs({arguments.input}, outputs);
  std::ostream& summary = summary_stream(outputs, out);
  Stages stages(terminal_observer(progress_style(arguments.quiet)));
  Map map = stages.run("read", [&](const Progress&) { return read_map(arguments.input, arguments.threads); });
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
  if (const auto warning = placement_warning(arguments.output, map.lattice))
    print_warnings(std::cerr, {*warning});
  if (!arguments.quiet) print_files(summary, {arguments.output});
  return done;
}

}  // namespace ionwell
