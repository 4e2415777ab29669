#include "solvation/solvate.hpp"

#include <iomanip>
#include <iostream>
#include <sstream>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "core/available_memory.hpp"
#include "core/text/count_text.hpp"
#include "core/version.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "run/solvation_report.hpp"
#include "run/stages.hpp"
#include "solvation/written_waters.hpp"
#include "structures/pdb/pdb_header.hpp"

namespace ionwell {
namespace {

struct SolvateArguments {
  StructureArguments structure;
  std::string output;
  SolvationOptions solvation;
  std::optional<CellShape> shape;
  std::optional<double> padding_A;
  std::optional<WaterNames> names;
  PdbSerials serials = PdbSerials::wrapped;
  RunArguments run;
};

bool parse(const std::vector<std::string>& words, SolvateArguments& arguments, std::ostream& out) {
  arguments.structure.options.needs_charges = false;
  SolvationOptions& options = arguments.solvation;
  CommandLine line(
      {.name = "solvate",
       .synopsis = std::string(structure_files) + " -o FILE",
       .about =
           "Puts a structure into a periodic cell of equilibrated water. Crystal waters and ions stay; no "
           "water "
           "comes among lipid tails or into closed cavities too small for it. STRUCTURE is any file that "
           "other "
           "commands read, also .gro, .g96 or CRD alone: charges do not matter. Where it has a cell and lies "
           "across its boundary, it is made whole first.",
       .examples =
           "  ionwell solvate conf.gro --padding 12 --cell-shape dodecahedron -o solvated.gro\n"
           "      after GROMACS's pdb2gmx; the row 'topology' says what to add to topol.top\n"
           "  ionwell solvate 1ehz.pdb --water-model opc --cell-shape octahedron --orient -o wet.cif\n"
           "      turned so that the cell becomes as small as it can be\n"
           "  ionwell solvate membrane.psf membrane.pdb --cell 120,120,95 -o wet.pdb --water-names charmm\n"
           "      in a cell of known size, water above and below the lipids\n"
           "  ionwell solvate frame.gro --input-water ignore --padding 15 -o larger.gro\n"
           "      from one box of water into a larger one\n"});
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);
  OptionGroup& cell = line.group("Cell");
  cell.add(
      "padding", arguments.padding_A, "A",
      "distance from the solute to the faces of the cell, so that images are twice as far apart (default " +
          default_text(options.padding_A) + ")");
  cell.add_choice<std::optional<CellShape>>(
      "cell-shape", arguments.shape,
      {{"cube", CellShape::cube},
       {"rectangular", CellShape::rectangular},
       {"dodecahedron", CellShape::dodecahedron},
       {"octahedron", CellShape::octahedron},
       {"hexagonal", CellShape::hexagonal}},
      "shape of the smallest cell with that padding (default cube); a "
      "dodecahedron or an octahedron holds a round solute that may turn in "
      "the least water");
  cell.add("cell", options.cell, "a,b,c[,alpha,beta,gamma]",
           "cell of that size instead: lengths in A, angles in degrees (not given: 90)");
  cell.add_flag("orient", options.orient, "turn the solute so that the cell becomes as small as it can be");
  OptionGroup& water = line.group("Water");
  water.add("water-model", options.water_model, "NAME",
            "tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p: CHARMM's TIP3P, whose hydrogens have "
            "Lennard-Jones terms, 3 % denser");
  water.add_choice<std::optional<WaterNames>>("water-names", arguments.names,
                                              {{"gromacs", WaterNames::gromacs},
                                               {"amber", WaterNames::amber},
                                               {"charmm", WaterNames::charmm},
                                               {"pdb", WaterNames::pdb}},
                                              "whose names the waters get; pdb is for OpenMM, too (not "
                                              "given: gromacs in .gro, charmm in .crd, otherwise pdb)");
  water.add("smallest-cavity", options.fill.smallest_cavity, "N",
            "waters that a cavity without a way to the bulk must have room for to get any");
  add_structure_options(line.group("Structure"), arguments.structure);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output, "FILE",
             "file for solute and water, by its ending: .gro, .pdb, .cif, .pqr, .crd, .rst7 or .xyz, also "
             "with .gz; - "
             "is PDB on standard output");
  output.add_choice(
      "pdb-serials", arguments.serials,
      {{"wrapped", PdbSerials::wrapped}, {"hex", PdbSerials::hex}, {"hybrid36", PdbSerials::hybrid36}},
      "serial numbers past 99,999 in PDB files: from 0 again, as VMD or as cctbx writes them");
  add_run_options(output, arguments.run);
  line.group("Computing")
      .add("threads", options.fill.threads, "N",
           "threads to compute with, 0 for all of them; the result does not depend on them");
  return line.parse(words, out);
}

std::vector<RequestedOutput> outputs_of(const SolvateArguments& arguments) {
  return {{"-o", arguments.output}, {"--report", arguments.run.report}};
}

/// Everything that can be refused before a file is read.
void validate(SolvateArguments& arguments) {
  SolvationOptions& options = arguments.solvation;
  if (arguments.output.empty())
    fail<UsageError>("-o is missing; give the file that solute and water go to, for example -o solvated.gro");
  system_format(arguments.output);
  water_model(options.water_model);
  if (options.cell && (arguments.shape || arguments.padding_A))
    fail<UsageError>("--cell gives the cell, and ", arguments.shape ? "--cell-shape" : "--padding",
                     " asks for the smallest one; leave one of them out");
  if (options.fill.smallest_cavity < 1)
    fail<UsageError>("--smallest-cavity is ", options.fill.smallest_cavity, "; it must be 1 or more waters");
  options.fill.threads = usable_threads(options.fill.threads);
  options.shape = arguments.shape.value_or(options.shape);
  options.padding_A = arguments.padding_A.value_or(options.padding_A);
  options.accept_bulk_water = arguments.structure.options.water == InputWater::solute;
  check_inputs(arguments.structure.files);
  check_outputs(arguments.structure.files, outputs_of(arguments));
}

/// Fixed decimals, as a table has them.
std::string fixed(double number, int decimals) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << number;
  return text.str();
}

std::string three(const Vec3<double>& v, int decimals, std::string_view between) {
  return fixed(v.x, decimals) + std::string(between) + fixed(v.y, decimals) + std::string(between) +
         fixed(v.z, decimals);
}

std::string describe_left_out(const FillCounts& counts) {
  std::string text = grouped(counts.overlapping) + " in the solute's place";
  if (counts.among_tails > 0) text += ", " + grouped(counts.among_tails) + " among lipid tails";
  if (counts.in_cavities > 0) text += ", " + grouped(counts.in_cavities) + " in small cavities";
  return text;
}

void print_result(std::ostream& out, const SolvateArguments& arguments, const Structure& structure,
                  const Solvation& solvation, const Stages& stages) {
  const SolvationOptions& options = arguments.solvation;
  const WaterModel& model = solvation.waters.tiles.model();
  print_row(out, "structure", structure.path, ", ", count_of(std::ssize(solvation.solute), "atom"));
  print_row(out, "cell", options.cell ? "" : std::string(to_string(options.shape)) + ", ",
            three(solvation.cell.lengths_A, 3, " x "), " A, angles ",
            three(solvation.cell.angles_deg, 2, ", "), " degrees, ",
            grouped(std::llround(solvation.volume_A3)), " A^3");
  print_row(out, "own image", fixed(solvation.own_image_A, 2), " A from the solute");
  print_row(out, "water", model.full_name, ", ", count_of(solvation.waters.size(), "molecule"), ", ",
            fixed(solvation.density_g_cm3, 4), " g/cm^3");
  print_row(out, "left out", describe_left_out(solvation.counts));
  print_row(out, "system", count_of(solvation.atoms(), "atom"));
  if (arguments.names.value_or(usual_water_names(system_format(arguments.output))) == WaterNames::gromacs)
    print_row(out, "topology", "add 'SOL ", solvation.waters.size(), "' to [ molecules ]");
  std::string times;
  for (const auto& [stage, seconds] : stages.times())
    times += (times.empty() ? "" : ", ") + stage + ' ' + fixed(seconds, 2) + " s";
  print_row(out, "time", times, "; ", describe_bytes(peak_memory_bytes()), " of memory");
  print_files(out, {arguments.output, arguments.run.report});
}

void write_solvated(OutputFile& file, const SolvateArguments& arguments, const Input& input,
                    const Solvation& solvation, const Progress& progress) {
  const SystemFormat format = system_format(arguments.output);
  const WaterModel& model = solvation.waters.tiles.model();
  const WaterLabels labels =
      water_labels(solvation.solute, arguments.names.value_or(usual_water_names(format)), format);
  const PlacedSystem system{.remarks = {std::string("ionwell ") + version() + ": " + input.structure.path +
                                        " in " + std::string(model.full_name) + " water"},
                            .records = records_without_places(input.header_records),
                            .solute = solvation.solute,
                            .solvent = written_waters(solvation.waters, labels),
                            .cell = solvation.cell,
                            .names = input.is_pqr ? SoluteNames::pdb : SoluteNames::own,
                            .serials = arguments.serials};
  write_system(file, system, arguments.solvation.fill.threads, progress);
}

}  // namespace

int solvate_command(const std::vector<std::string>& words, std::ostream& out) {
  SolvateArguments arguments;
  if (!parse(words, arguments, out)) return done;
  validate(arguments);
  Stages stages(terminal_observer(progress_style(arguments.run.quiet)));
  const Input input =
      stages.run("read", [&](const Progress&) { return read_structure_files(arguments.structure); });
  print_warnings(std::cerr, input.structure.warnings);
  const Solvation solvation =
      stages.run("solvate", [&](const Progress&) { return solvate(input.structure, arguments.solvation); });
  print_warnings(std::cerr, solvation.warnings);
  OutputFiles files;
  stages.run("write", [&](const Progress& progress) {
    write_solvated(files.add(arguments.output), arguments, input, solvation, progress);
  });
  if (arguments.run.report) {
    std::vector<std::string> warnings = input.structure.warnings;
    warnings.insert(warnings.end(), solvation.warnings.begin(), solvation.warnings.end());
    files.add(*arguments.run.report)
        .write(solvation_report(solvation, {.command = command_text("solvate", words),
                                            .structure = input.structure,
                                            .output = arguments.output,
                                            .warnings = std::move(warnings),
                                            .timings_s = stages.times()}));
  }
  files.commit();
  if (!arguments.run.quiet)
    print_result(summary_stream(outputs_of(arguments), out), arguments, input.structure, solvation, stages);
  return done;
}

}  // namespace ionwell
