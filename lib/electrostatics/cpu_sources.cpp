// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>

#include "electrostatics/block_columns.hpp"
#include "electrostatics/multilevel/multilevel_evaluator.hpp"
#include "electrostatics/node_distances.hpp"
#include "electrostatics/simd/direct_kernels.hpp"

namespace ionwell {
namespace {

class DirectSource final : public PotentialSource {
 public:
  explicit DirectSource(const SourceContext& context)
      : context_(context),
        kernels_(direct_kernels(context.simd)),
        nodes_(node_distances(context.pair, context.grid.lattice.spacing_A)) {}

  void add_to(const HostBlocks& blocks, const Progress& progress) override {
    const ChargeArrays charges = context_.charges.arrays();
    for_each_column(blocks, longest_column, context_.threads, progress, 0.0, [&](const BlockColumn& column) {
      std::array<BlockFrame, longest_column> frames;
      for (std::size_t slot = column.first; slot < column.last; ++slot)
        frames[slot - column.first] = blocks.frame(context_.grid, slot);
      kernels_.add_charges(frames.data(), int(column.last - column.first), charges, context_.pair, nodes_,
                           blocks.values + block_points * column.first);
    });
  }

 private:
  SourceContext context_;
  const DirectKernels& kernels_;
  NodeDistances nodes_;
};

class MultilevelSource final : public PotentialSource {
 public:
  MultilevelSource(const MultilevelSum& sum, const SourceContext& context, const Progress& progress)
      : threads_(context.threads),
        plan_(multilevel_plan(context.grid.lattice.whole(), sum.charges, context.pair, sum.options)),
        evaluator_(context.grid, plan_, sum.charges, context.short_range, context.simd, context.threads,
                   [&](double part) {
                     if (progress) progress(grid_part * part);
                   }) {}

  void add_to(const HostBlocks& blocks, const Progress& progress) override {
    for_each_column(blocks, 1, threads_, progress, grid_part, [&](const BlockColumn& column) {
      evaluator_.add_to(blocks.numbers[column.first], blocks.values + block_points * column.first);
    });
  }

 private:
  static constexpr double grid_part = 0.5;  // of the time

  int threads_;
  MultilevelPlan plan_;
  MultilevelEvaluator evaluator_;
};

class ImportedSource final : public PotentialSource {
 public:
  ImportedSource(const ImportedMap& map, const SourceContext& context) : map_(map), context_(context) {}

  void add_to(const HostBlocks& blocks, const Progress& progress) override {
    const LatticeGeometry& lattice = blocks.lattice;
    parallel_for({context_.threads}, std::ssize(blocks.numbers), [&](std::int64_t slot) {
      float* const to = blocks.values + block_points * slot;
      const Vec3<std::int64_t> first = context_.grid.first_point(blocks.numbers[std::size_t(slot)]);
      for (int p = 0; p < block_points; ++p) {
        const std::int64_t i = first.x + p % block_edge, j = first.y + p / block_edge % block_edge,
                           k = first.z + p / (block_edge * block_edge);
        const bool inside = i < lattice.counts.x && j < lattice.counts.y && k < lattice.counts.z;
        const double value = inside ? map_.values_kT_e[std::size_t(lattice.index(i, j, k))] : 0.0;
        to[p] += std::isnan(value) ? 0.0f : float(value);
      }
    });
    if (progress) progress(1.0);
  }

 private:
  ImportedMap map_;
  SourceContext context_;
};

}  // namespace

std::unique_ptr<PotentialSource> make_cpu_source(const SolutePotential& potential,
                                                 const SourceContext& context, const Progress& progress) {
  struct Make {
    const SourceContext& context;
    const Progress& progress;

    std::unique_ptr<PotentialSource> operator()(const DirectSum&) const {
      return std::make_unique<DirectSource>(context);
    }
    std::unique_ptr<PotentialSource> operator()(const MultilevelSum& sum) const {
      return std::make_unique<MultilevelSource>(sum, context, progress);
    }
    std::unique_ptr<PotentialSource> operator()(const ImportedMap& map) const {
      return std::make_unique<ImportedSource>(map, context);
    }
  };
  return std::visit(Make{context, progress}, potential);
}

}  // namespace ionwell
