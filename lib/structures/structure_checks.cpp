#include "structures/structure_checks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <limits>

#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/large_array.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "structures/pdb2pqr_command.hpp"
#include "structures/rounded_charges.hpp"

namespace ionwell {
namespace {

constexpr double integer_tolerance_e = 0.01;  // what rounding of the charges in a file adds up to
constexpr double overlap_A = 0.01;
constexpr double alternate_A =
    2.0;  // alternate locations of an atom lie this close; atoms of one name do not

/// Finds atoms closer than overlap_A to one before them: cells in a hash table, each with a list of its
/// atoms. An atom that overlaps is not put into the table, which bounds the length of the lists.
class OverlapSearch {
 public:
  explicit OverlapSearch(const std::vector<Atom>& atoms)
      : atoms_(atoms),
        heads_(std::bit_ceil(atoms.size() + atoms.size() / 2 + 16)),
        next_(atoms.size()),
        keys_(atoms.size()) {
    std::fill_n(heads_.data(), heads_.size(), none);
  }

  void run() {
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const std::size_t other = find_near(atoms_[i].position_A);
      if (other == none) {
        insert(i);
      } else if (count++ == 0) {
        first = other, second = i;
      }
    }
  }

  std::int64_t count = 0;
  std::size_t first = 0, second = 0;  // the first pair

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr double cell_A = 0.1;  // ten times the distance: 1.7 cells to look into, on average

  using Cell = Vec3<std::int64_t>;
  static Cell cell_of(const Vec3<double>& p, double shift_A) {
    const auto index = [shift_A](double x) { return std::int64_t(std::floor((x + shift_A) / cell_A)); };
    return {index(p.x), index(p.y), index(p.z)};
  }
  /// Cells of coordinates below 1e5 A have different keys.
  static std::uint64_t key_of(std::int64_t x, std::int64_t y, std::int64_t z) {
    constexpr std::uint64_t mask = (1u << 21) - 1;
    return (std::uint64_t(x) & mask) | (std::uint64_t(y) & mask) << 21 | (std::uint64_t(z) & mask) << 42;
  }
  std::size_t slot_of(std::uint64_t key) const {
    std::uint64_t hash = key * 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio, Knuth's multiplicative hash
    hash ^= hash >> 32;
    return hash & (heads_.size() - 1);
  }

  std::size_t find_near(const Vec3<double>& p) const {
    const Cell low = cell_of(p, -overlap_A), high = cell_of(p, overlap_A);
    for (std::int64_t z = low.z; z <= high.z; ++z)
      for (std::int64_t y = low.y; y <= high.y; ++y)
        for (std::int64_t x = low.x; x <= high.x; ++x) {
          const std::uint64_t key = key_of(x, y, z);
          for (std::size_t i = heads_[slot_of(key)]; i != none; i = next_[i])
            if (keys_[i] == key && distance_squared(p, atoms_[i].position_A) < overlap_A * overlap_A)
              return i;
        }
    return none;
  }
  void insert(std::size_t i) {
    const Cell cell = cell_of(atoms_[i].position_A, 0.0);
    keys_[i] = key_of(cell.x, cell.y, cell.z);
    std::size_t& head = heads_[slot_of(keys_[i])];
    next_[i] = head;
    head = i;
  }

  const std::vector<Atom>& atoms_;
  LargeArray<std::size_t> heads_, next_;  // by slot, by atom
  LargeArray<std::uint64_t> keys_;
};

struct Alternates {
  std::int64_t count = 0;
  std::size_t first = 0;
};

/// Atoms of the name of one before them in their residue and near it.
Alternates find_alternates(const std::vector<Atom>& atoms) {
  constexpr std::size_t longest_residue = 100;  // two copies of a nucleotide have 80 atoms
  Alternates found;
  std::size_t residue = 0;
  for (std::size_t i = 1; i < atoms.size(); ++i) {
    if (!same_residue_number(atoms[i], atoms[residue])) residue = i;
    const std::size_t begin = std::max(residue, i > longest_residue ? i - longest_residue : 0);
    for (std::size_t other = begin; other < i; ++other) {
      if (!(atoms[other].name == atoms[i].name)) continue;
      const double d2 = distance_squared(atoms[other].position_A, atoms[i].position_A);
      if (d2 < overlap_A * overlap_A || d2 > alternate_A * alternate_A) continue;
      if (found.count++ == 0) found.first = i;
      break;
    }
  }
  return found;
}

}  // namespace

void check_structure(Structure& structure) {
  const std::vector<Atom>& atoms = structure.atoms;
  if (std::all_of(atoms.begin(), atoms.end(), [](const Atom& a) { return a.charge_e == 0.0; }))
    fail(structure.path, ": the charge", atoms.size() == 1 ? " of its one atom is" : "s of all ",
         atoms.size() == 1 ? "" : count_of(std::ssize(atoms), "atom") + " are",
         " zero, and without charges there is no potential; assign them, for example with ",
         pdb2pqr_example());

  const auto warn = [&structure](const auto&... parts) {
    TextStream text;
    text << structure.path << ": ";
    (text << ... << parts);
    structure.warnings.push_back(text.str());
  };
  const double net_e = net_charge_e(atoms);
  if (const auto rounding = rounded_charges(atoms))
    warn(*rounding);
  else if (std::abs(net_e - std::round(net_e)) > integer_tolerance_e)
    warn("the net charge is ", std::fixed, std::setprecision(3), net_e,
         " e, not an integer; usually an atom or a whole terminus is missing, or a residue that the force "
         "field does not know");

  OverlapSearch overlaps(atoms);
  overlaps.run();
  if (overlaps.count > 0)
    warn(count_of(overlaps.count, "atom"), overlaps.count == 1 ? " lies" : " lie", " within ", overlap_A,
         " A of another one, first ", describe(atoms[overlaps.second]), " on ",
         describe(atoms[overlaps.first]), "; their charges add up, so remove copies");

  const Alternates alternates = find_alternates(atoms);
  if (alternates.count > 0)
    warn(count_of(alternates.count, "atom"), alternates.count == 1 ? " is" : " are",
         " there twice in a residue, first ", describe(atoms[alternates.first]),
         "; if these are alternate locations, keep one of them, because both charges count");
}

}  // namespace ionwell
