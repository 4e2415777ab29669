#include "placement/compare_sites.hpp"

#include <iostream>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "core/structure.hpp"
#include "core/text/count_text.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/protocol_table.hpp"
#include "ionwell/run_summary.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/terminal_observer.hpp"
#include "structures/pdb_sites.hpp"

namespace ionwell {
namespace {

struct CompareArguments {
  std::string ions, sites;
  std::vector<std::string> requests;
  SiteChoice choice = SiteChoice::ions;
  ReadOptions reading;
  RunArguments run;
};

/// The positions in a PDB file; on the terminal, what of it was left out.
std::vector<Vec3<double>> read_positions(const std::string& path, const CompareArguments& arguments,
                                         std::ostream& out) {
  const PdbSites read = read_pdb_sites(path, arguments.choice);
  if (read.others > 0 && !arguments.run.quiet)
    out << path << ": " << count_of(std::int64_t(read.sites.size()), "ion") << "; "
        << count_of(read.others, "other atom") << " left out (--sites all takes them, too)\n";
  std::vector<Vec3<double>> positions;
  for (const PdbSite& site : read.sites) positions.push_back(site.position_A);
  return positions;
}

/// The published protocols for one structure, with or without known sites.
int compare_protocols(const CompareArguments& arguments, std::ostream& out) {
  const auto& [path, sites, ions, choice, reading, run] = arguments;
  if (choice != SiteChoice::ions && sites.empty())
    fail<UsageError>(
        "--sites is given, but SITES.pdb is not; name it behind the structure, or leave --sites out");
  const std::vector<RequestedOutput> outputs = {{"--report", run.report}};
  check_outputs({path, sites}, outputs);
  std::ostream& summary = summary_stream(outputs, out);
  const Structure structure = read_structure(path, reading);
  const IonRequests requests = parse_ion_requests(ions, net_charge_e(structure.atoms), IonNaming::pdb);
  std::vector<std::string> warnings = structure.warnings;
  warnings.insert(warnings.end(), requests.warnings.begin(), requests.warnings.end());
  print_warnings(std::cerr, warnings);
  if (!run.quiet) print_structure(summary, structure);
  const std::vector<Vec3<double>> known =
      sites.empty() ? std::vector<Vec3<double>>{} : read_positions(sites, arguments, summary);
  summary.flush();
  const std::vector<ProtocolResult> results =
      run_protocols(structure, requests.requests, known, terminal_observer(progress_style(run.quiet)));
  if (run.report) write_file(*run.report, json_protocols(structure, warnings, results));
  if (!run.quiet) print_protocols(summary << '\n', results);
  return done;
}

bool parse(const std::vector<std::string>& words, CompareArguments& arguments, std::ostream& out) {
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
  line.add_file("IONS.pdb or STRUCTURE", arguments.ions);
  line.add_optional_file("SITES.pdb", arguments.sites);
  line.group("Sites").add_choice(
      "sites", arguments.choice, {{"ions", SiteChoice::ions}, {"all", SiteChoice::all}},
      "which atoms of the PDB files are compared, those that are ions by residue, element or charge, or all");
  OptionGroup& protocols = line.group("Protocols");
  protocols.add("ion", arguments.requests, "NAME:COUNT[:CHARGE]",
                "ions to place by each protocol, as in 'place'");
  add_structure_options(protocols, arguments.reading);
  add_run_options(line.group("Output"), arguments.run);
  return line.parse(words, out);
}

}  // namespace

int compare_command(const std::vector<std::string>& words, std::ostream& out) {
  CompareArguments arguments;
  if (!parse(words, arguments, out)) return done;
  check_inputs({arguments.ions, arguments.sites});
  if (!arguments.requests.empty()) return compare_protocols(arguments, out);
  const auto& [ions, sites, requests, choice, reading, run] = arguments;
  if (sites.empty()) fail<UsageError>("SITES.pdb is missing; usage: ionwell compare IONS.pdb SITES.pdb");
  if (reading.water != InputWater::solute_with_warning)
    fail<UsageError>(
        "--input-water is for the structure that --ion places ions around; give --ion, or leave it out");
  const std::vector<RequestedOutput> outputs = {{"--report", run.report}};
  check_outputs({ions, sites}, outputs);
  std::ostream& summary = summary_stream(outputs, out);

  const std::vector<Vec3<double>> placed = read_positions(ions, arguments, summary);
  const SiteComparison comparison = compare_sites(placed, read_positions(sites, arguments, summary));
  if (run.report) write_file(*run.report, json_comparison(comparison));
  if (!run.quiet) print_comparison(summary, comparison);
  return done;
}

}  // namespace ionwell
