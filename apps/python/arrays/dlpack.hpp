// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// What a capsule of DLPack holds, as the specification of version 1.0 has it in memory; Python's array API
/// (2023.12) says how capsules are requested.
namespace ionwell::python {

/// Where an array is.
struct DlpackDevice {
  std::int32_t type, number;

  bool operator==(const DlpackDevice&) const = default;
};
constexpr DlpackDevice host_of_dlpack{1, 0};
constexpr std::int32_t cuda_of_dlpack = 2, cuda_host_of_dlpack = 3, cuda_managed_of_dlpack = 13;

struct DlpackType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
constexpr std::uint8_t int_of_dlpack = 0, unsigned_of_dlpack = 1, float_of_dlpack = 2;

struct DlpackTensor {
  void* data;
  DlpackDevice device;
  std::int32_t dimensions;
  DlpackType type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: the last index runs fastest, without gaps
  std::uint64_t byte_offset;
};

/// In a capsule "dltensor".
struct DlpackManaged {
  DlpackTensor tensor;
  void* context;
  void (*deleter)(DlpackManaged*);
};

struct DlpackVersion {
  std::uint32_t major, minor;
};

/// In a capsule "dltensor_versioned".
struct DlpackVersioned {
  DlpackVersion version;
  void* context;
  void (*deleter)(DlpackVersioned*);
  std::uint64_t flags;
  DlpackTensor tensor;
};

constexpr const char *unversioned_name = "dltensor", *versioned_name = "dltensor_versioned";
constexpr DlpackVersion dlpack_version{1, 0};
constexpr std::uint64_t copied_flag = 2;

}  // namespace ionwell::python
