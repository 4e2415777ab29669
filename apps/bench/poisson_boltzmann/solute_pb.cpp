// SPDX-License-Identifier: BSD-3-Clause
#include "bench/poisson_boltzmann/solute_pb.hpp"

#include <cstdio>
#include <memory>
#include <vector>

#include "compute/backend.hpp"
#include "compute/poisson_boltzmann/focused_pb.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell {
namespace {

constexpr int ions_added = 5;  // between solutions, in the hybrid protocol

/// Beside atoms of the structure, all over it.
std::vector<Atom> ions_beside(const std::vector<Atom>& atoms) {
  std::vector<Atom> ions;
  for (int n = 0; n < ions_added; ++n) {
    Atom ion = atoms[atoms.size() * std::size_t(n + 1) / (ions_added + 2)];
    ion.position_A = ion.position_A + Vec3<double>{1.3 * n - 2.0, 3.0, 0.7 * n};
    ion.charge_e = 2.0;
    ion.radius_A = 1.2;
    ions.push_back(ion);
  }
  return ions;
}

struct StageTimes {
  std::vector<double> make_s, solve_s, add_s, solve_again_s;
};

template <typename Make>
void measure_equation(const Make& make, const std::vector<Atom>& ions, StageTimes* times) {
  const auto silent = [](double) {};
  std::unique_ptr<SolutePb> equation;
  times->make_s.push_back(seconds([&] { equation = make(); }));
  times->solve_s.push_back(seconds([&] { equation->solve(silent, {}); }));
  times->add_s.push_back(seconds([&] { equation->add(ions); }));
  times->solve_again_s.push_back(seconds([&] { equation->solve(silent, {}); }));
}

void print_times(const char* surface_on, const StageTimes& times, double points, std::ostream& out) {
  char row[160];
  const double make_s = median(times.make_s), solve_s = median(times.solve_s);
  std::snprintf(row, sizeof row, "%16s %9.4f %9.4f %11.3g %13.4f %15.4f", surface_on, make_s, solve_s,
                points / (make_s + solve_s), median(times.add_s), median(times.solve_again_s));
  out << row << std::endl;
}

}  // namespace

void print_solute_pb(const std::string& structure, double spacing_A, double tolerance,
                     const MeasureOptions& measure, std::ostream& out) {
  const DeviceList& gpus = gpu_backend().devices();
  if (gpus.devices.empty()) fail(gpus.problem, "; add --apbs to measure on the CPU");
  const int device = gpus.devices.front().number;
  const Structure read = read_structure(structure);
  LatticeRequest request;
  request.spacing_A = spacing_A;
  OwnPbCalculation calculation = own_pb_calculation(read, request, {}, {});
  calculation.solver.tolerance = tolerance;
  calculation.solver.threads = measure.threads;
  const std::vector<Atom> ions = ions_beside(read.atoms);
  StageTimes on_gpu, on_host;
  for (int n = -1; n < measure.repeats; ++n) {
    StageTimes first;  // starts the device
    measure_equation([&] { return gpu_backend().solute_pb(device, calculation, read.atoms); }, ions,
                     n < 0 ? &first : &on_gpu);
    if (n < 0) continue;
    const auto on_device = [&](PbSystem& system, const PbSolverOptions& options) {
      return gpu_backend().pb_vectors({device}, system, options.equation == PbEquation::nonlinear);
    };
    measure_equation([&] { return std::make_unique<FocusedPb>(calculation, read.atoms, on_device); }, ions,
                     &on_host);
  }
  print_machine(out, measure);
  const Vec3<std::int64_t>&inner = calculation.lattice.counts, &outer = calculation.outer.counts;
  out << "on " << gpus.devices.front().name << '\n'
      << read.atoms.size() << " atoms, " << inner.x << " x " << inner.y << " x " << inner.z
      << " points, outer lattice " << outer.x << " x " << outer.y << " x " << outer.z << "\n\n";
  char row[160];
  std::snprintf(row, sizeof row, "%16s %9s %9s %11s %13s %15s", "surface on", "make [s]", "solve [s]",
                "points/s", "add five [s]", "solve again [s]");
  out << row << std::endl;
  const double points = double(calculation.lattice.size());
  print_times("the GPU", on_gpu, points, out);
  print_times("this host", on_host, points, out);
}

}  // namespace ionwell
