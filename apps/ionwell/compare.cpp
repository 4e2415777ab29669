#include "placement/compare_sites.hpp"

#include <iostream>

#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "core/structure.hpp"
#include "core/text/count_text.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/protocol_table.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "structures/assign_radii.hpp"
#include "structures/file_format.hpp"
#include "structures/pdb_sites.hpp"

namespace ionwell {
namespace {

struct CompareArguments {
  StructureArguments structure;  // or ions and sites
  std::vector<std::string> requests;
  SiteChoice choice = SiteChoice::ions;
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

/// Takes the file of sites off the structure's files, where it is the last of them.
std::string split_sites(CompareArguments& arguments) {
  std::vector<std::string>& files = arguments.structure.files;
  const auto is_topology = [](const std::string& path) {
    if (is_standard_input(path)) return false;
    const std::optional<FileFormat> format = format_of_file(InputFile(path));
    return format && role_of(*format) == FileRole::topology;
  };
  const std::size_t own = is_topology(files.front()) ? 2 : 1;
  if (files.size() > own + 1)
    fail<UsageError>("'", files[own + 1],
                     "' is one file too many; give the structure, and SITES.pdb behind it");
  if (files.size() <= own) return {};
  std::string sites = files.back();
  files.pop_back();
  return sites;
}

/// The published protocols for one structure, with or without known sites.
int compare_protocols(CompareArguments& arguments, std::ostream& out) {
  const RunArguments& run = arguments.run;
  const std::string sites = split_sites(arguments);
  if (arguments.choice != SiteChoice::ions && sites.empty())
    fail<UsageError>(
        "--sites is given, but SITES.pdb is not; name it behind the structure, or leave --sites out");
  const std::vector<RequestedOutput> outputs = {{"--report", run.report}};
  std::vector<std::string> inputs = arguments.structure.files;
  inputs.push_back(sites);
  check_outputs(inputs, outputs);
  std::ostream& summary = summary_stream(outputs, out);
  Input input = read_structure_files(arguments.structure);
  complete_radii(input.structure);
  const Structure& structure = input.structure;
  const IonRequests requests =
      parse_ion_requests(arguments.requests, net_charge_e(structure.atoms), IonNaming::pdb);
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
       .synopsis = "IONS.pdb SITES.pdb | STRUCTURE [COORDINATES] [SITES.pdb] --ion NAME:COUNT ...",
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
  line.add_files("IONS.pdb or STRUCTURE", arguments.structure.files, 1, most_structure_files);
  line.group("Sites").add_choice(
      "sites", arguments.choice, {{"ions", SiteChoice::ions}, {"all", SiteChoice::all}},
      "which atoms of the PDB files are compared, those that are ions by residue, element or charge, or all");
  OptionGroup& protocols = line.group("Protocols");
  protocols.add("ion", arguments.requests, "NAME:COUNT[:CHARGE]",
                "ions to place by each protocol, as in 'place'");
  add_structure_options(line.group("Structure"), arguments.structure);
  add_run_options(line.group("Output"), arguments.run);
  return line.parse(words, out);
}

}  // namespace

int compare_command(const std::vector<std::string>& words, std::ostream& out) {
  CompareArguments arguments;
  if (!parse(words, arguments, out)) return done;
  const std::vector<std::string>& files = arguments.structure.files;
  check_inputs(files);
  if (!arguments.requests.empty()) return compare_protocols(arguments, out);
  constexpr const char* usage = "; usage: ionwell compare IONS.pdb SITES.pdb";
  if (files.size() < 2) fail<UsageError>("SITES.pdb is missing", usage);
  if (files.size() > 2) fail<UsageError>("'", files[2], "' is one file or word too many", usage);
  if (arguments.structure.has_options())
    fail<UsageError>(
        "options of a structure are given, but --ion is not, which places ions around one; give --ion, or "
        "leave "
        "them out");
  const auto& run = arguments.run;
  const std::vector<RequestedOutput> outputs = {{"--report", run.report}};
  check_outputs(files, outputs);
  std::ostream& summary = summary_stream(outputs, out);

  const std::vector<Vec3<double>> placed = read_positions(files[0], arguments, summary);
  const SiteComparison comparison = compare_sites(placed, read_positions(files[1], arguments, summary));
  if (run.report) write_file(*run.report, json_comparison(comparison));
  if (!run.quiet) print_comparison(summary, comparison);
  return done;
}

}  // namespace ionwell
