#include <algorithm>
#include <array>
#include <chrono>
#include <queue>

#include "core/error.hpp"
#include "electrostatics/multilevel/error_samples.hpp"
#include "parallel/parallel_for.hpp"
#include "placement/block_field.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {

void CpuField::prepare_search() {
  if (blocks_.empty()) make_blocks();
  if (!solute_error_known_) {
    if (is_multilevel_) measure_error_of_solute();
    if (!is_multilevel_ || clearance_A_ < beside_a_charge_A) bound_rounding_of_solute();
    solute_error_known_ = true;
  }
  parallel_for({threads_, 16}, std::ssize(blocks_), [&](std::int64_t n) {
    const auto b = std::size_t(n);
    if (blocks_[b].ions == ions_.size())
      recompute_bounds(b);
    else
      add_pending_ions(b);
  });
  for (std::size_t g = 0; g < nodes_.size(); ++g) gather(g, range_of_blocks(nodes_[g]));
  searchable_ = true;
  if (searches_ > 0) return;
  statistics_.blocks = std::count_if(blocks_.begin(), blocks_.end(),
                                     [&](const Block& block) { return available_.any(block.number); });
  statistics_.available_points = available_.count();
}

/// Bounds of a block from its values, which contain all ions.
void CpuField::recompute_bounds(std::size_t slot) {
  Block& block = blocks_[slot];
  block_bounds_.keep(block.cube, {});
  const float* values = values_[slot].value;
  const std::uint64_t* available = available_.of_block(block.number);
  constexpr float level[3] = {};
  const ValueRange range = kernels_.range(values, available, level);
  if (range.lowest > range.highest) return;
  block.error_kT_e = error_of_changed(block.error_kT_e, 0.0f, largest_size(range));
  float slope[3];
  kernels_.slope(values, available, slope);
  const ValueRange rest = kernels_.range(values, available, slope);
  const ValueSummary summary{range, rest, {slope[0], slope[1], slope[2]}, block.error_kT_e};
  block_bounds_.keep(block.cube, block_bounds(summary, options_.refine, grid_.lattice.spacing_A));
}

/// Where points were taken away and no charge came, bounds are made anew. Blocks that lack an ion are left:
/// theirs hold, and are made anew with that ion.
void CpuField::recompute_bounds_around(Vec3<double> centre_A, double distance_A) {
  const Vec3<double> half_A = half_extent_A(block_edge);
  const double reach_A = (distance_A + std::sqrt(dot(half_A, half_A))) * (1 + 1e-9);
  for (std::size_t g = 0; g < nodes_.size(); ++g) {
    if (nodes_[g].ions != ions_.size()) continue;
    bool changed = false;
    for (std::size_t slot = nodes_[g].first; slot < nodes_[g].last; ++slot) {
      const Vec3<std::int64_t> p = grid_.first_point(blocks_[slot].number);
      const Vec3<double> middle_A = grid_.lattice.position_A(p.x, p.y, p.z) + half_A;
      if (blocks_[slot].ions != ions_.size() || distance_squared(middle_A, centre_A) > reach_A * reach_A)
        continue;
      recompute_bounds(slot);
      changed = true;
    }
    if (changed) gather(g, range_of_blocks(nodes_[g]));
  }
}

/// Lets the bounds of a node's blocks feel the ions placed since they were last looked at.
void CpuField::refresh(const Node& node) {
  block_bounds_.add_ions(node.first_cube, node.first_cube + (node.last - node.first),
                         ions_.arrays(node.ions, ions_.size()), ion_distance_A_.data() + node.ions);
}

/// Of all blocks of a node.
Bounds CpuField::range_of_blocks(const Node& node) const {
  Bounds range;
  for (std::size_t b = node.first; b < node.last; ++b) range.include(bounds(node, b));
  return range;
}

/// Bounds of a node from its blocks' bounds, which contain all ions. Left to the thread that adds ions to
/// all nodes' bounds: lines of memory that two threads write in turn cost more than the work.
void CpuField::gather(std::size_t g, const Bounds& range) {
  node_bounds_.set(g, {range, range, {}});
  nodes_[g].ions = std::uint32_t(ions_.size());
}

/// The block of lowest bound that this search has not expanded yet; node.last when there is none.
std::size_t CpuField::most_promising(const Node& node, double charge_e) const {
  std::size_t best = node.last;
  double lowest = infinity;
  for (std::size_t b = node.first; b < node.last; ++b) {
    const double energy = bounds(node, b).energy_kT(charge_e);
    if (energy < lowest && blocks_[b].expanded != searches_) {
      lowest = energy;
      best = b;
    }
  }
  return best;
}

void CpuField::collect(std::size_t slot, double charge_e, double upper_kT,
                       std::vector<Candidate>& candidates) const {
  const Block& block = blocks_[slot];
  const std::uint64_t* available = available_.of_block(block.number);
  const double error_kT = std::abs(charge_e) * double(block.error_kT_e);
  for (int p = 0; p < block_points; ++p) {
    Candidate c{charge_e * double(values_[slot].value[p]), error_kT, 0};
    if (!c.may_reach(upper_kT) || !is_set(available, p)) continue;
    c.index = grid_.lattice_index(block.number, p);
    candidates.push_back(c);
  }
}

/// Whether so many points of a block are within the multilevel error of the best that summing all of its
/// points once is less work than to sum each of them exactly: where a screened potential has died away, for
/// example.
bool CpuField::is_near_degenerate(const Node& node, std::size_t slot, double charge_e,
                                  double upper_kT) const {
  const double error_kT = std::abs(charge_e) * double(blocks_[slot].error_kT_e);
  const double limit_kT =
      std::min(upper_kT, bounds(node, slot).energy_kT(charge_e) + 2 * error_kT) + error_kT;
  const std::uint64_t* available = available_.of_block(blocks_[slot].number);
  int close = 0;
  for (int p = 0; p < block_points; ++p)
    close += charge_e * double(values_[slot].value[p]) <= limit_kT && is_set(available, p);
  return close > near_degenerate_points;
}

/// Brings the most promising block of a node up to date, or the node's bounds when they lack ions. Touches
/// nothing outside the node.
CpuField::Step CpuField::advance(std::size_t g, double charge_e, double upper_kT) {
  Step step;
  const Node& node = nodes_[g];
  if (node.ions != ions_.size()) {
    refresh(node);
    step.refreshed = range_of_blocks(node);
    step.bound_kT = step.refreshed->energy_kT(charge_e);
    return step;
  }
  const std::size_t slot = most_promising(node, charge_e);
  if (slot == node.last || bounds(node, slot).energy_kT(charge_e) > upper_kT) return step;
  Block& block = blocks_[slot];
  step.updated = block.ions != ions_.size();
  if (step.updated) add_pending_ions(slot);
  block.expanded = searches_;
  if (is_multilevel_ && !block.direct && is_near_degenerate(node, slot, charge_e, upper_kT)) {
    sum_directly(slot);
    step.updated = true;
  }
  // The lower end of the bounds is a point's value less the error, rounded down to fp32; that point has at
  // most the value plus the error.
  const double lowest_kT = bounds(node, slot).energy_kT(charge_e);
  step.upper_kT = lowest_kT + 2 * std::abs(charge_e) * double(block.error_kT_e) +
                  4 * fp32_rounding * std::abs(lowest_kT) +
                  std::abs(charge_e) * double(std::numeric_limits<float>::min());
  if (lowest_kT <= upper_kT) collect(slot, charge_e, std::min(upper_kT, step.upper_kT), step.candidates);
  const std::size_t next = most_promising(node, charge_e);
  if (next != node.last) step.bound_kT = bounds(node, next).energy_kT(charge_e);
  return step;
}

/// Best-first search: opens blocks in the order of their bounds until none can hold a lower energy than the
/// best point seen. Returns every point that the lattice's error leaves in the running.
std::vector<Candidate> CpuField::search(double charge_e) {
  // Nodes that are looked at together, whatever the number of threads, so that threads change nothing.
  constexpr std::size_t batch = 16;
  ++searches_;
  using Entry = std::pair<double, std::size_t>;  // bound, node
  std::vector<Entry> entries;
  for (std::size_t g = 0; g < nodes_.size(); ++g)
    if (const double bound = node_bounds_[g].energy_kT(charge_e); bound < infinity)
      entries.push_back({bound, g});
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>(), std::move(entries));
  std::vector<Candidate> candidates;
  double upper_kT = infinity;  // an available point with at most this exact energy has been seen
  while (!queue.empty() && queue.top().first <= upper_kT) {
    std::array<std::size_t, batch> node;
    std::array<Step, batch> step;
    std::size_t count = 0;
    for (; count < batch && !queue.empty() && queue.top().first <= upper_kT; ++count) {
      node[count] = queue.top().second;
      queue.pop();
    }
    // The pool begins at both ends. Each thread should find what it worked on before, which its own caches
    // hold, and first the blocks to bring up to date: they take longer than bounds.
    const auto place = [&](std::size_t g) {
      const bool is_callers = g % std::size_t(threads_) == 0, is_long = nodes_[g].ions == ions_.size();
      return is_callers ? (is_long ? 0 : 1) : (is_long ? 3 : 2);
    };
    std::sort(node.begin(), node.begin() + std::ptrdiff_t(count),
              [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    pool_.run(count, [&](std::size_t n) { step[n] = advance(node[n], charge_e, upper_kT); });
    for (std::size_t n = 0; n < count; ++n) {
      if (step[n].refreshed) gather(node[n], *step[n].refreshed);
      upper_kT = std::min(upper_kT, step[n].upper_kT);
      statistics_.blocks_updated += step[n].updated;
      candidates.insert(candidates.end(), step[n].candidates.begin(), step[n].candidates.end());
      if (step[n].bound_kT < infinity) queue.push({step[n].bound_kT, node[n]});
    }
    constexpr std::size_t most_candidates = 1 << 16;
    if (candidates.size() > most_candidates) thin_out(charge_e, candidates, upper_kT);
  }
  std::erase_if(candidates, [&](const Candidate& c) { return !c.may_reach(upper_kT); });
  return candidates;
}

/// Where a potential is flat beside its error, candidates are too many to keep. Keeps those that may be
/// chosen once they are summed exactly: without an error, and with no other that has both a lower index and
/// no higher energy.
void CpuField::thin_out(double charge_e, std::vector<Candidate>& candidates, double& upper_kT) {
  if (options_.refine) {
    candidates = sum_candidates(charge_e, std::move(candidates));
    for (const Candidate& c : candidates)
      upper_kT = std::min(upper_kT, c.energy_kT + loosest_tie_kT(charge_e, c));
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.index < b.index; });
  double lowest_kT = infinity;
  std::erase_if(candidates, [&](const Candidate& c) {
    const bool higher = c.energy_kT >= lowest_kT;
    lowest_kT = std::min(lowest_kT, c.energy_kT);
    return higher || !c.may_reach(upper_kT);
  });
}

/// Energies nearer than this to a candidate's may be ties: an upper bound on what tie_band_kT comes to there.
double CpuField::loosest_tie_kT(double charge_e, const Candidate& candidate) const {
  return tie_band_kT(charge_e, exact_.magnitude_bound(candidate.index, clearance_A_, ion_clearance_A_));
}

/// The exact energies of all candidates that may have the lowest one; nearly always one or two.
std::vector<Candidate> CpuField::sum_candidates(double charge_e, std::vector<Candidate> candidates) {
  const auto start = std::chrono::steady_clock::now();
  std::sort(candidates.begin(), candidates.end(), precedes);
  LowestEnergy lowest;
  std::vector<Candidate> summed;
  for (const Candidate& c : candidates) {
    if (!c.may_reach(lowest.limit_kT())) continue;
    summed.push_back({charge_e * exact_.at(c.index), 0.0, c.index});
    if (lowest.include(summed.back().energy_kT)) lowest.tie_kT = loosest_tie_kT(charge_e, summed.back());
  }
  statistics_.candidates += std::int64_t(summed.size());
  statistics_.refinement_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summed;
}

/// The candidate of lowest exact energy; of energies that only rounding tells apart the lowest index.
LowestPoint CpuField::choose(double charge_e, std::vector<Candidate> candidates) {
  const std::vector<Candidate> summed = sum_candidates(charge_e, std::move(candidates));
  const Candidate& best = summed[choose_candidate(
      summed, [&](std::size_t n) { return loosest_tie_kT(charge_e, summed[n]); },
      [&](std::size_t n) { return tie_band_kT(charge_e, exact_.magnitude_at(summed[n].index)); })];
  return {best.index, best.energy_kT / charge_e};
}

LowestPoint CpuField::choose_by_lattice(double charge_e, const std::vector<Candidate>& candidates) const {
  const Candidate& best = *std::min_element(candidates.begin(), candidates.end(), precedes);
  return {best.index, best.energy_kT / charge_e};
}

/// Where there is no potential at all.
std::optional<LowestPoint> CpuField::first_available() const {
  std::optional<LowestPoint> first;
  for (const Block& block : blocks_) {
    if (!available_.any(block.number)) continue;
    const std::uint64_t* available = available_.of_block(block.number);
    int p = 0;
    while (!is_set(available, p)) ++p;
    const std::int64_t index = grid_.lattice_index(block.number, p);
    if (!first || index < first->index) first = {index, 0.0};
  }
  return first;
}

std::optional<LowestPoint> CpuField::lowest_energy_point(double charge_e) {
  if (!(std::isfinite(charge_e) && charge_e != 0.0))
    fail("an ion of charge ", charge_e, " e has no lowest point");
  if (!searchable_) prepare_search();
  if (exact_.is_zero()) return first_available();
  const std::vector<Candidate> candidates = search(charge_e);
  if (candidates.empty()) return std::nullopt;
  return options_.refine ? choose(charge_e, candidates) : choose_by_lattice(charge_e, candidates);
}

}  // namespace ionwell
