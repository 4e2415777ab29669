// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/hydration/hydrate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/cell_list.hpp"
#include "core/chemistry/bondi_radius.hpp"
#include "core/error.hpp"
#include "core/periodic/images_near_box.hpp"
#include "parallel/parallel_for.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr double usual_radius_A = 1.7;         // of atoms whose element is not known: carbon's
constexpr double water_oxygen_radius_A = 1.5;  // as AMBER's set bondi has oxygen
constexpr double hydrogen_radius_A = 1.2;
constexpr double cell_A = 8.0;

/// An atom without an element and without a charge is a dummy, which takes no room.
ShellNeighbour neighbour_of(const Atom& atom) {
  const std::string_view element = element_of(atom);
  ShellNeighbour neighbour{.position_A = atom.position_A, .charge_e = atom.charge_e};
  neighbour.radius_A = bondi_radius_A(element).value_or(usual_radius_A);
  const bool can_accept = element == "O" || element == "N" || element == "S" || element == "F" ||
                          element == "CL" || element == "BR" || element == "I";
  if (element == "H")
    neighbour.kind = NeighbourKind::hydrogen;
  else if (can_accept && atom.charge_e < 0.0)
    neighbour.kind = NeighbourKind::acceptor;
  else if (coordination_of(element) != nullptr && atom.charge_e > 0.0)
    neighbour.kind = NeighbourKind::cation;
  return neighbour;
}

ShellNeighbour neighbour_of(const PlacedIon& ion) {
  ShellNeighbour neighbour{.position_A = ion.position_A, .charge_e = ion.species.charge_e};
  neighbour.radius_A = bondi_radius_A(ion.species.element).value_or(usual_radius_A);
  neighbour.kind = ion.species.charge_e > 0.0 ? NeighbourKind::cation : NeighbourKind::acceptor;
  return neighbour;
}

/// All that waters may meet, by what it is.
class Neighbourhood {
 public:
  /// With the periodic images, in `cell`, of all that is within `sees_A` of an ion.
  Neighbourhood(std::span<const Atom> solute, std::span<const PlacedIon> ions, const PeriodicCell* cell,
                double sees_A)
      : atoms_(neighbours_of(solute)), ions_(neighbours_of(ions)) {
    number(atoms_.size(), atom_);
    number(ions_.size(), ion_);
    if (cell != nullptr && !ions.empty()) {
      Box around{ions.front().position_A, ions.front().position_A};
      for (const PlacedIon& ion : ions) around = extended(around, ion.position_A);
      add_images(*cell, around, sees_A, atoms_, atom_);
      add_images(*cell, around, sees_A, ions_, ion_);
    }
    atoms_A_ = positions(atoms_);
    ions_A_ = positions(ions_);
    near_atoms_.emplace(atoms_A_, cell_A);
    near_ions_.emplace(ions_A_, cell_A);
  }

  /// The solute and the other ions around ion `n`; fills the acceptors, and their numbers.
  ShellSite site(std::size_t n, const HydrationRequest& request, std::vector<std::size_t>& acceptors) const {
    const Vec3<double>& ion_A = ions_A_[n];
    ShellSite site{.ion_A = ion_A, .distance_A = request.ion->distance_A};
    site.directions = least_repulsion(request.neighbours);
    const double reach_A = shell_reach_A(site.distance_A);
    std::vector<std::pair<double, std::size_t>> inner;
    near_atoms_->near({ion_A, ion_A}, reach_A, [&](std::uint32_t a) {
      const double d2_A2 = distance_squared(atoms_A_[a], ion_A);
      if (d2_A2 > reach_A * reach_A) return;
      site.around.push_back(atoms_[a]);
      if (atoms_[a].kind == NeighbourKind::acceptor && d2_A2 <= inner_sphere_A * inner_sphere_A)
        inner.emplace_back(d2_A2, a);
    });
    near_ions_->near({ion_A, ion_A}, reach_A, [&](std::uint32_t other) {
      if (other != n && distance_squared(ions_A_[other], ion_A) <= reach_A * reach_A)
        site.around.push_back(ions_[other]);
    });
    std::sort(inner.begin(), inner.end());
    if (inner.size() > site.directions.size()) inner.resize(site.directions.size());
    site.acceptors_A.reserve(inner.size());
    acceptors.reserve(inner.size());
    for (const auto& [d2_A2, atom] : inner) {
      site.acceptors_A.push_back(atoms_A_[atom]);
      acceptors.push_back(atom_[atom]);
    }
    return site;
  }

  /// Calls visit(number, shift_A) for the ions within `distance_A` of ion `n`, which are at `shift_A` from
  /// where they were placed.
  template <typename Visit>
  void ions_near(std::size_t n, double distance_A, const Visit& visit) const {
    near_ions_->near({ions_A_[n], ions_A_[n]}, distance_A, [&](std::uint32_t other) {
      if (ion_[other] != n && distance_squared(ions_A_[other], ions_A_[n]) <= distance_A * distance_A)
        visit(ion_[other], ions_A_[other] - ions_A_[ion_[other]]);
    });
  }

 private:
  template <typename One>
  static std::vector<ShellNeighbour> neighbours_of(std::span<const One> some) {
    std::vector<ShellNeighbour> all;
    all.reserve(some.size());
    for (const One& one : some) all.push_back(neighbour_of(one));
    return all;
  }

  static std::vector<Vec3<double>> positions(std::span<const ShellNeighbour> some) {
    std::vector<Vec3<double>> all;
    all.reserve(some.size());
    for (const ShellNeighbour& one : some) all.push_back(one.position_A);
    return all;
  }

  static void number(std::size_t count, std::vector<std::size_t>& numbers) {
    numbers.resize(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t(0));
  }

  static void add_images(const PeriodicCell& cell, const Box& around, double sees_A,
                         std::vector<ShellNeighbour>& some, std::vector<std::size_t>& numbers) {
    for (const PointImage& image : images_near_box(positions(some), cell, around, sees_A)) {
      ShellNeighbour neighbour = some[image.point];
      neighbour.position_A = image.position_A;
      some.push_back(neighbour);
      numbers.push_back(image.point);
    }
  }

  std::vector<ShellNeighbour> atoms_, ions_;  // as they were given, then their images
  std::vector<std::size_t> atom_, ion_;       // which one each of them is
  std::vector<Vec3<double>> atoms_A_, ions_A_;
  std::optional<CellList> near_atoms_, near_ions_;
};

/// The waters of another ion's shell, `shift_A` from where they were put.
void add_waters(const std::vector<ShellWater>& waters, const Vec3<double>& shift_A, const WaterModel& model,
                ShellSite& site) {
  const double hydrogen_e = model.hydrogen_e;
  for (const ShellWater& water : waters) {
    site.around.push_back(
        {water[0] + shift_A, -2.0 * hydrogen_e, water_oxygen_radius_A, NeighbourKind::acceptor});
    for (const std::size_t h : {1U, 2U})
      site.around.push_back({water[h] + shift_A, hydrogen_e, hydrogen_radius_A, NeighbourKind::hydrogen});
  }
}

Quaternion turn(const Vec3<double>& axis, double angle_rad) {
  const double s = std::sin(0.5 * angle_rad);
  return {std::cos(0.5 * angle_rad), s * axis.x, s * axis.y, s * axis.z};
}

/// The best of all orientations, then turned by smaller and smaller steps as long as that helps.
TurnedShell best_shell(const ShellSite& site, const WaterModel& model, int orientations) {
  const ShellEnergy energy(site, model);
  Quaternion best;
  TurnedShell shell;
  for (int n = 0; n < orientations; ++n) {
    const Quaternion here = spread_rotation(n, orientations);
    TurnedShell turned = energy.turned(here, false);
    if (n > 0 && !(turned.energy_kT < shell.energy_kT)) continue;
    best = here;
    shell = std::move(turned);
  }
  shell = energy.turned(best, true);
  constexpr double degrees = std::numbers::pi / 180.0, largest_rad = 4.0 * degrees, least_rad = 0.2 * degrees;
  constexpr Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (double step_rad = largest_rad; step_rad > least_rad;) {
    bool is_better = false;
    for (const Vec3<double>& axis : axes)
      for (const double angle_rad : {step_rad, -step_rad}) {
        const Quaternion here = product(turn(axis, angle_rad), best);
        TurnedShell turned = energy.turned(here, true);
        if (!(turned.energy_kT < shell.energy_kT)) continue;
        best = here;
        shell = std::move(turned);
        is_better = true;
      }
    if (!is_better) step_rad /= 2;
  }
  return shell;
}

/// Whether the request is for this ion.
bool is_for(const HydrationRequest& request, const PlacedIon& ion) {
  return ion.species.element == request.ion->element && ion.species.charge_e > 0.0;
}

/// The shells to be made, empty yet, and the number of each ion's request.
std::vector<IonShell> asked_for(std::span<const PlacedIon> ions, const HydrationOptions& options,
                                std::vector<std::size_t>& request_of) {
  std::vector<IonShell> shells;
  for (std::size_t n = 0; n < ions.size(); ++n)
    for (std::size_t r = 0; r < options.requests.size(); ++r)
      if (is_for(options.requests[r], ions[n])) {
        shells.push_back({.ion = n, .neighbours = options.requests[r].neighbours});
        request_of.push_back(r);
      }
  return shells;
}

}  // namespace

std::int64_t Hydration::waters() const {
  std::int64_t count = 0;
  for (const IonShell& shell : shells) count += std::ssize(shell.waters);
  return count;
}

std::int64_t Hydration::acceptors() const {
  std::int64_t count = 0;
  for (const IonShell& shell : shells) count += std::ssize(shell.acceptors);
  return count;
}

std::int64_t Hydration::left_out() const {
  std::int64_t count = 0;
  for (const IonShell& shell : shells) count += shell.left_out;
  return count;
}

Hydration hydrate(std::span<const Atom> solute, std::span<const PlacedIon> ions,
                  const HydrationOptions& options, const HydrationRun& run, const Progress& progress) {
  const WaterModel& model = water_model(options.water);
  std::vector<std::size_t> request_of;
  Hydration hydration{.shells = asked_for(ions, options, request_of), .water = model.name};
  std::vector<IonShell>& shells = hydration.shells;

  // A shell waits for those of earlier ions that it can see; the others of its turn are made at the same
  // time.
  double widest_A = 0.0;
  for (const HydrationRequest& request : options.requests)
    widest_A = std::max(widest_A, request.ion->distance_A);
  constexpr double bond_A = 1.0;  // of the farthest hydrogen of the other shell
  const double sees_A = shell_reach_A(widest_A) + widest_A + bond_A;
  const Neighbourhood all(solute, ions, run.cell, sees_A);
  std::vector<std::size_t> shell_of(ions.size(), shells.size());
  for (std::size_t s = 0; s < shells.size(); ++s) shell_of[shells[s].ion] = s;
  struct EarlierShell {
    std::size_t shell;
    Vec3<double> shift_A;
  };
  std::vector<std::vector<EarlierShell>> before(shells.size());
  std::vector<std::vector<std::size_t>> turns;
  std::vector<std::size_t> turn_of(shells.size(), 0);
  for (std::size_t s = 0; s < shells.size(); ++s) {
    all.ions_near(shells[s].ion, sees_A, [&](std::size_t other, const Vec3<double>& shift_A) {
      if (shell_of[other] < s) before[s].push_back({shell_of[other], shift_A});
    });
    std::stable_sort(before[s].begin(), before[s].end(),
                     [](const EarlierShell& a, const EarlierShell& b) { return a.shell < b.shell; });
    for (const EarlierShell& earlier : before[s])
      turn_of[s] = std::max(turn_of[s], turn_of[earlier.shell] + 1);
    turns.resize(std::max(turns.size(), turn_of[s] + 1));
    turns[turn_of[s]].push_back(s);
  }
  std::size_t done = 0;
  for (const std::vector<std::size_t>& now : turns) {
    parallel_for({run.threads, 1}, std::ssize(now), [&](std::int64_t n) {
      const std::size_t s = now[std::size_t(n)];
      IonShell& shell = shells[s];
      ShellSite site = all.site(shell.ion, options.requests[request_of[s]], shell.acceptors);
      site.temperature_K = run.temperature_K;
      for (const EarlierShell& earlier : before[s])
        add_waters(shells[earlier.shell].waters, earlier.shift_A, model, site);
      TurnedShell turned = best_shell(site, model, options.orientations);
      shell.waters = std::move(turned.waters);
      shell.left_out = turned.left_out;
      shell.energy_kT = turned.energy_kT;
    });
    done += now.size();
    if (progress) progress(double(done) / double(shells.size()));
  }
  return hydration;
}

}  // namespace ionwell
