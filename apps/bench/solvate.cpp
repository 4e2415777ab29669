// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/solvate.hpp"

#include <cmath>
#include <cstdio>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "core/available_memory.hpp"
#include "solvation/written_waters.hpp"
#include "structures/formats/read_structure.hpp"

namespace ionwell {
namespace {

/// Where there is no structure: one small molecule.
Structure methane() {
  return {.path = "methane",
          .atoms = {
              {.position_A = {0, 0, 0}, .name = "C", .residue = "CH4", .residue_number = 1, .element = "C"}}};
}

}  // namespace

void solvate_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  std::string path, output = "/dev/null";
  std::int64_t atoms = 1'000'000;
  MeasureOptions measure{.repeats = 3};
  CommandLine line({.name = "solvate",
                    .synopsis = "[STRUCTURE]",
                    .about = "Times filling a cube with water, and writing it. Beside it, of the same edge "
                             "in nm: gmx solvate -cs "
                             "spc216.gro -box EDGE EDGE EDGE -o out.gro",
                    .examples = "  ionwell-bench solvate\n"
                                "      a million atoms, thrown away as they are written\n"
                                "  ionwell-bench solvate --atoms 100000000 --output big.gro --repeats 1\n"
                                "      100 million, on a disk\n"
                                "  ionwell-bench solvate ribosome.pqr.gz --atoms 2000000\n"
                                "      around a solute\n",
                    .program = "ionwell-bench"});
  line.add_optional_file("STRUCTURE", path);
  OptionGroup& options = line.group("Options");
  options.add("atoms", atoms, "N", "atoms in the cube, about");
  options.add("output", output, "FILE", "where the system is written, by its ending; others are PDB");
  options.add("repeats", measure.repeats, "N", "how often to measure; the median counts");
  options.add("threads", measure.threads, "N", "threads to compute with, 0 for all of them");
  if (!line.parse(arguments, out)) return;
  set_defaults(measure);

  const Structure structure = path.empty() ? methane() : read_structure(path);
  const WaterBox& box = water_box("tip3p");
  const double edge_A = box.edge_A * std::cbrt(double(atoms) / 3 / double(box.molecules));
  const SolvationOptions solvation{.cell = CellParameters{{edge_A, edge_A, edge_A}, {90, 90, 90}},
                                   .fill = {.threads = measure.threads}};
  std::vector<double> fill_s, write_s;
  std::int64_t made = 0;
  for (int n = 0; n < measure.repeats; ++n) {
    std::optional<Solvation> solvated;
    fill_s.push_back(seconds([&] { solvated = solvate(structure, solvation); }));
    made = solvated->atoms();
    const SystemFormat format = system_format(output);
    const WaterLabels labels = water_labels(solvated->solute, usual_water_names(format), format);
    write_s.push_back(seconds([&] {
      OutputFile file(output);
      write_system(file,
                   {.solute = solvated->solute,
                    .solvent = written_waters(solvated->waters, labels),
                    .cell = solvated->cell,
                    .names = SoluteNames::own},
                   measure.threads);
      file.commit();
    }));
  }
  print_machine(out, measure);
  char row[160];
  std::snprintf(row, sizeof row, "%12s %10s %10s %10s %12s\n%12lld %10.1f %10.3f %10.3f %12s\n", "atoms",
                "edge [A]", "fill [s]", "write [s]", "memory", static_cast<long long>(made), edge_A,
                median(fill_s), median(write_s), describe_bytes(peak_memory_bytes()).c_str());
  out << row;
}

}  // namespace ionwell
