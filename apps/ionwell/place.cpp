#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "cli/inputs.hpp"
#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/terminal.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "files/output_file.hpp"
#include "gpu/backend.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/placement_messages.hpp"
#include "ionwell/potential_options.hpp"
#include "ionwell/run_report.hpp"
#include "ionwell/run_summary.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/terminal_observer.hpp"
#include "maps/map_file.hpp"
#include "placement/ion.hpp"
#include "placement/place_ions.hpp"
#include "programs/child_process.hpp"
#include "run/placement_table.hpp"
#include "run/report.hpp"
#include "structures/pdb_writer.hpp"
#include "structures/read_structure.hpp"

namespace ionwell {
namespace {

struct PlaceArguments {
  std::string structure, output;
  std::vector<std::string> ions;
  IonNaming naming = IonNaming::pdb;
  bool with_solute = false, allow_fewer = false, no_refine = false;
  std::optional<std::string> map_before, map_after;
  std::optional<double> max_energy_kT;
  MapArguments map;
  PbArguments pb;
  ReadOptions reading;
  LatticeRequest lattice;
  ElectrostaticsOptions electrostatics;
  ExclusionOptions exclusion;
  MethodArguments method;
  FieldOptions field;
  BackendArguments backend;
  RunArguments run;
};

bool parse(const std::vector<std::string>& words, PlaceArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "place",
       .synopsis = "STRUCTURE --ion NAME:COUNT[:CHARGE] ... -o IONS.pdb",
       .about = "Puts ions around a charged structure, one after the other, each at the lattice point where "
                "its energy\n"
                "in the potential of the solute and of the ions before it is lowest. STRUCTURE is a PQR "
                "file, also\n"
                "gzipped.",
       .examples =
           "  ionwell place rna.pqr --ion MG:12 -o ions.pdb\n"
           "      twelve Mg2+ by the bare Coulomb potential, the published protocol\n"
           "  ionwell place rna.pqr.gz --ion MG:6 --ion NA:neutralize --ddd 3 --ion-names amber -o ions.pdb\n"
           "      six Mg2+, then Na+ until the net charge is zero, with a distance-dependent dielectric\n"
           "  ionwell place rna.pqr --map pot.dx --ion NA:20 --max-energy 0 --allow-fewer -o ions.pdb\n"
           "      Na+ in the potential of a Poisson-Boltzmann solver, as many of 20 as gain energy\n"
           "  ionwell place rna.pqr --pb apbs --ion MG:24 -o ions.pdb\n"
           "      the published hybrid protocol: APBS, again after every five ions\n"});
  line.add_file("STRUCTURE", arguments.structure);

  OptionGroup& ions = line.group("Ions");
  ions.add(
      "ion", arguments.ions, "NAME:COUNT[:CHARGE]",
      "ions to place, in this order when repeated; COUNT is a number or 'neutralize', CHARGE is for names "
      "that are not known");
  add_exclusion_options(ions, arguments.exclusion);
  ions.add("max-energy", arguments.max_energy_kT, "KT",
           "stop before an ion of a higher energy, for example 0");
  ions.add_flag("allow-fewer", arguments.allow_fewer,
                "write the ions placed even when not all found room (the exit code is 3 all the same)");

  add_structure_options(line.group("Structure"), arguments.reading);
  add_lattice_options(line.group("Lattice"), arguments.lattice);
  add_electrostatics_options(line.group("Electrostatics"), arguments.electrostatics);
  add_map_options(line.group("Imported potential"), arguments.map);
  add_pb_options(line.group("Poisson-Boltzmann"), arguments.pb);

  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output, "FILE",
             "PDB file of the ions, - for standard output; must be given");
  output.add_choice("ion-names", arguments.naming,
                    {{"pdb", IonNaming::pdb},
                     {"charmm", IonNaming::charmm},
                     {"amber", IonNaming::amber},
                     {"gromacs", IonNaming::gromacs}},
                    "whose residue and atom names to write");
  output.add_flag("with-solute", arguments.with_solute,
                  "put the solute's atoms before the ions in the PDB file");
  output.add("save-map", arguments.map_before, "FILE",
             "potential of the solute alone [kT/e], a " + map_endings);
  output.add("save-map-after", arguments.map_after, "FILE", "potential of solute and placed ions, likewise");
  add_run_options(output, arguments.run);

  OptionGroup& advanced = line.group("Computing");
  add_method_options(advanced, arguments.method);
  add_backend_options(advanced, arguments.backend);
  add_computing_options(advanced, arguments.field);
  advanced.add_flag("no-refine", arguments.no_refine,
                    "choose on the lattice's single-precision values, not on double-precision sums");
  return line.parse(words, out);
}

std::vector<RequestedOutput> outputs_of(const PlaceArguments& arguments) {
  return {{"-o", arguments.output},
          {"--save-map", arguments.map_before},
          {"--save-map-after", arguments.map_after},
          {"--report", arguments.run.report}};
}

/// Everything that can be refused before a file is read.
void validate(const PlaceArguments& arguments) {
  if (arguments.output.empty())
    fail<UsageError>("-o is missing; give the PDB file that the ions go to, for example -o ions.pdb");
  check_pdb_name(arguments.output);
  if (arguments.ions.empty())
    fail<UsageError>("--ion is missing; say which ions to place, for example --ion MG:7");
  validate(arguments.lattice);
  validate(arguments.exclusion);
  solver_options(arguments.method);
  backend_options(arguments.backend);
  validate(arguments.map, arguments.electrostatics, arguments.method);
  validate(arguments.pb);
  if (arguments.pb.given() && (arguments.map_before || arguments.map_after))
    fail<UsageError>(
        arguments.map_before ? "--save-map" : "--save-map-after",
        " is given beside --pb, which makes several maps; --keep-scratch DIR keeps the last one");
  for (const auto& map : {arguments.map_before, arguments.map_after})
    if (map) check_map_name(*map);
  std::vector<std::string> inputs = arguments.map.files.paths;
  inputs.push_back(arguments.structure);
  check_inputs(inputs);
  check_outputs(inputs, outputs_of(arguments));
}

std::vector<Vec3<double>> atom_positions(const Structure& structure) {
  std::vector<Vec3<double>> positions;
  for (const Atom& atom : structure.atoms) positions.push_back(atom.position_A);
  return positions;
}

/// Turns the number of ions placed into the part done.
std::function<void(std::int64_t)> part_of(const IonRequests& ions, const Progress& progress) {
  std::int64_t requested = 0;
  for (const IonRequest& request : ions.requests) requested += request.count;
  return [requested, &progress](std::int64_t placed) { progress(double(placed) / double(requested)); };
}

std::string ions_pdb(const PlaceArguments& arguments, const RunReport& report) {
  PdbContents contents{.remarks = protocol_remarks(report)};
  (arguments.with_solute ? contents.solute : contents.around) = report.structure.atoms;
  for (const PlacedIon& ion : report.placement.ions) {
    const IonName name = ion_name(ion.species.name, arguments.naming);
    contents.ions.push_back({.residue = std::string(name.residue),
                             .atom = std::string(name.atom),
                             .element = ion.species.element,
                             .charge_e = ion.species.charge_e,
                             .position_A = ion.position_A});
  }
  return pdb_text(contents);
}

void print_result(std::ostream& out, const RunReport& report, const PlaceArguments& arguments) {
  double placed_e = 0.0;
  for (const PlacedIon& ion : report.placement.ions) placed_e += ion.species.charge_e;
  const double solute_e = net_charge_e(report.structure.atoms);
  out << '\n';
  print_ion_table(out, report.placement, report.structure, terminal_columns(STDOUT_FILENO));
  out << '\n';
  print_row(out, "net charge", charge_text(solute_e), " e before, ", charge_text(solute_e + placed_e),
            " e after");
  print_times(out, report);
  print_files(out, {arguments.output, arguments.map_before, arguments.map_after, arguments.run.report});
}

/// Names the ions saved so far after the output: ions.pdb, ions.partial.pdb. Standard output gets no part.
std::string partial_path(const std::string& output) {
  std::filesystem::path path(is_standard_output(output) ? "ions.pdb" : output);
  const std::string extension = path.extension().string();
  return path.replace_extension(".partial" + extension).string();
}

/// Saves the ions of a run that cannot go on; says where, for the end of its message.
std::string save_partial(const PlaceArguments& arguments, const RunReport& report) {
  if (report.placement.ions.empty()) return "";
  const std::string path = partial_path(arguments.output);
  try {
    write_file(path, ions_pdb(arguments, report));
  } catch (const Error& error) {
    return std::string("; the ions placed so far could not be saved either: ") + error.what();
  }
  const auto saved = std::ssize(report.placement.ions);
  return "; the " + count_of(saved, "ion") + " placed before " + (saved == 1 ? "is" : "are") + " in " + path;
}

/// The report is written although the ions are not: it tells what was placed and why no more. Says so, for
/// the end of a message.
std::string report_too_few(const std::string& reason, const PlaceArguments& arguments, RunReport& report,
                           const Stages& stages) {
  if (!arguments.run.report) return "; nothing was written";
  report.warnings.push_back(reason);
  finish_report(report, stages);
  try {
    write_file(*arguments.run.report, json_report(report));
  } catch (const Error& error) {
    return std::string("; nothing was written, not even the report: ") + error.what();
  }
  return "; nothing was written but the report, " + *arguments.run.report;
}

/// What is left when the ions are placed: warnings, files, the terminal. `field` is what maps are saved of.
int finish(const PlaceArguments& arguments, RunReport& report, PotentialField* field, Stages& stages,
           OutputFiles& files, std::ostream& out) {
  const bool too_few = std::ssize(report.placement.ions) < report.placement.requested;
  if (too_few) {
    const std::string reason =
        too_few_message(report.placement, arguments.exclusion, arguments.lattice, arguments.map);
    if (!arguments.allow_fewer || report.placement.ions.empty())
      fail<TooFewPlaced>(reason, report_too_few(reason, arguments, report, stages),
                         report.placement.ions.empty() ? "" : " (--allow-fewer writes the ions that did)");
    warn(report, {reason});
  }
  if (const auto warning = repelled_ions_warning(report)) warn(report, {*warning});

  stages.run("write", [&](const Progress& progress) {
    if (arguments.map_after && field != nullptr)
      write_field(files.add(*arguments.map_after), *field, report, MapUnit::kT_e,
                  solute_potential(report) + ions_part(report), progress);
    files.add(arguments.output).write(ions_pdb(arguments, report));
  });
  if (field != nullptr) report.statistics = field->statistics();  // with what saving maps took
  finish_report(report, stages);
  if (arguments.run.report) files.add(*arguments.run.report).write(json_report(report));
  files.commit();
  if (!arguments.run.quiet) print_result(out, report, arguments);
  return too_few ? too_few_placed : done;
}

double most_energy_kT(const PlaceArguments& arguments) {
  return arguments.max_energy_kT.value_or(std::numeric_limits<double>::infinity());
}

/// With a Poisson-Boltzmann solver in the loop.
int place_with_solver(const PlaceArguments& arguments, const std::vector<std::string>& words,
                      const Structure& structure, const IonRequests& ions, Stages& stages,
                      std::ostream& out) {
  const auto acting =
      update_electrostatics(with_hybrid_default(arguments.map.update), arguments.electrostatics);
  const PbOptions pb = pb_options(arguments.pb);
  PbProtocol protocol(pb, structure, arguments.lattice, arguments.electrostatics, ions.requests);
  const LatticeGeometry& planned = protocol.calculation().fine;
  const BackendChoice backend = choose_backend_for_map(backend_options(arguments.backend), planned,
                                                       ions.requests, arguments.field.threads);
  const std::int64_t solver_bytes = apbs_bytes(planned);
  require_memory(std::max(solver_bytes, cpu_field_bytes(planned, structure.atoms.size()) +
                                            2 * planned.size() * std::int64_t{sizeof(double)}),
                 planned.size());
  RunReport report =
      start_report("place", words, structure, planned, acting.value_or(arguments.electrostatics),
                   {.method = Method::direct}, backend, arguments.field);
  report.exclusion = arguments.exclusion;
  report.method = "apbs";
  report.imported = ImportedMaps{.ions_act = acting.has_value()};
  report.solver = PoissonBoltzmann{pb.apbs.program, pb.every, protocol.solves(),
                                   protocol.calculation().ionic_strength_M, pb.options};
  warn(report, structure.warnings);
  warn(report, ions.warnings);
  warn(report, warnings(arguments.exclusion));
  if (!arguments.run.quiet) {
    print_plan(out, report, backend);
    print_row(out, "solver", describe_bytes(solver_bytes), " of memory, perhaps ",
              describe_duration(apbs_seconds(planned) * double(protocol.solves())), " on two cores");
    out.flush();
  }
  try {
    const PairPotential pair = update_potential(acting);
    protocol.place(
        ions.requests, arguments.exclusion, most_energy_kT(arguments),
        [&](const LatticeGeometry& lattice) { return make_field(backend, lattice, pair, arguments.field); },
        arguments.field.threads, stages, report.placement);
  } catch (const Interrupted& interrupted) {
    const std::string saved = save_partial(arguments, report);
    if (saved.empty()) throw;
    throw Interrupted(interrupted.signal, saved);
  } catch (const Error& error) {
    fail(error.what(), save_partial(arguments, report));
  }
  report.lattice = protocol.lattice().value_or(planned);
  report.statistics = protocol.statistics();
  OutputFiles files;
  return finish(arguments, report, nullptr, stages, files, out);
}

/// In a potential that is summed here, or read from maps.
int place_in_field(const PlaceArguments& arguments, const std::vector<std::string>& words,
                   const Structure& structure, const IonRequests& ions, Stages& stages, std::ostream& out) {
  const int threads = arguments.field.threads;
  std::optional<ImportedPotential> imported;
  if (arguments.map.given())
    stages.run("read", [&](const Progress&) {
      imported.emplace(arguments.map.files, arguments.electrostatics.temperature_K, threads);
    });
  const auto acting = imported ? update_electrostatics(arguments.map.update, arguments.electrostatics)
                               : std::optional(arguments.electrostatics);
  const PairPotential pair = update_potential(acting);
  const LatticeGeometry lattice = imported ? imported->choose_lattice(structure, arguments.lattice)
                                           : choose_lattice(structure, arguments.lattice);
  const SolverOptions asked = solver_options(arguments.method);
  const BackendChoice backend =
      imported ? choose_backend_for_map(backend_options(arguments.backend), lattice, ions.requests, threads)
               : choose_backend(backend_options(arguments.backend), asked, lattice, structure, pair,
                                arguments.field);
  const SolverOptions solver =
      imported ? SolverOptions{.method = Method::direct}  // nothing is summed, so nothing more is needed
               : choose_method(asked, backend, lattice, structure, pair, arguments.field);
  require_memory(needed_bytes(backend, lattice, structure, pair, solver, arguments.field) +
                     (imported ? imported->bytes_for(lattice) : 0),
                 lattice.size());

  RunReport report =
      start_report("place", words, structure, lattice, acting.value_or(arguments.electrostatics), solver,
                   backend, arguments.field);
  report.exclusion = arguments.exclusion;
  if (imported) {
    report.method = "map";
    report.imported = imported->description(lattice);
    report.imported->ions_act = acting.has_value();
  }
  warn(report, structure.warnings);
  warn(report, ions.warnings);
  warn(report, warnings(arguments.exclusion));
  if (imported) warn(report, imported->warnings(structure));
  for (const auto& map : {arguments.map_before, arguments.map_after})
    if (map) warn_of_placement(report, *map);
  if (acting && arguments.map.update.rule == Update::automatic && imported)
    warn(report, imported->unlike(*acting));
  if (!arguments.run.quiet) print_plan(out, report, backend);

  const auto field = make_field(backend, lattice, pair, arguments.field);
  std::int64_t unreached = 0;
  stages.run("exclusion", [&](const Progress&) {
    field->exclude(atom_positions(structure), arguments.exclusion.ion_solute_A);
  });
  stages.run("potential", [&](const Progress& progress) {
    if (!imported) return add_potential(*field, point_charges(structure.atoms), solver, progress);
    const std::span<const double> values = imported->values_on(lattice, threads);
    field->assign(values);
    if (arguments.field.every_point)
      unreached = std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  });
  if (unreached > 0) warn(report, {unreached_warning(unreached, lattice)});
  OutputFiles files;
  if (arguments.map_before)
    stages.run("write", [&](const Progress& progress) {
      write_field(files.add(*arguments.map_before), *field, report, MapUnit::kT_e, solute_potential(report),
                  progress);
    });
  report.placement = stages.run("placement", [&](const Progress& progress) {
    return place_ions(*field, structure, ions.requests, arguments.exclusion, part_of(ions, progress),
                      most_energy_kT(arguments), threads);
  });
  if (imported) warn(report, imported->warnings(report.placement));
  report.statistics = field->statistics();
  return finish(arguments, report, field.get(), stages, files, out);
}

}  // namespace

int place_command(const std::vector<std::string>& words, std::ostream& out) {
  PlaceArguments arguments;
  if (!parse(words, arguments, out)) return done;
  arguments.map.solved = arguments.pb.given();
  if (arguments.pb.given()) adopt_solution(arguments.pb.pb, arguments.electrostatics, arguments.map.update);
  validate(arguments);
  arguments.field.threads = usable_threads(arguments.field.threads);
  if (!arguments.map.given()) pair_potential(arguments.electrostatics);
  arguments.field.every_point = arguments.map_before || arguments.map_after;
  arguments.field.refine = !arguments.no_refine;
  const auto gpu_start = start_gpu_while_reading(backend_options(arguments.backend), arguments.structure,
                                                 arguments.field.threads);
  Stages stages(terminal_observer(progress_style(arguments.run.quiet)));
  const Structure structure = stages.run(
      "read", [&](const Progress&) { return read_structure(arguments.structure, arguments.reading); });
  const IonRequests ions =
      parse_ion_requests(arguments.ions, net_charge_e(structure.atoms), arguments.naming);
  std::ostream& summary = summary_stream(outputs_of(arguments), out);
  return arguments.pb.given() ? place_with_solver(arguments, words, structure, ions, stages, summary)
                              : place_in_field(arguments, words, structure, ions, stages, summary);
}

}  // namespace ionwell
