#include <array>
#include <cmath>

#include "parallel/parallel_for.hpp"
#include "placement/block_field.hpp"

namespace ionwell {

void CpuField::assign(std::span<const double> values) {
  const LatticeGeometry& lattice = grid_.lattice;
  require_value_for_each_point(lattice, values);
  parallel_for({threads_}, grid_.size(), [&](std::int64_t block) {
    if (!available_.any(block)) return;
    const std::uint64_t* const bits = available_.of_block(block);
    std::array<std::uint64_t, Availability::words> known{};
    for (int p = 0; p < block_points; ++p)
      if (is_set(bits, p) && !std::isnan(values[std::size_t(grid_.lattice_index(block, p))]))
        known[std::size_t(p / 64)] |= std::uint64_t(1) << (p % 64);
    available_.keep(block, known.data());
  });
  if (blocks_.empty()) make_blocks();
  parallel_for({threads_}, std::ssize(blocks_), [&](std::int64_t n) {
    const auto slot = std::size_t(n);
    float* const to = values_[slot].value;
    const Vec3<std::int64_t> first = grid_.first_point(blocks_[slot].number);
    for (int p = 0; p < block_points; ++p) {
      const std::int64_t i = first.x + p % block_edge, j = first.y + p / block_edge % block_edge,
                         k = first.z + p / (block_edge * block_edge);
      const bool inside = i < lattice.counts.x && j < lattice.counts.y && k < lattice.counts.z;
      const double value = inside ? values[std::size_t(lattice.index(i, j, k))] : 0.0;
      to[p] = std::isnan(value) ? 0.0f : float(value);  // rounding it to fp32 is part of every block's error
    }
  });
  exact_.assign(values);
  solute_error_known_ = searchable_ = false;
  if (!options_.every_point) prepare_search();
}

}  // namespace ionwell
