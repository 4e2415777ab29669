// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.hpp"
#include "structures/engines/amber_cell.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/engines/engine_water.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;

namespace {

Atom atom(const char* name, const char* residue, int number, char insertion_code = ' ') {
  return {.name = name,
          .residue = residue,
          .chain = "A",
          .residue_number = number,
          .insertion_code = insertion_code};
}

std::string text_of(const std::vector<EngineFile>& files, const std::string& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const EngineFile& f) { return f.name == name; });
  REQUIRE(found != files.end());
  return found->text;
}

/// Of a topology that keeps its names.
const TopologyFile names_stay{.path = "x.prmtop", .format = FileFormat::prmtop};

}  // namespace

TEST_CASE(
    "engines: psfgen gets each deoxyribonucleotide patched by number and insertion code, and CHARMM's ions") {
  std::vector<Atom> atoms = {atom("P", "DA", -5), atom("P", "DC", -5, 'A'), atom("P", "DG", 7),
                             atom("ZN", "ZN", 9), atom("O", "HOH", 10)};
  atoms[2].ends_chain = true;
  const std::vector<EngineFile> files =
      engine_files(Engine::charmm, {.atoms = atoms, .topology = names_stay});
  const std::string script = text_of(files, "psfgen.tcl");
  CHECK(script.find("patch DEO5 A:-5\npatch DEOX A:-5A\npatch DEOX A:7\nregenerate") != std::string::npos);
  CHECK(text_of(files, "segment_IN1.pdb").find(" ZN   ZN2 A   1") != std::string::npos);
  CHECK(text_of(files, "segment_WT1.pdb").find(" OH2 TIP3A") != std::string::npos);
}

TEST_CASE("engines: a chain of more residues than a segment has numbers for goes on in the next") {
  std::vector<Atom> atoms(10'001, atom("OH2", "TIP3", 1));
  for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].residue_number = int(i) + 1;
  const std::vector<EngineFile> files =
      engine_files(Engine::charmm, {.atoms = atoms, .topology = names_stay});
  CHECK(text_of(files, "segment_WT1.pdb").find("A9999") != std::string::npos);
  CHECK(text_of(files, "segment_WT11.pdb").find("A   2") != std::string::npos);
}

TEST_CASE("engines: an ion on an atom that did not count, and CHARMM's names for AMBER, are warned of") {
  const std::vector<Atom> atoms = {atom("P", "DA", 1), atom("O", "HOH", 2)};
  EngineSystem system{.atoms = atoms, .ions = {{"MG", "MG", 2.0, {0.0, 0.0, 9.0}}}};
  CHECK(engine_warnings(Engine::gromacs, system).empty());
  system.ions[0].position_A.z = 2.4;
  const std::vector<std::string> near = engine_warnings(Engine::gromacs, system);
  REQUIRE(near.size() == 1);
  CHECK(near[0].find(
            "2 atoms that did not count when ions were placed are within 2.5 A of one, first DA 1 A P") == 0);
  system.ions.clear();
  system.topology = TopologyFile{.path = "x.psf", .has_charmm_names = true};
  CHECK(engine_warnings(Engine::charmm, system).empty());
  CHECK(engine_warnings(Engine::openmm, system).size() == 1);
}

TEST_CASE("engines: replaced waters go, and waters that come in addition stand behind all") {
  const std::vector<Atom> atoms = {atom("P", "U", 1), atom("OH2", "TIP3", 2), atom("OH2", "TIP3", 3),
                                   atom("OH2", "TIP3", 4)};
  const std::vector<Atom> waters = {atom("OH2", "TIP3", 1), atom("OH2", "TIP3", 2)};
  const EngineSystem system{.atoms = atoms, .replaced = {{1, 2}, {3, 4}}, .waters = waters};
  const std::vector<Atom> remaining = remaining_atoms(system);
  REQUIRE(remaining.size() == 4);
  CHECK(remaining[1].residue_number == 3);
  CHECK(remaining[3].residue_number == 2);
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EngineSystem of_prmtop = system;
  of_prmtop.topology = names_stay;
  const std::string segment = text_of(engine_files(Engine::charmm, of_prmtop), "segment_WT1.pdb");
  CHECK(lines(segment) == 3 + 2);  // TER and END
  EngineSystem with_ion = system;  // a phosphorus is no residue of AMBER's
  std::vector<Atom> atoms_with_ion = atoms;
  atoms_with_ion[0] = atom("MG", "MG", 1);
  with_ion.atoms = atoms_with_ion;
  const std::vector<EngineFile> amber = engine_files(Engine::amber, with_ion);
  CHECK(text_of(amber, "solute.pdb").find("TIP3") == std::string::npos);
  CHECK(lines(text_of(amber, "water.pdb")) == 3 + 3);  // TER twice, and END
  CHECK(text_of(amber, "water.pdb").find("TIP3A   4") == std::string::npos);

  // Of a PSF, which stays as it is, psfgen takes them out.
  const test::TemporaryFolder folder;
  std::vector<Atom> of_psf = atoms;
  for (Atom& one : of_psf) one.segment = "WT1";
  const std::string psf = folder / "x.psf", top = folder / "x.top";
  test::write_text(psf, "PSF\n");
  const std::vector<EngineFile> charmm = engine_files(
      Engine::charmm,
      {.atoms = of_psf, .replaced = {{1, 2}}, .waters = waters, .topology = TopologyFile{.path = psf}});
  CHECK(text_of(charmm, "psfgen.tcl").find("delatom WT1 2\n") != std::string::npos);
  CHECK(text_of(charmm, "psfgen.tcl").find("pdb segment_WT11.pdb") != std::string::npos);

  // GROMACS's lines follow.
  test::write_text(top,
                   "[ moleculetype ]\nU 1\n[ atoms ]\n1 P 1 U P 1 -1.0 30.97\n"
                   "[ moleculetype ]\nSOL 1\n[ atoms ]\n1 OW 1 SOL OW 1 0.0 18.0\n"
                   "[ system ]\nx\n[ molecules ]\nU 1\nSOL 2\nSOL 1\n");
  const std::vector<EngineFile> gromacs = engine_files(
      Engine::gromacs, {.atoms = atoms,
                        .replaced = {{1, 2}, {3, 4}},
                        .waters = waters,
                        .topology = TopologyFile{.path = top, .format = FileFormat::gromacs_topology}});
  CHECK(
      text_of(gromacs, "x.top").find("[ molecules ]\nU 1\nSOL                 1\nSOL                 2\n") !=
      std::string::npos);
  const std::string positions = text_of(gromacs, "conf.gro");
  CHECK(positions.find("\n    4\n") != std::string::npos);
  CHECK(positions.find("2SOL     OW    3") != std::string::npos);
}

TEST_CASE("engines: a truncated octahedron by AMBER's angles is the same lattice, turned") {
  const UnitCell cell = unit_cell({{61.0, 61.0, 61.0}, {70.528779, 109.471221, 70.528779}});  // GROMACS's
  const AmberCell amber(cell);
  REQUIRE(amber.is_turned());
  CHECK(angles_deg(amber.cell()).x == 109.4712190);
  const PeriodicCell before(cell), after(amber.cell());
  CHECK(after.volume_A3() == doctest::Approx(before.volume_A3()));
  // Distances by the nearest image stay, also of points in different cells.
  const Vec3<double> points[] = {{1.0, 2.0, 3.0}, {30.0, 2.0, 41.0}, {-20.0, 55.0, 17.0}, {70.0, 31.0, -9.0}};
  for (const Vec3<double>& p : points)
    for (const Vec3<double>& q : points) {
      const Vec3<double> u = before.shortest(p - q), v = after.shortest(amber.turned(p) - amber.turned(q));
      CHECK(dot(v, v) == doctest::Approx(dot(u, u)).epsilon(1e-6));
      // It is a rotation, no reflection: handedness of three stays.
      const Vec3<double> r{5.0, 1.0, 2.0};
      const auto volume = [](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
        return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
      };
      CHECK(volume(amber.turned(p), amber.turned(q), amber.turned(r)) ==
            doctest::Approx(volume(p, q, r)).epsilon(1e-6).scale(1e4));
    }
  // All else stays as it is: a dodecahedron, a cube, and what has these angles but is no octahedron.
  for (const UnitCell& other : {unit_cell({{61.0, 61.0, 61.0}, {60.0, 60.0, 90.0}}),
                                unit_cell({{61.0, 61.0, 61.0}, {90.0, 90.0, 90.0}}),
                                unit_cell({{61.0, 61.0, 70.0}, {70.528779, 109.471221, 70.528779}}),
                                unit_cell({{61.0, 61.0, 61.0}, {70.528779, 70.528779, 70.528779}})}) {
    const AmberCell same(other);
    CHECK(!same.is_turned());
    CHECK(same.turned(points[1]).z == points[1].z);
    CHECK(angles_deg(same.cell()).x == angles_deg(other).x);
  }
}

TEST_CASE("engines: what an engine has no file for is refused with what it has") {
  CHECK_NOTHROW(check_engine(Engine::openmm, {}, "tip5p"));
  CHECK_NOTHROW(check_engine(Engine::vmd, {}, "opc"));
  const TopologyFile top{.path = "a.top", .format = FileFormat::gromacs_topology};
  CHECK_NOTHROW(check_engine(Engine::gromacs, top, "opc"));
  CHECK_NOTHROW(check_engine(Engine::charmm, {}, "tips3p"));
  CHECK_THROWS_WITH_AS(check_engine(Engine::charmm, {}, "spce"), doctest::Contains("(tip3p, tips3p)"),
                       UsageError);
  CHECK_THROWS_WITH_AS(check_engine(Engine::amber, {}, "tips3p"),
                       doctest::Contains("(tip3p, spce, opc, tip4pew)"), UsageError);
  CHECK_THROWS_WITH_AS(check_engine(Engine::gromacs, {}, {}), doctest::Contains("no file is a topology"),
                       UsageError);
  const TopologyFile psf{.path = "a.psf", .has_charmm_names = true};
  CHECK_THROWS_WITH_AS(check_engine(Engine::gromacs, psf, {}), doctest::Contains("a.psf is a PSF topology"),
                       UsageError);
  CHECK_THROWS_WITH_AS(check_engine(Engine::amber, psf, {}), doctest::Contains("--for charmm"), UsageError);
  TopologyFile prmtop{.path = "a.prmtop", .format = FileFormat::prmtop};
  CHECK_NOTHROW(check_engine(Engine::amber, prmtop, {}));
  prmtop.has_charmm_names = true;
  CHECK_THROWS_WITH_AS(check_engine(Engine::amber, prmtop, {}), doctest::Contains("that CHAMBER made"),
                       UsageError);
  CHECK_NOTHROW(check_engine(Engine::charmm, psf, {}));
  TopologyFile piped = psf;
  piped.can_be_reopened = false;
  CHECK_THROWS_WITH_AS(check_engine(Engine::charmm, piped, {}), doctest::Contains("from a pipe"), UsageError);
}

TEST_CASE("engines: a topology is found by what it holds, not by its name or place") {
  const test::TemporaryFolder folder;
  const std::string psf = folder / "patched.txt", pdb = folder / "a.psf.pdb", prmtop = folder / "a.psf";
  test::write_text(psf, "PSF EXT CMAP\n\n       1 !NTITLE\n");
  test::write_text(pdb, "ATOM      1  P     U A   1       0.000   0.000   0.000  1.00  0.00           P\n");
  test::write_text(prmtop, "%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n%FORMAT(20a4)\nx\n");
  CHECK(!find_topology({pdb, "-", folder.path()}));
  const std::optional<TopologyFile> found = find_topology({pdb, psf});
  REQUIRE(found);
  CHECK(found->path == psf);
  CHECK(found->format == FileFormat::psf);
  CHECK(found->has_charmm_names);
  CHECK(!find_topology({prmtop})->has_charmm_names);
  test::write_text(prmtop, "%VERSION  VERSION_STAMP = V0001.000\n%FLAG CTITLE\n%FORMAT(a80)\nx\n");
  CHECK(find_topology({prmtop})->has_charmm_names);
}

TEST_CASE("engines: AMBER, CHARMM and OpenMM get waters under their own names") {
  std::vector<Atom> atoms;
  const auto add = [&](const char* residue, std::initializer_list<const char*> names) {
    for (const char* const name : names) atoms.push_back(atom(name, residue, int(atoms.size()) / 3 + 1));
    for (std::size_t i = atoms.size() - names.size(); i < atoms.size(); ++i)
      atoms[i].residue_number = atoms.back().residue_number;
  };
  add("MG", {"MG"});
  add("SOL", {"OW", "HW1", "HW2"});
  add("TIP3", {"OH2", "H1", "H2"});
  add("WAT", {"H1", "O", "H2"});
  add("DOD", {"O", "D1", "D2"});
  add("TIP4", {"OH2", "H1", "H2", "OM"});
  add("TIP5", {"OW", "HW1", "HW2", "LP1", "LP2"});
  add("SWM4", {"OH2", "DOH2", "OM", "H1", "H2"});
  const auto names = [&](Engine engine) {
    std::string text;
    for (const Atom& one : with_engine_waters(atoms, engine))
      text.append(text.empty() ? "" : " ").append(one.residue.view()).append(":").append(one.name.view());
    return text;
  };
  const std::string drude = " SWM4:OH2 SWM4:DOH2 SWM4:OM SWM4:H1 SWM4:H2";
  CHECK(names(Engine::openmm) ==
        "MG:MG HOH:O HOH:H1 HOH:H2 HOH:O HOH:H1 HOH:H2 HOH:H1 HOH:O HOH:H2 HOH:O HOH:H1 HOH:H2 HOH:O HOH:H1 "
        "HOH:H2 HOH:M HOH:O HOH:H1 HOH:H2 HOH:M1 HOH:M2" +
            drude);
  CHECK(names(Engine::amber) ==
        "MG:MG WAT:O WAT:H1 WAT:H2 WAT:O WAT:H1 WAT:H2 WAT:H1 WAT:O WAT:H2 WAT:O WAT:H1 WAT:H2 WAT:O WAT:H1 "
        "WAT:H2 WAT:EPW WAT:O WAT:H1 WAT:H2 WAT:EP1 WAT:EP2" +
            drude);
  CHECK(names(Engine::charmm) ==
        "MG:MG TIP3:OH2 TIP3:H1 TIP3:H2 TIP3:OH2 TIP3:H1 TIP3:H2 TIP3:H1 TIP3:OH2 TIP3:H2 TIP3:OH2 TIP3:H1 "
        "TIP3:H2 TIP4:OH2 TIP4:H1 TIP4:H2 TIP4:OM TIP5:OW TIP5:HW1 TIP5:HW2 TIP5:LP1 TIP5:LP2" +
            drude);
}

TEST_CASE("engines: the waters of a system reach the files under those names") {
  const std::vector<Atom> atoms = {atom("OW", "SOL", 1), atom("HW1", "SOL", 1), atom("HW2", "SOL", 1)};
  const EngineSystem system{.atoms = atoms};
  CHECK(text_of(engine_files(Engine::openmm, system), "system.cif").find("O O . HOH A") != std::string::npos);
  CHECK(text_of(engine_files(Engine::amber, system), "water.pdb").find(" O   WAT A") != std::string::npos);
  CHECK(text_of(engine_files(Engine::charmm, system), "segment_WT1.pdb").find(" OH2 TIP3A") !=
        std::string::npos);
}

TEST_CASE("engines: LEaP checks the solute, before the water is there") {
  const std::vector<Atom> atoms = {atom("MG", "MG", 1), atom("O", "HOH", 2)};
  const std::string leap = text_of(engine_files(Engine::amber, {.atoms = atoms}), "leap.in");
  const std::size_t check = leap.find("check mol\n");
  REQUIRE(check != std::string::npos);
  CHECK(check < leap.find("combine"));
  CHECK(leap.find("check", check + 1) == std::string::npos);
  const std::vector<Atom> water = {atom("O", "HOH", 2)};
  CHECK(text_of(engine_files(Engine::amber, {.atoms = water}), "leap.in").find("check") == std::string::npos);
}

TEST_CASE("engines: psfgen needs the topology files of what there is, and knows the ends of nucleic acids") {
  std::vector<Atom> atoms = {atom("O5'", "U", 1), atom("P", "A", 2), atom("P", "A", 1), atom("O5'", "U", 2),
                             atom("N", "ALA", 1)};
  atoms[1].ends_chain = atoms[3].ends_chain = true;
  const std::string script =
      text_of(engine_files(Engine::charmm, {.atoms = atoms, .topology = names_stay}), "psfgen.tcl");
  CHECK(script.find("  top_all36_prot.rtf yes\n  top_all36_na.rtf yes\n  top_all36_lipid.rtf no\n") !=
        std::string::npos);
  CHECK(script.find("  toppar_water_ions.str no\n") != std::string::npos);
  CHECK(script.find(
            "    puts stderr \"there is no $file in the folder [file normalize $toppar]; set the environment "
            "variable TOPPAR to the folder that has CHARMM's topology files\"\n    exit 1\n") !=
        std::string::npos);
  CHECK(script.find("segment A {\n  first 5TER\n  last 3TER\n") != std::string::npos);
  CHECK(script.find("segment A1 {\n  first 5PHO\n  last 3TER\n") != std::string::npos);
  CHECK(script.find("segment A2 {\n  pdb segment_A2.pdb\n") != std::string::npos);
  CHECK(script.find("foreach end {{} 5 3 N} {\n    pdbalias residue $from$end $to\n") !=
        std::string::npos);  // G5
  const EngineSystem with_ions{
      .atoms = atoms, .ions = {{"MG", "MG", 2.0, {0.0, 0.0, 9.0}}}, .topology = names_stay};
  CHECK(text_of(engine_files(Engine::charmm, with_ions), "psfgen.tcl").find("toppar_water_ions.str yes\n") !=
        std::string::npos);
}

TEST_CASE("engines: VMD gets the charges of the ions, which a PDB file has no room for") {
  const std::vector<Atom> atoms = {atom("P", "U", 1)};
  const EngineSystem system{
      .atoms = atoms, .ions = {{"MG", "MG", 2.0, {0.0, 0.0, 9.0}}, {"CLA", "CL", -1.0, {0.0, 9.0, 9.0}}}};
  CHECK(text_of(engine_files(Engine::vmd, system), "view.tcl").find("$placed set charge {2 -1}\n") !=
        std::string::npos);
}
