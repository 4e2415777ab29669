// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ranks/rank_model.hpp"

#include <bit>
#include <cmath>

#include "compute/ranks/rank_messages.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

RankTimes modelled_times(const RankFigures& figures, const LatticeGeometry& lattice, std::int64_t charges,
                         int ranks) {
  RankTimes times{.most_points = largest_slab(lattice, ranks).size()};
  const double points = double(times.most_points), crowding = figures.crowding;
  const double steps = std::bit_width(unsigned(ranks - 1));  // of a tree
  const bool is_alone = ranks == 1;
  times.direct_s = crowding * points * double(charges) / figures.pairs_per_s;
  times.multilevel_s = crowding * (points / figures.points_per_s + double(charges) * figures.charge_s);
  times.search_s = crowding * (figures.search_s + points * figures.search_point_s);
  if (is_alone) return times;
  times.charge_bytes = charges * std::int64_t(sizeof(PointCharge) + sizeof(Vec3<double>));
  const double order_s = steps * figures.latency_s;
  // Of many in two steps, as MpiGroup gathers them.
  const double at_once = ranks > 16 ? 2.0 * (std::ceil(std::sqrt(double(ranks))) - 1.0) : ranks - 1.0;
  const double answers_s = (ranks > 16 ? 2.0 : 1.0) * figures.latency_s + at_once * figures.answer_s;
  times.charges_s = 4.0 * order_s + answers_s + double(times.charge_bytes) / figures.bytes_per_s;
  // It is searched for, the answers come, and it is taken in, which goes with the next order: RankedField.
  times.ion_bytes = std::int64_t(2 * sizeof(RankOrder) + sizeof(RankReply));
  times.ion_message_s = order_s + answers_s;
  times.map_bytes =
      (lattice.size() - rank_slabs(lattice, ranks).front().size()) * std::int64_t{sizeof(float)};
  times.map_s = 4.0 * order_s + answers_s + double(times.map_bytes) / figures.map_bytes_per_s;
  return times;
}

LatticeGeometry cube_of_points(double points, double spacing_A) {
  const auto along = std::int64_t(std::cbrt(points) + 0.5);
  return {{0, 0, 0}, {spacing_A, spacing_A, spacing_A}, {along, along, along}};
}

}  // namespace ionwell
