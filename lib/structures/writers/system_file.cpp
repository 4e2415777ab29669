#include "structures/writers/system_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "files/packing.hpp"
#include "structures/writers/amber_writer.hpp"
#include "structures/writers/charmm_writer.hpp"
#include "structures/writers/gro_writer.hpp"
#include "structures/writers/mmcif_writer.hpp"
#include "structures/writers/pdb_writer.hpp"
#include "structures/writers/pqr_writer.hpp"
#include "structures/writers/xyz_writer.hpp"

namespace ionwell {
namespace {

constexpr std::string_view gzip_ending = ".gz";

struct Ending {
  std::string_view text;
  SystemFormat format;
};
constexpr Ending endings[] = {{".pdb", SystemFormat::pdb},           {".ent", SystemFormat::pdb},
                              {".cif", SystemFormat::mmcif},         {".mmcif", SystemFormat::mmcif},
                              {".gro", SystemFormat::gro},           {".pqr", SystemFormat::pqr},
                              {".crd", SystemFormat::charmm_crd},    {".rst7", SystemFormat::amber_rst7},
                              {".inpcrd", SystemFormat::amber_rst7}, {".xyz", SystemFormat::xyz}};

/// Endings of formats that are not written here.
constexpr std::string_view others[] = {".bz2", ".xz",   ".zst",    ".zip",   ".bcif", ".psf", ".mol2",
                                       ".dx",  ".json", ".prmtop", ".parm7", ".top",  ".itp", ".dcd",
                                       ".xtc", ".trr",  ".nc",     ".h5",    ".tpr",  ".ndx"};

/// Lower case, without .gz.
std::string plain_name(const std::string& path) {
  std::string name = lower_case(path);
  if (name.ends_with(gzip_ending)) name.resize(name.size() - gzip_ending.size());
  return name;
}

std::optional<SystemFormat> format_of_ending(const std::string& path) {
  const std::string name = plain_name(path);
  const auto* const found = std::find_if(std::begin(endings), std::end(endings),
                                         [&](const Ending& e) { return name.ends_with(e.text); });
  return found == std::end(endings) ? std::nullopt : std::optional(found->format);
}

}  // namespace

SystemFormat system_format(const std::string& path) {
  const std::string name = plain_name(path);
  for (const std::string_view ending : others)
    if (name.ends_with(ending))
      fail<UsageError>("-o is ", path, ", and ions are not written as ", ending,
                       "; let it end in .pdb, .cif, .gro, .pqr, .crd, .rst7 or .xyz, also with .gz");
  return format_of_ending(path).value_or(SystemFormat::pdb);
}

bool is_system_name(const std::string& path) {
  return format_of_ending(path).has_value();
}

std::string system_text(const PlacedSystem& system, SystemFormat format) {
  switch (format) {
    case SystemFormat::pdb:
      return pdb_text(system);
    case SystemFormat::mmcif:
      return mmcif_text(system);
    case SystemFormat::gro:
      return gro_text(system);
    case SystemFormat::pqr:
      return pqr_text(system);
    case SystemFormat::charmm_crd:
      return charmm_crd_text(system);
    case SystemFormat::amber_rst7:
      return rst7_text(system);
    case SystemFormat::xyz:
      return xyz_text(system);
  }
  return {};
}

std::string system_bytes(const PlacedSystem& system, const std::string& path) {
  std::string text = system_text(system, system_format(path));
  return lower_case(path).ends_with(gzip_ending) ? gzip(text) : text;
}

}  // namespace ionwell
