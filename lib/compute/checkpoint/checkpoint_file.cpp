// SPDX-License-Identifier: BSD-3-Clause
#include "compute/checkpoint/checkpoint_file.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "compute/checkpoint/fingerprint.hpp"
#include "maps/hdf5_handle.hpp"

namespace ionwell {
namespace {

constexpr const char *checkpoint_mark = "ionwell_checkpoint", *fingerprint_name = "fingerprint";
constexpr std::uint32_t checkpoint_version = 1;
constexpr const char* checkpoint_way_out =
    "; give the checkpoint of this run, or start again without --resume";

struct Hdf5Types {
  hid_t in_file, in_memory;
};

Hdf5Types types_of(double) {
  return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
}
Hdf5Types types_of(float) {
  return {H5T_IEEE_F32LE, H5T_NATIVE_FLOAT};
}
Hdf5Types types_of(std::int64_t) {
  return {H5T_STD_I64LE, H5T_NATIVE_INT64};
}

template <typename T>
bool write_values(hid_t root, const std::string& name, const std::vector<T>& values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Types types = types_of(T{});
  Hdf5Handle set(H5Dcreate2(root, name.c_str(), types.in_file, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose);
  return set.valid() &&
         (size == 0 || H5Dwrite(set, types.in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0) &&
         set.close();
}

template <typename T>
SavedState::Array read_values(hid_t set, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0 && H5Dread(set, types_of(T{}).in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail<DamagedState>("");
  return values;
}

/// `file_bytes`: of the file that has it, which no array can be larger than.
SavedState::Array read_array(hid_t root, const char* name, std::uintmax_t file_bytes) {
  const Hdf5Handle set(H5Dopen2(root, name, H5P_DEFAULT), H5Dclose);
  if (!set.valid()) fail<DamagedState>("");
  const Hdf5Handle space(H5Dget_space(set), H5Sclose), type(H5Dget_type(set), H5Tclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const std::size_t bytes = H5Tget_size(type);
  if (H5Sget_simple_extent_ndims(space) != 1 || count < 0 || bytes == 0 ||
      std::uintmax_t(count) > file_bytes / bytes || !has_all_bytes(set, hsize_t(count) * bytes))
    fail<DamagedState>("");
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return read_values<double>(set, std::size_t(count));
  if (H5Tequal(type, H5T_IEEE_F32LE) > 0) return read_values<float>(set, std::size_t(count));
  if (H5Tequal(type, H5T_STD_I64LE) > 0) return read_values<std::int64_t>(set, std::size_t(count));
  fail<DamagedState>("");
}

/// Of all arrays: HDF5's own checksums are of chunks and headers, and not of where these are.
std::string fingerprint_of(const SavedState& state) {
  Fingerprint fingerprint;
  for (const auto& [name, array] : state.arrays()) {
    fingerprint.add(name);
    fingerprint.add(std::int64_t(array.index()));
    std::visit(
        [&](const auto& values) {
          fingerprint.add(std::ssize(values));
          fingerprint.add(std::string_view(reinterpret_cast<const char*>(values.data()),
                                           values.size() * sizeof values[0]));
        },
        array);
  }
  return fingerprint.text();
}

std::vector<std::string> identity_texts(const RunIdentity& identity) {
  std::vector<std::string> texts;
  texts.reserve(identity.size());
  for (const auto& [name, value] : identity) texts.push_back(name + " " + value);
  return texts;
}

void check_run(const std::vector<std::string>& saved, const RunIdentity& identity, const std::string& path) {
  const std::vector<std::string> now = identity_texts(identity);
  const auto name_of = [](const std::string& text) { return text.substr(0, text.find(' ')); };
  const auto [there, here] = std::mismatch(saved.begin(), saved.end(), now.begin(), now.end());
  if (there == saved.end() && here == now.end()) return;
  const bool same_name = there != saved.end() && here != now.end() && name_of(*there) == name_of(*here);
  // Options without a value are left out of an identity: where the names differ, one of both has one more.
  const bool only_there =
      there != saved.end() && (here == now.end() || std::find(there, saved.end(), *here) != saved.end());
  fail(path, ": is the checkpoint of another run: that was ",
       same_name || only_there ? "with " + *there : "without " + name_of(*here), ", and this run is ",
       same_name || !only_there ? "with " + *here : "without " + name_of(*there), checkpoint_way_out);
}

}  // namespace

void write_checkpoint(OutputFile& file, const RunIdentity& identity, const SavedState& state) {
  const Hdf5Quiet quiet;
  const auto require = [&](bool fine) {
    if (fine) return;
    if (errno != 0) file.fail_to_write(errno);
    fail("cannot write ", file.path(), ": HDF5 reports an error; is the disk full?");
  };
  errno = 0;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
          H5Pset_file_locking(access, false, true) >= 0);
  Hdf5Handle root(H5Fcreate(file.path_for_libraries().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  require(root.valid());
  require(set_attribute(root, checkpoint_mark, checkpoint_version) &&
          set_attribute(root, "identity", identity_texts(identity)) &&
          set_attribute(root, fingerprint_name, fingerprint_of(state)));
  for (const auto& [name, array] : state.arrays())
    require(
        std::visit([&, set = name](const auto& values) { return write_values(root, set, values); }, array));
  require(root.close());
}

SavedState read_checkpoint(const std::string& path, const RunIdentity& identity) {
  const Hdf5Quiet quiet;
  std::error_code unknown;
  const std::uintmax_t file_bytes = std::filesystem::file_size(path, unknown);
  const Hdf5Handle root = open_hdf5(path);
  if (!root.valid() || unknown)
    fail(path, ": is not an HDF5 file, or is truncated or damaged", checkpoint_way_out);
  try {
    if (numbers_attribute(root, checkpoint_mark) != std::vector<double>{double(checkpoint_version)})
      fail(path, ": is an HDF5 file, but not a checkpoint of this version", checkpoint_way_out);
    check_run(texts_attribute(root, "identity"), identity, path);
    SavedState state;
    for_each_data_set(root, [&](const char* name) { state.put(name, read_array(root, name, file_bytes)); });
    if (text_attribute(root, fingerprint_name) == fingerprint_of(state)) return state;
  } catch (const UnreadableAttribute&) {
  } catch (const DamagedState&) {
  }
  fail(path, ": is truncated or damaged", checkpoint_way_out);
}

}  // namespace ionwell
