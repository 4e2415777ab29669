// SPDX-License-Identifier: BSD-3-Clause
#include "maps/hdf5_handle.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

namespace ionwell {
namespace {

bool write_attribute(hid_t object, const char* name, hid_t type, const std::vector<hsize_t>& size,
                     const void* data) {
  const Hdf5Handle space(size.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, size.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.valid() && H5Awrite(attribute, type, data) >= 0;
}

bool has_attribute(hid_t object, const char* name) {
  const htri_t exists = H5Aexists(object, name);
  if (exists < 0) fail<UnreadableAttribute>("the attribute ", name, " cannot be read");
  return exists > 0;
}

// HDF5 1.12 changed what it tells of an object, and the functions that tell it. Their names without a number
// are one or the other by how the library was built; these are the same in every build.
#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info2_t;
herr_t visit_objects(hid_t root, H5O_iterate2_t visit, void* data) {
  return H5Ovisit3(root, H5_INDEX_NAME, H5_ITER_INC, visit, data, H5O_INFO_BASIC);
}
#else
using ObjectInfo = H5O_info_t;
herr_t visit_objects(hid_t root, H5O_iterate_t visit, void* data) {
  return H5Ovisit(root, H5_INDEX_NAME, H5_ITER_INC, visit, data);
}
#endif

struct Visit {
  const std::function<void(const char*)>& use;
  std::exception_ptr thrown;  // must not go through HDF5, which is C
};

herr_t use_data_set(hid_t, const char* name, const ObjectInfo* info, void* data) {
  constexpr herr_t go_on = 0, stop = -1;
  constexpr std::ptrdiff_t deepest = 64;  // a damaged file's groups may be in themselves
  auto& visit = *static_cast<Visit*>(data);
  try {
    if (std::count(name, name + std::strlen(name), '/') > deepest)
      fail<UnreadableAttribute>("groups are nested more than ", deepest, " deep");
    if (info->type != H5O_TYPE_DATASET) return go_on;
    visit.use(name);
    return go_on;
  } catch (...) {
    visit.thrown = std::current_exception();
    return stop;
  }
}

/// Fixed length, null-padded: what h5py, PyTables and openPMD's readers all take.
Hdf5Handle text_type(std::size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(length, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

}  // namespace

Hdf5Handle open_hdf5(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
}

Hdf5Handle open_hdf5_image(std::string_view bytes) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t growth = std::size_t{1} << 16;  // of no use here: nothing is written
  constexpr hbool_t into_a_file = 0;
  void* const image = const_cast<char*>(bytes.data());  // HDF5 takes a copy
  if (H5Pset_fapl_core(access, growth, into_a_file) < 0 || H5Pset_file_image(access, image, bytes.size()) < 0)
    return {H5I_INVALID_HID, H5Fclose};
  return {H5Fopen("image", H5F_ACC_RDONLY, access), H5Fclose};
}

bool has_all_bytes(hid_t set, hsize_t bytes) {
  const Hdf5Handle made(H5Dget_create_plist(set), H5Pclose);
  return H5Pget_layout(made) != H5D_COMPACT || H5Dget_storage_size(set) >= bytes;
}

void for_each_data_set(hid_t root, const std::function<void(const char*)>& use) {
  Visit visit{use, nullptr};
  visit_objects(root, use_data_set, &visit);
  if (visit.thrown) std::rethrow_exception(visit.thrown);
}

bool set_attribute(hid_t object, const char* name, const std::string& value) {
  return write_attribute(object, name, text_type(value.size()), {}, value.c_str());
}

bool set_attribute(hid_t object, const char* name, const std::vector<std::string>& values) {
  std::size_t longest = 1;
  for (const std::string& value : values) longest = std::max(longest, value.size());
  std::string all;
  for (std::string value : values) {
    value.resize(longest, '\0');
    all += value;
  }
  return write_attribute(object, name, text_type(longest), {values.size()}, all.data());
}

bool set_attribute(hid_t object, const char* name, double value) {
  return write_attribute(object, name, H5T_NATIVE_DOUBLE, {}, &value);
}

bool set_attribute(hid_t object, const char* name, const std::vector<double>& values) {
  return write_attribute(object, name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

bool set_attribute(hid_t object, const char* name, std::uint32_t value) {
  return write_attribute(object, name, H5T_NATIVE_UINT32, {}, &value);
}

std::vector<std::string> texts_attribute(hid_t object, const char* name) {
  std::vector<std::string> result;
  if (!has_attribute(object, name)) return result;
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  constexpr hssize_t most = 1024;
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_STRING || count < 1 || count > most) return result;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(std::size_t(count), nullptr);
    if (H5Aread(attribute, type, texts.data()) < 0) return result;
    for (const char* const text : texts) result.emplace_back(text != nullptr ? text : "");
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    return result;
  }
  const std::size_t length = H5Tget_size(type);
  std::string all(length * std::size_t(count), '\0');
  if (H5Aread(attribute, type, all.data()) < 0) return result;
  for (std::size_t n = 0; n < std::size_t(count); ++n) {
    std::string text = all.substr(n * length, length);
    text.resize(std::min(text.find('\0'), text.size()));
    result.push_back(text);
  }
  return result;
}

std::optional<std::string> text_attribute(hid_t object, const char* name) {
  const std::vector<std::string> texts = texts_attribute(object, name);
  if (texts.size() != 1) return std::nullopt;
  return texts.front();
}

std::vector<double> numbers_attribute(hid_t object, const char* name) {
  if (!has_attribute(object, name)) return {};
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  constexpr hssize_t most = 1024;
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const H5T_class_t kind = H5Tget_class(type);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || count < 1 || count > most) return {};
  std::vector<double> numbers(std::size_t(count), 0.0);
  if (H5Aread(attribute, H5T_NATIVE_DOUBLE, numbers.data()) < 0) return {};
  return numbers;
}

}  // namespace ionwell
