// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "files/left_files.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("left files: a locked one stays until its owner lets go") {
  const TemporaryFolder folder;
  const std::string name = owned_name(part_ending), path = folder / name;
  const int file = create_owned_file(path, 0666);
  REQUIRE(file >= 0);
  CHECK(create_owned_file(path, 0666) == -1);
  CHECK(errno == EEXIST);
  const int copy = dup(file);
  close(file);
  remove_left_files(folder.path());
  CHECK(folder.entries() == std::vector<std::string>{name});
  close(copy);
  remove_left_files(folder.path());
  CHECK(folder.entries().empty());
  remove_left_files(folder / "no such folder");
}

TEST_CASE("left files: what is not one of ours stays") {
  const TemporaryFolder folder;
  const std::string ours = owned_name(part_ending);
  const std::string host = ours.substr(0, ours.rfind('-', ours.rfind('-') - 1) + 1);  // ".ionwell-HOST-"
  for (const std::string& name : {ours + "x", ours.substr(1), host + "1.part", host + "a-1.part",
                                  host + "1-1-1.part", host + "1-.part", std::string(".ionwell-1-1.part"),
                                  std::string(".ionwell-else where-1-1.part"), owned_name(mark_ending)})
    write_text(folder / name, "x");
  std::filesystem::create_directory(folder / owned_name(part_ending));
  write_text(folder / "target", "x");
  std::filesystem::create_symlink("target", folder / owned_name(part_ending));
  const std::vector<std::string> before = folder.entries();
  remove_left_files(folder.path());
  CHECK(folder.entries() == before);
  write_text(folder / ours, "x");
  remove_left_files(folder.path());
  CHECK(folder.entries() == before);
}

TEST_CASE("left files: those of another user stay") {
  const TemporaryFolder folder;
  const std::string name = owned_name(part_ending);
  write_text(folder / name, "x");
  constexpr uid_t nobody = 65534;
  if (chown((folder / name).c_str(), nobody, gid_t(-1)) != 0) return skip("only root can give files away");
  remove_left_files(folder.path());
  CHECK(folder.entries() == std::vector<std::string>{name});
}

TEST_CASE("left files: folders without a mark, or with one that is locked, stay") {
  const TemporaryFolder folder;
  const std::string mark = owned_name(mark_ending);
  for (const char* const name : {"ionwell-locked", "ionwell-left", "ionwell-plain", "other"}) {
    std::filesystem::create_directories(folder / name + "/inside");
    write_text(folder / name + "/inside/file", "x");
  }
  write_text(folder / "ionwell-left/" + mark, "");
  write_text(folder / "other/" + mark, "");
  const int lock = create_owned_file(folder / "ionwell-locked/" + mark, 0600);
  std::filesystem::create_directory_symlink("other", folder / "ionwell-link");
  remove_left_folders(folder.path());
  CHECK(folder.entries() ==
        std::vector<std::string>{"ionwell-link", "ionwell-locked", "ionwell-plain", "other"});
  CHECK(read_text(folder / "other/inside/file") == "x");
  CHECK(read_text(folder / "ionwell-locked/inside/file") == "x");
  close(lock);
}
