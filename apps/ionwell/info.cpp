// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iostream>
#include <iterator>

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/pending_messages.hpp"
#include "compute/backend.hpp"
#include "compute/cost_model.hpp"
#include "compute/json_parts.hpp"
#include "core/available_memory.hpp"
#include "core/version.hpp"
#include "gpu/backend.hpp"
#include "input/entry_programs.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/chemistry_json.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/map_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "jobs/place/run.hpp"
#include "maps/map_file.hpp"
#include "output/chemistry_report.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

void print_gpus(std::ostream& out) {
  const DeviceList& known = gpu_backend().devices();
  if (known.devices.empty()) print_row(out, "GPU", "none: ", known.problem);
  for (const Device& device : known.devices) {
    const bool is_first = device.number == known.devices.front().number;
    std::string use = is_first ? ", used by default" : "";
    std::int64_t free_bytes = 0;
    if (is_first) try {
        free_bytes = gpu_backend().started(device).free_bytes;  // the others are left alone
      } catch (const Error& error) {
        use = std::string("; ") + error.what();
      }
    print_row(out, "GPU " + std::to_string(device.number), device.name, ", ",
              free_bytes > 0 ? describe_bytes(free_bytes) + " free of " : "",
              describe_bytes(device.memory_bytes), ", compute capability ", device.major, '.', device.minor,
              use);
  }
}

void print_machine(std::ostream& out) {
  out << "ionwell " << version() << '\n';
  print_row(out, "threads", thread_count(0));
  print_row(out, "SIMD", to_string(best_simd_level()));
  print_row(out, "memory", describe_bytes(available_memory_bytes()), " free");
  print_gpus(out);
}

struct InfoArguments {
  StructureArguments structure;
  LatticeRequest lattice;
  std::optional<std::string> report;
  GivenOptions given;
};

bool parse(const std::vector<std::string>& words, InfoArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "info",
       .synopsis = "[STRUCTURE [COORDINATES] | MAP]",
       .about =
           "Shows what a structure contains (protein, nucleic acid, lipids, water, ions), and the lattice "
           "and "
           "the memory that a run would need, without computing anything. For a PDB entry it also shows the "
           "chemistry: chains, gaps, disulfides, metals, modified residues, ligands. For a map it shows the "
           "format, unit, lattice, range of values and provenance. Without a file it shows the version and "
           "the threads, memory and GPUs of this machine.",
       .examples = "  ionwell info rna.pqr\n"
                   "      composition, net charge, extents, and the lattice and its memory\n"
                   "  ionwell info potential.dx\n"
                   "      contents of a map\n"
                   "  bunzip2 -c potential.dx.bz2 | ionwell info -\n"
                   "      the same from standard input\n"
                   "  ionwell info ribosome.pqr.gz --spacing 1 --border 8\n"
                   "      whether a coarser lattice would fit\n"
                   "  ionwell info rna.pqr --report rna.json\n"
                   "      the same for programs\n",
       .common = {"solute", "ignore", "assembly", "charges", "pH", "ligand", "spacing", "border", "report"}});
  line.add_files("STRUCTURE or MAP", arguments.structure.files, 0, most_structure_files);
  add_structure_options(line, arguments.structure);
  add_lattice_options(line.group("Lattice"), arguments.lattice, LatticeOf::sums);
  line.group("Output").add("report", arguments.report, "FILE",
                           "write the contents of the structure for programs (JSON)");
  line.add_rules(lattice_rules());
  if (!line.parse(words, out)) return false;
  arguments.given = line.given(words);
  return true;
}

/// Everything that can be refused before a file is read.
void validate(const InfoArguments& arguments) {
  validate(arguments.lattice);
  if (arguments.structure.files.empty()) refuse_without_effect(info_rules(false), arguments.given);
  check_entry_options(arguments.structure.options);
  check_inputs(arguments.structure.files);
  check_outputs(arguments.structure.files, {{"--report", arguments.report}});
}

/// What a run of the default kind would need on the CPU.
Plan plan_of(const Structure& structure, const LatticeRequest& lattice, const Backends& backends) {
  return plan({.structure = structure, .lattice = lattice, .backend = {.backend = Backend::cpu}}, backends);
}

void print_gpu_needs(std::ostream& out, const Structure& structure, const LatticeGeometry& lattice) {
  const DeviceBackend& gpus = gpu_backend();
  if (gpus.devices().devices.empty()) return;
  const DeviceMemory memory = gpus.memory();
  const FieldDemand demand{lattice, structure.atoms.size(),
                           device_grid_bytes(lattice, corner_charges(structure.atoms), {}, memory)};
  const std::string needed = describe_bytes(device_field_bytes(demand, memory)) + " needed at most";
  std::vector<Device> devices = gpus.devices().devices;
  for (Device& device : devices)
    device.free_bytes = device.memory_bytes;  // the others are not started for it
  try {
    devices.front() = gpus.started(devices.front());
  } catch (const Error& error) {
    print_row(out, "GPU memory", needed, "; ", error.what());
    return;
  }
  const bool fits = choose_layout(demand, {devices.front()}, memory).lattice_on == LatticeOn::device;
  const bool fits_together = choose_layout(demand, devices, memory).lattice_on != LatticeOn::host;
  print_row(out, "GPU memory", needed, ", ", describe_bytes(devices.front().free_bytes), " free",
            fits            ? ""
            : fits_together ? "; the lattice fits on all of --devices together"
                            : "; the lattice would stay in host memory");
}

using Json = nlohmann::ordered_json;

Json json_head(const std::optional<PerceivedEntry>& entry) {
  Json json = {{"schema_version", 1}, {"version", version()}};
  if (entry) json["molecules"] = chemistry_json(*entry);
  return json;
}

std::string json_info(const Structure& structure, const Plan& needs,
                      const std::optional<PerceivedEntry>& entry, std::span<const ChemistryRow> rows) {
  Json json = json_head(entry);
  json["structure"] = structure_json(structure);
  json["lattice"] = lattice_json(needs.lattice);
  json["memory_bytes"] = {{"host_needed", needs.host_bytes}};
  add_messages(json, structure.warnings);
  return with_chemistry(report_text(json), rows);
}

/// The chemistry of the only file that is given, where it is an entry of the PDB; `file` can then be read all
/// the same.
std::optional<PerceivedEntry> entry_in(std::vector<InputFile>& files, const StructureArguments& structure) {
  if (structure.files.size() != 1 || !is_entry(files.front())) return std::nullopt;
  if (files.front().can_be_reopened()) return perceive_entry(InputFile(structure.path()));
  const std::string name = files.front().name();
  const FileBytes bytes = files.front().read_all();
  files.clear();
  files.emplace_back(name, bytes.text());
  return perceive_entry(InputFile(name, bytes.text()));
}

/// Those that only a run of PDB2PQR or PROPKA decides.
std::vector<ChemistryRow> rows_besides(std::span<const ChemistryRow> all,
                                       std::span<const ChemistryRow> known) {
  std::vector<ChemistryRow> others;
  std::ranges::copy_if(all, std::back_inserter(others), [&](const ChemistryRow& row) {
    return std::ranges::none_of(known, [&](const ChemistryRow& other) {
      return other.residue == row.residue && other.what == row.what;
    });
  });
  return others;
}

/// The structure. What stops PDB2PQR does not stop a report of the chemistry.
Input read_structure_of(std::vector<InputFile> files, const InfoArguments& arguments,
                        const std::optional<PerceivedEntry>& entry, std::span<const ChemistryRow> rows) {
  try {
    return read_open_files(std::move(files), arguments.structure.options, {}, entry ? &*entry : nullptr);
  } catch (const Error&) {
    if (entry && arguments.report)
      write_file(*arguments.report, with_chemistry(report_text(json_head(entry)), rows));
    throw;
  }
}

}  // namespace

int info_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  InfoArguments arguments;
  if (!parse(words, arguments, out)) return done;
  validate(arguments);
  if (arguments.structure.files.empty()) return print_machine(out), done;
  InputFile file(arguments.structure.path());
  if (arguments.structure.files.size() == 1 && is_map(file)) {
    refuse_without_effect(info_rules(false), arguments.given);
    return print_map(out, read_map(std::move(file))), done;
  }

  std::ostream& summary = summary_stream({{"--report", arguments.report}}, out);
  std::vector<InputFile> files;
  files.push_back(std::move(file));
  // First, for it says why what follows may not work: PDB2PQR stops at much that an entry may have.
  const std::optional<PerceivedEntry> entry = entry_in(files, arguments.structure);
  std::vector<ChemistryRow> rows;
  if (entry) {
    rows = decided_rows(*entry, arguments.structure.options);
    print_chemistry(summary, *entry, rows);
    summary.flush();  // PDB2PQR takes long
  }
  for (std::size_t i = 1; i < arguments.structure.files.size(); ++i)
    files.emplace_back(arguments.structure.files[i]);
  arguments.structure.options.may_be_uncharged = true;
  const Input input = read_structure_of(std::move(files), arguments, entry, rows);
  const std::vector<ChemistryRow> later = rows_besides(input.chemistry, rows);
  print_decisions(summary, later);
  rows.insert(rows.end(), later.begin(), later.end());
  const Structure& structure = input.system.acting();
  add_messages(structure.warnings);
  const Plan needs = plan_of(structure, arguments.lattice, backends);
  print_structure(summary, structure);
  print_row(summary, "extents", bounding_box(structure.atoms), " A");
  print_lattice(summary, needs.lattice);
  print_row(summary, "memory", describe_bytes(needs.host_bytes), " needed, ",
            describe_bytes(available_memory_bytes()), " free");
  print_gpu_needs(summary, structure, needs.lattice);
  if (arguments.report) write_file(*arguments.report, json_info(structure, needs, entry, rows));
  print_files(summary, {arguments.report});
  return done;
}

}  // namespace ionwell
