#include "structures/engines/gromacs_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/chemistry/ion_table.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/lines.hpp"
#include "files/input_file.hpp"
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
                   there.empty() ? "; include its ions.itp in front of [ system ]" : "; it has " + there);
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

/// The entry of [ molecules ] that ions go before: the first water of the main file, or none for its end.
const GromacsMoleculeEntry* first_water(const GromacsTopology& topology, const std::string& path) {
  for (const GromacsMoleculeEntry& entry : topology.molecules)
    if (entry.path == path && is_water(topology.types[entry.type])) return &entry;
  return nullptr;
}

/// What a line #include "x" names; empty for another line.
std::string_view included_name(std::string_view line) {
  const std::size_t open = line.find('"'), close = open == line.npos ? line.npos : line.find('"', open + 1);
  return trim(line).starts_with("#include") && close != line.npos ? line.substr(open + 1, close - open - 1)
                                                                  : std::string_view{};
}

/// Whether it is a file in this folder, and not one that GROMACS finds elsewhere.
bool is_beside(std::string_view name, const std::filesystem::path& folder) {
  std::error_code ignored;
  return !name.empty() && !std::filesystem::path(name).is_absolute() &&
         std::filesystem::is_regular_file(folder / name, ignored);
}

/// Adds the files of the user's folder that `text` includes, also where a word is not defined (position
/// restraints), and those that they include.
void add_includes(std::string_view text, const std::filesystem::path& folder,
                  std::vector<EngineFile>& files) {
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string_view name = included_name(line);
    if (!is_beside(name, folder) || std::filesystem::path(name).has_parent_path()) continue;
    if (std::any_of(files.begin(), files.end(), [&](const EngineFile& f) { return f.name == name; }))
      continue;
    files.push_back({std::string(name), std::string(read_input_file((folder / name).string()).text())});
    const std::string copied = files.back().text;
    add_includes(copied, folder, files);
  }
}

/// The line as the copy needs it: what lies in a folder below the user's is not copied, but found there.
std::string moved_include(std::string_view line, const std::filesystem::path& folder) {
  const std::string_view name = included_name(line);
  if (!is_beside(name, folder) || !std::filesystem::path(name).has_parent_path()) return std::string(line);
  std::string moved(line);
  return moved.replace(line.find('"') + 1, name.size(),
                       std::filesystem::absolute(folder / name).lexically_normal().string());
}

/// What changes of [ molecules ].
struct MoleculeLines {
  std::string ions;                             // lines of ions, in front of the first water or at the end
  std::string waters;                           // lines of waters added, at the end
  std::map<std::int64_t, std::int64_t> counts;  // of lines that lost waters
};

/// The user's topology with them.
std::string changed_topology(std::string_view text, const std::filesystem::path& from,
                             const MoleculeLines& changes, const GromacsTopology& topology,
                             const GromacsMoleculeEntry* water) {
  std::string copy;
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    if (water != nullptr && lines.number() == water->line) copy += changes.ions;
    const auto changed = changes.counts.find(lines.number());
    if (changed == changes.counts.end()) {
      copy.append(moved_include(line, from)).append("\n");
    } else if (changed->second > 0) {
      append_left(copy, take_token(line), 19);
      copy.append(" ").append(std::to_string(changed->second)).append("\n");
    }
    if (lines.number() != topology.last_entry.line) continue;
    if (water == nullptr) copy += changes.ions;
    copy += changes.waters;
  }
  return copy;
}

/// What is left of the lines whose waters were replaced.
std::map<std::int64_t, std::int64_t> remaining_counts(const EngineSystem& system,
                                                      const GromacsTopology& topology,
                                                      const std::string& path) {
  std::map<std::int64_t, std::int64_t> counts;
  std::size_t begin = 0;
  auto replaced = system.replaced.begin();
  for (const GromacsMoleculeEntry& entry : topology.molecules) {
    const std::size_t end = begin + std::size_t(entry.count) * topology.types[entry.type].atoms.size();
    for (; replaced != system.replaced.end() && replaced->begin < end; ++replaced) {
      if (entry.path != path)
        fail<UsageError>(
            entry.path, ':', entry.line,
            ": its waters are replaced, and a file that the topology includes is not changed; move the "
            "line to [ molecules ] of ",
            path);
      --counts.try_emplace(entry.line, entry.count).first->second;
    }
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
                   "; include the right one in front of [ system ], for example #include "
                   "\"amber99sb-ildn.ff/tip3p.itp\", or give the --water-model that is there");
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

const std::string& topology_among(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    const std::string name = lower_case(input);
    if (name.ends_with(".top") || name.ends_with(".top.gz")) return input;
  }
  fail<UsageError>(
      "--for gromacs adds molecules to a topology, and no file is one; give the .top and the .gro, as 'gmx "
      "pdb2gmx' makes them");
}

std::vector<EngineFile> gromacs_files(const EngineSystem& system) {
  const std::string& path = topology_among(system.inputs);
  const FileBytes original = read_input_file(path);
  const GromacsTopology topology = read_gromacs_topology(
      path, {.preprocessor = {.defines = system.defines, .include_folders = system.includes}});
  const std::vector<IonGroup> groups = groups_of(system, topology, path);
  const GromacsMoleculeEntry* const water = first_water(topology, path);

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
  MoleculeLines changes{.counts = remaining_counts(system, topology, path)};
  int number = atoms.empty() ? 0 : atoms.back().residue_number;
  std::vector<std::size_t> ions, solute, waters, all;
  for (const IonGroup& group : groups) {
    append_left(changes.ions, group.type->name, 19);
    changes.ions.append(" ").append(std::to_string(group.ions.size())).append("\n");
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
    append_left(changes.waters, type.name, 19);
    changes.waters.append(" ").append(std::to_string(system.waters.size() / type.atoms.size())).append("\n");
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

  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::filesystem::path topology_name = std::filesystem::path(path).filename();
  if (topology_name.extension() == ".gz") topology_name.replace_extension();
  std::vector<EngineFile> files = {
      {topology_name.string(), changed_topology(original.text(), folder, changes, topology, water)},
      {"conf.gro", gro_text({.remarks = {system.remarks.empty() ? "solute and ions" : system.remarks.front()},
                             .solute = atoms,
                             .cell = system.cell,
                             .names = SoluteNames::own})},
      {"index.ndx", index}};
  add_includes(original.text(), folder, files);
  return files;
}

}  // namespace ionwell
