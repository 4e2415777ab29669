#include "placement/cpu_field.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "electrostatics/multilevel/error_samples.hpp"
#include "electrostatics/multilevel/multilevel_blocks.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "placement/block_field.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {

CpuField::CpuField(const LatticeGeometry& lattice, const PairPotential& pair, const FieldOptions& options,
                   std::unique_ptr<BlockSummer> summer)
    : grid_(lattice),
      pair_(pair),
      options_(options),
      summer_(std::move(summer)),
      kernels_(block_kernels(options.simd)),
      threads_(thread_count(options.threads)),
      pool_(threads_),
      solute_(pair),
      ions_(pair),
      exact_(grid_.lattice, pair_, kernels_, solute_, ions_, pool_),
      block_bounds_(lattice.origin_A, half_extent_A(block_edge), pair, kernels_),
      node_bounds_(lattice.origin_A, half_extent_A(node_edge * block_edge), pair, kernels_),
      available_(grid_, kernels_, threads_) {}

void CpuField::exclude(std::span<const Vec3<double>> centres, double distance_A) {
  available_.exclude(centres, solute_limit_A2(distance_A));
  excluded_centres_.assign(centres.begin(), centres.end());
  exclusion_A_ = distance_A;
  searchable_ = false;
}

/// Blocks that need values, node by node, and in a node column by column along z.
void CpuField::make_blocks() {
  const auto nodes_along = [](std::int64_t blocks) { return (blocks + node_edge - 1) / node_edge; };
  for (std::int64_t gk = 0; gk < nodes_along(grid_.counts.z); ++gk)
    for (std::int64_t gj = 0; gj < nodes_along(grid_.counts.y); ++gj)
      for (std::int64_t gi = 0; gi < nodes_along(grid_.counts.x); ++gi) {
        Node node;
        node.first = blocks_.size();
        node.first_cube = block_bounds_.start_range();
        for (std::int64_t j = node_edge * gj; j < std::min(node_edge * (gj + 1), grid_.counts.y); ++j)
          for (std::int64_t i = node_edge * gi; i < std::min(node_edge * (gi + 1), grid_.counts.x); ++i)
            for (std::int64_t k = node_edge * gk; k < std::min(node_edge * (gk + 1), grid_.counts.z); ++k) {
              const std::int64_t number = i + grid_.counts.x * (j + grid_.counts.y * k);
              if (!options_.every_point && !available_.any(number)) continue;
              blocks_.push_back({});
              blocks_.back().number = number;
              const Vec3<std::int64_t> p = grid_.first_point(number);
              blocks_.back().cube = block_bounds_.size();
              block_bounds_.add_cube(grid_.lattice.position_A(p.x, p.y, p.z) + half_extent_A(block_edge));
            }
        node.last = blocks_.size();
        if (node.first == node.last) continue;
        nodes_.push_back(node);
        constexpr std::int64_t edge = node_edge * block_edge;
        node_bounds_.add_cube(grid_.lattice.position_A(edge * gi, edge * gj, edge * gk) +
                              half_extent_A(edge));
      }
  values_ = LargeArray<BlockValues>(blocks_.size());
  parallel_for({threads_}, std::ssize(blocks_),
               [&](std::int64_t b) { std::fill_n(values_[std::size_t(b)].value, block_points, 0.0f); });
}

/// Blocks [first, last) that follow each other along z.
struct BlockColumn {
  std::size_t first, last;
};

/// Calls add(column) for all blocks in columns of at most `longest`, in parallel; `progress` goes from `from`
/// to 1.
template <typename Add>
void CpuField::for_each_column(std::size_t longest, const Progress& progress, double from, const Add& add) {
  const std::int64_t layer = grid_.counts.x * grid_.counts.y;
  std::vector<BlockColumn> columns;
  for (std::size_t slot = 0; slot < blocks_.size(); ++slot) {
    const bool continues = slot > 0 && columns.back().last - columns.back().first < longest &&
                           blocks_[slot].number == blocks_[slot - 1].number + layer;
    if (continues)
      ++columns.back().last;
    else
      columns.push_back({slot, slot + 1});
  }
  std::atomic<std::size_t> done{0};
  const auto caller = std::this_thread::get_id();  // what `progress` throws stops the loop
  parallel_for({threads_, 1}, std::ssize(columns), [&](std::int64_t c) {
    add(columns[std::size_t(c)]);
    const std::size_t so_far = ++done;
    if (progress && std::this_thread::get_id() == caller)
      progress(from + (1.0 - from) * double(so_far) / double(columns.size()));
  });
  if (progress) progress(1.0);
}

/// Calls sum(blocks) with all blocks as the summer takes them.
template <typename Sum>
void CpuField::sum_elsewhere(const Sum& sum) {
  if (blocks_.empty()) return;
  std::vector<std::int32_t> numbers;
  numbers.reserve(blocks_.size());
  for (const Block& block : blocks_) numbers.push_back(std::int32_t(block.number));
  sum(HostBlocks{grid_.lattice, numbers, values_.data()->value});
}

/// Notes charges that the values are about to contain.
void CpuField::add_solute(std::span<const PointCharge> charges) {
  solute_.append(charges);
  clearance_A_ = std::min(clearance_A_, clearance_A(charges, excluded_centres_, exclusion_A_));
  exact_.forget();
  for (Block& block : blocks_) block.direct = false;
  solute_error_known_ = searchable_ = false;
}

void CpuField::add_direct(std::span<const PointCharge> charges, const Progress& progress) {
  if (blocks_.empty()) make_blocks();
  const std::size_t before = solute_.size();
  add_solute(charges);
  if (summer_) {
    sum_elsewhere([&](const HostBlocks& blocks) { summer_->add_direct(blocks, pair_, charges, progress); });
  } else {
    const ChargeArrays added = solute_.arrays(before, solute_.size());
    for_each_column(longest_column, progress, 0.0, [&](const BlockColumn& column) {
      std::array<BlockFrame, longest_column> frames;
      for (std::size_t slot = column.first; slot < column.last; ++slot)
        frames[slot - column.first] = wanted_frame(blocks_[slot].number);
      kernels_.add_charges(frames.data(), int(column.last - column.first), added, pair_,
                           values_[column.first].value);
    });
  }
  if (!options_.every_point) prepare_search();
}

void CpuField::add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                              const Progress& progress) {
  const MultilevelPlan plan = multilevel_plan(grid_.lattice, charges, pair_, options);
  add_solute(charges);
  const bool short_range = options_.every_point || clearance_A_ < options.cutoff_A;
  if (summer_) {
    if (blocks_.empty()) make_blocks();
    sum_elsewhere([&](const HostBlocks& blocks) {
      summer_->add_multilevel(blocks, plan, charges, short_range, progress);
    });
  } else {
    constexpr double grid_part = 0.5;  // of the time
    const MultilevelSum sum(grid_, plan, charges, short_range, options_.simd, threads_, [&](double part) {
      if (progress) progress(grid_part * part);
    });
    if (blocks_.empty()) make_blocks();
    for_each_column(1, progress, grid_part, [&](const BlockColumn& column) {
      sum.add_to(blocks_[column.first].number, values_[column.first].value);
    });
  }
  is_multilevel_ = true;
  if (!options_.every_point) prepare_search();
}

void CpuField::add_pending_ions(std::size_t slot) {
  Block& block = blocks_[slot];
  if (block.ions == ions_.size()) return;
  const ChargeArrays pending = ions_.arrays(block.ions, ions_.size());
  const BlockFrame frame = wanted_frame(block.number);
  const Vec3<double> half_A = half_extent_A(block_edge);
  block.error_kT_e +=
      float(rounding_of_direct_sum * (1 + 1e-6) *
            kernels_.magnitude(frame.centre_A, std::sqrt(dot(half_A, half_A)),
                               std::max(ion_clearance_A_, smallest_distance_A), pending, pair_));
  kernels_.add_charges(&frame, 1, pending, pair_, values_[slot].value);
  block.ions = std::uint32_t(ions_.size());
  recompute_bounds(slot);
}

void CpuField::add_ion(const PointCharge& ion, double distance_A) {
  ions_.append({&ion, 1});
  const double limit_A2 = ion_limit_A2(distance_A);
  available_.exclude({&ion.position_A, 1}, limit_A2);
  if (ion_distance_A_.size() == ions_.size()) {  // no charge to speak of
    if (searchable_) recompute_bounds_around(ion.position_A, distance_A);
    return;
  }
  ion_distance_A_.push_back(limit_A2 > 0.0 ? std::sqrt(limit_A2) * (1 - 1e-12) : 0.0);
  ion_clearance_A_ = std::min(ion_clearance_A_, ion_distance_A_.back());
  const std::size_t last = ions_.size() - 1;
  node_bounds_.add_ions(0, nodes_.size(), ions_.arrays(last, last + 1), ion_distance_A_.data() + last);
}

void CpuField::copy_values(std::span<float> values) {
  const Vec3<std::int64_t>& points = grid_.lattice.counts;
  if (std::int64_t(blocks_.size()) < grid_.size()) std::fill(values.begin(), values.end(), 0.0f);
  parallel_for({threads_, 16}, std::ssize(blocks_), [&](std::int64_t n) {
    const auto slot = std::size_t(n);
    add_pending_ions(slot);
    const Vec3<std::int64_t> first = grid_.first_point(blocks_[slot].number);
    const std::int64_t width = std::min<std::int64_t>(block_edge, points.x - first.x);
    for (std::int64_t k = 0; k < block_edge && first.z + k < points.z; ++k)
      for (std::int64_t j = 0; j < block_edge && first.y + j < points.y; ++j)
        std::copy_n(values_[slot].value + block_edge * (j + block_edge * k), width,
                    values.data() + grid_.lattice.index(first.x, first.y + j, first.z + k));
  });
  if (searchable_)
    for (std::size_t g = 0; g < nodes_.size(); ++g) gather(g, range_of_blocks(nodes_[g]));
}

FieldStatistics CpuField::statistics() const {
  FieldStatistics result = statistics_;
  result.exact_sums = exact_.sums();
  if (summer_) result.device = summer_->device_use();
  return result;
}

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
                                               const FieldOptions& options,
                                               std::unique_ptr<BlockSummer> summer) {
  return std::make_unique<CpuField>(lattice, pair, options, std::move(summer));
}

}  // namespace ionwell
