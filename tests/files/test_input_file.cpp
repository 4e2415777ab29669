// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "files/input_file.hpp"
#include "support/error_of.hpp"
#include "support/skip.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::string read_error(const std::string& path) {
  return error_of([&] { read_input_file(path); });
}

std::string gunzip_error(std::string_view packed, const InputLimits& limits = {}) {
  return error_of([&] { gunzip(packed, "x.gz", limits); });
}

}  // namespace

TEST_CASE("a file is read whole, packed or not, whatever its name") {
  const std::string text = "two lines\nwith a \xff byte" + std::string(100'000, 'x');
  CHECK(read_input_file(TemporaryFile("plain.gz", text).path()).text() == text);
  CHECK(read_input_file(TemporaryFile("packed.pqr", gzip(text)).path()).text() == text);
}

TEST_CASE("gzip members are joined, and zeros behind them are padding") {
  const std::string packed = gzip("first ") + gzip("") + gzip("last") + std::string(512, '\0');
  CHECK(gunzip(packed, "x.gz").text() == "first last");
  // The size in the last member says 1 byte; the text is much longer.
  const std::string longer(1'000'000, 'y');
  CHECK(gunzip(gzip(longer) + gzip("z"), "x.gz").text() == longer + "z");
}

TEST_CASE("a pipe can be read") {
  const std::string path = TemporaryFile("pipe", "").path();
  const std::string folder = path.substr(0, path.rfind('/'));
  mkdir(folder.c_str(), 0700);
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string text(200'000, 'p');  // more than a pipe holds
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << text; });
  CHECK(read_input_file(path).text() == text);
  writer.join();
  unlink(path.c_str());
  rmdir(folder.c_str());
}

TEST_CASE("files that cannot be read") {
  CHECK(read_error("no/such.pqr") == "no/such.pqr: no such file; check the path");
  CHECK(read_error("/") == "/: is a folder; give a file in it");
  const TemporaryFile empty("empty.pqr", "");
  CHECK(read_error(empty.path()) == empty.path() + ": is empty; check the program that wrote it");
  CHECK(read_error(empty.path() + "/x") ==
        empty.path() + "/x: cannot be opened: Not a directory; check its permissions");
}

TEST_CASE("a file without permission") {
  const TemporaryFile secret("secret.pqr", "x");
  chmod(secret.path().c_str(), 0);
  if (access(secret.path().c_str(), R_OK) == 0) {
    skip("this user may read everything");
    return;
  }
  CHECK(read_error(secret.path()) ==
        secret.path() + ": cannot be opened: Permission denied; check its permissions");
}

TEST_CASE("gzip data that stop early, at any byte") {
  const std::string packed = gzip("some text that goes on for a while");
  for (std::size_t size = 2; size < packed.size(); ++size) {
    CAPTURE(size);
    REQUIRE(gunzip_error(packed.substr(0, size)) ==
            "x.gz: ends in the middle of its gzip data; copy the file again");
  }
  CHECK(gunzip_error(packed + packed.substr(0, 20)) ==
        "x.gz: ends in the middle of its gzip data; copy the file again");
}

TEST_CASE("gzip data that are damaged") {
  std::string packed = gzip("some text that goes on for a while");
  packed[packed.size() - 6] ^= 1;  // in the checksum
  CHECK(gunzip_error(packed) == "x.gz: is damaged gzip data (incorrect data check); copy the file again");
  CHECK(gunzip_error(gzip("text") + "text behind it, and more") ==
        "x.gz: is damaged gzip data (incorrect header check); copy the file again");
  CHECK(gunzip_error(gzip("")) == "x.gz: is empty after decompression; check the program that wrote it");
}

TEST_CASE("gzip data that unpack to too much are refused before they do") {
  std::string bomb = gzip(std::string(10'000'000, '\0'));
  CHECK(bomb.size() < 50'000);
  const std::string message =
      "x.gz: decompresses to more than 1,000,000 bytes, the limit for gzip files; if that is right, "
      "decompress it with gunzip and give that file";
  CHECK(gunzip_error(bomb, {.unpacked_bytes = 1'000'000}) == message);
  std::fill(bomb.end() - 4, bomb.end(), '\0');  // says that it unpacks to nothing
  CHECK(gunzip_error(bomb, {.unpacked_bytes = 1'000'000}) == message);
}
