// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/fourier_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "electrostatics/periodic/fourier_plan.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// From one point of lines that are transformed together to the next.
constexpr int numbers_per_point = 2 * fourier_lines;

/// Waves of a row that lie together: `width` real parts, then their imaginary parts.
struct WaveBlock {
  int first, width;

  WaveBlock(int first_wave, int waves) : first(first_wave), width(std::min(fourier_lines, waves - first)) {}
};

/// Lines of `points` points, and as much room beside them.
class LineBuffer {
 public:
  explicit LineBuffer(int points)
      : numbers_(std::size_t(numbers_per_point) * std::size_t(points)),
        values_(2 * numbers_),
        front_(values_.data()),
        back_(values_.data() + numbers_) {
    std::fill_n(values_.data(), values_.size(), 0.0);
  }

  double* at(int m) { return front_ + std::int64_t(numbers_per_point) * m; }

  void forward(const FourierKernels& kernels, const FourierPlan& plan) {
    use(kernels.forward(plan.steps(), front_, back_));
  }
  void backward(const FourierKernels& kernels, const FourierPlan& plan) {
    use(kernels.backward(plan.steps(), front_, back_));
  }

  /// One block of a row, to and from point m.
  void read(int m, const double* from, int width) {
    std::copy_n(from, width, at(m));
    std::copy_n(from + width, width, at(m) + fourier_lines);
  }
  void write(int m, double* to, int width) {
    std::copy_n(at(m), width, to);
    std::copy_n(at(m) + fourier_lines, width, to + width);
  }

 private:
  void use(double* result) {
    if (result != front_) std::swap(front_, back_);
  }

  std::size_t numbers_;
  LargeArray<double> values_;
  double *front_, *back_;
};

}  // namespace

int fast_fourier_points(double least) {
  for (int n = std::max(2, 2 * int(std::ceil(least / 2)));; n += 2) {
    int rest = n;
    for (const int prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return n;
  }
}

FourierGrid::FourierGrid(const FourierLayout& layout, int threads, const FourierKernels& kernels)
    : layout_(layout), threads_(threads), kernels_(kernels), values_(std::size_t(layout.size())) {
  parallel_for({threads_}, layout_.points.z,
               [&](std::int64_t z) { std::fill_n(values() + z * layout_.plane(), layout_.plane(), 0.0); });
}

void FourierGrid::fold_overhang() {
  const int nx = layout_.points.x;
  parallel_for({threads_}, std::int64_t(layout_.points.y) * layout_.points.z, [&](std::int64_t r) {
    double* row = values() + r * layout_.row();
    for (int i = 0; i < layout_.overhang; ++i) row[i % nx] += row[nx + i];
  });
}

void FourierGrid::fill_overhang() {
  const int nx = layout_.points.x;
  parallel_for({threads_}, std::int64_t(layout_.points.y) * layout_.points.z, [&](std::int64_t r) {
    double* row = values() + r * layout_.row();
    for (int i = 0; i < layout_.overhang; ++i) row[nx + i] = row[i % nx];
  });
}

/// Transforms of the planes, rows and columns of one grid.
class FourierGrid::Transforms {
 public:
  explicit Transforms(FourierGrid& grid)
      : layout_(grid.layout_),
        kernels_(grid.kernels_),
        values_(grid.values()),
        half_(layout_.points.x / 2),
        along_x_(half_),
        along_y_(layout_.points.y),
        along_z_(layout_.points.z),
        turns_(cosines_and_sines(layout_.points.x, half_ / 2 + 1)) {}

  int waves() const { return half_ + 1; }

  void plane_to_waves(std::int64_t z) const {
    double* const plane = values_ + z * layout_.plane();
    LineBuffer rows(waves());
    for (int y = 0; y < layout_.points.y; y += fourier_lines) {
      const int count = std::min(fourier_lines, layout_.points.y - y);
      for (int l = 0; l < count; ++l) {
        const double* const row = plane + (y + l) * layout_.row();
        double* const to = rows.at(0) + l;
        for (std::int64_t m = 0; m < half_; ++m) {
          to[numbers_per_point * m] = row[2 * m];
          to[numbers_per_point * m + fourier_lines] = row[2 * m + 1];
        }
      }
      rows.forward(kernels_, along_x_);
      kernels_.to_half_spectrum(half_, turns_.data(), rows.at(0));
      for (int l = 0; l < count; ++l)
        for (int x = 0; x < waves(); x += fourier_lines) {
          const WaveBlock block(x, waves());
          double* const to = plane + (y + l) * layout_.row() + 2 * x;
          for (int i = 0; i < block.width; ++i) {
            to[i] = rows.at(x + i)[l];
            to[i + block.width] = rows.at(x + i)[l + fourier_lines];
          }
        }
    }
    columns(plane, &LineBuffer::forward);
  }

  void plane_from_waves(std::int64_t z) const {
    double* const plane = values_ + z * layout_.plane();
    columns(plane, &LineBuffer::backward);
    LineBuffer rows(waves());
    for (int y = 0; y < layout_.points.y; y += fourier_lines) {
      const int count = std::min(fourier_lines, layout_.points.y - y);
      for (int l = 0; l < count; ++l)
        for (int x = 0; x < waves(); x += fourier_lines) {
          const WaveBlock block(x, waves());
          const double* const from = plane + (y + l) * layout_.row() + 2 * x;
          for (int i = 0; i < block.width; ++i) {
            rows.at(x + i)[l] = from[i];
            rows.at(x + i)[l + fourier_lines] = from[i + block.width];
          }
        }
      kernels_.from_half_spectrum(half_, turns_.data(), rows.at(0));
      rows.backward(kernels_, along_x_);
      for (int l = 0; l < count; ++l) {
        double* const row = plane + (y + l) * layout_.row();
        const double* const from = rows.at(0) + l;
        for (std::int64_t m = 0; m < half_; ++m) {
          row[2 * m] = from[numbers_per_point * m];
          row[2 * m + 1] = from[numbers_per_point * m + fourier_lines];
        }
      }
    }
  }

  /// The lines along z of row y: forward, times factors[waves() z + x], and backward.
  void filter_lines(std::int64_t y, const std::vector<double>& factors) const {
    const int nz = layout_.points.z;
    LineBuffer lines(nz);
    for (int x = 0; x < waves(); x += fourier_lines) {
      const WaveBlock block(x, waves());
      double* const from = values_ + y * layout_.row() + 2 * x;
      for (int z = 0; z < nz; ++z) lines.read(z, from + z * layout_.plane(), block.width);
      lines.forward(kernels_, along_z_);
      for (int z = 0; z < nz; ++z) {
        const double* const f = &factors[std::size_t(z) * std::size_t(waves()) + std::size_t(x)];
        for (int i = 0; i < block.width; ++i) {
          lines.at(z)[i] *= f[i];
          lines.at(z)[i + fourier_lines] *= f[i];
        }
      }
      lines.backward(kernels_, along_z_);
      for (int z = 0; z < nz; ++z) lines.write(z, from + z * layout_.plane(), block.width);
    }
  }

 private:
  void columns(double* plane,
               void (LineBuffer::*direction)(const FourierKernels&, const FourierPlan&)) const {
    const int ny = layout_.points.y;
    LineBuffer lines(ny);
    for (int x = 0; x < waves(); x += fourier_lines) {
      const WaveBlock block(x, waves());
      for (int y = 0; y < ny; ++y) lines.read(y, plane + y * layout_.row() + 2 * x, block.width);
      (lines.*direction)(kernels_, along_y_);
      for (int y = 0; y < ny; ++y) lines.write(y, plane + y * layout_.row() + 2 * x, block.width);
    }
  }

  const FourierLayout& layout_;
  const FourierKernels& kernels_;
  double* values_;
  int half_;
  FourierPlan along_x_, along_y_, along_z_;
  std::vector<double> turns_;
};

void FourierGrid::filter(const std::function<void(double* row, int h_y, int h_z)>& factor) {
  const int ny = layout_.points.y, nz = layout_.points.z;
  const Transforms transforms(*this);
  parallel_for({threads_, 1}, nz, [&](std::int64_t z) { transforms.plane_to_waves(z); });
  parallel_ranges({threads_, 1}, ny, [&](std::int64_t first, std::int64_t last) {
    const auto waves = std::size_t(transforms.waves());
    std::vector<double> factors(std::size_t(nz) * waves);
    for (std::int64_t y = first; y < last; ++y) {
      const int h_y = int(y) < (ny + 1) / 2 ? int(y) : int(y) - ny;
      for (int z = 0; z < nz; ++z)
        factor(&factors[std::size_t(z) * waves], h_y, z < (nz + 1) / 2 ? z : z - nz);
      transforms.filter_lines(y, factors);
    }
  });
  parallel_for({threads_, 1}, nz, [&](std::int64_t z) { transforms.plane_from_waves(z); });
}

}  // namespace ionwell
