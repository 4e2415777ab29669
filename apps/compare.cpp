#include "placement/compare_sites.hpp"

#include <iostream>

#include "commands.hpp"
#include "compare_protocols.hpp"
#include "core/structure.hpp"
#include "inputs.hpp"
#include "io/pdb_sites.hpp"
#include "io/read_structure.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "run_summary.hpp"

namespace ionwell {
namespace {

std::vector<Vec3<double>> read_positions(const std::string& path) {
  std::vector<Vec3<double>> positions;
  for (const PdbSite& site : read_pdb_sites(path)) positions.push_back(site.position_A);
  return positions;
}

/// The published protocols for one structure, with or without known sites.
int compare_protocols(const std::string& path, const std::string& sites, const std::vector<std::string>& ions,
                      const RunArguments& run, std::ostream& out) {
  check_outputs({path, sites}, {{"--report", run.report}});
  Stages stages(progress_style(run.quiet));
  const Structure structure = read_structure(path);
  const IonRequests requests = parse_ion_requests(ions, net_charge_e(structure.atoms), IonNaming::pdb);
  std::vector<std::string> warnings = structure.warnings;
  warnings.insert(warnings.end(), requests.warnings.begin(), requests.warnings.end());
  print_warnings(std::cerr, warnings);
  const std::vector<Vec3<double>> known = sites.empty() ? std::vector<Vec3<double>>{} : read_positions(sites);
  const std::vector<ProtocolResult> results = run_protocols(structure, requests.requests, known, stages);
  if (run.report) write_file(*run.report, json_protocols(structure, warnings, results));
  if (!run.quiet) print_protocols(out, results);
  return done;
}

}  // namespace

int compare_command(const std::vector<std::string>& words, std::ostream& out) {
  std::string ions, sites;
  std::vector<std::string> requests;
  RunArguments run;
  CommandLine line(
      {.name = "compare",
       .synopsis = "IONS.pdb SITES.pdb | STRUCTURE.pqr [SITES.pdb] --ion NAME:COUNT ...",
       .about =
           "Counts the known sites, for example a crystal's ions, that have a placed ion within some\n"
           "distances, and those that can each have one of its own. With --ion the first file is a "
           "structure:\n"
           "its ions are placed by each of the published protocols (Coulomb, distance-dependent dielectric,\n"
           "Debye-Hueckel, and, with APBS, hybrid and iterated), which are compared with each other.",
       .examples = "  ionwell compare ions.pdb crystal-ions.pdb\n"
                   "      how many of the crystal's ions were found, within 1 to 8 A\n"
                   "  ionwell compare ions.pdb crystal-ions.pdb --report sites.json --quiet\n"
                   "      the same for a program\n"
                   "  ionwell compare rna.pqr crystal-ions.pdb --ion MG:9\n"
                   "      which protocol finds the crystal's ions, and how long each takes\n"});
  line.add_file("IONS.pdb or STRUCTURE", ions);
  line.add_optional_file("SITES.pdb", sites);
  line.group("Protocols")
      .add("ion", requests, "NAME:COUNT[:CHARGE]", "ions to place by each protocol, as in 'place'");
  add_run_options(line.group("Output"), run);
  if (!line.parse(words, out)) return done;
  check_inputs({ions, sites});
  if (!requests.empty()) return compare_protocols(ions, sites, requests, run, out);
  if (sites.empty()) fail<UsageError>("SITES.pdb is missing; usage: ionwell compare IONS.pdb SITES.pdb");
  check_outputs({ions, sites}, {{"--report", run.report}});

  const SiteComparison comparison = compare_sites(read_positions(ions), read_positions(sites));
  if (run.report) write_file(*run.report, json_comparison(comparison));
  if (!run.quiet) print_comparison(out, comparison);
  return done;
}

}  // namespace ionwell
