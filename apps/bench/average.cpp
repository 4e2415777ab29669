// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "compute/backend.hpp"
#include "core/available_memory.hpp"
#include "files/output_file.hpp"
#include "gpu/backend.hpp"
#include "jobs/average/average.hpp"
#include "programs/scratch_folder.hpp"

namespace ionwell {
namespace {

constexpr double atoms_in_A3 = 0.1;  // of a protein or nucleic acid with its hydrogens

/// Atoms that fill a cube, and shake.
class ShakenCube {
 public:
  explicit ShakenCube(int atoms) : edge_A_(std::cbrt(atoms / atoms_in_A3)) {
    std::uniform_real_distribution<double> along(0.0, edge_A_), charge_e(-1.0, 1.0);
    for (int n = 0; n < atoms; ++n)
      middle_.push_back({{along(random_), along(random_), along(random_)}, charge_e(random_)});
  }

  std::string pqr() const {
    std::string text;
    char line[96];
    for (std::size_t n = 0; n < middle_.size(); ++n) {
      const Vec3<double>& p = middle_[n].position_A;
      std::snprintf(line, sizeof line, "ATOM %zu C LIG %zu %.3f %.3f %.3f %.4f 1.5\n", n + 1, n / 20 + 1, p.x,
                    p.y, p.z, middle_[n].charge_e);
      text += line;
    }
    return text;
  }

  /// A DCD file: CHARMM's, without a cell.
  void write_dcd(const std::string& path, int frames) {
    OutputFile file(path);
    std::array<std::int32_t, 20> control{};
    control[0] = frames;
    control[19] = 24;
    record(file, "CORD" + raw(control));
    record(file, raw(std::int32_t{1}) + std::string(80, '*'));
    record(file, raw(std::int32_t(middle_.size())));
    std::normal_distribution<float> shake(0.0f, 0.5f);
    std::string column(sizeof(float) * middle_.size(), '\0');
    for (int frame = 0; frame < frames; ++frame)
      for (const auto axis : {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z}) {
        for (std::size_t n = 0; n < middle_.size(); ++n) {
          const float at = float(middle_[n].position_A.*axis) + shake(random_);
          std::memcpy(column.data() + sizeof(float) * n, &at, sizeof at);
        }
        record(file, column);
      }
    file.commit();
  }

 private:
  template <typename T>
  static std::string raw(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static void record(OutputFile& file, const std::string& content) {
    const std::string mark = raw(std::uint32_t(content.size()));
    file.write(mark + content + mark);
  }

  double edge_A_;
  std::mt19937_64 random_{1};
  std::vector<PointCharge> middle_;
};

}  // namespace

void average_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  int atoms = 25'000, frames = 256;
  double spacing_A = 1.0;
  Backend backend = Backend::cpu;
  MeasureOptions measure{.repeats = 3};
  CommandLine line(
      {.name = "average",
       .synopsis = "[--atoms N] [--frames N] [--spacing A]",
       .about =
           "Times the average of the potential over a trajectory: a DCD of atoms that fill a cube and "
           "shake,\n"
           "on the lattice that encloses them. Reading alone is timed, the mean alone, and the mean with\n"
           "deviation and error, for which each frame is summed by itself.",
       .examples =
           "  ionwell-bench average\n"
           "      25,000 atoms at 1 A; writes 77 MB to the folder of temporary files, and removes them\n"
           "  ionwell-bench average --atoms 3000 --frames 512\n"
           "      a small protein\n"
           "  ionwell-bench average --backend gpu --atoms 1534539 --spacing 0.5 --frames 96\n"
           "      sums that a GPU keeps; 1.8 GB of temporary files\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("atoms", atoms, "N", "atoms of a frame");
  group.add("frames", frames, "N", "frames");
  group.add("spacing", spacing_A, "A", "distance between lattice points");
  group.add_choice("backend", backend,
                   {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"gpu", Backend::gpu}},
                   "where the maps are made");
  add_measure_options(group, measure);
  if (!line.parse(arguments, out)) return;
  require_positive("--atoms", atoms);
  require_positive("--frames", frames);
  set_defaults(measure);

  const ScratchFolder folder{std::nullopt};
  ShakenCube cube(atoms);
  write_file(folder / "top.pqr", cube.pqr());
  cube.write_dcd(folder / "run.dcd", frames);
  const TrajectoryInput input =
      read_trajectory_input({folder / "top.pqr", folder / "run.dcd"}, {}, {}, false);
  print_machine(out, measure);
  char row[160];
  std::snprintf(row, sizeof row, "%-16s %9s %12s %10s %12s\n", "what", "frames", "points", "frames/s",
                "memory");
  out << row << std::flush;
  const auto print = [&](const char* what, std::int64_t points, const std::vector<double>& times_s) {
    std::snprintf(row, sizeof row, "%-16s %9d %12lld %10.1f %12s\n", what, frames,
                  static_cast<long long>(points), frames / median(times_s),
                  describe_bytes(peak_memory_bytes()).c_str());
    out << row << std::flush;
  };
  std::vector<double> reading_s;
  const FramePreparation preparation(input, {}, Boundary::open);
  for (int n = 0; n < measure.repeats; ++n)
    reading_s.push_back(seconds([&] {
      for (std::int64_t frame = 0; frame < frames; ++frame) preparation.take_back(preparation.prepare(frame));
    }));
  print("read", 0, reading_s);
  for (const StatisticsKinds kinds : {StatisticsKinds{}, StatisticsKinds{.deviation = true, .error = true}}) {
    std::vector<double> times_s;
    std::int64_t points = 0;
    for (int n = 0; n < measure.repeats; ++n) {
      Stages stages;
      const AverageJob job{.input = input,
                           .lattice = {.spacing_A = spacing_A},
                           .backend = {.backend = backend},
                           .field = {.every_point = true, .threads = measure.threads, .simd = measure.simd},
                           .statistics = kinds,
                           .blocks = std::min(10, std::max(2, frames))};
      const AverageResult result = average(job, stages, {&gpu_backend()});
      times_s.push_back(result.summary.seconds);
      points = result.potential.lattice.size();
      for (const std::string& warning : result.run.warnings) out << "warning: " << warning << '\n';
    }
    print(kinds.deviation ? "mean, sd and se" : "mean", points, times_s);
  }
}

}  // namespace ionwell
