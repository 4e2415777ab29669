// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/model/apbs_words.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_solver.hpp"
#include "maps/map_file.hpp"
#include "programs/child_process.hpp"
#include "support/error_of.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::vector<Atom> three_atoms() {
  std::vector<Atom> atoms(4);
  atoms[0].position_A = {0.1, 0.2, -0.3};
  atoms[0].charge_e = 1.0;
  atoms[0].radius_A = 2.0;
  atoms[1].position_A = {3.1, 0.9, 0.4};
  atoms[1].charge_e = -0.5;
  atoms[1].radius_A = 1.7;
  atoms[2].position_A = {1.4, 3.1, -0.2};
  atoms[2].charge_e = 0.7;
  atoms[2].radius_A = 1.5;
  atoms[3].position_A = {2.0, -0.9, -0.1};  // a hydrogen without a radius, half outside
  atoms[3].charge_e = 0.3;
  return atoms;
}

/// What APBS writes: maps of a kind, by its words.
struct ApbsRun {
  TemporaryFolder folder;

  explicit ApbsRun(const std::vector<std::string>& words) {
    std::ofstream pqr(folder / "m.pqr");
    for (const Atom& atom : three_atoms())
      pqr << "ATOM 1 X RES 1 " << atom.position_A.x << ' ' << atom.position_A.y << ' ' << atom.position_A.z
          << ' ' << atom.charge_e << ' ' << atom.radius_A << '\n';
    pqr.close();
    std::ofstream input(folder / "m.in");
    input << "read\nmol pqr m.pqr\nend\nelec\nmg-manual\ndime 33 33 33\nglen 16 17 18\ngcent 1.3 0.9 0.1\n"
             "mol 1\nlpbe\n";
    for (std::string word : words) {
      std::replace(word.begin(), word.end(), '=', ' ');
      input << word << '\n';
    }
    for (const char* const map : {"dielx", "diely", "dielz", "kappa", "charge", "pot"})
      input << "write " << map << " dx " << map << '\n';
    input << "end\nquit\n";
    input.close();
    const SignalNotes notes;
    ChildSettings settings;
    settings.folder = folder.path();
    settings.output_path = folder / "m.log";
    settings.timeout_s = 120.0;
    const ChildResult result = run_child({find_program("apbs"), "m.in"}, settings, notes, [](double) {});
    if (result.exit_code != 0) fail("APBS ended with ", result.exit_code);
  }

  Map map(const std::string& name) const {
    const std::string of_mpi = folder / (name + "-PE0.dx");
    return read_map(std::filesystem::exists(of_mpi) ? of_mpi : folder / (name + ".dx"));
  }
};

struct Difference {
  double largest = 0.0, reference = 0.0;
  std::int64_t differing = 0, points = 0;
};

/// Our values against APBS's; those after the last points of an axis are nobody's.
Difference difference(const std::vector<float>& ours, double scale, const Map& theirs, bool of_faces) {
  Difference d;
  const Vec3<std::int64_t> n = theirs.lattice.counts;
  for (std::int64_t p = 0; p < theirs.lattice.size(); ++p) {
    const Vec3<std::int64_t> at = theirs.lattice.point(p);
    if (of_faces && (at.x == n.x - 1 || at.y == n.y - 1 || at.z == n.z - 1)) continue;
    const double value = theirs.values[std::size_t(p)];
    const double off = std::abs(scale * double(ours[std::size_t(p)]) - value);
    d.largest = std::max(d.largest, off);
    d.reference = std::max(d.reference, std::abs(value));
    d.differing += off > 1e-4 * std::abs(value) ? 1 : 0;
    ++d.points;
  }
  return d;
}

}  // namespace

TEST_CASE("APBS's words: the same maps as APBS writes") {
  if (find_program("apbs").empty()) return skip("apbs is not installed");
  struct Case {
    std::string surface, charges, boundary;
  };
  for (const Case& c : {Case{"mol", "spl0", "zero"}, Case{"smol", "spl2", "sdh"}, Case{"spl2", "spl4", "mdh"},
                        Case{"spl4", "spl2", "sdh"}}) {
    CAPTURE(c.surface);
    const std::vector<std::string> words{"srfm=" + c.surface,
                                         "chgm=" + c.charges,
                                         "bcfl=" + c.boundary,
                                         "pdie=2",
                                         "sdie=78.54",
                                         "srad=1.4",
                                         "swin=0.3",
                                         "sdens=40",
                                         "temp=310",
                                         "ion=charge 1 conc 0.15 radius 2.0",
                                         "ion=charge -1 conc 0.15 radius 1.8"};
    const ApbsRun apbs(words);
    const ApbsWords taken = with_apbs_words({}, words);
    CHECK(taken.others.empty());
    CHECK(taken.notes.size() == 1);
    const Map kappa = apbs.map("kappa");
    const LatticeGeometry& lattice = kappa.lattice;
    PbModel model(lattice, three_atoms(), taken.model, 1);
    PbSystem& system = model.system();
    // APBS writes seven digits. Its mol and smol know the surface by dots: some faces differ.
    const bool by_dots = c.surface == "mol" || c.surface == "smol";
    for (const auto& [name, ours] :
         {std::pair{"dielx", &system.eps_x}, {"diely", &system.eps_y}, {"dielz", &system.eps_z}}) {
      const Difference d = difference(*ours, 1.0, apbs.map(name), true);
      CHECK(d.reference == doctest::Approx(78.54).epsilon(1e-5));
      CHECK(d.differing <= (by_dots ? d.points / 500 : 0));
    }
    const Difference open = difference(system.accessibility, 1.0, kappa, false);
    CHECK(open.largest < 1e-5);
    const Vec3<double>& h = lattice.spacing_A;
    const Difference charge = difference(system.charge_e, 1.0 / (h.x * h.y * h.z), apbs.map("charge"), false);
    CHECK(charge.reference > 0.1);
    CHECK(charge.largest < 2e-6 * charge.reference);
    const Map potential = apbs.map("pot");
    double largest = 0.0, reference = 0.0;
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      const Vec3<std::int64_t> at = lattice.point(p), n = lattice.counts;
      if (at.x > 0 && at.y > 0 && at.z > 0 && at.x < n.x - 1 && at.y < n.y - 1 && at.z < n.z - 1) continue;
      const double value = potential.values[std::size_t(p)];
      largest = std::max(largest, std::abs(double(system.boundary_kT_e[std::size_t(p)]) - value));
      reference = std::max(reference, std::abs(value));
    }
    CHECK(largest <= 1e-5 * reference);
    CHECK((reference > 0.1) == (c.boundary != "zero"));
    // The same equation has the same solution; APBS's is good to six digits.
    PbSolver(system, {.tolerance = 1e-7, .threads = 1}).solve();
    double off = 0.0, size = 0.0;
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      if (system.accessibility[std::size_t(p)] < 1.0f) continue;
      const double value = potential.values[std::size_t(p)];
      off = std::max(off, std::abs(double(system.boundary_kT_e[std::size_t(p)]) - value));
      size = std::max(size, std::abs(value));
    }
    CHECK(size > 1.0);
    CHECK(off < (by_dots ? 1e-2 : 1e-4) * size);
  }
}

TEST_CASE("APBS's words: what is not of the model is left, and what cannot be is refused") {
  const std::vector<std::string> words{"npbe", "dime=97 97 97", "SRFM=MOL", "ion=2 0.1 2.5",
                                       "ion=-1 0.2 1.0"};
  const ApbsWords taken = with_apbs_words({}, words);
  CHECK(taken.others == std::vector<std::string>{"npbe", "dime=97 97 97"});
  CHECK(taken.notes.empty());
  CHECK(taken.model.dielectric.faces == FaceRule::midpoint);
  CHECK(taken.model.accessibility.ion_radius_A == 2.5);
  REQUIRE(taken.model.ions.size() == 2);
  CHECK(taken.model.ions[0].charge_e == 2.0);
  CHECK(taken.model.ions[1].concentration_M == 0.2);
  for (const std::string word :
       {"srfm=none", "srfm", "chgm=spl3", "bcfl=map", "pdie=0", "pdie=two", "pdie=2 3", "srad=-1", "swin=0",
        "sdens=0", "temp=nan", "ion=charge 1", "ion=charge 1 conc 0.1 radius 2 colour 3", "ion=1 -0.1 2"}) {
    CAPTURE(word);
    const std::vector<std::string> one{word};
    const std::string message = error_of([&] { with_apbs_words({}, one); });
    CHECK(message.find("'" + word + "'; ") != std::string::npos);
  }
}
