#include "options.hpp"

#include <omp.h>

#include <algorithm>
#include <thread>

#include "core/error.hpp"
#include "memory.hpp"
#include "run_summary.hpp"

namespace ionwell {
namespace {

bool overlap(const Box& a, const Box& b) {
  return a.lowest_A.x <= b.highest_A.x && b.lowest_A.x <= a.highest_A.x &&  //
         a.lowest_A.y <= b.highest_A.y && b.lowest_A.y <= a.highest_A.y &&  //
         a.lowest_A.z <= b.highest_A.z && b.lowest_A.z <= a.highest_A.z;
}

int machine_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

void add_lattice_options(OptionGroup& group, LatticeArguments& lattice) {
  group.add("spacing", lattice.spacing_A, "A", "distance between lattice points");
  group.add("border", lattice.border_A, "A",
            "lattice beyond the solute's atoms, on every side (default " +
                default_text(LatticeOptions{}.border_A) + ")");
  group.add("box", lattice.box, "X0,Y0,Z0,X1,Y1,Z1", "lattice between two corners [A], in place of --border");
}

void add_electrostatics_options(OptionGroup& group, ElectrostaticsOptions& electrostatics) {
  group.add("dielectric", electrostatics.dielectric, "E",
            "constant dielectric (default 1, a vacuum; with --ionic-strength water's, " +
                default_text(water_dielectric) + ")");
  group.add("ddd", electrostatics.ddd_per_A, "K", "distance-dependent dielectric K r; 3 is usual");
  group.add("ionic-strength", electrostatics.ionic_strength_M, "M",
            "Debye-Hueckel screening by a 1:1 salt of M mol/L");
  group.add("temperature", electrostatics.temperature_K, "K",
            "temperature of the kT in energies and potentials");
}

void add_exclusion_options(OptionGroup& group, ExclusionOptions& exclusion) {
  group.add("ion-solute", exclusion.ion_solute_A, "A",
            "no ion is this near to an atom of the solute, or nearer");
  group.add("ion-ion", exclusion.ion_ion_A, "A", "no ion is nearer than this to another");
}

void add_computing_options(OptionGroup& group, FieldOptions& field) {
  group.add("threads", field.threads, "N", "threads to compute with, 0 for all of them");
  group.add_choice("simd", field.simd,
                   {{"auto", SimdLevel::automatic},
                    {"baseline", SimdLevel::baseline},
                    {"avx2", SimdLevel::avx2},
                    {"avx512", SimdLevel::avx512}},
                   "instruction set of the inner loops; the ions do not depend on it");
}

void add_run_options(OptionGroup& group, RunArguments& run) {
  group.add("report", run.report, "FILE", "what was done, for programs (JSON)");
  group.add_flag("quiet", run.quiet, "print warnings and errors only");
}

void validate(const LatticeArguments& lattice) {
  if (lattice.box && lattice.border_A)
    fail<UsageError>(
        "--box and --border are given both, but a box says where the lattice ends; leave one of them out");
  if (lattice.border_A && !(*lattice.border_A >= 0.0))
    fail<UsageError>("--border is ", *lattice.border_A, " A; it must not be negative, 10 is usual");
  lattice_in_box(lattice.box.value_or(Box{}), lattice.spacing_A);
}

void validate(const FieldOptions& field) {
  constexpr int oversubscription = 64;  // more threads than cores are allowed, for tests, but not without end
  const int most = std::max(oversubscription, machine_threads());
  if (field.threads < 0 || field.threads > most)
    fail<UsageError>("--threads is ", field.threads, "; it must be 1 to ", most,
                     ", or 0 for all that the machine has (", machine_threads(), ")");
}

int thread_count(const FieldOptions& field) {
  return field.threads > 0 ? field.threads : omp_get_max_threads();
}

void require_memory(const LatticeGeometry& lattice, const Structure& structure, const FieldOptions& field) {
  const std::int64_t copy_bytes = field.every_point ? lattice.size() * std::int64_t{sizeof(float)} : 0;
  require_memory(cpu_field_bytes(lattice, structure.atoms.size()) + copy_bytes, lattice.size());
}

LatticeGeometry choose_lattice(const Structure& structure, const LatticeArguments& arguments) {
  if (!arguments.box)
    return enclosing_lattice(structure.atoms,
                             {arguments.spacing_A, arguments.border_A.value_or(LatticeOptions{}.border_A)});
  const Box solute = bounding_box(structure.atoms);
  if (!overlap(*arguments.box, solute))
    fail<UsageError>("the box ", *arguments.box, " A misses the solute, which fills ", solute,
                     " A; give a --box that meets it, or leave --box out");
  return lattice_in_box(*arguments.box, arguments.spacing_A);
}

}  // namespace ionwell
