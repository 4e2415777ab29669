#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ionwell {

/// A structure and the ions that its crystal has.
struct SetEntry {
  std::string name;
  std::string structure, sites;  // files: NAME.pqr or NAME.pqr.gz, NAME.sites.pdb
  std::string family;            // of structures that are alike; of its own without families.tsv
  std::int64_t bytes = 0;        // of the structure's file
};

/// What is wrong with an entry, and what to do.
struct SetProblem {
  std::string entry, what;
};

/// A folder of entries, by name.
struct SiteSet {
  std::string folder;
  std::vector<SetEntry> entries;
  std::vector<SetProblem> problems;   // of files that lack the other one of their pair
  std::vector<std::string> warnings;  // of entries that families.tsv lacks
  bool has_families = false;
};

/// Pairs NAME.pqr[.gz] and NAME.sites.pdb of a folder, and families.tsv when it is there: a line of names
/// divided by tabs, `entry` and `family` among them, and a line for each entry; entries that it lacks are
/// families of their own. Opens no structure. Throws Error for a folder that is none or has no pair, and for
/// a families.tsv that is no such table.
SiteSet read_site_set(const std::string& folder);

/// Files NAME.LABEL.pdb (or .cif, .gro) of ions that were placed already, around entries of a set.
struct PlacedFiles {
  std::string label;
  std::vector<std::string> by_entry;  // empty where there is none
};

/// By label, NAME.sites.pdb left out. Throws Error for a folder that is none or has no such file.
std::vector<PlacedFiles> find_placed(const SiteSet& set, const std::string& folder);

}  // namespace ionwell
