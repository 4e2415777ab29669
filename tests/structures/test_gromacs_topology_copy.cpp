// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/gromacs/topology.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;

namespace {

const std::string force_field =
    "[ moleculetype ]\nROD 1\n[ atoms ]\n1 P 1 U P 1 -1.0 30.97\n"
    "[ moleculetype ]\nNA 1\n[ atoms ]\n1 NA 1 NA NA 1 1.0 22.99\n";
const std::string water = "[ moleculetype ]\nSOL 1\n[ atoms ]\n1 OW 1 SOL OW 1 0.0 18.0\n";

/// A user's folders, and the folder that is written for a system of the topology there.
class UserFiles {
 public:
  explicit UserFiles(const std::map<std::string, std::string>& texts) {
    for (const auto& [name, text] : texts) {
      std::filesystem::create_directories(std::filesystem::path(folder_ / name).parent_path());
      test::write_text(folder_ / name, text);
    }
  }

  std::string operator/(const std::string& name) const { return folder_ / name; }

  /// With one ion, and `replaced` waters gone.
  std::map<std::string, std::string> written(const std::vector<AtomRange>& replaced = {},
                                             const std::vector<std::string>& includes = {}) const {
    const std::string path = folder_ / "sys/topol.top";
    const std::vector<Atom> atoms =
        read_gromacs_topology(path, {.preprocessor = {.include_folders = includes}}).topology.atoms;
    std::map<std::string, std::string> files;
    for (EngineFile& file : engine_files(
             Engine::gromacs, {.atoms = atoms,
                              .ions = {{"NA", "NA", 1.0, {0.0, 0.0, 9.0}}},
                              .replaced = replaced,
                              .topology = TopologyFile{.path = path, .format = FileFormat::gromacs_topology},
                              .includes = includes}))
      files.emplace(std::move(file.name), std::move(file.text));
    return files;
  }

 private:
  test::TemporaryFolder folder_;
};

/// Charge and atoms of a folder, as it stands alone.
std::pair<double, std::size_t> read_again(const std::map<std::string, std::string>& files) {
  const GromacsTopology topology = read_gromacs_topology("topol.top", {.preprocessor = {.files = &files}});
  double charge_e = 0.0;
  for (const Atom& atom : topology.topology.atoms) charge_e += atom.charge_e;
  return {charge_e, topology.topology.atoms.size()};
}

}  // namespace

TEST_CASE("GROMACS folder: lines of [ molecules ] change in the file that has them") {
  const UserFiles user({{"sys/topol.top", force_field + water + "#include \"molecules.itp\"\n; the end\n"},
                        {"sys/molecules.itp", "[ system ]\nx\n[ molecules ]\nROD 2\nSOL 3\n"}});
  const auto files = user.written();
  CHECK(files.at("topol.top") == force_field + water + "#include \"molecules.itp\"\n; the end\n");
  CHECK(files.at("molecules.itp") == "[ system ]\nx\n[ molecules ]\nROD 2\nNA                  1\nSOL 3\n");
  CHECK(read_again(files) == std::pair(-1.0, std::size_t{6}));
  const auto replaced = user.written({{3, 4}, {4, 5}});
  CHECK(replaced.at("molecules.itp") ==
        "[ system ]\nx\n[ molecules ]\nROD 2\nNA                  1\nSOL                 1\n");
}

TEST_CASE("GROMACS folder: [ molecules ] whose lines are in several files, and one that a backslash joins") {
  const UserFiles user(
      {{"sys/topol.top", force_field + water + "[ system ]\nx\n[ molecules ]\n#include \"rods.itp\"\n"},
       {"sys/rods.itp", "ROD 2\n#include \"more.itp\"\n"},
       {"sys/more.itp", "ROD \\\n 1\n; nothing behind it\n"}});
  const auto files = user.written();
  CHECK(files.at("rods.itp") == "ROD 2\n#include \"more.itp\"\n");
  CHECK(files.at("more.itp") == "ROD \\\n 1\nNA                  1\n; nothing behind it\n");
  CHECK(read_again(files) == std::pair(-2.0, std::size_t{4}));
}

TEST_CASE("GROMACS folder: a file of [ molecules ] that is included twice is not changed") {
  const UserFiles user({{"sys/topol.top", force_field + water +
                                              "[ system ]\nx\n[ molecules ]\n#include \"two.itp\"\n"
                                              "#include \"two.itp\"\n"},
                        {"sys/two.itp", "ROD 1\nSOL 1\n"}});
  CHECK_THROWS_WITH_AS(user.written(),
                       doctest::Contains("two.itp:2: this line of [ molecules ] has to change"), UsageError);
}

TEST_CASE("GROMACS folder: includes come with their whole tree, at the same places") {
  const UserFiles user(
      {{"sys/topol.top",
        "#include <ff/forcefield.itp>\n  #  include \"water/sol.itp\" ; below\n"
        "#ifdef POSRES\n#include \"restraints/posre.itp\"\n#include \"none.itp\"\n#endif\n"
        "[ system ]\nx\n[ molecules ]\nROD 1\n"},
       {"sys/ff/forcefield.itp", "#include \"bonded/rod.itp\"\n#include \"../ff/ions.itp\"\n"},
       {"sys/ff/bonded/rod.itp", force_field},
       {"sys/ff/ions.itp", "; no more\n"},
       {"sys/restraints/posre.itp", "#include \"forces.itp\"\n"},
       {"sys/restraints/forces.itp", "; forces\n"},
       {"sys/water/sol.itp", water},
       {"sys/unused.itp", "; unused\n"}});
  const auto files = user.written();
  CHECK(files.at("topol.top")
            .starts_with("#include <ff/forcefield.itp>\n  #  include \"water/sol.itp\" ; below\n"));
  CHECK(files.at("ff/bonded/rod.itp") == force_field);
  CHECK(files.at("restraints/forces.itp") == "; forces\n");
  CHECK(!files.contains("unused.itp"));
  CHECK(files.size() == 7 + 2);  // conf.gro and index.ndx
  CHECK(read_again(files).second == 2);
}

TEST_CASE("GROMACS folder: files from elsewhere come into it, and are included from there") {
  const UserFiles user(
      {{"sys/topol.top",
        "#include \"../toppar/forcefield.itp\"\n#include \"sol.itp\"\n#include \"ions.itp\"\n"
        "[ system ]\nx\n[ molecules ]\nROD 1\n"},
       {"toppar/forcefield.itp", "#include \"rod.itp\"\n#include \"lib.ff/more.itp\"\n"},
       {"toppar/rod.itp", force_field},
       {"lib/lib.ff/more.itp", "#include \"most.itp\"\n"},
       {"lib/lib.ff/most.itp", "; most\n"},
       {"lib/sol.itp", water},
       {"lib/ions.itp", "#include \"../sys/own.itp\"\n#include \"../other/toppar/rod.itp\"\n"},
       {"sys/own.itp", "; own\n"},
       {"other/toppar/rod.itp", "; another rod\n"}});
  const auto files = user.written({}, {user / "lib"});
  CHECK(files.at("topol.top").starts_with("#include \"toppar/forcefield.itp\"\n#include \"sol.itp\"\n"));
  CHECK(files.at("toppar/forcefield.itp") == "#include \"rod.itp\"\n#include \"../lib.ff/more.itp\"\n");
  CHECK(files.at("lib.ff/more.itp") == "#include \"most.itp\"\n");
  CHECK(files.at("ions.itp").starts_with("#include \"own.itp\"\n"));
  for (const auto& [name, text] : files) {
    CAPTURE(name);
    CHECK(!std::filesystem::path(name).is_absolute());
    CHECK(name.find("..") == std::string::npos);
  }
  CHECK(std::count_if(files.begin(), files.end(),
                      [](const auto& file) { return file.second == "; another rod\n"; }) == 1);
  CHECK(read_again(files).second == 2);
}
