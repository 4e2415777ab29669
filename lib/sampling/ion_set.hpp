// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/state/state_stream.hpp"
#include "sampling/ion_model.hpp"
#include "sampling/simd/ion_kernels.hpp"

namespace ionwell {

/// An ion that moves: its species by number, and where it is.
struct MovingIon {
  std::uint32_t species = 0;
  Vec3<double> position_A;
};

void save(StateWriter& state, std::span<const MovingIon> ions);

/// Ions of a state, whose species are below `species`.
std::vector<MovingIon> restored_ions(StateReader& state, std::size_t species);

/// The ions of one arrangement, and their energies in a model, which must outlive it.
class IonSet {
 public:
  /// Positions beyond the box are turned back, or come in at the other side. Throws what ion_kernels throws.
  IonSet(const IonModel& model, std::span<const MovingIon> ions);

  std::size_t size() const { return ions_.size(); }
  const std::vector<MovingIon>& ions() const { return ions_; }
  std::int64_t count_of(std::uint32_t species) const { return counts_[species]; }
  const IonModel& model() const { return *model_; }

  void move(std::size_t n, const Vec3<double>& position_A);

  /// The number of the new ion, the last.
  std::size_t add(const MovingIon& ion);

  /// The last ion takes the place of the one that leaves.
  void remove(std::size_t n);

  /// What the energy of the set changes by when ion n goes out of it, or this one comes in [kT], but for
  /// constants of the box; overlap_kT or more where spheres are too near. O(ions).
  double energy_of(std::size_t n) const { return energy_at(ions_[n], int(n)); }
  double energy_of(const MovingIon& ion) const { return energy_at(ion, -1); }

  /// What spheres alone do to an ion that is to come [kT], solute and ions. O(ions).
  double repulsion_of(const MovingIon& ion) const;

  /// The energy of ion n if it was somewhere else.
  double energy_at(std::size_t n, const Vec3<double>& position_A) const {
    return energy_at({ions_[n].species, position_A}, int(n));
  }

  /// Forces [kT/A] on all ions of soft spheres, and the energy of the set. O(ions^2).
  double forces(std::vector<Vec3<double>>& forces_kT_A) const;

  /// The energy of the set [kT], with each ion's own images. O(ions^2).
  double energy_kT() const;

  /// A position as the box has it: its image in a periodic box, or as often reflected by the walls as it
  /// takes.
  Vec3<double> in_box(const Vec3<double>& position_A) const;

 private:
  double energy_at(const MovingIon& ion, int number) const;
  double single_energy(const MovingIon& ion) const;
  OneIon one_ion(const MovingIon& ion, int number) const;
  IonArrays arrays() const;
  void place(std::size_t n);
  void pad();

  const IonModel* model_;
  const IonKernels* kernels_;
  IonPairs pairs_;
  Vec3<double> middle_A_;
  std::vector<double> own_images_kT_;  // by species
  std::vector<MovingIon> ions_;
  std::vector<std::int64_t> counts_;  // by species
  std::vector<float> x_A_, y_A_, z_A_, charge_e_, radius_A_;
};

}  // namespace ionwell
