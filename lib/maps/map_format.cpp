// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_format.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "maps/ccp4_map.hpp"
#include "maps/cube_map.hpp"
#include "maps/hdf5_map.hpp"
#include "maps/uhbd_map.hpp"

namespace ionwell {
namespace {

struct Ending {
  std::string_view text;
  MapFormat format;
};

constexpr std::array endings = {
    Ending{".dx", MapFormat::dx},           Ending{".dx.gz", MapFormat::dx_gzip},
    Ending{".dxbin", MapFormat::dx_binary}, Ending{".h5", MapFormat::hdf5},
    Ending{".hdf5", MapFormat::hdf5},       Ending{".cmap", MapFormat::hdf5},
    Ending{".ccp4", MapFormat::ccp4},       Ending{".mrc", MapFormat::mrc},
    Ending{".map", MapFormat::ccp4},        Ending{".cube", MapFormat::cube},
    Ending{".cub", MapFormat::cube},        Ending{".grd", MapFormat::uhbd},
};

bool ends_with_any_case(std::string_view text, std::string_view ending) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a - 'A' + 'a') : a) == b; };
  return text.size() > ending.size() &&
         std::equal(text.end() - std::ptrdiff_t(ending.size()), text.end(), ending.begin(), same);
}

std::optional<MapFormat> format_by_mark(std::string_view head) {
  if (is_hdf5(head)) return MapFormat::hdf5;
  // Before the mark of CCP4, which the values of an OpenDX map may happen to have in its place.
  for (std::string_view rest = head; !rest.empty();) {  // the first line that is neither blank nor a comment
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    if (line.starts_with("object ") || line.starts_with("object\t")) return MapFormat::dx;
    if (!line.empty() && !line.starts_with('#')) break;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (is_ccp4(head)) return MapFormat::ccp4;
  return std::nullopt;
}

/// Whether `read` finds a header.
template <typename Read>
bool is_header(const Read& read, std::string_view head) {
  try {
    read(head, std::string());
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::optional<MapFormat> format_of_name(std::string_view path) {
  for (const Ending& ending : endings)
    if (ends_with_any_case(path, ending.text)) return ending.format;
  return std::nullopt;
}

std::optional<MapFormat> format_of(std::string_view head, std::string_view path) {
  if (const auto format = format_by_mark(head)) return format;
  if (ends_with_any_case(path, ".gz")) path.remove_suffix(3);
  if (const auto format = format_of_name(path)) return format;
  if (is_header(read_cube_header, head)) return MapFormat::cube;
  if (is_header(read_uhbd_header, head)) return MapFormat::uhbd;
  return std::nullopt;
}

bool has_map_mark(std::string_view head) {
  return format_by_mark(head).has_value();
}

}  // namespace ionwell
