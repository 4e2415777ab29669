#include "jobs/compare/compare_set.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <mutex>
#include <new>
#include <numeric>
#include <string_view>
#include <thread>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "input/read_input.hpp"
#include "jobs/compare/memory_gate.hpp"
#include "jobs/compare/saved_scores.hpp"
#include "jobs/place/run.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "placement/scoring/random_ions.hpp"
#include "programs/child_process.hpp"
#include "structures/assign_radii.hpp"

namespace ionwell {
namespace {

constexpr std::string_view placed_prefix = "placed:", as_many_as_sites = "sites";

/// Random ions keep the distances of the protocols that they are compared with: crystals' sites are near.
struct RandomRow {
  const char* name;
  const char* about;
  double ion_solute_A;
};
constexpr RandomRow random_rows[] = {
    {"random", "as many at random places 5 to 8 A from the solute, the mean of 100 draws", 5.0},
    {"random-3.5", "as many at random places 3.5 to 8 A from the solute, the mean of 100 draws", 3.5}};

using Points = std::vector<Vec3<double>>;

/// What was read of one entry.
struct EntryInput {
  Structure structure;
  Points sites;
  std::vector<double> weights;  // of the sites; empty: all alike
  IonRequests ions;

  std::int64_t ion_count() const {
    std::int64_t count = 0;
    for (const IonRequest& request : ions.requests) count += request.count;
    return count;
  }
};

Points positions_of(const PdbSites& read) {
  Points points;
  points.reserve(read.sites.size());
  for (const PdbSite& site : read.sites) points.push_back(site.position_A);
  return points;
}

/// "MG:sites", "MG:sites:2" with a number for the word.
std::string with_count(const std::string& request, std::int64_t count) {
  const std::size_t begin = request.find(':');
  if (begin == std::string::npos) return request;
  const std::size_t end = std::min(request.find(':', begin + 1), request.size());
  if (std::string_view(request).substr(begin + 1, end - begin - 1) != as_many_as_sites) return request;
  return request.substr(0, begin + 1) + std::to_string(count) + request.substr(end);
}

IonRequests requests_for(const SetOptions& options, std::int64_t sites, double charge_e) {
  const std::int64_t count = std::max<std::int64_t>(1, std::llround(options.ions_per_site * double(sites)));
  std::vector<std::string> texts;
  texts.reserve(options.ions.size());
  for (const std::string& text : options.ions) texts.push_back(with_count(text, count));
  return parse_ion_requests(texts, charge_e, IonNaming::pdb);
}

EntryInput read_entry(const SetEntry& entry, const SetOptions& options) {
  EntryInput input;
  input.structure = read_input({entry.structure}).structure;
  complete_radii(input.structure);
  const PdbSites sites = read_pdb_sites(entry.sites, options.sites);
  input.sites = positions_of(sites);
  input.weights = site_weights(sites.sites, options.weight, entry.sites);
  input.ions = requests_for(options, std::ssize(input.sites), net_charge_e(input.structure.atoms));
  return input;
}

EntryScore score_of(const SiteComparison& comparison) {
  EntryScore score{.ions = comparison.ions, .sites = comparison.sites};
  score.matched.reserve(comparison.within.size());
  for (const SitesWithin& row : comparison.within)
    score.matched.push_back(row.at_random.value_or(double(row.matched)));
  if (!comparison.is_weighted) return score;
  score.weighted_recall.reserve(comparison.within.size());
  for (const SitesWithin& row : comparison.within) score.weighted_recall.push_back(row.matched_weight);
  return score;
}

EntryScore score_of(std::span<const Vec3<double>> ions, const EntryInput& input) {
  return score_of(compare_sites(ions, input.sites, {site_distances_A, input.weights}));
}

EntryScore random_score(const EntryInput& input, const SetOptions& options, double ion_solute_A) {
  SiteComparison comparison = compare_sites({}, input.sites, {site_distances_A});
  comparison.ions = input.ion_count();
  const RandomIonOptions random{.exclusion = {.ion_solute_A = ion_solute_A}, .seed = options.bootstrap.seed};
  Points atoms;
  atoms.reserve(input.structure.atoms.size());
  for (const Atom& atom : input.structure.atoms) atoms.push_back(atom.position_A);
  expect_at_random(comparison, input.sites, RandomIons(atoms, random), random);
  return score_of(comparison);
}

/// work(), which other threads go on beside: what a signal ends is saved before they are waited for.
template <typename Work>
void saving_when_interrupted(Checkpoint* checkpoint, const Work& work) {
  try {
    work();
  } catch (const Interrupted&) {
    if (checkpoint != nullptr) checkpoint->save();
    throw;
  }
}

/// Fills a comparison, entry by entry; several threads may do so at a time.
class SetRun {
 public:
  SetRun(SetComparison& comparison, const SetOptions& options, std::vector<PlacedFiles> placed,
         Checkpoint* checkpoint)
      : comparison_(comparison),
        options_(options),
        placed_(std::move(placed)),
        checkpoint_(checkpoint),
        memory_(available_memory_bytes()) {
    if (checkpoint_ == nullptr || checkpoint_->resumed() == nullptr) return;
    checkpoint_->guarding_resumed([&] {
      const SavedState& state = *checkpoint_->resumed();
      take_up_scores(state, comparison_.rows);
      if (state.has(under_way)) resumed_solve_ = state.get<std::int64_t>(under_way, 2);
    });
  }

  /// All scores so far.
  SavedState state() {
    const std::lock_guard lock(mutex_);
    SavedState state;
    save_scores(state, comparison_.rows);
    return state;
  }

  /// Reads it, and scores all rows that need no solver.
  void score_entry(std::size_t n) {
    guarded(n, "", [&] {
      const EntryInput input = read_entry(comparison_.set.entries[n], options_);
      note(n, input);
      for (std::size_t row = 0; row < comparison_.rows.size(); ++row)
        guarded(n, comparison_.rows[row].name, [&] { score_row(n, row, input); });
    });
  }

  bool needs_solver() const {
    return std::any_of(options_.protocols.begin(), options_.protocols.end(), is_to_be_solved);
  }

  /// Reads it again, and scores those that have one; an entry that could not be read is left out.
  void solve_entry(std::size_t n, int threads, Stages& stages) {
    if (comparison_.atoms[n] == 0) return;
    guarded(n, "", [&] {
      const EntryInput input = read_entry(comparison_.set.entries[n], options_);
      for (std::size_t p = 0; p < options_.protocols.size(); ++p)
        if (is_to_be_solved(options_.protocols[p]))
          guarded(n, options_.protocols[p].name, [&] {
            if (!comparison_.rows[p].scores[n]) begin_solve(n, p);
            place(n, p, input, threads, stages);
          });
    });
  }

 private:
  static bool is_to_be_solved(const Protocol& protocol) {
    return protocol.is_solved() && protocol.not_run.empty();
  }

  /// Does work() and keeps an Error as a problem of entry n; a signal ends everything.
  template <typename Work>
  void guarded(std::size_t n, const std::string& row, const Work& work) {
    std::string problem;
    try {
      return work();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      problem = error.what();
    } catch (const std::bad_alloc&) {
      problem = "there is not enough memory for it; use fewer --threads";
    }
    const std::lock_guard lock(mutex_);
    comparison_.problems.push_back(
        {comparison_.set.entries[n].name, row.empty() ? problem : row + ": " + problem});
  }

  void note(std::size_t n, const EntryInput& input) {
    const std::lock_guard lock(mutex_);
    comparison_.atoms[n] = std::ssize(input.structure.atoms);
    for (const std::vector<std::string>* const some : {&input.structure.warnings, &input.ions.warnings})
      for (const std::string& text : *some)
        comparison_.warnings.push_back(comparison_.set.entries[n].name + ": " + text);
  }

  void keep_score(std::size_t n, std::size_t row, EntryScore score) {
    const std::lock_guard lock(mutex_);
    comparison_.rows[row].scores[n] = std::move(score);
  }

  /// Looks after the checkpoint, on the thread that may.
  Stages unseen_stages() {
    if (checkpoint_ == nullptr || std::this_thread::get_id() != caller_) return Stages();
    const auto tick = [this](double) {
      saving_when_interrupted(checkpoint_, [this] { checkpoint_->tick(); });
    };
    return Stages({.stage = [tick](const std::string&, const std::string&) -> Progress { return tick; }});
  }

  void score_row(std::size_t n, std::size_t row, const EntryInput& input) {
    const std::size_t protocols = options_.protocols.size();
    if (row < protocols) {
      if (options_.protocols[row].is_solved() || !options_.protocols[row].not_run.empty()) return;
      Stages unseen = unseen_stages();
      return place(n, row, input, 1, unseen);
    }
    if (comparison_.rows[row].scores[n]) return;
    const std::size_t past = row - protocols;
    if (past < std::size(random_rows))
      return keep_score(n, row, random_score(input, options_, random_rows[past].ion_solute_A));
    const std::string& file = placed_[past - std::size(random_rows)].by_entry[n];
    if (file.empty()) return;
    keep_score(n, row, score_of(positions_of(read_pdb_sites(file, options_.sites)), input));
  }

  /// What of the checkpoint's ions are those of this protocol of a solver.
  void begin_solve(std::size_t n, std::size_t protocol) {
    if (checkpoint_ == nullptr) return;
    const std::vector<std::int64_t> now = {std::int64_t(n), std::int64_t(protocol)};
    if (resumed_solve_ != now) checkpoint_->forget_resumed();
    SavedState ended = state();
    ended.put(under_way, now);
    checkpoint_->keep(std::move(ended));
  }

  void place(std::size_t n, std::size_t protocol, const EntryInput& input, int threads, Stages& stages) {
    if (!comparison_.rows[protocol].scores[n]) score_protocol(n, protocol, input, threads, stages);
    const std::int64_t found = comparison_.rows[protocol].scores[n]->ions;
    if (found == input.ion_count()) return;
    const std::lock_guard lock(mutex_);
    comparison_.warnings.push_back(comparison_.set.entries[n].name + ": " +
                                   options_.protocols[protocol].name + ": only " + std::to_string(found) +
                                   " of " + count_of(input.ion_count(), "ion") + " found room");
  }

  void score_protocol(std::size_t n, std::size_t protocol, const EntryInput& input, int threads,
                      Stages& stages) {
    const Job job = job_of(options_.protocols[protocol], input.structure, input.ions.requests, threads);
    const auto start = std::chrono::steady_clock::now();
    const Placement placement = memory_.run(plan(job).host_bytes, [&] { return run(job, stages).placement; });
    Points ions;
    ions.reserve(placement.ions.size());
    for (const PlacedIon& ion : placement.ions) ions.push_back(ion.position_A);
    EntryScore score = score_of(ions, input);
    score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    keep_score(n, protocol, std::move(score));
  }

  static constexpr const char* under_way = "entry and protocol under way";

  SetComparison& comparison_;
  const SetOptions& options_;
  std::vector<PlacedFiles> placed_;
  Checkpoint* checkpoint_;                   // may be null
  std::vector<std::int64_t> resumed_solve_;  // whose ions the checkpoint has
  const std::thread::id caller_ = std::this_thread::get_id();
  MemoryGate memory_;
  std::mutex mutex_;
};

/// The numbers of the entries, the largest first: what takes longest must not come last.
std::vector<std::size_t> largest_first(const std::vector<SetEntry>& entries) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return entries[a].bytes > entries[b].bytes; });
  return order;
}

std::vector<SetRow> empty_rows(const SetOptions& options, const std::vector<PlacedFiles>& placed,
                               std::size_t entries) {
  std::vector<SetRow> rows;
  rows.reserve(options.protocols.size() + std::size(random_rows) + placed.size());
  for (const Protocol& protocol : options.protocols)
    rows.push_back({.name = protocol.name, .about = protocol.about, .not_run = protocol.not_run});
  for (const RandomRow& row : random_rows) rows.push_back({.name = row.name, .about = row.about});
  for (const PlacedFiles& files : placed)
    rows.push_back({.name = std::string(placed_prefix) + files.label, .about = "ions of files"});
  for (SetRow& row : rows) row.scores.resize(entries);
  return rows;
}

void validate(const SetOptions& options) {
  if (!(options.ions_per_site > 0.0 && std::isfinite(options.ions_per_site)))
    fail<UsageError>("--per-site is ", options.ions_per_site, "; it must be more than 0");
  requests_for(options, 1, 0.0);  // what is wrong for one entry is so for all
}

/// Scores all entries, in this order.
void score_all(SetRun& work, const std::vector<std::size_t>& order, int threads, Stages& stages) {
  {
    const Checkpoint::Part part(stages.checkpoint(), [&] { return work.state(); });
    stages.run("placement", "placing", [&](const Progress& progress) {
      const std::thread::id caller = std::this_thread::get_id();
      std::atomic<std::size_t> done{0};
      parallel_for({threads, 1}, std::ssize(order), [&](std::int64_t n) {
        work.score_entry(order[std::size_t(n)]);
        const std::size_t ended = ++done;
        if (std::this_thread::get_id() != caller) return;
        saving_when_interrupted(stages.checkpoint(), [&] { progress(double(ended) / double(order.size())); });
      });
    });
  }
  if (!work.needs_solver()) return;
  for (const std::size_t n : order) work.solve_entry(n, threads, stages);
}

}  // namespace

SetComparison compare_set(const std::string& folder, const SetOptions& options, const RunObserver& observer,
                          Checkpoint* checkpoint) {
  validate(options);
  SetComparison comparison{.set = read_site_set(folder)};
  const std::vector<SetEntry>& entries = comparison.set.entries;
  comparison.problems = comparison.set.problems;
  comparison.warnings = comparison.set.warnings;
  comparison.atoms.assign(entries.size(), 0);
  std::vector<PlacedFiles> placed;
  if (options.placed_folder) placed = find_placed(comparison.set, *options.placed_folder);
  comparison.rows = empty_rows(options, placed, entries.size());

  if (checkpoint != nullptr) checkpoint->tell_failures_to(observer.warning);
  SetRun work(comparison, options, std::move(placed), checkpoint);
  Stages stages({.stage = observer.stage, .residual = observer.residual}, checkpoint);
  try {
    score_all(work, largest_first(entries), thread_count(options.threads), stages);
  } catch (...) {
    if (checkpoint != nullptr) checkpoint->save();
    throw;
  }

  std::vector<std::string> families;
  families.reserve(entries.size());
  for (const SetEntry& entry : entries) families.push_back(entry.family);
  for (SetRow& row : comparison.rows) row.all = pooled(row.scores, families, options.bootstrap);
  const auto by_entry = [](const SetProblem& a, const SetProblem& b) {
    return std::pair(a.entry, a.what) < std::pair(b.entry, b.what);
  };
  std::sort(comparison.problems.begin(), comparison.problems.end(), by_entry);
  std::sort(comparison.warnings.begin(), comparison.warnings.end());
  return comparison;
}

}  // namespace ionwell
