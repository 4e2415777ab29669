// SPDX-License-Identifier: BSD-3-Clause
#include "structures/formats/trajectory.hpp"

#include <optional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "files/byte_order_mark.hpp"
#include "files/input_file.hpp"
#include "files/mapped_file.hpp"
#include "structures/amber/amber_netcdf.hpp"
#include "structures/charmm/dcd.hpp"
#include "structures/formats/coordinate_file.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/gromacs/g96.hpp"
#include "structures/gromacs/gro.hpp"
#include "structures/gromacs/trr.hpp"
#include "structures/gromacs/xtc.hpp"
#include "structures/pdb/pdb_models.hpp"

namespace ionwell {
namespace {

/// A file of one frame.
class OneFrame final : public FrameReader {
 public:
  explicit OneFrame(Coordinates coordinates) : coordinates_(std::move(coordinates)) {}

  std::int64_t frames() const override { return 1; }
  Coordinates read(std::int64_t) const override {
    Coordinates frame = coordinates_;
    frame.warnings.clear();
    return frame;
  }
  std::vector<std::string> warnings() const override { return coordinates_.warnings; }

 private:
  Coordinates coordinates_;
};

std::unique_ptr<FrameReader> open_frames(std::optional<FileFormat> format, std::string_view bytes,
                                         const std::string& path) {
  if (format) switch (*format) {
      case FileFormat::dcd:
        return open_dcd(bytes, path);
      case FileFormat::xtc:
        return open_xtc(bytes, path);
      case FileFormat::trr:
        return open_trr(bytes, path);
      case FileFormat::amber_netcdf:
        return open_amber_netcdf(bytes, path);
      case FileFormat::gro:
        return open_gro(bytes, path);
      case FileFormat::g96:
        return open_g96(bytes, path);
      case FileFormat::pdb:
        return open_pdb_models(bytes, path);
      case FileFormat::psf:
      case FileFormat::prmtop:
      case FileFormat::gromacs_topology:
      case FileFormat::tpr:
      case FileFormat::xsc:
        break;
      default:
        return std::make_unique<OneFrame>(read_coordinates(*format, bytes, path));
    }
  fail<UsageError>(path, ": is ", format ? describe(*format) : "in an unknown format",
                   ", not a trajectory (DCD, XTC, TRR, NetCDF, .gro, .g96, PDB with several models, or "
                   "coordinates of one frame); give a trajectory after the topology");
}

}  // namespace

class Trajectory::File {
 public:
  explicit File(InputFile file) : path_(file.name()) {
    const std::optional<FileFormat> format = format_of_file(file);
    if (file.can_be_reopened() && !is_gzip(file.head()))
      mapped_.emplace(path_);
    else
      unpacked_.emplace(read_input_bytes(std::move(file)));
    std::string_view bytes = mapped_ ? mapped_->bytes() : unpacked_->text();
    bytes.remove_prefix(byte_order_mark_size(bytes));
    reader_ = open_frames(format, bytes, path_);
    if (mapped_) mapped_->forget();
  }

  const std::string& path() const { return path_; }
  const FrameReader& reader() const { return *reader_; }

  Coordinates read(std::int64_t index, Coordinates&& room) const {
    if (mapped_) mapped_->check_size();
    Coordinates frame = reader_->read_into(std::move(room), index);
    if (mapped_) mapped_->forget();
    return frame;
  }

 private:
  std::string path_;
  std::optional<MappedFile> mapped_;
  std::optional<FileBytes> unpacked_;
  std::unique_ptr<FrameReader> reader_;
};

Trajectory::Trajectory(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    files_.push_back(std::make_unique<File>(InputFile(path)));
    const File& file = *files_.back();
    parts_.push_back({file.path(), file.reader().frames()});
    frames_ += parts_.back().frames;
    const std::vector<std::string> warnings = file.reader().warnings();
    warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
  }
}

Trajectory::~Trajectory() = default;

Trajectory::Place Trajectory::find(std::int64_t index) const {
  if (index < 0 || index >= frames_) fail("frame ", index + 1, " is not among ", count_of(frames_, "frame"));
  std::size_t part = 0;
  while (index >= parts_[part].frames) index -= parts_[part++].frames;
  return {part, index};
}

std::string Trajectory::place_of(std::int64_t index) const {
  const Place place = find(index);
  return parts_[place.part].path + ", frame " + grouped(place.frame + 1);
}

Coordinates Trajectory::read(std::int64_t index, Coordinates&& room) const {
  const Place place = find(index);
  return files_[place.part]->read(place.frame, std::move(room));
}

}  // namespace ionwell
