// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_files.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("output files: the folders that they need are made, and gone again where nothing is committed") {
  const TemporaryFolder folder;
  const auto write = [&](OutputFiles& files) {
    for (const char* const name : {"a.txt", "b/c/d.txt", "b/e.txt"}) {
      files.make_folders(folder.path(), name);
      files.add(folder / name).write("text");
    }
  };
  {
    OutputFiles files;
    write(files);
    CHECK(std::filesystem::is_directory(folder / "b/c"));
  }
  CHECK(folder.entries().empty());
  {
    OutputFiles files;
    write(files);
    files.commit();
  }
  CHECK(read_text(folder / "b/c/d.txt") == "text");
  CHECK(read_text(folder / "b/e.txt") == "text");
}

TEST_CASE("output files: a signal removes the folders that are empty, the inner ones first") {
  const TemporaryFolder folder;
  NewFolder outer(folder / "outer"), inner(folder / "outer/inner"), kept(folder / "kept");
  kept.keep();
  remove_new_folder();
  CHECK(folder.entries() == std::vector<std::string>{"kept"});
}
