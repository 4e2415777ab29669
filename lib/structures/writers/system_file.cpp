// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/system_file.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/geometry/standard_cell.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "files/ordered_writer.hpp"
#include "files/packing.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
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

bool is_packed(const std::string& path) {
  return lower_case(path).ends_with(gzip_ending);
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
      fail<UsageError>("-o is ", path, ", but ions are not written as ", ending,
                       "; use the ending .pdb, .cif, .gro, .pqr, .crd, .rst7 or .xyz, also with .gz");
  return format_of_ending(path).value_or(SystemFormat::pdb);
}

bool is_system_name(const std::string& path) {
  return format_of_ending(path).has_value();
}

TextFormat text_format(SystemFormat format) {
  switch (format) {
    case SystemFormat::pdb:
      return pdb_format();
    case SystemFormat::mmcif:
      return mmcif_format();
    case SystemFormat::gro:
      return gro_format();
    case SystemFormat::pqr:
      return pqr_format();
    case SystemFormat::charmm_crd:
      return charmm_crd_format();
    case SystemFormat::amber_rst7:
      return rst7_format();
    case SystemFormat::xyz:
      return xyz_format();
  }
  return pdb_format();
}

std::string system_text(const PlacedSystem& system, SystemFormat format) {
  return text_of(system, text_format(format));
}

std::vector<std::string> system_warnings(const std::optional<UnitCell>& cell, const std::string& path) {
  const TextFormat format = text_format(system_format(path));
  if (!cell || !format.has_cell || !StandardCell(*cell).is_rotated()) return {};
  return {note(
      path +
      ": this format stores a cell by its lengths and angles, with the vector a along x and b in the plane "
      "of "
      "x and y, and this cell has another orientation: all atoms in the file are rotated with the cell; maps "
      "and reports keep the orientation of the input")};
}

std::string system_bytes(const PlacedSystem& system, const std::string& path) {
  std::string text = system_text(system, system_format(path));
  return is_packed(path) ? gzip(text) : text;
}

void write_system(OutputFile& file, const PlacedSystem& system, int threads,
                  const std::function<void(double)>& progress) {
  const TextFormat format = text_format(system_format(file.path()));
  const bool packed = is_packed(file.path());
  const auto write = [&](const std::string& text) {
    if (!text.empty()) packed ? file.write(gzip(text)) : file.write(text);
  };
  const WrittenSystem written(system, format);
  threads = thread_count(threads);
  write(format.head(written));
  // A round of pieces for each thread at a time: between them the caller hears how far it is.
  const std::int64_t pieces = written.pieces(), round = 64 * threads;
  for (std::int64_t begin = 0; begin < pieces; begin += round) {
    OrderedWriter writer(file, 4 * threads);
    parallel_ranges({threads, 1}, std::min(round, pieces - begin),
                    [&](std::int64_t first, std::int64_t last) {
                      std::vector<Atom> made;
                      for (std::int64_t number = first; number < last && !writer.stopped(); ++number) {
                        try {
                          std::string text = writer.spare_part();
                          text.clear();
                          const AtomPiece piece = written.piece(begin + number, made);
                          text.reserve(format.bytes_per_atom * piece.atoms.size());
                          format.append(text, written, piece);
                          writer.put(number, packed ? gzip(text) : std::move(text));
                        } catch (...) {
                          writer.stop(std::current_exception());  // or the others would wait for this part
                        }
                      }
                    });
    writer.finish();
    if (progress) progress(double(std::min(begin + round, pieces)) / double(pieces));
  }
  write(format.tail(written));
}

}  // namespace ionwell
