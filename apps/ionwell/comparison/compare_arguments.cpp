// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/comparison/compare_arguments.hpp"

#include <utility>

#include "cli/command_rules.hpp"
#include "core/error.hpp"
#include "ionwell/pb_arguments.hpp"
#include "jobs/compare/protocols.hpp"

namespace ionwell {
namespace {

/// Throws UsageError for files of another way to use the command.
void check_files(const CompareArguments& arguments) {
  const std::vector<std::string>& files = arguments.structure.files;
  if (arguments.seed && *arguments.seed < 0)
    fail<UsageError>("--seed is ", *arguments.seed, "; it must not be negative");
  validate(arguments.checkpoint);
  constexpr const char* usage = "; usage: ionwell compare IONS.pdb SITES.pdb";
  if (files.empty()) fail<UsageError>("IONS.pdb or STRUCTURE is missing", usage);
  if (!arguments.requests.empty()) return;
  if (files.size() < 2) fail<UsageError>("SITES.pdb is missing", usage);
  if (files.size() > 2) fail<UsageError>("'", files[2], "' is one argument too many", usage);
}

/// "coulomb, ddd": for the help.
std::string names_of(const std::vector<Protocol>& rows) {
  std::string names;
  for (const Protocol& row : rows) names += (names.empty() ? "" : ", ") + row.name;
  return names;
}

/// Throws UsageError for the option of a command that is a script now.
void refuse_set(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word == "--set" || word.starts_with("--set="))
      fail<UsageError>(
          "--set is a script of the Python package now; use python3 -m ionwell.compare_set DIR (--help has "
          "its "
          "options)");
}

}  // namespace

bool parse(const std::vector<std::string>& words, CompareArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "compare",
       .synopsis = "IONS.pdb SITES.pdb | STRUCTURE [COORDINATES] [SITES.pdb] --ion NAME:COUNT ...",
       .about =
           "Counts the known sites, for example the ions of a crystal, that have a placed ion within several "
           "distances, and the sites that can each be matched with an ion of its own. With --ion the first "
           "file is a structure: ionwell places its ions by each of the published protocols (Coulomb, "
           "distance-dependent dielectric, Debye-Hueckel, and, unless --pb is none, hybrid and iterated) and "
           "compares the results. For a folder of structures the Python package has a script: python3 -m "
           "ionwell.compare_set.",
       .examples = "  ionwell compare ions.pdb crystal-ions.pdb\n"
                   "      how many of the crystal's ions were found, within 1 to 8 A\n"
                   "  ionwell compare ions.pdb crystal-ions.pdb --random-around rna.pqr\n"
                   "      the same, compared with random positions\n"
                   "  ionwell compare ions.pdb crystal-ions.pdb --report sites.json --quiet\n"
                   "      the same for programs\n"
                   "  ionwell compare rna.pqr crystal-ions.pdb --ion MG:9\n"
                   "      which protocol finds the crystal's ions, and how long each takes\n",
       .common = {"sites", "site-weights", "random-around", "ion", "protocol", "pb", "report", "quiet"}});
  line.add_files("IONS.pdb or STRUCTURE", arguments.structure.files, 0, most_structure_files);
  OptionGroup& sites = line.group("Sites");
  sites.add_choice(
      "sites", arguments.choice, {{"ions", SiteChoice::ions}, {"all", SiteChoice::all}},
      "atoms of the PDB files to compare, which are ions by residue, element or charge, or all atoms");
  sites.add_choice(
      "site-weights", arguments.weight,
      {{"none", SiteWeight::none}, {"occupancy", SiteWeight::occupancy}, {"bfactor", SiteWeight::b_factor}},
      "also weight the sites by their occupancy, or by the inverse of their B-factor");
  sites.add(
      "random-around", arguments.random_around, "STRUCTURE",
      "also count the sites found by the same number of ions at random positions around this structure, "
      "5 to 8 A from it and 5 A apart, averaged over 100 draws");
  sites.add("seed", arguments.seed, "N", "seed of the random positions", Default{"1"});
  OptionGroup& protocols = line.group("Protocols");
  protocols.add("ion", arguments.requests, "NAME:COUNT[:CHARGE]",
                "ions to place by each protocol, as in 'ionwell place'", Default{"none"});
  protocols.add("protocol", arguments.protocols, "NAME",
                "compare only this protocol; may be repeated: " + names_of(known_protocols(PbSolvedBy::own)),
                Default{names_of(choose_protocols({}, PbSolvedBy::own))});
  add_solver_option(protocols, arguments.solver, PbSolvers::own_and_apbs,
                    "leave out the protocols that need it");
  add_structure_options(line, arguments.structure);
  add_run_options(line.group("Output"), arguments.run);
  add_threads_option(line.group("Computing"), arguments.threads);
  add_checkpoint_options(line.group("Checkpoints"), line.tuning(), arguments.checkpoint);
  arguments.checkpoint.settings = line.settings();
  refuse_set(words);
  line.add_rules(compare_rules());
  if (!line.parse(words, out)) return false;
  check_files(arguments);
  return true;
}

}  // namespace ionwell
