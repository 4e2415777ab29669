// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/average_state.hpp"

#include <cerrno>
#include <cmath>

#include "core/error.hpp"
#include "maps/hdf5_handle.hpp"

namespace ionwell {
namespace {

constexpr const char* state_mark = "ionwell_average_state";
constexpr std::uint32_t state_version = 1;
constexpr const char* state_way_out = "; give the --resume file of this run, or another name to start again";

/// All counts as one list of numbers, in this order; they are far below 2^53.
std::vector<double> numbers_of(const FrameTallies& tallies, const MapStatistics::Counts& counts) {
  return {double(tallies.next),
          double(tallies.bad),
          tallies.lowest_rmsd_A,
          tallies.highest_rmsd_A,
          tallies.rmsd_sum_A,
          double(tallies.highest_rmsd_frame),
          double(tallies.made_whole),
          double(tallies.beyond_lattice),
          tallies.farthest_beyond_A,
          double(counts.frames),
          double(counts.blocks),
          double(counts.frames_of_block),
          double(counts.has_mean_before)};
}

bool take_numbers(const std::vector<double>& numbers, FrameTallies& tallies, MapStatistics::Counts& counts) {
  if (numbers.size() != numbers_of({}, {}).size()) return false;
  for (const double number : numbers)
    if (!std::isfinite(number) || number < 0.0) return false;
  const auto count = [&](std::size_t at) { return std::int64_t(numbers[at]); };
  tallies.next = count(0);
  tallies.bad = count(1);
  tallies.lowest_rmsd_A = numbers[2];
  tallies.highest_rmsd_A = numbers[3];
  tallies.rmsd_sum_A = numbers[4];
  tallies.highest_rmsd_frame = count(5);
  tallies.made_whole = count(6);
  tallies.beyond_lattice = count(7);
  tallies.farthest_beyond_A = numbers[8];
  counts.frames = count(9);
  counts.blocks = count(10);
  counts.frames_of_block = count(11);
  counts.has_mean_before = numbers[12] != 0.0;
  return true;
}

Hdf5Handle checked_settings(hsize_t size) {
  Hdf5Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  constexpr hsize_t largest_chunk = hsize_t{1} << 17;  // values: a megabyte
  const hsize_t chunk = std::min(size, largest_chunk);
  H5Pset_chunk(settings, 1, &chunk);
  H5Pset_fletcher32(settings);
  return settings;
}

bool write_array(hid_t root, const MapStatistics::Array& array) {
  const hsize_t size = array.values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle settings = checked_settings(size);
  Hdf5Handle set(
      H5Dcreate2(root, array.name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, settings, H5P_DEFAULT),
      H5Dclose);
  return set.valid() &&
         H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) >= 0 &&
         set.close();
}

bool read_array(hid_t root, const MapStatistics::Array& array) {
  if (H5Lexists(root, array.name.c_str(), H5P_DEFAULT) <= 0) return false;
  const Hdf5Handle set(H5Dopen2(root, array.name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.valid()) return false;
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  return H5Sget_simple_extent_npoints(space) == hssize_t(array.values.size()) &&
         H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) >= 0;
}

[[noreturn]] void fail_damaged(const std::string& path) {
  fail(path, ": is truncated or damaged", state_way_out);
}

std::vector<std::string> texts_of(const AverageIdentity& identity) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : identity) texts.push_back(name + ": " + value);
  return texts;
}

void check_identity(const std::vector<std::string>& saved, const AverageIdentity& identity,
                    const std::string& path) {
  const std::vector<std::string> now = texts_of(identity);
  for (std::size_t n = 0; n < now.size(); ++n)
    if (n >= saved.size() || saved[n] != now[n])
      fail(path, ": is the state of a different average: it has ",
           n < saved.size() ? saved[n] : "fewer entries", ", but this run has ", now[n], state_way_out);
  if (saved.size() != now.size()) fail_damaged(path);
}

FrameTallies read_intact(const Hdf5Handle& root, const std::string& path, const AverageIdentity& identity,
                         MapStatistics& statistics) {
  if (numbers_attribute(root, state_mark) != std::vector<double>{double(state_version)})
    fail(path, ": is an HDF5 file, but not the saved state of an average", state_way_out);
  check_identity(texts_attribute(root, "identity"), identity, path);
  FrameTallies tallies;
  MapStatistics::Counts counts;
  if (!take_numbers(numbers_attribute(root, "counts"), tallies, counts)) fail_damaged(path);
  tallies.first_bad = text_attribute(root, "first_bad").value_or("");
  const std::vector<double> changes = numbers_attribute(root, "changes");
  for (std::size_t n = 0; n + 1 < changes.size(); n += 2)
    counts.changes.push_back({std::int64_t(changes[n]), changes[n + 1]});
  for (const MapStatistics::Array& array : statistics.arrays())
    if (!read_array(root, array)) fail_damaged(path);
  statistics.restore(counts);
  return tallies;
}

}  // namespace

void write_average_state(OutputFile& file, const AverageIdentity& identity, MapStatistics& statistics,
                         const FrameTallies& tallies) {
  const Hdf5Quiet quiet;
  const auto require = [&](bool fine) {
    if (fine) return;
    if (errno != 0) file.fail_to_write(errno);
    fail("cannot write ", file.path(), ": HDF5 reports an error; is the disk full?");
  };
  errno = 0;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
          H5Pset_file_locking(access, false, true) >= 0);
  Hdf5Handle root(H5Fcreate(file.path_for_libraries().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  require(root.valid());
  const MapStatistics::Counts counts = statistics.counts();
  std::vector<double> changes;
  for (const MeanChange& change : counts.changes) {
    changes.push_back(double(change.frames));
    changes.push_back(change.rms_kT_e);
  }
  require(set_attribute(root, state_mark, state_version) &&
          set_attribute(root, "identity", texts_of(identity)) &&
          set_attribute(root, "counts", numbers_of(tallies, counts)) &&
          set_attribute(root, "first_bad", tallies.first_bad) &&
          (changes.empty() || set_attribute(root, "changes", changes)));
  for (const MapStatistics::Array& array : statistics.arrays()) require(write_array(root, array));
  require(root.close());
}

FrameTallies read_average_state(const std::string& path, const AverageIdentity& identity,
                                MapStatistics& statistics) {
  const Hdf5Quiet quiet;
  const Hdf5Handle root = open_hdf5(path);
  if (!root.valid()) fail(path, ": is not an HDF5 file, or is truncated or damaged", state_way_out);
  try {
    return read_intact(root, path, identity, statistics);
  } catch (const UnreadableAttribute&) {
    fail_damaged(path);
  }
}

}  // namespace ionwell
