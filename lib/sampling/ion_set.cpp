// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/ion_set.hpp"

#include <cmath>

#include "sampling/image_table.hpp"
#include "sampling/solute_spheres.hpp"

namespace ionwell {
namespace {

/// Into [low, high] by mirrors at both ends.
double reflected(double x, double low, double high) {
  if (x >= low && x <= high) return x;
  const double length = high - low;
  double r = std::fmod(std::abs(x - low), 2.0 * length);
  if (r > length) r = 2.0 * length - r;
  return low + r;
}

double wrapped_between(double x, double low, double high) {
  if (x >= low && x < high) return x;
  const double length = high - low, at = x - length * std::floor((x - low) / length);
  return at < high ? at : low;  // of a coordinate a rounding below `low`
}

}  // namespace

void save(StateWriter& state, std::span<const MovingIon> ions) {
  state.put(std::int64_t(ions.size()));
  for (const MovingIon& ion : ions) {
    state.put(std::int64_t(ion.species));
    for (const double x_A : {ion.position_A.x, ion.position_A.y, ion.position_A.z}) state.put(x_A);
  }
}

std::vector<MovingIon> restored_ions(StateReader& state, std::size_t species) {
  std::vector<MovingIon> ions;
  for (std::int64_t left = state.whole(0, std::int64_t{1} << 40); left > 0; --left) {
    MovingIon& ion = ions.emplace_back();
    ion.species = std::uint32_t(state.whole(0, std::int64_t(species) - 1));
    ion.position_A.x = state.number();
    ion.position_A.y = state.number();
    ion.position_A.z = state.number();
  }
  return ions;
}

IonSet::IonSet(const IonModel& model, std::span<const MovingIon> ions)
    : model_(&model),
      kernels_(&ion_kernels(model.simd)),
      pairs_{.pair = model.pair,
             .is_soft = model.repulsion == Repulsion::soft,
             .images = nullptr,
             .image_points = ImageTable::points,
             .edge_A = {1.0f, 1.0f, 1.0f}},
      middle_A_(0.5 * (model.box.lowest_A + model.box.highest_A)),
      own_images_kT_(model.species.size()),
      counts_(model.species.size()) {
  if (model.images != nullptr) {
    const Vec3<double> edge_A = model.images->edge_A();
    pairs_.images = model.images->values_kT_e().data();
    pairs_.edge_A[0] = float(edge_A.x);
    pairs_.edge_A[1] = float(edge_A.y);
    pairs_.edge_A[2] = float(edge_A.z);
    for (std::size_t s = 0; s < model.species.size(); ++s) {
      const double charge_e = model.species[s].ion.charge_e;
      own_images_kT_[s] = 0.5 * charge_e * charge_e * model.images->of_own_images_kT_e();
    }
  }
  pad();
  for (const MovingIon& ion : ions) add({ion.species, in_box(ion.position_A)});
}

void IonSet::pad() {
  const std::size_t room = (ions_.size() + ion_padding) / ion_padding * ion_padding;
  if (x_A_.size() >= room) return;
  for (std::vector<float>* values : {&x_A_, &y_A_, &z_A_, &charge_e_}) values->resize(room, 0.0f);
  radius_A_.resize(room, no_ion_A);
}

void IonSet::place(std::size_t n) {
  const Vec3<double> from_middle_A = ions_[n].position_A - middle_A_;
  x_A_[n] = float(from_middle_A.x);
  y_A_[n] = float(from_middle_A.y);
  z_A_[n] = float(from_middle_A.z);
}

void IonSet::move(std::size_t n, const Vec3<double>& position_A) {
  ions_[n].position_A = position_A;
  place(n);
}

std::size_t IonSet::add(const MovingIon& ion) {
  const std::size_t n = ions_.size();
  ions_.push_back(ion);
  pad();
  place(n);
  charge_e_[n] = float(model_->species[ion.species].ion.charge_e);
  radius_A_[n] = float(model_->species[ion.species].radius_A);
  ++counts_[ion.species];
  return n;
}

void IonSet::remove(std::size_t n) {
  const std::size_t last = ions_.size() - 1;
  --counts_[ions_[n].species];
  ions_[n] = ions_[last];
  charge_e_[n] = charge_e_[last];
  radius_A_[n] = radius_A_[last];
  place(n);
  charge_e_[last] = 0.0f;
  radius_A_[last] = no_ion_A;
  ions_.pop_back();
}

IonArrays IonSet::arrays() const {
  const std::size_t count = (ions_.size() + ion_padding - 1) / ion_padding * ion_padding;
  return {x_A_.data(), y_A_.data(), z_A_.data(), charge_e_.data(), radius_A_.data(), int(count)};
}

OneIon IonSet::one_ion(const MovingIon& ion, int number) const {
  const Vec3<double> at_A = ion.position_A - middle_A_;
  const SampledSpecies& species = model_->species[ion.species];
  return {{float(at_A.x), float(at_A.y), float(at_A.z)},
          float(species.ion.charge_e),
          float(species.radius_A),
          number};
}

double IonSet::single_energy(const MovingIon& ion) const {
  double energy_kT = own_images_kT_[ion.species];
  if (model_->solute) {
    energy_kT += model_->solute->energy_kT(ion.position_A, model_->species[ion.species].radius_A);
    if (energy_kT >= overlap_kT) return energy_kT;
  }
  if (model_->field) {
    double potential_kT_e = 0.0;
    model_->field->potential({&ion.position_A, 1}, {&potential_kT_e, 1});
    energy_kT += model_->species[ion.species].ion.charge_e * potential_kT_e;
  }
  return energy_kT;
}

double IonSet::energy_at(const MovingIon& ion, int number) const {
  const double alone_kT = single_energy(ion);
  if (alone_kT >= overlap_kT) return alone_kT;
  return alone_kT + kernels_->energy_kT(arrays(), one_ion(ion, number), pairs_);
}

double IonSet::repulsion_of(const MovingIon& ion) const {
  IonPairs neutral = pairs_;
  neutral.pair.prefactor = 0.0;
  OneIon one = one_ion(ion, -1);
  one.charge_e = 0.0f;
  const double by_ions_kT = kernels_->energy_kT(arrays(), one, neutral);
  return model_->solute == nullptr
             ? by_ions_kT
             : by_ions_kT + model_->solute->energy_kT(ion.position_A, model_->species[ion.species].radius_A);
}

double IonSet::energy_kT() const {
  double alone_kT = 0.0, pairs_twice_kT = 0.0;
  for (std::size_t n = 0; n < ions_.size(); ++n) {
    alone_kT += single_energy(ions_[n]);
    pairs_twice_kT += kernels_->energy_kT(arrays(), one_ion(ions_[n], int(n)), pairs_);
  }
  return alone_kT + 0.5 * pairs_twice_kT;
}

double IonSet::forces(std::vector<Vec3<double>>& forces_kT_A) const {
  const std::size_t count = ions_.size();
  forces_kT_A.assign(count, {});
  // All at once, as whoever interpolates likes it best.
  std::vector<double> potential_kT_e(model_->field ? count : 0);
  std::vector<Vec3<double>> gradient_kT_e_A(potential_kT_e.size());
  if (model_->field) {
    std::vector<Vec3<double>> positions_A;
    positions_A.reserve(count);
    for (const MovingIon& ion : ions_) positions_A.push_back(ion.position_A);
    model_->field->gradient(positions_A, potential_kT_e, gradient_kT_e_A);
  }
  double energy_kT = 0.0;
  for (std::size_t n = 0; n < count; ++n) {
    const MovingIon& ion = ions_[n];
    const SampledSpecies& species = model_->species[ion.species];
    const IonResponse action = kernels_->action(arrays(), one_ion(ion, int(n)), pairs_);
    energy_kT += 0.5 * action.energy_kT + own_images_kT_[ion.species];
    Vec3<double>& force = forces_kT_A[n];
    force = {action.force_kT_A[0], action.force_kT_A[1], action.force_kT_A[2]};
    if (model_->solute) energy_kT += model_->solute->add_force(ion.position_A, species.radius_A, force);
    if (!model_->field) continue;
    energy_kT += species.ion.charge_e * potential_kT_e[n];
    force = force - species.ion.charge_e * gradient_kT_e_A[n];
  }
  return energy_kT;
}

Vec3<double> IonSet::in_box(const Vec3<double>& p) const {
  const auto& [low, high] = model_->box;
  if (model_->boundary == SampleBoundary::periodic)
    return {wrapped_between(p.x, low.x, high.x), wrapped_between(p.y, low.y, high.y),
            wrapped_between(p.z, low.z, high.z)};
  return {reflected(p.x, low.x, high.x), reflected(p.y, low.y, high.y), reflected(p.z, low.z, high.z)};
}

}  // namespace ionwell
