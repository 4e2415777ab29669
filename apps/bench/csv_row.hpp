// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

namespace ionwell {

/// A file of rows as examples/docs/benchmarks.csv has them: table, what, result, commit, machine, command and
/// status. examples/docs/make-benchmarks makes the page of measurements from it.
class BenchmarkRows {
 public:
  /// Appends to the file at `path`, or makes it. Throws Error if it is not such a file or cannot be written.
  explicit BenchmarkRows(const std::string& path);

  /// One run: the words behind "ionwell-bench", what it printed, and "ok" or "failed: " and the message.
  void append(const std::vector<std::string>& words, const std::string& printed,
              const std::string& status) const;

 private:
  std::string path_;
};

/// Writes to another stream and keeps what was written.
class KeptOutput : public std::streambuf {
 public:
  explicit KeptOutput(std::ostream& out) : out_(out) {}
  const std::string& text() const { return text_; }

 protected:
  int overflow(int character) override;
  std::streamsize xsputn(const char* characters, std::streamsize count) override;
  int sync() override;

 private:
  std::ostream& out_;
  std::string text_;
};

}  // namespace ionwell
