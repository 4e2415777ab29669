// SPDX-License-Identifier: BSD-3-Clause
#include "structures/formats/topology_file.hpp"

#include <filesystem>

#include "files/packing.hpp"
#include "structures/amber/prmtop.hpp"

namespace ionwell {
namespace {

bool is_chamber_file(const InputFile& file) {
  constexpr std::size_t enough = 1 << 12;  // the title is its first section
  return is_gzip(file.head()) ? is_chamber(gunzip_head(file.head(), enough)) : is_chamber(file.head());
}

}  // namespace

std::optional<TopologyFile> as_topology(InputFile& file) {
  const std::optional<FileFormat> format = format_of_file(file);
  if (!format || role_of(*format) != FileRole::topology) return {};
  return TopologyFile{.path = file.name(),
                      .format = *format,
                      .has_charmm_names = *format == FileFormat::psf ||
                                          (*format == FileFormat::prmtop && is_chamber_file(file)),
                      .can_be_reopened = file.can_be_reopened()};
}

std::optional<TopologyFile> find_topology(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (is_standard_input(path) || !std::filesystem::is_regular_file(path, ignored)) continue;
    InputFile file(path);
    if (std::optional<TopologyFile> topology = as_topology(file)) return topology;
  }
  return {};
}

}  // namespace ionwell
