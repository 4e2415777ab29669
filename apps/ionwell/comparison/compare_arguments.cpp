#include "ionwell/comparison/compare_arguments.hpp"

#include <utility>

#include "cli/command_rules.hpp"
#include "core/error.hpp"
#include "run/comparison/protocols.hpp"

namespace ionwell {
namespace {

/// Throws UsageError for files of another way to use the command.
void check_files(const CompareArguments& arguments) {
  const std::vector<std::string>& files = arguments.structure.files;
  if (arguments.seed && *arguments.seed < 0)
    fail<UsageError>("--seed is ", *arguments.seed, "; it must not be negative");
  validate(arguments.checkpoint);
  if (arguments.set) {
    if (!files.empty())
      fail<UsageError>("'", files.front(),
                       "' is one file or word too many; --set DIR has the structures and sites");
    return;
  }
  constexpr const char* usage = "; usage: ionwell compare IONS.pdb SITES.pdb";
  if (files.empty()) fail<UsageError>("IONS.pdb or STRUCTURE is missing", usage);
  if (!arguments.requests.empty()) return;
  if (files.size() < 2) fail<UsageError>("SITES.pdb is missing", usage);
  if (files.size() > 2) fail<UsageError>("'", files[2], "' is one file or word too many", usage);
}

/// "coulomb, ddd": those that are compared when none is named, or all, for the help.
std::string protocol_names(bool (*is_meant)(const Protocol& row)) {
  std::string names;
  for (const Protocol& row : known_protocols(PbSolvedBy::own))
    if (is_meant(row)) names += (names.empty() ? "" : ", ") + row.name;
  return names;
}

std::string protocol_help() {
  return "compare only this one, and others named so: " +
         protocol_names([](const Protocol&) { return true; }) +
         " (not given: " + protocol_names([](const Protocol& row) { return row.is_usual_for_one; }) +
         "; with --set " + protocol_names([](const Protocol& row) { return row.is_usual_for_set; }) + ')';
}

}  // namespace

bool parse(const std::vector<std::string>& words, CompareArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "compare",
       .synopsis = "IONS.pdb SITES.pdb | STRUCTURE [COORDINATES] [SITES.pdb] --ion NAME:COUNT ... | "
                   "--set DIR [--protocol NAME ...] [--csv FILE]",
       .about =
           "Counts the known sites, for example a crystal's ions, that have a placed ion within some\n"
           "distances, and those that can each have one of its own. With --ion the first file is a "
           "structure:\n"
           "its ions are placed by each of the published protocols (Coulomb, distance-dependent dielectric,\n"
           "Debye-Hueckel, and, with APBS, hybrid and iterated), which are compared with each other. With "
           "--set\n"
           "this is done for a folder of structures and their known sites, NAME.pqr (or NAME.pqr.gz) and\n"
           "NAME.sites.pdb, several at a time; families.tsv in it (columns entry and family) says which are\n"
           "alike, for intervals.",
       .examples = "  ionwell compare ions.pdb crystal-ions.pdb\n"
                   "      how many of the crystal's ions were found, within 1 to 8 A\n"
                   "  ionwell compare ions.pdb crystal-ions.pdb --random-around rna.pqr\n"
                   "      the same beside what chance finds\n"
                   "  ionwell compare ions.pdb crystal-ions.pdb --report sites.json --quiet\n"
                   "      the same for a program\n"
                   "  ionwell compare rna.pqr crystal-ions.pdb --ion MG:9\n"
                   "      which protocol finds the crystal's ions, and how long each takes\n"
                   "  ionwell compare --set crystals --csv table.csv\n"
                   "      the same for a folder, with intervals: what a paper would print\n"
                   "  ionwell compare --set crystals --placed mine --protocol coulomb\n"
                   "      ions of another program, mine/NAME.LABEL.pdb, beside one protocol\n"});
  line.add_files("IONS.pdb or STRUCTURE", arguments.structure.files, 0, most_structure_files);
  OptionGroup& sites = line.group("Sites");
  sites.add_choice(
      "sites", arguments.choice, {{"ions", SiteChoice::ions}, {"all", SiteChoice::all}},
      "which atoms of the PDB files are compared, those that are ions by residue, element or charge, or all");
  sites.add_choice(
      "site-weights", arguments.weight,
      {{"none", SiteWeight::none}, {"occupancy", SiteWeight::occupancy}, {"bfactor", SiteWeight::b_factor}},
      "also count the sites by their occupancy, or by the inverse of their B-factor");
  sites.add("random-around", arguments.random_around, "STRUCTURE",
            "also count what as many ions find at random places around this structure, 5 to 8 A from it and "
            "5 A apart, the mean of 100 draws");
  sites.add("seed", arguments.seed, "N", "what they are drawn by, and the intervals of a set (not given: 1)");
  OptionGroup& protocols = line.group("Protocols");
  protocols.add(
      "ion", arguments.requests, "NAME:COUNT[:CHARGE]",
      "ions to place by each protocol, as in 'place'; with --set COUNT can be 'sites', as many as the "
      "entry has (not given there: MG:sites)");
  protocols.add("protocol", arguments.protocols, "NAME", protocol_help());
  protocols.add_choice<std::optional<PbSolvedBy>>(
      "pb", arguments.solver, {{"own", PbSolvedBy::own}, {"apbs", PbSolvedBy::apbs}},
      "who solves the Poisson-Boltzmann equation (not given: apbs; own with --set)");
  OptionGroup& sets = line.group("A set");
  sets.add("set", arguments.set, "DIR", "compare for all structures in this folder");
  sets.add("per-site", arguments.per_site, "F",
           "so many ions for each site, where COUNT is 'sites' (not given: 1)");
  sets.add("placed", arguments.placed, "DIR",
           "also score the ions in files NAME.LABEL.pdb, .cif or .gro of this folder");
  sets.add("csv", arguments.csv, "FILE", "table of all entries and distances, - for standard output");
  sets.add(
      "threads", arguments.threads, "N",
      "entries at a time, at most one for each core, and no more than there is memory for (not given: one "
      "for each core)");
  add_structure_options(line.group("Structure"), arguments.structure);
  add_run_options(line.group("Output"), arguments.run);
  add_checkpoint_options(line.group("Long runs"), line.tuning(), arguments.checkpoint);
  arguments.checkpoint.settings = line.settings();
  line.add_rules(compare_rules());
  if (!line.parse(words, out)) return false;
  check_files(arguments);
  return true;
}

}  // namespace ionwell
