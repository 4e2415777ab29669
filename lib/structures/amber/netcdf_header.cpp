// SPDX-License-Identifier: BSD-3-Clause
#include "structures/amber/netcdf_header.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <vector>

#include "files/binary_values.hpp"

namespace ionwell {
namespace {

/// Thrown and caught here alone.
struct Unsound {};

void require(bool holds) {
  if (!holds) throw Unsound{};
}

class HeaderCheck {
 public:
  explicit HeaderCheck(std::string_view bytes) : bytes_(bytes), version_(bytes.substr(0, 4).back()), at_(4) {}

  void run() {
    take_count();  // of records
    for (std::uint64_t left = take_list(dimensions); left > 0; --left) {
      skip_name();
      sizes_.push_back(take_count());
    }
    require(std::count(sizes_.begin(), sizes_.end(), 0u) <= 1);  // only the records have no size here
    check_attributes();
    for (std::uint64_t left = take_list(variables); left > 0; --left) check_variable();
  }

 private:
  static constexpr std::uint32_t dimensions = 10, variables = 11, attributes = 12;

  template <typename T>
  T take() {
    require(bytes_.size() - at_ >= sizeof(T));
    const T value = load<T>(bytes_.data() + at_, std::endian::native == std::endian::little);
    at_ += sizeof(T);
    return value;
  }
  std::uint64_t take_count() { return version_ == 5 ? take<std::uint64_t>() : take<std::uint32_t>(); }

  /// The number of its elements, each of which takes some bytes.
  std::uint64_t take_list(std::uint32_t tag) {
    const auto found = take<std::uint32_t>();
    const std::uint64_t count = take_count();
    require(found == tag ? count <= bytes_.size() - at_ : found == 0 && count == 0);
    return count;
  }

  /// Bytes are filled up to a multiple of four.
  void skip(std::uint64_t count) {
    require(count <= bytes_.size() - at_);
    const std::uint64_t padded = (count + 3) / 4 * 4;
    require(padded <= bytes_.size() - at_);
    at_ += padded;
  }
  void skip_name() {
    const std::uint64_t length = take_count();
    constexpr std::uint64_t longest = 256;  // NC_MAX_NAME
    require(length > 0 && length <= longest);
    skip(length);
  }

  std::uint64_t take_type_size() {
    constexpr std::uint64_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const auto type = take<std::uint32_t>();
    require(type > 0 && type < (version_ == 5 ? std::size(sizes) : 7));
    return sizes[type];
  }

  void check_attributes() {
    for (std::uint64_t left = take_list(attributes); left > 0; --left) {
      skip_name();
      const std::uint64_t size = take_type_size(), count = take_count();
      require(count <= bytes_.size());
      skip(count * size);
    }
  }

  void check_variable() {
    skip_name();
    const std::uint64_t rank = take_count();
    constexpr std::uint64_t most_dimensions = 1024;  // NC_MAX_VAR_DIMS
    require(rank <= most_dimensions);
    std::uint64_t values = 1;
    for (std::uint64_t d = 0; d < rank; ++d) {
      const std::uint64_t id = take_count();
      require(id < sizes_.size() && (sizes_[id] > 0 || d == 0));
      constexpr std::uint64_t most = std::uint64_t{1} << 31;
      values *= std::max<std::uint64_t>(sizes_[id], 1);
      require(sizes_[id] < most && values < most);
    }
    check_attributes();
    take_type_size();
    take_count();  // its size, which libnetcdf finds by itself
    const std::uint64_t begin = version_ == 1 ? take<std::uint32_t>() : take<std::uint64_t>();
    require(begin <= bytes_.size());
  }

  std::string_view bytes_;
  char version_;
  std::uint64_t at_;
  std::vector<std::uint64_t> sizes_;  // of the dimensions
};

}  // namespace

bool is_sound_netcdf_header(std::string_view bytes) {
  constexpr std::size_t mark = 4;
  if (bytes.size() < mark) return false;
  try {
    HeaderCheck(bytes).run();
    return true;
  } catch (const Unsound&) {
    return false;
  }
}

}  // namespace ionwell
