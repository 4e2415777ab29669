// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "files/input_file.hpp"
#include "structures/amber/inpcrd.hpp"
#include "structures/amber/prmtop.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("prmtop and inpcrd: published files") {
  struct File {
    std::string topology, coordinates;
    std::size_t atoms;
    int chains, charge_e;
  };
  const File files[] = {{"1d23.tip3p.lj1264.parm7.gz", "1d23.tip3p.rst7.gz", 10058, 2, 0},
                        {"DNA_mbondi3.prmtop.gz", "DNA_mbondi3.inpcrd.gz", 628, 2, -18},
                        {"htmd_6VA1.prmtop.gz", "htmd_6VA1.crd.gz", 1778, 2, 0},
                        {"old.prmtop.gz", "", 2101, 1, 0}};
  for (const File& file : files) {
    CAPTURE(file.topology);
    const std::string path = shared_data("data/md/" + file.topology);
    if (path.empty()) return;
    const FileBytes bytes = read_input_file(path);
    CHECK(is_prmtop(bytes.text()));
    CHECK_FALSE(is_inpcrd(bytes.text()));
    const Topology topology = read_prmtop(bytes.text(), path);
    CHECK(topology.atoms.size() == file.atoms);
    CHECK(std::abs(net_charge_e(topology.atoms) - file.charge_e) < 1e-3);
    CHECK(std::count_if(topology.atoms.begin(), topology.atoms.end(),
                        [](const Atom& atom) { return atom.ends_chain; }) == file.chains);
    if (file.coordinates.empty()) continue;
    const FileBytes positions = read_input_file(shared_data("data/md/" + file.coordinates));
    CHECK(is_inpcrd(positions.text()));
    CHECK_FALSE(is_prmtop(positions.text()));
    const Coordinates coordinates = read_inpcrd(positions.text(), file.coordinates);
    CHECK(coordinates.positions_A.size() == file.atoms);
    CHECK(coordinates.cell.has_value() == topology.cell.has_value());
  }
}
