// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

/// The little of HDF5 that maps need: handles that close themselves, attributes in and out. HDF5 may
/// have been built without locks: one thread at a time.
namespace ionwell {

/// A file, data set, type or space of HDF5, closed when this ends.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }  // NOLINT: so that it goes where HDF5 takes a handle
  bool valid() const { return id_ >= 0; }

  /// Closes now; false when what was still to be written could not be.
  bool close() { return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_;
  Close close_;
};

/// HDF5 prints its errors to the terminal unless told not to. And at the program's end it tries once more to
/// write what a full disk has refused, and crashes; everything here is closed before, so it need do nothing
/// then.
class Hdf5Quiet {
 public:
  Hdf5Quiet() {
    H5dont_atexit();  // does nothing from the second time on
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Opens the file to read. The handle is not valid when it cannot be opened.
Hdf5Handle open_hdf5(const std::string& path);

/// The same for a file that is in memory, where HDF5 keeps a copy of it.
Hdf5Handle open_hdf5_image(std::string_view bytes);

/// False for a data set in its object's header that is shorter than its `bytes`: HDF5 would read after it.
bool has_all_bytes(hid_t set, hsize_t bytes);

/// Calls use(name) for each data set under `root`, in the order of their names.
void for_each_data_set(hid_t root, const std::function<void(const char*)>& use);

/// Each returns false when HDF5 could not write.
bool set_attribute(hid_t object, const char* name, const std::string& value);
bool set_attribute(hid_t object, const char* name, const std::vector<std::string>& values);
bool set_attribute(hid_t object, const char* name, double value);
bool set_attribute(hid_t object, const char* name, const std::vector<double>& values);
bool set_attribute(hid_t object, const char* name, std::uint32_t value);

/// A damaged attribute.
struct UnreadableAttribute : Error {
  using Error::Error;
};

/// Nothing when there is no such attribute, or it holds something else. Throw UnreadableAttribute.
std::optional<std::string> text_attribute(hid_t object, const char* name);
std::vector<std::string> texts_attribute(hid_t object, const char* name);
std::vector<double> numbers_attribute(hid_t object, const char* name);

}  // namespace ionwell
