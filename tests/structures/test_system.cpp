// SPDX-License-Identifier: BSD-3-Clause
#include "structures/molecules/system.hpp"

#include <doctest/doctest.h>

#include "input/roles.hpp"

namespace ionwell {
namespace {

Atom atom_named(const char* name, const char* residue, int number) {
  return {.position_A = {double(number), 0.0, 0.0},
          .charge_e = 0.25 * number,
          .name = name,
          .residue = residue,
          .residue_number = number};
}

std::string list_of(std::span<const Atom> atoms) {
  std::string names;
  for (const Atom& atom : atoms) names += std::string(atom.name.view()) + ' ';
  return names;
}

/// Protein, ion, water of three atoms, protein, water of one.
std::vector<Atom> some_atoms() {
  return {atom_named("N", "GLY", 1),   atom_named("NA", "NA", 2),   atom_named("OW", "HOH", 3),
          atom_named("HW1", "HOH", 3), atom_named("HW2", "HOH", 3), atom_named("CA", "GLY", 4),
          atom_named("O", "HOH", 5)};
}

System system_of(std::vector<AtomRole> roles) {
  return System({.whole = {.path = "x.pdb", .atoms = some_atoms()},
                 .roles = std::move(roles),
                 .links = {{0, 5}},
                 .header_records = {"TITLE"},
                 .cell_centre_A = {}});
}

using enum AtomRole;

}  // namespace

TEST_CASE("system: where all atoms act there is one list, and no roles") {
  for (const std::vector<AtomRole>& roles : {std::vector<AtomRole>(), std::vector<AtomRole>(7, acts)}) {
    const System system = system_of(roles);
    CHECK(list_of(system.acting().atoms) == "N NA OW HW1 HW2 CA O ");
    CHECK(system.atoms().data() == system.acting().atoms.data());
    CHECK(system.roles().empty());
    CHECK(system.has_role({acts}).empty());
    CHECK(system.ignored().empty());
    CHECK(system.atoms_in_files() == 7);
    CHECK(list_of(system.atoms_of_files()) == "N NA OW HW1 HW2 CA O ");
    CHECK(system.links() == std::vector<AtomLink>{{0, 5}});
    CHECK(system.header_records().front() == "TITLE");
  }
}

TEST_CASE("system: what is only ignored leaves one list, and the files' order comes back") {
  const System system = system_of({acts, ignored, acts, acts, acts, acts, ignored});
  CHECK(list_of(system.acting().atoms) == "N OW HW1 HW2 CA ");
  CHECK(system.atoms().data() == system.acting().atoms.data());
  CHECK(list_of(system.ignored()) == "NA O ");
  CHECK(system.atoms_in_files() == 7);
  CHECK(list_of(system.atoms_of_files()) == "N NA OW HW1 HW2 CA O ");
  CHECK(system.numbers_in_files() == std::vector<std::size_t>{0, 2, 3, 4, 5});
  CHECK(system.has_role({ignored}) == std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 1});
}

TEST_CASE("system: what stays is in the system and does not act") {
  const System system = system_of({acts, ignored, stays, stays, stays, acts, left_out});
  CHECK(list_of(system.acting().atoms) == "N CA ");
  CHECK(list_of(system.atoms()) == "N OW HW1 HW2 CA O ");
  CHECK(list_of(system.atoms_of_files()) == "N NA OW HW1 HW2 CA O ");
  CHECK(system.has_role({acts, stays}) == std::vector<std::uint8_t>{1, 0, 1, 1, 1, 1, 0});
  CHECK(net_charge_e(system.atoms()) == doctest::Approx(0.25 * (1 + 3 + 3 + 3 + 4 + 5)));
}

TEST_CASE("roles: of selections") {
  const std::vector<Atom> atoms = some_atoms();
  CHECK(selected_roles(atoms, "", "", "x").empty());
  CHECK(selected_roles(atoms, "all", "", "x").empty());
  CHECK(selected_roles(atoms, "protein", "ion", "x") ==
        std::vector<AtomRole>{acts, ignored, stays, stays, stays, acts, stays});
  CHECK_THROWS(selected_roles(atoms, "protein", "protein", "x"));
  CHECK_THROWS(selected_roles(atoms, "", "resid 4321", "x"));
  CHECK(selected_roles(atoms, "", "resid 4321 or chain Q or index 99999", "x", Absent::allowed).empty());
}

TEST_CASE("roles: waters become places, or are left out") {
  const std::vector<Atom> atoms = some_atoms();
  std::vector<AtomRole> roles;
  take_waters_out(atoms, atoms, roles, InputWater::replace);
  CHECK(roles == std::vector<AtomRole>{acts, acts, stays, stays, stays, acts, stays});
  CHECK(list_of(atoms_with(atoms, roles, {acts})) == "N NA CA ");

  // Those that did not act are left out, too, and what is ignored stays so.
  roles = {acts, acts, stays, stays, stays, acts, acts};
  take_waters_out(atoms, atoms_with(atoms, roles, {acts}), roles, InputWater::ignore);
  CHECK(roles == std::vector<AtomRole>{acts, acts, left_out, left_out, left_out, acts, left_out});
  roles = {acts, stays, ignored, ignored, ignored, acts, acts};
  take_waters_out(atoms, atoms_with(atoms, roles, {acts}), roles, InputWater::replace);
  CHECK(roles == std::vector<AtomRole>{acts, stays, ignored, ignored, ignored, acts, stays});
  CHECK(list_of(atoms_with(atoms, roles, {acts, stays, left_out})) == "N NA CA O ");
}

}  // namespace ionwell
