// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/sampling/sample_arguments.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/option_words.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "ionwell/output/system_options.hpp"
#include "ionwell/pb_arguments.hpp"
#include "ionwell/solvation_arguments.hpp"
#include "maps/map_file.hpp"
#include "potential/request/pb_request.hpp"

namespace ionwell {
namespace {

void add_moving_options(OptionGroup& group, SampleArguments& arguments) {
  group.add(
      "ion", arguments.ions, "NAME:COUNT[:CHARGE]",
      "ions whose number is constant. COUNT is a number or 'neutralize'. CHARGE is needed only for names "
      "that ionwell does not know. May be repeated",
      Default{"none"});
  group.add(
      "salt", arguments.salts, "FORMULA:M",
      "ions in exchange with a solution of M mol/L: NaCl:0.15, MgCl2:0.01; may be repeated for a mixture. "
      "With --sampler bd their number stays that at the end of the equilibration",
      Default{"none"});
  group.add("ion-radius", arguments.radii, "NAME:A",
            "radius of an ion [A]; about 2.1 represents an ion that keeps its water; may be repeated",
            Default{"its ionic radius (Shannon)"});
  group.add_choice("repulsion", arguments.repulsion, repulsion_words(),
                   "repulsion between ions, and between ions and solute atoms: soft, as 1/r^12 with 1 kT at "
                   "the sum of their radii, or a hard wall there");
  group.add("start", arguments.start, "WORD|FILE",
            "start positions of the ions of --ion: greedy, as 'ionwell place' places them; random; or a PDB "
            "file of ions");
}

void add_sampler_options(OptionGroup& group, OptionGroup& tuning, SampleArguments& arguments) {
  group.add_choice("sampler", arguments.method, sampler_words(),
                   "Metropolis Monte Carlo (mc), or Brownian dynamics (Ermak and McCammon) after it (bd)");
  group.add("sweeps", arguments.sweeps, "N", "length of the Monte Carlo run, in trial moves of each ion",
            Default{default_text(usual_sweeps)});
  group.add("steps", arguments.steps, "N", "length of the Brownian dynamics run, in time steps",
            Default{default_text(usual_steps)});
  group.add("time-step", arguments.time_step_ps, "PS", "time step of Brownian dynamics",
            Default{default_text(BrownianOptions{}.time_step_ps)});
  group.add("diffusion", arguments.diffusions, "NAME:D",
            "diffusion constant of an ion [A^2/ps]; may be repeated",
            Default{"its value in water at 298.15 K, 0.133 for NA"});
  group.add("equilibration", arguments.equilibration, "N", "Monte Carlo sweeps before sampling begins");
  group.add(
      "sample-every", arguments.every, "N", "sweeps or steps between two samples",
      Default{default_text(usual_sweeps_apart) + " sweeps or " + default_text(usual_steps_apart) + " steps"});
  group.add(
      "replicas", arguments.replicas, "N",
      "independent runs whose samples are combined; they run in parallel on threads, or a thousand at a "
      "time on a GPU");
  group.add("blocks", arguments.blocks, "N", "number of blocks of each replica, whose means give the errors");
  group.add(
      "seed", arguments.seed, "N",
      "seed of the random numbers; the same seed gives the same result with any number of threads, and a "
      "different one on a GPU");
  tuning.add("bulk-sweeps", arguments.bulk_sweeps, "N",
             "length of the run that finds the chemical potential of --salt");
}

void add_observable_options(OptionGroup& group, OptionGroup& tuning, SampleArguments& arguments) {
  group.add("density", arguments.density, "FILE",
            "write the density of each ion [mol/L] to a " + map_endings +
                "; ions.dx becomes ions.NA.dx, ions.CL.dx ...");
  group.add("occupancy", arguments.occupancy, "FILE",
            "write the mean number of each ion in a cell of the same lattice, in the same formats");
  tuning.add("density-spacing", arguments.density_spacing_A, "A",
             "edge of the cells of --density and --occupancy",
             Default{default_text(usual_density_spacing_A)});
  group.add("around", arguments.around, "SELECTION",
            "atoms for radial distributions of the ions around them, for example 'name P'; may be repeated",
            Default{"none"});
  group.add("rdf", arguments.rdf, "FILE",
            "write the radial distributions and their errors as CSV; - is standard output");
  group.add("rdf-reach", arguments.rdf_reach_A, "A", "largest distance of the radial distributions");
  tuning.add("rdf-step", arguments.rdf_step_A, "A", "width of the bins of --rdf");
  group.add("within", arguments.within, "A,A,...",
            "count ions and their charge within these distances [A] of the nearest solute atom");
}

void add_box_and_potential(CommandLine& line, SampleArguments& arguments) {
  OptionGroup& box = line.group("Box");
  box.add_choice(
      "boundary", arguments.boundary, sample_boundary_words(),
      "boundary of the box: walls that reflect ions (open), or all periodic images of a rectangular cell "
      "(periodic, by Ewald summation)");
  add_cell_option(box, arguments.cell, "that of the structure; its angles must be 90");
  box.add("wall-distance", arguments.lattice.border_A, "A",
          "distance from the solute's atoms to the walls of the open box",
          Default{default_text(usual_sampling_border_A) + "; with --map the extent of the maps"});
  box.add("box", arguments.lattice.box, "X0,Y0,Z0,X1,Y1,Z1",
          "open box between two corners [A], instead of --wall-distance",
          Default{"automatic, by --wall-distance"});
  box.add("spacing", arguments.lattice.spacing_A, "A", "distance between lattice points",
          Default{default_text(LatticeOptions{}.spacing_A) + "; with --pb " +
                  default_text(published_pb_spacing_A) + "; with --map that of the map"});
  line.tuning().add_choice(
      "interpolation", arguments.interpolation, interpolation_words(),
      "interpolation of potential and force between lattice points: from 8 points, or smooth from 64");
  OptionGroup& charges = line.group("Electrostatics");
  charges.add("dielectric", arguments.electrostatics.dielectric, "E", "constant dielectric",
              Default{default_text(water_dielectric) + ", water"});
  charges.add("ddd", arguments.electrostatics.ddd_per_A, "A^-1",
              "distance-dependent dielectric: this value times the distance; 3 is common");
  charges.add(
      "ionic-strength", arguments.electrostatics.ionic_strength_M, "M",
      "Debye-Hueckel screening by a 1:1 salt of this concentration [mol/L], which is not present as ions");
  charges.add("temperature", arguments.electrostatics.temperature_K, "K",
              "temperature of the ions, and for units of kT");
  add_map_options(line.group("Imported potential"), line.tuning(), arguments.map, Update::debye_hueckel);
  OptionGroup& equation = line.group("Poisson-Boltzmann");
  add_solver_option(equation, arguments.pb.solver, PbSolvers::own);
  equation.add(
      "pb-option", arguments.pb.pb.options, "KEY=VALUE",
      "setting of the equation, named as in the input of APBS: pdie=2, or ion=charge 2 conc 0.05 radius 2.0; "
      "may be repeated",
      Default{"none"});
}

/// NAME:VALUE, each with a positive value.
IonProperties properties_of(const char* option, const std::vector<std::string>& texts, const char* example) {
  IonProperties properties;
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':');
    const std::optional<double> value =
        colon == std::string::npos || colon == 0 ? std::nullopt : parse_number(text.substr(colon + 1));
    if (!value || !(*value > 0.0))
      fail<UsageError>(option, ' ', quote(text),
                       " cannot be understood; write the ion's name and a positive "
                       "number, for example ",
                       option, ' ', example);
    properties.emplace_back(text.substr(0, colon), *value);
  }
  return properties;
}

std::vector<double> distances_of(const std::string& list) {
  std::vector<double> distances_A;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::optional<double> distance = parse_number(trim(list.substr(begin, comma - begin)));
    if (!distance)
      fail<UsageError>("--within is '", list,
                       "'; write distances in A with commas between them, for example 3,5,10");
    distances_A.push_back(*distance);
    begin = comma + 1;
  }
  std::sort(distances_A.begin(), distances_A.end());
  distances_A.erase(std::unique(distances_A.begin(), distances_A.end()), distances_A.end());
  return distances_A;
}

void validate_maps_of_ions(const SampleArguments& arguments) {
  for (const auto& [path, option] :
       {std::pair(arguments.density, "--density"), {arguments.occupancy, "--occupancy"}}) {
    if (!path) continue;
    if (is_standard_output(*path))
      fail<UsageError>(option,
                       " makes the names of the ions' files from the name that it is given, and that is -; "
                       "give the name of a file");
    check_map_name(*path);
  }
}

}  // namespace

std::vector<std::string> SampleArguments::inputs() const {
  std::vector<std::string> files = structure.files;
  files.insert(files.end(), map.files.paths.begin(), map.files.paths.end());
  if (starts_from_file()) files.push_back(start);
  return files;
}

std::vector<RequestedOutput> outputs_of_sample(const SampleArguments& arguments) {
  return {{"-o", arguments.output.path},
          {"--rdf", arguments.rdf},
          {"--report", arguments.run.report},
          requested_checkpoint(arguments.checkpoint)};
}

bool parse(const std::vector<std::string>& words, SampleArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "sample",
       .synopsis = "STRUCTURE [COORDINATES] --ion NAME:COUNT ... --salt FORMULA:M ... -o IONS.pdb",
       .about =
           "Samples ions that move in the potential of a charged structure, as charged spheres in a "
           "continuum solvent, by Monte Carlo (also in exchange with a salt solution) or Brownian dynamics. "
           "It reports where the ions are and how many are near the structure, with errors. The file of ions "
           "has the configuration of lowest energy that was found. After Ctrl-C, ionwell writes the results "
           "of the samples so far. " +
           std::string(about_structure_files),
       .examples =
           "  ionwell sample rna.pqr --ion NA:neutralize --salt NaCl:0.15 -o ions.pdb --density density.dx\n"
           "      counter-ions and salt around an RNA, and density.NA.dx and density.CL.dx\n"
           "  ionwell sample rna.pqr --ion MG:12 --ion-names amber -o ions.pdb --sweeps 100000 --replicas 8\n"
           "      twelve Mg2+ that start where 'ionwell place' places them\n"
           "  ionwell sample rna.pqr --salt KCl:0.1 --ion K:neutralize -o ions.pdb --rdf rdf.csv --around "
           "'name P'\n"
           "      with radial distributions around phosphorus\n"
           "  ionwell sample rna.pqr --ion NA:neutralize --ionic-strength 0.1 --sampler bd --steps 1000000 "
           "-o "
           "ions.pdb\n"
           "      Brownian dynamics of counter-ions for 10 ns, with salt that only screens\n"
           "  ionwell sample rna.pqr --map potential.dx --ion NA:20 -o ions.pdb\n"
           "      in the potential of a map\n",
       .common = {"ion", "salt", "sampler", "sweeps", "replicas", "output", "density", "around", "rdf",
                  "within", "ionic-strength", "pb"}});
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);
  add_moving_options(line.group("Ions"), arguments);
  add_sampler_options(line.group("Sampling"), line.tuning(), arguments);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output.path, "FILE",
             "file for the ions; its ending sets the format: .pdb, .cif, .gro, .pqr, .crd (CHARMM), .rst7, "
             ".xyz, also with .gz; - is PDB on standard output");
  output.require_last();
  add_ion_names_option(output, arguments.output);
  output.add_flag("with-solute", arguments.output.with_solute, "write the solute before the ions");
  add_serials_option(output, arguments.output);
  add_observable_options(output, line.tuning(), arguments);
  add_run_options(output, arguments.run);
  add_structure_options(line, arguments.structure);
  add_box_and_potential(line, arguments);
  OptionGroup& advanced = line.group("Computing");
  add_method_options(advanced, line.tuning(), arguments.summation, Computed::samples);
  add_backend_options(advanced, line.tuning(), arguments.backend, Computed::samples);
  add_computing_options(advanced, line.tuning(), arguments.field);
  add_checkpoint_options(line.group("Checkpoints"), line.tuning(), arguments.checkpoint);
  arguments.checkpoint.settings = line.settings();
  line.add_rules(sample_rules());
  return line.parse(words, out);
}

void validate(const SampleArguments& arguments) {
  validate(arguments.output, "for the ions, for example -o ions.pdb");
  if (arguments.seed < 0) fail<UsageError>("--seed is ", arguments.seed, "; it must not be negative");
  validate_maps_of_ions(arguments);
  ElectrostaticsOptions electrostatics = arguments.electrostatics;
  ImportedMapArguments map = arguments.map;
  map.solved = arguments.pb.given();
  if (map.solved) adopt_solution(arguments.pb.pb, electrostatics, map.update);
  validate(map, electrostatics);
  validate(arguments.pb);
  summation_options(arguments.summation);
  backend_options(arguments.backend);
  validate(arguments.checkpoint);
  if (arguments.starts_from_file() && arguments.start != "-" && !std::filesystem::exists(arguments.start))
    fail<UsageError>("--start is ", quote(arguments.start),
                     ", but there is no such file; give greedy, random or a PDB file of ions");
  check_inputs(arguments.inputs());
  check_outputs(arguments.inputs(), outputs_of_sample(arguments));
}

SamplingJob sampling_job(const SampleArguments& arguments, const Structure& structure,
                         const std::string& command) {
  IonRequests ions =
      parse_ion_requests(arguments.ions, net_charge_e(structure.atoms), arguments.output.naming);
  const std::vector<SaltRequest> salts = parse_salts(arguments.salts, arguments.output.naming);
  for (const SaltRequest& salt : salts)
    if (salt.compartment != Compartment::whole)
      fail<UsageError>("--salt ", salt.text,
                       " names one side of a membrane, but there is no membrane here; leave ",
                       to_string(salt.compartment), " out");
  SourceOptions source = summation_options(arguments.summation);
  if (arguments.pb.given()) source = pb_options(arguments.pb);
  if (arguments.map.given() && !arguments.pb.given()) source = arguments.map.files;
  const bool is_brownian = arguments.method == SampleMethod::brownian;
  SampleStart start = arguments.start == "random" ? SampleStart::random : SampleStart::greedy;
  if (arguments.starts_from_file()) start = SampleStart::file;
  ObservableOptions observables{.density_spacing_A = {},
                                .within_A = distances_of(arguments.within),
                                .groups = {},
                                .radial_reach_A = arguments.rdf_reach_A,
                                .radial_step_A = arguments.rdf_step_A};
  if (arguments.density || arguments.occupancy)
    observables.density_spacing_A = arguments.density_spacing_A.value_or(usual_density_spacing_A);
  return {.structure = structure,
          .ions = std::move(ions.requests),
          .salts = salts,
          .source = std::move(source),
          .electrostatics = arguments.electrostatics,
          .update = arguments.map.update,
          .lattice = arguments.lattice,
          .boundary = arguments.boundary,
          .cell = arguments.cell,
          .interpolation = arguments.interpolation,
          .repulsion = arguments.repulsion,
          .radii_A = properties_of("--ion-radius", arguments.radii, "NA:2.1"),
          .diffusions_A2_ps = properties_of("--diffusion", arguments.diffusions, "NA:0.133"),
          .start = start,
          .start_path = start == SampleStart::file ? arguments.start : std::string(),
          .sample = {.method = arguments.method,
                     .length = is_brownian ? arguments.steps.value_or(usual_steps)
                                           : arguments.sweeps.value_or(usual_sweeps),
                     .equilibration = arguments.equilibration,
                     .every = arguments.every.value_or(is_brownian ? usual_steps_apart : usual_sweeps_apart),
                     .replicas = arguments.replicas,
                     .blocks = arguments.blocks,
                     .seed = std::uint64_t(arguments.seed),
                     .threads = arguments.field.threads,
                     .brownian = {arguments.time_step_ps.value_or(BrownianOptions{}.time_step_ps)}},
          .bulk = {.sweeps = arguments.bulk_sweeps},
          .observables = std::move(observables),
          .around = arguments.around,
          .backend = backend_options(arguments.backend),
          .field = arguments.field,
          .should_stop = {},
          .command = command,
          .warnings = std::move(ions.warnings)};
}

}  // namespace ionwell
