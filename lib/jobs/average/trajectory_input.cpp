// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/trajectory_input.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "files/input_file.hpp"
#include "structures/formats/file_format.hpp"

namespace ionwell {
namespace {

/// The files by what they are for.
struct SortedFiles {
  std::vector<std::string> topology;  // and the cell, if there is one
  std::vector<std::string> trajectory;
};

SortedFiles sorted_files(const std::vector<std::string>& paths) {
  struct Named {
    std::string path;
    std::optional<FileFormat> format;
    FileRole role;
  };
  std::vector<Named> files;
  for (const std::string& path : paths) {
    std::error_code ignored;  // opening it tells what is wrong
    if (is_standard_input(path) || std::filesystem::is_fifo(path, ignored))
      fail<UsageError>(is_standard_input(path) ? std::string(standard_input_name) : path,
                       " is a pipe, but trajectory files are read more than once; give a file");
    InputFile file(path);
    const std::optional<FileFormat> format = format_of_file(file);
    files.push_back({path, format, format ? role_of(*format) : FileRole::structure});
  }
  const auto is_topology = [](const Named& file) { return file.role == FileRole::topology; };
  auto topology = std::find_if(files.begin(), files.end(), is_topology);
  if (topology == files.end()) topology = files.begin();
  if (topology->role == FileRole::coordinates || topology->role == FileRole::cell)
    fail<UsageError>(
        topology->path, ": is ", describe(*topology->format),
        ", which has no charges; give a topology (PSF, prmtop, .top, .tpr) or a PQR file before it");
  SortedFiles sorted{{topology->path}, {}};
  bool has_cell = false;
  for (auto file = files.begin(); file != files.end(); ++file) {
    if (file == topology) continue;
    if (is_topology(*file) || (file->role == FileRole::cell && has_cell))
      fail<UsageError>(file->path, ": is ", describe(*file->format), ", and ",
                       is_topology(*file) ? topology->path : sorted.topology.back(),
                       " is already one; give only one of them");
    has_cell |= file->role == FileRole::cell;
    (file->role == FileRole::cell ? sorted.topology : sorted.trajectory).push_back(file->path);
  }
  if (sorted.trajectory.empty())
    fail<UsageError>("no trajectory is given after ", topology->path,
                     "; give one or more (DCD, XTC, TRR, NetCDF, .gro, .g96, PDB with several models)");
  return sorted;
}

}  // namespace

ChosenFrames chosen_frames(const FrameRange& range, std::int64_t frames) {
  if (range.every < 1) fail<UsageError>("--every is ", range.every, ", but it must be 1 or more");
  const auto index = [&](std::int64_t number, const char* option) {
    const std::int64_t at = number > 0 ? number - 1 : frames + number;
    if (number == 0 || at < 0 || at >= frames)
      fail<UsageError>(option, ' ', number, " is not among the ", count_of(frames, "frame"),
                       " of the trajectory; frames are counted from 1, and from -1 backwards");
    return at;
  };
  const std::int64_t first = index(range.first, "--first"), last = index(range.last, "--last");
  if (last < first)
    fail<UsageError>("--last is frame ", last + 1, ", before --first, frame ", first + 1, "; swap them");
  return {first, range.every, (last - first) / range.every + 1};
}

TrajectoryInput read_trajectory_input(const std::vector<std::string>& paths, const InputOptions& options,
                                      const FrameRange& range, bool passes_over_bad) {
  const SortedFiles files = sorted_files(paths);
  TrajectoryInput result;
  result.trajectory = std::make_unique<Trajectory>(files.trajectory);
  const Trajectory& trajectory = *result.trajectory;
  result.frames = chosen_frames(range, trajectory.frames());
  std::int64_t index = 0;
  for (std::int64_t n = 0; n < result.frames.count && result.first.positions_A.empty(); ++n) try {
      index = result.frames.index(n);
      result.first = trajectory.read(index);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      if (!passes_over_bad) fail(error.what(), "; --skip-bad-frames skips it");
      if (result.bad_at_start.empty()) result.bad_at_start = error.what();
    }
  if (result.first.positions_A.empty())
    fail("none of the ", count_of(result.frames.count, "chosen frame"),
         " can be read; the first problem: ", result.bad_at_start);
  InputOptions at_frame = options;
  at_frame.may_add_atoms = false;
  result.input = read_input_at(result.first, trajectory.path_of(index), files.topology, at_frame);
  if (result.first.cell && result.input.system.acting().cell)
    result.first.cell->kind = result.input.system.acting().cell->kind;  // by all atoms
  std::vector<std::string>& warnings = result.input.system.acting().warnings;
  warnings.insert(warnings.end(), trajectory.warnings().begin(), trajectory.warnings().end());
  if (result.input.system.atoms_in_files() != std::ssize(result.first.positions_A))
    fail(trajectory.path_of(index), ": has ", count_of(std::ssize(result.first.positions_A), "atom"),
         ", and ", files.topology.front(), " has ", grouped(result.input.system.atoms_in_files()),
         "; give the trajectory that belongs to this topology");
  return result;
}

}  // namespace ionwell
