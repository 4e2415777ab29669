// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "core/text/lines.hpp"
#include "core/text/printable_names.hpp"
#include "structures/engines/charmm_files.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/writers/system_file.hpp"
#include "support/error_of.hpp"
#include "support/hostile_names.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr SystemFormat formats[] = {SystemFormat::pdb, SystemFormat::mmcif,      SystemFormat::gro,
                                    SystemFormat::pqr, SystemFormat::charmm_crd, SystemFormat::amber_rst7,
                                    SystemFormat::xyz};
constexpr Engine engines[] = {Engine::amber, Engine::charmm, Engine::openmm, Engine::vmd};

/// Two residues whose names are all `name`, and one beside them that is like any other.
std::vector<Atom> named(std::string_view name) {
  const Atom odd{.charge_e = 1.0,
                 .radius_A = 1.5,
                 .name = name,
                 .residue = name,
                 .chain = name,
                 .segment = name,
                 .residue_number = 1,
                 .element = name.substr(0, 2),
                 .insertion_code = name.front()};
  Atom next = odd,
       usual{.position_A = {9, 0, 0}, .name = "P", .residue = "DA", .chain = "B", .residue_number = 1};
  next.residue_number = 2;
  next.position_A.y = 4.0;
  return {odd, next, usual};
}

/// The same of chains and segments, with a residue that is no ion.
std::vector<Atom> chain_named(std::string_view name) {
  std::vector<Atom> atoms = named(name);
  for (Atom& atom : atoms) atom.charge_e = 0.25;
  return atoms;
}

/// Of a topology that keeps its names.
const TopologyFile names_stay{.path = "x.prmtop", .format = FileFormat::prmtop};

std::int64_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// Whether a terminal or a reader of lines would find something in it besides text and ends of lines.
bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == '\x7f'; }) ||
         text.find("\u009b") != text.npos || text.find('\xff') != text.npos;
}

std::string text_of(const std::vector<EngineFile>& files, const std::string& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const EngineFile& f) { return f.name == name; });
  REQUIRE(found != files.end());
  return found->text;
}

}  // namespace

TEST_CASE("hostile names: every format has a line for an atom, whatever it is called") {
  const std::vector<Atom> harmless = named("XYZ");
  for (const SystemFormat format : formats) {
    const std::string usual = system_text({.solute = harmless, .names = SoluteNames::own}, format);
    for (const std::string_view name : hostile_names) {
      CAPTURE(int(format));
      CAPTURE(std::string(name));
      const std::vector<Atom> atoms = named(name);
      const std::string text = system_text({.solute = atoms, .names = SoluteNames::own}, format);
      CHECK(lines_of(text) == lines_of(usual));
      CHECK(!has_control(text));
    }
  }
}

TEST_CASE("hostile names: a PDB file gives them back") {
  for (const std::string_view name : hostile_names) {
    CAPTURE(std::string(name));
    const std::vector<Atom> atoms = named(name);
    const Structure read =
        read_pdb(system_text({.solute = atoms, .names = SoluteNames::own}, SystemFormat::pdb), "x.pdb", {});
    REQUIRE(read.atoms.size() == atoms.size());
    CHECK(read.atoms[1].name == atoms[1].name);
    CHECK(read.atoms[1].residue == atoms[1].residue);
    CHECK(read.atoms[1].position_A.y == 4.0);
  }
}

TEST_CASE("hostile names: what is not printable becomes an underscore with a warning, and no file has it") {
  for (const std::string_view name : unprintable_names) {
    CAPTURE(std::string(name));
    Structure structure{.path = "x.cif", .atoms = named(name)};
    for (const SystemFormat format : formats)
      CHECK(error_of([&] {
              system_text({.solute = structure.atoms, .names = SoluteNames::own}, format);
            }).find("printable ASCII") != std::string::npos);
    make_names_printable(structure);
    REQUIRE(structure.warnings.size() == 1);
    CHECK(structure.warnings[0].find("note: x.cif: 2 atoms have names") == 0);
    CHECK(!has_control(structure.warnings[0]));
    CHECK_NOTHROW(check_printable_names(structure.atoms[0]));
    CHECK(structure.atoms[0].name.view().size() == name.size());
    CHECK(structure.atoms[2].name == Label("P"));
    make_names_printable(structure);
    CHECK(structure.warnings.size() == 1);
  }
  Structure plain{.atoms = {{.name = "O5'", .residue = "DA", .insertion_code = '\0'}}};
  make_names_printable(plain);
  CHECK(plain.warnings.empty());
}

TEST_CASE("hostile names: remarks and records stay in their lines, whatever the input is called") {
  const std::vector<Atom> atoms = named("XYZ");
  const std::string path = "a\nquit\r\nHETATM\x1b[2J\u009b\xff.pqr";
  for (const SystemFormat format : formats) {
    CAPTURE(int(format));
    const auto text = [&](const std::string& from) {
      return system_text(
          {.remarks = {"Ions around " + from, "one more"}, .records = {"HEADER    " + from}, .solute = atoms},
          format);
    };
    CHECK(lines_of(text(path)) == lines_of(text("a quit  HETATM [2J  .pqr")));
    CHECK(!has_control(text(path)));
  }
  for (const Engine engine : engines)
    for (const EngineFile& file : engine_files(engine, {.atoms = atoms,
                                                       .ions = {{"MG", "MG", 2.0, {}}},
                                                       .remarks = {"Ions around " + path},
                                                       .topology = names_stay})) {
      CAPTURE(file.name);
      CHECK(!has_control(file.text));
      CHECK(file.text.find("\nquit\n") ==
            (file.name == "leap.in" ? file.text.rfind("\nquit\n") : std::string::npos));
      CHECK(file.text.find("\nHETATM?") == std::string::npos);
    }
}

TEST_CASE("hostile names: psfgen gets segments of plain words, and a warning says so") {
  for (const std::string_view name : hostile_names) {
    CAPTURE(std::string(name));
    const std::vector<Atom> atoms = chain_named(name);
    const EngineSystem system{.atoms = atoms, .topology = names_stay};
    const std::vector<EngineFile> files = engine_files(Engine::charmm, system);
    const std::string script = text_of(files, "psfgen.tcl");
    for (const EngineFile& file : files)
      CHECK(file.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") ==
            std::string::npos);
    // All that is of the input: the lines of segments and patches.
    const std::string made = script.substr(script.find("segment "));
    CHECK(made.find_first_of("[]$;\"'`#<>&|*%~,@=/") == std::string::npos);
    CHECK(std::count(made.begin(), made.end(), '{') == 2);
    CHECK(std::count(made.begin(), made.end(), '}') == 2);
    const std::vector<std::string> warnings = engine_warnings(Engine::charmm, system);
    const bool is_plain = name == "quit" || name == "_a";
    CHECK(warnings.size() == (is_plain ? 0 : 1));
    if (!is_plain) CHECK(warnings[0].find(quote(name)) != std::string::npos);
    CHECK(engine_warnings(Engine::amber, system).empty());
  }
}

TEST_CASE("hostile names: chains that become the same word are segments of their own") {
  std::vector<Atom> atoms = {chain_named("}")[0], chain_named("{")[0], chain_named("_")[0]};
  const std::vector<EngineFile> files =
      engine_files(Engine::charmm, {.atoms = atoms, .topology = names_stay});
  for (const char* const name : {"segment__.pdb", "segment__1.pdb", "segment__2.pdb"})
    CHECK(lines_of(text_of(files, name)) == 3);
  CHECK(renamed_segments(atoms) == std::vector<std::string>{"{", "}"});
  atoms = {chain_named("A")[0], chain_named("a")[0]};  // which psfgen does not tell apart
  CHECK(lines_of(text_of(engine_files(Engine::charmm, {.atoms = atoms, .topology = names_stay}),
                         "segment_a1.pdb")) == 3);
}

TEST_CASE("hostile names: insertion codes and the segments of a PSF are words of Tcl") {
  std::vector<Atom> atoms = {
      {.name = "P", .residue = "DA", .chain = "A", .residue_number = 5, .insertion_code = '['},
      {.name = "OH2", .residue = "TIP3", .segment = "[x]", .residue_number = 7, .insertion_code = ';'}};
  CHECK(text_of(engine_files(Engine::charmm, {.atoms = atoms, .topology = names_stay}), "psfgen.tcl")
            .find("patch DEO5 \"A:5\\[\"\n") != std::string::npos);
  const TemporaryFolder folder;
  const std::string psf = folder / "x.psf";
  write_text(psf, "PSF\n");
  const EngineSystem system{.atoms = atoms, .replaced = {{1, 2}}, .topology = TopologyFile{.path = psf}};
  CHECK(text_of(engine_files(Engine::charmm, system), "psfgen.tcl").find("delatom \"\\[x\\]\" \"7\\;\"\n") !=
        std::string::npos);
  CHECK(engine_warnings(Engine::charmm, system).empty());  // its segments are those of the PSF
}
