// SPDX-License-Identifier: BSD-3-Clause
#include "files/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "files/left_files.hpp"

namespace ionwell {
namespace {

namespace fs = std::filesystem;

// Temporary files that exist now, where a signal handler can read them: fixed memory, no locks.
struct Slot {
  enum State { free, taken, unfinished };
  std::atomic<int> state = free;
  std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<Slot, 32> slots;

int take_slot(const std::string& path) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = Slot::free;
    if (!slots[i].state.compare_exchange_strong(expected, Slot::taken)) continue;
    path.copy(slots[i].path.data(), path.size());
    slots[i].path[path.size()] = '\0';
    slots[i].state = Slot::unfinished;
    return int(i);
  }
  return -1;  // only a signal would leave this file behind
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// Something that is there and is neither file nor folder: a terminal, a pipe, /dev/null.
bool is_device(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// The descriptor that a name stands for: to open /dev/stdout again would begin at the start of the file that
/// it leads to, and to replace that file would lose what others write to it.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(folder))
      if (const auto number = parse_integer(std::string_view(path).substr(folder.size()));
          number && *number >= 0 && *number <= INT_MAX)
        return int(*number);
  return {};
}

const char* way_out(int reason) {
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another disk";
    case EFBIG:
      return "choose a disk that allows larger files, or raise the limit on the size of a file (ulimit -f)";
    case EACCES:
    case EPERM:
      return "choose a folder and a name that you may write to";
    case EROFS:
      return "choose a folder on a disk that is not read-only";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    default:
      return "choose another place";
  }
}

[[noreturn]] void fail_to_write(const std::string& path, int reason) {
  fail("cannot write ", path == "-" ? "to standard output" : path, ": ", std::strerror(reason), "; ",
       way_out(reason));
}

[[noreturn]] void fail_to_create(const std::string& path, int reason) {
  const std::string folder = folder_of(path);
  std::error_code ignored;
  if (!fs::exists(folder, ignored))
    fail("cannot write ", path, ": there is no folder ", folder, "; create it first, or correct the name");
  if (!is_folder(folder)) fail("cannot write ", path, ": ", folder, " is not a folder; correct the name");
  fail_to_write(path, reason);
}

/// Where a link leads, there or not, so that the file takes the place of what it points to and not of the
/// link. Stops at names of descriptors, which are links as well.
std::string without_links(std::string path) {
  constexpr int most_links = 40;  // as many as the kernel follows
  std::error_code error;
  for (int link = 0; !descriptor_of(path) && fs::is_symlink(path, error); ++link) {
    if (link == most_links) fail_to_write(path, ELOOP);
    const fs::path target = fs::read_symlink(path, error);
    if (error) fail_to_write(path, error.value());
    path = (fs::path(path).parent_path() / target).string();
  }
  return path;
}

}  // namespace

void check_writable(const std::string& path) {
  const std::string target = without_links(path);
  if (descriptor_of(target) || !is_device(target)) {
    const OutputFile tried(path);  // permissions do not say it all: read-only disks, /proc
  } else if (access(target.c_str(), W_OK) != 0) {
    fail_to_write(path, errno);
  }
}

void remove_left_parts(const std::string& path) {
  const std::string target = without_links(path);
  if (!descriptor_of(target)) remove_left_files(folder_of(target));
}

bool is_standard_output(const std::string& path) {
  return descriptor_of(without_links(path)) == STDOUT_FILENO;
}

bool same_file(const std::string& a, const std::string& b) {
  const std::string target_a = without_links(a), target_b = without_links(b);
  const std::optional<int> known = descriptor_of(target_a);
  if (known && known == descriptor_of(target_b)) return true;
  std::error_code error;
  if (fs::equivalent(target_a, target_b, error)) return true;
  const fs::path canonical_a = fs::weakly_canonical(fs::absolute(target_a, error), error);
  const fs::path canonical_b = fs::weakly_canonical(fs::absolute(target_b, error), error);
  return !canonical_a.empty() && canonical_a == canonical_b;
}

void check_not_input(const std::string& output, const std::string& input) {
  if (is_standard_output(output) || is_device(output)) return;  // a terminal or a pipe loses nothing
  if (!same_file(output, input)) return;
  fail<UsageError>("the output ", output, " is an input file", output == input ? "" : ", " + input,
                   ", which would be overwritten; choose another name for the output");
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_path_(without_links(path_)) {
  if (path_.empty()) fail<UsageError>("the name of an output file is empty; give a name");
  if (descriptor_of(target_path_) || is_device(target_path_)) {
    open_directly();
    return;
  }
  if (is_folder(target_path_) || target_path_.back() == '/')
    fail("cannot write ", path_, ": it is a folder; add the name of the file");
  open_temporary();
}

OutputFile::~OutputFile() {
  abandon();
}

void OutputFile::open_directly() {
  const std::optional<int> known = descriptor_of(target_path_);
  std::cout.flush();  // what was printed so far comes first
  descriptor_ = known ? fcntl(*known, F_DUPFD_CLOEXEC, 0) : open(target_path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail_to_write(errno);
}

void OutputFile::open_temporary() {
  // A file that may not be changed must not be replaced either, though its folder would allow it.
  struct stat before {};
  const bool replaces = stat(target_path_.c_str(), &before) == 0;
  if (replaces && access(target_path_.c_str(), W_OK) != 0) fail_to_write(errno);
  const std::string folder = folder_of(target_path_) + '/', name = fs::path(target_path_).filename().string();
  int reason = EEXIST;
  while (reason == EEXIST) {  // that of another machine of the same name, or of a run that was killed
    temporary_path_ = folder + owned_name(part_ending);
    if (temporary_path_.size() >= PATH_MAX || name.size() > NAME_MAX) fail_to_write(ENAMETOOLONG);
    slot_ = take_slot(temporary_path_);  // before the file is there, so that no signal falls between
    descriptor_ = create_owned_file(temporary_path_, 0666);
    if (descriptor_ >= 0) break;
    reason = errno;
    temporary_path_.clear();
    abandon();
  }
  if (descriptor_ < 0) fail_to_create(target_path_, reason);
  // Who may read the file stays as it was; where that cannot be had, it is as of a new file.
  if (replaces) static_cast<void>(fchmod(descriptor_, before.st_mode & 0777));
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      abandon();
      fail_to_write(reason);
    }
    bytes.remove_prefix(std::size_t(written));
  }
}

const std::string& OutputFile::path_for_libraries() const {
  if (temporary_path_.empty())
    fail("cannot write ", path_, ": this format cannot be written to a pipe; give the name of a file");
  return temporary_path_;
}

void OutputFile::fail_to_write(int reason) const {
  ionwell::fail_to_write(path_, reason);
}

void OutputFile::finish() {
  if (descriptor_ < 0) return;
  if (!temporary_path_.empty()) lock_ = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);  // until it has its name
  if (close(std::exchange(descriptor_, -1)) == 0) return;
  const int reason = errno;
  abandon();
  fail_to_write(reason);
}

void OutputFile::commit() {
  finish();
  if (!temporary_path_.empty()) {
    struct stat before {};
    const bool replaces = lstat(target_path_.c_str(), &before) == 0;
    if (rename(temporary_path_.c_str(), target_path_.c_str()) != 0) {
      const int reason = errno;
      abandon();
      fail_to_write(reason);
    }
    is_new_ = !replaces;
  }
  temporary_path_.clear();
  abandon();
}

void OutputFile::withdraw() noexcept {
  if (is_new_) unlink(target_path_.c_str());
  is_new_ = false;
}

void OutputFile::abandon() noexcept {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  if (!temporary_path_.empty()) unlink(temporary_path_.c_str());
  if (lock_ >= 0) close(std::exchange(lock_, -1));
  temporary_path_.clear();
  if (slot_ >= 0) slots[std::size_t(std::exchange(slot_, -1))].state = Slot::free;
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

void remove_unfinished_files() noexcept {
  for (Slot& slot : slots)
    if (slot.state == Slot::unfinished) unlink(slot.path.data());
}

}  // namespace ionwell
