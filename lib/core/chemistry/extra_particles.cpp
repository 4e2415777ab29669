// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/extra_particles.hpp"

#include "core/chemistry/residue_runs.hpp"
#include "core/structure.hpp"

namespace ionwell {
namespace {

bool is_lone_pair(const Atom& atom) {
  return atom.element.empty() && atom.name.view().starts_with("LP");
}

}  // namespace

bool is_drude_particle(std::span<const Atom> atoms, std::size_t n) {
  const Atom& atom = atoms[n];
  const std::string_view name = atom.name.view();
  if (n == 0 || !atom.element.empty() || !name.starts_with('D')) return false;
  const Atom& parent = atoms[n - 1];
  // A name of eight characters has no room for the D.
  const std::string_view expected = parent.name.view().substr(0, Label::capacity - 1);
  return name.substr(1) == expected && parent.residue == atom.residue && same_residue_number(parent, atom);
}

ExtraParticles count_extra_particles(std::span<const Atom> atoms) {
  ExtraParticles extra;
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    extra.drude += is_drude_particle(atoms, n);
    extra.lone_pairs += is_lone_pair(atoms[n]);
  }
  return extra;
}

bool is_one_atom(std::span<const Atom> residue) {
  for (std::size_t n = 1; n < residue.size(); ++n)
    if (!is_drude_particle(residue, n) && !is_lone_pair(residue[n])) return false;
  return true;
}

}  // namespace ionwell
