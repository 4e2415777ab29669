// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/pb_residual.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "core/error.hpp"
#include "core/units.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"

namespace ionwell {
namespace {

/// The level, without reactions where the ions come by themselves.
PbLevel level_beside(const PbLevel& level, const IonicSolution* ions) {
  PbLevel without = level;
  if (ions != nullptr) without.reaction_factor = 0.0f;
  return without;
}

/// Over the inner points of a row.
double sum_of_squares(const double* values, int nx) {
  double sum = 0.0;
  for (int i = 1; i < nx - 1; ++i) sum += values[i] * values[i];
  return sum;
}

}  // namespace

IonicSolution ionic_solution(const PbSystem& system) {
  if (system.ions.size() > std::size_t(IonicSolution::most))
    fail("the solution has ", system.ions.size(), " kinds of ions, and the nonlinear Poisson-Boltzmann ",
         "equation takes ", IonicSolution::most, "; leave out the rarest, or use the linear equation");
  constexpr double per_A3_of_M = 1e-27 * avogadro_per_mol;
  IonicSolution solution;
  for (const MobileIon& ion : system.ions) {
    solution.charge_e[solution.count] = ion.charge_e;
    solution.strength_per_A2[solution.count] =
        4.0 * std::numbers::pi * system.bjerrum_A * ion.concentration_M * per_A3_of_M;
    const int here = solution.count++;
    if (ion.concentration_M == 0.0) continue;
    int& highest = ion.charge_e > 0.0 ? solution.highest_cation : solution.highest_anion;
    if (ion.charge_e != 0.0 && (highest < 0 || std::abs(ion.charge_e) > std::abs(solution.charge_e[highest])))
      highest = here;
  }
  return solution;
}

PbResidual::PbResidual(const PbSystem& system, const PbLevels& levels, const IonicSolution* ions,
                       SimdLevel simd, ThreadPool& pool)
    : system_(system),
      level_(level_beside(levels.level(0), ions)),
      half_{level_.nx, level_.ny, level_.nz},
      ions_(ions),
      kernels_(pb_kernels(simd)),
      pool_(pool),
      volume_A3_(system.lattice.spacing_A.x * system.lattice.spacing_A.y * system.lattice.spacing_A.z),
      charge_factor_(4.0 * std::numbers::pi * system.bjerrum_A),
      planes_(levels.planes()),
      sums_(std::size_t(planes_.at(0).whole)) {}

template <typename OfRow>
double PbResidual::sum_over_rows(const OfRow& of_row) {
  const LevelPlanes& planes = planes_.at(0);
  const PlaneSpan own = planes.inner(0);
  for_ranges(pool_, level_.size(), own.count(), [&](std::int64_t first, std::int64_t last) {
    std::vector<double> row(std::size_t(level_.nx));
    for (int k = own.begin + int(first); k < own.begin + int(last); ++k) {
      double sum = 0.0;
      for (int j = 1; j < level_.ny - 1; ++j)
        sum += of_row(j, k, k * level_.plane_stride() + j * level_.row_stride(), row.data());
      sums_[std::size_t(planes.first + k)] = sum;
    }
  });
  return planes_.sum(sums_);
}

bool PbResidual::start(std::span<const float> start_kT_e, LargeArray<double>& phi_kT_e) {
  const LevelPlanes& planes = planes_.at(0);
  const PlaneSpan inner = planes.inner(0);
  for_ranges(pool_, level_.size(), level_.nz, [&](std::int64_t first, std::int64_t last) {
    for (int k = int(first); k < int(last); ++k) {
      bool is_zero = true;
      for (int j = 0; j < level_.ny; ++j) {
        const std::int64_t row = k * level_.plane_stride() + j * level_.row_stride();
        const float* const from = start_kT_e.data() + row;
        double* const to = phi_kT_e.data() + row;
        for (int i = 0; i < level_.nx; ++i) to[i] = double(from[i]);
        if (j == 0 || j == level_.ny - 1) continue;
        for (int i = 1; i < level_.nx - 1; ++i) is_zero &= from[i] == 0.0f;
      }
      if (k >= inner.begin && k < inner.end) sums_[std::size_t(planes.first + k)] = is_zero ? 0.0 : 1.0;
    }
  });
  return planes_.sum(sums_) == 0.0;
}

double PbResidual::right_side(const LargeArray<double>& phi_kT_e, float* even, float* odd) {
  const std::int64_t plane = level_.plane_stride();
  const double squares = sum_over_rows([&](int j, int k, std::int64_t row, double* values) {
    for (int i = 1; i < level_.nx - 1; ++i)
      values[i] = charge_factor_ * double(system_.charge_e[std::size_t(row + i)]);
    const auto add = [&](const float* face, float factor, std::int64_t at, std::int64_t given, int i) {
      values[i] += double(factor * face[at]) * phi_kT_e[std::size_t(given)];
    };
    const auto add_side = [&](const float* face, float factor, std::int64_t face_away, std::int64_t away) {
      for (int i = 1; i < level_.nx - 1; ++i) add(face, factor, row + i + face_away, row + i + away, i);
    };
    if (j == 1) add_side(level_.face_y, level_.factor_y, -level_.nx, -level_.nx);
    if (j == level_.ny - 2) add_side(level_.face_y, level_.factor_y, 0, level_.nx);
    if (k == 1) add_side(level_.face_z, level_.factor_z, -plane, -plane);
    if (k == level_.nz - 2) add_side(level_.face_z, level_.factor_z, 0, plane);
    add(level_.face_x, level_.factor_x, row, row, 1);
    add(level_.face_x, level_.factor_x, row + level_.nx - 2, row + level_.nx - 1, level_.nx - 2);
    store_row(j, k, values, even, odd);
    return sum_of_squares(values, level_.nx);
  });
  return std::sqrt(squares);
}

double PbResidual::residual_row(const LargeArray<double>& phi_kT_e, std::int64_t row, double* values,
                                float* slopes) {
  const double squares = kernels_.residual_row(level_, row, phi_kT_e.data() + row,
                                               system_.charge_e.data() + row, charge_factor_, values);
  if (ions_ == nullptr) return squares;
  for (int i = 1; i < level_.nx - 1; ++i) {
    const std::size_t p = std::size_t(row + i);
    const double volume_A3 = volume_A3_ * double(system_.accessibility[p]);
    slopes[i] = 0.0f;
    if (volume_A3 == 0.0) continue;
    const IonicSolution::Answer answer = ions_->at(phi_kT_e[p]);
    values[i] -= volume_A3 * answer.reaction;
    slopes[i] = float(volume_A3 * answer.slope);
  }
  return sum_of_squares(values, level_.nx);
}

void PbResidual::store_row(int j, int k, const double* values, float* even, float* odd) const {
  for (const PointColour colour : {PointColour::even, PointColour::odd}) {
    const int offset = half_.offset(colour, j, k);
    float* const out = (colour == PointColour::even ? even : odd) + k * half_.plane_stride() +
                       std::int64_t(j) * half_.row_stride();
    for (int m = half_.first(offset); m < half_.last(offset); ++m) out[m] = float(values[2 * m + offset]);
  }
}

double PbResidual::at(LargeArray<double>& phi_kT_e, float* even, float* odd, float* slope) {
  planes_.fill_ghosts(0, phi_kT_e.data(), level_.plane_stride(), 1);
  const double squares = sum_over_rows([&](int j, int k, std::int64_t row, double* values) {
    const double sum = residual_row(phi_kT_e, row, values, slope == nullptr ? nullptr : slope + row);
    store_row(j, k, values, even, odd);
    return sum;
  });
  return std::sqrt(squares);
}

double PbResidual::diagonal_at(std::int64_t p) const {
  const std::int64_t plane = level_.plane_stride();
  const auto pair = [](float factor, float low, float high) {
    return double(factor * low) + double(factor * high);  // as the kernels have them
  };
  return pair(level_.factor_x, level_.face_x[p - 1], level_.face_x[p]) +
         pair(level_.factor_y, level_.face_y[p - level_.nx], level_.face_y[p]) +
         pair(level_.factor_z, level_.face_z[p - plane], level_.face_z[p]);
}

double PbResidual::add_correction(LargeArray<double>& phi_kT_e, float* even, float* odd) {
  constexpr int stages = 3, ghosts = stages - 1;
  planes_.fill_ghosts(0, phi_kT_e.data(), level_.plane_stride(), ghosts);
  planes_.fill_ghosts(0, odd, half_.plane_stride(), ghosts);
  const PlaneSpan planes = planes_.at(0).inner(ghosts);
  run_plane_stages(
      pool_, level_.size(), planes.begin, planes.end, stages, planes_.at(0).ends(), [&](int stage, int k) {
        std::vector<double> values(std::size_t(level_.nx));
        double sum = 0.0;
        for (int j = 1; j < level_.ny - 1; ++j) {
          const std::int64_t row = k * level_.plane_stride() + j * level_.row_stride();
          double* const phi = phi_kT_e.data() + row;
          if (stage == 0) {
            const int offset = half_.offset(PointColour::even, j, k);
            const float* const add = odd + k * half_.plane_stride() + std::int64_t(j) * half_.row_stride();
            for (int m = half_.first(offset); m < half_.last(offset); ++m)
              phi[2 * m + offset] += double(add[m]);
          } else if (stage == 1) {
            kernels_.step_row(level_, row, phi, system_.charge_e.data() + row, charge_factor_, values.data());
            for (int i = 1 + (j + k) % 2; i < level_.nx - 1; i += 2) phi[i] += values[std::size_t(i)];
          } else {
            sum += residual_row(phi_kT_e, row, values.data(), nullptr);
            store_row(j, k, values.data(), even, odd);
          }
        }
        if (stage == stages - 1) sums_[std::size_t(planes_.at(0).first + k)] = sum;
      });
  return std::sqrt(planes_.sum(sums_));
}

void PbResidual::add_newton_step(float* even_kT_e, float* odd_kT_e, LargeArray<double>& phi_kT_e) {
  const std::int64_t plane = level_.plane_stride(), stride = half_.plane_stride();
  planes_.fill_ghosts(0, even_kT_e, stride, 1);
  sum_over_rows([&](int j, int k, std::int64_t row, double* values) {
    std::vector<float> slopes(std::size_t(level_.nx));
    residual_row(phi_kT_e, row, values, slopes.data());
    const int offset = half_.offset(PointColour::odd, j, k);
    const std::int64_t first = k * stride + std::int64_t(j) * half_.row_stride();
    for (int m = half_.first(offset); m < half_.last(offset); ++m) {
      const int i = 2 * m + offset;
      const std::int64_t p = row + i;
      const float* const even = even_kT_e + first + m;
      const auto flow = [](float factor, float face, float from) {
        return double(factor * face) * double(from);
      };
      const double inflow = flow(level_.factor_x, level_.face_x[p - 1], even[offset - 1]) +
                            flow(level_.factor_x, level_.face_x[p], even[offset]) +
                            flow(level_.factor_y, level_.face_y[p - level_.nx], even[-half_.row_stride()]) +
                            flow(level_.factor_y, level_.face_y[p], even[half_.row_stride()]) +
                            flow(level_.factor_z, level_.face_z[p - plane], even[-stride]) +
                            flow(level_.factor_z, level_.face_z[p], even[stride]);
      odd_kT_e[first + m] = float((values[i] + inflow) / (diagonal_at(p) + double(slopes[std::size_t(i)])));
    }
    return 0.0;
  });
  sum_over_rows([&](int j, int k, std::int64_t row, double*) {
    const std::int64_t first = k * stride + std::int64_t(j) * half_.row_stride();
    for (const PointColour colour : {PointColour::even, PointColour::odd}) {
      const float* const steps = (colour == PointColour::even ? even_kT_e : odd_kT_e) + first;
      const int offset = half_.offset(colour, j, k);
      for (int m = half_.first(offset); m < half_.last(offset); ++m) {
        const std::int64_t p = row + 2 * m + offset;
        double& phi = phi_kT_e[std::size_t(p)];
        const double step = double(steps[m]);
        const double volume_A3 = volume_A3_ * double(system_.accessibility[std::size_t(p)]);
        phi += volume_A3 == 0.0 ? step : ions_->bounded_step(phi, step, diagonal_at(p) / volume_A3);
      }
    }
    return 0.0;
  });
}

std::int64_t PbResidual::points_beyond_cap(const LargeArray<double>& phi_kT_e) {
  const double beyond = sum_over_rows([&](int, int, std::int64_t row, double*) {
    double count = 0.0;
    for (std::int64_t p = row + 1; p < row + level_.nx - 1; ++p)
      if (system_.accessibility[std::size_t(p)] > 0.0f)
        count += !ions_->is_below_cap(phi_kT_e[std::size_t(p)]);
    return count;
  });
  return std::int64_t(beyond);
}

}  // namespace ionwell
