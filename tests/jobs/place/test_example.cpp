// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "structures/formats/pdb_sites.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/reference.hpp"
#include "support/source_folder.hpp"

using namespace ionwell;

TEST_CASE("example: plain fp64 code puts the duplex's ions where expected.pdb has them") {
  const std::string folder = test::source_folder() + "/examples/nucleic_acid/";
  const Structure duplex = read_structure(folder + "duplex.pqr");
  const std::vector<PdbSite> expected = read_pdb_sites(folder + "expected.pdb").sites;

  test::ReferenceProblem problem{.lattice = enclosing_lattice(duplex.atoms, LatticeOptions{}),
                                 .pair = pair_potential(ElectrostaticsOptions{}),
                                 .charges = point_charges(duplex.atoms),
                                 .centres = {},
                                 .ion_charges_e = std::vector<double>(4, 2.0)};
  problem.ion_charges_e.resize(18, 1.0);
  for (const Atom& atom : duplex.atoms) problem.centres.push_back(atom.position_A);

  const std::vector<test::ReferenceIon> ions = test::reference_placement(problem);
  REQUIRE(ions.size() == 18);
  REQUIRE(expected.size() == 18);
  for (std::size_t i = 0; i < ions.size(); ++i) {
    CAPTURE(i);
    const Vec3<double> apart = problem.lattice.position_A(ions[i].index) - expected[i].position_A;
    CHECK(std::sqrt(dot(apart, apart)) < 1e-3);  // the file has three decimals
  }
}
