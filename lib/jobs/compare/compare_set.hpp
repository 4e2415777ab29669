#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/observer.hpp"
#include "jobs/compare/protocols.hpp"
#include "jobs/compare/set_scores.hpp"
#include "jobs/compare/site_set.hpp"
#include "parallel/progress.hpp"
#include "structures/formats/pdb_sites.hpp"

/// Protocols side by side, for a folder of structures whose sites are known.
namespace ionwell {

struct SetOptions {
  std::vector<std::string> ions = {"MG:sites"};  // NAME:COUNT[:CHARGE]; `sites`: as many as the entry has
  double ions_per_site = 1.0;                    // where the count is `sites`
  std::vector<Protocol> protocols;
  std::optional<std::string> placed_folder;  // NAME.LABEL.pdb: ions that are scored, too
  SiteChoice sites = SiteChoice::ions;
  SiteWeight weight = SiteWeight::none;
  BootstrapOptions bootstrap;  // its seed is that of the random ions as well
  int threads = 0;
};

/// One row of the table, which need not be a protocol: random ions, ions of files.
struct SetRow {
  std::string name, about;
  std::string not_run;                            // why, when it could not be
  std::vector<std::optional<EntryScore>> scores;  // by entry
  PooledScore all;
};

struct SetComparison {
  SiteSet set;
  std::vector<std::int64_t> atoms;  // by entry
  std::vector<SetRow> rows;
  std::vector<SetProblem> problems;   // entries that could not be scored in all rows, or not at all
  std::vector<std::string> warnings;  // of structures, and of ions that found no room
};

/// Runs all protocols for all entries of `folder`, several entries at a time, as many as there are threads
/// and memory for (Plan::host_bytes); protocols of a solver one after the other, with all threads. Rows
/// `random` and `random-3.5` have as many ions at random places, so far from the solute as the protocols'
/// are. The scores do not depend on threads. What is wrong with an entry becomes a problem and the others go
/// on. The observer gets stages alone. Throws Error as read_site_set and find_placed, UsageError for ions
/// that cannot be asked for, Interrupted when a signal was noted while a solver ran. `checkpoint` may be
/// null; it saves scores, and the ions of a protocol of a solver.
SetComparison compare_set(const std::string& folder, const SetOptions& options, const RunObserver& observer,
                          Checkpoint* checkpoint = nullptr);

}  // namespace ionwell
