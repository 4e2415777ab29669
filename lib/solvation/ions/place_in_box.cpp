// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/ions/place_in_box.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <optional>
#include <random>

#include "core/chemistry/composition.hpp"
#include "core/chemistry/extra_particles.hpp"
#include "core/chemistry/ion_component.hpp"
#include "core/error.hpp"
#include "parallel/in_background.hpp"
#include "placement/at_points/earlier_charges.hpp"
#include "placement/at_points/scattered_points.hpp"
#include "placement/periodic_neighbours.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_summed = std::numeric_limits<double>::quiet_NaN();  // an energy that is found later

/// Ions of the box that the salts may have, too.
std::vector<SaltIons> ions_there(const SolvatedBox& box, const ReplaceableWaters& waters,
                                 const std::vector<IonRequest>& requests) {
  std::vector<SaltIons> there;
  const std::span<const Atom> atoms = box.atoms;
  const auto add = [&](const IonSpecies& species, Compartment side, std::int64_t count) {
    there.push_back({.species = species, .compartment = side, .there = count});
  };
  auto water = waters.waters.begin();
  for (std::size_t begin = 0; begin < atoms.size();) {
    if (water != waters.waters.end() && water->begin == begin) {
      begin = water++->end;
      continue;
    }
    const Residue residue = residue_at(atoms, begin);
    const Atom& atom = atoms[begin];
    const bool is_lone_ion =
        residue.kind == ResidueKind::ion && is_one_atom(atoms.subspan(begin, residue.end - begin));
    const std::optional<FormalIon> ion =
        is_lone_ion ? formal_ion({.name = atom.residue.view(), .first_atom = atom.name.view()})
                    : std::nullopt;
    if (ion)
      add({std::string(atom.residue.view()), std::string(ion->element), ion->charge_e},
          waters.membrane ? waters.membrane->side(atom.position_A) : Compartment::whole, 1);
    begin = residue.end;
  }
  for (const IonRequest& request : requests) add(request.species, Compartment::whole, request.count);
  return there;
}

/// Numbers from 0 to `count` - 1, each as likely; the same for a seed everywhere.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) {
    // What is left of a division of 2^64 would come up once more often: those numbers are drawn again.
    const std::uint64_t n = count, left = (0 - n) % n;
    for (;;) {
      const std::uint64_t drawn = random_();
      if (drawn >= left) return std::size_t(drawn % n);
    }
  }

 private:
  std::mt19937_64 random_;
};

class BoxPlacer {
 public:
  BoxPlacer(const BoxTask& task, const std::function<void(std::span<const PlacedIon>)>& placed)
      : task_(task), placed_(placed), points_(make_points(task)) {}

  BoxPlacement place() {
    result_.salt = task_.salt;
    for (const IonRequest& request : task_.requests) result_.placement.requested += request.count;
    for (const SaltIons& ions : result_.salt.ions) result_.placement.requested += ions.added;

    bool goes_on = true;
    for (const IonRequest& request : task_.requests)
      for (std::int64_t i = 0; i < request.count && goes_on; ++i) goes_on = by_energy(request.species);
    std::vector<SaltIons> bulk = result_.salt.ions;
    for (const IonRequest& counter : result_.salt.counter_ions)
      for (std::int64_t i = 0; i < counter.count && goes_on; ++i) {
        goes_on = by_energy(counter.species);
        const auto of_kind = std::find_if(bulk.begin(), bulk.end(), [&](const SaltIons& ions) {
          return ions.species.name == counter.species.name && ions.added > 0;
        });
        --of_kind->added;
      }
    if (goes_on) place_bulk(bulk);
    tell();
    std::future<void> neighbours = in_background(task_.threads, [&] {
      find_periodic_neighbours(result_.placement.ions, task_.box.acting, task_.box.cell, task_.threads);
    });
    find_energies_by_chance();
    neighbours.get();
    result_.groups_updated = points_.groups_updated();
    result_.exact_sums = points_.exact_sums();
    result_.note = points_.note();
    return std::move(result_);
  }

 private:
  static ScatteredPoints make_points(const BoxTask& task) {
    std::vector<Vec3<double>> oxygens_A;
    std::vector<std::uint8_t> available;
    oxygens_A.reserve(task.waters.waters.size());
    available.reserve(task.waters.waters.size());
    for (std::size_t w = 0; w < task.waters.waters.size(); ++w) {
      oxygens_A.push_back(task.box.atoms[task.waters.waters[w].oxygen].position_A);
      available.push_back(task.waters.stays[w] == WaterStays::replaceable);
    }
    return {
        std::move(oxygens_A),
        task.potential_kT_e,
        std::move(available),
        task.action,
        {.tie_kT_e = task.tie_kT_e, .threads = task.threads, .simd = task.simd, .estimates = task.estimates}};
  }

  /// False when there is no place, or none of low enough energy.
  bool by_energy(const IonSpecies& species) {
    if (const std::size_t ions = result_.placement.ions.size(); ions < task_.begun.size()) {
      const PlacedIon& begun = task_.begun[ions];
      put({.species = species, .energy_kT = begun.energy_kT}, std::size_t(begun.lattice_index));
      return true;
    }
    const std::optional<std::size_t> water = points_.lowest_energy_point(species.charge_e);
    if (!water) return false;
    const bool at_once = points_.was_summed(*water) || task_.most_kT < infinite;
    const double energy_kT = at_once ? species.charge_e * points_.potential_kT_e(*water) : not_summed;
    if (energy_kT > task_.most_kT) {
      result_.placement.refused_kT = energy_kT;
      return false;
    }
    put({.species = species, .energy_kT = energy_kT}, *water);
    return true;
  }

  /// All of `ion` but where it is.
  void put(PlacedIon ion, std::size_t water) {
    ion.lattice_index = std::int64_t(water);
    ion.position_A = points_.position_A(water);
    std::vector<PointCharge> charges = {{ion.position_A, ion.species.charge_e}};
    if (task_.options.waters_act) {  // the water's leave with it
      const BoxWater& replaced = task_.waters.waters[water];
      for (std::size_t i = replaced.begin; i < replaced.end; ++i)
        charges.push_back({task_.box.atoms[i].position_A, -task_.box.atoms[i].charge_e});
    }
    acting_.push_back(points_.charges());
    points_.add_ion(charges, ion_limit_A2(task_.exclusion.ion_ion_A));
    before_.push_back(charges_.size());
    charges_.insert(charges_.end(), charges.begin(), charges.end());
    points_.take_away(water);
    result_.placement.ions.push_back(ion);
    result_.replaced.push_back(std::uint32_t(water));
    constexpr std::size_t together = 64;  // sums of energies that all threads share
    if (result_.placement.ions.size() - told_ >= together) tell();
  }

  /// Tells of the ions that were placed since, with the energies of those that a search put where they are.
  void tell() {
    std::vector<PlacedIon>& ions = result_.placement.ions;
    std::vector<PlacedIon*> later;
    std::vector<ScatteredPoints::Earlier> earlier;
    for (std::size_t n = told_; n < ions.size(); ++n)
      if (std::isnan(ions[n].energy_kT)) {
        later.push_back(&ions[n]);
        earlier.push_back({std::size_t(ions[n].lattice_index), acting_[n]});
      }
    const std::vector<double> potential_kT_e = points_.potentials_kT_e(earlier);
    for (std::size_t n = 0; n < later.size(); ++n)
      later[n]->energy_kT = later[n]->species.charge_e * potential_kT_e[n];
    while (told_ < ions.size()) {
      ++told_;
      if (placed_) placed_(std::span(ions).first(told_));
    }
  }

  /// Kinds take turns, the one that is most behind its share next, so that charges stay near zero all along.
  void place_bulk(std::vector<SaltIons>& bulk) {
    std::vector<double> asked;
    std::int64_t left = 0;
    for (const SaltIons& ions : bulk) {
      asked.push_back(double(ions.added));
      left += ions.added;
    }
    const bool by_chance = task_.options.salt.placement == SaltPlacement::random;
    if (by_chance) draw_waters();
    for (; left > 0; --left) {
      std::size_t next = 0;
      const auto share_left = [&](std::size_t i) {
        return asked[i] > 0.0 ? double(bulk[i].added) / asked[i] : 0.0;
      };
      for (std::size_t i = 1; i < bulk.size(); ++i)
        if (share_left(i) > share_left(next)) next = i;
      if (!(by_chance ? at_random(bulk[next]) : by_energy(bulk[next].species))) return;
      --bulk[next].added;
    }
  }

  /// The waters that salt may replace, in the order in which chance draws them.
  void draw_waters() {
    for (std::size_t w = 0; w < points_.size(); ++w)
      if (points_.is_available(w) && task_.waters.far_from_solute[w]) drawn_.push_back(std::uint32_t(w));
    Chance chance(task_.options.salt.seed);
    for (std::size_t i = 0; i + 1 < drawn_.size(); ++i)
      std::swap(drawn_[i], drawn_[i + chance.below(drawn_.size() - i)]);
  }

  bool at_random(const SaltIons& ions) {
    // Each compartment takes the waters in the order drawn, from where it stopped before.
    std::size_t& next = next_drawn_[std::size_t(ions.compartment)];
    for (; next < drawn_.size(); ++next) {
      const std::size_t water = drawn_[next];
      if (!points_.is_available(water)) continue;
      if (ions.compartment != Compartment::whole && task_.waters.side[water] != ions.compartment) continue;
      put({.species = ions.species, .by_chance = true}, water);
      return true;
    }
    return false;
  }

  /// Where chance puts an ion its energy decides nothing, so that all of them are found together in the end.
  void find_energies_by_chance() {
    std::vector<PlacedIon>& ions = result_.placement.ions;
    const auto first =
        std::find_if(ions.begin(), ions.end(), [](const PlacedIon& ion) { return ion.by_chance; });
    const auto by_energy = std::size_t(first - ions.begin());
    std::vector<Vec3<double>> positions_A;
    for (auto ion = first; ion != ions.end(); ++ion) positions_A.push_back(ion->position_A);
    const std::vector<double> potential_kT_e = potential_of_earlier(
        task_.action, charges_, positions_A, std::span(before_).subspan(by_energy), task_.threads);
    for (std::size_t n = 0; n < potential_kT_e.size(); ++n) {
      PlacedIon& ion = ions[by_energy + n];
      ion.energy_kT = ion.species.charge_e *
                      (points_.solute_potential_kT_e(std::size_t(ion.lattice_index)) + potential_kT_e[n]);
    }
  }

  const BoxTask& task_;
  const std::function<void(std::span<const PlacedIon>)>& placed_;
  ScatteredPoints points_;
  std::vector<PointCharge> charges_;  // that ions brought, in their order
  std::vector<std::size_t> before_;   // by ion: how many of them were there before it
  std::vector<std::size_t> acting_;   // and how many of these act (ScatteredPoints::charges)
  std::size_t told_ = 0;              // ions that `placed` has got
  std::vector<std::uint32_t> drawn_;
  std::size_t next_drawn_[compartments] = {};
  BoxPlacement result_;
};

}  // namespace

SaltCounts salt_of(const SolvatedBox& box, const ReplaceableWaters& waters,
                   const std::vector<IonRequest>& requests, const BoxOptions& options, double charge_e) {
  const SaltOptions& salt = options.salt;
  if (salt.salts.empty()) return {};
  SaltBox counted{.charge_e = charge_e, .there = ions_there(box, waters, requests)};
  for (const IonRequest& request : requests)
    counted.charge_e += double(request.count) * request.species.charge_e;
  counted.waters[std::size_t(Compartment::whole)] = std::ssize(waters.waters);
  for (const Compartment side : waters.side) ++counted.waters[std::size_t(side)];
  for (const SaltRequest& request : salt.salts)
    if (request.compartment != Compartment::whole && !waters.membrane)
      fail<UsageError>("--salt ", request.text, ": there is no membrane across the box; leave the side out");
  return count_salt(salt.salts, salt.scheme, counted);
}

BoxPlacement place_in_box(const BoxTask& task,
                          const std::function<void(std::span<const PlacedIon>)>& placed) {
  return BoxPlacer(task, placed).place();
}

}  // namespace ionwell
