// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "programs/child_process.hpp"
#include "programs/scratch_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace fs = std::filesystem;

namespace {

void write(const std::string& path, const std::string& text, bool executable = false) {
  std::ofstream(path) << text;
  if (executable) fs::permissions(path, fs::perms::owner_all);
}

/// PATH, until the end of a test.
class SearchPath {
 public:
  explicit SearchPath(const std::string& folders) {
    if (const char* const path = std::getenv("PATH")) before_ = path;
    setenv("PATH", folders.c_str(), 1);
  }
  ~SearchPath() { before_ ? setenv("PATH", before_->c_str(), 1) : unsetenv("PATH"); }

 private:
  std::optional<std::string> before_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("programs: folders and files that cannot be run hide no program behind them in PATH") {
  const TemporaryFolder folder;
  for (const char* const name : {"first", "second", "third", "fourth"}) fs::create_directory(folder / name);
  fs::create_directory(folder / "first/solver");
  write(folder / "second/solver", "notes");
  write(folder / "third/solver", "#!/bin/sh\n", true);
  write(folder / "fourth/solver", "#!/bin/sh\n", true);
  const SearchPath path(folder / "first" + ":" + folder / "second" + ":/no/such/folder:" + folder / "third" +
                        ":" + folder / "fourth");
  CHECK(find_program("solver") == folder / "third/solver");
  CHECK(find_program("first").empty());
  CHECK(find_program(folder / "fourth/solver") == folder / "fourth/solver");
  CHECK(find_program(folder / "first/solver").empty());   // a folder
  CHECK(find_program(folder / "second/solver").empty());  // no program
  fs::create_symlink(folder / "third/solver", folder / "first/linked");
  CHECK(find_program("linked") == folder / "first/linked");
  fs::create_symlink(folder / "first/solver", folder / "first/link-to-folder");
  CHECK(find_program("link-to-folder").empty());
}

TEST_CASE("kept folders: what exists already stays, and a new folder takes the files") {
  const TemporaryFolder folder;
  CHECK(make_kept_folder(folder / "new/deep") == folder / "new/deep");
  CHECK(make_kept_folder(folder / "new/deep") == folder / "new/deep");  // still empty
  write(folder / "new/deep/pot.dx", "mine");
  CHECK(make_kept_folder(folder / "new/deep") == folder / "new/deep/run-1");
  CHECK(make_kept_folder(folder / "new/deep") == folder / "new/deep/run-2");
  write(folder / "new/deep/run-3", "a file of that name");
  CHECK(make_kept_folder(folder / "new/deep") == folder / "new/deep/run-4");
  CHECK(text_of(folder / "new/deep/pot.dx") == "mine");
  CHECK(text_of(folder / "new/deep/run-3") == "a file of that name");
  write(folder / "file", "mine");
  CHECK_THROWS_WITH_AS(make_kept_folder(folder / "file"), doctest::Contains("cannot create the folder"),
                       Error);
}
