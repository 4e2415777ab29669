// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <filesystem>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell {

void read_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  std::string path;
  MeasureOptions measure{.threads = 1};
  CommandLine line({.name = "read",
                    .synopsis = "STRUCTURE",
                    .about = "Times reading a structure, on one thread.",
                    .examples = "  ionwell-bench read ribosome.pqr.gz\n"
                                "      unpacks as it reads; an unpacked file shows the reader alone\n"
                                "  ionwell-bench read rna.pqr --repeats 25\n"
                                "      a small file needs more runs for a steady median\n",
                    .program = "ionwell-bench"});
  line.add_file("STRUCTURE", path);
  line.group("Options").add("repeats", measure.repeats, "N", "how often to measure; the median counts");
  if (!line.parse(arguments, out)) return;
  set_defaults(measure);

  std::size_t atoms = read_structure(path).atoms.size();  // the first time the disk counts, too
  std::vector<double> times_s;
  for (int n = 0; n < measure.repeats; ++n)
    times_s.push_back(seconds([&] { atoms = read_structure(path).atoms.size(); }));
  print_machine(out, measure);
  char row[128];
  std::snprintf(row, sizeof row, "%10s %10s %10s %12s\n%10zu %10.3f %10.4f %12.3e\n", "atoms", "file [MB]",
                "time [s]", "atoms/s", atoms, 1e-6 * double(std::filesystem::file_size(path)),
                median(times_s), double(atoms) / median(times_s));
  out << row;
}

}  // namespace ionwell
