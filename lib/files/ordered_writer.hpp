// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "files/output_file.hpp"

namespace ionwell {

/// Takes the parts of a file from several threads, in any order, and writes them in theirs. A thread that
/// brings the part that is due writes it and whatever follows, while the others continue; nobody spins, so
/// that a machine with other work to do loses nothing.
class OrderedWriter {
 public:
  /// At most `most_waiting` parts are kept in memory; whoever brings more waits.
  OrderedWriter(OutputFile& file, std::int64_t most_waiting) : file_(file), most_waiting_(most_waiting) {}

  /// A part that was written, to be filled again: fresh memory for each would cost as much as the text in it.
  /// Or an empty one.
  std::string spare_part();

  /// Part `number`, counted from 0; each must come once. Does not throw: see `finish`.
  void put(std::int64_t number, std::string bytes) noexcept;

  /// Nothing more is written, because a part cannot be made.
  void stop(std::exception_ptr reason) noexcept;

  /// Whether it is of use to make further parts.
  bool stopped() noexcept;

  /// After the last part: throws what went wrong on the way.
  void finish();

 private:
  OutputFile& file_;
  const std::int64_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::map<std::int64_t, std::string> waiting_;
  std::vector<std::string> spare_;
  std::int64_t due_ = 0;
  bool writing_ = false;
  std::exception_ptr error_;
};

}  // namespace ionwell
