// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "compute/backend.hpp"
#include "compute/hand_over.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/pb_arguments.hpp"
#include "ionwell/running/checkpoint_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "maps/map_file.hpp"
#include "output/chemistry_report.hpp"
#include "potential/equation_maps.hpp"
#include "potential/lattice_potential.hpp"
#include "potential/potential_map.hpp"
#include "potential/potential_report.hpp"
#include "structures/assign_radii.hpp"

namespace ionwell {
namespace {

struct MapArguments {
  StructureArguments structure;
  std::string output;
  MapUnit unit = MapUnit::kT_e;
  LatticeRequest lattice;
  ElectrostaticsOptions electrostatics;
  MethodArguments method;
  PbArguments pb;
  FieldOptions field{.every_point = true};
  BackendArguments backend;
  RunArguments run;
  CheckpointArguments checkpoint;
  std::string parts;  // of the equation, to write

  std::vector<EquationPart> equation_parts() const {
    return parts.empty() ? std::vector<EquationPart>{} : parse_equation_parts(parts);
  }
};

bool parse(const std::vector<std::string>& words, MapArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "map",
       .synopsis = "STRUCTURE [COORDINATES] -o POTENTIAL.dx|.dx.gz|.dxbin|.h5|.mrc|.ccp4|.cube|.grd",
       .about = "Writes the electrostatic potential of a charged structure at every point of a lattice "
                "around it. " +
                std::string(about_structure_files),
       .examples = "  ionwell map rna.pqr -o potential.dx\n"
                   "      the bare Coulomb potential, for VMD, PyMOL or ChimeraX\n"
                   "  ionwell map rna.pqr --ionic-strength 0.15 --spacing 1 -o screened.dx.gz\n"
                   "      screened by 0.15 M of a 1:1 salt in water, on a coarser lattice\n"
                   "  ionwell map rna.pqr -o potential.h5 --to-unit mV\n"
                   "      in mV, as HDF5; ChimeraX opens it under the name potential.cmap\n"
                   "  ionwell map rna.pqr --pb own -o potential.dx\n"
                   "      the solution of the Poisson-Boltzmann equation at 0.15 M\n"
                   "  ionwell map rna.pqr --pb own --pb-maps eps,kappa -o potential.dx\n"
                   "      also the maps of the dielectric and of the screening in the equation\n",
       .common = {"output", "to-unit", "solute", "ignore", "spacing", "border", "dielectric",
                  "ionic-strength", "pb"}});
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output, "FILE", map_endings + ", or - for OpenDX on standard output");
  output.require_last();
  add_to_unit_option(output, arguments.unit);
  add_run_options(output, arguments.run);
  add_structure_options(line, arguments.structure);
  add_lattice_options(line.group("Lattice"), arguments.lattice, LatticeOf::sums_and_solutions);
  add_electrostatics_options(line.group("Electrostatics"), arguments.electrostatics);
  OptionGroup& equation = line.group("Poisson-Boltzmann");
  add_solute_pb_options(equation, arguments.pb);
  equation.add(
      "pb-maps", arguments.parts, "PARTS",
      "also write maps of the equation, separated by commas: eps (dielectric at the faces along x, y "
      "and z), kappa, charge; their names are made from -o, such as potential.eps_x.dx");
  OptionGroup& advanced = line.group("Computing");
  add_method_options(advanced, line.tuning(), arguments.method, Computed::values);
  add_backend_options(advanced, line.tuning(), arguments.backend, Computed::values);
  add_computing_options(advanced, line.tuning(), arguments.field);
  add_checkpoint_options(line.group("Checkpoints"), line.tuning(), arguments.checkpoint);
  arguments.checkpoint.settings = line.settings();
  line.add_rules(map_rules());
  return line.parse(words, out);
}

std::vector<std::string> equation_files(const MapArguments& arguments) {
  return equation_map_paths(arguments.output, arguments.equation_parts());
}

std::vector<RequestedOutput> outputs_of(const MapArguments& arguments) {
  std::vector<RequestedOutput> outputs = {{"-o", arguments.output},
                                          {"--report", arguments.run.report},
                                          requested_checkpoint(arguments.checkpoint)};
  for (const std::string& path : equation_files(arguments)) outputs.push_back({"--pb-maps", path});
  return outputs;
}

/// The maps of the equation, which are called after that of the potential.
void validate_parts(const MapArguments& arguments) {
  if (!arguments.parts.empty() && is_standard_output(arguments.output))
    fail<UsageError>("--pb-maps makes the names of its files from -o, and -o is -; give the name of a file");
  arguments.equation_parts();
}

/// Everything that can be refused before a file is read.
void validate(const MapArguments& arguments, const RankGroup* ranks) {
  if (arguments.output.empty())
    fail<UsageError>("-o is missing; name the file for the potential, for example -o potential.dx");
  check_map_name(arguments.output);
  validate(arguments.lattice);
  summation_options(arguments.method);
  validate(arguments.pb);
  validate(arguments.checkpoint);
  validate_parts(arguments);
  backend_options(arguments.backend);
  if (arguments.checkpoint.given() && ranks != nullptr)
    fail<UsageError>(requested_checkpoint(arguments.checkpoint).option,
                     " saves the sum of one process, but several processes share this one; leave it out");
  check_inputs(arguments.structure.files);
  check_outputs(arguments.structure.files, outputs_of(arguments));
}

PotentialOrigin origin_of(const MapArguments& arguments) {
  if (arguments.pb.given()) return pb_options(arguments.pb);
  return summation_options(arguments.method);
}

}  // namespace

int map_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  MapArguments arguments;
  if (!parse(words, arguments, out)) return done;
  validate(arguments, backends.free_ranks());
  arguments.field.threads = usable_threads(arguments.field.threads);
  std::ostream& summary = summary_stream(outputs_of(arguments), out);
  if (!arguments.pb.given()) pair_potential(arguments.electrostatics);
  const BackendOptions backend = backend_options(arguments.backend);
  const auto gpu_start = start_gpu_while_reading(backend, arguments.structure.path(), arguments.field.threads,
                                                 arguments.method.method);
  RunObserver observer = terminal_observer(progress_style(arguments.run.quiet));
  Input input;
  if (!arguments.run.quiet)
    observer.potential_planned = [&](const LatticePotential& planned) {
      print_plan(summary, planned);
      print_decisions(summary, input.chemistry);
    };
  Stages stages(observer);

  stages.run("read", [&](const Progress&) {
    input = read_input(arguments.structure.files, arguments.structure.options);
  });
  if (arguments.pb.given()) complete_radii(input.system.acting());
  const PotentialRequest request{.structure = input.system.acting(),
                                 .origin = origin_of(arguments),
                                 .electrostatics = arguments.electrostatics,
                                 .lattice = arguments.lattice,
                                 .backend = backend,
                                 .field = arguments.field,
                                 .command = command_text("map", words),
                                 .map_names = {arguments.output}};
  const auto checkpoint = open_checkpoint(arguments.checkpoint, "map",
                                          {input.system.acting().atoms,
                                           input.system.acting().cell,
                                           {},
                                           {identity_of_instructions(arguments.field.simd)}});
  if (checkpoint) stages.save_to(*checkpoint);
  if (!arguments.run.quiet) print_checkpoint(summary, checkpoint.get());
  std::optional<ResultMapToWrite> map;
  LatticePotential made = run_noting(checkpoint.get(), {}, [&] {
    return handing_over(request, [&](const PotentialRequest& now) {
      LatticePotential computed = compute_potential(now, stages, backends);
      stages.run("write", [&](const Progress&) { map = map_to_write(computed, arguments.unit); });
      return computed;
    });
  });
  OutputFiles files;
  stages.run("write", [&](const Progress& progress) {
    write_map(files.add(arguments.output), *map, map->all(), made.run.threads, progress);
    for_each_equation_map(made, arguments.equation_parts(), [&](EquationMap&& part) {
      write_map(files.add(equation_map_path(arguments.output, part.name)), part,
                std::span<const float>(part.values.data(), part.values.size()), made.run.threads, {});
    });
  });
  update_costs(made, stages);
  if (arguments.run.report)
    files.add(*arguments.run.report).write(with_chemistry(json_report(made), input.chemistry));
  files.commit();
  if (!arguments.run.quiet) {
    print_solvation_energy(summary, made.potential);
    print_times(summary, made.run);
    std::vector<std::optional<std::string>> written = {arguments.output};
    for (const std::string& path : equation_files(arguments)) written.push_back(path);
    written.push_back(arguments.run.report);
    print_files(summary, written);
  }
  return done;
}

}  // namespace ionwell
