// SPDX-License-Identifier: BSD-3-Clause
#include "bench/poisson_boltzmann/beside_apbs.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "electrostatics/poisson_boltzmann/model/apbs_words.hpp"
#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "maps/map_file.hpp"
#include "programs/apbs_files.hpp"
#include "programs/child_process.hpp"
#include "programs/scratch_folder.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell {
namespace {

constexpr double border_A = 8.0;  // of the published protocol

/// APBS's tolerance is of the 1-norm of the residual over that of the right side, ours of the 2-norms. Around
/// 1gid the first of these is 2.0 to 2.3 times the second: ours is asked for so much less.
constexpr double norms_apart = 2.5;

const std::string surface = "srfm=smol";
const std::vector<std::string> words = {"bcfl=sdh",
                                        "pdie=4",
                                        "sdie=78.54",
                                        "ion=charge 1 conc 0.15 radius 2.0",
                                        "ion=charge -1 conc 0.15 radius 2.0",
                                        "chgm=spl2",
                                        "sdens=10",
                                        "srad=1.4",
                                        "swin=0.3",
                                        "temp=298.15"};

struct Times {
  std::vector<double> whole_s, processor_s, solve_s;
};

/// Processor time of this process, or of the children that it has waited for.
double processor_s(int whose) {
  rusage used{};
  getrusage(whose, &used);
  const auto seconds_of = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

std::string three(double x, double y, double z) {
  char text[96];
  std::snprintf(text, sizeof text, "%.10g %.10g %.10g", x, y, z);
  return text;
}

std::string input_for_apbs(const LatticeGeometry& lattice, double tolerance) {
  const Vec3<double>&origin = lattice.origin_A, &h = lattice.spacing_A;
  const Vec3<std::int64_t>& n = lattice.counts;
  const Vec3<double> length{h.x * double(n.x - 1), h.y * double(n.y - 1), h.z * double(n.z - 1)},
      centre = origin + 0.5 * length;
  std::string text = "read\n  mol pqr solute.pqr\nend\nelec\n  mg-manual\n  mol 1\n  lpbe\n";
  text += "  dime " + three(double(n.x), double(n.y), double(n.z)) + "\n  glen " +
          three(length.x, length.y, length.z) + "\n  gcent " + three(centre.x, centre.y, centre.z) +
          "\n  etol " + std::to_string(tolerance) + '\n';
  std::vector<std::string> all = words;
  all.push_back(surface);
  for (std::string word : all) {
    word[word.find('=')] = ' ';
    text += "  " + word + '\n';
  }
  return text + "  write pot dxbin pot\nend\nquit\n";
}

/// The processor time of its solver, which APBS writes to a file io.mc.
double apbs_solver_s(const std::string& path) {
  const FileBytes bytes = read_input_file(path);
  LineScanner lines(bytes.text());
  for (std::string_view line; lines.next(line);)
    if (line.find("stopping timer") != line.npos && line.find("(Solver timer)") != line.npos)
      return std::atof(std::string(line.substr(line.rfind('=') + 1)).c_str());
  fail(path, ": APBS wrote no time of its solver");
}

void run_apbs(const std::string& program, const LatticeGeometry& lattice, std::span<const Atom> atoms,
              double tolerance, int threads, Times& times) {
  const ScratchFolder folder({});
  const SignalNotes notes;
  write_file(folder / "solute.pqr", apbs_pqr(atoms));
  write_file(folder / "apbs.in", input_for_apbs(lattice, tolerance));
  const double before_s = processor_s(RUSAGE_CHILDREN);
  const ChildResult result =
      run_child({program, "apbs.in"},
                {.folder = folder.path(),
                 .removes_folder = true,
                 .output_path = folder / "apbs.out",
                 .environment = {"OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=" + std::to_string(threads)}},
                notes, [](double) {});
  if (result.exit_code != 0 || result.signal != 0)
    fail("APBS (", program, ") failed with exit code ", result.exit_code, ", signal ", result.signal,
         "; is there memory for ", 1e-9 * double(apbs_bytes(lattice)), " GB?");
  times.whole_s.push_back(result.seconds);
  times.processor_s.push_back(processor_s(RUSAGE_CHILDREN) - before_s);
  times.solve_s.push_back(apbs_solver_s(folder / "io.mc"));
}

void run_own(const std::string& structure, const LatticeGeometry& lattice, const PbModelOptions& options,
             double tolerance, const MeasureOptions& measure, Times& times) {
  const ScratchFolder folder({});
  double solve_s = 0.0;
  const double before_s = processor_s(RUSAGE_SELF);
  times.whole_s.push_back(seconds([&] {
    const Structure read = read_structure(structure);
    PbModel model(lattice, read.atoms, options, measure.threads);
    solve_s = seconds([&] {
      PbSolver solver(
          model.system(),
          {.tolerance = tolerance / norms_apart, .threads = measure.threads, .simd = measure.simd});
      solver.solve();
    });
    OutputFile file(folder / "pot.dxbin");
    write_map(
        file,
        {.lattice = lattice, .unit = MapUnit::kT_e, .temperature_K = options.temperature_K, .provenance = {}},
        std::span<const float>(model.system().boundary_kT_e), measure.threads, {});
    file.commit();
  }));
  times.processor_s.push_back(processor_s(RUSAGE_SELF) - before_s);
  times.solve_s.push_back(solve_s);
}

/// Runs it twice. A first run has the memory that the one before has given back, of which a virtual machine's
/// host may have to find it some again: behind APBS, whose is a gigabyte, ours took up to 1.8 times as long.
template <typename Run>
void second_counts(Times& times, const Run& run) {
  Times first;
  run(first);
  run(times);
}

void print_row(const LatticeGeometry& lattice, const char* who, const Times& times, const Times& apbs,
               std::ostream& out) {
  char row[200];
  std::snprintf(row, sizeof row, "%4lld x %4lld x %4lld  %-22s %10.3f %10.3f %10.3f %8.1f %10.1f %8.1f",
                (long long)lattice.counts.x, (long long)lattice.counts.y, (long long)lattice.counts.z, who,
                median(times.whole_s), median(times.processor_s), median(times.solve_s),
                median(apbs.whole_s) / median(times.whole_s),
                median(apbs.processor_s) / median(times.processor_s),
                median(apbs.solve_s) / median(times.solve_s));
  out << row << std::endl;
}

void measure_lattice(const std::string& structure, const std::string& program, const LatticeGeometry& lattice,
                     double tolerance, const MeasureOptions& measure, std::ostream& out) {
  const Structure read = read_structure(structure);
  std::vector<std::string> with_surface = words;
  with_surface.push_back(surface);
  const PbModelOptions as_apbs = with_apbs_words({}, with_surface).model,
                       usual = with_apbs_words({}, words).model;
  Times apbs, same, shares;
  for (int n = 0; n < measure.repeats; ++n) {
    second_counts(apbs, [&](Times& times) {
      run_apbs(program, lattice, read.atoms, tolerance, measure.threads, times);
    });
    second_counts(same,
                  [&](Times& times) { run_own(structure, lattice, as_apbs, tolerance, measure, times); });
    second_counts(shares,
                  [&](Times& times) { run_own(structure, lattice, usual, tolerance, measure, times); });
  }
  print_row(lattice, "APBS", apbs, apbs, out);
  print_row(lattice, "own, srfm=smol", same, apbs, out);
  print_row(lattice, "own, faces by shares", shares, apbs, out);
}

}  // namespace

void print_pb_beside_apbs(const std::string& structure, double tolerance, bool finer,
                          const MeasureOptions& measure, std::ostream& out) {
  const std::string program = find_program("apbs");
  if (program.empty())
    fail("there is no program apbs to measure beside; Debian and Ubuntu have it in the package apbs");
  const Box solute = bounding_box(read_structure(structure).atoms);
  const Vec3<double> border{border_A, border_A, border_A};
  LatticeGeometry lattice =
      apbs_calculation({solute.lowest_A - border, solute.highest_A + border}, solute, 1.0).fine;
  print_machine(out, measure);
  out << "structure to map (dxbin), one lattice, boundary of one Debye-Hueckel sphere, tolerance "
      << tolerance << " of\nthe 1-norm, which is APBS's, and " << tolerance / norms_apart
      << " of the 2-norm, which is ours, in turn, each twice, of\nwhich the second counts; 'whole' is APBS's "
         "process, and all that ionwell does from "
         "file to file; 'solve' is the processor time of\nAPBS's solver, and the time of ours with its "
         "coarser "
         "lattices; behind them, APBS's over ours\n\n";
  char row[200];
  std::snprintf(row, sizeof row, "%18s  %-22s %10s %10s %10s %8s %10s %8s", "lattice", "", "whole [s]",
                "processor", "solve [s]", "whole", "processor", "solve");
  out << row << std::endl;
  measure_lattice(structure, program, lattice, tolerance, measure, out);
  if (!finer) return;
  lattice.spacing_A = 0.5 * lattice.spacing_A;
  for (std::int64_t* count : {&lattice.counts.x, &lattice.counts.y, &lattice.counts.z})
    *count = 2 * *count - 1;
  measure_lattice(structure, program, lattice, tolerance, measure, out);
}

}  // namespace ionwell
