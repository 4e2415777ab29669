// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "cionize/script.hpp"
#include "cionize/script_words.hpp"
#include "fuzz/script_invariants.hpp"
#include "support/error_of.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;
using cionize::Keyword;
using cionize::ScriptCommand;

TEST_CASE("scripts of cionize: words in any case, options, BEGIN, ions, and nothing after EXIT") {
  const std::vector<ScriptCommand> commands = cionize::parse_script(
      "# a comment\n\n  r_ion_solute 5\r\nXyzDim -1 -2.5 -3 4 5 6e0\nBEGIN\nplaceion MG 12 +2\n"
      "SAVEION a.pdb\nSAVEION XYZ \"a file.pdb\"\nSAVEGRID pot.dx\nexit\nnonsense\n",
      "x.in");
  REQUIRE(commands.size() == 8);
  CHECK(commands[0].keyword == Keyword::r_ion_solute);
  CHECK(commands[0].line == 3);
  CHECK(commands[0].number == 5.0);
  CHECK(commands[1].box == Box{{-1, -2.5, -3}, {4, 5, 6}});
  CHECK(commands[3].name == "MG");
  CHECK(commands[3].count == 12);
  CHECK(commands[3].number == 2.0);
  CHECK_FALSE(commands[4].format.has_value());
  CHECK(commands[5].format == SystemFormat::xyz);
  CHECK(commands[5].path == "a file.pdb");
  CHECK(commands[7].keyword == Keyword::exit);
  CHECK(commands[7].line == 10);
}

TEST_CASE("scripts of cionize: what the original passes over is an error with its line") {
  struct Wrong {
    std::string text, message;
  };
  const std::string long_name(200, 'x');
  for (const Wrong& wrong : {
           Wrong{"BORDERSZIE 10\nBEGIN\n", "x.in:1: 'BORDERSZIE' is not a command; did you mean BORDERSIZE?"},
           Wrong{"BEGIN\nPLACE MG 5 2\n", "x.in:2: 'PLACE' is not a command; HELP lists them"},
           Wrong{"GRIDSPACING half\n", "x.in:1: GRIDSPACING: 'half' is not a number"},
           Wrong{"GRIDSPACING 0\n", "x.in:1: GRIDSPACING is 0; it must be greater than 0"},
           Wrong{"GRIDSPACING nan\n", "x.in:1: GRIDSPACING: 'nan' is not a number"},
           Wrong{"R_ION_ION -1\n", "x.in:1: R_ION_ION is -1; it must not be negative"},
           Wrong{"R_ION_ION\n", "x.in:1: R_ION_ION lacks an argument; write R_ION_ION r"},
           Wrong{"R_ION_ION 5 6\n", "x.in:1: R_ION_ION: '6' is one argument too many"},
           Wrong{"XYZDIM 1 2 3 4 5\n", "x.in:1: XYZDIM lacks an argument; write XYZDIM x0 y0 z0 x1 y1 z1"},
           Wrong{"XYZDIM 1 2 3 4 2 6\n", "x.in:1: XYZDIM: the box goes from 2 to 2 A in y"},
           Wrong{"PLACEION MG 5 2\n", "x.in:1: PLACEION comes before BEGIN"},
           Wrong{"BEGIN\nDDD 3\n", "x.in:2: DDD comes after BEGIN"},
           Wrong{"BEGIN\nBEGIN\n", "x.in:2: BEGIN comes after BEGIN, when the potential is computed already"},
           Wrong{"BEGIN\nPLACEION MG 5\n",
                 "x.in:2: PLACEION lacks an argument; write PLACEION name n charge"},
           Wrong{"BEGIN\nPLACEION MG 2.5 2\n", "x.in:2: PLACEION: the number of ions '2.5' is not a whole"},
           Wrong{"BEGIN\nPLACEION MG 0 2\n", "x.in:2: PLACEION: the number of ions '0'"},
           Wrong{"BEGIN\nPLACEION MG 2 0\n", "x.in:2: PLACEION: the charge is 0"},
           Wrong{"BEGIN\nPLACEION MG 2 1000\n", "x.in:2: PLACEION: the charge '1000' is beyond 100 e"},
           Wrong{"BEGIN\nPLACEION SODIUM 2 1\n", "x.in:2: PLACEION: the name 'SODIUM' has 6 characters"},
           Wrong{"BEGIN\nPLACEION MG 2 2\nSAVEION psf x.psf\n",
                 "x.in:3: SAVEION: 'psf' is not a format of ions"},
           Wrong{"BEGIN\nSAVEION x.pdb\n", "x.in:2: SAVEION comes before the first PLACEION"},
           Wrong{"BEGIN\nSAVEGRID \"x.dx\n", "x.in:2: the quotation mark before 'x.dx' is never closed"},
           Wrong{"BEGIN\nSAVEGRID \"\"\n", "x.in:2: SAVEGRID: the name of the file is empty"},
           Wrong{"R_ION_ION 5\n\n", "x.in:2: the script ends without BEGIN"},
           Wrong{"R_ION_ION 5\nEXIT\nBEGIN\n", "x.in:2: the script ends without BEGIN"},
           Wrong{"# nothing\n", "x.in: contains no command"},
       }) {
    CAPTURE(wrong.text);
    const std::string message = error_of([&] { cionize::parse_script(wrong.text, "x.in"); });
    CAPTURE(message);
    CHECK(message.starts_with(wrong.message));
  }
  // Lines and paths have no limit.
  const auto commands = cionize::parse_script("BEGIN\nSAVEGRID " + long_name + ".dx\n", "x.in");
  CHECK(commands.back().path == long_name + ".dx");
  CHECK(error_of([] { cionize::parse_script("HELP\nSHOWOPT\n", "x.in"); }) == "no error");
}

TEST_CASE("scripts of cionize: HELP names every command in lines that fit") {
  std::ostringstream help;
  cionize::print_keywords(help, 80);
  for (int keyword = 0; keyword <= int(Keyword::exit); ++keyword) {
    const std::string word(cionize::word_of(Keyword(keyword)));
    CAPTURE(word);
    CHECK(help.str().find("\n  " + word) != std::string::npos);
  }
  std::istringstream lines(help.str());
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("scripts of cionize: messages of the library come in the words of the script") {
  CHECK(cionize::in_script_words("a smaller --ion-ion (10 A) or --ion-solute, --border.") ==
        "a smaller R_ION_ION (10 A) or R_ION_SOLUTE, BORDERSIZE.");
  CHECK(cionize::in_script_words("use --backend cpu, or --method direct") ==
        "use --backend cpu, or -m double");
  CHECK(cionize::in_script_words("--msm-cutoff is -1") == "ionwell's --msm-cutoff is -1");
  CHECK(cionize::in_script_words("a-- b --ions x--map --") == "a-- b ionwell's --ions x--map --");
}

TEST_CASE("what the fuzzer starts from in scripts of cionize keeps the invariants, also cut and changed") {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/scripts")) {
    const std::string name = entry.path().filename().string(), bytes = read_text(entry.path().string());
    CAPTURE(name);
    ++files;
    for (std::size_t at = 0; at <= bytes.size(); ++at) {
      CAPTURE(at);
      CHECK(broken_script_invariant(std::string_view(bytes).substr(0, at)) == "");
      for (const char c : {'"', '#', '\n', ' ', '-', '\0'}) {
        std::string changed = bytes;
        if (at < changed.size()) changed[at] = c;
        CHECK(broken_script_invariant(changed) == "");
      }
    }
  }
  CHECK(files > 5);
}
