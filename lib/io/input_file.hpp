#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace ionwell {

/// Deflate, which packs gzip and HDF5 files, needs at least one byte for so many: a limit of its format.
constexpr std::size_t best_deflate_ratio = 1032;

struct InputLimits {
  /// A gzip file that unpacks to more than this is refused. A PQR of this size has 60 million atoms.
  std::size_t unpacked_bytes = std::size_t{1} << 32;
};

/// The bytes of a file, in memory that is not filled with zeros first.
class FileBytes {
 public:
  FileBytes(std::unique_ptr<char[]> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}

  std::string_view text() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

/// The whole file, unpacked when its first bytes say gzip, whatever its name; pipes can be read too. It is
/// for text about atoms, which packs to no less than a 64th. Throws Error when it is missing, a directory,
/// empty, not readable, or cut or damaged gzip data.
FileBytes read_input_file(const std::string& path, const InputLimits& limits = {});

/// The whole file as it is. Throws as above.
FileBytes read_file_bytes(const std::string& path, const InputLimits& limits = {});

bool is_gzip(std::string_view bytes);

/// What gzip data unpack to, all members one after the other; `path` is for messages.
FileBytes gunzip(std::string_view packed, const std::string& path, const InputLimits& limits = {});

}  // namespace ionwell
