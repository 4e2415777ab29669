#include "placement/compare_sites.hpp"

#include "commands.hpp"
#include "io/pdb_sites.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace ionwell {
namespace {

std::vector<Vec3<double>> read_positions(const std::string& path) {
  std::vector<Vec3<double>> positions;
  for (const PdbSite& site : read_pdb_sites(path)) positions.push_back(site.position_A);
  return positions;
}

}  // namespace

int compare_command(const std::vector<std::string>& words, std::ostream& out) {
  std::string ions, sites;
  RunArguments run;
  CommandLine line(
      {.name = "compare",
       .synopsis = "IONS.pdb SITES.pdb",
       .about = "Counts the known sites, for example a crystal's ions, that have a placed ion within some\n"
                "distances, and those that can each have one of its own.",
       .examples = "  ionwell compare ions.pdb crystal-ions.pdb\n"
                   "      how many of the crystal's ions were found, within 1 to 8 A\n"
                   "  ionwell compare ions.pdb crystal-ions.pdb --report sites.json --quiet\n"
                   "      the same for a program\n"});
  line.add_file("IONS.pdb", ions);
  line.add_file("SITES.pdb", sites);
  add_run_options(line.group("Output"), run);
  if (!line.parse(words, out)) return done;
  check_outputs({ions, sites}, {{"--report", run.report}});

  const SiteComparison comparison = compare_sites(read_positions(ions), read_positions(sites));
  if (run.report) write_file(*run.report, json_comparison(comparison));
  if (!run.quiet) print_comparison(out, comparison);
  return done;
}

}  // namespace ionwell
