// SPDX-License-Identifier: BSD-3-Clause
#include "structures/amber/amber_netcdf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "files/packing.hpp"
#include "structures/amber/netcdf_header.hpp"
#include "structures/amber/netcdf_library.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {
namespace {

constexpr std::string_view hdf5_start = "\x89HDF\r\n\x1a\n";

bool is_netcdf(std::string_view head) {
  constexpr std::string_view versions = "\x01\x02\x05";  // classic, 64-bit offset, 64-bit data
  return head.starts_with(hdf5_start) ||
         (head.starts_with("CDF") && head.size() > 3 && versions.find(head[3]) != versions.npos);
}

void check_is_netcdf(std::string_view bytes, const std::string& path) {
  if (!is_netcdf(bytes))
    fail(path, ": is not a NetCDF file (it begins with ", quote(bytes.substr(0, 8)),
         "); give an AMBER trajectory");
}

/// A file of NetCDF in memory, closed when this ends.
class NetcdfImage {
 public:
  NetcdfImage(const NetcdfLibrary& nc, std::string_view bytes, const std::string& path) : nc_(nc) {
    if (!bytes.starts_with(hdf5_start) && !is_sound_netcdf_header(bytes))
      fail(path, ": its NetCDF header is truncated or damaged; copy it again");
    void* const image = const_cast<char*>(bytes.data());  // it is opened to be read only
    if (const int status = nc_.open_mem("image", NC_NOWRITE, bytes.size(), image, &id_); status != NC_NOERR)
      fail(path, ": NetCDF cannot open the file, which is truncated or damaged (", nc_.message(status),
           "); copy it again");
  }
  ~NetcdfImage() { nc_.close(id_); }
  NetcdfImage(const NetcdfImage&) = delete;
  NetcdfImage& operator=(const NetcdfImage&) = delete;

  operator int() const { return id_; }  // NOLINT: so that it goes where NetCDF takes an id

 private:
  const NetcdfLibrary& nc_;
  int id_ = -1;
};

/// Numbers by frame, which a restart file has one of without a dimension for it.
struct Variable {
  int id = -1;
  std::vector<std::size_t> sizes;  // of its dimensions
  double scale = 1.0;              // what the numbers are to be multiplied with
};

class AmberNetcdf final : public FrameReader {
 public:
  AmberNetcdf(std::string_view bytes, const std::string& path)
      : path_(path),
        nc_(netcdf_library(path)),
        file_(nc_, bytes, path),
        coordinates_(require("coordinates", "angstrom")),
        lengths_(find("cell_lengths", "angstrom")),
        angles_(find("cell_angles", "degree")) {
    const auto& sizes = coordinates_.sizes;
    if ((sizes.size() != 2 && sizes.size() != 3) || sizes.back() != 3)
      fail(path_,
           ": its coordinates are not three for each atom, of one frame or of several "
           "(an ensemble of replicas?); write one trajectory of it with cpptraj");
    atoms_ = sizes[sizes.size() - 2];
    // A file can promise only so many numbers: what deflate makes of its bytes, where it may be packed.
    const std::size_t packing = bytes.starts_with(hdf5_start) ? best_deflate_ratio : 1;
    if (atoms_ == 0 || atoms_ > bytes.size() * packing / (3 * sizeof(float)))
      fail(path_, ": announces ", grouped(std::int64_t(atoms_)),
           atoms_ == 0 ? " atoms" : " atoms, more than it has room for", "; is it truncated? copy it again");
    // The cell of a dry system may be announced with other dimensions; then there is none.
    const auto is_cell = [&](const std::optional<Variable>& variable) {
      return variable && variable->sizes.size() + 1 == sizes.size() && variable->sizes.back() == 3;
    };
    has_cell_ = is_cell(lengths_) && is_cell(angles_);
    constexpr std::size_t most_frames = std::size_t{1} << 53;
    announced_ = sizes.size() == 3 ? std::int64_t(std::min(sizes.front(), most_frames)) : 1;
    frames_ = count_frames();
    if (frames_ == 0)
      fail(path_, ": has no complete frame of its ", count_of(std::int64_t(atoms_), "atom"),
           "; copy it again");
  }

  std::int64_t frames() const override { return frames_; }

  std::vector<std::string> warnings() const override {
    if (frames_ >= announced_) return {};
    return {note(path_ + ": announces " + count_of(announced_, "frame") + " and holds " + grouped(frames_) +
                 "; these were used")};
  }

  /// One frame of a file of one or of several.
  Coordinates read_chosen(FrameChoice choice) const {
    const std::int64_t frame = choice.number > 0 ? choice.number - 1 : frames_ + choice.number;
    if (choice.number == 0 || frame < 0 || frame >= frames_)
      fail(path_, ": frame ", choice.number, " is not among its ", count_of(frames_, "frame"),
           "; count frames from 1, or backwards from -1, the last");
    Coordinates result = read(frame);
    result.frames = frames_;
    result.warnings = warnings();
    return result;
  }

  Coordinates read(std::int64_t frame) const override {
    Coordinates result;
    result.positions_A.resize(atoms_);
    static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
    double* const numbers = &result.positions_A.front().x;
    if (!read_part(coordinates_, frame, 0, atoms_, numbers))
      fail(path_, ": NetCDF cannot read frame ", frame + 1,
           ", which is damaged; choose another, or copy the file again");
    for (std::size_t i = 0; i < atoms_; ++i) check(result.positions_A[i], i, frame);
    if (has_cell_) result.cell = read_cell(frame);
    return result;
  }

 private:
  std::optional<Variable> find(const char* name, std::string_view unit) const {
    Variable variable;
    nc_type type = NC_NAT;
    int dimensions = 0;
    if (nc_.variable_id(file_, name, &variable.id) != NC_NOERR) return std::nullopt;
    if (nc_.variable_type(file_, variable.id, &type) != NC_NOERR || (type != NC_FLOAT && type != NC_DOUBLE) ||
        nc_.variable_rank(file_, variable.id, &dimensions) != NC_NOERR || dimensions < 1 || dimensions > 3)
      fail(path_, ": its ", name,
           " are not real numbers of one to three dimensions; is it an AMBER file? write it again with "
           "cpptraj");
    std::array<int, 3> ids{};
    if (nc_.variable_dimensions(file_, variable.id, ids.data()) != NC_NOERR) fail_about(name);
    variable.sizes.resize(std::size_t(dimensions));
    for (std::size_t d = 0; d < variable.sizes.size(); ++d)
      if (nc_.dimension_length(file_, ids[d], &variable.sizes[d]) != NC_NOERR) fail_about(name);
    if (const std::string given = text_attribute(variable.id, "units");
        !given.empty() && !given.starts_with(unit))
      fail(path_, ": its ", name, " are in ", quote(given), ", but those of AMBER are in ", unit,
           "; write the file again with cpptraj");
    variable.scale = scale_factor(variable.id, name);
    return variable;
  }

  Variable require(const char* name, std::string_view unit) const {
    const auto variable = find(name, unit);
    if (!variable)
      fail(path_, ": is a NetCDF file without ", name, ", so it is not an AMBER trajectory; give one");
    return *variable;
  }

  std::string text_attribute(int variable, const char* name) const {
    nc_type type = NC_NAT;
    std::size_t size = 0;
    constexpr std::size_t most = 64;
    if (nc_.attribute(file_, variable, name, &type, &size) != NC_NOERR || type != NC_CHAR || size > most)
      return {};
    std::string text(size, '\0');
    return nc_.attribute_text(file_, variable, name, text.data()) == NC_NOERR ? lower_case(text)
                                                                              : std::string{};
  }

  double scale_factor(int variable, const char* name) const {
    nc_type type = NC_NAT;
    std::size_t size = 0;
    if (nc_.attribute(file_, variable, "scale_factor", &type, &size) != NC_NOERR) return 1.0;
    double factor = 0.0;
    if (size != 1 || type == NC_CHAR ||
        nc_.attribute_number(file_, variable, "scale_factor", &factor) != NC_NOERR ||
        !std::isfinite(factor) || factor == 0.0)
      fail(path_, ": the scale_factor of its ", name,
           " is not a number other than 0; write the file again with cpptraj");
    return factor;
  }

  /// `count` of a frame's triples from number `first` on; false when they are not in the file.
  bool read_part(const Variable& variable, std::int64_t frame, std::size_t first, std::size_t count,
                 double* numbers) const {
    std::vector<std::size_t> from(variable.sizes.size(), 0), size(variable.sizes.size(), 1);
    const bool by_frame = coordinates_.sizes.size() == 3;
    if (by_frame) from.front() = std::size_t(frame);
    if (variable.sizes.size() == (by_frame ? 3 : 2)) {
      from[from.size() - 2] = first;
      size[size.size() - 2] = count;
    }
    size.back() = 3;
    if (nc_.read(file_, variable.id, from.data(), size.data(), numbers) != NC_NOERR) return false;
    for (double* number = numbers; number != numbers + 3 * count; ++number) *number *= variable.scale;
    return true;
  }

  bool is_there(std::int64_t frame) const {
    std::array<double, 3> last{};
    return read_part(coordinates_, frame, atoms_ - 1, 1, last.data()) &&
           (!has_cell_ || (read_part(*lengths_, frame, 0, 1, last.data()) &&
                           read_part(*angles_, frame, 0, 1, last.data())));
  }

  /// Frames lie one behind the other: where one is not there, none behind it is.
  std::int64_t count_frames() const {
    std::int64_t there = 0, missing = announced_ + 1;
    while (missing - there > 1) {
      const std::int64_t middle = there + (missing - there) / 2;
      (is_there(middle - 1) ? there : missing) = middle;
    }
    return there;
  }

  std::optional<UnitCell> read_cell(std::int64_t frame) const {
    CellParameters cell;
    if (!read_part(*lengths_, frame, 0, 1, &cell.lengths_A.x) ||
        !read_part(*angles_, frame, 0, 1, &cell.angles_deg.x))
      return std::nullopt;
    return possible_cell(cell, CellKind::simulation);
  }

  void check(const Vec3<double>& p, std::size_t atom, std::int64_t frame) const {
    for (const double x : {p.x, p.y, p.z})
      if (!(std::abs(x) < largest_coordinate_A))
        fail(path_, ": frame ", frame + 1, " has atom ", grouped(std::int64_t(atom) + 1), " at (", p.x, ", ",
             p.y, ", ", p.z, "), which is not a possible position; choose a frame before the run failed");
  }

  [[noreturn]] void fail_about(const char* name) const {
    fail(path_, ": NetCDF cannot read the variable ", name, "; the file is damaged, copy it again");
  }

  const std::string& path_;
  const NetcdfLibrary& nc_;
  NetcdfImage file_;
  Variable coordinates_;
  std::optional<Variable> lengths_, angles_;
  std::size_t atoms_ = 0;
  std::int64_t announced_ = 0, frames_ = 0;
  bool has_cell_ = false;
};

}  // namespace

Coordinates read_amber_netcdf(std::string_view bytes, const std::string& path, FrameChoice frame) {
  check_is_netcdf(bytes, path);
  return AmberNetcdf(bytes, path).read_chosen(frame);
}

std::unique_ptr<FrameReader> open_amber_netcdf(std::string_view bytes, const std::string& path) {
  check_is_netcdf(bytes, path);
  return std::make_unique<AmberNetcdf>(bytes, path);
}

bool is_amber_netcdf(std::string_view head) {
  return is_netcdf(head) && head.find("AMBER") != head.npos;
}

}  // namespace ionwell
