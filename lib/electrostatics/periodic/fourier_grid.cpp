#include "electrostatics/periodic/fourier_grid.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <vector>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// FFTW plans one transform at a time, and its executions run at the same time.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

/// FFTW ends the program when it gets no memory for a plan: it is asked for one only where there is much more
/// than it takes.
void require_memory_for_plan() {
  constexpr std::size_t enough_bytes = 16 << 20;
  ::operator delete(::operator new(enough_bytes));
}

class Plan {
 public:
  /// `make` returns an fftw_plan.
  template <typename Make>
  explicit Plan(const Make& make) {
    const std::lock_guard lock(planner());
    require_memory_for_plan();
    plan_ = make();
    if (plan_ == nullptr) throw std::bad_alloc();
  }
  ~Plan() {
    const std::lock_guard lock(planner());
    fftw_destroy_plan(plan_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  fftw_plan get() const { return plan_; }

 private:
  fftw_plan plan_;
};

fftw_complex* as_complex(double* values) {
  return reinterpret_cast<fftw_complex*>(values);
}

constexpr int columns = 8;  // transformed together along z: two cache lines of each row

}  // namespace

int fast_fourier_points(double least) {
  for (int n = std::max(2, 2 * int(std::ceil(least / 2)));; n += 2) {
    int rest = n;
    for (const int prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return n;
  }
}

FourierGrid::FourierGrid(const FourierLayout& layout, int threads)
    : layout_(layout), threads_(threads), values_(std::size_t(layout.size())) {
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

void FourierGrid::filter(const std::function<void(double* row, int h_y, int h_z)>& factor) {
  const int nx = layout_.points.x, ny = layout_.points.y, nz = layout_.points.z;
  const int half = nx / 2 + 1;
  const int plane_size[2] = {ny, nx}, real_rows[2] = {ny, int(layout_.row())},
            complex_rows[2] = {ny, int(layout_.row() / 2)}, line_size[1] = {nz};
  LargeArray<double> lines(std::size_t(2 * columns) * std::size_t(nz));
  const Plan to_waves([&] {
    return fftw_plan_many_dft_r2c(2, plane_size, 1, values(), real_rows, 1, 0, as_complex(values()),
                                  complex_rows, 1, 0, FFTW_ESTIMATE);
  });
  const Plan from_waves([&] {
    return fftw_plan_many_dft_c2r(2, plane_size, 1, as_complex(values()), complex_rows, 1, 0, values(),
                                  real_rows, 1, 0, FFTW_ESTIMATE);
  });
  const auto plan_lines = [&](int sign) {
    return Plan([&, sign] {
      return fftw_plan_many_dft(1, line_size, columns, as_complex(lines.data()), nullptr, columns, 1,
                                as_complex(lines.data()), nullptr, columns, 1, sign, FFTW_ESTIMATE);
    });
  };
  const Plan forward = plan_lines(FFTW_FORWARD), backward = plan_lines(FFTW_BACKWARD);

  parallel_for({threads_, 1}, nz, [&](std::int64_t z) {
    double* plane = values() + z * layout_.plane();
    fftw_execute_dft_r2c(to_waves.get(), plane, as_complex(plane));
  });
  parallel_ranges({threads_, 1}, ny, [&](std::int64_t first, std::int64_t last) {
    LargeArray<double> buffer(std::size_t(2 * columns) * std::size_t(nz));
    std::vector<double> factors(std::size_t(nz) * std::size_t(half));
    for (std::int64_t y = first; y < last; ++y) {
      const int h_y = int(y) < (ny + 1) / 2 ? int(y) : int(y) - ny;
      for (int z = 0; z < nz; ++z)
        factor(&factors[std::size_t(z) * std::size_t(half)], h_y, z < (nz + 1) / 2 ? z : z - nz);
      for (int x = 0; x < half; x += columns) {
        const int count = std::min(columns, half - x);
        double* from = values() + y * layout_.row() + 2 * x;
        std::fill_n(buffer.data(), buffer.size(), 0.0);
        for (int z = 0; z < nz; ++z)
          std::copy_n(from + z * layout_.plane(), 2 * count, buffer.data() + 2 * columns * z);
        fftw_execute_dft(forward.get(), as_complex(buffer.data()), as_complex(buffer.data()));
        for (int z = 0; z < nz; ++z)
          for (int i = 0; i < count; ++i) {
            const double f = factors[std::size_t(z) * std::size_t(half) + std::size_t(x + i)];
            buffer[std::size_t(2 * (columns * z + i))] *= f;
            buffer[std::size_t(2 * (columns * z + i) + 1)] *= f;
          }
        fftw_execute_dft(backward.get(), as_complex(buffer.data()), as_complex(buffer.data()));
        for (int z = 0; z < nz; ++z)
          std::copy_n(buffer.data() + 2 * columns * z, 2 * count, from + z * layout_.plane());
      }
    }
  });
  parallel_for({threads_, 1}, nz, [&](std::int64_t z) {
    double* plane = values() + z * layout_.plane();
    fftw_execute_dft_c2r(from_waves.get(), as_complex(plane), plane);
  });
}

}  // namespace ionwell
