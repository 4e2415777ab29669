// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/ways/box_room.hpp"

#include <algorithm>
#include <atomic>

#include "core/error.hpp"
#include "core/periodic/periodic_cell_list.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "parallel/parallel_for.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

bool is_heavy_atom(const Atom& atom) {
  const std::string_view element = element_of(atom);
  return !element.empty() && element != "H";
}

std::string describe_cell(const PeriodicCell& cell) {
  const auto [a, b, c] = lengths_A(cell.vectors());
  TextStream text;
  text << "the cell of " << a << " x " << b << " x " << c << " A";
  return text.str();
}

constexpr const char* way_out = "; correct the cell in the file, or use --boundary open";

}  // namespace

void require_volume(const SolvatedBox& box, std::int64_t waters, const std::string& path, int threads) {
  constexpr double least_A3 = 5.0;  // of an atom that is no hydrogen: diamond has 5.7, water 30
  std::atomic<std::int64_t> heavy = waters;
  parallel_ranges({threads, 4096}, std::ssize(box.acting), [&](std::int64_t first_atom, std::int64_t last) {
    heavy += std::count_if(box.acting.begin() + first_atom, box.acting.begin() + last, is_heavy_atom);
  });
  if (double(heavy.load()) * least_A3 > box.cell.volume_A3())
    fail(path, ": ", describe_cell(box.cell), " is too small for the ", count_of(heavy.load(), "atom"),
         " in it that are not hydrogens", way_out);
}

void require_no_image_on_atom(const SolvatedBox& box, const std::string& path, int threads) {
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(box.acting.size());
  for (const Atom& atom : box.acting) positions_A.push_back(atom.position_A);
  constexpr double on_top_A = 0.5, usual_A = 4.0, same_A2 = 1e-6;
  const PeriodicCellList list(box.cell, positions_A, usual_A);
  const std::size_t none = positions_A.size();
  std::atomic<std::size_t> first = none;  // atom on top of an image
  parallel_for({threads, 1024}, std::ssize(positions_A), [&](std::int64_t i) {
    const auto n = std::size_t(i);
    list.near(positions_A[n], on_top_A, [&](std::uint32_t other, const Vec3<double>& d) {
      if (distance_squared(positions_A[other] - positions_A[n], d) < same_A2) return;  // not by an image
      for (std::size_t known = first; n < known && !first.compare_exchange_weak(known, n);) {
      }
    });
  });
  if (first != none)
    fail(path, ": ", describe_cell(box.cell), " is smaller than the solute: ", describe(box.acting[first]),
         " is on an image of another atom", way_out);
}

}  // namespace ionwell
