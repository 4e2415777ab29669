// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/gromacs_files.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/chemistry/ion_table.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/lines.hpp"
#include "structures/engines/gromacs_topology_copy.hpp"
#include "structures/gromacs/topology.hpp"
#include "structures/solute_elements.hpp"
#include "structures/writers/gro_writer.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

/// Ions of one kind, which follow each other.
struct IonGroup {
  const GromacsMoleculeType* type = nullptr;
  std::vector<const EngineIon*> ions;
};

bool is_water(const GromacsMoleculeType& type) {
  return !type.atoms.empty() && residue_kind(type.atoms.front().residue.view()) == ResidueKind::water;
}

std::string ions_of_force_field(const GromacsTopology& topology) {
  std::string names;
  for (const GromacsMoleculeType& type : topology.types)
    if (type.is_ion()) names.append(names.empty() ? "" : ", ").append(type.name);
  return names;
}

/// The molecule type of an ion: by element and charge, whatever the force field calls it.
const GromacsMoleculeType& type_of(const EngineIon& ion, const GromacsTopology& topology,
                                   const std::string& path) {
  constexpr double charge_tolerance_e = 1e-3;
  const KnownIon* const known = find_ion(ion.name);
  for (const GromacsMoleculeType& type : topology.types) {
    if (!type.is_ion() || std::abs(type.net_charge_e - ion.charge_e) > charge_tolerance_e) continue;
    const KnownIon* const of_type = find_ion(type.name);
    const std::string_view element = !type.atoms[0].element.empty() ? type.atoms[0].element.view()
                                     : of_type                      ? of_type->element
                                                                    : "";
    if (known != nullptr ? element == known->element : type.name == ion.name) return type;
  }
  const std::string there = ions_of_force_field(topology);
  fail<UsageError>(path, ": its force field defines no ion ", ion.name, " of ", ion.charge_e, " e",
                   there.empty() ? "; include its ions.itp before [ system ]" : "; it has " + there);
}

std::vector<IonGroup> groups_of(const EngineSystem& system, const GromacsTopology& topology,
                                const std::string& path) {
  std::vector<IonGroup> groups;
  for (const EngineIon& ion : system.ions) {
    const GromacsMoleculeType* const type = &type_of(ion, topology, path);
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const IonGroup& g) { return g.type == type; });
    if (group == groups.end()) group = groups.insert(groups.end(), {type, {}});
    group->ions.push_back(&ion);
  }
  return groups;
}

/// The entry of [ molecules ] that ions go before: the first water, or none for the end.
const GromacsMoleculeEntry* first_water(const GromacsTopology& topology) {
  for (const GromacsMoleculeEntry& entry : topology.molecules)
    if (is_water(topology.types[entry.type])) return &entry;
  return nullptr;
}

void append_molecules(std::string& lines, const std::string& name, std::size_t count) {
  append_left(lines, name, 19);
  lines.append(" ").append(std::to_string(count)).append("\n");
}

/// What is left of the lines whose waters were replaced.
std::map<TopologyChanges::Place, std::int64_t> remaining_counts(const EngineSystem& system,
                                                                const GromacsTopology& topology) {
  std::map<TopologyChanges::Place, std::int64_t> counts;
  std::size_t begin = 0;
  auto replaced = system.replaced.begin();
  for (const GromacsMoleculeEntry& entry : topology.molecules) {
    const std::size_t end = begin + std::size_t(entry.count) * topology.types[entry.type].atoms.size();
    for (; replaced != system.replaced.end() && replaced->begin < end; ++replaced)
      --counts.try_emplace({entry.path, entry.line}, entry.count).first->second;
    begin = end;
  }
  return counts;
}

/// The molecule type of waters that are added: one of as many sites with the same charges, by which models
/// are told apart.
const GromacsMoleculeType& water_type(const EngineSystem& system, const GromacsTopology& topology,
                                      const std::string& path) {
  constexpr double charge_tolerance_e = 1e-3;  // SPC's hydrogens have 0.410 e, TIP3P's 0.417, SPC/E's 0.4238
  const std::size_t sites = end_of_residue(system.waters, 0);
  const std::string model = system.water_model.empty() ? "the water" : system.water_model;
  std::string others;
  for (const GromacsMoleculeType& type : topology.types) {
    if (!is_water(type)) continue;
    const bool fits = type.atoms.size() == sites &&
                      std::equal(type.atoms.begin(), type.atoms.end(), system.waters.begin(),
                                 [](const Atom& ours, const Atom& added) {
                                   return std::abs(ours.charge_e - added.charge_e) < charge_tolerance_e;
                                 });
    if (fits) return type;
    if (type.atoms.size() > 1)
      others += (others.empty() ? "" : ", ") + type.name + " with " + std::to_string(type.atoms.size()) +
                " sites and " + charge_text(type.atoms[1].charge_e) + " e on its hydrogens";
  }
  fail<UsageError>(path, ": its force field defines no water of ", sites, " sites with the charges of ",
                   model, others.empty() ? "" : ", but " + others,
                   "; include the right one before [ system ], for example #include "
                   "\"amber99sb-ildn.ff/tip3p.itp\", or use the --water-model that is defined");
}

void append_group(std::string& text, const std::string& name, const std::vector<std::size_t>& atoms) {
  constexpr std::size_t in_line = 15;
  text += "[ " + name + " ]\n";
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    append_number(text, std::int64_t(atoms[i]) + 1, 5);
    text += (i + 1) % in_line == 0 || i + 1 == atoms.size() ? '\n' : ' ';
  }
}

}  // namespace

void check_gromacs_topology(const std::optional<TopologyFile>& topology) {
  if (!topology || topology->format != FileFormat::gromacs_topology)
    fail<UsageError>("--for gromacs adds molecules to a GROMACS topology, but ",
                     topology ? topology->path + " is " + std::string(describe(topology->format))
                              : "no file is a topology",
                     "; give the .top and the .gro from 'gmx pdb2gmx', or a PDB or mmCIF file without "
                     "charges, for which ionwell runs it");
}

std::vector<EngineFile> gromacs_files(const EngineSystem& system) {
  const std::string& path = system.topology->path;
  const GromacsTopology topology = read_gromacs_topology(
      path, {.preprocessor = {.defines = system.defines, .include_folders = system.includes}});
  const std::vector<IonGroup> groups = groups_of(system, topology, path);
  const GromacsMoleculeEntry* const water = first_water(topology);

  // Ions go behind the atoms of the entries before `water`.
  std::size_t before = 0;
  for (const GromacsMoleculeEntry& entry : topology.molecules) {
    if (&entry == water) break;
    before += std::size_t(entry.count) * topology.types[entry.type].atoms.size();
  }
  if (before > system.atoms.size() || topology.topology.atoms.size() != system.atoms.size())
    fail(path, ": has ", topology.topology.atoms.size(), " atoms, and ", system.atoms.size(),
         " were read; give the same files again");
  std::vector<Atom> atoms(system.atoms.begin(), system.atoms.begin() + std::ptrdiff_t(before));
  TopologyChanges changes{.counts = remaining_counts(system, topology)};
  std::string ion_lines, water_lines;
  int number = atoms.empty() ? 0 : atoms.back().residue_number;
  std::vector<std::size_t> ions, solute, waters, all;
  for (const IonGroup& group : groups) {
    append_molecules(ion_lines, group.type->name, group.ions.size());
    for (const EngineIon* const ion : group.ions) {
      ions.push_back(atoms.size());
      Atom& atom = atoms.emplace_back(group.type->atoms.front());
      atom.position_A = ion->position_A;
      atom.residue_number = ++number;
      atom.ends_chain = true;
    }
  }
  std::size_t next = before;
  for (const AtomRange& range : system.replaced) {
    atoms.insert(atoms.end(), system.atoms.begin() + std::ptrdiff_t(next),
                 system.atoms.begin() + std::ptrdiff_t(range.begin));
    next = range.end;
  }
  atoms.insert(atoms.end(), system.atoms.begin() + std::ptrdiff_t(next), system.atoms.end());
  if (!system.waters.empty()) {
    const GromacsMoleculeType& type = water_type(system, topology, path);
    for (std::size_t i = 0; i < system.waters.size(); ++i) {
      Atom& atom = atoms.emplace_back(system.waters[i]);
      atom.name = type.atoms[i % type.atoms.size()].name;
      atom.residue = type.atoms.front().residue;
      number += i % type.atoms.size() == 0;
      atom.residue_number = number;
    }
    append_molecules(water_lines, type.name, system.waters.size() / type.atoms.size());
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    all.push_back(i);
    if (i >= before && i < before + ions.size()) continue;
    (residue_kind(atoms[i].residue.view()) == ResidueKind::water ? waters : solute).push_back(i);
  }

  std::string index;
  append_group(index, "System", all);
  if (!solute.empty()) append_group(index, "Solute", solute);
  if (!ions.empty()) append_group(index, "PlacedIons", ions);
  for (std::size_t first = before; const IonGroup& group : groups) {
    std::vector<std::size_t> of_group;
    for (std::size_t i = 0; i < group.ions.size(); ++i) of_group.push_back(first++);
    append_group(index, "Placed" + group.type->name, of_group);
  }
  if (!waters.empty()) append_group(index, "Water", waters);

  const FilePlace& last = topology.last_entry;
  if (water != nullptr && !ion_lines.empty())
    changes.before[{water->path, water->line}] = std::exchange(ion_lines, {});
  if (const std::string lines = ion_lines + water_lines; !lines.empty())
    changes.after[{last.path, last.line}] = lines;
  std::vector<EngineFile> files = copied_topology(path, topology, system.includes, changes);
  files.push_back(
      {"conf.gro", gro_text({.remarks = {system.remarks.empty() ? "solute and ions" : system.remarks.front()},
                             .solute = atoms,
                             .cell = system.cell,
                             .names = SoluteNames::own})});
  files.push_back({"index.ndx", index});
  return files;
}

}  // namespace ionwell
