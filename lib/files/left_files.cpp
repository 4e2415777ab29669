// SPDX-License-Identifier: BSD-3-Clause
#include "files/left_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

namespace ionwell {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";

/// ".ionwell-HOST-".
std::string host_prefix() {
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  std::string name = host;
  for (char& c : name)
    if (letters.find(c) == letters.npos) c = '_';
  return ".ionwell-" + name + '-';
}

/// Whether `name` is host_prefix, PROCESS-NUMBER and the ending.
bool is_owned_name(std::string_view name, std::string_view prefix, std::string_view ending) {
  if (!name.starts_with(prefix) || !name.ends_with(ending) || name.size() < prefix.size() + ending.size())
    return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(ending.size());
  const std::size_t dash = name.find('-');
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  return dash != name.npos && is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

struct Close {
  void operator()(DIR* folder) const noexcept { closedir(folder); }
};

/// The names in a folder that fulfil a condition; none when it cannot be read.
template <typename Condition>
std::vector<std::string> names_in(const std::string& folder, const Condition& condition) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, Close> entries(opendir(folder.c_str()));
  if (!entries) return names;
  while (const dirent* const entry = readdir(entries.get()))
    if (condition(std::string_view(entry->d_name))) names.emplace_back(entry->d_name);
  return names;
}

enum class Lock { held, taken, impossible };

/// Locks one byte far behind any file's end: readers and writers do not meet it, nor does flock, which HDF5
/// locks its files with.
Lock try_lock(int descriptor) noexcept {
#if defined(F_OFD_SETLK)
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = off_t{1} << 62;
  range.l_len = 1;
  if (fcntl(descriptor, F_OFD_SETLK, &range) == 0) return Lock::held;
  return errno == EAGAIN || errno == EACCES ? Lock::taken : Lock::impossible;
#else
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Lock::held;
  return errno == EWOULDBLOCK ? Lock::taken : Lock::impossible;
#endif
}

/// A file of this user's that nobody has locked, locked now: its owner is dead.
class LeftFile {
 public:
  explicit LeftFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
    struct stat opened {
    }, named{};
    // The name may stand for another file since: that of a run which has just begun.
    is_left_ = descriptor_ >= 0 && fstat(descriptor_, &opened) == 0 && S_ISREG(opened.st_mode) &&
               opened.st_uid == geteuid() && try_lock(descriptor_) == Lock::held &&
               lstat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
               named.st_ino == opened.st_ino;
  }
  LeftFile(const LeftFile&) = delete;
  LeftFile& operator=(const LeftFile&) = delete;
  ~LeftFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool is_left() const { return is_left_; }

 private:
  int descriptor_;
  bool is_left_ = false;
};

std::string path_in(const std::string& folder, const std::string& name) {
  return folder + '/' + name;
}

}  // namespace

std::string owned_name(const std::string& ending) {
  static std::atomic<int> files = 0;
  return host_prefix() + std::to_string(getpid()) + '-' + std::to_string(++files) + ending;
}

int create_owned_file(const std::string& path, mode_t mode) noexcept {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return -1;
  // Between the two calls another run may have taken the file for left: then it has the lock, or has removed
  // it.
  struct stat status {};
  if (try_lock(descriptor) != Lock::taken && fstat(descriptor, &status) == 0 && status.st_nlink > 0)
    return descriptor;
  close(descriptor);
  errno = EEXIST;
  return -1;
}

void remove_left_files(const std::string& folder) {
  const std::string prefix = host_prefix();
  for (const std::string& name :
       names_in(folder, [&](std::string_view entry) { return is_owned_name(entry, prefix, part_ending); })) {
    const std::string path = path_in(folder, name);
    if (const LeftFile file(path); file.is_left()) unlink(path.c_str());
  }
}

void remove_left_folders(const std::string& folder) {
  const std::string prefix = host_prefix();
  for (const std::string& name :
       names_in(folder, [&](std::string_view entry) { return entry.starts_with("ionwell-"); })) {
    const std::string path = path_in(folder, name);
    const std::vector<std::string> marks =
        names_in(path, [&](std::string_view entry) { return is_owned_name(entry, prefix, mark_ending); });
    std::error_code ignored;
    if (marks.size() != 1 || fs::is_symlink(path, ignored)) continue;
    const LeftFile mark(path_in(path, marks.front()));
    if (!mark.is_left()) continue;
    for (const std::string& inside : names_in(path, [&](std::string_view entry) {
           return entry != "." && entry != ".." && entry != marks.front();
         }))
      remove_tree(path_in(path, inside));
    remove_tree(path);  // the mark last: should this run be killed as well
  }
}

bool remove_tree(const std::string& path) noexcept {
  constexpr int open_folders = 8;
  const auto remove_entry = [](const char* entry, const struct stat*, int, FTW*) { return remove(entry); };
  return nftw(path.c_str(), remove_entry, open_folders, FTW_DEPTH | FTW_PHYS) == 0;
}

}  // namespace ionwell
