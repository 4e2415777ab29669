// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/solvate.hpp"

#include <iostream>

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/pending_messages.hpp"
#include "compute/stages.hpp"
#include "core/available_memory.hpp"
#include "core/text/count_text.hpp"
#include "files/new_folder.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/output/system_options.hpp"
#include "ionwell/solvation_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/solvation_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "jobs/box/solvation_report.hpp"
#include "output/chemistry_report.hpp"
#include "output/engine_input.hpp"
#include "output/folder_checks.hpp"
#include "output/solvated_files.hpp"
#include "structures/engines/engine_residues.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {
namespace {

struct SolvateArguments {
  StructureArguments structure;
  SystemOutput output;
  SolvationRequest solvation;
  RunArguments run;
};

bool parse(const std::vector<std::string>& words, SolvateArguments& arguments, std::ostream& out) {
  arguments.structure.options.needs_charges = false;
  CommandLine line(
      {.name = "solvate",
       .synopsis = std::string(structure_files) + " -o FILE",
       .about =
           "Puts a structure into a periodic cell of equilibrated water. It keeps crystal waters and ions, "
           "and adds no water between lipid tails or in closed cavities that are too small. STRUCTURE is any "
           "file that the other commands read; it needs no charges, so .gro, .g96 or CRD files are enough. "
           "Molecules that are broken across the boundary of a cell are made whole first.",
       .examples =
           "  ionwell solvate conf.gro --padding 12 --cell-shape dodecahedron -o solvated.gro\n"
           "      after GROMACS's pdb2gmx; the row 'topology' shows what to add to topol.top\n"
           "  ionwell solvate 1ehz.pdb --water-model opc --cell-shape octahedron --orient -o wet.cif\n"
           "      rotated so that the cell is as small as possible\n"
           "  ionwell solvate membrane.psf membrane.pdb --cell 120,120,95 -o wet.pdb --water-names charmm\n"
           "      in a cell of known size, with water above and below the lipids\n"
           "  ionwell solvate frame.gro --input-water ignore --padding 15 -o larger.gro\n"
           "      from one box of water into a larger one\n",
       .common = {"padding", "cell-shape", "cell", "orient", "water-model", "water-names", "solute",
                  "input-water", "output", "for"}});
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);
  add_cell_options(line.group("Cell"), arguments.solvation);
  OptionGroup& water = line.group("Water");
  add_water_options(water, line.tuning(), arguments.solvation);
  add_water_names_option(water, arguments.output);
  add_structure_options(line, arguments.structure, WaterChoices::crystal);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output.path, "FILE",
             "file for solute and water; its ending sets the format: .gro, .pdb, .cif, .pqr, .crd, .rst7 or "
             ".xyz, also with .gz; - is PDB on standard output");
  output.require_last();
  add_engine_option(output, arguments.output);
  add_serials_option(output, arguments.output);
  add_run_options(output, arguments.run);
  add_threads_option(line.group("Computing"), arguments.solvation.options.fill.threads);
  line.add_rules(solvate_rules());
  return line.parse(words, out);
}

std::vector<RequestedOutput> outputs_of(const SolvateArguments& arguments) {
  return {{"-o", arguments.output.file()}, {"--report", arguments.run.report}};
}

/// Everything that can be refused before a file is read; what the options mean.
SolvationOptions validated(const SolvateArguments& arguments) {
  validate(arguments.output, "for solute and water, for example -o solvated.gro");
  SolvationOptions options = solvation_options(arguments.solvation, arguments.structure.options.water);
  options.fill.threads = usable_threads(options.fill.threads);
  check_inputs(arguments.structure.files);
  check_engine_files(arguments.output, arguments.structure.files, options.water_model);
  check_outputs(arguments.structure.files, outputs_of(arguments));
  return options;
}

void print_result(std::ostream& out, const SolvateArguments& arguments, const SolvationOptions& options,
                  const Input& input, const Solvation& solvation, const Stages& stages) {
  const Structure& structure = input.system.acting();
  print_row(out, "structure", structure.path, ", ", count_of(std::ssize(solvation.solute), "atom"));
  print_decisions(out, input.chemistry);
  print_own_cell(out, structure);
  print_solvation_cell(out, options, solvation);
  print_solvation(out, solvation);
  print_row(out, "system", count_of(solvation.atoms(), "atom"));
  if (!arguments.output.engine && arguments.output.names_of_waters() == WaterNames::gromacs)
    print_row(out, "topology", "add 'SOL ", solvation.waters.size(), "' to [ molecules ]");
  std::string times;
  for (const auto& [stage, seconds] : stages.times())
    times += (times.empty() ? "" : ", ") + stage + ' ' + fixed_text(seconds, 2) + " s";
  print_row(out, "time", times, "; ", describe_bytes(peak_memory_bytes()), " of memory");
  print_files(out, {arguments.output.path, arguments.run.report});
}

}  // namespace

int solvate_command(const std::vector<std::string>& words, std::ostream& out, const Backends&) {
  SolvateArguments arguments;
  if (!parse(words, arguments, out)) return done;
  const SolvationOptions options = validated(arguments);
  arguments.structure.options.ligands_for = ligands_for(arguments.output.engine);
  arguments.structure.options.charges_entries = arguments.output.engine == Engine::gromacs;
  NewFolder folder(arguments.output.folder());
  Stages stages(terminal_observer(progress_style(arguments.run.quiet)));
  const Input input = stages.run("read", [&](const Progress&) {
    Input read = read_input(arguments.structure.files, arguments.structure.options);
    complete_for_engine(arguments.output, read, options.water_model);
    return read;
  });
  add_messages(input.system.acting().warnings);
  if (arguments.output.engine)
    check_left_out(*arguments.output.engine, input, input.system.has_role({AtomRole::acts}));
  const Solvation solvation = stages.run("solvate", [&](const Progress&) {
    return solvate(input.system.acting(), options,
                   links_of_kept(input.system.links(), input.system.has_role({AtomRole::acts})));
  });
  add_messages(solvation.warnings);
  add_messages(arguments.output.engine
                   ? engine_warnings(*arguments.output.engine, {.atoms = input.system.acting().atoms,
                                                                .cell = solvation.cell,
                                                                .topology = input.topology})
                   : system_warnings(solvation.cell, arguments.output.path));
  OutputFiles files;
  stages.run("write", [&](const Progress& progress) {
    add_solvated_files(arguments.output, input, arguments.structure.options, solvated_parts(input, solvation),
                       files, options.fill.threads, progress);
  });
  if (arguments.run.report) {
    std::vector<std::string> warnings = input.system.acting().warnings;
    warnings.insert(warnings.end(), solvation.warnings.begin(), solvation.warnings.end());
    files.add(*arguments.run.report)
        .write(with_chemistry(solvation_report(solvation, {.command = command_text("solvate", words),
                                                           .structure = input.system.acting(),
                                                           .output = arguments.output.path,
                                                           .warnings = std::move(warnings),
                                                           .timings_s = stages.times()}),
                              input.chemistry));
  }
  files.commit();
  folder.keep();
  if (!arguments.run.quiet)
    print_result(summary_stream(outputs_of(arguments), out), arguments, options, input, solvation, stages);
  return done;
}

}  // namespace ionwell
