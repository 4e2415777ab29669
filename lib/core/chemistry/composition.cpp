// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/composition.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "core/chemistry/extra_particles.hpp"
#include "core/chemistry/free_nucleotides.hpp"
#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/structure.hpp"

namespace ionwell {
namespace {

ResidueTraits traits_of(std::span<const Atom> residue) {
  return {.name = residue.front().residue.view(),
          .atoms = is_one_atom(residue) ? 1 : residue.size(),
          .first_atom = residue.front().name.view(),
          .charge_e = net_charge_e(residue)};
}

KindCount& count_of_kind(Composition& composition, ResidueKind kind) {
  switch (kind) {
    case ResidueKind::protein:
      return composition.protein;
    case ResidueKind::nucleic_acid:
      return composition.nucleic_acid;
    case ResidueKind::lipid:
      return composition.lipid;
    case ResidueKind::water:
      return composition.water;
    case ResidueKind::ion:
      return composition.ions;
    case ResidueKind::unknown:
      break;
  }
  return composition.unknown;
}

/// Counts by name and charge, kept in the order of their first.
class Counter {
 public:
  explicit Counter(Composition& composition) : composition_(composition) {}

  void add(std::span<const Atom> residue, ResidueKind kind) {
    const ResidueTraits traits = traits_of(residue);
    KindCount& count = count_of_kind(composition_, kind);
    ++count.residues;
    count.atoms += std::ssize(residue);
    count.charge_e += traits.charge_e;
    if (kind == ResidueKind::ion) add_ion(traits);
    if (kind == ResidueKind::unknown) add_unknown(traits.name);
  }

 private:
  void add_ion(const ResidueTraits& ion) {
    constexpr double digits_e = 1e4;  // what a PQR file has
    const std::string_view name = ion_label(ion);
    const double charge_e = std::round(ion.charge_e * digits_e) / digits_e + 0.0;  // + 0.0: no "-0"
    const auto [place, is_new] = ions_.try_emplace({name, charge_e}, composition_.ion_kinds.size());
    if (is_new) {
      const std::optional<FormalIon> known = formal_ion(ion);
      composition_.ion_kinds.push_back({name, known ? known->element : element_of(name), charge_e, 0});
    }
    ++composition_.ion_kinds[place->second].count;
  }

  void add_unknown(std::string_view name) {
    const auto [place, is_new] = unknown_.try_emplace(name, composition_.unknown_names.size());
    if (is_new) composition_.unknown_names.push_back({name, 0});
    ++composition_.unknown_names[place->second].residues;
  }

  Composition& composition_;
  std::map<std::pair<std::string_view, double>, std::size_t> ions_;  // names as the atoms have them
  std::map<std::string_view, std::size_t> unknown_;
};

}  // namespace

Residue residue_at(std::span<const Atom> atoms, std::size_t begin) {
  const std::size_t end = end_of_residue(atoms, begin);
  const ResidueTraits traits = traits_of(atoms.subspan(begin, end - begin));
  const ResidueKind kind = residue_kind(traits);
  if (kind == ResidueKind::unknown && is_free_nucleotide(traits.name) && begins_chain(atoms, begin, end))
    return {begin, end, ResidueKind::nucleic_acid};
  return {begin, end, kind};
}

Composition composition_of(std::span<const Atom> atoms) {
  Composition composition;
  Counter counter(composition);
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    counter.add(atoms.subspan(begin, residue.end - begin), residue.kind);
    begin = residue.end;
  }
  return composition;
}

}  // namespace ionwell
