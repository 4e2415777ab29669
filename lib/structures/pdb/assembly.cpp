// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"

namespace ionwell {
namespace {

constexpr std::size_t most_atoms = 1'000'000'000;  // 80 GB: the name of another assembly was meant

Vec3<double> moved(const AssemblyOperator& op, const Vec3<double>& p) {
  const auto row = [&p](const Vec3<double>& r) { return r.x * p.x + r.y * p.y + r.z * p.z; };
  return Vec3<double>{row(op.rotation[0]), row(op.rotation[1]), row(op.rotation[2])} + op.shift_A;
}

/// Names for the copies of chains: a ligand of chain A that another part moves by the same operator stays in
/// the copy of A.
class CopyNames {
 public:
  explicit CopyNames(const std::vector<Atom>& atoms) {
    for (const Atom& atom : atoms) taken_.emplace(atom.chain.view());
  }

  Label name(const Label& chain, const std::string& op) {
    Label& name = names_[{std::string(chain.view()), op}];
    if (!name.empty()) return name;
    const int copy = ++copies_[std::string(chain.view())];
    return name = copy == 1 ? chain : free_name(chain, copy);
  }

 private:
  Label free_name(const Label& chain, int copy) {
    std::string name = std::string(chain.view()) + '-' + std::to_string(copy);
    while (name.size() > Label::capacity || !taken_.insert(name).second) name = 'X' + std::to_string(++next_);
    return std::string_view(name);
  }

  std::set<std::string, std::less<>> taken_;
  std::map<std::pair<std::string, std::string>, Label> names_;
  std::map<std::string, int> copies_;
  int next_ = 0;
};

}  // namespace

std::size_t Assembly::copies() const {
  std::size_t most = 0;
  for (const AssemblyPart& part : parts) most = std::max(most, part.operators.size());
  return most;
}

const Assembly& find_assembly(const std::vector<Assembly>& assemblies, const std::string& name,
                              const std::string& path) {
  if (assemblies.empty())
    fail<UsageError>(path, ": describes no biological assembly, so there is none with the name ", quote(name),
                     "; use the structure as it is, or the file of the assembly from the PDB");
  std::string names;
  for (const Assembly& assembly : assemblies) {
    if (assembly.name == name) return assembly;
    names += (names.empty() ? "" : ", ") + assembly.name;
  }
  fail<UsageError>(path, ": has no assembly ", quote(name), "; it has ", names);
}

void check_operator(const AssemblyOperator& op, const std::string& where) {
  constexpr double tolerance = 0.01;  // files have six decimals
  const auto& [a, b, c] = op.rotation;
  const auto dot = [](const Vec3<double>& u, const Vec3<double>& v) {
    return u.x * v.x + u.y * v.y + u.z * v.z;
  };
  const Vec3<double> cross{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  const bool is_rotation = std::abs(dot(a, a) - 1.0) < tolerance && std::abs(dot(b, b) - 1.0) < tolerance &&
                           std::abs(dot(a, b)) < tolerance &&
                           distance_squared(cross, c) < tolerance * tolerance;
  if (!is_rotation)
    fail(where, ": operator ", quote(op.name),
         " of an assembly is not a rotation (a row of it is missing or wrong); use the structure as it is, "
         "or the file of the assembly from the PDB");
}

void expand_assembly(Structure& structure, std::span<const Label> asym, const Assembly& assembly) {
  const std::string what = structure.path + ": assembly " + quote(assembly.name);
  std::vector<Atom> copies;
  CopyNames names(structure.atoms);
  for (const AssemblyPart& part : assembly.parts) {
    const std::set<std::string, std::less<>> chains(part.chains.begin(), part.chains.end());
    std::vector<Atom> own;
    for (std::size_t i = 0; i < structure.atoms.size(); ++i)
      if (chains.contains(asym.empty() ? structure.atoms[i].chain.view() : asym[i].view()))
        own.push_back(structure.atoms[i]);
    if (own.empty()) continue;
    if (part.operators.size() > (most_atoms - copies.size()) / own.size())
      fail(what, " would have more than ", grouped(std::int64_t(most_atoms)), " atoms; use a smaller one");
    copies.reserve(copies.size() + own.size() * part.operators.size());
    for (const AssemblyOperator& op : part.operators) {
      Label chain, name;
      for (const Atom& atom : own) {
        if (name.empty() || !(atom.chain == chain)) {
          chain = atom.chain;
          name = names.name(chain, op.name);
        }
        copies.push_back(atom);
        copies.back().position_A = moved(op, atom.position_A);
        copies.back().chain = name;
      }
      copies.back().ends_chain = true;
    }
  }
  if (copies.empty()) fail(what, " contains none of the chains in the file; use another one, or none");
  structure.warnings.push_back(note(what + " was built from " + grouped(std::int64_t(assembly.copies())) +
                                    (assembly.copies() == 1 ? " copy, " : " copies, ") +
                                    count_of(std::ssize(copies), "atom")));
  structure.atoms = std::move(copies);
  structure.cell.reset();
}

}  // namespace ionwell
