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
  group.add("ion", arguments.ions, "NAME:COUNT[:CHARGE]",
            "ions that stay in the box, in their number; COUNT is a number or 'neutralize', CHARGE is for "
            "names that are not known");
  group.add("salt", arguments.salts, "FORMULA:M",
            "ions that come and go, in equilibrium with a solution of M mol/L: NaCl:0.15, MgCl2:0.01; "
            "repeated for a mixture. With --sampler bd their number is that at the end of the equilibration");
  group.add("ion-radius", arguments.radii, "NAME:A",
            "radius of an ion, in place of its ionic radius (Shannon's): 2.1 or so stands for one that "
            "keeps its water");
  group.add_choice("repulsion", arguments.repulsion, repulsion_words(),
                   "what keeps ions, and solute atoms, apart by the sum of their radii: 1 kT there, rising "
                   "as 1/r^12, or a hard wall");
  group.add("start", arguments.start, "WORD|FILE",
            "where ions of --ion begin: greedy, as 'place' would put them; random; or a PDB file of ions");
}

void add_sampler_options(OptionGroup& group, OptionGroup& tuning, SampleArguments& arguments) {
  group.add_choice("sampler", arguments.method, sampler_words(),
                   "Metropolis Monte Carlo, or Brownian dynamics (Ermak and McCammon) after it");
  group.add("sweeps", arguments.sweeps, "N", "length of Monte Carlo, in tried moves for each ion",
            Default{default_text(usual_sweeps)});
  group.add("steps", arguments.steps, "N", "length of Brownian dynamics", Default{default_text(usual_steps)});
  group.add("time-step", arguments.time_step_ps, "PS", "time step of Brownian dynamics",
            Default{default_text(BrownianOptions{}.time_step_ps)});
  group.add("diffusion", arguments.diffusions, "NAME:D",
            "diffusion constant of an ion [A^2/ps], in place of that in water at 298.15 K (0.133 of Na+)");
  group.add("equilibration", arguments.equilibration, "N", "sweeps of Monte Carlo before that, not counted");
  group.add("sample-every", arguments.every, "N", "sweeps or steps from one sample to the next",
            Default{default_text(usual_sweeps_apart) + " or " + default_text(usual_steps_apart)});
  group.add("replicas", arguments.replicas, "N",
            "independent runs side by side, whose samples are joined; threads share them, and a GPU takes a "
            "thousand at a time");
  group.add("blocks", arguments.blocks, "N", "blocks of each replica, whose means tell the errors");
  group.add("seed", arguments.seed, "N",
            "what is drawn; the same seed gives the same numbers, whatever the threads, and others on "
            "a GPU");
  tuning.add("bulk-sweeps", arguments.bulk_sweeps, "N",
             "length of the run that finds the chemical potential of --salt");
}

void add_observable_options(OptionGroup& group, OptionGroup& tuning, SampleArguments& arguments) {
  group.add("density", arguments.density, "FILE",
            "density of each ion [mol/L], a " + map_endings + "; ions.dx becomes ions.NA.dx and so on");
  group.add("occupancy", arguments.occupancy, "FILE",
            "mean number of each ion in a cell of the same lattice, likewise");
  tuning.add("density-spacing", arguments.density_spacing_A, "A",
             "edge of the cells of --density and --occupancy",
             Default{default_text(usual_density_spacing_A)});
  group.add(
      "around", arguments.around, "SELECTION",
      "atoms that radial distributions of the ions are taken around, for example 'name P'; repeated for "
      "several");
  group.add("rdf", arguments.rdf, "FILE",
            "these distributions, as CSV, with their errors; - for standard output");
  group.add("rdf-reach", arguments.rdf_reach_A, "A", "how far they go");
  tuning.add("rdf-step", arguments.rdf_step_A, "A", "width of the bins of --rdf");
  group.add("within", arguments.within, "A,A,...",
            "distances from the nearest atom of the solute within which ions and their charge are counted");
}

void add_box_and_potential(CommandLine& line, SampleArguments& arguments) {
  OptionGroup& box = line.group("Box");
  box.add_choice("boundary", arguments.boundary, sample_boundary_words(),
                 "walls that turn ions back, or all images of a rectangular cell (Ewald)");
  add_cell_option(box, arguments.cell, "the structure's; its angles must be 90");
  box.add("wall-distance", arguments.lattice.border_A, "A",
          "distance from the solute's atoms to the walls of the open box, on every side",
          Default{default_text(usual_sampling_border_A) + "; with --map as far as the maps reach"});
  box.add("box", arguments.lattice.box, "X0,Y0,Z0,X1,Y1,Z1",
          "open box between two corners [A], in place of --wall-distance");
  box.add("spacing", arguments.lattice.spacing_A, "A", "distance between lattice points",
          Default{default_text(LatticeOptions{}.spacing_A) + "; with --pb " +
                  default_text(published_pb_spacing_A) + "; with --map that of the map"});
  line.tuning().add_choice(
      "interpolation", arguments.interpolation, interpolation_words(),
      "interpolation of potential and force between the lattice's points: from 8, or smooth, from 64");
  OptionGroup& charges = line.group("Electrostatics");
  charges.add("dielectric", arguments.electrostatics.dielectric, "E", "constant dielectric",
              Default{default_text(water_dielectric) + ", water: ions that move by kT need a solvent"});
  charges.add("ddd", arguments.electrostatics.ddd_per_A, "A^-1",
              "distance-dependent dielectric of this times the distance; 3 is usual");
  charges.add("ionic-strength", arguments.electrostatics.ionic_strength_M, "M",
              "Debye-Hueckel screening by M mol/L of salt that is not there as ions");
  charges.add("temperature", arguments.electrostatics.temperature_K, "K", "temperature of all kT");
  add_map_options(line.group("Imported potential"), line.tuning(), arguments.map, Update::debye_hueckel);
  OptionGroup& equation = line.group("Poisson-Boltzmann");
  add_solver_option(equation, arguments.pb.solver, PbSolvers::own);
  equation.add("pb-option", arguments.pb.pb.options, "KEY=VALUE",
               "word of the equation in place of the usual one, as APBS's input has it: pdie=2, "
               "ion=charge,conc,radius; may be repeated");
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
      fail<UsageError>(option, " needs the name of a file to call those of the ions after it, and it is -");
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
           "Ions that move in the potential of a charged structure: charged spheres in a solvent without "
           "molecules, by Monte Carlo (also in exchange with a salt solution) or Brownian dynamics. Tells "
           "where they are, how many are near, and how sure that is. The file of ions has the arrangement "
           "of lowest energy that was met. Ctrl-C ends a run with the samples so far. " +
           std::string(about_structure_files),
       .examples =
           "  ionwell sample rna.pqr --ion NA:neutralize --salt NaCl:0.15 -o ions.pdb --density density.dx\n"
           "      counter-ions and salt around an RNA, and density.NA.dx and density.CL.dx\n"
           "  ionwell sample rna.pqr --ion MG:12 --ion-names amber -o ions.pdb --sweeps 100000 --replicas 8\n"
           "      twelve Mg2+ that start where 'place' would put them\n"
           "  ionwell sample rna.pqr --salt KCl:0.1 --ion K:neutralize -o ions.pdb --rdf rdf.csv --around "
           "'name P'\n"
           "      with radial distributions around phosphorus\n"
           "  ionwell sample rna.pqr --ion NA:neutralize --ionic-strength 0.1 --sampler bd --steps 1000000 "
           "-o "
           "ions.pdb\n"
           "      Brownian dynamics of counter-ions for 10 ns, in salt that is not there as ions\n"
           "  ionwell sample rna.pqr --map potential.dx --ion NA:20 -o ions.pdb\n"
           "      in the potential of a map\n"});
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);
  add_moving_options(line.group("Ions"), arguments);
  add_sampler_options(line.group("Sampling"), line.tuning(), arguments);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output.path, "FILE",
             "file of the ions, by its ending: .pdb, .cif, .gro, .pqr, .crd (CHARMM), .rst7, .xyz, also with "
             ".gz; - is PDB on standard output; must be given");
  add_ion_names_option(output, arguments.output);
  output.add_flag("with-solute", arguments.output.with_solute, "put the solute's atoms before the ions");
  add_serials_option(output, arguments.output);
  add_observable_options(output, line.tuning(), arguments);
  add_run_options(output, arguments.run);
  add_structure_options(line, arguments.structure);
  add_box_and_potential(line, arguments);
  OptionGroup& advanced = line.group("Computing");
  add_method_options(advanced, line.tuning(), arguments.summation, Computed::samples);
  add_backend_options(advanced, line.tuning(), arguments.backend, Computed::samples);
  add_computing_options(advanced, line.tuning(), arguments.field);
  add_checkpoint_options(line.group("Long runs"), line.tuning(), arguments.checkpoint);
  arguments.checkpoint.settings = line.settings();
  line.add_rules(sample_rules());
  return line.parse(words, out);
}

void validate(const SampleArguments& arguments) {
  validate(arguments.output, "the ions go to, for example -o ions.pdb");
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
                     ", and there is no such file; give greedy, random or a PDB file of ions");
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
                       " names one side of a membrane, and there is one box here; leave ",
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
