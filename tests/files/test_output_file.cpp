// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "files/output_file.hpp"
#include "support/error_of.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::string write_error(const std::string& path) {
  return error_of([&] { write_file(path, "text"); });
}

}  // namespace

TEST_CASE("output file: is there only after commit, and then complete") {
  const TemporaryFolder folder;
  const std::string path = folder / "ions.pdb";
  {
    OutputFile file(path);
    file.write("one ");
    file.write("two");
    CHECK_FALSE(std::filesystem::exists(path));
    file.commit();
    CHECK(read_text(path) == "one two");
    CHECK(folder.entries() == std::vector<std::string>{"ions.pdb"});
  }
  {
    OutputFile replacement(path);
    replacement.write("three");
    CHECK(read_text(path) == "one two");
  }
  CHECK(read_text(path) == "one two");  // not committed: the old file stays, and nothing else
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb"});
  write_file(path, "four");
  CHECK(read_text(path) == "four");
}

TEST_CASE("output file: has the permissions that the user's mask gives any new file") {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_file(folder / "a", "x");
  umask(before);
  struct stat status {};
  REQUIRE(stat((folder / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("output file: who may read a file stays as it was when it is replaced") {
  const TemporaryFolder folder;
  write_text(folder / "a", "old");
  REQUIRE(chmod((folder / "a").c_str(), 0640) == 0);
  write_file(folder / "a", "new");
  struct stat status {};
  REQUIRE(stat((folder / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  CHECK(read_text(folder / "a") == "new");
}

TEST_CASE("output file: replaces what a link leads to, not the link") {
  const TemporaryFolder folder;
  write_file(folder / "real.pdb", "old");
  std::filesystem::create_symlink("real.pdb", folder / "link.pdb");
  write_file(folder / "link.pdb", "new");
  CHECK(std::filesystem::is_symlink(folder / "link.pdb"));
  CHECK(read_text(folder / "real.pdb") == "new");
}

TEST_CASE("output file: writes what a link leads to, though nothing is there yet") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "there");
  std::filesystem::create_symlink("there/real.pdb", folder / "middle");
  std::filesystem::create_symlink(folder / "middle", folder / "link.pdb");
  CHECK(same_file(folder / "link.pdb", folder / "there/real.pdb"));
  write_file(folder / "link.pdb", "new");
  CHECK(read_text(folder / "there/real.pdb") == "new");
  CHECK(folder.entries() == std::vector<std::string>{"link.pdb", "middle", "there"});
  CHECK(std::filesystem::is_symlink(folder / "link.pdb"));
  std::filesystem::create_symlink("no/real.pdb", folder / "astray.pdb");
  CHECK(write_error(folder / "astray.pdb") == "cannot write " + folder / "no/real.pdb" +
                                                  ": there is no folder " + folder / "no" +
                                                  "; create it first, or correct the name");
  std::filesystem::create_symlink("round", folder / "round");
  CHECK(write_error(folder / "round").find(": Too many levels of symbolic links; ") != std::string::npos);
}

TEST_CASE("output file: knows standard output by any name") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/stdout", folder / "link");
  for (const std::string& name : {std::string("-"), std::string("/dev/stdout"), std::string("/dev/fd/1"),
                                  std::string("/proc/self/fd/1"), folder / "link"}) {
    CAPTURE(name);
    CHECK(is_standard_output(name));
    CHECK(same_file(name, "-"));
  }
  CHECK_FALSE(is_standard_output("./-"));
  CHECK_FALSE(is_standard_output("/dev/stderr"));
  CHECK_FALSE(same_file("-", "/dev/stderr"));
}

TEST_CASE("output file: one that was committed can be withdrawn, unless it took another's place") {
  const TemporaryFolder folder;
  write_file(folder / "old", "x");
  OutputFile a(folder / "old"), b(folder / "new"), c(folder / "open");
  for (OutputFile* const file : {&a, &b}) {
    file->write("y");
    file->finish();
    CHECK(folder.entries().size() > 2);
    file->commit();
  }
  for (OutputFile* const file : {&a, &b, &c}) file->withdraw();
  CHECK_FALSE(std::filesystem::exists(folder / "new"));
  CHECK(read_text(folder / "old") == "y");
}

TEST_CASE("output file: unfinished ones can be removed by a signal handler, finished ones stay") {
  const TemporaryFolder folder;
  write_file(folder / "done", "x");
  OutputFile a(folder / "a"), b(folder / "b");
  a.write("1");
  CHECK(folder.entries().size() == 3);
  remove_unfinished_files();
  CHECK(folder.entries() == std::vector<std::string>{"done"});
}

TEST_CASE("output file: devices are written directly") {
  write_file("/dev/null", "x");
  check_writable("/dev/null");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK(error_of([] { write_file("/dev/full", "x"); }) ==
        "cannot write /dev/full: No space left on device; free some space or choose another disk");
}

TEST_CASE("output file: says what is in the way, and leaves nothing") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, "x");
  CHECK(write_error(folder / "no/ions.pdb") == "cannot write " + (folder / "no/ions.pdb") +
                                                   ": there is no folder " + (folder / "no") +
                                                   "; create it first, or correct the name");
  CHECK(write_error(file + "/ions.pdb") ==
        "cannot write " + file + "/ions.pdb: " + file + " is not a folder; correct the name");
  CHECK(write_error(folder.path()) ==
        "cannot write " + folder.path() + ": it is a folder; add the name of the file");
  CHECK(write_error(folder / "new/") ==
        "cannot write " + (folder / "new/") + ": it is a folder; add the name of the file");
  const std::string long_name = folder / std::string(300, 'x');
  CHECK(write_error(long_name) ==
        "cannot write " + long_name + ": File name too long; choose a shorter name");
  if (std::filesystem::exists("/proc/self"))  // mounted: else it is a folder like any other
    CHECK(write_error("/proc/ions.pdb").find("cannot write /proc/ions.pdb: ") == 0);
  CHECK(write_error("") == "the name of an output file is empty; give a name");
  CHECK(error_of([&] { check_writable(folder / "no/ions.pdb"); }) == write_error(folder / "no/ions.pdb"));
  check_writable(folder / "new.pdb");
  check_writable(file);
  CHECK(read_text(file) == "x");
  CHECK(folder.entries() == std::vector<std::string>{"file"});
}

TEST_CASE("output file: what the user may not write is refused") {
  if (geteuid() == 0) {
    skip("root may write everywhere");
    return;
  }
  const TemporaryFolder folder;
  write_file(folder / "kept", "x");
  chmod((folder / "kept").c_str(), 0444);
  CHECK(write_error(folder / "kept") ==
        "cannot write " + (folder / "kept") +
            ": Permission denied; choose a folder and a name that you may write to");
  chmod(folder.path().c_str(), 0555);
  CHECK(write_error(folder / "new") ==
        "cannot write " + (folder / "new") +
            ": Permission denied; choose a folder and a name that you may write to");
  chmod(folder.path().c_str(), 0755);
}

TEST_CASE("output file: a full disk costs neither the old file nor the space") {
  const TemporaryFolder folder;
  if (mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    skip("mounting a small disk needs the rights of root");
    return;
  }
  const std::string path = folder / "ions.pdb";
  write_file(path, "old");
  CHECK(error_of([&] { write_file(path, std::string(200'000, 'x')); }) ==
        "cannot write " + path + ": No space left on device; free some space or choose another disk");
  CHECK(read_text(path) == "old");
  CHECK(folder.entries() == std::vector<std::string>{"ions.pdb"});
  umount(folder.path().c_str());
}

TEST_CASE("output file: knows the input by any spelling") {
  const TemporaryFolder folder;
  const std::string input = folder / "a.pqr";
  write_file(input, "x");
  std::filesystem::create_symlink("a.pqr", folder / "link");
  std::filesystem::create_hard_link(input, folder / "hard");
  for (const std::string& name : {folder / "./a.pqr", folder / "link", folder / "hard"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(check_not_input(name, input), UsageError);
    CHECK(error_of([&] { check_not_input(name, input); }) ==
          "the output " + name + " is an input file, " + input +
              ", which would be overwritten; choose another name for the output");
  }
  CHECK(error_of([&] { check_not_input(input, input); }) ==
        "the output " + input +
            " is an input file, which would be overwritten; choose another name for the output");
  check_not_input(folder / "b.pqr", input);
  check_not_input("/dev/null", "/dev/null");
  check_not_input("-", "-");  // as an input that is standard input
  CHECK(same_file(folder / "not/yet", folder / "not/../not/yet"));
  CHECK_FALSE(same_file(folder / "not", folder / "yet"));
}
