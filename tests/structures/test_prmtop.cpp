// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "files/input_file.hpp"
#include "structures/amber/inpcrd.hpp"
#include "structures/amber/prmtop.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Words = std::vector<std::string>;

std::string padded(const std::string& word, std::size_t width, bool to_the_right) {
  const std::string blanks(width - std::min(width, word.size()), ' ');
  return to_the_right ? blanks + word : word + blanks;
}

std::string lines_of(const Words& values, std::size_t per_line, std::size_t width, bool names) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text +=
        padded(values[i], width, !names) + ((i + 1) % per_line == 0 || i + 1 == values.size() ? "\n" : "");
  return values.empty() ? "\n" : text;
}

/// Two nucleotides that are bound to each other, then two that are, then a water with an extra point, and an
/// ion: 12 atoms.
struct Sample {
  std::vector<std::pair<std::string, Words>> sections;  // in the order of the file
  std::map<std::string, std::string> formats;

  Sample() {
    Words pointers(31, "0");
    pointers[0] = "12", pointers[1] = "2", pointers[11] = "6", pointers[12] = "3";
    sections = {
        {"TITLE", {"test"}},
        {"POINTERS", pointers},
        {"ATOM_NAME", {"HO5'", "H5''", "P", "O3'", "P", "O3'", "P", "O3'", "O", "H1", "EPW", "Na+"}},
        {"CHARGE", charges(18.2223)},
        {"ATOMIC_NUMBER", {"1", "1", "15", "8", "15", "8", "15", "8", "8", "1", "-1", "11"}},
        {"MASS",
         {"1.008", "1.008", "30.97", "16.0", "30.97", "16.0", "30.97", "16.0", "16.0", "3.024", "0.0",
          "22.99"}},
        {"RESIDUE_LABEL", {"G5", "C3", "DA5", "DT3", "WAT", "Na+"}},
        {"RESIDUE_POINTER", {"1", "4", "5", "7", "9", "12"}},
        {"BONDS_WITHOUT_HYDROGEN", {"6", "9", "1", "12", "18", "1", "9", "9", "1"}},
        {"RADII", {"0.8", "1.3", "1.85", "1.5", "1.85", "1.5", "1.85", "1.5", "1.5", "0.8", "0.0", "1.5"}},
    };
    for (const char* const name :
         {"TITLE", "ATOM_NAME", "RESIDUE_LABEL", "RESIDUE_CHAINID", "RESIDUE_ICODE", "CTITLE"})
      formats[name] = "20a4";
    for (const char* const name : {"CHARGE", "MASS", "RADII", "BOX_DIMENSIONS"}) formats[name] = "5E16.8";
  }

  static Words charges(double per_e) {
    Words values;
    for (const double charge_e : charges_e()) {
      char text[32];
      std::snprintf(text, sizeof text, "%.8E", charge_e * per_e);
      values.emplace_back(text);
    }
    return values;
  }
  static std::vector<double> charges_e() {
    return {0.4295, 0.0558, 1.1662, -0.5246, 1.1659, -0.5232, 1.1662, -0.5246, -0.834, 0.417, 0.417, 1.0};
  }

  Words& operator[](const std::string& name) {
    for (auto& [known, values] : sections)
      if (known == name) return values;
    return sections.emplace_back(name, Words{}).second;
  }
  void remove(const std::string& name) {
    std::erase_if(sections, [&](const auto& section) { return section.first == name; });
  }

  std::string text() const {
    std::string all = "%VERSION  VERSION_STAMP = V0001.000  DATE = 09/12/19  13:56:46\n";
    for (const auto& [name, values] : sections) {
      const auto found = formats.find(name);
      const std::string format = found == formats.end() ? "10I8" : found->second;
      all += "%FLAG " + name + "\n%FORMAT(" + format + ")   \n";
      const bool names = format.find('a') != format.npos;
      const std::size_t letter = format.find_first_of("aEIi");
      all += lines_of(values, letter == 0 ? 1 : std::stoul(format.substr(0, letter)),
                      std::stoul(format.substr(letter + 1)), names);
    }
    return all;
  }

  /// As before AMBER 7: the parts have their places, and those without values an empty line.
  std::string old_text() {
    Words& pointers = (*this)["POINTERS"];
    const auto numbers = [](std::size_t count) { return Words(count, "0.0"); };
    const auto integers = [](std::size_t count) { return Words(count, "1"); };
    pointers.resize(30);
    pointers[1] = "2", pointers[15] = "1", pointers[16] = "6", pointers[18] = "2", pointers[2] = "1",
    pointers[27] = "2";
    std::string all = "a title                \n" + lines_of(pointers, 12, 6, false);
    const auto add_numbers = [&](const Words& values) { all += lines_of(values, 5, 16, false); };
    const auto add_integers = [&](const Words& values) { all += lines_of(values, 12, 6, false); };
    const auto add_names = [&](const Words& values) { all += lines_of(values, 20, 4, true); };
    add_names((*this)["ATOM_NAME"]);
    add_numbers((*this)["CHARGE"]);
    add_numbers((*this)["MASS"]);
    add_integers(integers(12)), add_integers(integers(12)), add_integers(integers(4));
    add_names((*this)["RESIDUE_LABEL"]);
    add_integers((*this)["RESIDUE_POINTER"]);
    for (const std::size_t count : {1, 1, 6, 6, 0, 0, 0, 2, 3, 3}) add_numbers(numbers(count));
    add_integers(integers(3));
    add_integers((*this)["BONDS_WITHOUT_HYDROGEN"]);
    for (int none = 0; none < 5; ++none) add_integers({});
    for (int none = 0; none < 3; ++none) add_numbers({});
    for (int names = 0; names < 2; ++names) add_names(Words(12, "M"));
    for (int lists = 0; lists < 2; ++lists) add_integers(integers(12));
    add_integers({"6", "14", "3"});
    add_integers(integers(14));
    add_numbers({"1.09471219E+02", "4.0E+01", "4.0E+01", "4.0E+01"});
    return all;
  }
};

std::string message_of(const Sample& sample) {
  return error_of([&] { read_prmtop(sample.text(), "x.prmtop"); });
}
std::string message_of_text(const std::string& text) {
  return error_of([&] { read_prmtop(text, "x.prmtop"); });
}

std::string chain_ends(const Topology& topology) {
  std::string ends;
  for (const Atom& atom : topology.atoms) ends += atom.ends_chain ? 'T' : '-';
  return ends;
}

/// What every file of this sample must give, whatever its format.
void check_sample(const Topology& topology) {
  REQUIRE(topology.atoms.size() == 12);
  const std::string names[] = {"HO5'", "H5''", "P", "O3'", "P", "O3'", "P", "O3'", "O", "H1", "EPW", "Na+"};
  const std::string residues[] = {"G5",  "G5",  "G5",  "C3",  "DA5", "DA5",
                                  "DT3", "DT3", "WAT", "WAT", "WAT", "Na+"};
  const int numbers[] = {1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 5, 6};
  for (std::size_t i = 0; i < 12; ++i) {
    CAPTURE(i);
    const Atom& atom = topology.atoms[i];
    CHECK(atom.name.view() == names[i]);
    CHECK(atom.residue.view() == residues[i]);
    CHECK(atom.residue_number == numbers[i]);
    CHECK(std::abs(atom.charge_e - Sample::charges_e()[i]) < 1e-8);  // nine digits in the file
    CHECK(atom.position_A == Vec3<double>{});
  }
  CHECK(chain_ends(topology) == "---T---T----");  // neither at the water nor at the ion
}

}  // namespace

TEST_CASE("prmtop: a topology of AMOEBA is named, and copies of LES are told") {
  Sample amoeba, les;
  amoeba["AMOEBA_FORCEFIELD"] = {"1"};
  CHECK(
      message_of(amoeba).starts_with("x.prmtop: is a topology of the AMOEBA force field, whose atoms have"));
  les["LES_CNUM"] = {"0", "0", "1", "1", "2", "2", "0", "0", "0", "0", "0", "0"};
  const Topology topology = read_prmtop(les.text(), "x.prmtop");
  CHECK(topology.has_copies);
  CHECK(topology.warnings.at(0).find(" sampling (LES): 4 atoms are copies, which share") !=
        std::string::npos);
}

TEST_CASE("prmtop: names, charges, radii, residues, elements, chains") {
  const Topology topology = read_prmtop(Sample().text(), "x.prmtop");
  check_sample(topology);
  CHECK(topology.warnings.empty());
  CHECK_FALSE(topology.cell);
  const double radii[] = {0.8, 1.3, 1.85, 1.5, 1.85, 1.5, 1.85, 1.5, 1.5, 0.8, 0.0, 1.5};
  const std::string elements[] = {"H", "H", "P", "O", "P", "O", "P", "O", "O", "H", "", "NA"};
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(topology.atoms[i].radius_A == radii[i]);
    CHECK(topology.atoms[i].element.view() == elements[i]);
    CHECK(topology.atoms[i].chain.empty());
    CHECK(topology.atoms[i].insertion_code == ' ');
  }
}

TEST_CASE("prmtop: elements by mass where there is no atomic number, none for a heavy hydrogen") {
  Sample sample;
  sample.remove("ATOMIC_NUMBER");
  const Topology topology = read_prmtop(sample.text(), "x.prmtop");
  const std::string elements[] = {"H", "H", "P", "O", "P", "O", "P", "O", "O", "", "", "NA"};
  for (std::size_t i = 0; i < 12; ++i) CHECK(topology.atoms[i].element.view() == elements[i]);
}

TEST_CASE("prmtop: formats are those that the file states, and may be followed by comments") {
  Sample sample;
  sample.formats["CHARGE"] = "3E24.16";
  sample.formats["ATOM_NAME"] = "5a8";
  sample.formats["RADII"] = "E16.8";  // one a line
  sample.formats["RESIDUE_POINTER"] = "10i6";
  std::string text = sample.text();
  const std::string flag = "%FLAG CHARGE\n";
  text.insert(text.find(flag) + flag.size(), "%COMMENT in other units\n");
  const std::string format = "%FORMAT(10i6)   \n";
  text.insert(text.find(format) + format.size(), "%COMMENT behind the format\n");
  check_sample(read_prmtop(text, "x.prmtop"));
  for (const std::string line_end : {"\r\n", "          \n"}) {
    std::string changed;
    for (const char c : text) changed += c == '\n' ? line_end : std::string(1, c);
    check_sample(read_prmtop(changed, "x.prmtop"));
  }
}

TEST_CASE("prmtop: CHAMBER's charges have CHARMM's factor") {
  Sample sample;
  sample.sections[0].first = "CTITLE";
  sample["CHARGE"] = Sample::charges(std::sqrt(332.0716));
  check_sample(read_prmtop(sample.text(), "x.prmtop"));
  sample["CHARGE"] = Sample::charges(18.2223);  // the difference is 3e-5 of a charge
  CHECK(std::abs(read_prmtop(sample.text(), "x.prmtop").atoms[2].charge_e - 1.1662) > 3e-5);
}

TEST_CASE("prmtop: chains, numbers and insertion codes that a PDB file has added") {
  Sample sample;
  sample["RESIDUE_CHAINID"] = {"A", "A", "B", "B", "", ""};
  sample["RESIDUE_NUMBER"] = {"-1", "0", "0", "27", "901", "902"};
  sample["RESIDUE_ICODE"] = {"", "", "C", "", "", ""};
  const Topology topology = read_prmtop(sample.text(), "x.prmtop");
  const auto& atoms = topology.atoms;
  CHECK(atoms[0].chain.view() == "A");
  CHECK(atoms[0].residue_number == -1);
  CHECK(atoms[4].chain.view() == "B");
  CHECK(atoms[4].residue_number == 0);
  CHECK(atoms[5].insertion_code == 'C');
  CHECK(atoms[6].insertion_code == ' ');
  CHECK(atoms[11].residue_number == 902);
  CHECK(atoms[11].chain.empty());
}

TEST_CASE("prmtop: the cell, where one angle tells it") {
  const auto cell = [](const std::string& shape, const Words& box) {
    Sample sample;
    sample["POINTERS"][27] = shape;
    sample["BOX_DIMENSIONS"] = box;
    return read_prmtop(sample.text(), "x.prmtop").cell;
  };
  const Words box = {"90.0", "47.5", "46.5", "62.0"}, octahedron = {"109.4712190", "48.5", "48.5", "48.5"};
  const auto rectangular = cell("1", box);
  REQUIRE(rectangular);
  CHECK(lengths_A(*rectangular) == Vec3<double>{47.5, 46.5, 62.0});
  CHECK(angles_deg(*rectangular) == Vec3<double>{90.0, 90.0, 90.0});
  const auto truncated = cell("2", octahedron);
  REQUIRE(truncated);
  CHECK(angles_deg(*truncated) == Vec3<double>{109.471219, 109.471219, 109.471219});
  CHECK_FALSE(cell("0", box));
  CHECK_FALSE(cell("3", {"75.0", "47.5", "46.5", "62.0"}));  // and the two other angles?
  CHECK_FALSE(cell("1", {"90.0", "0.0", "0.0", "0.0"}));
}

TEST_CASE("prmtop: a file from before AMBER 7 has its parts by their places") {
  const std::string text = Sample().old_text();
  const Topology topology = read_prmtop(text, "x.prmtop");
  check_sample(topology);
  CHECK(topology.warnings.empty());  // the format had no radii
  REQUIRE(topology.cell);
  CHECK(lengths_A(*topology.cell) == Vec3<double>{40.0, 40.0, 40.0});
  CHECK(angles_deg(*topology.cell).z == 109.471219);
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    CAPTURE(size);
    CHECK(message_of_text(text.substr(0, size)).starts_with("x.prmtop:"));
  }
}

TEST_CASE("prmtop: cut at any byte it is refused, or states that it has no radii") {
  const std::string text = Sample().text();
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    CAPTURE(size);
    try {
      const Topology topology = read_prmtop(text.substr(0, size), "x.prmtop");
      check_sample(topology);
      REQUIRE(topology.warnings.size() == 1);
      CHECK(topology.warnings[0] ==
            "x.prmtop: has no section RADII, so all radii are 0; LEaP writes one: is the file truncated?");
    } catch (const Error& error) {
      CHECK(std::string(error.what()).starts_with("x.prmtop:"));
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("prmtop: what cannot be read is named with its line") {
  const auto with = [](const std::string& section, std::size_t index, const std::string& value) {
    Sample sample;
    sample[section][index] = value;
    return message_of(sample);
  };
  CHECK(with("CHARGE", 6, "nan") ==
        "x.prmtop:17: the value 'nan' of CHARGE is not a finite number; write the topology again");
  CHECK(with("CHARGE", 0, "0.4295abc") ==
        "x.prmtop:16: the value '0.4295abc' of CHARGE is not a finite number; write the topology again");
  CHECK(with("CHARGE", 11, "1.0E+05") ==
        "x.prmtop:18: a charge is too large for an atom; write the topology again");
  CHECK(
      with("RADII", 11, "-1.0").starts_with("x.prmtop:41: a radius is negative, or too large for an atom; "));
  CHECK(with("RESIDUE_POINTER", 2, "4") ==
        "x.prmtop:33: residue 3 cannot begin with atom 4 (residues contain all atoms, in their order); write "
        "the topology again");
  CHECK(with("RESIDUE_POINTER", 0, "2").starts_with("x.prmtop:33: residue 1 cannot begin with atom 2 "));
  CHECK(with("RESIDUE_POINTER", 5, "13").starts_with("x.prmtop:33: residue 6 cannot begin with atom 13 "));
  CHECK(with("RESIDUE_POINTER", 1, "x")
            .starts_with("x.prmtop:33: the value 'x' of RESIDUE_POINTER is not a whole number"));
  CHECK(with("BONDS_WITHOUT_HYDROGEN", 1, "36") ==
        "x.prmtop:36: a bond has an atom that does not exist; write the topology again");
  CHECK(with("BONDS_WITHOUT_HYDROGEN", 4, "-3").starts_with("x.prmtop:36: a bond has an atom"));
  CHECK(with("POINTERS", 0, "-1").starts_with("x.prmtop:7: the count '-1' is not a whole number"));
  CHECK(with("POINTERS", 11, "many").starts_with("x.prmtop:8: the count 'many' is not a whole number"));
  CHECK(with("POINTERS", 0, "0") == "x.prmtop:7: NATOM is 0: there are no atoms; write the topology again");
  CHECK(with("POINTERS", 11, "0").find("RESIDUE_POINTER has more than the 0 values") != std::string::npos);
}

TEST_CASE("prmtop: counts that do not fit the sections, and sections that are missing") {
  const auto counts = [](const std::string& atoms) {
    Sample sample;
    sample["POINTERS"][0] = atoms;
    return message_of(sample);
  };
  CHECK(counts("13") ==
        "x.prmtop:19: the section CHARGE ends after 12 of its 13 values (POINTERS has the number); is the "
        "file truncated? copy it again");
  CHECK(counts("2000000000").starts_with("x.prmtop:19: the section CHARGE ends after "));
  CHECK(counts("11") ==
        "x.prmtop:18: the section CHARGE has more than the 11 values that POINTERS announces; write the "
        "topology again");
  for (const char* const needed :
       {"POINTERS", "ATOM_NAME", "CHARGE", "RESIDUE_LABEL", "RESIDUE_POINTER", "BONDS_WITHOUT_HYDROGEN"}) {
    CAPTURE(std::string(needed));
    Sample sample;
    sample.remove(needed);
    CHECK(message_of(sample) == std::string("x.prmtop: has no section ") + needed +
                                    ", which a topology needs; is the file truncated? write it again");
  }
  CHECK(message_of_text("ATOM      1  N   MET A   1\n").starts_with("x.prmtop: is not an AMBER topology"));
  for (const char* const format : {"", "(a)", "(5E0.8)", "(0E16.8)", "(5E16.8", "(999E999)", "(5E16.8,I8)"}) {
    std::string text = Sample().text();
    const std::string before = "%FLAG CHARGE\n%FORMAT", good = "(5E16.8)";
    text.replace(text.find(before) + before.size(), good.size(), format);
    CAPTURE(std::string(format));
    CHECK(message_of_text(text).starts_with("x.prmtop:15: the section CHARGE has the format '%FORMAT"));
  }
}

TEST_CASE("prmtop: is known by its beginning, and nothing else is") {
  CHECK(is_prmtop(Sample().text().substr(0, 200)));
  CHECK(is_prmtop("%FLAG TITLE\n%FORMAT(20a4)\n"));
  CHECK(is_prmtop(Sample().old_text()));
  for (const char* const other :
       {"", "PSF EXT\n\n       2 !NTITLE\n", "title\n  2101\n   1.0000000   2.0000000   3.0000000\n",
        "@<TRIPOS>MOLECULE\n",
        "title\n  2101     9  2091     9    25    11    43    24     0     0  2871   696\nx\n", "%!PS\n",
        "CDF\x01"}) {
    CAPTURE(std::string(other));
    CHECK_FALSE(is_prmtop(other));
  }
}

TEST_CASE("prmtop: bonds between residues") {
  const Topology topology = read_prmtop(Sample().text(), "x.prmtop");
  CHECK(topology.links == std::vector<AtomLink>{{2, 3}, {4, 6}});
}
