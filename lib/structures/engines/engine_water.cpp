// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/engine_water.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

// AmberTools 23, dat/leap/cmd; OpenMM 8.1, openmm/app/data (7.7 lacks opc.xml); CHARMM36's
// toppar_water_ions.str, July 2022.
constexpr EngineWater waters[] = {
    {"tip3p", "tip3p", "amber14/tip3p.xml", "charmm36/water.xml", true},
    {"tips3p", "", "", "charmm36/water.xml", true},
    {"spce", "spce", "amber14/spce.xml", "charmm36/spce.xml"},
    {"opc", "opc", "amber14/opc.xml", ""},
    {"tip4pew", "tip4pew", "amber14/tip4pew.xml", "charmm36/tip4pew.xml"},
    {"tip4p2005", "", "", "charmm36/tip4p2005.xml"},
    {"tip5p", "", "", "charmm36/tip5p.xml"},
};

bool has_water(Engine engine, const EngineWater& water) {
  switch (engine) {
    case Engine::amber:
      return !water.leaprc.empty();
    case Engine::charmm:
      return water.in_charmm;
    case Engine::openmm:
      return !water.openmm_amber.empty() || !water.openmm_charmm.empty();
    case Engine::gromacs:
    case Engine::vmd:
      break;
  }
  return true;
}

struct WaterAtomNames {
  std::string_view residue, oxygen, hydrogens[2], site, sites[2];  // of four, and of five
};

const WaterAtomNames& water_atom_names(Engine engine) {
  static constexpr WaterAtomNames amber{"WAT", "O", {"H1", "H2"}, "EPW", {"EP1", "EP2"}},
      charmm{"TIP3", "OH2", {"H1", "H2"}, {}, {}}, openmm{"HOH", "O", {"H1", "H2"}, "M", {"M1", "M2"}};
  return engine == Engine::amber ? amber : engine == Engine::charmm ? charmm : openmm;
}

bool is_hydrogen(const Atom& atom) {
  return element_of(atom) == "H" || atom.name == "D1" || atom.name == "D2";  // of heavy water
}

/// An oxygen, no or two hydrogens, and as many sites as are left: OM, EPW, MW, LP1.
void rename_water(std::span<Atom> water, const WaterAtomNames& names) {
  const bool has_pairs = water.size() == 5;
  std::size_t oxygens = 0, hydrogens = 0, sites = 0;
  for (Atom& atom : water) {
    atom.residue = names.residue;
    if (is_hydrogen(atom)) {
      atom.name = names.hydrogens[std::min<std::size_t>(hydrogens++, 1)];
      atom.element = "H";
    } else if (element_of(atom) == "O" && oxygens++ == 0) {
      atom.name = names.oxygen;
      atom.element = "O";
    } else {
      atom.name = has_pairs ? names.sites[std::min<std::size_t>(sites++, 1)] : names.site;
      atom.element = {};
    }
  }
}

/// Those of polarisable models have Drude particles, which no water here has.
bool is_renamed(std::span<const Atom> water, const WaterAtomNames& names) {
  const std::size_t most = names.site.empty() ? 3 : 5;
  return water.size() <= most && !water.front().residue.view().starts_with("SWM");
}

std::string_view force_field_files(Engine engine) {
  return engine == Engine::amber    ? "AMBER's leaprc files"
         : engine == Engine::charmm ? "CHARMM's toppar_water_ions.str"
                                    : "OpenMM's force fields";
}

}  // namespace

const EngineWater& engine_water(std::string_view model) {
  const auto* const found = std::find_if(std::begin(waters), std::end(waters),
                                         [&](const EngineWater& w) { return w.model == model; });
  return found == std::end(waters) ? waters[0] : *found;
}

void check_engine_water(Engine engine, std::string_view model) {
  if (has_water(engine, engine_water(model))) return;
  std::string others;
  for (const EngineWater& water : waters)
    if (has_water(engine, water)) others.append(others.empty() ? "" : ", ").append(water.model);
  fail<UsageError>("--water-model is ", model, ", which ", force_field_files(engine),
                   " do not have; use one that they have (", others, "), or another --for");
}

std::vector<Atom> with_engine_waters(std::span<const Atom> atoms, Engine engine) {
  std::vector<Atom> named(atoms.begin(), atoms.end());
  const WaterAtomNames& names = water_atom_names(engine);
  for (std::size_t begin = 0; begin < named.size();) {
    const Residue residue = residue_at(named, begin);
    const std::span<Atom> all = std::span(named).subspan(begin, residue.end - begin);
    if (residue.kind == ResidueKind::water && is_renamed(all, names)) rename_water(all, names);
    begin = residue.end;
  }
  return named;
}

}  // namespace ionwell
