#include <doctest/doctest.h>

#include <algorithm>

#include "structures/engines/engine_files.hpp"
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

}  // namespace

TEST_CASE(
    "engines: psfgen gets each deoxyribonucleotide patched by number and insertion code, and CHARMM's ions") {
  std::vector<Atom> atoms = {atom("P", "DA", -5), atom("P", "DC", -5, 'A'), atom("P", "DG", 7),
                             atom("ZN", "ZN", 9), atom("O", "HOH", 10)};
  atoms[2].ends_chain = true;
  const std::vector<EngineFile> files = engine_files(Engine::charmm, {.atoms = atoms});
  const std::string script = text_of(files, "psfgen.tcl");
  CHECK(script.find("patch DEO5 A:-5\npatch DEOX A:-5A\npatch DEOX A:7\nregenerate") != std::string::npos);
  CHECK(text_of(files, "segment_IN1.pdb").find(" ZN   ZN2 A   1") != std::string::npos);
  CHECK(text_of(files, "segment_WT1.pdb").find("HOH") != std::string::npos);
}

TEST_CASE("engines: a chain of more residues than a segment has numbers for goes on in the next") {
  std::vector<Atom> atoms(10'001, atom("OH2", "TIP3", 1));
  for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].residue_number = int(i) + 1;
  const std::vector<EngineFile> files = engine_files(Engine::charmm, {.atoms = atoms});
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
  system.inputs = {"x.PSF.gz", "x.pdb"};
  CHECK(engine_warnings(Engine::charmm, system).empty());
  CHECK(engine_warnings(Engine::amber, system).size() == 1);
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
  const std::string segment = text_of(engine_files(Engine::charmm, system), "segment_WT1.pdb");
  CHECK(lines(segment) == 3 + 2);  // TER and END
  CHECK(text_of(engine_files(Engine::amber, system), "solute.pdb").find("TIP3A   4") == std::string::npos);

  // Of a PSF, which stays as it is, psfgen takes them out.
  const test::TemporaryFolder folder;
  std::vector<Atom> of_psf = atoms;
  for (Atom& one : of_psf) one.segment = "WT1";
  const std::string psf = folder / "x.psf", top = folder / "x.top";
  test::write_text(psf, "PSF\n");
  const std::vector<EngineFile> charmm = engine_files(
      Engine::charmm, {.atoms = of_psf, .replaced = {{1, 2}}, .waters = waters, .inputs = {psf}});
  CHECK(text_of(charmm, "psfgen.tcl").find("delatom WT1 2\n") != std::string::npos);
  CHECK(text_of(charmm, "psfgen.tcl").find("pdb segment_WT11.pdb") != std::string::npos);

  // GROMACS's lines follow.
  test::write_text(top,
                   "[ moleculetype ]\nU 1\n[ atoms ]\n1 P 1 U P 1 -1.0 30.97\n"
                   "[ moleculetype ]\nSOL 1\n[ atoms ]\n1 OW 1 SOL OW 1 0.0 18.0\n"
                   "[ system ]\nx\n[ molecules ]\nU 1\nSOL 2\nSOL 1\n");
  const std::vector<EngineFile> gromacs = engine_files(
      Engine::gromacs, {.atoms = atoms, .replaced = {{1, 2}, {3, 4}}, .waters = waters, .inputs = {top}});
  CHECK(
      text_of(gromacs, "x.top").find("[ molecules ]\nU 1\nSOL                 1\nSOL                 2\n") !=
      std::string::npos);
  const std::string positions = text_of(gromacs, "conf.gro");
  CHECK(positions.find("\n    4\n") != std::string::npos);
  CHECK(positions.find("1SOL     OW    3") != std::string::npos);
}
