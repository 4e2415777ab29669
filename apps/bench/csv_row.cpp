// SPDX-License-Identifier: BSD-3-Clause
#include "bench/csv_row.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>

#include "bench/measure.hpp"
#include "bench/source_commit.hpp"
#include "compute/backend.hpp"
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr const char* first_line = "table,what,result,commit,machine,command,status";
constexpr const char* table_of_printed = "printed";

/// A cell of CSV (RFC 4180): in quotes where it has to be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

/// As a shell takes it.
std::string quoted_word(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || (c != 0 && std::string("-_./:=,+@%").find(char(c)) != std::string::npos);
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The processor and, of a command that names them, the GPUs: asking for them starts CUDA.
std::string describe_machine(const std::vector<std::string>& words) {
  const int threads = thread_count(0);
  std::string machine =
      processor() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  if (std::find(words.begin(), words.end(), "gpu") == words.end()) return machine;
  const DeviceList& gpus = gpu_backend().devices();
  if (gpus.devices.empty()) machine += ", no GPU";
  for (const Device& device : gpus.devices) machine += ", " + device.name;
  return machine;
}

}  // namespace

BenchmarkRows::BenchmarkRows(const std::string& path) : path_(path) {
  std::string line;
  if (std::ifstream file(path); std::getline(file, line) && line != first_line)
    fail("--csv ", path, ": its first line is not '", first_line,
         "'; give a file of such rows, or a new one");
  std::ofstream file(path, std::ios::app);
  if (line.empty()) file << first_line << '\n';
  if (!file.flush()) fail("--csv ", path, ": the file cannot be written; choose another one");
}

void BenchmarkRows::append(const std::vector<std::string>& words, const std::string& printed,
                           const std::string& status) const {
  std::string command = "ionwell-bench";
  for (const std::string& word : words) command += ' ' + quoted_word(word);
  std::ofstream file(path_, std::ios::app);
  const char* separator = "";
  for (const std::string& text : {std::string(table_of_printed), words.front(), printed,
                                  std::string(source_commit), describe_machine(words), command, status}) {
    file << separator << cell(text);
    separator = ",";
  }
  file << '\n';
  if (!file.flush()) fail("--csv ", path_, ": the row cannot be written; is the disk full?");
}

int KeptOutput::overflow(int character) {
  if (character == traits_type::eof()) return traits_type::not_eof(character);
  text_ += char(character);
  return out_.put(char(character)) ? character : traits_type::eof();
}

std::streamsize KeptOutput::xsputn(const char* characters, std::streamsize count) {
  text_.append(characters, std::size_t(count));
  return out_.write(characters, count) ? count : 0;
}

int KeptOutput::sync() {
  return out_.flush() ? 0 : -1;
}

}  // namespace ionwell
