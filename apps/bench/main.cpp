// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <iomanip>
#include <iostream>

#include "bench/benchmarks.hpp"
#include "bench/csv_row.hpp"
#include "cli/nearest_word.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "gpu/backend.hpp"
#include "mpi/ranks.hpp"

namespace ionwell {
namespace {

struct Benchmark {
  std::string name;
  const char* summary;
  void (*run)(const std::vector<std::string>& arguments, std::ostream& out, RankGroup* ranks);
};

/// A benchmark of this process alone.
template <auto benchmark>
void alone(const std::vector<std::string>& arguments, std::ostream& out, RankGroup*) {
  benchmark(arguments, out);
}

const std::array benchmarks = {
    Benchmark{"direct", "the direct sum: pairs of charge and point per second, and the error",
              alone<direct_benchmark>},
    Benchmark{"placement", "placing ions: with blocks and bounds against point by point",
              alone<placement_benchmark>},
    Benchmark{"read", "reading a structure", alone<read_benchmark>},
    Benchmark{"solvate", "filling a cell with water, and writing it", alone<solvate_benchmark>},
    Benchmark{"accuracy", "multilevel summation: deviation from fp64 and time for many settings",
              alone<accuracy_benchmark>},
    Benchmark{"short-range", "multilevel summation: pairs per second of its part that is summed pair by pair",
              alone<short_range_benchmark>},
    Benchmark{"scaling", "multilevel summation: time per point, from 2,000 to 2,000,000 charges",
              alone<scaling_benchmark>},
    Benchmark{"crossover", "direct sum against multilevel summation for growing solutes",
              alone<crossover_benchmark>},
    Benchmark{"periodic", "the potential of all images of a solute in a box of water",
              alone<periodic_benchmark>},
    Benchmark{"box", "ions and salt in a box of water, stage by stage", alone<box_benchmark>},
    Benchmark{"average", "the mean potential over a trajectory: frames per second", alone<average_benchmark>},
    Benchmark{"points", "the potential at scattered points: direct, partitioned and multilevel sums",
              alone<points_benchmark>},
    Benchmark{"forces", "forces on charges and rigid bodies in a potential on a lattice",
              alone<forces_benchmark>},
    Benchmark{"pb", "the Poisson-Boltzmann equation around a solute", alone<pb_benchmark>},
    Benchmark{"sample", "ions that move: Monte Carlo moves and steps of Brownian dynamics per second",
              alone<sample_benchmark>},
    Benchmark{"sites", "placing Mg2+ by the site model, step by step", alone<sites_benchmark>},
    Benchmark{"ranks", "what ranks share: a model of many GPUs, and under mpirun the model against them",
              ranks_benchmark},
#ifdef IONWELL_WITH_CUDA
    Benchmark{"gpu", "everything on the GPU, against the goals for one H200", alone<gpu_benchmark>},
#endif
};

void print_help(std::ostream& out) {
  out << "Usage: ionwell-bench [--csv FILE] BENCHMARK ...\n\nMeasures what ionwell does, on this "
         "machine.\n\nBenchmarks:\n";
  for (const Benchmark& benchmark : benchmarks)
    out << "  " << std::left << std::setw(12) << benchmark.name << benchmark.summary << '\n';
  out << "\n--csv FILE appends a row: commit, machine, command, status, and what was printed.\n"
         "'ionwell-bench BENCHMARK --help' describes the options of a benchmark.\n";
}

void run(const std::vector<std::string>& words, std::ostream& out, RankGroup* ranks) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h") return print_help(out);
  if (words.front() == "--version") {
    out << "ionwell-bench " << version() << '\n';
    return;
  }
  std::vector<std::string> known = {"--csv", "--help", "--version"};
  for (const Benchmark& benchmark : benchmarks) {
    if (words.front() == benchmark.name) return benchmark.run({words.begin() + 1, words.end()}, out, ranks);
    known.push_back(benchmark.name);
  }
  const std::string nearest = nearest_word(words.front(), known);
  fail<UsageError>("there is no benchmark '", words.front(), "'; ",
                   nearest.empty() ? "'ionwell-bench --help' lists them" : "did you mean '" + nearest + "'?");
}

/// run() of the words behind a FILE, to which it appends a row, also where the benchmark fails. Help has
/// none.
void run_with_row(const std::vector<std::string>& file_and_words, std::ostream& out, RankGroup* ranks) {
  if (file_and_words.size() < 2 || file_and_words[1].rfind('-', 0) == 0)
    fail<UsageError>(
        "--csv needs a file and a benchmark behind it, as in 'ionwell-bench --csv rows.csv direct'");
  const std::vector<std::string> words(file_and_words.begin() + 1, file_and_words.end());
  for (const std::string& word : words)
    if (word == "--help" || word == "-h") return run(words, out, ranks);
  const BenchmarkRows rows(file_and_words.front());
  KeptOutput kept(out);
  std::ostream both(&kept);
  try {
    run(words, both, ranks);
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    rows.append(words, kept.text(), std::string("failed: ") + error.what());
    throw;
  }
  rows.append(words, kept.text(), "ok");
}

int bench(int argc, char** argv, RankGroup* ranks) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty() || words.front() != "--csv")
      run(words, std::cout, ranks);
    else
      run_with_row({words.begin() + 1, words.end()}, std::cout, ranks);
    return 0;
  } catch (const UsageError& error) {
    std::cerr << "ionwell-bench: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "ionwell-bench: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace ionwell

int main(int argc, char** argv) {
  return ionwell::run_in_ranks(ionwell::bench, argc, argv, ionwell::gpu_backend);
}
