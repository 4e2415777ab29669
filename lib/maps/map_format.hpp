// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

/// Which format a map has: its bytes tell, and its name where they leave it open.
namespace ionwell {

/// All that are read and written.
enum class MapFormat { dx, dx_gzip, dx_binary, hdf5, ccp4, mrc, cube, uhbd };

/// By the ending, in any case.
std::optional<MapFormat> format_of_name(std::string_view path);

/// By the first bytes, unpacked; then by the name, with or without .gz after it; then by whether the bytes
/// are a header of those formats that have no mark of their own.
std::optional<MapFormat> format_of(std::string_view head, std::string_view path);

/// Whether the first bytes alone tell the format, by a mark at their start.
bool has_map_mark(std::string_view head);

}  // namespace ionwell
