#include "potential/cpu_field.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>
#include <queue>
#include <random>
#include <tuple>

#include "core/crew.hpp"
#include "core/error.hpp"
#include "core/large_array.hpp"
#include "potential/availability.hpp"
#include "potential/cube_bounds.hpp"
#include "potential/exact_potential.hpp"
#include "potential/multilevel_blocks.hpp"

namespace ionwell {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double fp32_rounding = 0x1p-24;  // half a unit in the last place
constexpr int group_edge = 8;              // blocks to a side of a group

/// Energies this near to each other count as equal and the lower index wins: what is left of fp64 when the
/// order of a sum changes.
double tie_tolerance_kT(double energy_kT) {
  return 1e-11 * std::abs(energy_kT);
}

struct alignas(64) BlockValues {
  float value[block_points];
};

/// A block that holds values.
struct Block {
  std::int64_t number = 0;   // in the grid
  std::size_t cube = 0;      // where its bounds are
  float error_kT_e = 0.0f;   // |value - exact| at its available points
  std::uint32_t ions = 0;    // how many of the placed ions its values contain
  std::uint32_t opened = 0;  // the last search that brought it up to date
};

/// A cube of blocks, so that a new ion need not visit every block.
struct Group {
  std::size_t first = 0, last = 0;  // its blocks
  std::size_t first_cube = 0;       // where their bounds begin
  std::uint32_t ions =
      0;  // how many of the placed ions its blocks' bounds contain; never fewer than their values
};

struct Candidate {
  double energy_kT;  // by the lattice
  double error_kT;
  std::int64_t index;
};

class CpuField final : public PotentialField {
 public:
  CpuField(const LatticeGeometry& lattice, const PairPotential& pair, const FieldOptions& options)
      : grid_(lattice),
        pair_(pair),
        options_(options),
        kernels_(block_kernels(options.simd)),
        threads_(options.threads > 0 ? options.threads : omp_get_max_threads()),
        crew_(threads_),
        solute_(pair),
        ions_(pair),
        exact_(grid_.lattice, pair_, kernels_, solute_, ions_, crew_),
        block_bounds_(lattice.origin_A, half_extent_A(block_edge), pair, kernels_),
        group_bounds_(lattice.origin_A, half_extent_A(group_edge * block_edge), pair, kernels_),
        available_(grid_, kernels_) {}

  const LatticeGeometry& lattice() const override { return grid_.lattice; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A) override {
    use_threads();
    available_.exclude(centres, distance_A * distance_A + 5e-7);
    excluded_centres_.assign(centres.begin(), centres.end());
    exclusion_A_ = distance_A;
    searchable_ = false;
  }

  void add_direct(std::span<const PointCharge> charges, const Progress& progress) override;
  void add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                      const Progress& progress) override;
  std::optional<Site> lowest_energy_point(double charge_e) override;
  void add_ion(const PointCharge& ion, double distance_A) override;
  std::vector<float> values() override;
  FieldStatistics statistics() const override;

 private:
  /// What became of a group in a search.
  struct Step {
    double bound_kT = infinity;  // of what is left in the group
    double upper_kT = infinity;  // an available point with at most this exact energy was seen
    bool updated = false;
    std::vector<Candidate> candidates;
  };

  Bounds bounds(const Group& group, std::size_t slot) const {
    return block_bounds_[group.first_cube + (slot - group.first)];
  }

  /// From the centre of a cube with `edge` points to a side to its faces.
  Vec3<double> half_extent_A(std::int64_t edge) const {
    return (0.5 * double(edge - 1)) * grid_.lattice.spacing_A;
  }

  void use_threads() const { omp_set_num_threads(threads_); }
  void make_blocks();
  template <typename Add>
  void for_each_block(const Progress& progress, double from, const Add& add);
  void add_solute(std::span<const PointCharge> charges);
  void prepare_search();
  double clearance_A(std::span<const PointCharge> charges) const;
  void bound_rounding_of_solute();
  void measure_error_of_solute();
  void add_pending_ions(std::size_t slot);
  void tighten(std::size_t slot);
  void refresh(std::size_t g);
  void gather(std::size_t g);
  std::size_t most_promising(const Group& group, double charge_e) const;
  void collect(std::size_t slot, double charge_e, double upper_kT, std::vector<Candidate>& candidates) const;
  Step advance(std::size_t g, double charge_e, double upper_kT);
  std::vector<Candidate> search(double charge_e);
  Site choose(double charge_e, std::vector<Candidate> candidates);
  Site choose_by_lattice(double charge_e, const std::vector<Candidate>& candidates) const;

  BlockGrid grid_;
  PairPotential pair_;
  FieldOptions options_;
  const BlockKernels& kernels_;
  int threads_;
  Crew crew_;
  ChargeTable solute_, ions_;
  double ion_clearance_A_ = infinity;   // from any ion to any available point
  std::vector<double> ion_distance_A_;  // how near to each ion a point can still be available
  ExactPotential exact_;
  CubeBounds block_bounds_, group_bounds_;
  Availability available_;
  std::vector<Vec3<double>> excluded_centres_;
  double exclusion_A_ = 0.0;
  double clearance_A_ = infinity;  // from any solute charge to any available point
  std::vector<Block> blocks_;      // by group
  LargeArray<BlockValues> values_;
  std::vector<Group> groups_;
  bool is_multilevel_ = false;
  bool solute_error_known_ = false;  // the blocks' errors allow for all solute charges
  bool searchable_ = false;          // the bounds hold, and a block's own values reach them
  std::uint32_t searches_ = 0;
  FieldStatistics statistics_;
};

/// Blocks that need values, group by group.
void CpuField::make_blocks() {
  const auto groups_along = [](std::int64_t blocks) { return (blocks + group_edge - 1) / group_edge; };
  for (std::int64_t gk = 0; gk < groups_along(grid_.counts.z); ++gk)
    for (std::int64_t gj = 0; gj < groups_along(grid_.counts.y); ++gj)
      for (std::int64_t gi = 0; gi < groups_along(grid_.counts.x); ++gi) {
        Group group;
        group.first = blocks_.size();
        group.first_cube = block_bounds_.start_range();
        for (std::int64_t k = group_edge * gk; k < std::min(group_edge * (gk + 1), grid_.counts.z); ++k)
          for (std::int64_t j = group_edge * gj; j < std::min(group_edge * (gj + 1), grid_.counts.y); ++j)
            for (std::int64_t i = group_edge * gi; i < std::min(group_edge * (gi + 1), grid_.counts.x); ++i) {
              const std::int64_t number = i + grid_.counts.x * (j + grid_.counts.y * k);
              if (!options_.every_point && !available_.any(number)) continue;
              blocks_.push_back({});
              blocks_.back().number = number;
              const Vec3<std::int64_t> p = grid_.first_point(number);
              blocks_.back().cube = block_bounds_.size();
              block_bounds_.add_cube(grid_.lattice.position_A(p.x, p.y, p.z) + half_extent_A(block_edge));
            }
        group.last = blocks_.size();
        if (group.first == group.last) continue;
        groups_.push_back(group);
        constexpr std::int64_t edge = group_edge * block_edge;
        group_bounds_.add_cube(grid_.lattice.position_A(edge * gi, edge * gj, edge * gk) +
                               half_extent_A(edge));
      }
  values_ = LargeArray<BlockValues>(blocks_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks_.size(); ++b) std::fill_n(values_[b].value, block_points, 0.0f);
}

/// Calls add(block number, values) for every block, in parallel; `progress` goes from `from` to 1.
template <typename Add>
void CpuField::for_each_block(const Progress& progress, double from, const Add& add) {
  std::size_t done = 0;
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    add(blocks_[b].number, values_[b].value);
    std::size_t so_far;
#pragma omp atomic capture
    so_far = ++done;
    if (progress && omp_get_thread_num() == 0)
      progress(from + (1.0 - from) * double(so_far) / double(blocks_.size()));
  }
}

/// Notes charges that the values are about to contain.
void CpuField::add_solute(std::span<const PointCharge> charges) {
  solute_.append(charges);
  clearance_A_ = std::min(clearance_A_, clearance_A(charges));
  exact_.forget();
  solute_error_known_ = searchable_ = false;
}

void CpuField::add_direct(std::span<const PointCharge> charges, const Progress& progress) {
  use_threads();
  if (blocks_.empty()) make_blocks();
  const std::size_t before = solute_.size();
  add_solute(charges);
  const ChargeArrays added = solute_.arrays(before, solute_.size());
  for_each_block(progress, 0.0, [&](std::int64_t block, float* values) {
    kernels_.add_charges(block_frame(grid_, block), added, pair_, values);
  });
}

void CpuField::add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                              const Progress& progress) {
  use_threads();
  const MultilevelPlan plan = multilevel_plan(grid_.lattice, charges, pair_, options);
  add_solute(charges);
  const bool short_range = options_.every_point || clearance_A_ < options.cutoff_A;
  constexpr double grid_part = 0.5;  // of the time
  const MultilevelSum sum(grid_, plan, charges, short_range, options_.simd, [&](double part) {
    if (progress) progress(grid_part * part);
  });
  if (blocks_.empty()) make_blocks();
  for_each_block(progress, grid_part, [&](std::int64_t block, float* values) { sum.add_to(block, values); });
  is_multilevel_ = true;
}

/// Distance that every available point keeps from every one of `charges`: the exclusion's, if they are all
/// among the excluded centres (in their order, as when both were made from one structure).
double CpuField::clearance_A(std::span<const PointCharge> charges) const {
  std::size_t c = 0;
  for (const Vec3<double>& centre : excluded_centres_)
    if (c < charges.size() && charges[c].position_A == centre) ++c;
  return c == charges.size() ? exclusion_A_ : 0.0;
}

/// Bounds on |value - exact| for the direct sum, which rounds relative to the sum of the terms' magnitudes.
/// Neighbouring blocks share one.
void CpuField::bound_rounding_of_solute() {
  constexpr std::int64_t shared = 2;  // blocks to a side
  const auto part_of = [&](std::int64_t block) {
    const Vec3<std::int64_t> p = grid_.first_point(block);
    constexpr std::int64_t edge = shared * block_edge;
    return Vec3<std::int64_t>{p.x / edge * edge, p.y / edge * edge, p.z / edge * edge};
  };
  std::vector<std::size_t> order(blocks_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t slot) {
    const Vec3<std::int64_t> p = part_of(blocks_[slot].number);
    return std::tuple(p.z, p.y, p.x);
  };
  std::erase_if(order, [&](std::size_t slot) { return !available_.any(blocks_[slot].number); });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<std::size_t> starts;
  for (std::size_t n = 0; n < order.size(); ++n)
    if (n == 0 || key(order[n - 1]) != key(order[n])) starts.push_back(n);
  starts.push_back(order.size());
  const Vec3<double> half_A = (0.5 * (shared * block_edge - 1)) * grid_.lattice.spacing_A;
  const double slack_A = std::sqrt(dot(half_A, half_A));
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t s = 0; s < starts.size() - 1; ++s) {
    const Vec3<std::int64_t> first = part_of(blocks_[order[starts[s]]].number);
    const Vec3<double> centre = grid_.lattice.position_A(first.x, first.y, first.z) + half_A;
    const double centre_A[3] = {centre.x, centre.y, centre.z};
    const double sum = kernels_.magnitude(centre_A, slack_A, std::max(clearance_A_, smallest_distance_A),
                                          solute_.arrays(), pair_);
    for (std::size_t n = starts[s]; n < starts[s + 1]; ++n)
      blocks_[order[n]].error_kT_e += float(rounding_of_direct_sum * sum * (1 + 1e-6));
  }
}

/// For a multilevel sum: the largest |value - exact| at sample points, half of them next to the solute, with
/// room for the points that were not looked at.
void CpuField::measure_error_of_solute() {
  constexpr double pairs = 3e8;  // a fraction of a second
  constexpr double room = 3.0;
  const int samples =
      int(std::clamp(pairs / double(std::max<std::size_t>(solute_.size(), 1)), 256.0, 4096.0));
  std::vector<std::size_t> beside, all;  // blocks cut by the exclusion, and all with an available point
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::uint64_t* bits = available_.of_block(blocks_[b].number);
    if (!available_.any(blocks_[b].number)) continue;
    all.push_back(b);
    if (std::any_of(bits, bits + Availability::words, [](std::uint64_t w) { return ~w != 0; }))
      beside.push_back(b);
  }
  if (all.empty()) return;
  if (beside.empty()) beside = all;
  double largest = 0.0;
#pragma omp parallel for schedule(dynamic, 16) reduction(max : largest)
  for (int n = 0; n < samples; ++n) {
    std::mt19937_64 random(std::uint64_t(n) + 1);
    const std::vector<std::size_t>& from = n % 2 == 0 ? beside : all;
    const std::size_t slot = from[random() % from.size()];
    const std::uint64_t* bits = available_.of_block(blocks_[slot].number);
    int p = int(random() % block_points);
    while (!is_set(bits, p)) p = (p + 1) % block_points;
    const Vec3<double> at = grid_.lattice.position_A(grid_.lattice_index(blocks_[slot].number, p));
    const double position_A[3] = {at.x, at.y, at.z};
    const double exact = kernels_.exact(position_A, solute_.arrays(), pair_) +
                         kernels_.exact(position_A, ions_.arrays(0, blocks_[slot].ions), pair_);
    largest = std::max(largest, std::abs(exact - double(values_[slot].value[p])));
  }
  statistics_.measured_error_kT_e = largest;
  for (Block& block : blocks_) block.error_kT_e += float(room * largest);
}

void CpuField::prepare_search() {
  if (blocks_.empty()) make_blocks();
  if (!solute_error_known_) {
    if (is_multilevel_)
      measure_error_of_solute();
    else
      bound_rounding_of_solute();
    solute_error_known_ = true;
  }
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].ions == ions_.size())
      tighten(b);
    else
      add_pending_ions(b);
  for (std::size_t g = 0; g < groups_.size(); ++g) gather(g);
  searchable_ = true;
  if (searches_ > 0) return;
  statistics_.blocks = std::count_if(blocks_.begin(), blocks_.end(),
                                     [&](const Block& block) { return available_.any(block.number); });
  statistics_.available_points = available_.count();
}

/// Bounds of a block from its values, which contain all ions.
void CpuField::tighten(std::size_t slot) {
  Block& block = blocks_[slot];
  block_bounds_.set(block.cube, {});
  const float* values = values_[slot].value;
  const std::uint64_t* available = available_.of_block(block.number);
  constexpr float level[3] = {};
  const ValueRange range = kernels_.range(values, available, level);
  if (range.lowest > range.highest) return;
  const float largest = std::max(std::abs(range.lowest), std::abs(range.highest));
  block.error_kT_e += float(fp32_rounding * (1 + 1e-6)) * largest;  // the values themselves were rounded
  // Without refinement values are compared with each other, and both sides carry the error.
  const double margin = (options_.refine ? 1.0 : 2.0) * double(block.error_kT_e);
  TightBounds tight;
  tight.range = {double(range.lowest) - margin, double(range.highest) + margin};
  float slope[3];
  kernels_.slope(values, available, slope);
  const ValueRange rest = kernels_.range(values, available, slope);
  const Vec3<double>& h = grid_.lattice.spacing_A;
  tight.slope_kT_eA = {slope[0] / h.x, slope[1] / h.y, slope[2] / h.z};
  // Taking the plane away rounds, too: three numbers no larger than the plane's highest point.
  const double plane = 4.0 * (std::abs(slope[0]) + std::abs(slope[1]) + std::abs(slope[2]));
  const double plane_margin = margin + 4 * fp32_rounding * (plane + double(largest));
  tight.above_plane = {double(rest.lowest) - plane_margin, double(rest.highest) + plane_margin};
  block_bounds_.set(block.cube, tight);
}

void CpuField::add_pending_ions(std::size_t slot) {
  Block& block = blocks_[slot];
  if (block.ions == ions_.size()) return;
  const ChargeArrays pending = ions_.arrays(block.ions, ions_.size());
  const BlockFrame frame = block_frame(grid_, block.number);
  const Vec3<double> half_A = half_extent_A(block_edge);
  block.error_kT_e +=
      float(rounding_of_direct_sum * (1 + 1e-6) *
            kernels_.magnitude(frame.centre_A, std::sqrt(dot(half_A, half_A)),
                               std::max(ion_clearance_A_, smallest_distance_A), pending, pair_));
  kernels_.add_charges(frame, pending, pair_, values_[slot].value);
  block.ions = std::uint32_t(ions_.size());
  tighten(slot);
}

/// Lets the bounds of a group's blocks feel the ions placed since they were last looked at.
void CpuField::refresh(std::size_t g) {
  const Group& group = groups_[g];
  block_bounds_.add_ions(group.first_cube, group.first_cube + (group.last - group.first),
                         ions_.arrays(group.ions, ions_.size()), ion_distance_A_.data() + group.ions);
  gather(g);
}

/// Bounds of a group from its blocks' bounds, which contain all ions.
void CpuField::gather(std::size_t g) {
  Group& group = groups_[g];
  Bounds range;
  for (std::size_t b = group.first; b < group.last; ++b) range.include(bounds(group, b));
  group_bounds_.set(g, {range, range, {}});
  group.ions = std::uint32_t(ions_.size());
}

/// The block of lowest bound that this search has not opened yet; group.last when there is none.
std::size_t CpuField::most_promising(const Group& group, double charge_e) const {
  std::size_t best = group.last;
  double lowest = infinity;
  for (std::size_t b = group.first; b < group.last; ++b) {
    const double energy = bounds(group, b).energy_kT(charge_e);
    if (energy < lowest && blocks_[b].opened != searches_) {
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
    const double energy = charge_e * double(values_[slot].value[p]);
    if (energy - error_kT <= upper_kT && is_set(available, p))
      candidates.push_back({energy, error_kT, grid_.lattice_index(block.number, p)});
  }
}

/// Brings the most promising block of a group up to date, or the group's bounds when they lack ions. Touches
/// nothing outside the group.
CpuField::Step CpuField::advance(std::size_t g, double charge_e, double upper_kT) {
  Step step;
  Group& group = groups_[g];
  if (group.ions != ions_.size()) {
    refresh(g);
    step.bound_kT = group_bounds_[g].energy_kT(charge_e);
    return step;
  }
  const std::size_t slot = most_promising(group, charge_e);
  if (slot == group.last || bounds(group, slot).energy_kT(charge_e) > upper_kT) return step;
  Block& block = blocks_[slot];
  step.updated = block.ions != ions_.size();
  if (step.updated) add_pending_ions(slot);
  block.opened = searches_;
  // The lower end of the bounds is a point's value less the error, rounded down to fp32; that point has at
  // most the value plus the error.
  const double lowest_kT = bounds(group, slot).energy_kT(charge_e);
  step.upper_kT = lowest_kT + 2 * std::abs(charge_e) * double(block.error_kT_e) +
                  4 * fp32_rounding * std::abs(lowest_kT) +
                  std::abs(charge_e) * double(std::numeric_limits<float>::min());
  if (lowest_kT <= upper_kT) collect(slot, charge_e, std::min(upper_kT, step.upper_kT), step.candidates);
  const std::size_t next = most_promising(group, charge_e);
  if (next != group.last) step.bound_kT = bounds(group, next).energy_kT(charge_e);
  return step;
}

/// Best-first search: opens blocks in the order of their bounds until none can hold a lower energy than the
/// best point seen. Returns every point that the lattice's error leaves in the running.
std::vector<Candidate> CpuField::search(double charge_e) {
  // Groups that are looked at together, whatever the number of threads, so that threads change nothing.
  constexpr std::size_t batch = 8;
  ++searches_;
  using Entry = std::pair<double, std::size_t>;  // bound, group
  std::vector<Entry> entries;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (const double bound = group_bounds_[g].energy_kT(charge_e); bound < infinity)
      entries.push_back({bound, g});
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>(), std::move(entries));
  std::vector<Candidate> candidates;
  double upper_kT = infinity;  // an available point with at most this exact energy has been seen
  while (!queue.empty() && queue.top().first <= upper_kT) {
    std::array<std::size_t, batch> group;
    std::array<Step, batch> step;
    std::size_t count = 0;
    for (; count < batch && !queue.empty() && queue.top().first <= upper_kT; ++count) {
      group[count] = queue.top().second;
      queue.pop();
    }
    crew_.run(count, [&](std::size_t n) { step[n] = advance(group[n], charge_e, upper_kT); });
    for (std::size_t n = 0; n < count; ++n) {
      upper_kT = std::min(upper_kT, step[n].upper_kT);
      statistics_.blocks_updated += step[n].updated;
      candidates.insert(candidates.end(), step[n].candidates.begin(), step[n].candidates.end());
      if (step[n].bound_kT < infinity) queue.push({step[n].bound_kT, group[n]});
    }
  }
  std::erase_if(candidates, [&](const Candidate& c) { return c.energy_kT - c.error_kT > upper_kT; });
  return candidates;
}

/// The candidate of lowest exact energy; nearly always one or two have to be summed.
Site CpuField::choose(double charge_e, std::vector<Candidate> candidates) {
  const auto start = std::chrono::steady_clock::now();
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.energy_kT != b.energy_kT ? a.energy_kT < b.energy_kT : a.index < b.index;
  });
  double lowest_kT = infinity;
  std::vector<Candidate> summed;
  for (const Candidate& c : candidates) {
    if (c.energy_kT - c.error_kT > lowest_kT + tie_tolerance_kT(lowest_kT)) continue;
    const double energy_kT = charge_e * exact_.at(c.index);
    summed.push_back({energy_kT, 0.0, c.index});
    lowest_kT = std::min(lowest_kT, energy_kT);
  }
  Candidate best{infinity, 0.0, std::numeric_limits<std::int64_t>::max()};
  for (const Candidate& c : summed)
    if (c.energy_kT <= lowest_kT + tie_tolerance_kT(lowest_kT) && c.index < best.index) best = c;
  statistics_.candidates += std::int64_t(summed.size());
  statistics_.refinement_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {best.index, best.energy_kT / charge_e};
}

Site CpuField::choose_by_lattice(double charge_e, const std::vector<Candidate>& candidates) const {
  Candidate best{infinity, 0.0, 0};
  for (const Candidate& c : candidates)
    if (c.energy_kT < best.energy_kT || (c.energy_kT == best.energy_kT && c.index < best.index)) best = c;
  return {best.index, best.energy_kT / charge_e};
}

std::optional<Site> CpuField::lowest_energy_point(double charge_e) {
  if (!(std::isfinite(charge_e) && charge_e != 0.0))
    fail("an ion of charge ", charge_e, " e has no lowest point");
  use_threads();
  if (!searchable_) prepare_search();
  const std::vector<Candidate> candidates = search(charge_e);
  if (candidates.empty()) return std::nullopt;
  return options_.refine ? choose(charge_e, candidates) : choose_by_lattice(charge_e, candidates);
}

void CpuField::add_ion(const PointCharge& ion, double distance_A) {
  use_threads();
  ions_.append({&ion, 1});
  const double limit_A2 = std::nextafter(distance_A * distance_A - 5e-7, -infinity);
  available_.exclude({&ion.position_A, 1}, limit_A2);
  if (ion_distance_A_.size() ==
      ions_.size()) {  // no charge to speak of, so no block will be looked at for it
    searchable_ = false;
    return;
  }
  ion_distance_A_.push_back(limit_A2 > 0.0 ? std::sqrt(limit_A2) * (1 - 1e-12) : 0.0);
  ion_clearance_A_ = std::min(ion_clearance_A_, ion_distance_A_.back());
  const std::size_t last = ions_.size() - 1;
  group_bounds_.add_ions(0, groups_.size(), ions_.arrays(last, last + 1), ion_distance_A_.data() + last);
}

std::vector<float> CpuField::values() {
  use_threads();
  const Vec3<std::int64_t>& points = grid_.lattice.counts;
  std::vector<float> result(grid_.lattice.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t slot = 0; slot < blocks_.size(); ++slot) {
    add_pending_ions(slot);
    const Vec3<std::int64_t> first = grid_.first_point(blocks_[slot].number);
    const std::int64_t width = std::min<std::int64_t>(block_edge, points.x - first.x);
    for (std::int64_t k = 0; k < block_edge && first.z + k < points.z; ++k)
      for (std::int64_t j = 0; j < block_edge && first.y + j < points.y; ++j)
        std::copy_n(values_[slot].value + block_edge * (j + block_edge * k), width,
                    result.data() + grid_.lattice.index(first.x, first.y + j, first.z + k));
  }
  if (searchable_)
    for (std::size_t g = 0; g < groups_.size(); ++g) gather(g);
  return result;
}

FieldStatistics CpuField::statistics() const {
  FieldStatistics result = statistics_;
  result.exact_sums = exact_.sums();
  return result;
}

}  // namespace

std::int64_t cpu_field_bytes(const LatticeGeometry& lattice, std::size_t charges) {
  const std::int64_t blocks = BlockGrid(lattice).size();
  constexpr std::int64_t bytes_per_charge = 120;  // fp64 arrays, cells, and the structure they come from
  constexpr std::size_t bounds_bytes = std::size_t(CubeMember::count) * sizeof(float);
  constexpr std::size_t growth = 2;  // of vectors that are appended to
  return blocks * std::int64_t(sizeof(BlockValues) + Availability::words * sizeof(std::uint64_t) +
                               growth * (sizeof(Block) + bounds_bytes)) +
         std::int64_t(charges) * bytes_per_charge;
}

std::unique_ptr<PotentialField> make_cpu_field(const LatticeGeometry& lattice, const PairPotential& pair,
                                               const FieldOptions& options) {
  return std::make_unique<CpuField>(lattice, pair, options);
}

}  // namespace ionwell
