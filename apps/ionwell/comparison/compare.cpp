// SPDX-License-Identifier: BSD-3-Clause
#include "placement/scoring/compare_sites.hpp"

#include <algorithm>
#include <iostream>

#include "cli/inputs.hpp"
#include "cli/outputs.hpp"
#include "cli/pending_messages.hpp"
#include "core/structure.hpp"
#include "core/text/count_text.hpp"
#include "core/text/quoting.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/comparison/compare_arguments.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/protocol_table.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "output/chemistry_report.hpp"
#include "placement/scoring/random_ions.hpp"
#include "structures/assign_radii.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/formats/pdb_sites.hpp"

namespace ionwell {
namespace {

/// The sites in a PDB file; on the terminal, what of it was left out.
std::vector<PdbSite> read_sites(const std::string& path, const CompareArguments& arguments,
                                std::ostream& out) {
  PdbSites read = read_pdb_sites(path, arguments.choice);
  if (read.others > 0 && !arguments.run.quiet)
    out << one_line(path) << ": " << count_of(std::int64_t(read.sites.size()), "ion") << "; "
        << count_of(read.others, "other atom") << " left out (--sites all includes them)\n";
  return std::move(read.sites);
}

std::vector<Vec3<double>> positions_of(const std::vector<PdbSite>& sites) {
  std::vector<Vec3<double>> positions;
  positions.reserve(sites.size());
  for (const PdbSite& site : sites) positions.push_back(site.position_A);
  return positions;
}

/// The structure's atoms that are neither water nor ions: a crystal's file has the sites themselves.
std::vector<Vec3<double>> solute_positions(const std::string& path) {
  InputOptions options;
  options.needs_charges = false;
  options.water = InputWater::ignore;
  options.ignore = "ion";
  std::vector<Vec3<double>> positions;
  const Input input = read_input({path}, options);
  positions.reserve(input.system.acting().atoms.size());
  for (const Atom& atom : input.system.acting().atoms) positions.push_back(atom.position_A);
  return positions;
}

/// Placed ions against known sites.
int compare_ions(const CompareArguments& arguments, std::ostream& out) {
  const std::vector<std::string>& files = arguments.structure.files;
  const RunArguments& run = arguments.run;
  const std::vector<RequestedOutput> outputs = {{"--report", run.report}};
  std::vector<std::string> inputs = files;
  if (arguments.random_around) inputs.push_back(*arguments.random_around);
  check_inputs(inputs);
  check_outputs(inputs, outputs);
  std::ostream& summary = summary_stream(outputs, out);

  const std::vector<Vec3<double>> ions = positions_of(read_sites(files[0], arguments, summary));
  const std::vector<PdbSite> known = read_sites(files[1], arguments, summary);
  const std::vector<Vec3<double>> sites = positions_of(known);
  SiteComparison comparison =
      compare_sites(ions, sites, {.weights = site_weights(known, arguments.weight, files[1])});
  comparison.weights_from = to_string(arguments.weight);
  if (arguments.random_around) {
    RandomIonOptions options;
    if (arguments.seed) options.seed = std::uint64_t(*arguments.seed);
    const RandomIons random(solute_positions(*arguments.random_around), options);
    expect_at_random(comparison, sites, random, options, arguments.threads);
  }
  if (run.report) write_file(*run.report, json_comparison(comparison));
  if (!run.quiet) print_comparison(summary, comparison);
  return done;
}

/// Takes the file of sites off the structure's files, where it is the last of them.
std::string split_sites(CompareArguments& arguments) {
  std::vector<std::string>& files = arguments.structure.files;
  const auto is_topology = [](const std::string& path) {
    if (is_standard_input(path)) return false;
    InputFile file(path);
    const std::optional<FileFormat> format = format_of_file(file);
    return format && role_of(*format) == FileRole::topology;
  };
  const std::size_t own = is_topology(files.front()) ? 2 : 1;
  if (files.size() > own + 1)
    fail<UsageError>("'", files[own + 1],
                     "' is one file too many; give the structure, and SITES.pdb after it");
  if (files.size() <= own) return {};
  std::string sites = files.back();
  files.pop_back();
  return sites;
}

/// Those that are asked for; throws UsageError for one that needs a solver, and there is to be none.
std::vector<Protocol> protocols_of(const CompareArguments& arguments) {
  std::vector<Protocol> protocols =
      choose_protocols(arguments.protocols, arguments.solver.value_or(PbSolvedBy::own), arguments.requests);
  if (arguments.solver) return protocols;
  const auto solved = std::find_if(protocols.begin(), protocols.end(),
                                   [](const Protocol& protocol) { return protocol.is_solved(); });
  if (solved != protocols.end() && !arguments.protocols.empty())
    fail<UsageError>("--protocol ", solved->name,
                     " solves the Poisson-Boltzmann equation, and --pb is none; leave one of them out");
  std::erase_if(protocols, [](const Protocol& protocol) { return protocol.is_solved(); });
  return protocols;
}

/// The published protocols for one structure, with or without known sites.
int compare_protocols(CompareArguments& arguments, std::ostream& out, RankGroup* ranks) {
  const RunArguments& run = arguments.run;
  const std::string sites = split_sites(arguments);
  if (arguments.choice != SiteChoice::ions && sites.empty())
    fail<UsageError>(
        "--sites is given, but SITES.pdb is not; name it after the structure, or leave --sites out");
  const std::vector<Protocol> protocols = protocols_of(arguments);
  const std::vector<RequestedOutput> outputs = {{"--report", run.report},
                                                requested_checkpoint(arguments.checkpoint)};
  std::vector<std::string> inputs = arguments.structure.files;
  inputs.push_back(sites);
  check_outputs(inputs, outputs);
  std::ostream& summary = summary_stream(outputs, out);
  Input input = read_input(arguments.structure.files, arguments.structure.options);
  complete_radii(input.system.acting());
  const Structure& structure = input.system.acting();
  const IonRequests requests =
      parse_ion_requests(arguments.requests, net_charge_e(structure.atoms), IonNaming::pdb);
  std::vector<std::string> warnings = structure.warnings;
  warnings.insert(warnings.end(), requests.warnings.begin(), requests.warnings.end());
  add_messages(warnings);
  if (!run.quiet) {
    print_structure(summary, structure);
    print_decisions(summary, input.chemistry);
  }
  const std::vector<Vec3<double>> known =
      sites.empty() ? std::vector<Vec3<double>>{} : positions_of(read_sites(sites, arguments, summary));
  const auto checkpoint =
      open_checkpoint(arguments.checkpoint, "compare", {structure.atoms, structure.cell, {}});
  if (!run.quiet) print_checkpoint(summary, checkpoint.get());
  summary.flush();
  const std::vector<ProtocolResult> results = run_noting(checkpoint.get(), {}, [&] {
    return run_protocols(structure, requests.requests, known, protocols,
                         terminal_observer(progress_style(run.quiet)), checkpoint.get(), arguments.threads,
                         ranks);
  });
  if (run.report)
    write_file(*run.report, with_chemistry(json_protocols(structure, warnings, results), input.chemistry));
  if (!run.quiet) print_protocols(summary << '\n', results);
  return done;
}

}  // namespace

int compare_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  CompareArguments arguments;
  if (!parse(words, arguments, out)) return done;
  arguments.threads = usable_threads(arguments.threads);
  check_inputs(arguments.structure.files);
  return arguments.requests.empty() ? compare_ions(arguments, out)
                                    : compare_protocols(arguments, out, backends.ranks());
}

}  // namespace ionwell
