// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "support/example.hpp"
#include "support/rod_files.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using nlohmann::json;

TEST_CASE("prepare: a preset has all choices, gives the same bytes, and gives way to the command line") {
  const RodFiles files;
  const std::string preset = files.folder / "preset.json", again = files.folder / "again.pdb",
                    saved_again = files.folder / "saved-again.json";
  REQUIRE(files
              .prepare({"--ion", "MG:1", "--ion", "NA:neutralize", "--salt", "NaCl:0.3", "--seed", "7",
                        "--water-model", "opc", "--cell-shape", "dodecahedron", "--orient", "-o", files.out,
                        "--save-preset", preset, "--quiet"})
              .exit_code == 0);
  const json kept = json::parse(read_text(preset));
  CHECK(kept["preset_format"] == 1);
  CHECK(kept["program"]["version"].is_string());
  CHECK(kept["command"] == "prepare");
  CHECK(kept["options"]["ion"] == json({"MG:1", "NA:neutralize"}));
  CHECK(kept["options"]["seed"] == 7);
  CHECK(kept["options"]["scheme"] == "split");  // not given, and what it is then
  CHECK(kept["options"]["orient"] == true);
  CHECK(!kept["options"].contains("output"));
  CHECK(!kept["options"].contains("threads"));
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"prepare", files.rod, "--preset", preset, "-o", again});
    return run_ionwell(more);
  };
  REQUIRE(run({"--quiet", "--save-preset", saved_again}).exit_code == 0);
  CHECK(read_text(again) == read_text(files.out));
  CHECK(read_text(saved_again) == read_text(preset));
  REQUIRE(run({"--ion", "CA:2", "--water-model", "spce", "--report", files.report, "--quiet"}).exit_code ==
          0);
  CHECK(files.told()["ions"][0]["name"] == "CA");
  CHECK(files.told()["ions"][2]["name"] != "MG");
  CHECK(files.told()["solvation"]["water"]["model"] == "spce");
  // What rules an option out on the command line rules the preset's out.
  CHECK(has(run({"--cell", "60,40,40"}).out, "60.000 x 40.000 x 40.000 A"));
}

TEST_CASE("prepare: a preset that is wrong gets one message with the key") {
  const RodFiles files;
  const std::string preset = files.folder / "preset.json";
  const auto message = [&](const std::string& text) {
    write_text(preset, text);
    const ProgramResult result =
        run_ionwell({"prepare", files.rod, "--ion", "NA:6", "--preset", preset, "-o", files.out});
    CHECK(result.exit_code == 2);
    CHECK(count_in(result.err, "\n") == 1);
    CHECK(!std::filesystem::exists(files.out));
    return result.err;
  };
  const auto options = [](const std::string& text) {
    return R"({"preset_format": 1, "command": "prepare", "options": {)" + text + "}}";
  };
  CHECK(has(message("{\n\"preset_format\": 1,\n}"), "preset.json:3: is not valid JSON"));
  CHECK(has(message(std::string(2'000'000, '[')),
            "preset.json: is nested more than 100 deep, which a preset is not; "));
  CHECK(has(message("[1]"), "has no preset_format"));
  CHECK(has(message(R"({"preset_format": 2, "command": "prepare", "options": {}})"),
            "preset_format is 2, and ionwell"));
  CHECK(has(message(R"({"preset_format": "1", "command": "prepare", "options": {}})"),
            "preset_format is \"1\""));
  CHECK(has(message(R"({"preset_format": 1, "command": "place", "options": {}})"), "command is \"place\""));
  CHECK(has(message(R"({"preset_format": 1, "options": {}})"), "command is missing"));
  CHECK(has(message(R"({"preset_format": 1, "command": "prepare"})"), "options is missing"));
  CHECK(has(message(R"({"preset_format": 1, "command": "prepare", "options": {}, "ion": 3})"),
            "ion is not a key"));
  CHECK(has(message(options(R"("paddng": 9)")),
            "options.paddng is not an option of 'prepare'; did you mean options.padding"));
  CHECK(has(message(options(R"("padding": "9")")), "options.padding is \"9\", but it must be a number"));
  CHECK(has(message(options(R"("padding": 9, "padding": 10)")), "has the key \"padding\" twice"));
  CHECK(has(message(options(R"("seed": 1.5)")), "options.seed is 1.5, but it must be a whole number"));
  CHECK(
      has(message(options(R"("orient": "yes")")), "options.orient is \"yes\", but it must be true or false"));
  CHECK(
      has(message(options(R"("salt": "NaCl:0.1")")), "options.salt is \"NaCl:0.1\", but it must be a list"));
  CHECK(has(message(options(R"("salt": ["NaCl:0.1", 3])")), "options.salt[1] is 3, but it must be a string"));
  CHECK(has(message(options(R"("scheme": "half")")),
            "options.scheme is \"half\", but it must be one of split"));
  CHECK(has(message(options(R"("water-model": null)")),
            "options.water-model is null, but it must be a string"));
  CHECK(has(message(options(R"("output": "a.pdb")")), "options.output is not for presets"));
  CHECK(has(message(options(R"("padding": -9)")), "--padding is -9 A"));
  std::filesystem::remove(preset);
  CHECK(has(run_ionwell({"prepare", files.rod, "--preset", preset, "-o", files.out}).err, "preset.json"));
}

TEST_CASE("prepare: what has no effect in a preset is left out, and on the command line refused") {
  const RodFiles files;
  const std::string preset = files.folder / "preset.json", xyz = files.folder / "system.xyz";
  const auto run = [&](const std::string& options, std::vector<std::string> more) {
    write_text(preset, R"({"preset_format": 1, "command": "prepare", "options": {)" + options + "}}");
    more.insert(more.begin(), {"prepare", files.rod, "--preset", preset, "--quiet"});
    return run_ionwell(more);
  };
  const std::string useless = R"("scheme": "add", "seed": 7, "salt-solute": 4, "ion-names": "amber")";
  CHECK(run(useless, {"--ion", "NA:6", "-o", xyz}).exit_code == 0);
  CHECK(has(run(useless, {"--ion", "NA:6", "-o", xyz, "--seed", "7"}).err,
            "--seed has no effect without --salt; add it, or leave --seed out"));
  CHECK(run(R"("salt": ["NaCl:0.3"], "salt-by": "energy", "seed": 7)", {"-o", xyz}).exit_code == 0);
  CHECK(has(run(R"("salt-by": "energy")", {"--salt", "NaCl:0.3", "--seed", "7", "-o", xyz}).err,
            "--seed has no effect with --salt-by energy: "));
  const std::string cell = R"("cell": "60,50,50", "keep-water": 4)";
  CHECK(run(cell, {"--ion", "NA:6", "--padding", "9", "-o", xyz}).exit_code == 0);
  CHECK(has(run(cell + R"(, "padding": 9)", {"--ion", "NA:6", "-o", xyz}).err,
            "--padding cannot be used with --cell: "));
}

TEST_CASE("tune: keys are options of their own, and an old option is answered with the new one") {
  const RodFiles files;
  const auto message = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"map", files.rod, "-o", files.folder / "m.dx"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_ionwell(words);
    CHECK(result.exit_code == 2);
    CHECK(count_in(result.err, "\n") == 1);
    return result.err;
  };
  CHECK(has(message({"--msm-cutoff", "9"}),
            "--msm-cutoff is a key of --tune now; write --tune msm-cutoff=9\n"));
  CHECK(has(message({"--tune", "msm-cutof=9"}), "ionwell map has no such key; did you mean msm-cutoff?"));
  CHECK(has(message({"--tune", "msm-cutoff"}), "has no value; write --tune msm-cutoff=A"));
  CHECK(has(message({"--tune", "msm-cutoff=9x"}), "--tune msm-cutoff is '9x', which is not a number"));
  CHECK(has(message({"--tune", "spacing=1"}), "'ionwell help tune' lists the keys"));
  const auto former = [&](const std::vector<std::string>& words) { return run_ionwell(words).err; };
  CHECK(has(former({"place", files.rod, "--pb-radius", "NA:2"}), "--pb-radius is --ion-radius now\n"));
  CHECK(has(former({"sample", files.rod, "--every", "5"}), "--every is --sample-every now\n"));
  CHECK(has(former({"sample", files.rod, "--border=9"}), "--border is --wall-distance now\n"));
  CHECK(has(former({"map", files.rod, "--write", "eps"}), "--write is --pb-maps now\n"));
  CHECK(has(former({"map", files.rod, "--map-unit", "mV"}), "--map-unit is --to-unit now\n"));
  CHECK(has(former({"average", files.rod, "a.dcd", "--write", "sd"}), "--write is --statistics now\n"));
  CHECK(has(former({"average", files.rod, "a.dcd", "--map-unit", "mV"}), "--map-unit is --to-unit now\n"));
  CHECK(has(former({"sample", files.rod, "--radius=NA:2"}), "--radius is --ion-radius now\n"));
  CHECK(has(former({"potential", files.rod, "--density", "2"}), "--density is --vertex-density now\n"));
  for (const char* const command : {"place", "prepare", "info"})
    CHECK(has(former({command, files.rod, "--crystal-water", "ignore"}),
              "--crystal-water is --input-water now, for all waters of STRUCTURE; ignore leaves them out\n"));
  CHECK(has(former({"potential", files.rod, "--method", "multilevel"}),
            "--method multilevel is --method msm now\n"));
  const auto place = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"place",  files.rod, "--ion", "NA:1", "-o", files.folder / "i.pdb",
                                      "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };
  CHECK(has(place({"--tune", "no-refine=yes"}).err, "takes no value; write --tune no-refine\n"));
  CHECK(has(place({"--no-refine"}).err, "--no-refine is a key of --tune now; write --tune no-refine\n"));
  REQUIRE(place({"--method", "msm", "--tune=msm-cutoff=7", "--tune", "msm-spacing=1.5", "--tune", "no-refine",
                 "--report", files.report})
              .exit_code == 0);
  CHECK(files.told()["command"].get<std::string>().find("msm-cutoff=7") != std::string::npos);
  CHECK(has(files.told().dump(), "\"cutoff_A\":7.0"));
  CHECK(has(files.told().dump(), "\"refined\":false"));
  const std::string help = run_ionwell({"help", "tune"}).out;
  for (const char* const key :
       {"\n  msm-cutoff=A  (place, map, average, sample)\n", "\n  no-refine  (place)\n"})
    CHECK(has(help, key));
}

TEST_CASE("options: one that is given twice is called as it is written") {
  const auto message = [](const std::vector<std::string>& twice) {
    std::vector<std::string> words = {"place", duplex, "--ion", "MG:1", "-o", "x.pdb"};
    words.insert(words.end(), twice.begin(), twice.end());
    return run_ionwell(words).err;
  };
  CHECK(message({"--tune", "simd=avx2", "--tune", "simd=baseline"}) ==
        "ionwell: --tune simd is given more than once; give it once\n");
  CHECK(message({"--spacing", "1", "--spacing", "2"}) ==
        "ionwell: --spacing is given more than once; give it once\n");
}

TEST_CASE("options: the word that stands for none is accepted anywhere") {
  const TemporaryFolder folder;
  CHECK(run_ionwell({"place", duplex, "--ion", "MG:1", "--spacing", "2", "--model", "sites", "--pb", "none",
                     "-o", folder / "x.pdb", "--quiet"})
            .exit_code == 0);
  CHECK(run_ionwell({"map", duplex, "--spacing", "3", "--pb", "own", "--method", "auto", "-o",
                     folder / "x.dx", "--quiet"})
            .exit_code == 0);
}
