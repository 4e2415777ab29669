// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "chemistry/made_structure.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/written_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Program {
  Engine engine;
  NamingScheme scheme;
};
constexpr Program programs[] = {{Engine::amber, NamingScheme::amber}, {Engine::charmm, NamingScheme::charmm}};

WrittenFolder written(const Program& program, const std::vector<Atom>& atoms) {
  FolderFiles files;
  for (EngineFile& file : engine_files(program.engine, {.atoms = atoms}))
    files[file.name] = std::move(file.text);
  return program.engine == Engine::amber ? read_leap_folder(files) : read_psfgen_folder(files);
}

/// The templates that a program would make of a residue of its files, by the table: one, or a residue and its
/// caps.
std::vector<const ResidueTemplate*> templates_of(const WrittenResidue& residue, NamingScheme scheme) {
  std::vector<const ResidueTemplate*> found;
  std::vector<std::string> patches;
  for (const auto& [patch, which] : residue.patches)
    if (patch == "ACE" || patch == "ACP" || patch == "CT3" || patch == "CT2")
      found.push_back(residue_table().find(patch == "CT3" ? "NME" : patch == "CT2" ? "NH2" : "ACE"));
    else
      patches.push_back(patch == "DEO5" ? "DEOX" : patch);  // the same of DNA behind RNA, and at 5' ends
  std::sort(patches.begin(), patches.end());
  for (const ResidueTemplate& t : residue_table().templates()) {
    const auto& called = t.called_in(scheme);
    if (!called || called->residue.view() != residue.unit) continue;
    std::vector<std::string> of_template;
    for (const Label& patch : called->patches)
      of_template.emplace_back(patch == Label("DEO5") ? "DEOX" : patch.view());
    std::sort(of_template.begin(), of_template.end());
    if (of_template == patches) return found.push_back(&t), found;
  }
  return {};
}

/// An atom of the table, by its place in thousandths of an angstrom.
using Places = std::map<std::array<long, 3>, std::pair<const ResidueTemplate*, std::size_t>>;

std::array<long, 3> place_of(double x, double y, double z) {
  return {std::lround(1000.0 * x), std::lround(1000.0 * y), std::lround(1000.0 * z)};
}

/// Checks that each chain, whose residues are bound, is one piece.
void check_chains(const MadeStructure& made, const WrittenFolder& folder) {
  std::set<std::string> chains;
  for (const Atom& atom : made.atoms()) chains.emplace(atom.chain.view());
  std::set<std::size_t> written;
  for (const WrittenResidue& residue : folder.residues) written.insert(residue.piece);
  CHECK(written.size() == chains.size());
}

/// Checks that what is written for `made`, residues of these templates, is the same atoms in the same places
/// for the program, by whose names the table has the same bonds between them, and the same charge.
void check_written(const MadeStructure& made, const std::vector<const ResidueTemplate*>& templates,
                   const Program& program) {
  CAPTURE(std::string(to_string(program.scheme)));
  Places places;
  int made_e = 0, written_e = 0;
  for (std::size_t r = 0; r < templates.size(); ++r) {
    made_e += templates[r]->charge_e();
    for (std::size_t n = 0; n < templates[r]->atoms.size(); ++n) {
      const Vec3<double>& p_A = made.atoms()[made.at(r, templates[r]->atoms[n].name.view())].position_A;
      REQUIRE(places.emplace(place_of(p_A.x, p_A.y, p_A.z), std::pair(templates[r], n)).second);
    }
  }
  const WrittenFolder folder = written(program, made.atoms());
  CHECK(folder.faults.empty());
  std::size_t atoms = 0;
  for (const WrittenResidue& residue : folder.residues) {
    CAPTURE(residue.place + ' ' + residue.unit);
    const std::vector<const ResidueTemplate*> units = templates_of(residue, program.scheme);
    REQUIRE(!units.empty());
    std::size_t of_units = 0;
    for (const ResidueTemplate* const unit : units) {
      written_e += unit->charge_e();
      of_units += unit->atoms.size();
    }
    CHECK(residue.atoms.size() == of_units);
    for (const auto& [name, atom] : residue.atoms) {
      CAPTURE(name);
      const auto place = places.find(place_of(atom.x, atom.y, atom.z));
      REQUIRE(place != places.end());
      const auto& [t, number] = place->second;
      // Templates may be one unit, as HIS and HIE are; and a cap one of a unit's patches.
      CHECK(std::any_of(units.begin(), units.end(), [&](const ResidueTemplate* unit) {
        return unit->called_in(program.scheme) == t->called_in(program.scheme) &&
               unit->bonds.size() == t->bonds.size();
      }));
      CHECK(t->name_in(program.scheme, number).view() == name);
      ++atoms;
    }
  }
  CHECK(atoms == places.size());
  check_chains(made, folder);
  CHECK(written_e == made_e);
}

/// A chain of that template and what it needs on both sides.
void add_chain(const ResidueTemplate& t, MadeStructure& made,
               std::vector<const ResidueTemplate*>& templates) {
  const bool is_protein = t.kind == ResidueClass::amino_acid || t.kind == ResidueClass::cap;
  const char* const neighbour = is_protein ? "GLY" : t.kind == ResidueClass::dna ? "DC" : "C";
  const ChainEnds first{.first = is_protein ? ChainEnd::n_terminal : ChainEnd::five_hydroxyl},
      last{.last = is_protein ? ChainEnd::c_terminal : ChainEnd::three_hydroxyl};
  const auto add = [&](std::string_view name, ChainEnds ends) {
    if (templates.empty())
      made.add(name, ends);
    else
      made.bound(name, ends);
    templates.push_back(residue_table().find(name, ends));
  };
  const bool is_cap = t.kind == ResidueClass::cap;
  if (t.link_before != ResidueTemplate::no_atom) {
    if (is_cap) add("ACE", {});
    add(neighbour, is_cap ? ChainEnds{} : first);
  }
  add(t.name.view(), t.ends);
  if (t.link_after != ResidueTemplate::no_atom) {
    add(neighbour, is_cap ? ChainEnds{} : last);
    if (is_cap) add("NME", {});
  }
}

bool is_of_chain(const ResidueTemplate& t) {
  return t.kind == ResidueClass::amino_acid || t.kind == ResidueClass::cap || t.kind == ResidueClass::rna ||
         t.kind == ResidueClass::dna;
}

}  // namespace

TEST_CASE(
    "written folders: of each residue, variant and end of the table LEaP and psfgen get its names, places, "
    "bonds and charge") {
  std::map<NamingScheme, int> checked;
  for (const ResidueTemplate& t : residue_table().templates())
    for (const Program& program : programs) {
      if (!t.called_in(program.scheme) || !is_of_chain(t) || t.name == Label("CYX")) continue;
      CAPTURE(describe(t));
      MadeStructure made(MadeStructure::Hydrogens::yes);
      std::vector<const ResidueTemplate*> templates;
      add_chain(t, made, templates);
      check_written(made, templates, program);
      ++checked[program.scheme];
    }
  CHECK(checked[NamingScheme::amber] > 130);
  CHECK(checked[NamingScheme::charmm] > 200);
}

TEST_CASE("written folders: disulfides between all ends of chains, with their bonds") {
  for (const Program& program : programs) {
    MadeStructure made(MadeStructure::Hydrogens::yes);
    std::vector<const ResidueTemplate*> templates;
    const auto add = [&](std::string_view name, ChainEnds ends, bool is_bound) {
      is_bound ? made.bound(name, ends) : made.add(name, ends);
      templates.push_back(residue_table().find(name, ends));
    };
    add("CYX", {.first = ChainEnd::n_terminal}, false);
    add("CYX", {}, true);
    add("CYX", {.last = ChainEnd::c_terminal}, true);
    made.chain("B");
    add("ACE", {}, false);
    add("CYX", {}, true);
    add("NME", {}, true);
    made.join(0, "SG", 4, "SG", 2.05).join(1, "SG", 2, "SG", 2.05);
    check_written(made, templates, program);
    const WrittenFolder folder = written(program, made.atoms());
    REQUIRE(folder.bonds.size() == 2);
    for (const WrittenBond& bond : folder.bonds) {
      const WrittenAtom &a = folder.residues[bond.first].atoms.at(bond.first_atom),
                        &b = folder.residues[bond.second].atoms.at(bond.second_atom);
      CHECK(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) == doctest::Approx(2.05).epsilon(1e-3));
    }
  }
}

TEST_CASE("written folders: what is in no chain, ions and water") {
  std::map<NamingScheme, int> checked;
  for (const ResidueTemplate& t : residue_table().templates())
    for (const Program& program : programs) {
      if (!t.called_in(program.scheme) || is_of_chain(t)) continue;
      CAPTURE(describe(t));
      MadeStructure made(MadeStructure::Hydrogens::yes);
      made.add(t.name.view(), t.ends);
      check_written(made, {&t}, program);
      ++checked[program.scheme];
    }
  CHECK(checked[NamingScheme::amber] > 10);
  CHECK(checked[NamingScheme::charmm] > 10);
}
