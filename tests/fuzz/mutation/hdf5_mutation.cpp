// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "fuzz/mutation/mutation.hpp"
#include "maps/hdf5_handle.hpp"

namespace ionwell::test {
namespace {

constexpr std::size_t most_bytes = 1 << 17;

/// A copy in memory, which can be changed and becomes no file.
Hdf5Handle open_to_change(std::string_view bytes) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t growth = 4096;
  H5Pset_fapl_core(access, growth, false);
  H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size());
  return {H5Fopen("changed", H5F_ACC_RDWR, access), H5Fclose};
}

std::vector<std::string> data_sets_of(hid_t file) {
  std::vector<std::string> names;
  for_each_data_set(file, [&](const char* name) { names.emplace_back(name); });
  return names;
}

Hdf5Handle odd_type(Random& random) {
  const std::array types = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_STD_I64LE,     H5T_STD_I32BE,
                            H5T_STD_U8LE,   H5T_STD_U32LE,  H5T_C_S1,       H5T_NATIVE_LDOUBLE};
  const std::size_t which = one_of(random, types.size() + 2);
  if (which < types.size()) return {H5Tcopy(types[which]), H5Tclose};
  if (which == types.size()) {  // text of any length
    Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text, one_of(random, 2) == 0 ? H5T_VARIABLE : 1 + one_of(random, 200));
    return text;
  }
  const hsize_t three = 3;
  return {H5Tarray_create2(H5T_IEEE_F64LE, 1, &three), H5Tclose};
}

enum class Lengths { any, small };  // values of an attribute are written when it is made

/// Up to four dimensions, mostly small.
Hdf5Handle odd_space(Random& random, Lengths lengths, std::vector<hsize_t>& counts) {
  counts.resize(one_of(random, 5));
  for (hsize_t& count : counts)
    count = lengths == Lengths::any && one_of(random, 12) == 0 ? odd_length(random) : 1 + one_of(random, 6);
  if (counts.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(int(counts.size()), counts.data(), nullptr), H5Sclose};
}

void change_attribute(hid_t object, Random& random) {
  const int count = H5Aget_num_attrs(object);
  std::string name = odd_name(random);
  if (count > 0) {
    const Hdf5Handle old(H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC,
                                        one_of(random, std::size_t(count)), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
    std::array<char, 128> text{};
    if (old.valid() && H5Aget_name(old, text.size(), text.data()) > 0) name = text.data();
  }
  if (name.empty()) return;
  const std::size_t what = one_of(random, 4);
  if (what == 0) {
    H5Arename(object, name.c_str(), odd_name(random).c_str());
    return;
  }
  H5Adelete(object, name.c_str());
  if (what == 1) return;
  std::vector<double> numbers(1 + one_of(random, 4));
  for (double& number : numbers) number = odd_number(random);
  if (what == 2) {
    set_attribute(object, name.c_str(), numbers);
    return;
  }
  std::vector<hsize_t> counts;
  const Hdf5Handle type = odd_type(random), space = odd_space(random, Lengths::small, counts);
  const Hdf5Handle made(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
}

/// How values lie in the file.
Hdf5Handle odd_layout(Random& random, const std::vector<hsize_t>& counts) {
  Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const std::size_t what = one_of(random, 4);
  if (what == 0 || counts.empty()) return layout;
  if (what == 1) {
    H5Pset_layout(layout, H5D_COMPACT);
    return layout;
  }
  std::vector<hsize_t> chunk(counts.size());
  for (std::size_t n = 0; n < chunk.size(); ++n)
    chunk[n] = std::max<hsize_t>(1, std::min<hsize_t>(counts[n], 1 + one_of(random, 5)));
  H5Pset_chunk(layout, int(chunk.size()), chunk.data());
  if (one_of(random, 2) == 0) H5Pset_shuffle(layout);
  if (one_of(random, 2) == 0) H5Pset_deflate(layout, unsigned(one_of(random, 10)));
  if (one_of(random, 2) == 0) H5Pset_fletcher32(layout);
  return layout;
}

void write_numbers(hid_t set, Random& random) {
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  constexpr hssize_t most = 4096;
  if (points < 1 || points > most) return;
  std::vector<double> numbers(static_cast<std::size_t>(points));
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  numbers[one_of(random, numbers.size())] = odd_number(random);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
}

/// The data set again, otherwise; its attributes go.
void make_again(hid_t file, const std::string& name, Random& random) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  std::vector<hsize_t> counts;
  const Hdf5Handle type = odd_type(random), space = odd_space(random, Lengths::any, counts);
  const Hdf5Handle layout = odd_layout(random, counts);
  const Hdf5Handle set(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, layout, H5P_DEFAULT),
                       H5Dclose);
  if (set.valid() && one_of(random, 2) == 0) write_numbers(set, random);
}

void change_links(hid_t file, const std::vector<std::string>& sets, Random& random) {
  const std::string name = odd_name(random);
  if (name.empty()) return;
  switch (one_of(random, 4)) {
    case 0:
      if (!sets.empty())
        H5Lmove(file, sets[one_of(random, sets.size())].c_str(), file, name.c_str(), H5P_DEFAULT,
                H5P_DEFAULT);
      break;
    case 1:
      H5Lcreate_soft("/", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2:
      H5Lcreate_hard(file, "/", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    default: {
      const Hdf5Handle group(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    }
  }
}

void change(hid_t file, Random& random) {
  const std::vector<std::string> sets = data_sets_of(file);
  const std::size_t what = one_of(random, 6);
  if (sets.empty() || what == 0) return change_links(file, sets, random);
  const std::string& name = sets[one_of(random, sets.size())];
  if (what == 1) return make_again(file, name, random);
  if (what == 2) {
    H5Ldelete(file, name.c_str(), H5P_DEFAULT);
    return;
  }
  if (what == 3) {
    const Hdf5Handle group(H5Oopen(file, "/", H5P_DEFAULT), H5Oclose);
    return change_attribute(group, random);
  }
  const Hdf5Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.valid()) return;
  if (what == 4) return change_attribute(set, random);
  write_numbers(set, random);
}

/// Jenkins' lookup3, as HDF5 has it for metadata.
std::uint32_t lookup3(const unsigned char* key, std::size_t length) {
  std::uint32_t a = 0xdeadbeef + std::uint32_t(length), b = a, c = a;
  const auto word = [&](std::size_t at, std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t n = 0; n < 4 && at + n < count; ++n) value |= std::uint32_t(key[at + n]) << (8 * n);
    return value;
  };
  using std::rotl;
  for (; length > 12; length -= 12, key += 12) {
    a += word(0, 12), b += word(4, 12), c += word(8, 12);
    a -= c, a ^= rotl(c, 4), c += b;
    b -= a, b ^= rotl(a, 6), a += c;
    c -= b, c ^= rotl(b, 8), b += a;
    a -= c, a ^= rotl(c, 16), c += b;
    b -= a, b ^= rotl(a, 19), a += c;
    c -= b, c ^= rotl(b, 4), b += a;
  }
  if (length == 0) return c;
  a += word(0, length), b += word(4, length), c += word(8, length);
  c ^= b, c -= rotl(b, 14);
  a ^= c, a -= rotl(c, 11);
  b ^= a, b -= rotl(a, 25);
  c ^= b, c -= rotl(b, 16);
  a ^= c, a -= rotl(c, 4);
  b ^= a, b -= rotl(a, 14);
  c ^= b, c -= rotl(b, 24);
  return c;
}

/// Puts the checksum of bytes [begin, end) behind them.
void repair(std::string& bytes, std::size_t begin, std::size_t end) {
  if (end < begin || end + 4 > bytes.size()) return;
  const std::uint32_t sum =
      lookup3(reinterpret_cast<const unsigned char*>(bytes.data()) + begin, end - begin);
  for (std::size_t n = 0; n < 4; ++n) bytes[end + n] = char(sum >> (8 * n));
}

}  // namespace

std::optional<std::string> mutated_hdf5(std::string_view bytes, Random& random) {
  const Hdf5Quiet quiet;
  Hdf5Handle file = open_to_change(bytes);
  if (!file.valid()) return {};
  try {
    for (std::size_t changes = 1 + one_of(random, 3); changes > 0; --changes) change(file, random);
  } catch (const Error&) {  // what cannot be listed stays as it is
  }
  if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) return {};
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0 || std::size_t(size) > most_bytes) return {};
  std::string changed(std::size_t(size), '\0');
  if (H5Fget_file_image(file, changed.data(), changed.size()) != size) return {};
  return with_hdf5_checksums(
      changed);  // HDF5 takes a mark out of the image's superblock, and leaves its checksum
}

std::string with_hdf5_checksums(std::string_view bytes) {
  std::string repaired(bytes);
  constexpr std::size_t version_at = 8, superblock_bytes = 44;
  if (repaired.size() > superblock_bytes && repaired.starts_with("\x89HDF") && repaired[version_at] >= 2)
    repair(repaired, 0, superblock_bytes);
  for (std::size_t at = repaired.find("OHDR"); at != std::string::npos; at = repaired.find("OHDR", at + 4)) {
    if (at + 6 > repaired.size()) break;
    const auto flags = std::uint8_t(repaired[at + 5]);
    const std::size_t size_at = at + 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
    const std::size_t size_bytes = std::size_t{1} << (flags & 3);
    if (size_at + size_bytes > repaired.size()) continue;
    std::uint64_t size = 0;
    for (std::size_t n = 0; n < size_bytes; ++n)
      size |= std::uint64_t(std::uint8_t(repaired[size_at + n])) << (8 * n);
    if (size < repaired.size()) repair(repaired, at, size_at + size_bytes + std::size_t(size));
  }
  return repaired;
}

}  // namespace ionwell::test
