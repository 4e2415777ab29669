// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "files/file_bytes.hpp"

/// Packed files: gzip in and out, and the names of what is not unpacked here.
namespace ionwell {

/// Deflate, which packs gzip and HDF5 files, needs at least one byte for so many: a limit of its format.
constexpr std::size_t best_deflate_ratio = 1032;

/// Bytes of text about atoms for each byte of its gzip data, more or less.
constexpr std::size_t usual_ratio = 5;

struct InputLimits {
  /// A gzip file that unpacks to more than this is refused, and a pipe that gives more. A PQR of this size
  /// has 60 million atoms.
  std::size_t unpacked_bytes = std::size_t{1} << 32;
};

/// One gzip member; members one after the other are one gzip file, so that several threads can pack its
/// parts.
std::string gzip(std::string_view text);

/// By the mark at the start.
bool is_gzip(std::string_view bytes);

/// What gzip data unpack to, all members in turn, no byte-order mark; `path` is for messages. Throws Error
/// for data that are cut or damaged, beyond the limit, or larger than the memory that is free.
FileBytes gunzip(std::string_view packed, const std::string& path, const InputLimits& limits = {});

/// Unpacks gzip data that come piece by piece, all members one after the other, without a byte-order mark.
class GzipReader {
 public:
  /// `path` is for messages.
  explicit GzipReader(std::string path);
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;
  ~GzipReader();

  /// Unpacks until there is no more free space in `unpacked`, or nothing of `packed`, of which it takes what
  /// it used. Where space is left all is unpacked that was given. Throws Error for damaged data, and for more
  /// in all than the limit.
  void unpack(std::string_view& packed, GrowingBytes& unpacked, const InputLimits& limits);

  /// After the last piece: throws Error when the data are cut, or were nothing.
  void finish() const;

 private:
  struct State;
  std::string path_;
  std::unique_ptr<State> state_;
};

/// The first bytes of what gzip data unpack to, at most `size`; damage shows when all of it is unpacked.
std::string gunzip_head(std::string_view packed, std::size_t size);

/// Throws Error, with the program that unpacks it, when the bytes at the start of a file say that it is
/// packed with bzip2, xz, zstd or another program, or that it is an archive.
void refuse_other_packing(std::string_view head, const std::string& path);

}  // namespace ionwell
