#include <iostream>

#include "backend.hpp"
#include "commands.hpp"
#include "core/version.hpp"
#include "io/map_file.hpp"
#include "io/read_structure.hpp"
#include "map_summary.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "run_summary.hpp"

namespace ionwell {
namespace {

void print_gpus(std::ostream& out) {
  const GpuDevices& known = gpu_devices();
  if (known.devices.empty()) print_row(out, "GPU", "none: ", known.problem);
  for (const GpuDevice& device : known.devices)
    print_row(out, "GPU " + std::to_string(device.number), device.name, ", ",
              describe_bytes(device.free_bytes), " of ", describe_bytes(device.memory_bytes),
              " free, compute capability ", device.major, '.', device.minor,
              device.number == known.devices.front().number ? ", the one that runs use" : "");
}

void print_machine(std::ostream& out) {
  out << "ionwell " << version() << '\n';
  print_row(out, "threads", thread_count({}));
  print_row(out, "SIMD", to_string(best_simd_level()));
  print_row(out, "memory", describe_bytes(available_memory_bytes()), " free");
  print_gpus(out);
}

}  // namespace

int info_command(const std::vector<std::string>& arguments, std::ostream& out) {
  std::string path;
  LatticeArguments lattice_arguments;
  CommandLine line(
      {.name = "info",
       .synopsis = "[STRUCTURE|MAP]",
       .about =
           "Tells what a structure holds, and the lattice and the memory that a run on it needs, before\n"
           "anything is computed; of a map its format, unit, lattice, range of values and provenance. "
           "Without\n"
           "a file: the version, and what this machine has.",
       .examples = "  ionwell info rna.pqr\n"
                   "      atoms, net charge, extents, and the lattice with its memory\n"
                   "  ionwell info potential.dx\n"
                   "      what a map holds\n"
                   "  bunzip2 -c potential.dx.bz2 | ionwell info -\n"
                   "      the same from standard input\n"
                   "  ionwell info ribosome.pqr.gz --spacing 1 --border 8\n"
                   "      whether a coarser lattice would fit\n"});
  line.add_optional_file("STRUCTURE|MAP", path);
  add_lattice_options(line.group("Lattice"), lattice_arguments);
  if (!line.parse(arguments, out)) return 0;
  validate(lattice_arguments);
  if (path.empty()) return print_machine(out), 0;
  InputFile file(path);
  if (is_map(file)) {
    if (lattice_arguments.spacing_A || lattice_arguments.border_A || lattice_arguments.box)
      fail<UsageError>("--spacing, --border and --box are for structures, and ", file.name(),
                       " is a map, which has its lattice; leave them out");
    return print_map(out, read_map(std::move(file))), 0;
  }

  const Structure structure = read_structure(std::move(file));
  print_warnings(std::cerr, structure.warnings);
  const LatticeGeometry lattice = choose_lattice(structure, lattice_arguments);
  print_solute(out, structure);
  print_row(out, "extents", bounding_box(structure.atoms), " A");
  print_lattice(out, lattice);
  const PairPotential pair = pair_potential({});
  const std::int64_t needed =
      needed_bytes({}, lattice, structure, pair, choose_method({}, {}, lattice, structure, pair, {}), {});
  print_row(out, "memory", describe_bytes(needed), " needed, ", describe_bytes(available_memory_bytes()),
            " free");
  const GpuDevices& gpus = gpu_devices();
  if (gpus.devices.empty()) return 0;
  const GpuDemand demand{lattice, structure.atoms.size(),
                         gpu_grid_bytes(lattice, point_charges(structure.atoms), {})};
  const bool fits = gpu_layout(demand, {gpus.devices.front()}).lattice_on == LatticeOn::device;
  const bool fits_together = gpu_layout(demand, gpus.devices).lattice_on != LatticeOn::host;
  print_row(out, "GPU memory", describe_bytes(gpu_field_bytes(demand)), " needed at most, ",
            describe_bytes(gpus.devices.front().free_bytes), " free",
            fits            ? ""
            : fits_together ? "; with all of --devices the lattice fits"
                            : "; the lattice would stay in host memory");
  return 0;
}

}  // namespace ionwell
