// SPDX-License-Identifier: BSD-3-Clause
#include "structures/overlapping_atoms.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/large_array.hpp"
#include "parallel/thread_count.hpp"
#include "parallel/thread_pool.hpp"

namespace ionwell {
namespace {

using Cell = Vec3<std::int64_t>;

Cell cell_of(const Vec3<double>& p, double shift_A, double edge_A) {
  const auto index = [&](double x) {
    const double cell = (x + shift_A) / edge_A;
    const auto whole = std::int64_t(cell);  // towards 0; std::floor is a call where there is no SSE4.1
    return whole - (double(whole) > cell ? 1 : 0);
  };
  return {index(p.x), index(p.y), index(p.z)};
}

/// Calls visit(cell) for all cells with a point within `distance_A` of p by axis, until it says true; whether
/// it did.
template <typename Visit>
bool any_cell_near(const Vec3<double>& p, double distance_A, double edge_A, const Visit& visit) {
  const Cell low = cell_of(p, -distance_A, edge_A), high = cell_of(p, distance_A, edge_A);
  for (std::int64_t z = low.z; z <= high.z; ++z)
    for (std::int64_t y = low.y; y <= high.y; ++y)
      for (std::int64_t x = low.x; x <= high.x; ++x)
        if (visit(Cell{x, y, z})) return true;
  return false;
}

/// Cells less than 2^20 from the origin by axis have different keys.
std::uint64_t key_of(const Cell& cell) {
  constexpr std::uint64_t mask = (1u << 21) - 1;
  return (std::uint64_t(cell.x) & mask) | (std::uint64_t(cell.y) & mask) << 21 |
         (std::uint64_t(cell.z) & mask) << 42;
}

std::uint64_t hash_of(std::uint64_t key) {
  std::uint64_t hash = key * 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio, Knuth's multiplicative hash
  hash ^= hash >> 32;
  return hash * 0x9E3779B97F4A7C15u;
}

/// Calls work(i) for each i in [0, count). A pool, because on a busy machine the threads of OpenMP wait for
/// each other longer than all of this takes.
template <typename Work>
void for_each_of(ThreadPool& pool, std::int64_t count, const Work& work) {
  constexpr std::int64_t pieces = 256;
  const std::int64_t piece = count / pieces + 1;
  parallel_for(pool, (count + piece - 1) / piece, [&](std::int64_t n) {
    for (std::int64_t i = piece * n; i < std::min(count, piece * (n + 1)); ++i) work(i);
  });
}

/// Whether a cell holds no atom, one, or more: two bits a cell, 8 x 8 x 4 cells in a cache line that a hash
/// of their place chooses. Where cells share bits they seem to hold more than they do, never less. Atoms that
/// are neighbours in a file mostly are in space, and find their line in the cache.
class CellCounts {
 public:
  static constexpr double edge_A = 0.5;  // two bonded atoms are never in one cell, and few lie at its faces

  /// 32 cells an atom: of those without an atom, one in thirty seems to have one.
  CellCounts(std::size_t atoms, ThreadPool& pool) : words_((atoms / line_words + 1) * line_words) {
    for_each_of(pool, std::int64_t(words_.size()), [this](std::int64_t n) { words_[std::size_t(n)] = 0; });
  }

  /// From several threads at once.
  void add(const Cell& cell) {
    const Bits at = bits_of(cell);
    const std::atomic_ref word(words_[at.word]);
    if ((word.fetch_or(at.one, std::memory_order_relaxed) & at.one) != 0)
      word.fetch_or(at.one << 1, std::memory_order_relaxed);
  }
  bool has_one(const Cell& cell) const {
    const Bits at = bits_of(cell);
    return (words_[at.word] & at.one) != 0;
  }
  bool has_more(const Cell& cell) const {
    const Bits at = bits_of(cell);
    return (words_[at.word] & at.one << 1) != 0;
  }

 private:
  static constexpr std::size_t line_words = 8;

  struct Bits {
    std::size_t word;
    std::uint64_t one;  // the lower bit of two
  };
  Bits bits_of(const Cell& cell) const {
    const std::uint64_t hash = hash_of(key_of({cell.x >> 3, cell.y >> 3, cell.z >> 2}));
    const std::uint64_t lines = words_.size() / line_words;
    const std::uint64_t line = (hash >> 32) * lines >> 32;
    const std::uint64_t within = std::uint64_t((cell.x & 7) | (cell.y & 7) << 3 | (cell.z & 3) << 6);
    return {std::size_t(line * line_words + within / 32), std::uint64_t{1} << within % 32 * 2};
  }

  LargeArray<std::uint64_t> words_;
};

/// A bit an atom: whether another one may overlap with it.
std::vector<std::uint64_t> atoms_with_neighbours(std::span<const Atom> atoms, ThreadPool& pool) {
  constexpr double reach_A = 1.01 * overlap_A;  // no rounding decides
  constexpr double edge_A = CellCounts::edge_A;
  CellCounts counts(atoms.size(), pool);
  for_each_of(pool, std::ssize(atoms),
              [&](std::int64_t i) { counts.add(cell_of(atoms[std::size_t(i)].position_A, 0.0, edge_A)); });
  std::vector<std::uint64_t> bits((atoms.size() + 63) / 64);
  for_each_of(pool, std::ssize(bits), [&](std::int64_t word) {
    const std::size_t begin = 64 * std::size_t(word), end = std::min(atoms.size(), begin + 64);
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3<double>& p = atoms[i].position_A;
      const Cell own = cell_of(p, 0.0, edge_A);
      const bool has = any_cell_near(p, reach_A, edge_A, [&](const Cell& cell) {
        return cell == own ? counts.has_more(cell) : counts.has_one(cell);
      });
      bits[std::size_t(word)] |= std::uint64_t{has} << (i - begin);
    }
  });
  return bits;
}

/// Finds atoms closer than overlap_A to one before them: cells in a hash table, each with a list of its
/// atoms. An atom that overlaps is not put into the table, which bounds the length of the lists.
class OverlapSearch {
 public:
  /// For so many atoms to look at.
  OverlapSearch(std::span<const Atom> atoms, std::size_t count)
      : atoms_(atoms), heads_(std::bit_ceil(count + 1), none) {}

  void look_at(std::size_t i) {
    const Vec3<double>& p = atoms_[i].position_A;
    std::size_t other = 0;
    const bool overlaps = any_cell_near(p, overlap_A, edge_A, [&](const Cell& cell) {
      for (std::size_t at = heads_[slot_of(cell)]; at != none; at = placed_[at].next) {
        other = placed_[at].atom;
        const Vec3<double>& q = atoms_[other].position_A;
        if (distance_squared(p, q) < overlap_A * overlap_A && cell_of(q, 0.0, edge_A) == cell) return true;
      }
      return false;
    });
    if (!overlaps) {
      std::size_t& head = heads_[slot_of(cell_of(p, 0.0, edge_A))];
      placed_.push_back({i, head});
      head = placed_.size() - 1;
    } else if (found_.count++ == 0) {
      found_.first = other, found_.second = i;
    }
  }

  const OverlappingAtoms& found() const { return found_; }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr double edge_A = 0.1;  // ten times the distance: 1.7 cells to look into, on average

  struct Placed {
    std::size_t atom, next;  // of its cell
  };
  std::size_t slot_of(const Cell& cell) const { return hash_of(key_of(cell)) & (heads_.size() - 1); }

  std::span<const Atom> atoms_;
  std::vector<std::size_t> heads_;  // by hash of the cell: the last one there of `placed_`
  std::vector<Placed> placed_;
  OverlappingAtoms found_;
};

}  // namespace

OverlappingAtoms find_overlapping_atoms(std::span<const Atom> atoms) {
  constexpr std::size_t worth_thread = 1 << 16;  // atoms, which take a thread 1.5 ms
  const std::size_t threads = atoms.size() / worth_thread;
  ThreadPool pool(threads < 2 ? 1 : int(std::min<std::size_t>(threads, std::size_t(thread_count(0)))));
  const std::vector<std::uint64_t> bits = atoms_with_neighbours(atoms, pool);
  std::size_t count = 0;
  for (const std::uint64_t word : bits) count += std::size_t(std::popcount(word));
  OverlapSearch search(atoms, count);
  for (std::size_t word = 0; word < bits.size(); ++word)
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
      search.look_at(64 * word + std::size_t(std::countr_zero(left)));
  return search.found();
}

}  // namespace ionwell
