#include <doctest/doctest.h>

#include <algorithm>

#include "structures/engines/engine_files.hpp"

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
