// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

/// Changes of files on the level of what is in them, for a fuzzer whose bytes alone do not come past the
/// first look of HDF5 or NetCDF.
namespace ionwell::test {

using Random = std::minstd_rand;

/// One of `count`, which is at least 1.
inline std::size_t one_of(Random& random, std::size_t count) {
  return std::size_t(random()) % count;
}

/// A length, mostly small, sometimes beyond any memory.
std::uint64_t odd_length(Random& random);

/// A number that readers may stumble over.
double odd_number(Random& random);

/// A name that readers look for, or another one.
std::string odd_name(Random& random);

/// Any file with some bytes changed, left out, or there twice, or odd words among them.
std::string mutated_bytes(std::string_view bytes, Random& random);

/// An HDF5 file with an object, attribute, dimension, type, name, or the way that values are laid out,
/// changed; nothing where HDF5 does not open it.
std::optional<std::string> mutated_hdf5(std::string_view bytes, Random& random);

/// The same bytes with the checksums right that HDF5 has in its superblock and in its objects' headers.
std::string with_hdf5_checksums(std::string_view bytes);

/// A classic NetCDF file (CDF-1, 2 or 5) with a dimension, attribute or variable changed, the rest of its
/// header made to fit or not; nothing where its header is none.
std::optional<std::string> mutated_netcdf(std::string_view bytes, Random& random);

}  // namespace ionwell::test
