#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/large_array.hpp"
#include "lattice/mask.hpp"
#include "parallel/thread_pool.hpp"
#include "placement/candidates.hpp"
#include "placement/cpu_field.hpp"
#include "placement/cube_bounds.hpp"
#include "placement/exact_potential.hpp"

/// The field behind make_cpu_field. Its parts: cpu_field.cpp holds the values, block_errors.cpp knows how far
/// they are from the exact potential, block_search.cpp finds the lowest point.
namespace ionwell {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int node_edge = 4;  // blocks to a side of a node

struct alignas(64) BlockValues {
  float value[block_points];
};

/// A block that holds values.
struct Block {
  std::int64_t number = 0;     // in the grid
  std::size_t cube = 0;        // where its bounds are
  float error_kT_e = 0.0f;     // |value - exact| at its available points
  std::uint32_t ions = 0;      // how many of the placed ions its values contain
  bool direct = false;         // summed directly, though the rest of the lattice is a multilevel sum
  std::uint32_t expanded = 0;  // the last search that brought it up to date
};

/// A cube of blocks, so that a new ion need not visit every block.
struct Node {
  std::size_t first = 0, last = 0;  // its blocks
  std::size_t first_cube = 0;       // where their bounds begin
  std::uint32_t ions = 0;           // how many ions its blocks' bounds contain; never fewer than their values
};

class CpuField final : public PotentialField {
 public:
  CpuField(const LatticeGeometry& lattice, const PairPotential& pair, const FieldOptions& options,
           std::unique_ptr<BlockSummer> summer);

  const LatticeGeometry& lattice() const override { return grid_.lattice; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A) override;
  void add_direct(std::span<const PointCharge> charges, const Progress& progress) override;
  void add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                      const Progress& progress) override;
  void assign(std::span<const double> values) override;
  std::optional<LowestPoint> lowest_energy_point(double charge_e) override;
  void add_ion(const PointCharge& ion, double distance_A) override;
  void copy_values(std::span<float> values) override;
  FieldStatistics statistics() const override;

 private:
  /// What became of a node in a search.
  struct Step {
    double bound_kT = infinity;  // of what is left in the node
    double upper_kT = infinity;  // an available point with at most this exact energy was seen
    bool updated = false;
    std::optional<Bounds> refreshed;  // of the whole node, with all ions
    std::vector<Candidate> candidates;
  };

  Bounds bounds(const Node& node, std::size_t slot) const {
    return block_bounds_[node.first_cube + (slot - node.first)];
  }

  /// From the centre of a cube with `edge` points to a side to its faces.
  Vec3<double> half_extent_A(std::int64_t edge) const {
    return (0.5 * double(edge - 1)) * grid_.lattice.spacing_A;
  }

  /// A block's frame, with the points that need values.
  BlockFrame wanted_frame(std::int64_t block) const {
    return options_.every_point ? block_frame(grid_, block) : available_.frame(block);
  }

  void make_blocks();
  template <typename Add>
  void for_each_column(std::size_t longest, const Progress& progress, double from, const Add& add);
  template <typename Sum>
  void sum_elsewhere(const Sum& sum);
  void add_solute(std::span<const PointCharge> charges);
  void prepare_search();
  void bound_rounding_of_solute();
  void measure_error_of_solute();
  void add_pending_ions(std::size_t slot);
  void recompute_bounds(std::size_t slot);
  void recompute_bounds_around(Vec3<double> centre_A, double distance_A);
  void refresh(const Node& node);
  Bounds range_of_blocks(const Node& node) const;
  void gather(std::size_t g, const Bounds& range);
  std::size_t most_promising(const Node& node, double charge_e) const;
  void collect(std::size_t slot, double charge_e, double upper_kT, std::vector<Candidate>& candidates) const;
  bool is_near_degenerate(const Node& node, std::size_t slot, double charge_e, double upper_kT) const;
  void sum_directly(std::size_t slot);
  Step advance(std::size_t g, double charge_e, double upper_kT);
  std::vector<Candidate> search(double charge_e);
  void thin_out(double charge_e, std::vector<Candidate>& candidates, double& upper_kT);
  double loosest_tie_kT(double charge_e, const Candidate& candidate) const;
  std::vector<Candidate> sum_candidates(double charge_e, std::vector<Candidate> candidates);
  LowestPoint choose(double charge_e, std::vector<Candidate> candidates);
  std::optional<LowestPoint> first_available() const;
  LowestPoint choose_by_lattice(double charge_e, const std::vector<Candidate>& candidates) const;

  BlockGrid grid_;
  PairPotential pair_;
  FieldOptions options_;
  std::unique_ptr<BlockSummer> summer_;  // may be null
  const BlockKernels& kernels_;
  int threads_;
  ThreadPool pool_;  // for the short rounds of a search
  ChargeTable solute_, ions_;
  double ion_clearance_A_ = infinity;   // from any ion to any available point
  std::vector<double> ion_distance_A_;  // how near to each ion a point can still be available
  ExactPotential exact_;
  CubeBounds block_bounds_, node_bounds_;
  Availability available_;
  std::vector<Vec3<double>> excluded_centres_;
  double exclusion_A_ = 0.0;
  double clearance_A_ = infinity;  // from any solute charge to any available point
  std::vector<Block> blocks_;      // by node
  LargeArray<BlockValues> values_;
  std::vector<Node> nodes_;
  bool is_multilevel_ = false;
  bool solute_error_known_ = false;  // the blocks' errors allow for all solute charges
  bool searchable_ = false;          // the bounds hold, and a block's own values reach them
  std::uint32_t searches_ = 0;
  FieldStatistics statistics_;
};

}  // namespace ionwell
