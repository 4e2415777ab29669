// SPDX-License-Identifier: BSD-3-Clause
#include "input/gromacs_ligands.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "files/input_file.hpp"
#include "structures/gromacs/include_path.hpp"
#include "structures/gromacs/topology.hpp"

namespace ionwell {
namespace {

/// "moleculetype" of "[ moleculetype ]"; empty for another line.
std::string_view directive(std::string_view line) {
  line = trim(line.substr(0, line.find(';')));
  if (!line.starts_with('[') || !line.ends_with(']')) return {};
  return trim(line.substr(1, line.size() - 2));
}

/// Where the first molecule begins, outside of #ifdef; the end where there is none.
std::size_t first_molecule(std::string_view text) {
  int conditions = 0;
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    const std::string_view begin = trim(line);
    if (begin.starts_with("#if")) ++conditions;
    if (begin.starts_with("#endif")) --conditions;
    if (conditions == 0 && directive(line) == "moleculetype") return std::size_t(line.data() - text.data());
  }
  return text.size();
}

/// Without lines of #ifndef and #endif around all of it, which keep a file from being included twice: in the
/// folder it is included once, in two parts.
std::string without_include_guard(const std::string& text) {
  struct Line {
    std::string_view text;
    int depth = 0;  // of conditions before it
  };
  std::vector<Line> lines;  // all but comments and blank ones
  int depth = 0;
  bool has_other_branch = false;
  LineScanner scanner(text);
  for (std::string_view line; scanner.next(line);) {
    const std::string_view begin = trim(line.substr(0, line.find(';')));
    if (begin.empty()) continue;
    lines.push_back({line, depth});
    if (begin.starts_with("#if")) ++depth;
    if (begin.starts_with("#endif")) --depth;
    if (begin.starts_with("#else") && depth == 1) has_other_branch = true;
  }
  const auto closing = [&](const Line& line) {
    return line.depth == 1 && trim(line.text).starts_with("#endif");
  };
  if (lines.size() < 3 || has_other_branch || std::ranges::find_if(lines, closing) != lines.end() - 1)
    return text;
  std::string_view guard = trim(lines[0].text), defined = trim(lines[1].text);
  if (take_token(guard) != "#ifndef" || take_token(defined) != "#define" ||
      take_token(guard) != take_token(defined))
    return text;
  std::string bare = text;
  for (const std::string_view line : {lines.back().text, lines.front().text})  // the last one first
    bare.erase(std::size_t(line.data() - text.data()), line.size());
  return bare;
}

bool has_directive(std::string_view text) {
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);)
    if (!directive(line).empty() || trim(line).starts_with('#')) return true;
  return false;
}

void refuse_systems(const EngineLigand& ligand) {
  LineScanner lines(ligand.text);
  for (std::string_view line; lines.next(line);)
    for (const std::string_view of_system : {"defaults", "system", "molecules"})
      if (directive(line) == of_system)
        fail(ligand.path, ':', lines.number(), ": has [ ", of_system,
             " ], which the topology of the whole system has; give a file of the molecule alone, with its "
             "[ atomtypes ]");
}

}  // namespace

GromacsLigands::GromacsLigands(const std::vector<EngineLigand>& ligands)
    : ligands_(ligands_of(ligands, LigandsOf::gromacs)) {
  for (const EngineLigand& ligand : ligands_) add(ligand);
}

void GromacsLigands::add(const EngineLigand& ligand) {
  refuse_systems(ligand);
  GromacsTopology read;
  if (!has_only_gromacs_parameters(ligand.text))
    read = read_gromacs_topology(ligand.path, {.preprocessor = {}, .may_be_part = true});
  for (const GromacsMoleculeType& type : read.types)
    if (!type.atoms.empty()) molecules_.push_back({type.name, type.atoms.front().residue, type.atoms.size()});
  const std::string stem = "ligand" + std::to_string(&ligand - ligands_.data() + 1);
  const std::string text = with_own_includes(without_include_guard(ligand.text), ligand.path);
  const std::size_t begin = first_molecule(text);
  if (has_directive(text.substr(0, begin)))
    add_file(stem + (begin == text.size() ? ".itp" : "_types.itp"), text.substr(0, begin), parameters_);
  if (begin < text.size()) add_file(stem + ".itp", text.substr(begin), definitions_);
}

void GromacsLigands::add_file(const std::string& name, const std::string& text, std::string& includes) {
  files_.push_back({name, text});
  includes += "#include \"" + name + "\"\n";
}

/// Of what it includes, but for GROMACS's own files, there are copies: position restraints.
std::string GromacsLigands::with_own_includes(std::string_view text, const std::string& path) {
  const GromacsIncludePath include_path({}, true);
  std::string copy;
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    std::string moved(line);
    const std::string_view name = included_name(line);
    const std::optional<FoundInclude> found =
        name.empty() ? std::nullopt : include_path.find(name, path, is_file_on_disk);
    if (found && !found->is_installed) {
      const std::string own = "ligand_" + std::filesystem::path(name).filename().string();
      moved.replace(std::size_t(name.data() - line.data()), name.size(), own);
      if (included_.insert(found->path).second) {
        if (std::ranges::find(files_, own, &File::name) != files_.end())
          fail(path, ": includes ", found->path, ", and another file of that name is included; rename one");
        const std::size_t at = files_.size();
        files_.push_back({own, {}});
        const std::string included = with_own_includes(read_input_file(found->path).text(), found->path);
        files_[at].text = included;
      }
    }
    copy.append(moved) += '\n';
  }
  return copy;
}

std::string GromacsLigands::molecule_lines(std::span<const Atom> atoms) const {
  std::vector<std::pair<std::string, int>> counts;
  for (std::size_t n = 0; n < atoms.size();) {
    const auto molecule = std::ranges::find(molecules_, atoms[n].residue, &Molecule::residue);
    if (molecule == molecules_.end() || molecule->atoms == 0) break;
    if (counts.empty() || counts.back().first != molecule->name) counts.emplace_back(molecule->name, 0);
    ++counts.back().second;
    n += molecule->atoms;
  }
  std::string lines;
  for (const auto& [name, count] : counts) lines += name + ' ' + std::to_string(count) + '\n';
  return lines;
}

std::string GromacsLigands::with_molecules(std::string_view topology, std::span<const Atom> atoms) const {
  std::string text;
  std::string molecules = molecule_lines(atoms);
  bool is_in_molecules = false, has_parameters = false;
  LineScanner lines(topology);
  for (std::string_view line; lines.next(line);) {
    if (directive(line) == "system") text += definitions_;
    std::string_view rest = line;
    if (is_in_molecules && take_token(rest) == "SOL") text += std::exchange(molecules, {});
    text.append(line) += '\n';
    if (directive(line) == "molecules") is_in_molecules = true;
    if (!has_parameters && included_name(line).ends_with("forcefield.itp")) {
      text += parameters_;
      has_parameters = true;
    }
  }
  return text + molecules;
}

}  // namespace ionwell
